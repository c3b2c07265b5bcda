"""What sync.json says about a run: the only clocks, joined by readers (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from pipeline.codec import SCHEMA_VERSION
from pipeline.model import (
    Config,
    Evidence,
    HistoryReading,
    RepositoryId,
    RepositoryReading,
    RosterEntry,
    SourceListing,
    SourceReading,
    SyncReading,
    usual_evidence,
)
from pipeline.plan import TOMBSTONES, Missing, Plan, Unseen


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One look at one source: its answer, what was decided, and the rows that came of it.

    `audited`: no listing was believed, and nothing was put off; `traits` is what the source learned.
    """

    source: str
    address: str
    answer: SourceListing
    plan: Plan
    entries: tuple[RosterEntry, ...]
    audited: bool = False
    traits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Memory:
    """What the last sync.json remembers, by name; empty before the first run."""

    sources: Mapping[str, SourceReading]
    repositories: Mapping[RepositoryId, RepositoryReading]
    histories: Mapping[RepositoryId, HistoryReading] = field(default_factory=dict)

    def traits(self, source: str, address: str) -> Mapping[str, str]:
        """What a source learned of the server at this address; nothing of one at another."""
        last = self.sources.get(source)
        return last.traits if last is not None and last.address == address else {}

    @property
    def missing_since(self) -> dict[RepositoryId, datetime]:
        """Since when repositories are not listed."""
        return {name: row.missing_since for name, row in self.repositories.items() if row.missing_since is not None}

    @property
    def gone_since(self) -> dict[RepositoryId, datetime]:
        """Since when repositories are gone or renamed."""
        return {name: row.gone_since for name, row in self.repositories.items() if row.gone_since is not None}


def remember(previous: SyncReading | None) -> Memory:
    """Put the last readings in order."""
    if previous is None:
        return Memory({}, {})
    return Memory(
        {row.source: row for row in previous.sources},
        {row.repository: row for row in previous.repositories},
        {row.repository: row for row in previous.histories},
    )


def is_audit_due(last: SourceReading | None, hours: float | None, now: datetime) -> bool:
    """Whether the last look that believed no listing is too old; never before a first look is through.

    A clock that was set back makes one audit due, not one on every run.
    """
    if hours is None or last is None or last.audited_at is None:
        return False
    return not timedelta() <= now - last.audited_at < timedelta(hours=hours)


def offline_reading(previous: SyncReading | None, config: Config, now: datetime, machine: str) -> SyncReading:
    """The readings of a run that asked nothing: the last look stays the last look."""
    if previous is not None:
        return replace(previous, offline=True, stale_after_hours=config.stale_after_hours)
    return _reading(config, now, machine, offline=True)


def build_reading(
    rounds: Sequence[Round],
    memory: Memory,
    known: Mapping[RepositoryId, RosterEntry],
    config: Config,
    now: datetime,
    machine: str,
) -> SyncReading:
    """The readings of a run; `known` are the rows from before it."""
    repositories = [row for each in rounds for row in _repositories(each, memory, known, now)]
    return _reading(
        config,
        now,
        machine,
        offline=False,
        sources=tuple(sorted((_source(each, memory, now) for each in rounds), key=lambda row: row.source)),
        repositories=tuple(sorted(repositories, key=lambda row: row.repository)),
        evidence=dict(sorted(pair for each in rounds for pair in _unlike_most(each))),
        histories=_histories([entry for each in rounds for entry in each.entries], memory, known, config),
    )


def with_histories(reading: SyncReading, entries: Sequence[RosterEntry], config: Config) -> SyncReading:
    """The readings after more history was brought; `entries` are all rows as they are now."""
    known = {entry.listing.repository: entry for entry in entries}
    return replace(reading, histories=_histories(entries, remember(reading), known, config))


def _reading(
    config: Config,
    now: datetime,
    machine: str,
    *,
    offline: bool,
    sources: tuple[SourceReading, ...] = (),
    repositories: tuple[RepositoryReading, ...] = (),
    evidence: Mapping[RepositoryId, Evidence] | None = None,
    histories: tuple[HistoryReading, ...] = (),
) -> SyncReading:
    return SyncReading(
        schema_version=SCHEMA_VERSION,
        machine=machine,
        checked_at=now,
        offline=offline,
        stale_after_hours=config.stale_after_hours,
        sources=sources,
        repositories=repositories,
        evidence=evidence or {},
        histories=histories,
    )


def _histories(
    entries: Sequence[RosterEntry], memory: Memory, known: Mapping[RepositoryId, RosterEntry], config: Config
) -> tuple[HistoryReading, ...]:
    """The rows whose history is not that of what they show, or could not be had; the usual one is not named."""
    reach = config.history.reach
    behind = [
        entry
        for entry in entries
        if entry.history_reason is not None or (entry.history_digest is not None and entry.history_reach != reach)
    ]
    rows = (_history(entry, memory, known.get(entry.listing.repository), reach) for entry in behind)
    return tuple(sorted(rows, key=lambda row: row.repository))


def _history(entry: RosterEntry, memory: Memory, before: RosterEntry | None, reach: str) -> HistoryReading:
    """Right last when it was told so, else when the row that was right was last looked at."""
    name = entry.listing.repository
    at = memory.histories[name].at if name in memory.histories else None
    if name not in memory.histories and before is not None and before.history_reach == reach:
        at = _good_at(entry.source, before, memory) if before.history_reason is None else None
    return HistoryReading(repository=name, at=at, reason=entry.history_reason)


def _source(each: Round, memory: Memory, now: datetime) -> SourceReading:
    last = memory.sources.get(each.source)
    audited_at = last.audited_at if last is not None else None
    return SourceReading(
        source=each.source,
        state="ok" if each.answer.complete else "unreachable",
        reason=each.answer.reason or each.plan.doubt,
        checked_at=now,
        synced_at=now if each.answer.complete else last.synced_at if last is not None else None,
        address=each.address if each.answer.complete else last.address if last is not None else None,
        repositories=sum(entry.state not in TOMBSTONES for entry in each.entries),
        evidence=dict(sorted(_evidence(each).items())),
        audited_at=now if each.answer.complete and (each.audited or audited_at is None) else audited_at,
        traits=dict(sorted(each.traits.items())),
    )


def _evidence(each: Round) -> Counter[Evidence]:
    return Counter(entry.evidence for entry in each.entries if entry.state not in TOMBSTONES)


def _unlike_most(each: Round) -> Iterator[tuple[RepositoryId, Evidence]]:
    """The rows whose evidence is not the source's most frequent one, so that the usual run names few."""
    counts = _evidence(each)
    usual = usual_evidence(counts)
    for entry in each.entries:
        if entry.state not in TOMBSTONES and entry.evidence != usual:
            yield entry.listing.repository, entry.evidence


def _repositories(
    each: Round, memory: Memory, known: Mapping[RepositoryId, RosterEntry], now: datetime
) -> Iterator[RepositoryReading]:
    missing = dict(_missing(each.plan))
    for entry in each.entries:
        name = entry.listing.repository
        last = memory.repositories.get(name)
        if entry.state in TOMBSTONES:
            since = last.gone_since if last is not None else None
            good_at = last.good_at if last is not None else None
            yield RepositoryReading(repository=name, good_at=good_at, gone_since=since or now)
        elif entry.state == "unreachable":
            good_at = last.good_at if last is not None else _good_at(each.source, known.get(name), memory)
            # While the whole source fails, its own synced_at already says how old the row is.
            if each.answer.complete or last is not None or good_at is None:
                yield RepositoryReading(repository=name, good_at=good_at, missing_since=missing.get(name))


def _missing(plan: Plan) -> Iterable[tuple[RepositoryId, datetime]]:
    for step in plan.steps:
        if isinstance(step, Missing | Unseen) and step.since is not None:
            yield step.entry.listing.repository, step.since


def _good_at(source: str, before: RosterEntry | None, memory: Memory) -> datetime | None:
    """A row that had no reading of its own was good at its source's last good look."""
    was_good = before is not None and before.snapshot_digest is not None and source in memory.sources
    return memory.sources[source].synced_at if was_good else None
