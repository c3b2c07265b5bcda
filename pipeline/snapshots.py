"""snapshot.json of each repository: what we copied, at the revision at which it last changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pipeline.codec import dump, load
from pipeline.errors import ArtifactError
from pipeline.files import read_bytes, remove_tree, write_atomic
from pipeline.layout import Layout
from pipeline.model import RepositoryId, RosterEntry, Snapshot


@dataclass(frozen=True, slots=True)
class SnapshotStore:
    """One snapshot per repository; a roster row names it by its SHA-256."""

    layout: Layout

    def is_there(self, entry: RosterEntry) -> bool:
        """Whether the row names a snapshot and a file stands in its place (its bytes are not looked at)."""
        return entry.snapshot_digest is not None and self.layout.has_snapshot(entry.listing.repository)

    def is_whole(self, entry: RosterEntry) -> bool:
        """Whether the snapshot is the one that the row names, and no file of it is still to be brought."""
        raw = self._read(entry)
        if raw is None:
            return False
        # Only a row with a reason can have such files: the others need not be parsed.
        return entry.reason is None or not _has_failed(raw)

    def load(self, entry: RosterEntry) -> Snapshot | None:
        """The snapshot of a row; None when there is none, or it is damaged."""
        raw = self._read(entry)
        return None if raw is None else _parse(raw)

    def write(self, snapshot: Snapshot) -> str:
        """Store a snapshot (only when its bytes differ) and say its digest."""
        raw = dump(snapshot)
        write_atomic(self.layout.snapshot(snapshot.repository), raw)
        return hashlib.sha256(raw).hexdigest()

    def remove(self, repository: RepositoryId) -> None:
        """Remove a snapshot, if there is one."""
        remove_tree(self.layout.snapshot(repository).parent)

    def rename(self, moves: Iterable[tuple[RosterEntry, RepositoryId]]) -> dict[RepositoryId, str]:
        """Give snapshots a new name; answers their new digests.  The old files stay, unless a new
        name of another covers them: all are read before the first is written, since names may swap.
        """
        read = [(self.load(entry), name) for entry, name in moves]
        return {name: self.write(_renamed(snapshot, name)) for snapshot, name in read if snapshot is not None}

    def _read(self, entry: RosterEntry) -> bytes | None:
        raw = read_bytes(self.layout.snapshot(entry.listing.repository))
        return raw if raw is not None and hashlib.sha256(raw).hexdigest() == entry.snapshot_digest else None


def _renamed(snapshot: Snapshot, name: RepositoryId) -> Snapshot:
    revision = replace(snapshot.revision, repository=name) if snapshot.revision is not None else None
    return replace(snapshot, repository=name, revision=revision)


def _has_failed(raw: bytes) -> bool:
    snapshot = _parse(raw)
    return snapshot is None or any(entry.state == "failed" for entry in snapshot.entries)


def _parse(raw: bytes) -> Snapshot | None:
    """None also for a snapshot of another schema: it is made anew, nothing is lost by it."""
    try:
        return load(Snapshot, raw, "snapshot.json")
    except ArtifactError:
        return None
