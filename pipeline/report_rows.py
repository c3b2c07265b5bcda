"""What the report asks of the catalog: every row of a list, one slice at a time.

Nothing that depends on the clock is asked for or passed on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from pipeline.catalog import Catalog
from pipeline.catalog import knowledge as knowledge_questions
from pipeline.catalog import projects as project_questions
from pipeline.catalog import survey as surveys
from pipeline.catalog import tasks as task_questions
from pipeline.catalog.answers import ProjectRow, Rows, Span, TaskRow
from pipeline.catalog.survey import Stamp
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
    task_line,
)
from pipeline.report_sheets import Group, Section, cut
from pipeline.report_views import BoardView, DiagnosticLine, ProjectLine, ProjectView, SourceLine, TaskLine

SLICE = 20_000

Row = TypeVar("Row")
Line = TypeVar("Line")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """The long lists, by project: what stands in them is known before a row is asked for."""

    projects: Section[ProjectLine]
    troubled: Section[ProjectLine]
    tasks: Mapping[Status, Section[TaskLine]]
    diagnostics: Mapping[Severity, Section[DiagnosticLine]]


def lists(catalog: Catalog, stamps: Sequence[Stamp]) -> Lists:
    """All lists of the report."""
    marks = {stamp.project: stamp.mark for stamp in stamps}
    found = surveys.diagnostics(catalog)
    return Lists(
        projects=_section("projects", ((stamp, 1) for stamp in stamps), lambda span: _projects(catalog, span)),
        troubled=_section(
            "repositories",
            ((stamp, 1) for stamp in stamps if stamp.state != "ok"),
            lambda span: _projects(catalog, span, troubled=True),
        ),
        tasks={
            status: _section(
                status, ((stamp, stamp.tasks.get(status, 0)) for stamp in stamps), partial(_tasks, catalog, status)
            )
            for status in STATUSES
        },
        diagnostics={
            severity: Section(
                key=severity,
                groups=[Group(project, marks[project], count) for project, count in found.get(severity, ())],
                rows=partial(_diagnostics, catalog, severity),
            )
            for severity in SEVERITIES
        },
    )


def survey(catalog: Catalog, stamps: Sequence[Stamp], all_of: Lists) -> Survey:
    """Add up."""
    repositories = Counter(stamp.source for stamp in stamps)
    troubles = Counter(stamp.source for stamp in stamps if stamp.state != "ok")
    return Survey(
        projects=all_of.projects.total,
        troubled=all_of.troubled.total,
        sources=tuple(
            SourceLine(source=source, repositories=repositories[source], troubled=troubles[source])
            for source in sorted(repositories)
        ),
        wiki_pages=sum(stamp.wiki_pages for stamp in stamps),
        tasks={status: section.total for status, section in all_of.tasks.items()},
        diagnostics={severity: section.total for severity, section in all_of.diagnostics.items()},
        codes=surveys.codes(catalog),
    )


def first_rows(section: Section[Line], count: int) -> tuple[Line, ...]:
    """The first rows of a list."""
    outline = next(cut([section], count))
    return tuple(row for part in outline.sheet().parts for row in part.rows)


def latest_tasks(catalog: Catalog, status: Status, count: int) -> tuple[TaskLine, ...]:
    """The first tasks of one status, those of boards that changed last before others."""
    return tuple(map(task_line, _tasks_of(catalog, status, limit=count).rows))


def project(catalog: Catalog, repository: RepositoryId) -> ProjectRow:
    """One project."""
    return project_questions.project(catalog, repository)


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


def _section(key: str, counted: Iterable[tuple[Stamp, int]], rows: Callable[[Span], Sequence[Line]]) -> Section[Line]:
    groups = [Group(stamp.project, stamp.mark, count) for stamp, count in counted if count]
    return Section(key=key, groups=groups, rows=rows)


def _projects(catalog: Catalog, span: Span, *, troubled: bool = False) -> list[ProjectLine]:
    return [project_line(row) for row in project_questions.projects_of(catalog, span, troubled=troubled)]


def _tasks(catalog: Catalog, status: Status, span: Span) -> list[TaskLine]:
    return [task_line(row) for row in task_questions.tasks_of(catalog, status, span)]


def _diagnostics(catalog: Catalog, severity: Severity, span: Span) -> list[DiagnosticLine]:
    return [diagnostic_line(row) for row in project_questions.diagnostics_of(catalog, severity, span)]


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
