"""Readings of a run (sync.json): the only clocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pipeline.model.identity import RepositoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading:
    """How the last look at one source went.  `synced_at` is its last *good* listing; `address` is a digest
    of where that was (so that no path or URL is shown).
    """

    source: str
    state: Literal["ok", "unreachable"]
    reason: str | None
    checked_at: datetime
    synced_at: datetime | None
    repositories: int
    address: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryReading:
    """A repository whose last good look is older than its source's, or that is on its way out."""

    repository: RepositoryId
    good_at: datetime | None
    missing_since: datetime | None = None
    gone_since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReading:
    """sync.json: when and where we looked last, and what went wrong."""

    schema_version: int
    machine: str
    checked_at: datetime
    offline: bool
    stale_after_hours: float
    sources: tuple[SourceReading, ...]
    repositories: tuple[RepositoryReading, ...]
