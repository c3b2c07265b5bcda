"""What stands around the text of each page of a wiki: the way to it, its neighbours, its history, who leads to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline import layout
from pipeline.catalog import Catalog
from pipeline.catalog.answers import ProjectRow
from pipeline.catalog.preferences import file_url
from pipeline.catalog.shelf import Shelf, ShelfPage
from pipeline.catalog.wiki_tree import INDEX
from pipeline.model import owned_name
from pipeline.report.views import Link
from pipeline.report.wiki_views import Around, Banner, Crumb, PageLinks, SharedFacts
from pipeline.wiki_tree import Tree, TreePage, build_tree

SHOWN_LINKS = 100
# A way of more steps shows its first and last ones.
LONGEST_WAY, FIRST_STEPS = 8, 2


class Surroundings:
    """Those of one wiki; `name` is what its project is called, `tree` has its pages under their parents."""

    def __init__(self, catalog: Catalog, shelf: Shelf, row: ProjectRow) -> None:
        self.name = owned_name(shelf.project)
        self.tree = grow(shelf)
        self._catalog = catalog
        self._shelf = shelf
        self._row = row
        self._links = {page.slug: _link(shelf, page) for page in shelf.pages}
        self._banner = None if row.state == "ok" else Banner(state=row.state, reason=row.reason)

    def of(self, place: int) -> Around:
        """What stands around the page at this place of the shelf."""
        shelf, page = self._shelf, self._shelf.pages[place]
        return Around(
            title=page.title,
            path=page.path,
            description=page.description,
            code=page.code,
            crumbs=self._crumbs(page),
            banner=self._banner,
            shared=_shared(page) if shelf.kind == "shared" else None,
            has_history=shelf.has_history,
            versions=page.versions,
            source=self.address(page, page.path),
            previous=self._beside(place - 1),
            following=self._beside(place + 1),
            below=self._list(self.tree.children.get(page.slug, ())),
            backlinks=self._list(shelf.sources.get(page.slug, ())),
        )

    def address(self, page: ShelfPage, path: str) -> str | None:
        """Where a file's source shows it as it was when the page was last changed."""
        commit = page.versions[0].commit if page.versions else None
        return file_url(self._catalog, self._row.source, self._shelf.project, commit, path)

    def _crumbs(self, page: ShelfPage) -> tuple[Crumb, ...]:
        """The pages above it; the folders it lies in where no page is above it."""
        above = self.tree.line_to(page.slug)[1:-1]
        steps = [Crumb(text=self._links[slug].text, href=self._links[slug].href) for slug in above]
        steps = steps or [Crumb(text=folder, href=None) for folder in page.slug.split("/")[:-1]]
        if len(steps) > LONGEST_WAY:
            steps = [*steps[:FIRST_STEPS], Crumb(text="…", href=None), *steps[FIRST_STEPS - LONGEST_WAY :]]
        return (Crumb(text=self.name, href=layout.project_href(self._shelf.project)), *steps)

    def _beside(self, place: int) -> Link | None:
        pages = self._shelf.pages
        return self._links[pages[place].slug] if 0 <= place < len(pages) else None

    def _list(self, slugs: Sequence[str]) -> PageLinks:
        known = [self._links[slug] for slug in slugs if slug in self._links]
        return PageLinks(links=tuple(known[:SHOWN_LINKS]), more=max(0, len(known) - SHOWN_LINKS))


def grow(shelf: Shelf) -> Tree:
    """The pages of a shelf under their parents; the root stands for the wiki itself."""
    folder = f"{shelf.root}/"
    index = shelf.index.removeprefix(folder).removesuffix(".md") if shelf.index else INDEX
    root = index if all(page.slug != index for page in shelf.pages) else ""
    return build_tree(TreePage(slug=root, code="", title=""), list(_tree_pages(shelf.pages)), shelf.codes)


def _tree_pages(pages: Iterable[ShelfPage]) -> Iterable[TreePage]:
    for place, page in enumerate(pages):
        yield TreePage(
            slug=page.slug,
            code=page.code or "",
            title=page.title,
            parent=page.parent,
            place=place if page.indexed else None,
        )


def _link(shelf: Shelf, page: ShelfPage) -> Link:
    return Link(href=layout.wiki_href(shelf.project, page.slug), text=page.title)


def _shared(page: ShelfPage) -> SharedFacts:
    return SharedFacts(
        domain=page.domain,
        shared_at=page.shared_at,
        applies_to=page.applies_to,
        source_project=page.source_project,
    )
