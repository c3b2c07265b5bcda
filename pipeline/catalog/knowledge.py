"""Questions about wiki pages: a project's, and those of the shared wiki.

Searching the shared wiki stands in `shared`, asking the wikis of several projects at once in `wikis`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any, Literal, cast

from pipeline import search as queries
from pipeline import text
from pipeline.catalog import Catalog, check_slice, projects, sliced
from pipeline.catalog.answers import (
    Backlink,
    Origin,
    PageHit,
    PageRow,
    PageText,
    ProjectRow,
    Rows,
    SharedPageRow,
    SharedPageText,
)
from pipeline.catalog.matching import Found, Scope, Searched
from pipeline.catalog.names import did_you_mean, pick, quoted
from pipeline.errors import CatalogError, UnknownPage
from pipeline.index_rows import without_front_matter
from pipeline.index_schema import PAGE_TEXTS
from pipeline.model import RepositoryId, SharedRules

Wiki = Literal["wiki", "shared"]
Field = Literal["slug", "title", "body"]

LONGEST_SLUG = 400
NO_SHARED_WIKI = (
    "there is no shared wiki: no repository has the name that sources.toml gives as shared_wiki "
    '(default "projects-wiki"); knowledge_who_knows looks in every project\'s wiki'
)
FETCH_FAILED = "(fetch failed)"
FIELD_CLASSES = (0, 0, 1, 2)
PAGE = """g.repository, g.slug, g.type, g.title, g.description, g.path, g.size_bytes, g.file is not null,
    g.indexed, g.file, g.front_matter, c.digest"""
SHARED_PAGE = """g.repository, g.slug, g.domain, g.title, g.description, g.shared_at, g.applies_to,
    g.source_project, g.path, g.size_bytes, g.file is not null, g.file, g.front_matter, c.digest"""

POSITIONS = """select position from pages
    where repository = :repository and slug in (select value from json_each(:slugs))"""
WIKI_PAGES: dict[Wiki, str] = {"wiki": "pages", "shared": "shared_pages"}

Stored = tuple[str | None, str, str]


def pages(catalog: Catalog, project: RepositoryId) -> tuple[PageRow, ...]:
    """The pages of one project's wiki in reading order: the index's, then the tree's."""
    return tuple(page for page, _ in stored_pages(catalog, project))


def page_text(catalog: Catalog, project: RepositoryId, slug: str) -> PageText:
    """One page as written.

    Raises:
        UnknownRepository: no such project.
        UnknownPage: no such page; the message has the nearest slugs.
        CatalogError: its text was not brought.
    """
    row = projects.project(catalog, project)
    slugs, place = _place(catalog, "pages", project, slug)
    if place is None:
        missing = text.line(slug, LONGEST_SLUG)
        raise UnknownPage(f"page not found: {project}/.wiki/{missing}.md{did_you_mean(slug, slugs)}")
    page, stored = pages_at(catalog, project, [place])[place]
    return PageText(
        page=page,
        front_matter=json.loads(stored[1]),
        text=stored_text(catalog, project, page.path, stored),
        origin=Origin(project=project, path=page.path, revision=row.revision),
        changed_at=row.changed_at,
    )


def shared_pages(catalog: Catalog) -> tuple[SharedPageRow, ...]:
    """The pages of the shared wiki by slug; none when no repository is the shared wiki."""
    return tuple(page for page, _ in stored_shared_pages(catalog))


def shared_page_text(catalog: Catalog, slug: str) -> SharedPageText:
    """One page of the shared wiki as written.

    Raises:
        UnknownPage: no such page; the message has the nearest slugs.
        CatalogError: its text was not brought.
    """
    row = shared_wiki(catalog)
    if row is None:
        raise UnknownPage(NO_SHARED_WIKI)
    slugs, place = _place(catalog, "shared_pages", row.project, slug)
    if place is None:
        raise UnknownPage(f"no page {quoted(slug)} in the shared wiki{did_you_mean(slug, slugs)}")
    ((page, stored),) = stored_shared_pages(catalog, place)
    return SharedPageText(
        page=page,
        front_matter=json.loads(stored[1]),
        text=stored_text(catalog, page.project, page.path, stored),
        origin=Origin(project=page.project, path=page.path, revision=row.revision),
        changed_at=row.changed_at,
    )


def backlinks(catalog: Catalog, project: RepositoryId, slug: str, wiki: Wiki = "wiki") -> tuple[Backlink, ...]:
    """The pages that lead to the page of exactly this slug, by slug; `wiki` tells whether both are pages of
    the project's own wiki or of the shared one.
    """
    found = catalog.query(
        f"""select l.repository, l.source, g.title, g.path, l.line
        from links l join {WIKI_PAGES[wiki]} g on g.repository = l.repository and g.position = l.position
        where l.repository = :project and l.kind = :wiki and l.target = :slug order by l.source""",
        {"project": project, "wiki": wiki, "slug": slug},
        _backlink,
    )
    return tuple(found)


def shared_rules(catalog: Catalog) -> SharedRules:
    """What the shared wiki's CLAUDE.md lists; nothing without a shared wiki, or when it lists nothing."""
    found = catalog.query(
        "select rules from contents where repository = :repository and rules is not null",
        {"repository": catalog.store.shared_wiki},
        json.loads,
    )
    return SharedRules(domains=tuple(found[0]["domains"]), never=tuple(found[0]["never"])) if found else SharedRules()


def _backlink(project: RepositoryId, slug: str, title: str, path: str, line: int) -> Backlink:
    return Backlink(project=project, slug=slug, title=title, path=path, line=line)


def shared_wiki(catalog: Catalog) -> ProjectRow | None:
    """The repository that holds the shared wiki; None when the sources have none, or have it no more."""
    repository = catalog.store.shared_wiki
    row = None if repository is None else projects.project(catalog, repository)
    return None if row is None or row.state == "gone" else row


def body_snippet(catalog: Catalog, project: RepositoryId, path: str, stored: Stored, terms: tuple[str, ...]) -> str:
    """The words of a page's body around the first match, else its beginning; `(fetch failed)` without a text."""
    try:
        written = stored_text(catalog, project, path, stored)
    except CatalogError:
        return FETCH_FAILED
    return text.snippet(without_front_matter(written), terms)


def search_pages(
    catalog: Catalog,
    query: str,
    project: RepositoryId | None = None,
    *,
    slugs: Collection[str] | None = None,
    limit: int = 20,
    offset: int = 0,
) -> Rows[PageHit]:
    """Wiki pages, of all projects or of one, whose slug, title and body together hold every word of `query`.

    `slugs` narrows to those of one project's pages.  A hit in title or slug first, then in a heading; a whole word
    before a part of one; projects that changed last first.

    Raises:
        CatalogError: a query without a word or too long, or a slice out of range.
    """
    check_slice(limit, offset)
    terms = queries.parse_query(query)
    is_of = "true" if project is None else "t.repository = :repository"
    is_among = "true" if slugs is None else f"t.position in ({POSITIONS})"
    scope = Scope(
        conditions=("t.kind = 'wiki'", is_of, is_among),
        parameters={"repository": project, "slugs": json.dumps(sorted(slugs or ()))},
        kept=project is None and slugs is None,
    )
    searched = searched_pages(catalog, terms)
    found = searched.find(scope)
    return sliced(hits(catalog, searched.best(found, limit, offset), terms), len(found), limit, offset)


def searched_pages(catalog: Catalog, terms: tuple[str, ...]) -> Searched:
    """A search among pages, those of the shared wiki too."""
    return Searched(catalog=catalog, texts=PAGE_TEXTS, classes=FIELD_CLASSES, terms=terms)


def _place(
    catalog: Catalog, table: Literal["pages", "shared_pages"], project: RepositoryId, slug: str
) -> tuple[list[str], int | None]:
    """The position of the page that `slug` means; when it is none as it stands, all slugs as well."""
    asked = {"repository": project, "slug": slug}
    exact = catalog.query(
        f"select position from {table} where repository = :repository and slug = :slug order by position", asked, int
    )
    if exact:
        return [], exact[0]
    known = catalog.query(
        f"select slug, position from {table} where repository = :repository order by position",
        {"repository": project},
        lambda *columns: columns,
    )
    slugs = [one for one, _ in known]
    place = pick(slug, slugs)
    return slugs, None if place is None else known[place][1]


def hits(catalog: Catalog, found: Sequence[Found], terms: tuple[str, ...]) -> list[PageHit]:
    """The pages that were found, in their order, with what their texts say; each wiki's rows are asked for once."""
    places: dict[RepositoryId, list[int]] = defaultdict(list)
    for one in found:
        places[one.repository].append(one.position)
    rows = {project: pages_at(catalog, project, positions) for project, positions in places.items()}
    return [_hit(catalog, one, *rows[one.repository][one.position], terms) for one in found]


def pages_at(catalog: Catalog, project: RepositoryId, positions: Sequence[int]) -> dict[int, tuple[PageRow, Stored]]:
    """Some pages of a wiki by their positions, each with where its text is stored."""
    found = catalog.query(
        f"""select g.position, {PAGE} from pages g join contents c on c.repository = g.repository
        where g.repository = :repository and g.position in (select value from json_each(:positions))""",
        {"repository": project, "positions": json.dumps(positions)},
        lambda position, *columns: (position, _page_row(*columns)),
    )
    return dict(found)


def _hit(catalog: Catalog, found: Found, page: PageRow, stored: Stored, terms: tuple[str, ...]) -> PageHit:
    field = matched_field(found)
    if field == "body":
        written = without_front_matter(stored_text(catalog, found.repository, page.path, stored))
    else:
        written = page.slug if field == "slug" else page.title
    return PageHit(page=page, matched_in=field, snippet=text.snippet(written, terms))


def matched_field(found: Found) -> Field:
    """Where a page was found first, as answers tell it: a heading is a part of the body."""
    return "body" if found.matched_in == "headings" else cast("Field", found.matched_in)


def stored_pages(catalog: Catalog, project: RepositoryId) -> list[tuple[PageRow, Stored]]:
    """One wiki's pages in reading order, each with where its text is stored."""
    return catalog.query(
        f"""select {PAGE} from pages g join contents c on c.repository = g.repository
        where g.repository = :repository order by g.position""",
        {"repository": project},
        _page_row,
    )


def _page_row(*columns: Any) -> tuple[PageRow, Stored]:
    repository, slug, kind, title, description, path, size, available, indexed, *stored = columns
    page = PageRow(
        project=repository,
        slug=slug,
        type=kind,
        title=title,
        description=description,
        path=path,
        size_bytes=size,
        available=bool(available),
        indexed=bool(indexed),
    )
    file, front_matter, digest = stored
    return page, (file, front_matter, digest)


def stored_shared_pages(catalog: Catalog, position: int | None = None) -> list[tuple[SharedPageRow, Stored]]:
    """The shared wiki's pages by slug, or the one at a position, each with where its text is stored."""
    at = "true" if position is None else "g.position = :position"
    return catalog.query(
        f"""select {SHARED_PAGE} from shared_pages g join contents c on c.repository = g.repository
        where g.repository = :repository and {at} order by g.slug, g.position""",
        {"repository": catalog.store.shared_wiki, "position": position},
        _shared_page_row,
    )


def _shared_page_row(*columns: Any) -> tuple[SharedPageRow, Stored]:
    repository, slug, domain, title, description, shared_at, applies_to, source, *more = columns
    path, size, available, file, front_matter, digest = more
    page = SharedPageRow(
        project=repository,
        slug=slug,
        domain=domain,
        title=title,
        description=description,
        shared_at=shared_at,
        applies_to=tuple(json.loads(applies_to)),
        source_project=source,
        path=path,
        size_bytes=size,
        available=bool(available),
    )
    return page, (file, front_matter, digest)


def stored_text(catalog: Catalog, project: RepositoryId, path: str, stored: Stored) -> str:
    """A page as written.

    Raises:
        CatalogError: its text was not brought, or is not there any more.
    """
    file, _, digest = stored
    if file is None:
        raise CatalogError(
            f"the text of {path} in {project} was not brought by the last sync; run `doit`, then ask again"
        )
    return catalog.read_text(project, digest, file)
