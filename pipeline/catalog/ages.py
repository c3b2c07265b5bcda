"""How old things are: the only sums with clocks.  Ages are in hours and never negative."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pipeline.model import (
    Evidence,
    HistoryReading,
    RepositoryId,
    RepositoryReading,
    SourceReading,
    State,
    SyncReading,
    usual_evidence,
)

STALE_AFTER_HOURS = 24.0
HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """The last looks of a sync, by what they were at, seen from `now`."""

    sources: Mapping[str, SourceReading]
    repositories: Mapping[RepositoryId, RepositoryReading]
    evidence: Mapping[RepositoryId, Evidence]
    limit_hours: float
    now: datetime
    histories: Mapping[RepositoryId, HistoryReading] = field(default_factory=dict)

    def rested_on(self, repository: RepositoryId, source: str) -> Evidence | None:
        """What the last look at a repository rested on: its own, else what most of its source share."""
        if repository in self.evidence:
            return self.evidence[repository]
        counts = self.sources[source].evidence if source in self.sources else {}
        return usual_evidence(counts) if counts else None

    def good_at(self, repository: RepositoryId, source: str) -> datetime | None:
        """When the repository was last looked at with success: its own reading wins over its source's."""
        if repository in self.repositories:
            return self.repositories[repository].good_at
        return self.sources[source].synced_at if source in self.sources else None

    def history_at(self, repository: RepositoryId, source: str) -> datetime | None:
        """When the history that is here was last found right; of a repository that has one."""
        behind = self.histories.get(repository)
        return self.good_at(repository, source) if behind is None else behind.at

    def missing_since(self, repository: RepositoryId) -> datetime | None:
        """Since when its source has it no more, or does not list it; None while it is listed."""
        reading = self.repositories.get(repository)
        return (reading.gone_since or reading.missing_since) if reading else None

    def is_stale(self, state: State, repository: RepositoryId, source: str) -> bool:
        """True when the last good look is too old, or the last look at it or at its source failed."""
        failed = state == "unreachable" or self.is_unreachable(source)
        return failed or self.is_old(self.good_at(repository, source))

    def is_unreachable(self, source: str) -> bool:
        """True when the last look at the source failed."""
        return source in self.sources and self.sources[source].state == "unreachable"

    def is_old(self, moment: datetime | None) -> bool:
        """True for never, and for longer ago than the limit."""
        return moment is None or self.now - moment > self.limit_hours * HOUR

    def age_hours(self, moment: datetime | None) -> float | None:
        """Hours since then, one decimal; 0 for a moment that a clock put into the future."""
        return None if moment is None else round(max(0.0, (self.now - moment) / HOUR), 1)


def looks(reading: SyncReading | None, now: datetime) -> Looks:
    """Sort a sync's readings for asking; without one, nothing was ever looked at."""
    if reading is None:
        return Looks(sources={}, repositories={}, evidence={}, limit_hours=STALE_AFTER_HOURS, now=now)
    return Looks(
        sources={source.source: source for source in reading.sources},
        repositories={row.repository: row for row in reading.repositories},
        evidence=reading.evidence,
        limit_hours=reading.stale_after_hours,
        now=now,
        histories={row.repository: row for row in reading.histories},
    )
