"""How old the answers are, how things stand altogether, and what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from pipeline.catalog import NOTHING_PUBLISHED, Catalog
from pipeline.catalog.ages import Looks, looks
from pipeline.catalog.answers import Coverage, Freshness, ProjectRow, SourceRow, StatusAnswer
from pipeline.catalog.history import coverage
from pipeline.catalog.names import quoted
from pipeline.index_schema import STATUSES
from pipeline.model import BoardState, SourceReading, State, SyncReading
from pipeline.text import line

Row = TypeVar("Row")

NOTHING_COVERED = Coverage(loaded=0, missing=0, behind=0)
REASONS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Standing:
    """What the projects of one state and one kind of board add up to."""

    state: State
    board: BoardState
    projects: int
    wiki_pages: int
    shared_pages: int


def freshness(catalog: Catalog, project: ProjectRow | None = None) -> Freshness:
    """How old an answer of this catalog is: one about everything, or one about a single project."""
    if project is None:
        return _freshness(catalog.looks, catalog.store.version)
    return Freshness(
        synced_at=project.synced_at,
        age_hours=catalog.looks.age_hours(project.synced_at),
        stale=project.stale,
        version=catalog.store.version,
    )


def read_status(catalog: Catalog) -> StatusAnswer:
    """Everything counted, and advice: one sentence per thing that someone should do.

    A project that is gone counts in `projects_by_state` alone.
    """
    everything = _ask_once(
        catalog,
        "select state, board, count(*), sum(wiki_pages), sum(shared_pages) from projects group by state, board",
        Standing,
    )
    living = [one for one in everything if one.state != "gone"]
    tasks = _ask_once(
        catalog, "select rank, count(*) from items group by rank", lambda rank, count: (STATUSES[rank], count)
    )
    states: Counter[State] = Counter()
    for one in everything:
        states[one.state] += one.projects
    answer = replace(
        _without_counts(catalog.reading, catalog.looks, catalog.store.version),
        projects=sum(one.projects for one in living),
        boards=sum(one.projects for one in living if one.board != "absent"),
        tasks=dict(sorted(tasks)),
        wiki_pages=sum(one.wiki_pages for one in living),
        shared_pages=sum(one.shared_pages for one in living),
        projects_by_state=dict(sorted(states.items())),
        diagnostics=dict(_counts(catalog, "severity")),
        diagnostics_by_code=dict(_counts(catalog, "code")),
        wiki_histories=coverage(catalog, "wiki"),
        board_histories=coverage(catalog, "tasks"),
    )
    return replace(answer, advice=(*_advice(answer), *_history_advice(answer, catalog.looks)))


def status_before_first_sync(reading: SyncReading | None, now: datetime) -> StatusAnswer:
    """What there is to say when nothing is published: the command to run, and which source failed."""
    answer = _without_counts(reading, looks(reading, now), 0)
    return replace(answer, advice=(NOTHING_PUBLISHED, *_source_advice(answer)))


def _without_counts(reading: SyncReading | None, last_looks: Looks, version: int) -> StatusAnswer:
    return StatusAnswer(
        freshness=_freshness(last_looks, version),
        checked_at=reading.checked_at if reading else None,
        machine=line(reading.machine) if reading else None,
        stale_after_hours=last_looks.limit_hours,
        sources=tuple(_source_row(last_looks, last_looks.sources[name]) for name in sorted(last_looks.sources)),
        projects=0,
        boards=0,
        tasks={},
        wiki_pages=0,
        shared_pages=0,
        projects_by_state={},
        diagnostics={},
        diagnostics_by_code={},
        wiki_histories=NOTHING_COVERED,
        board_histories=NOTHING_COVERED,
        advice=(),
    )


def _freshness(last_looks: Looks, version: int) -> Freshness:
    """The oldest source tells the age; one that never had a good look makes it unknown."""
    sources = last_looks.sources.values()
    good = [source.synced_at for source in sources if source.synced_at is not None]
    synced_at = min(good) if good and len(good) == len(sources) else None
    return Freshness(
        synced_at=synced_at,
        age_hours=last_looks.age_hours(synced_at),
        stale=last_looks.is_old(synced_at) or any(source.state == "unreachable" for source in sources),
        version=version,
    )


def _source_row(last_looks: Looks, source: SourceReading) -> SourceRow:
    return SourceRow(
        source=line(source.source),
        state=source.state,
        reason=None if source.reason is None else line(source.reason),
        synced_at=source.synced_at,
        age_hours=last_looks.age_hours(source.synced_at),
        stale=source.state == "unreachable" or last_looks.is_old(source.synced_at),
        repositories=source.repositories,
        evidence=source.evidence,
        audited_at=source.audited_at,
    )


def _counts(catalog: Catalog, column: str) -> list[tuple[Any, int]]:
    """How many diagnostics there are by `severity` or `code`, our own column names."""
    return _ask_once(
        catalog, f"select {column}, count(*) from diagnostics group by {column} order by {column}", lambda *row: row
    )


def _ask_once(catalog: Catalog, sql: str, shape: Callable[..., Row]) -> list[Row]:
    return catalog.once(sql, lambda: catalog.query(sql, {}, shape))


def _advice(answer: StatusAnswer) -> Iterator[str]:
    yield from _source_advice(answer)
    if not answer.sources:
        yield "no reading of a sync is here, so the age of this version is unknown; run `doit`"
    elif any(source.stale and source.state == "ok" for source in answer.sources):
        yield f"the last good look is older than {answer.stale_after_hours:g} hours; run `doit`"
    if not answer.projects:
        yield "no project is known; add a source to sources.toml and run `doit`"
    unreachable = answer.projects_by_state.get("unreachable", 0)
    if unreachable:
        yield f"{unreachable} of {answer.projects} projects could not be read; meta_projects shows the reasons"
    errors, warnings = (answer.diagnostics.get(severity, 0) for severity in ("error", "warning"))
    if errors or warnings:
        counted = f"{_count(errors, 'error')} and {_count(warnings, 'warning')}"
        yield f"{counted} in the projects' own texts; tasks_get and the report show where"


def _history_advice(answer: StatusAnswer, last_looks: Looks) -> Iterator[str]:
    wikis, boards = answer.wiki_histories.missing, answer.board_histories.missing
    if wikis or boards:
        yield f"the history of {_count(wikis, 'wiki')} and {_count(boards, 'board')} is not here; `doit` brings more"
    reasons = Counter(row.reason for row in last_looks.histories.values() if row.reason is not None)
    for reason, projects in sorted(reasons.items(), key=lambda each: (-each[1], each[0]))[:REASONS_SHOWN]:
        yield f"the history of {_count(projects, 'project')} could not be brought: {line(reason)}"


def _source_advice(answer: StatusAnswer) -> Iterator[str]:
    for source in answer.sources:
        if source.state == "unreachable":
            shown = "its last good copy is shown" if source.synced_at else "it was never read"
            reason = source.reason or "no reason was given"
            yield f"source {quoted(source.source)} is unreachable ({reason}); {shown}; mend it, then run `doit`"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
