"""Questions to the wikis of several projects: what each of those named knows, and whom to ask."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from pipeline import search as queries
from pipeline.catalog import Catalog, check_slice, knowledge, projects, sliced
from pipeline.catalog.answers import Knower, PageHit, ProjectRow, Rows, WikiReply
from pipeline.catalog.knowledge import searched_pages
from pipeline.catalog.matching import Found, Scope
from pipeline.catalog.names import listed
from pipeline.catalog.shared import find_shared
from pipeline.errors import AmbiguousRepository, GoneRepository, UnknownRepository
from pipeline.model import RepositoryId
from pipeline.text import fold

RAW = "raw"
UNKNOWN_PROJECT = "unknown project — run sync first"
NO_WIKI = "no wiki — repo has no .wiki/index.md"
SHARED_WIKI = "this is the shared wiki, it has no wiki of its own — ask knowledge_search"
NEVER_READ = "never read yet — run sync first"
NO_INDEX = "no index — pages were found in the tree"
NO_PAGES = "the wiki has an index and no page"

Types = Mapping[RepositoryId, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page that matches, and the table that it stands in."""

    table: Literal["pages", "shared_pages"]
    found: Found


def ask_projects(
    catalog: Catalog, query: str, names: Sequence[str], types: Collection[str] | None = None, *, limit: int = 5
) -> tuple[WikiReply, ...]:
    """What the wiki of each named project has about `query`, in the order asked; no trouble of one touches another.

    Pages whose slug and title hold every word of `query` come first, then those that need their body for it;
    either in reading order, at most `limit` of a project.  `types` are types of pages (a page's first folder,
    `root` without one), case does not matter; None means all but `raw`.

    Raises:
        CatalogError: a query without a word or too long, or a limit out of range.
    """
    check_slice(limit, 0)
    terms = queries.parse_query(query)
    asked = [_meant(catalog, name) for name in names]
    known = _types_of(catalog, (one.project.project for one in asked if one.project))
    wanted = {project: _wanted(kinds, types) for project, kinds in known.items()}
    found = _found(catalog, terms, wanted)

    def answered(reply: WikiReply) -> WikiReply:
        if reply.project is None:
            return reply
        project = reply.project.project
        if project not in known and (error := _why_nothing(reply.project)):
            return replace(reply, error=error)
        warning = _warning(reply.project, known.get(project, ()), wanted.get(project, ()))
        pages = found.get(project, [])
        hits = tuple(_hit(catalog, page, terms) for page in pages[:limit])
        return replace(reply, warning=warning, matches=hits, total=len(pages))

    return tuple(map(answered, asked))


def who_knows(catalog: Catalog, query: str, *, limit: int = 20, offset: int = 0) -> Rows[Knower]:
    """Projects, the shared wiki included, with pages that hold every word of `query`; `raw` pages do not count.

    The project with the best page first (a hit in title or slug, then in a heading), then the one with more of
    them, then the shared wiki, then the one that changed last.

    Raises:
        CatalogError: a query without a word or too long, or a slice out of range.
    """
    check_slice(limit, offset)
    terms = queries.parse_query(query)
    by_project: dict[RepositoryId, list[Page]] = {}
    for page in sorted(_every_page(catalog, terms), key=lambda page: page.found.quality):
        by_project.setdefault(page.found.repository, []).append(page)
    best = sorted(by_project.values(), key=lambda pages: (pages[0].found.quality, -len(pages)))
    return sliced([_knower(catalog, pages) for pages in best[offset : offset + limit]], len(best), limit, offset)


def _every_page(catalog: Catalog, terms: tuple[str, ...]) -> list[Page]:
    scope = Scope(
        joins="cross join pages g on g.repository = t.repository and g.position = t.position",
        conditions=("t.kind = 'wiki'", "lower(g.type) <> :raw"),
        parameters={"raw": RAW},
    )
    wikis = [Page("pages", one) for one in searched_pages(catalog, terms).find(scope)]
    return [Page("shared_pages", one) for one in find_shared(catalog, terms)] + wikis


def _knower(catalog: Catalog, pages: Sequence[Page]) -> Knower:
    best = pages[0]
    ((slug, title),) = catalog.query(
        f"select slug, title from {best.table} where repository = :repository and position = :position",
        {"repository": best.found.repository, "position": best.found.position},
        lambda *columns: columns,
    )
    project = projects.project(catalog, best.found.repository)
    return Knower(project=project, pages=len(pages), best_slug=slug, best_title=title)


def _meant(catalog: Catalog, name: str) -> WikiReply:
    """A reply with the project that `name` means, or with why it means none."""
    try:
        project = projects.project(catalog, projects.find(catalog, name))
    except (GoneRepository, AmbiguousRepository) as error:
        return WikiReply(asked=name, error=str(error))
    except UnknownRepository:
        return WikiReply(asked=name, error=UNKNOWN_PROJECT, near=projects.near_names(catalog, name))
    return WikiReply(asked=name, project=project)


def _types_of(catalog: Catalog, asked: Iterable[RepositoryId]) -> Types:
    """The types of pages that each wiki has, by name."""
    types: dict[RepositoryId, list[str]] = defaultdict(list)
    for repository, kind in catalog.query(
        """select distinct repository, type from pages
        where repository in (select value from json_each(:asked)) order by repository, type""",
        {"asked": json.dumps(sorted(set(asked)))},
        lambda *columns: columns,
    ):
        types[repository].append(kind)
    return types


def _wanted(known: Sequence[str], asked: Collection[str] | None) -> list[str]:
    """Those of a wiki's types that are looked at."""
    if asked is None:
        return [kind for kind in known if fold(kind) != RAW]
    named = {fold(kind) for kind in asked}
    return [kind for kind in known if fold(kind) in named]


def _found(catalog: Catalog, terms: tuple[str, ...], wanted: Types) -> Mapping[RepositoryId, list[Found]]:
    """The matches of each wiki, those by slug and title first, in reading order."""
    scope = Scope(
        joins="cross join pages g on g.repository = t.repository and g.position = t.position",
        conditions=(
            "t.kind = 'wiki'",
            "t.repository in (select value from json_each(:asked))",
            "g.type in (select value from json_each(:types))",
        ),
        parameters={"asked": json.dumps(sorted(wanted)), "types": json.dumps(sorted(set(chain(*wanted.values()))))},
    )
    by_project: dict[RepositoryId, list[Found]] = defaultdict(list)
    for one in searched_pages(catalog, terms).find(scope):
        by_project[one.repository].append(one)
    for pages in by_project.values():
        pages.sort(key=lambda one: (one.quality.total > 0, one.position))
    return by_project


def _why_nothing(project: ProjectRow) -> str | None:
    """Why a wiki has no page; None when it has an index that says so itself."""
    if project.state == "unreachable" and project.revision is None:
        return NEVER_READ
    if project.index == "malformed":
        return project.index_error
    if project.index == "parsed":
        return None
    return SHARED_WIKI if project.shared else NO_WIKI


def _warning(project: ProjectRow, known: Sequence[str], wanted: Sequence[str]) -> str | None:
    if not known:
        return NO_PAGES
    index = {"malformed": project.index_error, "absent": NO_INDEX, "parsed": None}[project.index]
    types = None if wanted else f"no page of the asked types; this wiki has {listed(known)}"
    return "; ".join(filter(None, (index, types))) or None


def _hit(catalog: Catalog, found: Found, terms: tuple[str, ...]) -> PageHit:
    ((page, stored),) = knowledge.stored_pages(catalog, found.repository, found.position)
    snippet = knowledge.body_snippet(catalog, found.repository, page.path, stored, terms)
    return PageHit(page=page, matched_in=knowledge.matched_field(found), snippet=snippet)
