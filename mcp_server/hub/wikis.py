"""What a project's label means in the version that is published now: its wiki, from its root down."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from mcp_server.hub.errors import BadArgument, NotFound
from mcp_server.hub.registry import Binding
from pipeline.catalog import Catalog, Mark, Published, history, projects, wiki_tree
from pipeline.catalog.answers import HistoryState, PagePlace, ProjectRow
from pipeline.catalog.names import quoted
from pipeline.catalog.wiki_tree import Wiki
from pipeline.errors import CatalogError
from pipeline.wiki_tree import TreePage

CODE_LETTERS = 200
MOST_ANSWERS = 100

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectWiki:
    """The pages below a project's root; `top` is the root's slug, `slugs` those of all its pages.

    `slugs_ever` are these and those of pages that are gone and would stand among them.  `answers` are kept for as long
    as the pages are the same, over versions that change others.
    """

    binding: Binding
    catalog: Catalog
    row: ProjectRow
    history: HistoryState
    wiki: Wiki
    top: str
    slugs: frozenset[str]
    slugs_ever: frozenset[str]
    answers: dict[Hashable, Any] = field(default_factory=dict, compare=False)

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

    def once(self, question: Hashable, ask: Callable[[], Answer]) -> Answer:
        """What `ask` answers, asked once.  For answers that rest on nothing but the pages and their places."""
        known = self.answers
        try:
            answer: Answer = known[question]
        except KeyError:
            answer = ask()
            if len(known) >= MOST_ANSWERS:
                known.clear()
            known[question] = answer
        return answer


def check_code(code: str) -> str:
    """A code as people give it, without blanks around it.

    Raises:
        BadArgument: it is empty or longer than any code.
    """
    clean = code.strip()
    if not clean or len(clean) > CODE_LETTERS:
        raise BadArgument(f"code is {quoted(code)}; expected the code of a page, such as DOC-101252")
    return clean


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """One published version as one sync left it, and what is open of it, by label."""

    mark: Mark
    catalog: Catalog
    open: dict[str, ProjectWiki] = field(default_factory=dict)


class Wikis:
    """The wikis of what is published now: each is opened once, and anew when another version or sync shows.

    The first to notice that opens everything anew; whoever asks meanwhile is answered from what was open before.
    """

    def __init__(self, published: Published) -> None:
        self._published = published
        self._renewing = threading.Lock()
        self._opening = threading.Lock()
        self._last: _Shown | None = None
        self._wikis: dict[str, Wiki] = {}

    def catalog(self) -> Catalog:
        """The version that answers.

        Raises:
            CatalogError: nothing is published, or it cannot be read.
        """
        return self._shown().catalog

    def open(self, binding: Binding) -> ProjectWiki:
        """The wiki of one project.

        Raises:
            BadArgument: the project has no root.
            NotFound: no page that is published has the root's code.
            CatalogError: nothing is published, or it cannot be read.
        """
        return self._open_in(self._shown(), binding)

    def find(self, bindings: Iterable[Binding]) -> list[ProjectWiki | None]:
        """The same of several; None where there is nothing to show."""
        try:
            shown = self._shown()
        except CatalogError:
            return [None for _ in bindings]
        return [self._find_in(shown, binding) for binding in bindings]

    def renew(self) -> None:
        """Show what is published now, if that can be read; for who waits for a version, so that nobody else has to."""
        with contextlib.suppress(CatalogError), self._renewing:
            self._renew()

    def _shown(self) -> _Shown:
        last, mark = self._last, self._published.mark()
        if last is not None and last.mark == mark:
            return last
        if not self._renewing.acquire(blocking=last is None):
            assert last is not None
            return last
        try:
            return self._renew()
        finally:
            self._renewing.release()

    def _renew(self) -> _Shown:
        last, mark = self._last, self._published.mark()
        if last is not None and last.mark == mark:
            return last
        try:
            shown = _Shown(mark=mark, catalog=self._published.catalog())
        except CatalogError:
            self._last = None
            raise
        for before in list(last.open.values()) if last is not None else ():
            self._take_over(shown, before)
        self._last = shown
        return shown

    def _take_over(self, shown: _Shown, before: ProjectWiki) -> None:
        """Open a project's wiki anew, unless it has nothing to show any more: who asks for it is told why."""
        with contextlib.suppress(BadArgument, NotFound, CatalogError):
            now = self._open_anew(shown.catalog, before.binding)
            is_same = now.wiki is before.wiki
            shown.open[now.binding.label] = replace(now, answers=before.answers) if is_same else now

    def _find_in(self, shown: _Shown, binding: Binding) -> ProjectWiki | None:
        try:
            return self._open_in(shown, binding)
        except (BadArgument, NotFound, CatalogError):
            return None

    def _open_in(self, shown: _Shown, binding: Binding) -> ProjectWiki:
        found = shown.open.get(binding.label)
        if found is not None and found.binding == binding:
            return found
        with self._opening:
            found = shown.open.get(binding.label)
            if found is None or found.binding != binding:
                found = shown.open[binding.label] = self._open_anew(shown.catalog, binding)
            return found

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
