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
from pipeline.catalog.answers import Knower, PageHit, PageRow, ProjectRow, Rows, WikiReply
from pipeline.catalog.knowledge import searched_pages
from pipeline.catalog.matching import Found, Matches, Scope, Searched
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
Table = Literal["pages", "shared_pages"]


@dataclass(frozen=True, slots=True)
class Known:
    """What a project has of one quality: the id of its first page's text, the table of the page, and how many."""

    project: RepositoryId
    quality: queries.Quality
    table: Table
    best: int
    pages: int


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
    found = _found(searched_pages(catalog, terms), wanted, limit)

    def answered(reply: WikiReply) -> WikiReply:
        if reply.project is None:
            return reply
        project = reply.project.project
        if project not in known and (error := _why_nothing(reply.project)):
            return replace(reply, error=error)
        warning = _warning(reply.project, known.get(project, ()), wanted.get(project, ()))
        best, total = found.get(project, ((), 0))
        rows = knowledge.pages_at(catalog, project, [page.position for page in best])
        hits = tuple(_hit(catalog, page, *rows[page.position], terms) for page in best)
        return replace(reply, warning=warning, matches=hits, total=total)

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
    searched = searched_pages(catalog, terms)
    known: dict[RepositoryId, Known] = {}
    for more in _every_page(catalog, searched):
        best_first = known.get(more.project)
        known[more.project] = replace(best_first, pages=best_first.pages + more.pages) if best_first else more
    best = sorted(known.values(), key=lambda one: (one.quality, -one.pages))
    return sliced([_knower(catalog, searched, one) for one in best[offset : offset + limit]], len(best), limit, offset)


def _every_page(catalog: Catalog, searched: Searched) -> list[Known]:
    """The matches of each project and quality, the best first; those of the shared wiki before their equals."""
    scope = Scope(
        joins="cross join pages g on g.repository = t.repository and g.position = t.position",
        conditions=("t.kind = 'wiki'", "lower(g.type) <> :raw"),
        parameters={"raw": RAW},
        kept=True,
    )
    tables: tuple[tuple[Table, Matches], ...] = (
        ("shared_pages", find_shared(catalog, searched.terms)),
        ("pages", searched.find(scope)),
    )
    found = [
        Known(project, quality, table, matches.listing.ids[places[0]], len(places))
        for table, matches in tables
        for quality, project, places in matches.by_project()
    ]
    return sorted(found, key=lambda one: one.quality)


def _knower(catalog: Catalog, searched: Searched, known: Known) -> Knower:
    ((slug, title),) = catalog.query(
        f"""select g.slug, g.title from {searched.texts.name} t
        join {known.table} g on g.repository = t.repository and g.position = t.position where t.id = :id""",
        {"id": known.best},
        lambda *columns: columns,
    )
    project = projects.project(catalog, known.project)
    return Knower(project=project, pages=known.pages, best_slug=slug, best_title=title)


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


def _found(searched: Searched, wanted: Types, limit: int) -> Mapping[RepositoryId, tuple[list[Found], int]]:
    """The first matches of each wiki, those by slug and title before the others, in reading order; and how many."""
    scope = Scope(
        joins="cross join pages g on g.repository = t.repository and g.position = t.position",
        conditions=(
            "t.kind = 'wiki'",
            "t.repository in (select value from json_each(:asked))",
            "g.type in (select value from json_each(:types))",
        ),
        parameters={"asked": json.dumps(sorted(wanted)), "types": json.dumps(sorted(set(chain(*wanted.values()))))},
    )
    matches = searched.find(scope)
    by_project: dict[RepositoryId, list[tuple[bool, int]]] = defaultdict(list)
    for quality, project, places in matches.by_project():
        by_project[project] += [(quality.total > 0, place) for place in places]
    return {
        project: (searched.shown(matches.listing, [place for _, place in sorted(own)[:limit]]), len(own))
        for project, own in by_project.items()
    }


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


def _hit(catalog: Catalog, found: Found, page: PageRow, stored: knowledge.Stored, terms: tuple[str, ...]) -> PageHit:
    snippet = knowledge.body_snippet(catalog, found.repository, page.path, stored, terms)
    return PageHit(page=page, matched_in=knowledge.matched_field(found), snippet=snippet)
