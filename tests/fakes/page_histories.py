"""Histories made by hand: of which only the named things matter."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pipeline import codec, model
from pipeline.blobs import blob_id

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)


def commit_id(name: str) -> str:
    return hashlib.sha1(name.encode()).hexdigest()


def version(number: int, at: datetime = AT, **rest: Any) -> model.PageVersion:
    """Version `number`; `before` and `after` may be texts, which then stand by their object ids."""
    name = f"{number} {at}"
    usual = {"code": f"DOCH-{number}", "count": number, "commit": commit_id(name), "author": "Ann"}
    usual |= {"email": "ann@example.org", "authored_at": at, "path": ".wiki/cache.md", "added": 1, "removed": 0}
    texts = {side: oid_of(rest.get(side)) for side in ("before", "after")}
    return model.PageVersion(number=number, at=at, **{**usual, **rest, **texts})


def oid_of(text: str | None) -> str | None:
    return None if text is None else blob_id(text.encode())


def page(slug: str, *versions: model.PageVersion, code: str = "", **rest: Any) -> model.PageHistory:
    """The history of a page; `versions` newest first."""
    usual = {"code": code or f"DOC-{slug}", "aliases": (), "slug": slug, "path": f".wiki/{slug}.md"}
    claim = {"asked": None, "addresses": (rest.get("path", usual["path"]),), "nth": 1}
    return model.PageHistory(**{**usual, **claim, "versions": versions, **rest})


def change(slug: str, at: datetime = AT, **rest: Any) -> model.TaskChange:
    """A change of a task's status from todo to active."""
    usual = {"commit": commit_id(f"{slug} {at}"), "author": "Ann", "email": "ann@example.org", "title": slug}
    usual |= {"kind": "status", "status": "active", "before": "todo", "after": "active"}
    return model.TaskChange(slug=slug, at=at, **{**usual, **rest})


def history(
    repository: str,
    *pages: model.PageHistory,
    tasks: Sequence[model.TaskChange] = (),
    wiki_is_loaded: bool = True,
    tasks_is_loaded: bool = True,
) -> model.ProjectHistory:
    return model.ProjectHistory(
        schema_version=codec.SCHEMA_VERSION,
        repository=model.RepositoryId(repository),
        wiki_is_loaded=wiki_is_loaded,
        tasks_is_loaded=tasks_is_loaded,
        pages=pages,
        tasks=tuple(tasks),
    )
