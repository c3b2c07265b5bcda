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
from pipeline.report.lines import (
    SEVERITIES,
    STATUSES,
    diagnostic_line,
    hidden,
    project_line,
    short_revision,
    task_groups,
    task_line,
)
from pipeline.report.sheets import Group, LongList, Section, Size
from pipeline.report.views import BoardView, DiagnosticLine, ProjectLine, ProjectView, SourceLine, TaskLine

SLICE = 20_000
PROJECTS = Size(shown=50, least=50, largest=200)
LINES = Size(shown=50, least=125, largest=500)

Row = TypeVar("Row")
Line = TypeVar("Line")


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Totals that several pages show; `tasks` in the order of the report."""

    projects: int
    sources: tuple[SourceLine, ...]
    wiki_pages: int
    tasks: Mapping[Status, int]
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """The long lists, by project: what stands in them is known before a row is asked for."""

    projects: LongList[ProjectLine]
    tasks: LongList[TaskLine]
    health: LongList[ProjectLine | DiagnosticLine]
    troubled: Section[ProjectLine]
    errors: Section[DiagnosticLine]


def lists(catalog: Catalog, stamps: Sequence[Stamp]) -> Lists:
    """All lists of the report."""
    projects = _section("all", "projects-from", ((stamp, 1) for stamp in stamps), partial(_projects, catalog))
    tasks = tuple(_task_section(catalog, stamps, status) for status in STATUSES)
    troubled = _section(
        "repositories",
        "health-repositories",
        ((stamp, 1) for stamp in stamps if stamp.state != "ok"),
        partial(_projects, catalog, troubled=True),
    )
    diagnostics = _diagnostic_sections(catalog, stamps)
    return Lists(
        projects=LongList(file="projects.html", size=PROJECTS, sections=(projects,)),
        tasks=LongList(file="tasks.html", size=LINES, sections=tasks),
        health=LongList(file="health.html", size=LINES, sections=(troubled, *diagnostics)),
        troubled=troubled,
        errors=diagnostics[0],
    )


def survey(catalog: Catalog, stamps: Sequence[Stamp], all_of: Lists) -> Survey:
    """Add up."""
    repositories = Counter(stamp.source for stamp in stamps)
    troubles = Counter(stamp.source for stamp in stamps if stamp.state != "ok")
    return Survey(
        projects=len(stamps),
        sources=tuple(
            SourceLine(source=source, repositories=repositories[source], troubled=troubles[source])
            for source in sorted(repositories)
        ),
        wiki_pages=sum(stamp.wiki_pages for stamp in stamps),
        tasks={status: section.total for status, section in zip(STATUSES, all_of.tasks.sections, strict=True)},
        codes=surveys.codes(catalog),
    )


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


def _section(
    key: str, file: str, counted: Iterable[tuple[Stamp, int]], rows: Callable[[Span], Sequence[Line]]
) -> Section[Line]:
    groups = [Group(stamp.project, stamp.mark, count) for stamp, count in counted if count]
    return Section(key=key, file=file, groups=groups, rows=rows)


def _task_section(catalog: Catalog, stamps: Sequence[Stamp], status: Status) -> Section[TaskLine]:
    counted = ((stamp, stamp.tasks.get(status, 0)) for stamp in stamps)
    return _section(status, f"tasks-{status}", counted, partial(_tasks, catalog, status))


def _diagnostic_sections(catalog: Catalog, stamps: Sequence[Stamp]) -> tuple[Section[DiagnosticLine], ...]:
    """One for each severity, errors first."""
    known = {stamp.project: stamp for stamp in stamps}
    found = surveys.diagnostics(catalog)
    return tuple(
        _section(
            severity,
            f"health-{severity}",
            ((known[project], count) for project, count in found.get(severity, ())),
            partial(_diagnostics, catalog, severity),
        )
        for severity in SEVERITIES
    )


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
