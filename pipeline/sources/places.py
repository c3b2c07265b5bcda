"""Finds the repositories below a folder: git clones, bare ones, and folders that hold `.tasks/` or `.wiki/`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PlaceKind = Literal["clone", "bare", "plain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One repository; `path` is POSIX, relative to the searched folder (`.` for that folder itself)."""

    path: str
    owner: str
    name: str
    kind: PlaceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All places sorted by path, and the folders (relative) that could not be searched."""

    places: tuple[Place, ...]
    unreadable: tuple[str, ...]


def find_places(root: Path, depth: int) -> Found:
    """Search at most `depth` levels below `root`, never inside a repository nor through a symlink.

    A hidden folder may be a repository (`.github`), but is not searched.

    Raises:
        OSError: `root` itself cannot be listed.
    """
    kind = kind_of(root)
    if kind is not None:
        return Found(places=(_place(root, ".", kind),), unreadable=())
    places: list[Place] = []
    unreadable: list[str] = []
    pending = [(entry, 1) for entry in _folders(os.scandir(root))]
    while pending:
        entry, level = pending.pop()
        path = Path(entry.path).relative_to(root).as_posix()
        try:
            kind = kind_of(Path(entry.path)) if level <= depth else None
            if kind is not None:
                places.append(_place(root, path, kind))
            elif level < depth and not entry.name.startswith("."):
                pending += [(each, level + 1) for each in _folders(os.scandir(entry.path))]
        except OSError:
            unreadable.append(path)
    return Found(places=tuple(sorted(places, key=lambda each: each.path)), unreadable=tuple(sorted(unreadable)))


def kind_of(folder: Path) -> PlaceKind | None:
    """What kind of repository a folder is; None when it is none.

    Raises:
        OSError: it cannot be looked into.
    """
    names = {entry.name: entry for entry in os.scandir(folder)}
    if ".git" in names:
        return "clone"
    if {"HEAD", "objects", "refs"} <= names.keys() and names["objects"].is_dir():
        return "bare"
    held = [names[name] for name in (".tasks", ".wiki") if name in names]
    return "plain" if any(entry.is_dir(follow_symlinks=False) for entry in held) else None


def is_place(root: Path, path: str, depth: int) -> bool:
    """Whether a search would still find a repository at `path`.

    Raises:
        OSError: `root`, or a folder on the way, cannot be looked into.
    """
    place = root
    parts = () if path == "." else tuple(path.split("/"))
    for part in parts:
        if kind_of(place) is not None or part not in {entry.name for entry in _folders(os.scandir(place))}:
            return False
        place /= part
    return len(parts) <= depth and kind_of(place) is not None


def _folders(entries: Iterable[os.DirEntry[str]]) -> Iterator[os.DirEntry[str]]:
    return (entry for entry in entries if entry.is_dir(follow_symlinks=False) and entry.name != ".git")


def _place(root: Path, path: str, kind: PlaceKind) -> Place:
    folder = root if path == "." else root / path
    owner = folder.parent.name if path.count("/") else "root"
    name = folder.name.removesuffix(".git") or "root"
    return Place(path=path, owner=owner, name=name, kind=kind)
