"""A repository that sync brought, with the files that a test names."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from pipeline.codec import SCHEMA_VERSION
from pipeline.layout import Layout
from pipeline.model import (
    Listing,
    RepoPath,
    RepositoryId,
    Resolved,
    Revision,
    Roster,
    RosterEntry,
    Snapshot,
    SnapshotEntry,
)
from pipeline.snapshots import SnapshotStore

COMMIT = "c" * 40


def roster_of(place: Layout, name: str, blobs: Mapping[str, str]) -> Roster:
    """The roster of one repository whose snapshot holds these blobs, by path."""
    repository = RepositoryId(name)
    revision = Revision(
        repository=repository, ref="main", commit=COMMIT, committed_at=datetime(2026, 11, 30, 12, tzinfo=UTC)
    )
    entries = tuple(
        SnapshotEntry(path=RepoPath(path), oid=oid, size_bytes=1, etag=None, state="stored")
        for path, oid in sorted(blobs.items())
    )
    snapshot = Snapshot(
        schema_version=SCHEMA_VERSION, repository=repository, shared=False, revision=revision, entries=entries
    )
    row = RosterEntry(
        source="forge",
        listing=Listing(repository=repository, forge_id="1", default_branch="main", visibility="private"),
        head=Resolved(revision=revision, trees=()),
        state="ok",
        reason=None,
        settled=True,
        shared=False,
        trees=(),
        snapshot_digest=SnapshotStore(place).write(snapshot),
        evidence="blobs",
        is_root=True,
    )
    return Roster(schema_version=SCHEMA_VERSION, entries=(row,))
