"""freshness.js beside the versions: how old what the report shows is.  Pure."""

from __future__ import annotations

from typing import Any

from pipeline import codec
from pipeline.model import SyncReading

FRESHNESS_NAME = "window.PROJECTS_META_FRESHNESS"
ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
READ_OF_SOURCES = ("source", "state", "reason", "checked_at", "synced_at", "repositories")
READ_BY_PAGES = ("schema_version", "checked_at", "offline", "stale_after_hours", "sources")


def render_freshness(reading: SyncReading) -> bytes:
    """`window.PROJECTS_META_FRESHNESS = {…};`, without the machine's name.

    Per source: source, state, reason, checked_at, synced_at, repositories.
    """
    plain: dict[str, Any] = codec.to_json(reading)
    plain["sources"] = [{key: row[key] for key in READ_OF_SOURCES} for row in plain["sources"]]
    text = codec.dump_json({key: plain[key] for key in READ_BY_PAGES}).decode().rstrip("\n")
    for letter, escape in ESCAPES.items():
        text = text.replace(letter, escape)
    return f"{FRESHNESS_NAME} = {text};\n".encode()
