"""Reading a project's wiki: its tree, a page, a search.  Nothing here changes anything."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from mcp_server.hub import candidates
from mcp_server.hub.errors import BadArgument, NotFound
from mcp_server.hub.parameters import Code, HubHere, Project
from mcp_server.hub.shapes import (
    AttachmentItem,
    Candidates,
    Hit,
    Hits,
    Node,
    Page,
    PageName,
    TreeNodes,
    Trouble,
)
from mcp_server.hub.wikis import ProjectWiki
from pipeline import search
from pipeline.catalog import history, knowledge, wiki_tree
from pipeline.catalog.preferences import page_url
from pipeline.errors import CatalogError
from pipeline.wiki_tree import TreePage

router = APIRouter(prefix="/wiki", tags=["wiki"], responses={404: {"model": Trouble}})


@router.get("/tree")
def read_tree(
    hub: HubHere,
    project: Project,
    code: Code | None = None,
    depth: Annotated[int, Query(ge=1, description="how many levels below the start are shown")] = 2,
) -> TreeNodes:
    """The pages from the project's root (or `code`) down, parents first."""
    here = hub.wiki(project)
    top = here.top if code is None else here.page(code).slug
    troubles = [trouble.kind for trouble in here.wiki.tree.troubles if trouble.slug in here.slugs]
    return TreeNodes(
        nodes=[_node(here, page, level) for page, level in here.wiki.tree.below(top, depth)],
        cycles=troubles.count("cycle"),
        orphans=troubles.count("orphan"),
    )


@router.get("/page")
def read_page(
    hub: HubHere,
    project: Project,
    code: Code | None = None,
    title: Annotated[str | None, Query(max_length=400, description="of a page, letter by letter")] = None,
) -> Page | Candidates:
    """One page by its code or its title; of a title that no page has, at most ten pages that may be meant."""
    here = hub.wiki(project)
    if (code is None) == (title is None):
        raise BadArgument("give either code or title")
    if code is not None:
        return _page(here, here.page(code))
    found = candidates.find(here, title or "")
    if isinstance(found, TreePage):
        return _page(here, found)
    return Candidates(candidates=[_name(here, page) for page in found])


@router.get("/search")
def search_pages(
    hub: HubHere,
    project: Project,
    q: Annotated[str, Query(max_length=2_000, description='words and "phrases", all of which a page must hold')],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Hits:
    """The pages that hold every word of `q`, best first."""
    here = hub.wiki(project)
    try:
        search.parse_query(q)
    except CatalogError as error:
        raise BadArgument(f"q: {error}") from None
    return here.once(("search", q, limit), lambda: _search(here, q, limit))


def _search(here: ProjectWiki, q: str, limit: int) -> Hits:
    found = knowledge.search_pages(here.catalog, q, here.wiki.project, slugs=here.slugs, limit=limit)
    pages = here.wiki.tree.pages
    return Hits(
        items=[
            Hit(**_named(here, pages[hit.page.slug]), snippet=hit.snippet)
            for hit in found.rows
            if hit.page.slug in pages
        ]
    )


def _node(here: ProjectWiki, page: TreePage, level: int) -> Node:
    size = wiki_tree.size_letters(here.catalog, here.wiki, page.slug)
    return Node(code=page.code, name=page.title, size=size, depth=level)


def _named(here: ProjectWiki, page: TreePage) -> dict[str, str]:
    return {"code": page.code, "name": page.title, "path": here.path(page.slug)}


def _name(here: ProjectWiki, page: TreePage) -> PageName:
    return PageName(**_named(here, page))


def _page(here: ProjectWiki, page: TreePage) -> Page:
    try:
        markdown = wiki_tree.read_body(here.catalog, here.wiki, page.slug)
    except CatalogError as error:
        raise NotFound(str(error)) from None
    versions = history.page_versions(here.catalog, here.wiki.project, page.slug) if here.history_at else ()
    newest = versions[0] if versions else None
    return Page(
        **_named(here, page),
        url=page_url(here.catalog, here.row, here.wiki.paths[page.slug]),
        synced_at=here.synced_at,
        modified_at=newest.at if newest else None,
        modified_by=newest.author if newest else None,
        versions=newest.count if newest else None,
        history_at=here.history_at,
        attachments=[
            AttachmentItem(id=file.id, name=file.name, size=file.size_bytes)
            for file in here.wiki.files.values()
            if file.page == page.slug
        ],
        markdown=markdown,
    )
