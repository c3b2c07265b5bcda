"""Bare git repositories made of dictionaries: real objects, real ids, real history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

AUTHOR = "Ann"
EMAIL = "ann@example.org"


@dataclass(frozen=True, slots=True)
class Link:
    """A symlink; its blob is the target's text."""

    target: str


@dataclass(frozen=True, slots=True)
class Submodule:
    """A submodule at a commit."""

    commit: str


Content = str | bytes | Link | Submodule


@dataclass(frozen=True, slots=True)
class BareRepository:
    """A bare repository on disk; opened anew for each use, so any thread may ask."""

    path: Path

    @classmethod
    def create(cls, path: Path, branch: str) -> BareRepository:
        """Make an empty one whose HEAD names `branch`."""
        repository = pygit2.init_repository(str(path), bare=True)
        repository.set_head(f"refs/heads/{branch}")
        return cls(path)

    def open(self) -> pygit2.Repository:
        """The repository as pygit2 knows it."""
        return pygit2.Repository(str(self.path))

    def commit(
        self,
        branch: str,
        files: Mapping[str, Content],
        *,
        remove: Iterable[str] = (),
        when: datetime,
        message: str = "Work",
    ) -> str:
        """Commit onto `branch` and give the commit's id; a path in `remove` may be a folder."""
        repository = self.open()
        ref = f"refs/heads/{branch}"
        parents = [repository.references[ref].target] if ref in repository.references else []
        index = pygit2.Index()
        if parents:
            index.read_tree(repository[parents[0]].peel(pygit2.Tree))
        for path in remove:
            index.remove_all([path, f"{path}/*"])
        for path, content in files.items():
            index.add(_entry(repository, path, content))
        signature = pygit2.Signature(AUTHOR, EMAIL, int(when.timestamp()), 0)
        tree = index.write_tree(repository)
        return str(repository.create_commit(ref, signature, signature, message, tree, parents))

    def head(self, branch: str) -> str:
        """The commit of `branch`."""
        return str(self.open().references[f"refs/heads/{branch}"].target)


def _entry(repository: pygit2.Repository, path: str, content: Content) -> pygit2.IndexEntry:
    match content:
        case Submodule(commit):
            return pygit2.IndexEntry(path, pygit2.Oid(hex=commit), FileMode.COMMIT)
        case Link(target):
            return pygit2.IndexEntry(path, repository.create_blob(target.encode()), FileMode.LINK)
        case str():
            return pygit2.IndexEntry(path, repository.create_blob(content.encode()), FileMode.BLOB)
        case bytes():
            return pygit2.IndexEntry(path, repository.create_blob(content), FileMode.BLOB)
