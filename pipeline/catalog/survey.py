"""What the report asks first: totals, and for each project a mark that stands for all that is shown of it."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from pipeline.catalog import Catalog
from pipeline.index_schema import PROJECTS
from pipeline.model import RepositoryId, Severity, State, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """A project in short.  `mark` is equal only for the same row of `projects`, so of the same artifact."""

    project: RepositoryId
    mark: str
    source: str
    state: State
    shared: bool
    wiki_pages: int
    tasks: Mapping[Status, int]
    changed_at: str | None


def stamps(catalog: Catalog) -> tuple[Stamp, ...]:
    """Every project, by id."""
    names = ", ".join(PROJECTS.names)
    return tuple(catalog.query(f"select {names} from projects order by repository", {}, _stamp))


def diagnostics(catalog: Catalog) -> Mapping[Severity, list[tuple[RepositoryId, int]]]:
    """By severity, the projects that have such diagnostics, by id, and how many."""
    counted: dict[Severity, list[tuple[RepositoryId, int]]] = defaultdict(list)
    rows = catalog.query(
        "select severity, repository, count(*) from diagnostics group by repository, severity order by repository",
        {},
        lambda *columns: columns,
    )
    for severity, repository, count in rows:
        counted[severity].append((repository, count))
    return counted


def codes(catalog: Catalog) -> tuple[str, ...]:
    """Every code that some diagnostic has, sorted."""
    return tuple(catalog.query("select distinct code from diagnostics order by code", {}, str))


def _stamp(*columns: Any) -> Stamp:
    row = dict(zip(PROJECTS.names, columns, strict=True))
    return Stamp(
        project=row["repository"],
        mark=hashlib.sha256(orjson.dumps(columns)).hexdigest()[:32],
        source=row["source"],
        state=row["state"],
        shared=bool(row["shared"]),
        wiki_pages=row["wiki_pages"] + row["shared_pages"],
        tasks=orjson.loads(row["tasks"]),
        changed_at=row["committed_at"],
    )
