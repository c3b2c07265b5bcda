"""The words that every other type is made of: ids, paths and states."""

from __future__ import annotations

from typing import Literal, NewType

RepositoryId = NewType("RepositoryId", str)
RepoPath = NewType("RepoPath", str)

Visibility = Literal["public", "internal", "private"]
State = Literal["ok", "unreachable", "renamed", "gone"]
Status = Literal["active", "todo", "blocked", "paused", "done", "cancelled", "unknown"]
BoardState = Literal["absent", "empty", "closed", "parsed"]
IndexState = Literal["absent", "parsed", "malformed"]
Severity = Literal["error", "warning", "note"]
EntryKind = Literal["file", "symlink", "submodule"]
BlobState = Literal["stored", "listed", "too_large", "failed"]
Evidence = Literal["listing", "head", "trees", "etags", "blobs", "empty", "unreadable", "none"]


def repository_id(host: str, owner: str, name: str) -> RepositoryId:
    """Join the three parts; none of them holds a slash."""
    return RepositoryId(f"{host}/{owner}/{name}")


def split_id(repository: RepositoryId) -> tuple[str, str, str]:
    """Take host, owner and name apart."""
    host, owner, name = repository.split("/", 2)
    return host, owner, name


def owned_name(repository: RepositoryId) -> str:
    """Owner and name, as people say it where names alone do not tell repositories apart."""
    return repository.split("/", 1)[1]


def short_name(repository: RepositoryId) -> str:
    """The name alone, as people say it; two repositories may share it."""
    return repository.rsplit("/", 1)[1]
