"""Tokens: where they are read, and the type that keeps them out of every text.

A token comes from the environment variable that a row names, or from an auth.toml that nobody else
can read; never from sources.toml or the command line.
"""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import NoReturn

import pygit2

from pipeline.errors import ConfigError

AUTH_LIMIT_BYTES = 64 * 1024


class Secret:
    """A text that shows itself to nobody who does not ask for it by `reveal`."""

    __slots__ = ("_hidden",)

    def __init__(self, text: str) -> None:
        self._hidden = text

    def reveal(self) -> str:
        """The text; for the header of one request, not for keeping."""
        return self._hidden

    def __repr__(self) -> str:
        return "Secret(…)"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a Secret is not to be stored or sent")


def token_of_variable(name: str, place: str) -> Secret:
    """The token in the environment variable `name`; `place` is the setting that names it.

    Raises:
        ConfigError: the variable is not set, empty, or holds letters that no header may have.
    """
    text = os.environ.get(name, "").strip()
    if not text:
        raise _mistake(place, f"the environment variable {name} is not set; expected a token in it")
    return _checked(text, place, f"the environment variable {name}")


def token_of_file(path: Path, key: str, place: str) -> Secret:
    """The token under `key` of the TOML file `path`; `place` is the setting that names the file.

    Raises:
        ConfigError: the file is missing, a symlink, another user's, readable by others, tracked by git,
            no TOML, or without the key.
    """
    _refuse_exposed(path, place)
    try:
        found = tomllib.loads(path.read_bytes()[:AUTH_LIMIT_BYTES].decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise _mistake(place, f'{path} is not TOML; expected a line {key} = "…"') from None
    except OSError as error:
        raise _mistake(place, f"{path} cannot be read: {error.strerror}") from None
    token = found.get(key)
    if not isinstance(token, str) or not token.strip():
        raise _mistake(place, f'{path} holds no {key}; expected a line {key} = "…"')
    return _checked(token.strip(), place, f"{key} in {path}")


def _refuse_exposed(path: Path, place: str) -> None:
    try:
        found = path.lstat()
    except OSError as error:
        raise _mistake(place, f"{path} cannot be read: {error.strerror}") from None
    if stat.S_ISLNK(found.st_mode):
        raise _mistake(place, f"{path} is a symlink; name the file itself")
    if not stat.S_ISREG(found.st_mode):
        raise _mistake(place, f"{path} is not a file; expected an auth.toml")
    if os.name == "posix":
        _refuse_others(found, path, place)
    if _is_offered_to_git(path):
        raise _mistake(place, f"{path} lies in a git work tree that does not ignore it; move it elsewhere")


def _refuse_others(found: os.stat_result, path: Path, place: str) -> None:
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise _mistake(place, f"{path} can be read by others; run `chmod 600 {path}`")
    if found.st_uid != os.geteuid():
        raise _mistake(place, f"{path} belongs to another user; expected a file of your own")


def _is_offered_to_git(path: Path) -> bool:
    """True where the next `git add .` would take the file along."""
    whole = path.resolve()
    try:
        found = pygit2.discover_repository(str(whole.parent))
        repository = pygit2.Repository(found) if found else None
    except pygit2.GitError:
        return False
    if repository is None or repository.workdir is None:
        return False
    return not repository.path_is_ignored(whole.relative_to(Path(repository.workdir).resolve()).as_posix())


def _checked(token: str, place: str, where: str) -> Secret:
    if not all("!" <= letter <= "~" for letter in token):
        raise _mistake(place, f"{where} is not a token; expected ASCII letters without spaces")
    return Secret(token)


def _mistake(place: str, fact: str) -> ConfigError:
    return ConfigError((f"{place}: {fact}",))
