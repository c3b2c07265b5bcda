"""The caller's folder, read as little as can be: names, a few texts, and what the project calls itself.

Never more than 2,000 files and folders, nor 1 MiB of a file.  No link is followed, nothing hidden but `.wiki` and
`.git/config` is looked at, nothing is written, no process is started.  What cannot be read is as if it were not there.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.domains import UNKNOWN, detect_domain, is_read
from pipeline.model import DomainMarkers
from pipeline.text import decode, line

ENTRIES_LIMIT = 2_000
FILE_LIMIT_BYTES = 1 << 20
PAGES_LIMIT_BYTES = 64 << 20
CONCEPTS = (".wiki", "concepts")
# Other people's code and what a build made say nothing of the project, and would use up the limit.
FOREIGN = frozenset({"node_modules", "bower_components", "vendor", "third_party", "build", "dist", "target", "venv"})
JUNCTION = 0xA0000003
# A link or pipe put there meanwhile must neither lead elsewhere nor hang; both flags miss on some platforms.
OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
ORIGIN = re.compile(r'\[\s*remote\s+"origin"\s*\]\s*(.*)', re.IGNORECASE)
URL = re.compile(r'url\s*=\s*"?([^"#;]+)', re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPage:
    """A Markdown file of the folder's `.wiki/concepts`; `raw` is None where it is too large or cannot be read."""

    path: str
    raw: bytes | None


def domain_of(folder: Path | None, further: Sequence[DomainMarkers] = ()) -> str:
    """The domain of the caller's folder; `unknown` when none was given."""
    return UNKNOWN if folder is None else detect_domain(list_files(folder), further)


def list_files(folder: Path) -> dict[str, bytes | None]:
    """The files of a folder by POSIX path, nearest first, with the bytes of those that domain detection reads."""
    return {path: _read(folder / path) if is_read(path) else None for path in _walk(folder)}


def concepts(folder: Path) -> Iterator[FoundPage]:
    """The pages `.wiki/concepts/*.md`, by path; those that do not go into 64 MiB are as if too large."""
    place = folder
    for name in CONCEPTS:
        if name not in (entry.name for entry in _entries(place) if _is_folder(entry)):
            return
        place = place / name
    left = PAGES_LIMIT_BYTES
    for entry in _entries(place):
        if _is_file(entry) and entry.name.lower().endswith(".md"):
            raw = _read(place / entry.name) if left > 0 else None
            left -= len(raw or b"")
            yield FoundPage(path="/".join((*CONCEPTS, entry.name)), raw=raw)


def own_names(folder: Path) -> tuple[str, ...]:
    """What the project calls itself: the folder's name, then its origin's repository where that is another."""
    raw = _read(folder / ".git" / "config") if _has_own_git(folder) else None
    origin = origin_name(decode(raw)[0]) if raw else None
    return tuple(dict.fromkeys(name for name in (line(folder.name), origin) if name))


def origin_name(config: str) -> str | None:
    """The repository's name in the url of the remote `origin`, without `.git`.  Pure."""
    is_origin = False
    for written in config.splitlines():
        text = written.strip()
        if text.startswith("["):
            section = ORIGIN.match(text)
            is_origin, text = section is not None, section[1] if section else ""
        url = URL.match(text) if is_origin else None
        if url:
            name = re.split(r"[/\\:]", url[1].strip().rstrip("/\\"))[-1].removesuffix(".git")
            return line(name) or None
    return None


def _has_own_git(folder: Path) -> bool:
    """A worktree's `.git` is a file that leads out of the folder: it is left alone."""
    return any(entry.name == ".git" and _is_folder(entry) for entry in _entries(folder))


def _walk(folder: Path) -> Iterator[str]:
    """Paths of files, folder by folder, the nearest first."""
    left = ENTRIES_LIMIT
    pending = deque([""])
    while pending and left > 0:
        place = pending.popleft()
        for entry in _entries(folder / place)[:left]:
            left -= 1
            path = f"{place}/{entry.name}" if place else entry.name
            if _is_file(entry):
                yield path
            elif not entry.name.startswith(".") and entry.name.lower() not in FOREIGN and _is_folder(entry):
                pending.append(path)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What stands in a folder, by name, as much as the limit lets us see; nothing where it cannot be listed."""
    try:
        with os.scandir(folder) as found:
            entries = [entry for _, entry in zip(range(ENTRIES_LIMIT), found, strict=False)]
    except OSError:
        return []
    return sorted(entries, key=lambda entry: entry.name)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """A folder itself; neither a link to one nor, on Windows, a junction."""
    try:
        if not entry.is_dir(follow_symlinks=False):
            return False
        return getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) != JUNCTION
    except OSError:
        return False


def _read(path: Path) -> bytes | None:
    """The whole of a file; None when it is too large or cannot be read."""
    if path.is_symlink():
        return None
    try:
        with os.fdopen(os.open(path, OPEN_FLAGS), "rb") as source:
            raw = source.read(FILE_LIMIT_BYTES + 1)
    except OSError:
        return None
    return raw if len(raw) <= FILE_LIMIT_BYTES else None
