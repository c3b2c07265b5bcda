"""What a project's label means in the version that is published now: its wiki, from its root down."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from mcp_server.hub.errors import BadArgument, NotFound
from mcp_server.hub.registry import Binding
from pipeline.catalog import Catalog, Published, Store, history, projects, wiki_tree
from pipeline.catalog.answers import HistoryState, PagePlace, ProjectRow
from pipeline.catalog.names import quoted
from pipeline.catalog.wiki_tree import Wiki
from pipeline.errors import CatalogError
from pipeline.model import SyncReading
from pipeline.wiki_tree import TreePage

CODE_LETTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectWiki:
    """The pages below a project's root; `top` is the root's slug, `slugs` those of all its pages.

    `slugs_ever` are these and those of pages that are gone and would stand among them.
    """

    binding: Binding
    catalog: Catalog
    row: ProjectRow
    history: HistoryState
    wiki: Wiki
    top: str
    slugs: frozenset[str]
    slugs_ever: frozenset[str]

    @property
    def repository(self) -> str:
        """The repository that holds it."""
        return self.wiki.project

    @property
    def synced_at(self) -> datetime | None:
        """When its repository was last looked at with success."""
        return self.row.synced_at

    @property
    def history_at(self) -> datetime | None:
        """When its history was last found right; None: it is not loaded."""
        return self.history.wiki_at

    def page(self, code: str) -> TreePage:
        """The page of a code, a former one included.

        Raises:
            NotFound: no page below the root has it.
        """
        place = history.find_code(self.catalog, check_code(code))
        if place is None or place.is_gone or place.project != self.wiki.project or place.slug not in self.slugs:
            raise NotFound(f"no page {quoted(code)} in the wiki of project {self.binding.label}")
        return self.wiki.tree.pages[place.slug]

    def path(self, slug: str) -> str:
        """The titles from the project's root down to a page."""
        return self.wiki.path(slug, self.top)


def check_code(code: str) -> str:
    """A code as people give it, without blanks around it.

    Raises:
        BadArgument: it is empty or longer than any code.
    """
    clean = code.strip()
    if not clean or len(clean) > CODE_LETTERS:
        raise BadArgument(f"code is {quoted(code)}; expected the code of a page, such as DOC-101252")
    return clean


class Wikis:
    """The wikis of what is published now: each is opened once, and anew when another version or sync shows.

    One thread at a time opens, the others find it open.
    """

    def __init__(self, published: Published) -> None:
        self._published = published
        self._lock = threading.Lock()
        self._seen: tuple[Store, SyncReading | None] | None = None
        self._open: dict[Binding, ProjectWiki] = {}
        self._wikis: dict[str, Wiki] = {}

    def open(self, binding: Binding) -> ProjectWiki:
        """The wiki of one project.

        Raises:
            BadArgument: the project has no root.
            NotFound: no page that is published has the root's code.
            CatalogError: nothing is published, or it cannot be read.
        """
        return self._open_in(self._published.catalog(), binding)

    def find(self, bindings: Iterable[Binding]) -> list[ProjectWiki | None]:
        """The same of several; None where there is nothing to show."""
        try:
            catalog = self._published.catalog()
        except CatalogError:
            return [None for _ in bindings]
        return [self._find_in(catalog, binding) for binding in bindings]

    def _find_in(self, catalog: Catalog, binding: Binding) -> ProjectWiki | None:
        try:
            return self._open_in(catalog, binding)
        except (BadArgument, NotFound, CatalogError):
            return None

    def _open_in(self, catalog: Catalog, binding: Binding) -> ProjectWiki:
        with self._lock:
            self._forget_others(catalog)
            if binding not in self._open:
                self._open[binding] = self._open_anew(catalog, binding)
            return self._open[binding]

    def _forget_others(self, catalog: Catalog) -> None:
        if self._seen is None or self._seen[0] is not catalog.store or self._seen[1] is not catalog.reading:
            self._seen = catalog.store, catalog.reading
            self._open.clear()

    def _open_anew(self, catalog: Catalog, binding: Binding) -> ProjectWiki:
        place = _find_root(catalog, binding)
        wiki = wiki_tree.read_wiki(catalog, place.project, self._wikis.get(place.project))
        self._wikis[place.project] = wiki
        slugs = wiki.below(place.slug)
        gone = history.gone_slugs(catalog, place.project)
        return ProjectWiki(
            binding=binding,
            catalog=catalog,
            row=projects.project(catalog, place.project),
            history=history.history_of(catalog, place.project),
            wiki=wiki,
            top=place.slug,
            slugs=slugs,
            slugs_ever=slugs.union(slug for slug in gone if wiki.tree.page_of(slug) in slugs),
        )


def _find_root(catalog: Catalog, binding: Binding) -> PagePlace:
    if binding.wiki_root is None:
        raise BadArgument(f"project {binding.label} has no wiki root; PATCH /projects/{binding.label} sets one")
    place = history.find_code(catalog, binding.wiki_root)
    if place is None or place.is_gone:
        raise NotFound(
            f"the root {quoted(binding.wiki_root)} of project {binding.label} is in no published wiki; "
            "POST /wiki/sync, or set another root"
        )
    return place
