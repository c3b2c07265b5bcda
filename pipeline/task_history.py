"""A board's versions → what happened to each task.  Pure.

Each commit is compared with its first parent.  What a merge brings was told of the branch's own commits already, so
what a task is said to have become twice in a row is told once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.artifact import find_board
from pipeline.chains import commits_in_order
from pipeline.model import (
    Board,
    Commit,
    Diagnostic,
    FolderHistory,
    RepoPath,
    TaskChange,
    TaskChangeKind,
    WorkItem,
)
from pipeline.renames import Matcher, Text

ParseBoard = Callable[[RepoPath, bytes], tuple[Board, tuple[Diagnostic, ...]]]
Tasks = Mapping[str, WorkItem]
Sides = tuple[str | None, str | None]

NO_TASKS: Tasks = {}
RENAME_EFFORT = 1_000_000


def task_changes(
    history: FolderHistory, text: Text, parse: ParseBoard, told: Sequence[TaskChange] = ()
) -> tuple[TaskChange, ...]:
    """What the commits of a folder changed about the tasks of its board, newest first; of one commit by slug.

    The board is the file that `find_board` would choose at that point; before it was called so, the file that it was
    renamed from.  A version that cannot be read (its bytes are not there, or `parse` reports an error) changes
    nothing: the next one that can be is compared with the last one that could.  A board that was removed or closed
    has no tasks.  A task is known by its slug, so one with another slug is another task.

    `told` are the changes of older commits, newest first, where `history.order` holds only the newer ones.
    """
    reader = _BoardReader(text, parse, _predecessors(history.commits))
    feed = _Feed.after(told)
    found = [tuple(feed.tell(version, reader)) for version in _versions(history, text)]
    return tuple(change for changes in reversed(found) for change in changes)


@dataclass(frozen=True, slots=True)
class _Version:
    """What one commit made of the board; None: there is no board."""

    commit: Commit
    path: RepoPath
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class _BoardReader:
    """Reads each version of the board once."""

    text: Text
    parse: ParseBoard
    predecessors: Mapping[str, str | None]
    known: dict[str, Tasks | None] = field(default_factory=dict)

    def tasks(self, path: RepoPath, oid: str | None) -> Tasks:
        """The tasks of a version; of one that cannot be read, those of the last one before it that can."""
        passed: set[str] = set()
        while oid is not None and oid not in passed:
            passed.add(oid)
            tasks = self._read(path, oid)
            if tasks is not None:
                return tasks
            oid = self.predecessors.get(oid)
        return NO_TASKS

    def _read(self, path: RepoPath, oid: str) -> Tasks | None:
        if oid not in self.known:
            raw = self.text(oid)
            self.known[oid] = None if raw is None else self._parse(path, raw)
        return self.known[oid]

    def _parse(self, path: RepoPath, raw: bytes) -> Tasks | None:
        board, found = self.parse(path, raw)
        if any(one.severity == "error" for one in found):
            return None
        return {item.slug: item for item in board.items}


@dataclass(frozen=True, slots=True)
class _Feed:
    """What was last told of each task: its status (None: it vanished), and its next action since it appeared."""

    statuses: dict[str, str | None] = field(default_factory=dict)
    actions: dict[str, str | None] = field(default_factory=dict)

    @classmethod
    def after(cls, told: Sequence[TaskChange]) -> _Feed:
        """The feed that goes on from what was told, newest first."""
        feed = cls()
        for change in reversed(told):
            feed._keep(change)
        return feed

    def tell(self, version: _Version, reader: _BoardReader) -> Iterator[TaskChange]:
        """What is new in a version."""
        before = reader.tasks(version.path, version.before)
        after = reader.tasks(version.path, version.after)
        for slug in sorted({*before, *after}):
            for change in _compare(version.commit, before.get(slug), after.get(slug)):
                if not self._is_told(change):
                    self._keep(change)
                    yield change

    def _is_told(self, change: TaskChange) -> bool:
        of_kind = self.actions if change.kind == "next" else self.statuses
        return change.slug in of_kind and of_kind[change.slug] == change.after

    def _keep(self, change: TaskChange) -> None:
        if change.kind == "next":
            self.actions[change.slug] = change.after
            return
        self.statuses[change.slug] = change.after
        if change.kind != "status":
            self.actions.pop(change.slug, None)


def _compare(commit: Commit, old: WorkItem | None, new: WorkItem | None) -> Iterator[TaskChange]:
    if old is None and new is not None:
        yield _change(commit, new, "appeared", None, new.status)
    elif new is None and old is not None:
        yield _change(commit, old, "vanished", old.status, None)
    elif old is not None and new is not None:
        if old.status != new.status:
            yield _change(commit, new, "status", old.status, new.status)
        if old.next != new.next:
            yield _change(commit, new, "next", old.next, new.next)


def _change(commit: Commit, item: WorkItem, kind: TaskChangeKind, before: str | None, after: str | None) -> TaskChange:
    return TaskChange(
        commit=commit.id,
        author=commit.author,
        email=commit.email,
        at=commit.committed_at,
        slug=item.slug,
        title=item.title,
        kind=kind,
        status=item.status,
        before=before,
        after=after,
    )


def _versions(history: FolderHistory, text: Text) -> Iterator[_Version]:
    """The board's versions, the oldest first."""
    steps = _board_changes(history, text)
    there: dict[RepoPath, str | None] = {}
    for _, sides in steps:
        there.update({path: before for path, (before, _) in sides.items() if path not in there})
    for commit, sides in steps:
        former = {**there, **{path: before for path, (before, _) in sides.items()}}
        there |= {path: after for path, (_, after) in sides.items()}
        was, now = _board_of(former), _board_of(there)
        path = now or was
        if path is not None:
            yield _Version(commit, path, former[was] if was else None, there[now] if now else None)


def _board_of(there: Mapping[RepoPath, str | None]) -> RepoPath | None:
    """The file that is the board, of those that are there."""
    found = find_board([path for path, oid in there.items() if oid is not None])
    return found[0] if found else None


def _board_changes(history: FolderHistory, text: Text) -> list[tuple[Commit, dict[RepoPath, Sides]]]:
    """What each commit made of each spelling of the board, the oldest commit first.

    A file that the board was renamed from is told under the board's name.
    """
    formers: dict[RepoPath, RepoPath] = {}
    steps = [(commit, _sides(commit, formers, text)) for commit in commits_in_order(history)]
    return [(commit, sides) for commit, sides in reversed(steps) if sides and not commit.is_beyond]


def _sides(commit: Commit, formers: dict[RepoPath, RepoPath], text: Text) -> dict[RepoPath, Sides]:
    """The sides of what a commit made of the board; `formers`, its former names, go on to those before the commit."""
    sides: dict[RepoPath, Sides] = {}
    of_board = [(one, _board_name(one.path, formers)) for one in commit.changes]
    is_added = any(name and one.before is None for one, name in of_board)
    renames = Matcher(text, RENAME_EFFORT).find(commit.changes) if is_added else {}
    removed = {one.path: one.before for one in commit.changes}
    for change, name in of_board:
        if name is None:
            continue
        before = change.before
        if before is None:
            old = renames.get(change.path)
            if old is not None:
                formers.pop(change.path, None)
            if old is not None and not find_board([old]):
                formers[old] = name
                before = removed[old]
        known = sides.get(name, (None, None))
        sides[name] = (known[0] or before, known[1] or change.after)
    return sides


def _board_name(path: RepoPath, formers: Mapping[RepoPath, RepoPath]) -> RepoPath | None:
    return path if find_board([path]) else formers.get(path)


def _predecessors(commits: Sequence[Commit]) -> dict[str, str | None]:
    """By blob, what stood in its place before the first commit that brought it."""
    found: dict[str, str | None] = {}
    for commit in sorted(commits, key=lambda one: (one.committed_at, one.id)):
        for change in commit.changes:
            if change.after is not None:
                found.setdefault(change.after, change.before)
    return found
