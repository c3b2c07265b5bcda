"""Histories for tests of what is read out of them: a blob's id is its text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from pipeline.model import Commit, FileChange, FolderHistory, RepoPath

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
Changes = Mapping[str, tuple[str | None, str | None]]


def commit(name: str, changes: Changes, *, hour: int = 0, author: str = "Ann", is_beyond: bool = False) -> Commit:
    """A commit whose changes are path → (text before, text after)."""
    return Commit(
        id=name,
        author=author,
        email=f"{author.lower()}@example.org",
        authored_at=START + timedelta(hours=hour),
        committed_at=START + timedelta(hours=hour),
        changes=tuple(
            FileChange(path=RepoPath(path), before=before, after=after)
            for path, (before, after) in sorted(changes.items())
        ),
        is_beyond=is_beyond,
    )


def history(*commits: Commit, folder: str = ".wiki") -> FolderHistory:
    """A history of commits, the oldest first."""
    return FolderHistory(
        folder=folder,
        revision=commits[-1].id if commits else None,
        tree=None,
        order=tuple(one.id for one in reversed(commits)),
        total=len(commits),
        commits=tuple(sorted(commits, key=lambda one: one.id)),
    )


def text(oid: str) -> bytes | None:
    """The bytes of a blob; those of a blob called `lost…` are not there."""
    return None if oid.startswith("lost") else oid.encode("utf-8", errors="surrogatepass")
