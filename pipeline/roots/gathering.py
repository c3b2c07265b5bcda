"""The files of a root, from a folder or from what sync brought, and what of them changed since.

Only regular files below knowledge/, and the hot file beside it; links, `.git` and `.revisions` are left out.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.choice import FILE_LIMIT_BYTES
from pipeline.layout import is_safe_path
from pipeline.model import SnapshotEntry
from pipeline.model.roots import RootProblem
from pipeline.roots.sections import HOT_FILE

BELOW = "knowledge/"
HIDDEN = frozenset((".git", ".revisions"))
VANISHED = "it went away while it was read"
LINK = "a symbolic link: it is not followed"
ODD = "no regular file"
UNSAFE = "its name cannot be shown"
UNREADABLE = "it could not be read"
UNBROUGHT = "its bytes were not brought; the next sync tries again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file that is there.  `seal` is another for another content; `read` answers its bytes, None where nobody looks
    into it (over 1 MiB, or only listed by sync), or why there are none.
    """

    path: str
    size_bytes: int
    seal: str
    read: Callable[[], bytes | str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """All files of a root by path (`knowledge/…`, and the hot file), and what is wrong."""

    files: tuple[Found, ...]
    problems: tuple[RootProblem, ...]


def of_folder(root: Path) -> Gathered:
    """Look through a folder; nothing is opened yet."""
    files: list[Found] = []
    problems: list[RootProblem] = []
    for path, entry in _walk(root):
        if not is_safe_path(path):
            problems.append(RootProblem(path=path, reason=UNSAFE))
        elif isinstance(entry, str):
            problems.append(RootProblem(path=path, reason=entry))
        else:
            files.append(entry)
    return Gathered(
        files=tuple(sorted(files, key=lambda each: each.path)),
        problems=tuple(sorted(problems, key=lambda each: each.path)),
    )


def of_snapshot(entries: Iterable[SnapshotEntry], read_blob: Callable[[str], bytes | None]) -> Gathered:
    """The files that sync brought of a repository."""
    files: list[Found] = []
    problems: list[RootProblem] = []
    for entry in entries:
        if not entry.path.startswith(BELOW) and entry.path != HOT_FILE:
            continue
        if is_hidden(entry.path):
            continue
        if entry.state == "failed":
            problems.append(RootProblem(path=entry.path, reason=UNBROUGHT))
        else:
            files.append(_blob(entry, read_blob))
    return Gathered(files=tuple(sorted(files, key=lambda each: each.path)), problems=tuple(problems))


def _blob(entry: SnapshotEntry, read_blob: Callable[[str], bytes | None]) -> Found:
    def read() -> bytes | str | None:
        return _brought(read_blob(entry.oid)) if entry.state == "stored" else None

    return Found(path=entry.path, size_bytes=entry.size_bytes or 0, seal=entry.oid, read=read)


def _brought(content: bytes | None) -> bytes | str:
    return UNBROUGHT if content is None else content


def is_hidden(path: str) -> bool:
    """Whether it is in a folder that no reader of a root is shown."""
    return not HIDDEN.isdisjoint(path.casefold().split("/"))


def _walk(root: Path) -> Iterator[tuple[str, Found | str]]:
    """Each file with what is known of it, or why it is none."""
    hot = root / HOT_FILE
    if hot.is_symlink() or hot.exists():
        yield HOT_FILE, _look(str(hot), HOT_FILE)
    pending = [BELOW]
    while pending:
        folder = pending.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
        except OSError:
            yield folder.rstrip("/"), VANISHED if not (root / folder).exists() else UNREADABLE
            continue
        for entry in entries:
            path = f"{folder}{entry.name}"
            if is_hidden(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                pending.append(f"{path}/")
            else:
                yield path, _look(entry.path, path)


def _look(place: str, path: str) -> Found | str:
    try:
        seen = os.lstat(place)
    except OSError:
        return VANISHED
    if stat.S_ISLNK(seen.st_mode):
        return LINK
    if not stat.S_ISREG(seen.st_mode):
        return ODD
    seal = f"{seen.st_size}:{seen.st_mtime_ns}:{seen.st_ino}"
    return Found(path=path, size_bytes=seen.st_size, seal=seal, read=lambda: _read(place))


def _read(place: str) -> bytes | str | None:
    """The bytes of a file that is still a regular one."""
    try:
        descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as opened:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return ODD
            content = opened.read(FILE_LIMIT_BYTES + 1)
            return content if len(content) <= FILE_LIMIT_BYTES else None
    except FileNotFoundError:
        return VANISHED
    except OSError:
        return UNREADABLE
