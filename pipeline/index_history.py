"""history.json → rows of catalog.sqlite, in the column order of `index_schema`.  Pure.

Times are whole seconds since 1970 in UTC, so that they can be compared and sorted as they stand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from pipeline import index_schema as schema
from pipeline.codes import page_code
from pipeline.model import Artifact, PageHistory, PageVersion, ProjectHistory, RepositoryId, TaskChange
from pipeline.text import fold, line

Row = tuple[Any, ...]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PATH_LIMIT = 1_000
WIKI = ".wiki/"
OWN, FORMER, CLAIMED = range(3)


def history_rows(artifact: Artifact, history: ProjectHistory) -> Iterator[tuple[schema.Table, Row]]:
    """Every row that the history of one project gives, table by table."""
    repository = artifact.repository
    titles = {page.slug: page.title for page in artifact.pages}
    yield schema.HISTORIES, (repository, int(history.wiki_is_loaded), int(history.tasks_is_loaded))
    for position, page in enumerate(history.pages):
        place = (repository, position)
        yield schema.PAGE_HISTORIES, (*place, *_page(page, titles), page.code, _claim(page), len(page.versions))
        for code, rank in _codes(repository, page):
            yield schema.PAGE_CODES, (repository, code, position, rank)
        for version in page.versions:
            yield schema.PAGE_VERSIONS, (*place, *_version(version))
    for position, change in enumerate(history.tasks):
        yield schema.TASK_CHANGES, (repository, position, *_task_change(change))


def slug_of(page: PageHistory) -> str:
    """A page's slug, or what it was last."""
    return page.path.removeprefix(WIKI)[: -len(".md")] if page.slug is None else page.slug


def seconds(moment: datetime) -> int:
    """A time as the catalog keeps it."""
    return (moment - EPOCH) // timedelta(seconds=1)


def moment_of(seconds: int) -> datetime:
    """The time that the catalog keeps as so many seconds."""
    return EPOCH + timedelta(seconds=seconds)


def _page(page: PageHistory, titles: Mapping[str, str]) -> Row:
    slug = slug_of(page)
    title = titles.get(slug) if page.slug is not None else None
    return (
        line(slug, PATH_LIMIT),
        line(page.path, PATH_LIMIT),
        line(title or slug.rsplit("/", 1)[-1]),
        int(page.slug is None),
    )


def _claim(page: PageHistory) -> str:
    return json.dumps([page.asked, page.addresses, page.nth], ensure_ascii=False)


def _codes(repository: RepositoryId, page: PageHistory) -> Iterator[tuple[str, int]]:
    """A page's codes with their ranks, none twice: also those that its addresses and its front matter would give it."""
    had = (page.code, *page.aliases)
    yield page.code, OWN
    yield from ((code, FORMER) for code in page.aliases)
    claimed = (page.asked, *(page_code(repository, path) for path in page.addresses))
    yield from ((code, CLAIMED) for code in dict.fromkeys(claimed) if code is not None and code not in had)


def _version(version: PageVersion) -> Row:
    return (
        version.number,
        version.code,
        *_by(version),
        seconds(version.authored_at),
        None if version.path is None else line(version.path, PATH_LIMIT),
        version.before,
        version.after,
        version.added,
        version.removed,
    )


def _task_change(change: TaskChange) -> Row:
    return (
        *_by(change),
        line(change.slug),
        line(change.title),
        change.kind,
        change.status,
        None if change.before is None else line(change.before),
        None if change.after is None else line(change.after),
    )


def _by(change: PageVersion | TaskChange) -> Row:
    author = line(change.author)
    return change.commit, author, fold(author), fold(line(change.email)), seconds(change.at)
