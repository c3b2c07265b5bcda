"""Histories that a sync left out: brought after everything else is published, a bounded number of requests a run.

Those never tried come first, by name; then those that failed before.  A row is remembered as soon as its turn ends,
so that a killed run goes on where it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pipeline import readings, stopping, sync
from pipeline.codec import dump
from pipeline.files import write_atomic
from pipeline.histories import Budget, Historian, is_due
from pipeline.layout import Layout
from pipeline.model import Config, HistorySettings, RepositoryId, Roster, RosterEntry
from pipeline.roster import make_roster, note, update_roster
from pipeline.sources.base import Source

WORKERS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryOutcome:
    """How it went: whose history has more to show, how many have still to wait, and why some failed."""

    roster: Roster
    brought: tuple[RepositoryId, ...] = ()
    waiting: int = 0
    failed: tuple[tuple[RepositoryId, str], ...] = ()


def due(roster: Roster, settings: HistorySettings, tried: Collection[RepositoryId] = ()) -> tuple[RosterEntry, ...]:
    """The rows whose history is to be brought, in their order; not those that were `tried` in vain a moment ago.

    None where no request may be made: what costs none comes with the files.
    """
    if settings.requests_per_run == 0:
        return ()
    rows = [entry for entry in roster.entries if is_due(entry, settings) and entry.listing.repository not in tried]
    return tuple(sorted(rows, key=lambda entry: (entry.history_reason is not None, entry.listing.repository)))


def run(
    layout: Layout,
    config: Config,
    rows: Sequence[RosterEntry],
    sources: Mapping[str, type[Source]],
    now: datetime,
    *,
    limit_s: float = 3600.0,
) -> HistoryOutcome:
    """Bring the histories of `rows`, in their order, as far as this run's requests reach.

    Raises:
        ConfigError: a source cannot be opened.
        OSError: the disk refused; what was finished before stays finished.
    """
    wanted = {entry.source for entry in rows}
    chosen = replace(config, sources=tuple(row for row in config.sources if row.name in wanted))
    memory = readings.remember(sync.read_reading(layout))
    opened = sync.open_sources(chosen, sources, memory, now)
    bringing = _Bringing(layout, config.history, Budget(config.history.requests_per_run), limit_s)
    found = stopping.run(bringing.run(opened, rows))
    return _finish(layout, config, dict(zip(rows, found, strict=True)), opened)


@dataclass(frozen=True, slots=True)
class _Bringing:
    """One run over all sources: what one of them spends, the others cannot."""

    layout: Layout
    settings: HistorySettings
    budget: Budget
    limit_s: float

    async def run(self, opened: Sequence[Source], rows: Sequence[RosterEntry]) -> list[RosterEntry]:
        """The rows after their turn, in the same order; those of no opened source as they were."""
        async with asyncio.TaskGroup() as group:
            looks = [
                group.create_task(self._of_source(source, [row for row in rows if row.source == source.config.name]))
                for source in opened
            ]
        after = {row.listing.repository: row for look in looks for row in look.result()}
        return [after.get(row.listing.repository, row) for row in rows]

    async def _of_source(self, source: Source, rows: Sequence[RosterEntry]) -> list[RosterEntry]:
        ends_at = asyncio.get_running_loop().time() + self.limit_s
        historian = Historian.of(source, self.settings, self.layout)
        pending, found = iter(rows), list[RosterEntry]()

        def may_ask() -> bool:
            return asyncio.get_running_loop().time() < ends_at and self.budget()

        async def work() -> None:
            for row in pending:
                after = await historian.bring(row, may_ask) if self.budget.left > 0 else row
                found.append(after)
                if after != row:
                    note(self.layout, after)

        async with source, asyncio.TaskGroup() as group:
            for _ in range(WORKERS):
                group.create_task(work())
        return found


def _finish(
    layout: Layout, config: Config, turns: Mapping[RosterEntry, RosterEntry], opened: Sequence[Source]
) -> HistoryOutcome:
    known = sync.read_roster(layout)
    changed = {after.listing.repository: after for after in turns.values()}
    roster = make_roster(changed.get(row.listing.repository, row) for row in known.entries)
    update_roster(layout, roster, known.entries)
    reading = sync.read_reading(layout)
    if reading is not None:
        learned = {source.config.name: dict(sorted(source.traits.items())) for source in opened}
        after = readings.with_histories(reading, roster.entries, config)
        rows = tuple(replace(row, traits=learned.get(row.source, row.traits)) for row in after.sources)
        write_atomic(layout.sync_json, dump(replace(after, sources=rows)))
    return HistoryOutcome(
        roster=roster,
        brought=tuple(
            sorted(row.listing.repository for row, now in turns.items() if now.history_digest != row.history_digest)
        ),
        waiting=sum(is_due(row, config.history) for row in roster.entries),
        failed=tuple(
            sorted((row.listing.repository, row.history_reason) for row in changed.values() if row.history_reason)
        ),
    )
