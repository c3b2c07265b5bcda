"""The state folder: projects.toml, queue.sqlite, token, hub.lock and downloads/.  Nothing of it can be rebuilt."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from mcp_server import loopback, state_folder
from pipeline import files
from pipeline.errors import ArtifactError, ConfigError

TOKEN_BYTES = 32
TOKEN_LETTERS = 20


@dataclass(frozen=True, slots=True)
class State:
    """Every place in one state folder."""

    root: Path

    @property
    def projects(self) -> Path:
        """The registry."""
        return self.root / "projects.toml"

    @property
    def queue(self) -> Path:
        """The packets."""
        return self.root / "queue.sqlite"

    @property
    def token(self) -> Path:
        """What clients must show."""
        return self.root / state_folder.TOKEN

    @property
    def lock(self) -> Path:
        """Held by the one hub that may serve this folder."""
        return self.root / "hub.lock"


def find_state(named: Path | None, environment: Mapping[str, str] = os.environ) -> State:
    """The places in the folder that `state_folder.find` finds."""
    return State(state_folder.find(named, environment))


def take_state(state: State) -> FileLock:
    """Make the folder, private, and take its lock.

    Raises:
        ConfigError: another hub has it, or it cannot be made.
    """
    try:
        files.make_private(state.root)
        lock = files.take_lock(state.lock)
    except (ArtifactError, OSError) as error:
        reason = getattr(error, "strerror", None) or "a file stands there"
        raise ConfigError((f"the state folder {state.root} cannot be used: {reason}; give another --state",)) from None
    if lock is None:
        raise ConfigError(
            (f"another sdlc-hub serves the state folder {state.root}; stop it, or give this one another --state",)
        )
    return lock


def read_token(path: Path) -> str:
    """The token of a file that its owner alone can read.

    Raises:
        ConfigError: there is none, others can read it, or it is no token.
    """
    try:
        raw = files.read_bytes(path)
        is_private = raw is None or files.is_private(path)
    except OSError as error:
        raise ConfigError((f"{path} cannot be read: {error.strerror}",)) from None
    if raw is None:
        raise ConfigError((f"there is no token in {path}; `sdlc-hub serve` makes it at its first start",))
    if not is_private:
        raise ConfigError((f"{path} can be read by others; run `chmod 600` on it, or remove it for a new token",))
    token = raw.decode("ascii", "replace").strip()
    if len(token) < TOKEN_LETTERS or not loopback.is_sendable(token):
        raise ConfigError((f"{path} holds no token; remove it, and the next `sdlc-hub serve` makes a new one",))
    return token


def ensure_token(path: Path) -> str:
    """The token; made at the first start.

    Raises:
        ConfigError: as `read_token`, but for a file that is not there.
    """
    if not path.exists():
        files.write_private(path, f"{secrets.token_urlsafe(TOKEN_BYTES)}\n".encode())
    return read_token(path)
