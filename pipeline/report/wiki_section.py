"""A wiki on its project's page: its pages as a tree, each with what is wrong about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from pipeline import layout
from pipeline.catalog import Catalog
from pipeline.catalog.knowledge import Wiki
from pipeline.catalog.shelf import Shelf, ShelfPage, read_shelf
from pipeline.model import RepositoryId
from pipeline.report.surroundings import grow
from pipeline.report.tree_views import TreeLine, TreeView

MOST_LINES = 500
MOST_LEVELS = 8
ORPHAN, DEAD_LINK = "N301", "W310"


def wiki_tree(catalog: Catalog, project: RepositoryId, kind: Wiki = "wiki", *, has_pages: bool) -> TreeView | None:
    """The first 500 pages of a wiki under their parents, in reading order; None when it has no page.

    `has_pages`: the lines lead to the pages.
    """
    shelf = read_shelf(catalog, project, kind)
    if shelf is None:
        return None
    found = _found(catalog, project)
    lines = tuple(_lines(shelf, found, has_pages=has_pages))
    paths = {page.path for page in shelf.pages}
    return TreeView(
        lines=lines[:MOST_LINES],
        closes=_depth(lines[:MOST_LINES]),
        total=len(shelf.pages),
        more=max(0, len(lines) - MOST_LINES),
        orphans=sum(1 for path, code in found if code == ORPHAN and path in paths),
        dead=sum(count for (path, code), count in found.items() if code == DEAD_LINK and path in paths),
    )


def _lines(shelf: Shelf, found: Mapping[tuple[str, str], int], *, has_pages: bool) -> Iterator[TreeLine]:
    tree = grow(shelf)
    pages = {page.slug: page for page in shelf.pages}
    before = 1
    for entry, depth in tree.below(tree.root):
        if depth:
            level = min(depth, MOST_LEVELS)
            page = pages[entry.slug]
            yield TreeLine(
                slug=page.slug,
                title=page.title,
                description=page.description,
                domain=page.domain,
                href=layout.wiki_href(shelf.project, page.slug) if has_pages else None,
                opens=level > before,
                closes=max(0, before - level),
                indexed=page.indexed,
                available=page.file is not None,
                orphan=bool(_count(found, page, ORPHAN)),
                dead=_count(found, page, DEAD_LINK),
            )
            before = level


def _count(found: Mapping[tuple[str, str], int], page: ShelfPage, code: str) -> int:
    return found.get((page.path, code), 0)


def _depth(lines: tuple[TreeLine, ...]) -> int:
    """How many lists are still open inside of the outer one."""
    return sum(line.opens - line.closes for line in lines)


def _found(catalog: Catalog, project: RepositoryId) -> Mapping[tuple[str, str], int]:
    """How often a page is an orphan, or has a dead link, by path and code."""
    return Counter(
        catalog.query(
            "select path, code from diagnostics where repository = :project and code in (:orphan, :dead)",
            {"project": project, "orphan": ORPHAN, "dead": DEAD_LINK},
            lambda path, code: (path, code),
        )
    )
