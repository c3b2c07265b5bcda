"""Who changed the pages of a project's wiki, when, and what exactly.  Nothing here changes anything."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from mcp_server.hub.errors import BadArgument, NotFound
from mcp_server.hub.parameters import Code, HubHere, Moment, Project, read_moment
from mcp_server.hub.shapes import Change, Changes, Diff, Previous, Trouble
from mcp_server.hub.wikis import ProjectWiki
from pipeline.catalog import history
from pipeline.catalog.answers import ChangeRow, Rows
from pipeline.errors import CatalogError

router = APIRouter(prefix="/wiki", tags=["changes"], responses={404: {"model": Trouble}})

MOST = 500


@router.get("/changes")
def list_changes(
    hub: HubHere,
    project: Project,
    since: Moment,
    until: Moment | None = None,
    author: Annotated[str | None, Query(max_length=200, description="a part of a name, or a whole e-mail")] = None,
) -> Changes:
    """The versions of the project's pages in a period, newest first, at most 500."""
    here = hub.wiki(project)
    first = read_moment("since", since)
    last = hub.now() if until is None else read_moment("until", until)
    if first > last:
        raise BadArgument(f"since ({first.isoformat()}) is later than until ({last.isoformat()})")
    if author is not None and not author.strip():
        raise BadArgument("author is empty; expected a part of a name, or an e-mail address")
    rows = _changes(here, first, last, author)
    return Changes(
        since=first,
        until=last,
        synced_at=here.synced_at,
        history_at=here.history_at,
        truncated=rows.total > len(rows.rows),
        items=[_change(here, row) for row in rows.rows],
    )


@router.get("/diff")
def read_diff(
    hub: HubHere,
    project: Project,
    code: Code,
    version: Annotated[str | None, Query(max_length=100, description="such as DOCH-7; default: the last")] = None,
) -> Diff:
    """What one version of a page changed."""
    here = hub.wiki(project)
    page = here.page(code)
    try:
        found = history.wiki_diff(here.catalog, here.wiki.project, page.slug, version)
    except CatalogError as error:
        raise NotFound(str(error)) from None
    chosen, before = found.version, found.previous
    return Diff(
        code=page.code,
        name=page.title,
        path=here.path(page.slug),
        version=chosen.version,
        n=chosen.number,
        m=chosen.count,
        author=chosen.author,
        at=chosen.at,
        authored_at=chosen.authored_at,
        added=chosen.added,
        removed=chosen.removed,
        previous=None if before is None else Previous(version=before.version, at=before.at),
        diff=found.diff,
    )


def _changes(here: ProjectWiki, since: datetime, until: datetime, author: str | None) -> Rows[ChangeRow]:
    return history.wiki_changes(
        here.catalog,
        since=since,
        until=until,
        author=author,
        project=here.wiki.project,
        slugs=here.slugs_ever,
        limit=MOST,
    )


def _change(here: ProjectWiki, row: ChangeRow) -> Change:
    page = None if row.is_gone else here.wiki.tree.pages.get(row.slug)
    return Change(
        page_code=row.page_code,
        page_name=page.title if page else row.title,
        path=here.path(page.slug) if page else row.title,
        version=row.version.version,
        at=row.version.at,
        authored_at=row.version.authored_at,
        author=row.version.author,
        added=row.version.added,
        removed=row.version.removed,
    )
