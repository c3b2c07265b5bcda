"""Carries out the steps about one source's repositories: asks, stores verified blobs, writes snapshots.

Every step ends in a roster row.  Trouble of one repository becomes its row's reason and touches no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from pipeline import roster_rows
from pipeline.blobs import BlobStore
from pipeline.choice import FILE_LIMIT_BYTES, Choice, choose, entries_of
from pipeline.codec import SCHEMA_VERSION
from pipeline.errors import SourceError
from pipeline.model import (
    BlobState,
    Empty,
    Evidence,
    Head,
    LastLook,
    Resolved,
    Revision,
    RosterEntry,
    Snapshot,
    SnapshotEntry,
    TreeEntry,
    Unreachable,
)
from pipeline.plan import (
    UNREADABLE,
    Blank,
    Forget,
    Keep,
    Missing,
    Probe,
    Renamed,
    Rest,
    Step,
    Unreadable,
    Unseen,
)
from pipeline.snapshots import SnapshotStore
from pipeline.sources.base import Source
from pipeline.wanted import is_wanted, selection, within

GONE = "no longer there"
STILL_THERE = "no longer listed, though it is still there; has the account lost its right to it?"
NAMED_FAILURES = 3

Trees = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Tally:
    """What was brought so far."""

    blobs: int = 0
    size_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Prober:
    """One source, and the places where its answers go."""

    source: Source
    blobs: BlobStore
    snapshots: SnapshotStore
    tally: Tally = field(default_factory=Tally)

    def put_off(self, step: Probe | Missing, reason: str) -> RosterEntry:
        """The row of a repository that is not asked in this run; it keeps what it had."""
        if isinstance(step, Missing):
            return roster_rows.unseen(step.entry, reason)
        return self._failed(step, reason)

    async def carry_out(self, step: Step) -> RosterEntry | None:
        """The row after this step; None when the row leaves.

        Raises:
            OSError: the disk refused.
        """
        match step:
            case Probe():
                return await self._probe(step)
            case Keep():
                return roster_rows.unchanged(step.entry, step.listing)
            case Blank():
                return self._blank(step)
            case Unreadable():
                return roster_rows.failed(self.source.config.name, step.listing, step.entry, step.shared, UNREADABLE)
            case Unseen():
                return roster_rows.unseen(step.entry, step.reason)
            case Missing():
                return await self._missing(step)
            case Renamed():
                return roster_rows.tombstone(step.entry, "renamed", f"now {step.to}")
            case Rest():
                return step.entry
            case Forget():
                return None
            case _:
                assert_never(step)

    async def _missing(self, step: Missing) -> RosterEntry:
        if not step.ask:
            return roster_rows.unseen(step.entry, step.reason)
        try:
            found = await self.source.find(step.entry.listing)
        except SourceError as error:
            return roster_rows.unseen(step.entry, error.reason)
        if found is None:
            return roster_rows.tombstone(step.entry, "gone", GONE)
        if not is_wanted(found, self.source.config):
            return roster_rows.tombstone(step.entry, "renamed", f"now {found}, which this source does not ask for")
        return roster_rows.unseen(step.entry, STILL_THERE)

    async def _probe(self, step: Probe) -> RosterEntry:
        try:
            return await self._look(step)
        except SourceError as error:
            return self._failed(step, error.reason)

    async def _look(self, step: Probe) -> RosterEntry:
        known = self._known(step)
        # A listing that calls a repository empty which was not is what we doubt: the source shall look itself.
        asked = replace(step.listing, empty=False)
        last = roster_rows.last_look_at(known) if known is not None else None
        head = await self.source.resolve(asked, selection(step.shared, step.is_root), last)
        match head:
            case Empty():
                return self._blank(step)
            case Unreachable():
                return self._failed(step, head.reason)
            case Resolved():
                return self._same(step, head, known, last) or await self._fetch(step, head, known)
            case _:
                assert_never(head)

    def _known(self, step: Probe) -> RosterEntry | None:
        """The carried row, if its snapshot can stand for what we are about to see."""
        entry = step.entry
        is_usable = entry is not None and _is_as(entry, step) and self.snapshots.is_whole(entry)
        return entry if is_usable else None

    def _same(
        self, step: Probe, head: Resolved, known: RosterEntry | None, last: LastLook | None
    ) -> RosterEntry | None:
        """The row when the head, or at least the trees, are those of our snapshot."""
        if known is None or last is None:
            return None
        evidence: Evidence = "head"
        if head.revision.commit == last.revision.commit:
            # The time of a commit that we know is the one we first saw.
            revision = replace(head.revision, committed_at=last.revision.committed_at)
            head = Resolved(revision=revision, trees=known.trees, paths=known.paths)
        elif head.trouble is None and head.trees == known.trees:
            evidence = "trees"
        else:
            return None
        return self._row(step, replace(head, entries=None), known.snapshot_digest, evidence, settled=step.settled)

    async def _fetch(self, step: Probe, head: Resolved, known: RosterEntry | None) -> RosterEntry:
        held = self.snapshots.load(known) if known is not None else None
        listed = await self._entries(step, head, held, known.trees if known is not None else ())
        choice = choose(listed, selection(step.shared, step.is_root))
        oversized = await self._bring(head.revision, choice.text)
        entries = self._copied(choice, oversized)
        absent = [entry.path for entry in entries if entry.state == "failed"]
        if self._would_lose(step.entry, absent):
            return self._failed(step, _failures(absent, len(entries)))
        if head.trouble is not None and held is not None and entries == held.entries:
            return self._partly(step, head, known.snapshot_digest if known is not None else None, "etags")
        snapshot = Snapshot(
            schema_version=SCHEMA_VERSION,
            repository=step.listing.repository,
            shared=step.shared,
            revision=head.revision,
            entries=entries,
            skipped=choice.skipped,
        )
        digest = self.snapshots.write(snapshot)
        if head.trouble is not None:
            return self._partly(step, head, digest, "blobs")
        settled = step.settled and not absent
        row = self._row(step, replace(head, entries=None), digest, "blobs", settled=settled)
        return replace(row, reason=_failures(absent, len(entries))) if absent else row

    def _partly(self, step: Probe, head: Resolved, digest: str | None, evidence: Evidence) -> RosterEntry:
        """The row of a repository of which only known files could be looked at: the next run looks again."""
        row = self._row(step, head, digest, evidence, settled=False)
        return replace(row, state="unreachable", reason=head.trouble, partial=True)

    def _would_lose(self, entry: RosterEntry | None, absent: Sequence[str]) -> bool:
        """Whether a file that we have a good copy of is among those that could not be brought."""
        last = self.snapshots.load(entry) if entry is not None and absent else None
        stored = {each.path for each in last.entries if each.state == "stored"} if last is not None else set()
        return not stored.isdisjoint(absent)

    async def _entries(self, step: Probe, head: Resolved, held: Snapshot | None, trees: Trees) -> tuple[TreeEntry, ...]:
        """The tree's entries; of a folder whose tree we hold, those of our snapshot."""
        if head.entries is not None:
            return head.entries
        wanted = selection(step.shared, step.is_root)
        if head.trouble is not None:
            return await self.source.list_tree(head, wanted, held.entries if held is not None else ())
        kept = _kept(held, trees, head) if held is not None else {}
        others = within(wanted, [folder for folder, _ in head.trees if folder not in kept])
        asked = await self.source.list_tree(head, others, ()) if others.folders else ()
        return (*asked, *(entry for entries in kept.values() for entry in entries))

    async def _bring(self, revision: Revision, wanted: Sequence[TreeEntry]) -> frozenset[str]:
        """Store what is not here yet, each object once; answers those that prove too large."""
        absent = {entry.oid: entry for entry in wanted if not self.blobs.has(entry.oid, entry.size_bytes)}
        oversized: set[str] = set()
        if not absent:
            return frozenset()
        async for entry, content in self.source.read_blobs(revision, tuple(absent.values())):
            if content is None:
                continue
            if len(content) > FILE_LIMIT_BYTES:
                oversized.add(entry.oid)
            elif self.blobs.add(entry.oid, content):
                self.tally.blobs += 1
                self.tally.size_bytes += len(content)
        return frozenset(oversized)

    def _copied(self, choice: Choice, oversized: frozenset[str]) -> tuple[SnapshotEntry, ...]:
        entries = [
            *(self._copied_text(entry, oversized) for entry in choice.text),
            *(_entry(entry, "listed") for entry in choice.named),
            *(_entry(entry, "too_large") for entry in choice.too_large),
        ]
        return tuple(sorted(entries, key=lambda each: each.path))

    def _copied_text(self, entry: TreeEntry, oversized: frozenset[str]) -> SnapshotEntry:
        stored = self.blobs.size_bytes(entry.oid)
        if stored is None:
            return _entry(entry, "too_large" if entry.oid in oversized else "failed")
        return replace(_entry(entry, "stored"), size_bytes=stored)

    def _blank(self, step: Probe | Blank) -> RosterEntry:
        snapshot = Snapshot(
            schema_version=SCHEMA_VERSION,
            repository=step.listing.repository,
            shared=step.shared,
            revision=None,
            entries=(),
        )
        return self._row(step, Empty(), self.snapshots.write(snapshot), "empty", settled=False)

    def _failed(self, step: Probe, reason: str) -> RosterEntry:
        return roster_rows.failed(self.source.config.name, step.listing, step.entry, step.shared, reason)

    def _row(
        self, step: Probe | Blank, head: Head, digest: str | None, evidence: Evidence, *, settled: bool
    ) -> RosterEntry:
        row = RosterEntry(
            source=self.source.config.name,
            listing=step.listing,
            head=head,
            state="ok",
            reason=None,
            settled=settled,
            shared=step.shared,
            trees=head.trees if isinstance(head, Resolved) else (),
            snapshot_digest=digest,
            evidence=evidence,
            paths=head.paths if isinstance(head, Resolved) else None,
            is_root=isinstance(step, Probe) and step.is_root,
        )
        return roster_rows.with_history(row, step.entry)


def _is_as(entry: RosterEntry, step: Probe) -> bool:
    """Whether a row's snapshot was made of the folders that are wanted now."""
    return (entry.shared, entry.is_root) == (step.shared, step.is_root)


def _kept(held: Snapshot, trees: Trees, head: Resolved) -> dict[str, tuple[TreeEntry, ...]]:
    """Per folder whose tree is still the same, the entries that our snapshot has of it."""
    if any(folder == "" for folder, _ in head.trees):
        return {}
    same = sorted(folder for folder, _ in set(trees) & set(head.trees))
    found = {folder: entries_of(held, folder) for folder in same}
    return {folder: entries for folder, entries in found.items() if entries is not None}


def _entry(entry: TreeEntry, state: BlobState) -> SnapshotEntry:
    return SnapshotEntry(path=entry.path, oid=entry.oid, size_bytes=entry.size_bytes or 0, etag=entry.etag, state=state)


def _failures(paths: Sequence[str], of: int) -> str:
    more = ", …" if len(paths) > NAMED_FAILURES else ""
    return f"{len(paths)} of {of} files could not be brought: {', '.join(paths[:NAMED_FAILURES])}{more}"
