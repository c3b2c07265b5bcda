"""Catalog rows → the lines and links that the report's pages show.  Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pipeline import layout
from pipeline.catalog.answers import DiagnosticRow, ProjectRow, TaskRow
from pipeline.diagnostics import CODES
from pipeline.model import RepositoryId, Severity, Status, owned_name, split_id
from pipeline.report.remedies import remedy
from pipeline.report.sheets import Sheet
from pipeline.report.views import (
    CodeMeaning,
    DiagnosticLine,
    Figure,
    Link,
    Pager,
    ProjectLine,
    TaskGroup,
    TaskLine,
    Tile,
    WhyHidden,
)

OPEN: tuple[Status, ...] = ("active", "blocked", "paused", "todo", "unknown")
FOLDED: tuple[Status, ...] = ("done", "cancelled")
STATUSES: tuple[Status, ...] = OPEN + FOLDED
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
SHOWN_WHEN_PRESENT: tuple[Status, ...] = ("unknown", "cancelled")
COLUMNS: tuple[Status, ...] = ("active", "blocked", "paused", "todo", "done")
WIDE_COLUMNS: tuple[Status, ...] = ("paused", "done")
SHORT_REVISION = 10
WHOLE_TASKS, BRIEF_TASKS = 100, 1_500


def task_anchors(tasks: Iterable[tuple[str, int]]) -> list[str]:
    """The anchor of each task of a board, from slug and line: a later one of the same slug has its line added."""
    seen: set[str] = set()
    found: dict[int, str] = {}
    for place, (slug, line) in sorted(enumerate(tasks), key=lambda one: one[1][1]):
        anchor = layout.task_anchor(slug)
        found[place] = f"{anchor}-{line}" if anchor in seen else anchor
        seen.add(found[place])
    return [found[place] for place in range(len(found))]


def code_anchor(code: str) -> str:
    """The anchor of a code's meaning on health.html."""
    return f"code-{code}"


def short_revision(revision: str | None) -> str | None:
    """As much of a commit as people quote."""
    return revision[:SHORT_REVISION] if revision else None


def hidden(row: ProjectRow) -> WhyHidden | None:
    """Why nothing is known or shown of a project's texts: every number about them is then unknown."""
    if row.state == "gone":
        return "gone"
    return "unread" if row.revision is None and row.state != "ok" else None


def project_line(row: ProjectRow) -> ProjectLine:
    """One project for a list; what is not known stays unknown, never 0."""
    host, owner, name = split_id(row.project)
    why = hidden(row)
    return ProjectLine(
        href=layout.project_href(row.project),
        name=name,
        owner=f"{host}/{owner}",
        state=row.state,
        reason=row.reason,
        shared=row.shared,
        archived=row.archived,
        remedy=remedy(row.state, row.reason),
        figures=tuple(_task_figure(row, status) for status in COLUMNS),
        wiki=Figure(number=None if why else row.wiki_pages + row.shared_pages, why=why),
        wiki_href=f"{layout.project_href(row.project)}#{'shared' if row.shared_pages else 'wiki'}",
        changed_at=row.changed_at,
    )


def task_line(row: TaskRow) -> TaskLine:
    """One task for a list."""
    anchor = layout.task_anchor(row.slug)
    return TaskLine(
        href=f"{layout.project_href(row.project)}#{anchor}",
        anchor=anchor,
        project=project_link(row.project),
        title=row.title,
        slug=row.slug if row.slug != row.title else None,
        status=row.status,
        written=written_status(row.status, row.status_text),
        next=row.next,
        owner=row.owner,
        line=row.line,
    )


def written_status(status: Status, text: str | None) -> str | None:
    """A status in the author's words, where they add something."""
    return text if text and text.casefold() != status else None


def diagnostic_line(row: DiagnosticRow) -> DiagnosticLine:
    """One diagnostic for a list."""
    return DiagnosticLine(
        repository=row.project,
        project=project_link(row.project),
        code=row.code,
        code_href=f"health.html#{code_anchor(row.code)}",
        severity=row.severity,
        path=row.path,
        line=row.line,
        message=row.message,
    )


def tiles(totals: Mapping[Status, int], places: Mapping[str, str]) -> tuple[Tile, ...]:
    """A tile for each status; the two rare ones only where there are such tasks."""
    return tuple(
        Tile(status=status, total=totals.get(status, 0), href=places.get(status))
        for status in STATUSES
        if totals.get(status, 0) or status not in SHOWN_WHEN_PRESENT
    )


def code_meanings(codes: Iterable[str]) -> tuple[CodeMeaning, ...]:
    """What each of `codes` means, in their order."""
    return tuple(
        CodeMeaning(
            code=code,
            anchor=code_anchor(code),
            severity=CODES[code].severity,
            meaning=CODES[code].meaning,
            remedy=CODES[code].remedy,
        )
        for code in codes
    )


def pager(sheet: Sheet[object]) -> Pager:
    """The links from one sheet to its neighbours."""
    return Pager(
        previous=sheet.previous,
        next=sheet.following,
        first=owned_name(sheet.span.first),
        last=owned_name(sheet.span.last),
    )


def task_groups(rows: Iterable[TaskRow]) -> tuple[TaskGroup, ...]:
    """A project's tasks by status, each group in the board's order; every anchor once.

    Of a long board the first tasks are shown whole, further ones in short, and the rest is only counted.
    """
    by_status: dict[Status, list[TaskLine]] = {status: [] for status in STATUSES}
    board = sorted(rows, key=lambda row: row.line)
    anchors = task_anchors((row.slug, row.line) for row in board)
    for row, anchor in zip(board, anchors, strict=True):
        by_status[row.status].append(replace(task_line(row), anchor=anchor))
    return tuple(_groups([(status, lines) for status, lines in by_status.items() if lines]))


def _groups(found: Iterable[tuple[Status, list[TaskLine]]]) -> Iterator[TaskGroup]:
    whole, brief = WHOLE_TASKS, BRIEF_TASKS
    for status, lines in found:
        first, second = lines[:whole], lines[whole : whole + brief]
        yield TaskGroup(
            status=status,
            folded=status in FOLDED,
            total=len(lines),
            lines=tuple(first),
            brief=tuple(second),
            left_out=len(lines) - len(first) - len(second),
        )
        whole, brief = whole - len(first), brief - len(second)


def _task_figure(row: ProjectRow, status: Status) -> Figure:
    why = hidden(row) or ("no_board" if row.board == "absent" else None)
    return Figure(number=None if why else row.tasks.get(status, 0), why=why)


def project_link(repository: RepositoryId) -> Link:
    """A project by its owner and name."""
    return Link(href=layout.project_href(repository), text=owned_name(repository))
