"""Looks over a repository's own files before git's library opens them: it would wait at a pipe for ever.

Nobody can commit a pipe or a device; whoever may write into the searched folder can put one there.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from pipeline.errors import SourceUnreachable

POINTER_BYTES = 4_096
POINTER = "gitdir:"


def refuse_endless_files(folder: Path) -> None:
    """Stop at a clone of whose git files one is a pipe or a device, or a link to one.

    Raises:
        SourceUnreachable: there is one; what cannot be listed is left for git's library to refuse.
    """
    for place in _git_folders(folder):
        if _is_endless(place) or any(map(_is_endless, _files_below(place))):
            raise SourceUnreachable("a pipe or a device lies among git's own files; remove it")


def _git_folders(folder: Path) -> Iterator[Path]:
    """`.git`, the folder that a `.git` file names, and the one that this shares; a bare one is itself."""
    inner = folder / ".git"
    own = inner if inner.exists() else folder
    yield own
    if own.is_file():
        own = folder / _pointer(own).removeprefix(POINTER).strip()
        yield own
    shared = own / "commondir"
    if shared.is_file():
        yield own / _pointer(shared).strip()


def _pointer(file: Path) -> str:
    """The path that a small file of git holds; `.` for one that holds none."""
    try:
        with file.open("rb") as source:
            raw = source.read(POINTER_BYTES + 1)
    except OSError:
        return "."
    return os.fsdecode(raw) if len(raw) <= POINTER_BYTES and b"\0" not in raw else "."


def _files_below(folder: Path) -> Iterator[Path]:
    """What is no plain file below a git folder; links between folders are not followed."""
    pending = [folder] if (folder / "objects").is_dir() else []
    while pending:
        try:
            found = list(os.scandir(pending.pop()))
        except OSError:
            continue
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                pending.append(Path(entry.path))
            elif not entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _is_endless(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode)
