"""What the report asks of the catalog: every row of a list, one slice at a time.

Nothing that depends on the clock is asked for or passed on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from pipeline.catalog import Catalog
from pipeline.catalog import projects as project_questions
from pipeline.catalog import survey as surveys
from pipeline.catalog import tasks as task_questions
from pipeline.catalog.answers import Span
from pipeline.catalog.survey import Stamp
from pipeline.model import Severity, Status
from pipeline.report.lines import SEVERITIES, STATUSES, diagnostic_line, project_line, task_line
from pipeline.report.sheets import Group, LongList, Section, Size
from pipeline.report.views import DiagnosticLine, ProjectLine, SourceLine, TaskLine

SLICE = 20_000
PROJECTS = Size(shown=50, least=50, largest=200)
LINES = Size(shown=50, least=125, largest=500)

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
