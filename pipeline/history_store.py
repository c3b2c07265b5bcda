"""history.json of each repository under sync/: the commits that changed its folders, as far as they are here.

Commits are facts by their id, so a file that a killed run left half grown is as good as its rows; the order of a
folder's commits stands in it only when it was told whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pipeline.codec import SCHEMA_VERSION, dump, load
from pipeline.errors import ArtifactError
from pipeline.files import read_bytes, remove_tree, write_atomic
from pipeline.layout import Layout
from pipeline.model import Commit, FolderHistory, History, RepositoryId, Revision


@dataclass(frozen=True, slots=True)
class HistoryStore:
    """One history per repository."""

    layout: Layout

    def load(self, repository: RepositoryId) -> History | None:
        """What is here of a repository's history; None when nothing is, or it is damaged."""
        raw = read_bytes(self.layout.history(repository))
        try:
            return None if raw is None else load(History, raw, "history.json")
        except ArtifactError:
            return None

    def write(self, history: History) -> str:
        """Store a history (only when its bytes differ) and say its digest."""
        raw = dump(history)
        write_atomic(self.layout.history(history.repository), raw)
        return hashlib.sha256(raw).hexdigest()

    def remove(self, repository: RepositoryId) -> None:
        """Remove a history, if there is one."""
        remove_tree(self.layout.history(repository).parent)

    def rename(self, moves: Iterable[tuple[RepositoryId, RepositoryId]]) -> dict[RepositoryId, str]:
        """Give histories a new name; answers their digests by new name.  As `SnapshotStore.rename`."""
        read = [(self.load(old), new) for old, new in moves]
        return {new: self.write(replace(found, repository=new)) for found, new in read if found is not None}


def empty_history(repository: RepositoryId, reach: str) -> History:
    """What is known before anything is."""
    return History(schema_version=SCHEMA_VERSION, repository=repository, reach=reach, folders=())


def within_reach(history: History, reach: str) -> History:
    """The history for other bounds: its commits stay, their order is to be told anew."""
    if history.reach == reach:
        return history
    folders = tuple(replace(folder, order=None) for folder in history.folders)
    return replace(history, reach=reach, folders=folders)


def only_of(history: History, revision: Revision | None) -> History:
    """The history with those logs alone that are of this very commit."""
    commit = revision.commit if revision is not None else None
    folders = (each if each.revision == commit else replace(each, order=None) for each in history.folders)
    return replace(history, folders=tuple(folders))


def folder_of(history: History, folder: str) -> FolderHistory | None:
    """What is known of one folder."""
    return next((each for each in history.folders if each.folder == folder), None)


def with_folder(history: History, folder: FolderHistory) -> History:
    """The history with other knowledge of one folder."""
    others = [each for each in history.folders if each.folder != folder.folder]
    return replace(history, folders=tuple(sorted([*others, folder], key=lambda each: each.folder)))


def without_texts(history: History, lost: Iterable[str]) -> History:
    """The history without the commits whose texts are lost, so that they are brought again."""
    gone = frozenset(lost)
    return replace(history, folders=tuple(_without(folder, gone) for folder in history.folders))


def _without(folder: FolderHistory, lost: frozenset[str]) -> FolderHistory:
    kept = tuple(commit for commit in folder.commits if lost.isdisjoint(oids_of(commit)))
    return folder if len(kept) == len(folder.commits) else replace(folder, order=None, commits=kept)


def oids_of(commit: Commit) -> set[str]:
    """The blobs that a commit names."""
    return {oid for change in commit.changes for oid in (change.before, change.after) if oid is not None}
