"""How things stand: meta_status, meta_projects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from mcp_server import results
from mcp_server.arguments import OFFSET, Text, rows
from mcp_server.tool import Reader, Tool
from pipeline.catalog import answers, projects
from pipeline.catalog.status import freshness, read_status, status_before_first_sync
from pipeline.errors import NothingPublished
from pipeline.model import BoardState, Evidence, IndexState, RepositoryId, Severity, State, Status

PROJECTS_LIMIT = 50

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemStatus(results.Answer):
    """meta_status.  Counts by status, state or code leave out zeros."""

    checked_at: datetime | None
    machine: str | None
    stale_after_hours: float
    sources: tuple[answers.SourceRow, ...]
    projects: int
    boards: int
    tasks: Mapping[Status, int]
    wiki_pages: int
    shared_pages: int
    projects_by_state: Mapping[State, int]
    diagnostics: Mapping[Severity, int]
    diagnostics_by_code: Mapping[str, int]
    wiki_histories: answers.Coverage
    board_histories: answers.Coverage
    advice: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One project; `tasks` counts by status, zeros left out; `changed_at` is the time of its last shown change.

    `synced_at`, of the last good look at it, is told where that is not as the whole answer has it, and
    `evidence`, what the last look rested on, where that was more than the source's listing.  `since` is when
    its source was first seen without it.
    """

    project: RepositoryId
    state: State
    reason: str | None
    since: datetime | None
    stale: bool
    synced_at: datetime | None
    evidence: Evidence | None
    board: BoardState
    tasks: Mapping[Status, int] | None
    index: IndexState
    wiki_pages: int
    changed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectList(results.ListAnswer):
    """meta_projects."""

    projects: tuple[Project, ...]


def ask_projects(reader: Reader, *, query: str | None, limit: int, offset: int) -> ProjectList:
    """Every project, or those whose name holds the query."""
    catalog = reader.catalog()
    found = projects.list_projects(catalog, query=query, limit=limit, offset=offset)
    listed = results.fitting([_listed(row) for row in found.rows], limit, PROJECTS_LIMIT)
    return ProjectList(**results.age(freshness(catalog)), **results.position(found, len(listed)), projects=listed)


def _listed(row: answers.ProjectRow) -> Project:
    return Project(
        project=row.project,
        state=row.state,
        reason=row.reason,
        since=row.since,
        stale=row.stale,
        synced_at=row.synced_at if row.state != "ok" else None,
        evidence=row.evidence if row.evidence != "listing" else None,
        board=row.board,
        tasks=_counted(row.tasks) or None,
        index=row.index,
        wiki_pages=row.wiki_pages,
        changed_at=row.changed_at,
    )


def ask_status(reader: Reader) -> SystemStatus:
    """How things stand; the one question that has an answer before the first sync."""
    try:
        found = read_status(reader.catalog())
    except NothingPublished:
        found = status_before_first_sync(reader.published.reading(), reader.published.now())
    return SystemStatus(
        **results.age(found.freshness),
        checked_at=found.checked_at,
        machine=found.machine,
        stale_after_hours=found.stale_after_hours,
        sources=found.sources,
        projects=found.projects,
        boards=found.boards,
        tasks=_counted(found.tasks),
        wiki_pages=found.wiki_pages,
        shared_pages=found.shared_pages,
        projects_by_state=_counted(found.projects_by_state),
        diagnostics=_counted(found.diagnostics),
        diagnostics_by_code=_counted(found.diagnostics_by_code),
        wiki_histories=found.wiki_histories,
        board_histories=found.board_histories,
        advice=found.advice,
    )


def _counted(counts: Mapping[Key, int]) -> Mapping[Key, int]:
    return {key: count for key, count in counts.items() if count}


# --- the same in words -------------------------------------------------------------------------------


def show_status(answer: SystemStatus) -> str:
    """Age first, then what there is, what is wrong and what to do."""
    return "\n".join(
        [
            f"{results.age_words(answer)}; stale after {answer.stale_after_hours:g} h",
            f"{answer.projects} projects{_counts(answer.projects_by_state)}, {answer.boards} boards, "
            f"{sum(answer.tasks.values())} tasks{_counts(answer.tasks)}, {answer.wiki_pages} wiki pages, "
            f"{answer.shared_pages} shared pages",
            *(f"source {results.quoted(row.source)}: {_source(row)}" for row in answer.sources),
            f"{sum(answer.diagnostics.values())} findings in texts{_counts(answer.diagnostics)}",
            f"histories: wikis {_covered(answer.wiki_histories)}; boards {_covered(answer.board_histories)}",
            *answer.advice,
        ]
    )


def _covered(found: answers.Coverage) -> str:
    behind = f" ({found.behind} behind)" if found.behind else ""
    return f"{found.loaded} loaded{behind}, {found.missing} missing"


def show_projects(answer: ProjectList) -> str:
    """One line per project."""
    lines = [f"- {results.named(row.project)}: {_project(row)}" for row in answer.projects]
    return "\n".join([results.list_words(answer, "projects", len(lines)), *lines])


def _source(row: answers.SourceRow) -> str:
    reason = f" ({results.quoted(row.reason)})" if row.reason else ""
    age = "never synced" if row.age_hours is None else f"synced {row.age_hours:g} h ago"
    rested = f", by{_counts(row.evidence)}" if row.evidence else ""
    return f"{row.state}{reason}, {row.repositories} repositories{rested}, {age}{', STALE' if row.stale else ''}"


def _project(row: Project) -> str:
    reason = f" ({results.quoted(row.reason)})" if row.reason else ""
    missing = f", missing since {row.since:%Y-%m-%d}" if row.since else ""
    changed = f", changed {row.changed_at:%Y-%m-%d}" if row.changed_at else ""
    seen = f", last seen {row.synced_at:%Y-%m-%d %H:%M} UTC" if row.synced_at else ""
    stale = f"{missing}{seen}{', STALE' if row.stale else ''}"
    tasks = _counts(row.tasks or {})
    return f"{row.state}{reason}{stale}, board {row.board}{tasks}, wiki {row.index}, {row.wiki_pages} pages{changed}"


def _counts(counts: Mapping[Any, int]) -> str:
    return f" ({', '.join(f'{key} {count}' for key, count in counts.items())})" if counts else ""


# --- the rows ------------------------------------------------------------------------------------------

TOOLS = (
    Tool(
        name="meta_status",
        title="meta.status",
        description=(
            "How fresh and whole this view is: last sync, sources with state and reason, counts, trouble by kind, "
            "and what to do. Answers also before the first sync."
        ),
        arguments=(),
        answer=SystemStatus,
        ask=ask_status,
        show=show_status,
    ),
    Tool(
        name="meta_projects",
        title="meta.projects",
        description=(
            "List projects with state, tasks by status, wiki pages and last change: whom to ask. A project is "
            "named by name, owner/name or host/owner/name."
        ),
        arguments=(Text(name="query", meaning="part of a name"), rows(PROJECTS_LIMIT), OFFSET),
        answer=ProjectList,
        ask=ask_projects,
        show=show_projects,
    ),
)
