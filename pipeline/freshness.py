"""freshness.js and looks.js beside the versions: how old what the report shows is.  Pure."""

from __future__ import annotations

from typing import Any

from pipeline import codec, scripts
from pipeline.layout import project_href
from pipeline.model import SyncReading

FRESHNESS_NAME = "PROJECTS_META_FRESHNESS"
LOOKS_NAME = "PROJECTS_META_LOOKS"
READ_OF_SOURCES = ("source", "state", "reason", "checked_at", "synced_at", "repositories", "evidence")
READ_BY_PAGES = ("schema_version", "checked_at", "offline", "stale_after_hours", "sources")


def render_freshness(reading: SyncReading) -> bytes:
    """`window.PROJECTS_META_FRESHNESS = {…};`, without the machine's name.

    Per source: source, state, reason, checked_at, synced_at, repositories, evidence.
    """
    plain: dict[str, Any] = codec.to_json(reading)
    plain["sources"] = [{key: row[key] for key in READ_OF_SOURCES} for row in plain["sources"]]
    return scripts.assignment(FRESHNESS_NAME, {key: plain[key] for key in READ_BY_PAGES})


def render_looks(reading: SyncReading) -> bytes:
    """`window.PROJECTS_META_LOOKS = {…};`: by the page of each repository that is behind, its last good look."""
    rows: list[dict[str, Any]] = codec.to_json(reading)["repositories"]
    plain = {project_href(row["repository"]): row["good_at"] for row in rows}
    return scripts.assignment(LOOKS_NAME, plain)
