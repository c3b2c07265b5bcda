"""Bare git repositories made of dictionaries: real objects, real ids, real history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pygit2
from pygit2.enums import FileMode, ObjectType, ReferenceType

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


@dataclass(frozen=True, slots=True)
class Executable:
    """A file that may be run."""

    text: str


Content = str | bytes | Link | Submodule
Stored = Content | Executable


def lfs_pointer(oid: str, size_bytes: int) -> str:
    """What git keeps of a file that is stored elsewhere; `oid` is its SHA-256."""
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size_bytes}\n"


@dataclass(slots=True)
class BareRepository:
    """A bare repository on disk; opened anew for each use, so any thread may ask.

    `writes` counts what was done through this object, for who keeps what it once read.
    """

    path: Path
    writes: int = field(default=0, compare=False)

    @classmethod
    def create(cls, path: Path, branch: str) -> BareRepository:
        """Make an empty one whose HEAD names `branch`."""
        repository = pygit2.init_repository(str(path), bare=True)
        repository.set_head(f"refs/heads/{branch}")
        return cls(path)

    def open(self) -> pygit2.Repository:
        """The repository as pygit2 knows it."""
        return pygit2.Repository(str(self.path))

    def _open_to_write(self) -> pygit2.Repository:
        self.writes += 1
        return self.open()

    def commit(
        self,
        branch: str,
        files: Mapping[str, Stored],
        *,
        remove: Iterable[str] = (),
        when: datetime,
        message: str = "Work",
    ) -> str:
        """Commit onto `branch` and give the commit's id; a path in `remove` may be a folder."""
        repository = self._open_to_write()
        ref = f"refs/heads/{branch}"
        parents = [repository.references[ref].target] if ref in repository.references else []
        tree = _write_tree(repository, parents, files, remove)
        signature = pygit2.Signature(AUTHOR, EMAIL, int(when.timestamp()), 0)
        return str(repository.create_commit(ref, signature, signature, message, tree, parents))

    def replace(
        self,
        branch: str,
        files: Mapping[str, Stored],
        *,
        parents: Sequence[str] = (),
        when: datetime,
        message: str = "Again",
    ) -> str:
        """Move `branch` to a new commit on `parents` (none: a new root), whatever was there before."""
        repository = self._open_to_write()
        before: list[pygit2.Oid | str] = [pygit2.Oid(hex=parent) for parent in parents]
        tree = _write_tree(repository, before, files, ())
        signature = pygit2.Signature(AUTHOR, EMAIL, int(when.timestamp()), 0)
        made = repository.create_commit(None, signature, signature, message, tree, before)
        repository.references.create(f"refs/heads/{branch}", made, force=True)
        return str(made)

    def tag(self, name: str, commit: str, *, when: datetime, message: str | None = None) -> str:
        """Set a tag, annotated when there is a message; gives what the tag's name leads to."""
        repository = self._open_to_write()
        target = pygit2.Oid(hex=commit)
        if message is None:
            repository.references.create(f"refs/tags/{name}", target)
            return commit
        signature = pygit2.Signature(AUTHOR, EMAIL, int(when.timestamp()), 0)
        return str(repository.create_tag(name, target, ObjectType.COMMIT, signature, message))

    def delete_branch(self, branch: str) -> None:
        """Take a branch away."""
        self._open_to_write().references.delete(f"refs/heads/{branch}")

    def set_head(self, branch: str) -> None:
        """Let HEAD name another branch."""
        self._open_to_write().set_head(f"refs/heads/{branch}")

    def head(self, branch: str) -> str:
        """The commit of `branch`."""
        return str(self.open().references[f"refs/heads/{branch}"].target)

    def newest_commit_at(self) -> int | None:
        """Seconds since 1970 of the newest commit that a branch names; None without branches."""
        repository = self.open()
        heads = [
            repository.references[name].peel(pygit2.Commit)
            for name in repository.references
            if name.startswith("refs/heads/") and repository.references[name].type == ReferenceType.DIRECT
        ]
        return max((head.commit_time for head in heads), default=None)


def _write_tree(
    repository: pygit2.Repository,
    parents: Sequence[pygit2.Oid | str],
    files: Mapping[str, Stored],
    remove: Iterable[str],
) -> pygit2.Oid:
    index = pygit2.Index()
    if parents:
        index.read_tree(repository[parents[0]].peel(pygit2.Tree))
    for path in remove:
        index.remove_all([path, f"{path}/*"])
    for path, content in files.items():
        index.add(_entry(repository, path, content))
    return index.write_tree(repository)


def _entry(repository: pygit2.Repository, path: str, content: Stored) -> pygit2.IndexEntry:
    match content:
        case Submodule(commit):
            return pygit2.IndexEntry(path, pygit2.Oid(hex=commit), FileMode.COMMIT)
        case Link(target):
            return pygit2.IndexEntry(path, repository.create_blob(target.encode()), FileMode.LINK)
        case Executable(text):
            return pygit2.IndexEntry(path, repository.create_blob(text.encode()), FileMode.BLOB_EXECUTABLE)
        case str():
            return pygit2.IndexEntry(path, repository.create_blob(content.encode()), FileMode.BLOB)
        case bytes():
            return pygit2.IndexEntry(path, repository.create_blob(content), FileMode.BLOB)
