"""Readings of a run (sync.json): the only clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pipeline.model.identity import Evidence, RepositoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading:
    """How the last look at one source went.  `synced_at` is its last *good* listing; `address` is a digest
    of where that was (so that no path or URL is shown).

    `evidence` counts its repositories by what the look rested on; `audited_at` is when no listing was
    believed last; `traits` is what the source learned of its server and shall not have to ask again.
    """

    source: str
    state: Literal["ok", "unreachable"]
    reason: str | None
    checked_at: datetime
    synced_at: datetime | None
    repositories: int
    address: str | None = None
    evidence: Mapping[Evidence, int] = field(default_factory=dict)
    audited_at: datetime | None = None
    traits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryReading:
    """A repository whose last good look is older than its source's, or that is on its way out."""

    repository: RepositoryId
    good_at: datetime | None
    missing_since: datetime | None = None
    gone_since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryReading:
    """A repository whose history is not that of what is shown: `at` is when it was last, None if it never was.

    `reason` is None while nothing went wrong: its turn has not come.
    """

    repository: RepositoryId
    at: datetime | None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReading:
    """sync.json: when and where we looked last, what that rested on, and what went wrong.

    `evidence` names the repositories that did not share the most frequent evidence of their source, `histories`
    those whose history is behind; every other history is as old as the last good look at its repository.
    """

    schema_version: int
    machine: str
    checked_at: datetime
    offline: bool
    stale_after_hours: float
    sources: tuple[SourceReading, ...]
    repositories: tuple[RepositoryReading, ...]
    evidence: Mapping[RepositoryId, Evidence] = field(default_factory=dict)
    histories: tuple[HistoryReading, ...] = ()


def usual_evidence(counts: Mapping[Evidence, int]) -> Evidence:
    """The most frequent evidence of a source; of equally frequent ones the last in the alphabet."""
    return max(counts, key=lambda evidence: (counts[evidence], evidence), default="none")
