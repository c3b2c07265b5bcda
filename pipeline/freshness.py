"""freshness.js beside the versions: how old what the report shows is.  Pure."""

from __future__ import annotations

from typing import Any

from pipeline import codec, scripts
from pipeline.model import SyncReading

FRESHNESS_NAME = "PROJECTS_META_FRESHNESS"
READ_OF_SOURCES = ("source", "state", "reason", "checked_at", "synced_at", "repositories")
READ_BY_PAGES = ("schema_version", "checked_at", "offline", "stale_after_hours", "sources")


def render_freshness(reading: SyncReading) -> bytes:
    """`window.PROJECTS_META_FRESHNESS = {…};`, without the machine's name.

    Per source: source, state, reason, checked_at, synced_at, repositories.
    """
    plain: dict[str, Any] = codec.to_json(reading)
    plain["sources"] = [{key: row[key] for key in READ_OF_SOURCES} for row in plain["sources"]]
    return scripts.assignment(FRESHNESS_NAME, {key: plain[key] for key in READ_BY_PAGES})
