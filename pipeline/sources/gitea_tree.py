"""What a tree answer says about the folders of a selection (pure).

Entries come in git's order: by the bytes of their paths, a tree as if its name ended in a slash.  So a
page tells by its last entry whether anything wanted can still follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline.model import Resolved, Selection, TreeEntry
from pipeline.sources.gitea_api import TREE_MODES, TreeRow, to_entry


def is_past(rows: Sequence[TreeRow], selection: Selection | None) -> bool:
    """True when everything after `rows` lies outside the selection; never without one."""
    if not rows or selection is None or "" in selection.folders:
        return False
    reached = rows[-1].path.encode()
    return all(reached > _below(folder) and not reached.startswith(_below(folder)) for folder in selection.folders)


def trees_of(rows: Sequence[TreeRow], selection: Selection, commit: str) -> tuple[tuple[str, str], ...]:
    """The tree id of each folder that exists; for the whole repository its commit stands in."""
    found = {row.path: row.sha for row in rows if row.mode in TREE_MODES} | {"": commit}
    return tuple((folder, found[folder]) for folder in selection.folders if folder in found)


def entries_of(rows: Sequence[TreeRow], selection: Selection) -> tuple[TreeEntry, ...]:
    """Every blob, symlink and submodule below the selection's folders, sorted by path."""
    prefixes = tuple(f"{folder}/" if folder else "" for folder in selection.folders)
    return by_path(to_entry(row) for row in rows if row.mode not in TREE_MODES and row.path.startswith(prefixes))


def entries_below(rows: Sequence[TreeRow], folder: str) -> tuple[TreeEntry, ...]:
    """The same of the tree of one folder, whose rows are named from there."""
    return by_path(to_entry(row, folder) for row in rows if row.mode not in TREE_MODES)


def to_list(head: Resolved, selection: Selection) -> list[tuple[str, str]]:
    """The folders, with their trees, that hold all of the selection; one inside another adds nothing."""
    wanted = [(folder, tree) for folder, tree in head.trees if folder in selection.folders]
    return [pair for pair in wanted if pair[0] == ""] or wanted


def by_path(entries: Iterable[TreeEntry]) -> tuple[TreeEntry, ...]:
    """Entries in the order of every answer."""
    return tuple(sorted(entries, key=lambda entry: entry.path))


def _below(folder: str) -> bytes:
    return f"{folder}/".encode()
