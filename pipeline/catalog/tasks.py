"""Questions about tasks: what is open everywhere, where a word stands, one board or one task as written."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from pipeline import search as queries
from pipeline import text
from pipeline.catalog import Catalog, check_slice, projects, sliced
from pipeline.catalog.ages import Looks
from pipeline.catalog.answers import (
    BoardText,
    DiagnosticRow,
    FileRow,
    FileText,
    Origin,
    ProjectRow,
    Rows,
    Span,
    TaskHit,
    TaskRow,
)
from pipeline.catalog.matching import Found, Scope, Searched
from pipeline.catalog.names import did_you_mean, pick, quoted
from pipeline.errors import CatalogError, UnknownPage
from pipeline.index_rows import own_text
from pipeline.index_schema import STATUSES, TASK_TEXTS
from pipeline.model import RepositoryId, Status
from pipeline.text import fold

CLOSED: tuple[Status, ...] = ("done", "cancelled")
FIELD_CLASSES = (0, 0, 1, 2)
COLUMNS = """i.repository, i.slug, i.title, i.status, i.status_text, i.next, i.owner, i.line,
    p.state, p.reason, p.source"""
FROM = "from items i cross join projects p on p.repository = i.repository"


@dataclass(frozen=True, slots=True)
class Contents:
    """Where the texts of one project are."""

    digest: str
    board_path: str | None
    board_file: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """One task with what only its own view shows."""

    task: TaskRow
    fields: tuple[tuple[str, str], ...]
    end_line: int


def aggregate(
    catalog: Catalog, status: str = "open", project: RepositoryId | None = None, *, limit: int = 30, offset: int = 0
) -> Rows[TaskRow]:
    """Tasks of all projects, or of one: active first, then blocked, paused, todo, unknown, done, cancelled;
    within a status boards that changed last come first, then by project and place in the board.

    `status` is one of the seven, `open` (all but done and cancelled) or `all`.

    Raises:
        CatalogError: another status, or a slice out of range.
    """
    check_slice(limit, offset)
    where = f"{_has_status(status)} and {_is_of('i', project)}"
    total = catalog.count(f"select count(*) from items i where {where}", {"repository": project})
    rows = catalog.query(
        f"""select {COLUMNS} {FROM} where {where}
        order by i.rank, i.changed_at desc, i.repository, i.position
        limit :limit offset :offset""",
        {"repository": project, "limit": limit, "offset": offset},
        _task_row(catalog.looks),
    )
    return sliced(rows, total, limit, offset)


def tasks_of(catalog: Catalog, status: Status, span: Span) -> list[TaskRow]:
    """A span of the tasks of one status, by project and place in the board."""
    return catalog.query(
        f"""select {COLUMNS} {FROM} where {_has_status(status)} and i.repository between :first and :last
        order by i.repository, i.position limit :count offset :skip""",
        asdict(span),
        _task_row(catalog.looks),
    )


def search(
    catalog: Catalog,
    query: str,
    status: str = "all",
    project: RepositoryId | None = None,
    *,
    limit: int = 20,
    offset: int = 0,
) -> Rows[TaskHit]:
    """Tasks whose slug, title, next and own text together hold every word of `query`.

    A hit in title or slug first, then in next, then in the text; a whole word before a part of one;
    projects that changed last first.

    Raises:
        CatalogError: a query without a word or too long, another status, or a slice out of range.
    """
    check_slice(limit, offset)
    terms = queries.parse_query(query)
    scope = Scope(
        joins="cross join items i on i.repository = t.repository and i.position = t.position",
        conditions=(_has_status(status), _is_of("t", project)),
        parameters={"repository": project},
        kept=project is None,
    )
    searched = Searched(catalog=catalog, texts=TASK_TEXTS, classes=FIELD_CLASSES, terms=terms)
    found = searched.find(scope)
    read = _board_reader(catalog)
    hits = [_hit(catalog, one, terms, read) for one in searched.best(found, limit, offset)]
    return sliced(hits, len(found), limit, offset)


def board(catalog: Catalog, project: RepositoryId, slug: str | None = None) -> BoardText:
    """The whole STATUS.md as written, or with `slug` that task's own section; and the files beside it.

    `files` are those under `.tasks/<slug>/`, or all of `.tasks/` for the whole board; a closed or empty
    board says so in `board`.

    Raises:
        UnknownRepository: no such project.
        UnknownPage: it has no board, or no such task; the message has the nearest slugs.
        CatalogError: the board's text was not brought.
    """
    row = projects.project(catalog, project)
    contents = _contents(catalog, project)
    written = _board_text(catalog, project, contents)
    section = None if slug is None else _section(catalog, row, slug)
    path = contents.board_path or ""
    return BoardText(
        project=row,
        board=row.board,
        task=section.task if section else None,
        fields=section.fields if section else (),
        text=own_text(written.split("\n"), section.task.line, section.end_line) if section else written,
        origin=Origin(project=project, path=path, revision=row.revision),
        changed_at=row.changed_at,
        files=_files(catalog, project, section.task.slug if section else None),
        diagnostics=_diagnostics(catalog, project, path, section),
    )


def file_text(catalog: Catalog, project: RepositoryId, path: str) -> FileText:
    """A Markdown file beside the board; `path` is whole, or starts below `.tasks/`.

    Raises:
        UnknownRepository: no such project.
        UnknownPage: no such file; the message has the nearest paths.
        CatalogError: its text was not brought.
    """
    row = projects.project(catalog, project)
    known = _task_files(catalog, project)
    paths = [found.path for found, _ in known]
    place = pick(path, paths)
    place = pick(path, [one.partition("/")[2] for one in paths]) if place is None else place
    if place is None:
        raise UnknownPage(f"no file {quoted(path)} below .tasks/ in {project}{did_you_mean(path, paths)}")
    found, file = known[place]
    if file is None:
        raise CatalogError(_not_brought(project, found.path))
    return FileText(
        file=found,
        text=catalog.read_text(project, _contents(catalog, project).digest, file),
        origin=Origin(project=project, path=found.path, revision=row.revision),
        changed_at=row.changed_at,
    )


def _has_status(status: str) -> str:
    """The SQL condition on `i.status`; only our own words get into it."""
    if status == "all":
        return "true"
    if status == "open":
        return f"i.rank < {min(map(STATUSES.index, CLOSED))}"
    if status not in STATUSES:
        raise CatalogError(f"no status {quoted(status)}; expected one of: open, all, {', '.join(STATUSES)}")
    return f"i.rank = {STATUSES.index(status)}"


def _is_of(table: str, project: RepositoryId | None) -> str:
    """The SQL condition that keeps to one project, in a form that its index serves."""
    return "true" if project is None else f"{table}.repository = :repository"


def _task_row(last_looks: Looks) -> Callable[..., TaskRow]:
    def shape(*columns: Any) -> TaskRow:
        repository, slug, title, status, status_text, following, owner, line, state, reason, source = columns
        return TaskRow(
            project=repository,
            slug=slug,
            title=title,
            status=status,
            status_text=status_text,
            next=following,
            owner=owner,
            line=line,
            state=state,
            reason=reason,
            stale=last_looks.is_stale(state, repository, source),
        )

    return shape


def _section_row(last_looks: Looks) -> Callable[..., Section]:
    task_row = _task_row(last_looks)

    def shape(*columns: Any) -> Section:
        *task, fields, end_line = columns
        pairs = tuple((name, value) for name, value in json.loads(fields))
        return Section(task_row(*task), pairs, end_line)

    return shape


def _sections(catalog: Catalog, project: RepositoryId, position: int | None = None) -> Sequence[Section]:
    """The tasks of one project in board order, or the one at `position`."""
    return catalog.query(
        f"""select {COLUMNS}, i.fields, i.end_line {FROM}
        where i.repository = :repository and (:position is null or i.position = :position)
        order by i.position""",
        {"repository": project, "position": position},
        _section_row(catalog.looks),
    )


def _section(catalog: Catalog, project: ProjectRow, slug: str) -> Section:
    sections = _sections(catalog, project.project)
    slugs = [section.task.slug for section in sections]
    place = pick(slug, slugs)
    if place is None:
        board = "the whole board" if slugs else f"that board, which is {project.board}"
        hint = did_you_mean(slug, slugs) or f"; tasks_get without a slug shows {board}"
        raise UnknownPage(f"no task {quoted(slug)} on the board of {project.project}{hint}")
    return sections[place]


def _hit(catalog: Catalog, found: Found, terms: tuple[str, ...], read: Callable[[RepositoryId], list[str]]) -> TaskHit:
    (section,) = _sections(catalog, found.repository, found.position)
    task = section.task
    match found.matched_in:
        case "slug":
            return TaskHit(task=task, matched_in="slug", snippet=text.snippet(task.slug, terms))
        case "title":
            return TaskHit(task=task, matched_in="title", snippet=text.snippet(task.title, terms))
        case "next":
            return TaskHit(task=task, matched_in="next", snippet=text.snippet(task.next or "", terms))
    own = own_text(read(found.repository), task.line, section.end_line)
    return TaskHit(task=task, matched_in="text", snippet=text.snippet(own, terms))


def _board_reader(catalog: Catalog) -> Callable[[RepositoryId], list[str]]:
    """Reads the lines of a board, each board once."""

    @cache
    def read(repository: RepositoryId) -> list[str]:
        return _board_text(catalog, repository, _contents(catalog, repository)).split("\n")

    return read


def _contents(catalog: Catalog, project: RepositoryId) -> Contents:
    found = catalog.query(
        "select digest, board_path, board_file from contents where repository = :repository",
        {"repository": project},
        Contents,
    )
    return found[0] if found else Contents("", None, None)


def _board_text(catalog: Catalog, project: RepositoryId, contents: Contents) -> str:
    if contents.board_path is None:
        raise UnknownPage(f"no .tasks/STATUS.md in {project}; meta_projects tells who has a board")
    if contents.board_file is None:
        raise CatalogError(_not_brought(project, contents.board_path))
    return catalog.read_text(project, contents.digest, contents.board_file)


def _not_brought(project: RepositoryId, path: str) -> str:
    return f"the text of {text.line(path)} in {project} was not brought by the last sync; run `doit`, then ask again"


def _task_files(catalog: Catalog, project: RepositoryId) -> list[tuple[FileRow, str | None]]:
    return catalog.query(
        "select path, size_bytes, file from task_files where repository = :repository order by path, position",
        {"repository": project},
        lambda path, size, file: (FileRow(path=path, size_bytes=size, available=file is not None), file),
    )


def _files(catalog: Catalog, project: RepositoryId, slug: str | None) -> tuple[FileRow, ...]:
    files = (file for file, _ in _task_files(catalog, project))
    if slug is None:
        return tuple(files)
    folder = fold(f"/{slug}/")
    return tuple(file for file in files if fold(file.path[file.path.find("/") :]).startswith(folder))


def _diagnostics(
    catalog: Catalog, project: RepositoryId, path: str, section: Section | None
) -> tuple[DiagnosticRow, ...]:
    """Those of the board, or of the task's own lines."""
    first, last = (section.task.line, section.end_line) if section else (None, None)
    rows = catalog.query(
        """select repository, code, severity, path, line, message from diagnostics
        where repository = :repository and path = :path and (:first is null or line between :first and :last)
        order by line, position""",
        {"repository": project, "path": path, "first": first, "last": last},
        projects.diagnostic_row,
    )
    return tuple(rows)
