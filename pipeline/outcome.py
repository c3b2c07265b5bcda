"""What a sync tells while it runs and when it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from pipeline.model import RepositoryId, Roster, RosterEntry
from pipeline.plan import Blank, Keep, Missing, Probe, Step, Unreadable
from pipeline.probe import Tally

LISTED = (Probe, Keep, Blank, Unreadable)


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncEvent:
    """One thing that happened, for a progress display.

    `listed`: `count` repositories of `source` are wanted; `planned`: `count` of them will be asked;
    `probed`: one was; `fetched`: and its snapshot changed; `failed`: with its reason, `repository`
    None when it is the source itself.
    """

    kind: Literal["listed", "planned", "probed", "fetched", "failed"]
    source: str
    repository: RepositoryId | None = None
    count: int = 1
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncOutcome:
    """How a run went.  `fetched` counts repositories whose snapshot changed; `failed` are pairs of a
    repository or source and its reason; `removed` left the roster or are gone; `renamed` are old and
    new name; `anything_readable` is False when there is not one snapshot to show.  Of the repositories in
    `tried` no history is to be had in this run.
    """

    listed: int = 0
    probed: int = 0
    fetched: int = 0
    blobs: int = 0
    blob_bytes: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    removed: tuple[RepositoryId, ...] = ()
    renamed: tuple[tuple[RepositoryId, RepositoryId], ...] = ()
    doubts: tuple[str, ...] = ()
    tried: frozenset[RepositoryId] = field(default=frozenset(), repr=False, compare=False)
    roster: Roster | None = field(default=None, repr=False, compare=False)

    @property
    def anything_readable(self) -> bool:
        """False when there is not one snapshot to show."""
        return self.roster is not None and any(entry.snapshot_digest for entry in self.roster.entries)

    def why_nothing(self, *, offline: bool) -> str:
        """Why there is not one snapshot to show."""
        if offline:
            return "offline, and nothing was ever read; run `doit` without offline=1 first"
        reasons = "; ".join(f"{who}: {why}" for who, why in self.failed[:5])
        hint = "no source lists a repository that is wanted; see path, depth, owners, include and exclude"
        return f"nothing could be read: {reasons or hint}"


@dataclass(slots=True, kw_only=True)
class Account:
    """Counts what happens, and passes it on to whoever watches."""

    watch: Callable[[SyncEvent], None]
    tally: Tally = field(default_factory=Tally)
    listed: int = 0
    probed: int = 0
    fetched: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    renamed: list[tuple[RepositoryId, RepositoryId]] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    tried: set[RepositoryId] = field(default_factory=set)

    def plan(self, source: str, steps: tuple[Step, ...], doubt: str | None) -> None:
        """The steps of one source are decided."""
        listed = sum(isinstance(step, LISTED) for step in steps)
        self.listed += listed
        if doubt is not None:
            self.doubts.append(doubt)
        self.watch(SyncEvent(kind="listed", source=source, count=listed))
        self.watch(SyncEvent(kind="planned", source=source, count=sum(isinstance(step, Probe) for step in steps)))

    def finish(self, source: str, step: Step, entry: RosterEntry) -> None:
        """One step is done, and this is its row."""
        name = entry.listing.repository
        if isinstance(step, Probe):
            self.probed += 1
            self.watch(SyncEvent(kind="probed", source=source, repository=name))
            if entry.snapshot_digest != (step.entry and step.entry.snapshot_digest):
                self.fetched += 1
                self.watch(SyncEvent(kind="fetched", source=source, repository=name))
        is_doubted = isinstance(step, Missing) and entry.reason in self.doubts
        if isinstance(step, Probe | Unreadable | Missing) and entry.state != "gone" and not is_doubted:
            self.fail(source, name, entry.reason)

    def fail(self, source: str, repository: RepositoryId | None, reason: str | None) -> None:
        """A source or a repository has trouble; no reason means it has none."""
        if reason is not None:
            self.failed.append((repository or source, reason))
            self.watch(SyncEvent(kind="failed", source=source, repository=repository, reason=reason))

    def outcome(self, *, removed: tuple[RepositoryId, ...], roster: Roster) -> SyncOutcome:
        """The whole run in one value."""
        return SyncOutcome(
            listed=self.listed,
            probed=self.probed,
            fetched=self.fetched,
            blobs=self.tally.blobs,
            blob_bytes=self.tally.size_bytes,
            failed=tuple(sorted(self.failed)),
            removed=removed,
            renamed=tuple(sorted(self.renamed)),
            doubts=tuple(sorted(self.doubts)),
            tried=frozenset(self.tried),
            roster=roster,
        )
