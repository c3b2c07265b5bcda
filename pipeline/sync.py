"""The only network task: asks every source, brings what changed, and remembers how it went.

`plan` decides, `probe` carries one step out, `roster` and `snapshots` keep the results; here is the
order of things.  Two runs over the same sources write the same roster and snapshots: clocks stand in
sync.json and sync.log alone.
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pipeline import hints, readings, roster_rows, stopping
from pipeline.blobs import BlobStore
from pipeline.codec import dump, load
from pipeline.errors import ArtifactError, ConfigError, SourceError
from pipeline.files import read_bytes, write_atomic
from pipeline.histories import Historian
from pipeline.history_store import HistoryStore
from pipeline.layout import Layout
from pipeline.model import (
    Config,
    Listing,
    RepositoryId,
    Roster,
    RosterEntry,
    SourceConfig,
    SourceListing,
    SourceReading,
    SyncReading,
)
from pipeline.outcome import Account, SyncEvent, SyncOutcome
from pipeline.plan import TOMBSTONES, Blank, Keep, Missing, Probe, Situation, Step, Unreadable, make_plan
from pipeline.probe import Prober
from pipeline.readings import Memory, Round
from pipeline.roster import make_roster, note, read_roster, update_roster
from pipeline.snapshots import SnapshotStore
from pipeline.sources.base import Source
from pipeline.synclog import write_log
from pipeline.wanted import address_of

WORKERS = 8
LATE = "the run came to its time limit before this one was asked; the next `doit` goes on"

__all__ = ["SyncEvent", "SyncOptions", "SyncOutcome", "read_reading", "read_roster", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncOptions:
    """How to run.  `offline`: ask nothing.  `accept_removals`: a person says that a large loss is right.

    `limit_s`: after so long no further repository is asked; the next run goes on with those left.
    """

    now: Callable[[], datetime]
    offline: bool = False
    accept_removals: bool = False
    limit_s: float = 3600.0


def run(
    layout: Layout,
    config: Config,
    options: SyncOptions,
    sources: Mapping[str, type[Source]],
    watch: Callable[[SyncEvent], None],
) -> SyncOutcome:
    """Bring the snapshots up to date with every source.

    Raises:
        ConfigError: a source cannot be opened; the mistakes of all sources at once, nothing was asked.
        OSError: the disk refused; what was finished before stays finished.
    """
    if options.offline:
        return _stay_offline(layout, config, options)
    memory = readings.remember(read_reading(layout))
    started_at = options.now()
    opened = open_sources(config, sources, memory, started_at)
    known = read_roster(layout)
    update_roster(layout, known, known.entries)
    sync = _Sync(
        layout=layout,
        config=config,
        options=options,
        started_at=started_at,
        known={entry.listing.repository: entry for entry in known.entries},
        memory=memory,
        hinted=hints.read(layout, started_at),
        account=Account(watch=watch),
    )
    try:
        return stopping.run(sync.run(opened))
    except BaseExceptionGroup as group:
        raise _first(group) from group


def read_reading(layout: Layout) -> SyncReading | None:
    """sync.json; None before the first run, or when it is damaged (only clocks are lost with it)."""
    raw = read_bytes(layout.sync_json)
    try:
        return None if raw is None else load(SyncReading, raw, "sync.json")
    except ArtifactError:
        return None


def _stay_offline(layout: Layout, config: Config, options: SyncOptions) -> SyncOutcome:
    reading = readings.offline_reading(read_reading(layout), config, options.now(), platform.node())
    write_atomic(layout.sync_json, dump(reading))
    return SyncOutcome(roster=read_roster(layout))


def open_sources(
    config: Config, sources: Mapping[str, type[Source]], memory: Memory, now: datetime
) -> tuple[Source, ...]:
    """Open every row; an audit and another address begin without what was learned of the server.

    Raises:
        ConfigError: the mistakes of all rows at once.
    """
    opened: list[Source] = []
    mistakes: list[str] = []
    for row in config.sources:
        kind = sources[row.kind]
        last = memory.sources.get(row.name)
        known = memory.traits(row.name, address_of(row, kind.SETTINGS))
        traits = {} if _is_audit_due(row, last, now) else known
        try:
            opened.append(kind.open(row, traits))
        except ConfigError as error:
            mistakes += error.mistakes
    if mistakes:
        raise ConfigError(tuple(mistakes))
    return tuple(opened)


def _is_audit_due(row: SourceConfig, last: SourceReading | None, now: datetime) -> bool:
    """Only a kind of source whose listings can be believed at all has the setting."""
    hours = row.settings.get("audit_hours")
    return readings.is_audit_due(last, hours if isinstance(hours, int | float) else None, now)


def _address(source: Source) -> str:
    return address_of(source.config, source.SETTINGS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sync:
    """One run: `known` are the rows from before it, `memory` the readings."""

    layout: Layout
    config: Config
    options: SyncOptions
    started_at: datetime
    known: Mapping[RepositoryId, RosterEntry]
    memory: Memory
    hinted: tuple[str, ...]
    account: Account

    @property
    def snapshots(self) -> SnapshotStore:
        return SnapshotStore(self.layout)

    @property
    def histories(self) -> HistoryStore:
        return HistoryStore(self.layout)

    async def run(self, opened: Sequence[Source]) -> SyncOutcome:
        async with asyncio.TaskGroup() as group:
            looks = [group.create_task(self._look_at(source)) for source in opened]
        return self._finish([look.result() for look in looks])

    async def _look_at(self, source: Source) -> Round:
        name = source.config.name
        async with source:
            answer = await self._list(source)
            plan = make_plan(self._situation(source, answer))
            steps = self._move_renamed(plan.steps)
            self.account.plan(name, steps, plan.doubt)
            entries = await self._carry_out(source, steps, is_local=answer.observed_at is None)
        return Round(
            source=name,
            address=_address(source),
            answer=answer,
            plan=plan,
            entries=entries,
            audited=self._is_audit(source) and all(entry.reason != LATE for entry in entries),
            traits=source.traits,
        )

    async def _list(self, source: Source) -> SourceListing:
        """The source's answer; a source that gives none lists nothing, and says so."""
        try:
            answer = await source.list_repositories()
        except SourceError as error:
            answer = SourceListing(listings=(), complete=False, reason=error.reason)
        self.account.fail(source.config.name, None, answer.reason)
        return answer

    def _situation(self, source: Source, answer: SourceListing) -> Situation:
        entries = [entry for entry in self.known.values() if entry.source == source.config.name]
        if answer.complete and self._looks_elsewhere(source):
            entries = []
        return Situation(
            source=source.config,
            shared_wiki=self.config.shared_wiki,
            roots=self.config.root_repositories,
            entries=tuple(self._with_snapshot(entry) for entry in entries),
            answer=answer,
            now=self.started_at,
            accept_removals=self.options.accept_removals,
            audit=self._is_audit(source),
            hinted=frozenset(name.casefold() for name in self.hinted),
            missing_since=self.memory.missing_since,
            gone_since=self.memory.gone_since,
        )

    def _is_audit(self, source: Source) -> bool:
        return _is_audit_due(source.config, self.memory.sources.get(source.config.name), self.started_at)

    def _looks_elsewhere(self, source: Source) -> bool:
        """True when the row names another address than at its last good look: a decision, not a loss."""
        last = self.memory.sources.get(source.config.name)
        return last is not None and last.address not in (None, _address(source))

    def _with_snapshot(self, entry: RosterEntry) -> RosterEntry:
        """A row whose snapshot file is lost counts as one that never had any, so that it is made anew."""
        if entry.snapshot_digest is None or self.snapshots.is_there(entry):
            return entry
        return replace(entry, snapshot_digest=None, trees=())

    def _move_renamed(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        """Give the rows of renamed repositories, and their snapshots, today's name."""
        moves = [
            (step.entry, step.listing.repository)
            for step in steps
            if isinstance(step, Probe | Keep | Blank | Unreadable)
            and step.entry is not None
            and step.entry.listing.repository != step.listing.repository
        ]
        digests = self.snapshots.rename(moves)
        told = [(entry.listing.repository, name) for entry, name in moves if entry.history_digest is not None]
        histories = self.histories.rename(told)
        moved = {name: roster_rows.moved(entry, name, digests.get(name), histories.get(name)) for entry, name in moves}
        for entry in moved.values():
            note(self.layout, entry)
        self.account.renamed += [(entry.listing.repository, name) for entry, name in moves]
        return tuple(_with_entry(step, moved) for step in steps)

    async def _carry_out(self, source: Source, steps: Sequence[Step], *, is_local: bool) -> tuple[RosterEntry, ...]:
        """Eight workers over one iterator: never more calls in flight than a source has connections."""
        prober = Prober(source=source, blobs=BlobStore(self.layout), snapshots=self.snapshots, tally=self.account.tally)
        historian = Historian.of(source, self.config.history, self.layout)
        entries: list[RosterEntry] = []
        pending = iter(steps)
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + self.options.limit_s

        def is_late() -> bool:
            return loop.time() >= ends_at

        async def work() -> None:
            for step in pending:
                if isinstance(step, Probe | Missing) and is_late():
                    entry: RosterEntry | None = prober.put_off(step, LATE)
                else:
                    entry = await prober.carry_out(step)
                if entry is not None and isinstance(step, Probe):
                    entry = await self._keep_up(historian, entry, is_late, is_local=is_local)
                if entry is not None:
                    entries.append(entry)
                    self._remember(source.config.name, step, entry)

        async with asyncio.TaskGroup() as group:
            for _ in range(WORKERS):
                group.create_task(work())
        return tuple(entries)

    async def _keep_up(
        self, historian: Historian, entry: RosterEntry, is_late: Callable[[], bool], *, is_local: bool
    ) -> RosterEntry:
        """The row with the history of what was just brought; one that cannot be had is not tried twice in a run."""
        after = await historian.keep_up(entry, is_late, is_free=is_local)
        if after is not entry and (is_local or after.history_reason is not None):
            self.account.tried.add(entry.listing.repository)
        return after

    def _remember(self, source: str, step: Step, entry: RosterEntry) -> None:
        # The other steps cost no request: a killed run loses nothing by taking them again.
        if isinstance(step, Probe | Missing) and entry != self.known.get(entry.listing.repository):
            note(self.layout, entry)
        self.account.finish(source, step, entry)

    def _finish(self, rounds: Sequence[Round]) -> SyncOutcome:
        roster = make_roster(entry for each in rounds for entry in each.entries)
        self._drop_snapshots(roster)
        update_roster(self.layout, roster, tuple(self.known.values()))
        now = self.options.now()
        reading = readings.build_reading(rounds, self.memory, self.known, self.config, now, platform.node())
        write_atomic(self.layout.sync_json, dump(reading))
        # A hint whose probe failed lives on in its row, which is not settled; one that was not even listed has no such.
        seen = (entry.listing.repository for entry in roster.entries if entry.state == "ok" or not entry.settled)
        hints.clear(self.layout, hints.answered(self.hinted, seen))
        outcome = self.account.outcome(removed=self._removed(roster), roster=roster)
        write_log(self.layout, now, outcome)
        return outcome

    def _drop_snapshots(self, roster: Roster) -> None:
        """Nothing of a repository that left, moved, or gave its name to another stays under its name."""
        kept = {entry.listing.repository for entry in roster.entries if entry.snapshot_digest is not None}
        for name, entry in self.known.items():
            if entry.snapshot_digest is not None and name not in kept:
                self.snapshots.remove(name)
                self.histories.remove(name)

    def _removed(self, roster: Roster) -> tuple[RepositoryId, ...]:
        left = {entry.listing.repository: entry.state for entry in roster.entries}
        live = [name for name, entry in self.known.items() if entry.state not in TOMBSTONES]
        return tuple(name for name in live if left.get(name, "gone") == "gone")


def _with_entry(step: Step, moved: Mapping[RepositoryId, RosterEntry]) -> Step:
    match step:
        case Probe() | Blank() | Unreadable() if step.listing.repository in moved:
            return replace(step, entry=moved[step.listing.repository])
        case Keep() if step.listing.repository in moved:
            return _kept(step.listing, moved[step.listing.repository])
        case _:
            return step


def _kept(listing: Listing, entry: RosterEntry) -> Step:
    """A renamed row is kept, unless its snapshot could not come along: then it is made anew."""
    if entry.snapshot_digest is not None:
        return Keep(listing=listing, entry=entry)
    return Probe(
        listing=listing,
        entry=entry,
        shared=entry.shared,
        settled=entry.settled,
        why="no_snapshot",
        is_root=entry.is_root,
    )


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The exception that stopped the run: a group's text would hide it."""
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
