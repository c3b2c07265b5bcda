"""A page for each page of every wiki, and of the shared wiki."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import orjson

from pipeline import layout
from pipeline.catalog import projects
from pipeline.catalog.knowledge import Wiki, stored_text
from pipeline.catalog.shelf import Shelf, ShelfPage, read_shelf
from pipeline.catalog.survey import Stamp
from pipeline.errors import CatalogError
from pipeline.index_rows import without_front_matter
from pipeline.report.markdown import render
from pipeline.report.page import Page, Site, digest
from pipeline.report.page_links import follower
from pipeline.report.surroundings import Surroundings
from pipeline.report.wiki_views import Around, WikiPageView
from pipeline.report.words import words_of

SHORT_LETTERS = 1_000


def pages(site: Site) -> Iterator[Page]:
    """Project by project in the order of the catalog, in reading order; none when the report has none."""
    shared = site.catalog.store.shared_wiki
    for stamp in site.stamps if site.has_pages else ():
        if stamp.wiki_pages and stamp.state != "gone":
            yield from _of_wiki(site, stamp, "wiki")
            yield from _of_wiki(site, stamp, "shared") if stamp.project == shared else ()


def name_space(shelf: Shelf) -> str:
    """A digest of all that decides where a link of a wiki leads."""
    named = [(page.slug, page.names) for page in shelf.pages]
    return digest(orjson.dumps([named, shelf.attachments, shelf.unread, shelf.index]))


def _of_wiki(site: Site, stamp: Stamp, kind: Wiki) -> Iterator[Page]:
    shelf = read_shelf(site.catalog, stamp.project, kind)
    if shelf is None:
        return
    around = Surroundings(site.catalog, shelf, projects.project(site.catalog, stamp.project))
    names, view = name_space(shelf), _viewer(site, shelf, around)
    for place, page in enumerate(shelf.pages):
        shown = around.of(place)
        yield Page(
            path=layout.wiki_href(shelf.project, page.slug),
            template="page.html",
            section="projects",
            title=f"{page.title} · {around.name}",
            made_of=[names, page.oid, page.file, shown],
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
