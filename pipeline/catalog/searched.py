"""All that searches look at, for an index of it elsewhere: what each text is, in the order of lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from pipeline.catalog import Catalog
from pipeline.catalog.listing import by_freshness
from pipeline.index_rows import own_text
from pipeline.model import RepositoryId, Status

__all__ = ["SearchedPage", "SearchedTask", "by_freshness", "names", "pages", "tasks"]

Kind = Literal["task", "wiki", "shared"]


class SearchedPage(NamedTuple):
    """A wiki page, or one of the shared wiki.

    `file` is where its text stands in the tree of its project (`digest`); None: it was not brought.
    """

    slug: str
    title: str
    path: str
    oid: str
    file: str | None
    digest: str


class SearchedTask(NamedTuple):
    """A task with its own lines as written."""

    slug: str
    title: str
    next: str
    status: Status
    line: int
    text: str


def names(catalog: Catalog) -> Sequence[tuple[RepositoryId, Kind, str]]:
    """Whose, of which kind and called what each text is, by project, kind and place."""
    return catalog.query(
        """select t.repository, 'task', i.slug, t.position from task_texts t
            join items i on i.repository = t.repository and i.position = t.position
        union all select repository, 'wiki', slug, position from pages
        union all select repository, 'shared', slug, position from shared_pages where repository = :shared
        order by 1, 2, 4""",
        {"shared": catalog.store.shared_wiki},
        lambda repository, kind, slug, _: (repository, kind, slug),
    )


def pages(catalog: Catalog, project: RepositoryId, kind: Literal["wiki", "shared"]) -> list[SearchedPage]:
    """The pages of one project, or those of the shared wiki if it is that; in the order of `names`."""
    table = {"wiki": "pages", "shared": "shared_pages"}[kind]
    return catalog.query(
        f"""select g.slug, g.title, g.path, g.oid, g.file, c.digest
        from {table} g join contents c on c.repository = g.repository
        where g.repository = :project and (:kind = 'wiki' or :project = :shared) order by g.position""",
        {"project": project, "kind": kind, "shared": catalog.store.shared_wiki},
        SearchedPage,
    )


def tasks(catalog: Catalog, project: RepositoryId) -> list[SearchedTask]:
    """The tasks of one project whose text is here, in the order of `names`.

    Raises:
        CatalogError: the board is not there any more.
    """
    found = catalog.query(
        """select i.slug, i.title, coalesce(i.next, ''), i.status, i.line, i.end_line, c.board_file, c.digest
        from task_texts t join items i on i.repository = t.repository and i.position = t.position
        join contents c on c.repository = t.repository
        where t.repository = :project order by t.position""",
        {"project": project},
        lambda *columns: columns,
    )
    lines = catalog.read_text(project, found[0][-1], found[0][-2]).split("\n") if found else []
    return [
        SearchedTask(slug, title, following, status, line, own_text(lines, line, end))
        for slug, title, following, status, line, end, _, _ in found
    ]
