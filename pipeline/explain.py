"""How one board or index is read, as plain JSON data: the pure part of `python -m pipeline explain`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

from pipeline.model import Diagnostic, RepoPath
from pipeline.parse.board import parse_board
from pipeline.parse.wiki_index import parse_index


def explain(kind: Literal["board", "index"], raw: bytes, pages: Collection[str] = ()) -> dict[str, Any]:
    """Read a file by itself; `pages` are the slugs of the wiki around an index, where there is one.

    `{"entries": […], "diagnostics": […]}`: a board's entries have slug, title, status and next, an
    index's slug, type and title; `{"error": "wiki index malformed: <reason>"}` for a rejected index.
    """
    return _explain_board(raw) if kind == "board" else _explain_index(raw, pages)


def _explain_board(raw: bytes) -> dict[str, Any]:
    board, found = parse_board(RepoPath(".tasks/STATUS.md"), raw)
    entries = [
        {"slug": item.slug, "title": item.title, "status": item.status, "next": item.next} for item in board.items
    ]
    return {"entries": entries, "diagnostics": [_plain(one) for one in found]}


def _explain_index(raw: bytes, pages: Collection[str]) -> dict[str, Any]:
    """A bare `[[slug]]` that neither a heading nor the pages around can place is left out."""
    index, entries, found = parse_index(RepoPath(".wiki/index.md"), raw, pages)
    if index.error:
        return {"error": index.error}
    placed = [entry for entry in entries if entry.type is not None]
    return {
        "entries": [{"slug": entry.slug, "type": entry.type, "title": entry.title} for entry in placed],
        "diagnostics": [_plain(one) for one in found],
    }


def _plain(found: Diagnostic) -> dict[str, Any]:
    return {"code": found.code, "severity": found.severity, "line": found.line, "message": found.message}
