"""Questions in the order of time: which commits there were, what some of them changed, how boards came to stand.

Times are whole seconds since 1970, days are whole days since then, both in UTC.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from pipeline.catalog import Catalog
from pipeline.model import RepositoryId, Status, TaskChangeKind

DAY_S = 86_400
# What a version of a page, or a change of a task, is shown with.
WIKI_SHOWN = """v.author, v.number, h.slug, h.title,
    exists (select 1 from pages o where o.repository = h.repository and o.slug = h.slug),
    v.path is null, v.before is null, v.code, v.added, v.removed"""
TASK_SHOWN = "v.author, v.slug, v.title, v.kind, v.status, v.before, v.after"
OF_PAGES = """page_versions v cross join page_histories h
    on h.repository = v.repository and h.position = v.position"""
OF_TASKS = "task_changes v"


class CommitKey(NamedTuple):
    """One commit of one project; sorted by time."""

    at: int
    project: RepositoryId
    commit: str


@dataclass(frozen=True, slots=True)
class CommitStamp:
    """A commit in short: how much it changed, and bytes that are equal only where all that is shown is."""

    key: CommitKey
    wiki: int
    tasks: int
    shown: bytes


@dataclass(frozen=True, slots=True)
class WikiChange:
    """What a commit did to one page; `code` is the version's, `is_there`: the wiki has a page of that slug now.

    Lines are None where they could not be counted.
    """

    author: str
    number: int
    slug: str
    title: str
    is_there: bool
    is_removal: bool
    is_new: bool
    code: str
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True)
class TaskTurn:
    """What a commit did to one task; `is_there`: a task of that slug stands on the board now.  Else as TaskChange."""

    author: str
    slug: str
    title: str
    kind: TaskChangeKind
    status: Status
    before: str | None
    after: str | None
    is_there: bool


@dataclass(frozen=True, slots=True)
class CommitChanges:
    """The first changes of a commit, by position."""

    key: CommitKey
    wiki: tuple[WikiChange, ...]
    tasks: tuple[TaskTurn, ...]

    @property
    def author(self) -> str:
        """Who made it."""
        return self.wiki[0].author if self.wiki else self.tasks[0].author


class Move(NamedTuple):
    """A task's status from `at` on; None: it is not on the board.  `order` rises with the board's versions."""

    slug: str
    at: int
    order: int
    before: Status | None
    after: Status | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStory:
    """What is known of how a board came to stand: its moves in no order, and the statuses it has now by slug."""

    is_loaded: bool
    moves: tuple[Move, ...]
    now: tuple[tuple[str, Status], ...]


def commits(catalog: Catalog, project: RepositoryId | None = None) -> tuple[CommitStamp, ...]:
    """Every commit that changed a wiki or a board, of all projects or of one, the oldest first."""
    wiki, tasks = _versions(catalog, project), _turns(catalog, project)
    none: list[bytes] = []
    found = ((key, wiki.get(key, none), tasks.get(key, none)) for key in sorted({*wiki, *tasks}))
    return tuple(
        CommitStamp(key, len(pages), len(turns), b"%b\n%b" % (b"".join(pages), b"".join(turns)))
        for key, pages, turns in found
    )


def changes(
    catalog: Catalog, first: CommitKey, last: CommitKey, most: int, project: RepositoryId | None = None
) -> tuple[CommitChanges, ...]:
    """What the commits from `first` to `last` changed, the newest first; at most `most` pages and tasks of each."""
    there = _slugs(catalog)
    given = {"since": first.at, "until": last.at, "most": most, "project": project}
    wiki: dict[CommitKey, list[WikiChange]] = {}
    for key, shown in catalog.query(_first_rows(OF_PAGES, WIKI_SHOWN, "v.position, v.number", project), given, _keyed):
        wiki.setdefault(key, []).append(_wiki_change(shown))
    tasks: dict[CommitKey, list[TaskTurn]] = {}
    for key, shown in catalog.query(_first_rows(OF_TASKS, TASK_SHOWN, "v.position", project), given, _keyed):
        tasks.setdefault(key, []).append(_task_turn(shown, is_there=(key.project, shown[1]) in there))
    return tuple(
        CommitChanges(key, tuple(wiki.get(key, ())), tuple(tasks.get(key, ())))
        for key in sorted({*wiki, *tasks}, reverse=True)
        if first <= key <= last
    )


def days(catalog: Catalog, project: RepositoryId | None = None) -> Mapping[int, int]:
    """How many changes of pages and tasks each day had that had some."""
    where = _where(project)
    found = catalog.query(
        f"""select at / {DAY_S} - (at % {DAY_S} < 0) as day, count(*) from (
            select at from page_versions v where {where} union all select at from task_changes v where {where}
        ) group by day order by day""",
        {"project": project},
        lambda *columns: columns,
    )
    return dict(found)


def last_touched(catalog: Catalog, statuses: Sequence[Status]) -> Mapping[int, int]:
    """How many tasks of these statuses were last changed on each day; without history that is their project's day."""
    found = catalog.query(
        f"""select touched / {DAY_S} as day, count(*) from (
            select coalesce(c.at, cast(strftime('%s', p.committed_at) as integer)) as touched
            from items i join projects p on p.repository = i.repository
            left join (select repository, slug, max(at) as at from task_changes group by repository, slug) c
            on c.repository = i.repository and c.slug = i.slug
            where i.status in (select value from json_each(:statuses))
        ) where touched is not null group by day order by day""",
        {"statuses": json.dumps(list(statuses))},
        lambda *columns: columns,
    )
    return dict(found)


def board_stories(catalog: Catalog, project: RepositoryId | None = None) -> tuple[BoardStory, ...]:
    """Of every board that there is, or whose history is here, by project."""
    given, where = {"project": project}, _where(project)
    moves: dict[str, list[Move]] = {}
    for repository, move in catalog.query(
        f"""select repository, slug, at, -position, before, after from task_changes v
        where kind <> 'next' and {where} order by repository, position""",
        given,
        lambda repository, *columns: (repository, Move(*columns)),
    ):
        moves.setdefault(repository, []).append(move)
    now: dict[str, list[tuple[str, Status]]] = {}
    for repository, slug, status in catalog.query(
        f"select repository, slug, status from items v where {where} order by repository, position",
        given,
        lambda *columns: columns,
    ):
        now.setdefault(repository, []).append((slug, status))
    loaded = set(catalog.query(f"select repository from histories v where tasks_is_loaded and {where}", given, str))
    return tuple(
        BoardStory(is_loaded=name in loaded, moves=tuple(moves.get(name, ())), now=tuple(now.get(name, ())))
        for name in sorted({*loaded, *now})
    )


def _where(project: RepositoryId | None) -> str:
    return "true" if project is None else "v.repository = :project"


def _versions(catalog: Catalog, project: RepositoryId | None) -> dict[CommitKey, list[bytes]]:
    """By commit, what is shown of each page that it changed."""
    given, where = {"project": project}, _where(project)
    faces: dict[tuple[str, int], bytes] = {}
    found: dict[CommitKey, list[bytes]] = {}

    def name(repository: str, position: int, *face: object) -> None:
        faces[repository, position] = orjson.dumps(face)

    def add(repository: RepositoryId, position: int, at: int, commit: str, *shown: object) -> None:
        told = faces[repository, position] + orjson.dumps(shown)
        found.setdefault(CommitKey(at, repository, commit), []).append(told)

    # Joined here: a page has many versions, and SQLite would look it up for each.
    catalog.query(
        f"""select v.repository, v.position, v.slug, v.title,
            exists (select 1 from pages o where o.repository = v.repository and o.slug = v.slug)
            from page_histories v where {where}""",
        given,
        name,
    )
    catalog.query(
        f"""select v.repository, v.position, v.at, v.commit_id, v.author, v.number, v.path is null,
            v.before is null, v.code, v.added, v.removed from page_versions v
            where {where} order by v.repository, v.position, v.number""",
        given,
        add,
    )
    return found


def _turns(catalog: Catalog, project: RepositoryId | None) -> dict[CommitKey, list[bytes]]:
    """By commit, what is shown of each task that it changed."""
    there = _slugs(catalog)
    found: dict[CommitKey, list[bytes]] = {}

    def add(at: int, repository: RepositoryId, commit: str, author: str, slug: str, *shown: object) -> None:
        told = orjson.dumps((author, slug, *shown, (repository, slug) in there))
        found.setdefault(CommitKey(at, repository, commit), []).append(told)

    catalog.query(
        f"""select v.at, v.repository, v.commit_id, {TASK_SHOWN} from {OF_TASKS} where {_where(project)}
        order by v.repository, v.position""",
        {"project": project},
        add,
    )
    return found


def _slugs(catalog: Catalog) -> frozenset[tuple[str, str]]:
    """The project and slug of every task that stands on a board now."""

    def ask() -> frozenset[tuple[str, str]]:
        return frozenset(catalog.query("select repository, slug from items", {}, lambda *columns: columns))

    return catalog.once("task slugs", ask)


def _first_rows(table: str, shown: str, order: str, project: RepositoryId | None) -> str:
    """The SELECT of each commit's first rows."""
    names = ", ".join(f"c{number}" for number, _ in enumerate(shown.split(",")))
    columns = ", ".join(f"{column} as c{number}" for number, column in enumerate(shown.split(",")))
    return f"""select at, repository, commit_id, {names} from (
            select v.at, v.repository, v.commit_id, {columns},
            row_number() over (partition by v.at, v.repository, v.commit_id order by {order}) as place
            from {table} where v.at between :since and :until and {_where(project)}
        ) where place <= :most order by at, repository, commit_id, place"""


def _keyed(at: int, repository: str, commit: str, *shown: Any) -> tuple[CommitKey, list[Any]]:
    return CommitKey(at, RepositoryId(repository), commit), list(shown)


def _wiki_change(shown: list[Any]) -> WikiChange:
    author, number, slug, title, is_there, is_removal, is_new, code, added, removed = shown
    return WikiChange(author, number, slug, title, bool(is_there), bool(is_removal), bool(is_new), code, added, removed)


def _task_turn(shown: list[Any], *, is_there: bool) -> TaskTurn:
    author, slug, title, kind, status, before, after = shown
    return TaskTurn(author, slug, title, kind, status, before, after, is_there)
