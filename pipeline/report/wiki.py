"""A page for each page of every wiki, and of the shared wiki."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import orjson

from pipeline import layout
from pipeline.catalog import history, projects
from pipeline.catalog.knowledge import Wiki, stored_text
from pipeline.catalog.preferences import file_pattern
from pipeline.catalog.shelf import Shelf, ShelfPage, read_shelf
from pipeline.catalog.survey import Stamp
from pipeline.errors import CatalogError
from pipeline.index_rows import without_front_matter
from pipeline.report.markdown import render
from pipeline.report.page import DIGEST_LETTERS, Kept, Page, Site, digest
from pipeline.report.page_links import follower
from pipeline.report.surroundings import Surroundings
from pipeline.report.wiki_views import Around, WikiPageView
from pipeline.report.words import words_of

SHORT_LETTERS = 1_000
COUNT_LETTERS = 8
FAMILY_LETTERS = DIGEST_LETTERS + COUNT_LETTERS


def pages(site: Site) -> Iterator[Page | Kept]:
    """Project by project in the order of the catalog, in reading order; none when the report has none.

    Of ten thousand wikis those that are as they were are not read.
    """
    there = _families(site.standing.marks) if site.has_pages else {}
    settled = history.settled(site.catalog)
    for stamp in site.stamps if site.has_pages else ():
        if stamp.wiki_pages and stamp.state != "gone":
            yield from _of_project(site, stamp, settled.get(stamp.project, ()), there)


def _of_project(
    site: Site, stamp: Stamp, codes: Sequence[tuple[int, str]], there: Mapping[str, Sequence[Kept]]
) -> Iterator[Page | Kept]:
    is_shared = stamp.project == site.catalog.store.shared_wiki
    kinds: tuple[Wiki, ...] = ("wiki", "shared") if is_shared else ("wiki",)
    made_of = digest(orjson.dumps([stamp.mark, file_pattern(site.catalog, stamp.source), kinds, codes]))
    if made_of in there:
        yield from there[made_of]
        return
    shelves = [shelf for kind in kinds if (shelf := read_shelf(site.catalog, stamp.project, kind))]
    family = f"{made_of}{sum(len(shelf.pages) for shelf in shelves):0{COUNT_LETTERS}x}"
    for shelf in shelves:
        yield from _of_wiki(site, shelf, family)


def _families(marks: Mapping[str, str]) -> dict[str, list[Kept]]:
    """The pages that are there, by what all pages of their project are made of; none of a project that misses one."""
    found: dict[str, list[Kept]] = defaultdict(list)
    for path, mark in marks.items():
        if len(mark) == FAMILY_LETTERS + DIGEST_LETTERS:
            found[mark[:FAMILY_LETTERS]].append(Kept(path=path, mark=mark))
    return {
        family[:DIGEST_LETTERS]: kept for family, kept in found.items() if len(kept) == int(family[DIGEST_LETTERS:], 16)
    }


def name_space(shelf: Shelf) -> str:
    """A digest of all that decides where a link of a wiki leads."""
    named = [(page.slug, page.names) for page in shelf.pages]
    return digest(orjson.dumps([named, shelf.attachments, shelf.unread, shelf.index]))


def _of_wiki(site: Site, shelf: Shelf, family: str) -> Iterator[Page]:
    around = Surroundings(site.catalog, shelf, projects.project(site.catalog, shelf.project))
    names, view = name_space(shelf), _viewer(site, shelf, around)
    for place, page in enumerate(shelf.pages):
        shown = around.of(place)
        yield Page(
            path=layout.wiki_href(shelf.project, page.slug),
            template="page.html",
            section="projects",
            title=f"{page.title} · {around.name}",
            made_of=[names, page.oid, page.file, shown],
            family=family,
            view=partial(view, page, shown),
        )


def _viewer(site: Site, shelf: Shelf, around: Surroundings) -> Callable[[ShelfPage, Around], WikiPageView]:
    """What reads the text of a page and makes it ready to be shown."""
    words, follow = words_of(site.words), follower(shelf)

    def view(page: ShelfPage, shown: Around) -> WikiPageView:
        try:
            written = stored_text(site.catalog, shelf.project, page.path, (page.file, "", shelf.digest))
        except CatalogError:
            return WikiPageView(around=shown, text=None, written=None)
        root = "../" * layout.wiki_href(shelf.project, page.slug).count("/")
        resolve = follow(page.slug, root, lambda path: around.address(page, path))
        text = render(without_front_matter(written), resolve, words, page.title)
        return WikiPageView(around=shown, text=text, written=written if len(written) <= SHORT_LETTERS else None)

    return view
