"""All tasks and all projects as data: JSON for machines, and rows for the script that filters and sorts them.

Both are cut like sheets, only coarser: a change of one project rewrites one file of each.  The first file of JSON
names the others; tasks.html and projects.html name the files of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, Generic, TypeVar

from pipeline import codec, layout, scripts
from pipeline.catalog import projects as project_questions
from pipeline.catalog import tables
from pipeline.catalog.answers import ProjectRow, Span
from pipeline.catalog.tables import TaskStanding
from pipeline.model import split_id
from pipeline.report import lines
from pipeline.report.days import iso
from pipeline.report.page import File, Site
from pipeline.report.sheets import Group, Section, Sheet, Size, cut

SCHEMA_VERSION = 1
# Four files for ten thousand rows at most.
SIZE = Size(shown=0, least=2_500, largest=6_000)

Row = TypeVar("Row")
Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Generic[Row]):
    """One table.  `plain` makes rows of JSON of rows, `packed` what the script of lists reads."""

    name: str
    groups: Sequence[Group]
    rows: Callable[[Span], Sequence[Row]]
    plain: Callable[[Sequence[Row]], Sequence[Plain]]
    packed: Callable[[Sequence[Row]], Sequence[object]]

    def files(self) -> Iterator[File]:
        """The JSON, then the rows for the script."""
        parts = self._parts(f"data/{self.name}", ".json")
        if not parts:
            yield File(path=f"data/{self.name}.json", made_of=[], content=lambda: self._written([], self._index([])))
        for sheet in parts:
            yield self._json(sheet, self._index(parts) if sheet is parts[0] else {})
        for sheet in self._parts(f"a/rows/{self.name}", ".js"):
            yield File(path=sheet.file, made_of=sheet.made_of(), content=partial(self._script, sheet))

    def scripts(self) -> tuple[str, ...]:
        """The files of rows by site path, in order."""
        return tuple(sheet.file for sheet in self._parts(f"a/rows/{self.name}", ".js"))

    def _parts(self, file: str, ending: str) -> list[Sheet[Row]]:
        section = Section(key=self.name, file=file, groups=self.groups, rows=self.rows, ending=ending)
        return list(cut(section, SIZE)) if self.groups else []

    def _index(self, parts: Sequence[Sheet[Row]]) -> Plain:
        total = sum(group.count for group in self.groups)
        return {"total": total, "parts": [part.file.removeprefix("data/") for part in parts]}

    def _json(self, sheet: Sheet[Row], index: Plain) -> File:
        made_of = [sheet.made_of(), index]
        return File(path=sheet.file, made_of=made_of, content=lambda: self._written(sheet.rows(), index))

    def _written(self, rows: Sequence[Row], index: Plain) -> bytes:
        return codec.dump_json({"schema_version": SCHEMA_VERSION, **index, self.name: self.plain(rows)})

    def _script(self, sheet: Sheet[Row]) -> bytes:
        return scripts.call("PM.rows", self.packed(sheet.rows()))


def task_table(site: Site) -> Table[TaskStanding]:
    """Every task, by project and place in the board."""
    counted = ((stamp, sum(stamp.tasks.values())) for stamp in site.stamps)
    return Table(
        name="tasks",
        groups=[Group(stamp.project, stamp.mark, count) for stamp, count in counted if count],
        rows=lambda span: tables.tasks_of_all(site.catalog, span),
        plain=plain_tasks,
        packed=packed_tasks,
    )


def project_table(site: Site) -> Table[ProjectRow]:
    """Every project, by id."""
    return Table(
        name="projects",
        groups=[Group(stamp.project, stamp.mark, 1) for stamp in site.stamps],
        rows=lambda span: project_questions.projects_of(site.catalog, span),
        plain=plain_projects,
        packed=packed_projects,
    )


def plain_tasks(rows: Sequence[TaskStanding]) -> Sequence[Plain]:
    """The rows of data/tasks.json."""
    return [_plain_task(row, anchor) for tasks in _boards(rows) for row, anchor in tasks]


def packed_tasks(rows: Sequence[TaskStanding]) -> Sequence[object]:
    """project, its page, whether its board names owners, its tasks: for each project."""
    return [
        (
            tasks[0][0].project,
            layout.project_href(tasks[0][0].project),
            int(tasks[0][0].names_owners),
            [_packed_task(row, anchor) for row, anchor in tasks],
        )
        for tasks in _boards(rows)
    ]


def _boards(rows: Sequence[TaskStanding]) -> Iterator[list[tuple[TaskStanding, str]]]:
    """The tasks of each project in turn, with their anchors."""
    for _, found in groupby(rows, attrgetter("project")):
        tasks = list(found)
        yield list(zip(tasks, lines.task_anchors((task.slug, task.line) for task in tasks), strict=True))


def _plain_task(row: TaskStanding, anchor: str) -> Plain:
    return {
        "project": row.project,
        "slug": row.slug,
        "title": row.title,
        "status": row.status,
        "status_text": row.status_text,
        "next": row.next,
        "owner": row.owner,
        "href": f"{layout.project_href(row.project)}#{anchor}",
        "line": row.line,
        "since": _iso(row.since),
        "changed_at": _iso(row.changed_at),
        "board_names_owners": row.names_owners,
    }


def _packed_task(row: TaskStanding, anchor: str) -> Sequence[object]:
    """slug, title, status, status as written, next, owner, since, changed, line, anchor (null: `t-` and the slug)."""
    return (
        row.slug,
        row.title,
        row.status,
        lines.written_status(row.status, row.status_text),
        row.next,
        row.owner,
        _seconds(row.since),
        _seconds(row.changed_at),
        row.line,
        None if anchor == f"t-{row.slug}" else anchor,
    )


def plain_projects(rows: Sequence[ProjectRow]) -> Sequence[Plain]:
    """The rows of data/projects.json; what is not known is null."""
    return list(map(_plain_project, rows))


def _plain_project(row: ProjectRow) -> Plain:
    host, owner, name = split_id(row.project)
    why = lines.hidden(row)
    return {
        "project": row.project,
        "host": host,
        "owner": owner,
        "name": name,
        "href": layout.project_href(row.project),
        "source": row.source,
        "state": row.state,
        "reason": row.reason,
        "visibility": row.visibility,
        "archived": row.archived,
        "shared": row.shared,
        "board": None if why else row.board,
        "tasks": None if why or row.board == "absent" else dict(row.tasks),
        "wiki_pages": None if why else row.wiki_pages + row.shared_pages,
        "errors": None if why else row.errors,
        "warnings": None if why else row.warnings,
        "changed_at": _iso(row.changed_at),
    }


def packed_projects(rows: Sequence[ProjectRow]) -> Sequence[object]:
    """project, its page, source, state, reason, visibility, archived, shared, why its numbers are not known, tasks of
    each of `lines.STATUSES` or null, wiki pages, where those stand, changed: for each project.
    """
    return list(map(_packed_project, rows))


def _packed_project(row: ProjectRow) -> Sequence[object]:
    line = lines.project_line(row)
    why = line.figures[0].why
    return (
        row.project,
        line.href,
        row.source,
        row.state,
        row.reason,
        row.visibility,
        int(row.archived),
        int(row.shared),
        why,
        None if why else [row.tasks.get(status, 0) for status in lines.STATUSES],
        line.wiki.number,
        line.wiki_href,
        _seconds(row.changed_at),
    )


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp())
