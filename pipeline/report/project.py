"""One page per repository: how it stands, its tasks, its wiki, what is wrong in its texts, and these as written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from pipeline import layout
from pipeline.catalog import Catalog, projects, tasks, written
from pipeline.catalog.answers import BoardText, DiagnosticRow, ProjectRow, Rows
from pipeline.catalog.preferences import page_url, preferences
from pipeline.catalog.survey import Stamp
from pipeline.diagnostics import CODES
from pipeline.errors import CatalogError, UnknownPage
from pipeline.model import owned_name
from pipeline.report import lines, trends
from pipeline.report.page import Page, Site
from pipeline.report.tree_views import TreeView
from pipeline.report.views import Fault, Place, ProjectView, WrittenText
from pipeline.report.wiki_section import wiki_tree

SLICE = 20_000
SHOWN_LETTERS = 64 << 10
SHOWN_PLACES = 20

Row = TypeVar("Row")


def pages(site: Site) -> Iterator[Page]:
    """In the order of the catalog."""
    # A repository that is shared shows the pages of the one shared wiki, which may be another.
    wiki = [stamp.mark for stamp in site.stamps if stamp.project == site.catalog.store.shared_wiki]
    addresses = {each.source: each.pattern for each in preferences(site.catalog).page_addresses}
    for stamp in site.stamps:
        yield _page(site, stamp, [stamp.mark, addresses.get(stamp.source), *(wiki if stamp.shared else ())])


def _page(site: Site, stamp: Stamp, made_of: object) -> Page:
    return Page(
        path=layout.project_href(stamp.project),
        template="project.html",
        section="projects",
        title=owned_name(stamp.project),
        made_of=made_of,
        view=lambda: _view(site, projects.project(site.catalog, stamp.project)),
    )


def _view(site: Site, row: ProjectRow) -> ProjectView:
    catalog = site.catalog
    found = tuple(_each(lambda offset: tasks.aggregate(catalog, "all", row.project, limit=SLICE, offset=offset)))
    why = lines.hidden(row)
    board, board_trouble = _board(catalog, row)
    return ProjectView(
        line=lines.project_line(row),
        repository=row.project,
        source=row.source,
        branch=row.default_branch,
        visibility=row.visibility,
        revision=lines.short_revision(row.revision),
        source_href=page_url(catalog, row, ""),
        hidden=why,
        board_state=row.board,
        board=None if board is None else _written(catalog, row, board.origin.path, board.text),
        board_files=() if board is None else board.files,
        board_trouble=board_trouble,
        tasks=len(found),
        groups=lines.task_groups(found),
        index=row.index,
        index_error=row.index_error,
        index_text=_index_text(catalog, row),
        wiki=wiki_tree(catalog, row.project, has_pages=site.has_pages),
        shared_wiki=_shared_wiki(site) if row.shared else None,
        faults=_faults(catalog, row),
        past=trends.of_project(site, row.project),
    )


def _shared_wiki(site: Site) -> TreeView | None:
    """The one shared wiki, which may be another repository's."""
    shared = site.catalog.store.shared_wiki
    return None if shared is None else wiki_tree(site.catalog, shared, "shared", has_pages=site.has_pages)


def _board(catalog: Catalog, row: ProjectRow) -> tuple[BoardText | None, str | None]:
    """The board, or why the board that is there cannot be shown."""
    try:
        return tasks.board(catalog, row.project), None
    except UnknownPage:
        return None, None
    except CatalogError as error:
        return None, str(error)


def _index_text(catalog: Catalog, row: ProjectRow) -> WrittenText | None:
    path = written.index_path(catalog, row.project)
    text = None if path is None else written.text_of(catalog, row.project, path)
    return None if path is None or text is None else _written(catalog, row, path, text)


def _written(catalog: Catalog, row: ProjectRow, path: str, text: str) -> WrittenText:
    return WrittenText(
        text=text[:SHOWN_LETTERS],
        is_cut=len(text) > SHOWN_LETTERS,
        size=len(text),
        path=path,
        revision=lines.short_revision(row.revision),
        href=page_url(catalog, row, path),
    )


def _faults(catalog: Catalog, row: ProjectRow) -> tuple[Fault, ...]:
    """By severity and code."""
    found: dict[str, list[DiagnosticRow]] = {}
    for each in _each(lambda offset: projects.diagnostics(catalog, row.project, limit=SLICE, offset=offset)):
        found.setdefault(each.code, []).append(each)
    ordered = sorted(found, key=lambda code: (lines.SEVERITIES.index(CODES[code].severity), code))
    return tuple(_fault(catalog, row, code, found[code]) for code in ordered)


def _fault(catalog: Catalog, row: ProjectRow, code: str, found: list[DiagnosticRow]) -> Fault:
    return Fault(
        code=code,
        code_href=f"health.html#{lines.code_anchor(code)}",
        severity=CODES[code].severity,
        remedy=CODES[code].remedy,
        total=len(found),
        places=tuple(
            Place(path=each.path, line=each.line, message=each.message, href=page_url(catalog, row, each.path))
            for each in found[:SHOWN_PLACES]
        ),
    )


def _each(ask: Callable[[int], Rows[Row]]) -> Iterator[Row]:
    """Every row of a list, asked for slice by slice."""
    offset: int | None = 0
    while offset is not None:
        answer = ask(offset)
        yield from answer.rows
        offset = answer.next_offset
