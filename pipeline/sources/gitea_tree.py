"""What a tree answer says about the folders of a selection (pure).

Entries come in git's order: by the bytes of their paths, a tree as if its name ended in a slash.  So a
page tells by its last entry whether anything wanted can still follow.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.model import Selection, TreeEntry
from pipeline.sources.gitea_api import TREE_MODES, TreeRow, to_entry


def is_past(rows: Sequence[TreeRow], selection: Selection) -> bool:
    """True when everything after `rows` lies outside the selection."""
    if not rows or "" in selection.folders:
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
    wanted = (row for row in rows if row.mode not in TREE_MODES and row.path.startswith(prefixes))
    return tuple(sorted((to_entry(row) for row in wanted), key=lambda entry: entry.path))


def _below(folder: str) -> bytes:
    return f"{folder}/".encode()
