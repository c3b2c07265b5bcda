"""What the report asks of the catalog: every row of a list, one slice at a time.

Nothing that depends on the clock is asked for or passed on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pipeline.catalog import Catalog
from pipeline.catalog import knowledge as knowledge_questions
from pipeline.catalog import projects as project_questions
from pipeline.catalog import tasks as task_questions
from pipeline.catalog.answers import DiagnosticRow, ProjectRow, Rows, TaskRow
from pipeline.errors import CatalogError, UnknownPage
from pipeline.model import RepositoryId, Severity, Status
from pipeline.report_lines import (
    SEVERITIES,
    STATUSES,
    diagnostic_line,
    hidden,
    project_line,
    short_revision,
    task_groups,
)
from pipeline.report_views import BoardView, DiagnosticLine, ProjectView, SourceLine

SLICE = 20_000

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Totals that several pages show; `tasks` and `diagnostics` in the order of the report."""

    projects: int
    troubled: int
    sources: tuple[SourceLine, ...]
    wiki_pages: int
    tasks: Mapping[Status, int]
    diagnostics: Mapping[Severity, int]
    codes: tuple[str, ...]


def survey(catalog: Catalog) -> Survey:
    """Go once through every project and every diagnostic, holding totals alone."""
    repositories: Counter[str] = Counter()
    troubles: Counter[str] = Counter()
    wiki_pages = 0
    for row in projects(catalog):
        repositories[row.source] += 1
        troubles[row.source] += row.state != "ok"
        wiki_pages += row.wiki_pages + row.shared_pages
    severities: Counter[Severity] = Counter()
    codes: set[str] = set()
    for diagnostic in diagnostics(catalog):
        severities[diagnostic.severity] += 1
        codes.add(diagnostic.code)
    return Survey(
        projects=repositories.total(),
        troubled=troubles.total(),
        sources=tuple(
            SourceLine(source=source, repositories=repositories[source], troubled=troubles[source])
            for source in sorted(repositories)
        ),
        wiki_pages=wiki_pages,
        tasks={status: _tasks_of(catalog, status).total for status in STATUSES},
        diagnostics={severity: severities[severity] for severity in SEVERITIES},
        codes=tuple(sorted(codes)),
    )


def projects(catalog: Catalog) -> Iterator[ProjectRow]:
    """Every project, by id."""
    return _each(lambda offset: project_questions.list_projects(catalog, limit=SLICE, offset=offset))


def troubled(catalog: Catalog) -> Iterator[ProjectRow]:
    """Every project that is not up to date, by id."""
    return (row for row in projects(catalog) if row.state != "ok")


def tasks(catalog: Catalog, status: Status) -> Iterator[TaskRow]:
    """Every task of one status, in the catalog's order."""
    return _each(lambda offset: _tasks_of(catalog, status, limit=SLICE, offset=offset))


def diagnostics(catalog: Catalog, severity: Severity | None = None) -> Iterator[DiagnosticRow]:
    """Every diagnostic, or those of one severity, by project, path and line."""
    rows = _each(lambda offset: project_questions.diagnostics(catalog, limit=SLICE, offset=offset))
    return (row for row in rows if severity is None or row.severity == severity)


def project_view(catalog: Catalog, row: ProjectRow) -> ProjectView:
    """All that one repository's page shows."""
    why = hidden(row)
    found = tuple(_each(lambda offset: _tasks_of(catalog, "all", row.project, limit=SLICE, offset=offset)))
    board, board_trouble = _board(catalog, row)
    return ProjectView(
        line=project_line(row),
        repository=row.project,
        source=row.source,
        branch=row.default_branch,
        visibility=row.visibility,
        revision=short_revision(row.revision),
        hidden=why,
        board_state=row.board,
        board=board,
        board_trouble=board_trouble,
        tasks=len(found),
        groups=task_groups(found),
        index=row.index,
        index_error=row.index_error,
        pages=knowledge_questions.pages(catalog, row.project),
        shared_pages=knowledge_questions.shared_pages(catalog) if row.shared else (),
        diagnostics=_diagnostics_of(catalog, row),
    )


def _board(catalog: Catalog, row: ProjectRow) -> tuple[BoardView | None, str | None]:
    """The board as written, or why the board that is there cannot be shown."""
    try:
        found = task_questions.board(catalog, row.project)
    except UnknownPage:
        return None, None
    except CatalogError as error:
        return None, str(error)
    revision = short_revision(found.origin.revision)
    return BoardView(text=found.text, path=found.origin.path, revision=revision, files=found.files), None


def _diagnostics_of(catalog: Catalog, row: ProjectRow) -> tuple[DiagnosticLine, ...]:
    rows = _each(lambda offset: project_questions.diagnostics(catalog, row.project, limit=SLICE, offset=offset))
    return tuple(map(diagnostic_line, rows))


def _tasks_of(
    catalog: Catalog, status: str, project: RepositoryId | None = None, *, limit: int = 1, offset: int = 0
) -> Rows[TaskRow]:
    return task_questions.aggregate(catalog, status=status, project=project, limit=limit, offset=offset)


def _each(ask: Callable[[int], Rows[Row]]) -> Iterator[Row]:
    """Every row of a list, asked for slice by slice."""
    offset: int | None = 0
    while offset is not None:
        answer = ask(offset)
        yield from answer.rows
        offset = answer.next_offset
