"""Reads the files of a folder as they lie on disk, in git's terms: a blob id per file, a tree id per folder.

Symlinks and repositories inside are named and never followed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import SourceUnreachable
from pipeline.model import RepoPath, TreeEntry
from pipeline.sources.clone import ENTRIES_LIMIT, refuse_over

CHUNK = 1 << 20
HASHED_LIMIT_BYTES = 64 << 20
NO_OID = "0" * 40
# A link or pipe put there meanwhile must neither lead elsewhere nor hang; both flags miss on some platforms.
OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def list_files(folder: Path, wanted: Sequence[str]) -> tuple[TreeEntry, ...]:
    """Every file, symlink and repository below the wanted folders, sorted by path.

    Below the whole folder (the empty text) only Markdown is looked at, and no hidden folder: the rest
    may be a build's or an editor's and of any size.

    Raises:
        SourceUnreachable: a folder cannot be listed, or there are over 100,000 files.
    """
    found: dict[str, TreeEntry] = {}
    with _disk_trouble():
        for name in wanted:
            for path in _walk(folder, name):
                if name or path.lower().endswith(".md"):
                    found[path] = _entry(folder, path)
                    refuse_over(len(found), ENTRIES_LIMIT, "files")
    return tuple(found[path] for path in sorted(found))


def tree_ids(folder: Path, wanted: Sequence[str], entries: Iterable[TreeEntry]) -> tuple[tuple[str, str], ...]:
    """A stable id of what stands below each wanted folder that exists, sorted by folder."""
    rows = [(entry.path, f"{entry.path}\0{entry.kind}\0{entry.oid}\n") for entry in entries]
    with _disk_trouble():
        there = [name for name in sorted(wanted) if _is_folder(folder, name)]
    return tuple((name, digest(row for path, row in rows if not name or path.startswith(f"{name}/"))) for name in there)


def digest(rows: Iterable[str]) -> str:
    """40 hex letters that stand for these rows, in this order."""
    return hashlib.sha1("".join(rows).encode(), usedforsecurity=False).hexdigest()


def read_file(folder: Path, entry: TreeEntry, limit_bytes: int) -> bytes | None:
    """The first `limit_bytes` of a file and one more, if there is one; None when it cannot be read."""
    try:
        with os.fdopen(os.open(folder / entry.path, OPEN_FLAGS), "rb") as source:
            return source.read(limit_bytes + 1)
    except OSError:
        return None


def _walk(folder: Path, name: str) -> Iterator[str]:
    """Paths of files, symlinks and repositories, in no order; pipes and devices are left out, as git does."""
    if name and (folder / name).is_symlink():
        yield name
        return
    pending = [name] if _is_folder(folder, name) else []
    while pending:
        place = pending.pop()
        for each in list(os.scandir(folder / place)):
            path = f"{place}/{each.name}" if place else each.name
            if each.is_dir(follow_symlinks=False):
                if not name and each.name.startswith("."):
                    continue
                if not (Path(each.path) / ".git").exists():
                    pending.append(path)
                    continue
            elif not (each.is_symlink() or each.is_file(follow_symlinks=False)):
                continue
            yield path


def _is_folder(folder: Path, name: str) -> bool:
    place = folder / name
    return place.is_dir() and not (name and place.is_symlink())


def _entry(folder: Path, path: str) -> TreeEntry:
    place = folder / path
    spelt = RepoPath(os.fsencode(path).decode("utf-8", "backslashreplace"))
    if place.is_symlink():
        return TreeEntry(path=spelt, oid=NO_OID, size_bytes=None, kind="symlink")
    if place.is_dir():
        return TreeEntry(path=spelt, oid=NO_OID, size_bytes=None, kind="submodule")
    oid, size_bytes = _blob_id(place)
    return TreeEntry(path=spelt, oid=oid, size_bytes=size_bytes)


def _blob_id(place: Path) -> tuple[str, int | None]:
    """The blob id of the bytes, read piece by piece; no id for a file that cannot be read or is over 64 MiB.

    A larger one, which may be sparse and endless, is told apart by its size alone; of one that grows
    meanwhile only its first size is read.
    """
    try:
        with os.fdopen(os.open(place, OPEN_FLAGS), "rb") as source:
            size_bytes = os.fstat(source.fileno()).st_size
            if size_bytes > HASHED_LIMIT_BYTES:
                return NO_OID, size_bytes
            found = hashlib.sha1(b"blob %d\0" % size_bytes, usedforsecurity=False)
            for start in range(0, size_bytes, CHUNK):
                found.update(source.read(min(CHUNK, size_bytes - start)))
    except OSError:
        return NO_OID, None
    return found.hexdigest(), size_bytes


@contextmanager
def _disk_trouble() -> Iterator[None]:
    """The system's words without its paths: they are of this machine."""
    try:
        yield
    except OSError as error:
        raise SourceUnreachable(f"a folder of it cannot be listed: {error.strerror}") from None
