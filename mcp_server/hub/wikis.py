"""What a project's label means in the version that is published now: its wiki, from its root down."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mcp_server.hub.errors import BadArgument, NotFound
from mcp_server.hub.registry import Binding
from pipeline.catalog import Catalog, history, projects, wiki_tree
from pipeline.catalog.answers import HistoryState, ProjectRow
from pipeline.catalog.names import quoted
from pipeline.catalog.wiki_tree import Wiki
from pipeline.errors import CatalogError
from pipeline.wiki_tree import TreePage

CODE_LETTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectWiki:
    """The pages below a project's root; `top` is the root's slug, `slugs` those of all its pages."""

    binding: Binding
    catalog: Catalog
    row: ProjectRow
    history: HistoryState
    wiki: Wiki
    top: str
    slugs: frozenset[str]

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

    @property
    def slugs_ever(self) -> frozenset[str]:
        """`slugs`, and those of pages that are gone and would stand below the root."""
        gone = history.gone_slugs(self.catalog, self.wiki.project)
        return self.slugs.union(slug for slug in gone if self.wiki.tree.page_of(slug) in self.slugs)

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


def open_wiki(catalog: Catalog, binding: Binding) -> ProjectWiki:
    """The wiki of one project in one published version.

    Raises:
        BadArgument: the project has no root.
        NotFound: the version has no page of that code.
        CatalogError: the version cannot be read.
    """
    if binding.wiki_root is None:
        raise BadArgument(f"project {binding.label} has no wiki root; PATCH /projects/{binding.label} sets one")
    place = history.find_code(catalog, binding.wiki_root)
    if place is None or place.is_gone:
        raise NotFound(
            f"the root {quoted(binding.wiki_root)} of project {binding.label} is in no published wiki; "
            "POST /wiki/sync, or set another root"
        )
    wiki = wiki_tree.read_wiki(catalog, place.project)
    return ProjectWiki(
        binding=binding,
        catalog=catalog,
        row=projects.project(catalog, place.project),
        history=history.history_of(catalog, place.project),
        wiki=wiki,
        top=place.slug,
        slugs=catalog.once(("below", place.project, place.slug), lambda: wiki.below(place.slug)),
    )


def find_wiki(catalog: Catalog | None, binding: Binding) -> ProjectWiki | None:
    """The same; None where there is nothing to show."""
    if catalog is None:
        return None
    try:
        return open_wiki(catalog, binding)
    except (BadArgument, NotFound, CatalogError):
        return None
