"""Which page a title means, or may mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rapidfuzz import fuzz, process

from mcp_server.hub.errors import NotFound
from mcp_server.hub.wikis import ProjectWiki
from pipeline.catalog.names import quoted
from pipeline.text import fold, line
from pipeline.wiki_tree import TreePage

MOST = 10
NEAR = 60


def find(here: ProjectWiki, title: str) -> TreePage | tuple[TreePage, ...]:
    """The one page of exactly this title, else at most ten that may be meant, nearest first.

    Nearest are those of the same letters whatever their case, then those whose title holds it, then those that
    look like it; among equals in the order of the tree.

    Raises:
        NotFound: there is nothing near.
    """
    asked = line(title)
    pages = [page for page, _ in here.wiki.tree.below(here.top)]
    exact = [page for page in pages if page.title == asked]
    if len(exact) == 1:
        return exact[0]
    found = tuple(exact) or _near(pages, fold(asked))
    if not found:
        raise NotFound(f"no page is called {quoted(title)}, or anything like it, in project {here.binding.label}")
    return found[:MOST]


def _near(pages: Sequence[TreePage], asked: str) -> tuple[TreePage, ...]:
    if not asked:
        return ()
    titles = [fold(page.title) for page in pages]
    tests: tuple[Callable[[str], bool], ...] = (asked.__eq__, lambda title: asked in title)
    places = [place for test in tests for place, title in enumerate(titles) if test(title)]
    alike = process.extract(asked, titles, scorer=fuzz.WRatio, score_cutoff=NEAR, limit=MOST)
    places += [place for _, _, place in alike]
    return tuple(pages[place] for place in dict.fromkeys(places))
