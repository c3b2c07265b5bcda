"""Names of repositories that someone says were pushed to: the next sync asks for these whatever the listing says.

One small file per name, written whole under a name of its own, so that giving a hint waits for nobody:
neither for a running build nor for another hint.  A sync takes the files over by renaming them before it
asks anything; a hint given after that moment is a new file, which the sync's `clear` cannot touch.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pipeline import codec, files
from pipeline.errors import ArtifactError
from pipeline.layout import Layout
from pipeline.model import RepositoryId
from pipeline.wanted import names_of

LIFE = timedelta(days=1)
MOST = 1000
NAME_LETTERS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """One name, and when it was given (UTC)."""

    name: str
    given_at: datetime


def add(layout: Layout, names: Iterable[str], now: datetime) -> tuple[str, ...]:
    """Remember names; answers, in their order, those that are no name of a repository or beyond the 1,000 that wait.

    A name is `host/owner/name`, `owner/name` or `name`.  Given again it counts once, from now.  Before the
    first sync nothing is kept: that one asks for every repository anyway.

    Raises:
        OSError: the disk refused.
    """
    if not layout.roster.exists():
        return tuple(name for name in names if not is_name(name))
    refused: list[str] = []
    waiting = {path.name for folder in (layout.hints_given, layout.hints_taken) for path in _files(folder)}
    for name in names:
        place = layout.hint(name)
        if not is_name(name) or (len(waiting) >= MOST and place.name not in waiting):
            refused.append(name)
        else:
            waiting.add(place.name)
            files.write_atomic(place, codec.dump_line(Hint(name=name, given_at=now)))
    return tuple(refused)


def read(layout: Layout, now: datetime) -> tuple[str, ...]:
    """Take over every hint that waits: the names, sorted, each once.

    They are answered again by the next call until `clear` names them or a day has passed.  For the one
    who holds the build's lock.

    Raises:
        OSError: the disk refused.
    """
    layout.hints_taken.mkdir(parents=True, exist_ok=True)
    for path in _files(layout.hints_given):
        files.replace(path, layout.hints_taken / path.name)
    return tuple(sorted({hint.name for path in _files(layout.hints_taken) if (hint := _young(path, now))}))


def clear(layout: Layout, names: Iterable[str]) -> None:
    """Forget names that `read` answered; what was given since then stays.

    Raises:
        OSError: the disk refused.
    """
    for name in names:
        (layout.hints_taken / layout.hint(name).name).unlink(missing_ok=True)


def is_name(text: str) -> bool:
    """Whether the text may be what someone calls a repository: one to three parts, one line, at most 300 letters."""
    if len(text) > NAME_LETTERS or any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text):
        return False
    parts = text.split("/")
    return len(parts) <= 3 and all(part.strip() for part in parts)


def answered(names: Iterable[str], repositories: Iterable[RepositoryId]) -> tuple[str, ...]:
    """Those of the names that mean a repository, in their order."""
    known = {name.casefold() for each in repositories for name in names_of(each)}
    return tuple(name for name in names if name.casefold() in known)


def _files(folder: Path) -> tuple[Path, ...]:
    return tuple(folder / name for name in files.walk(folder))


def _young(path: Path, now: datetime) -> Hint | None:
    """The hint of a file; one that is a day old, or not ours, leaves."""
    try:
        hint = codec.load(Hint, path.read_bytes(), "hint")
    except ArtifactError:
        hint = None
    if hint is None or now - hint.given_at > LIFE:
        path.unlink()
        return None
    return hint
