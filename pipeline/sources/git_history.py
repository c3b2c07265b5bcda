"""The log of one folder of a git repository, and what each of its commits did to the folder's Markdown files.

git's library walks all commits and knows no folder.  So this walk is git's own (`git log -- <folder>`): commits come
by commit date, the newest first, those of one date as they were found; of one that has the folder as a parent has it
that parent alone is followed, and it is not told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush

import pygit2
from pygit2.enums import FileMode

from pipeline.errors import SourceUnreachable
from pipeline.model import Commit, FolderHistory, HistoryPart, HistoryQuest, HistoryText
from pipeline.sources.history import (
    TEXT_LIMIT_BYTES,
    Logged,
    changes_of,
    gives_names,
    instant,
    is_page,
    marked_anew,
    reach,
)

TREES_KEPT = 4_096
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
CHANGES_LIMIT = 100_000
DEPTH_LIMIT = 4_096
ROW = re.compile(rb"([0-7]{5,6}) ([^\0]+)\0(.{20})", re.DOTALL)
TREE, FILE = b"40000", re.compile(rb"100[0-7]{3}")

Place = tuple[int, str] | None
Row = tuple[bytes, bytes, bytes]
Side = dict[str, tuple[str | None, str | None]]


@dataclass(frozen=True, slots=True)
class Step:
    """A commit that changed the folder; `is_only`: nothing else was waiting, so all that follows comes by it."""

    commit: pygit2.Commit
    is_only: bool


def read_history(git: pygit2.Repository, start: pygit2.Commit | None, quest: HistoryQuest) -> Iterator[HistoryPart]:
    """Tell the history of `quest.folder` up to `start`, the newest commits first; without a start there is none.

    Raises:
        SourceUnreachable: a commit changed over 100,000 files.
    """
    steps, tail = _read_log(git, start, quest)
    log = [_logged(step.commit) for step in steps]
    found = reach(log, quest, tail)
    known = {commit.id: commit for commit in quest.known.commits} if quest.known else {}
    yield from marked_anew(known, found)
    beyond, given = set(found.beyond), set[str]()
    differ, told = TreeDiff(git, quest.folder), {*found.order, *found.beyond} - known.keys()
    for step in steps:
        if str(step.commit.id) in told:
            yield from _tell(git, differ, step.commit, quest, given, is_beyond=str(step.commit.id) in beyond)
    yield found.last_word()


def walk(git: pygit2.Repository, start: pygit2.Commit, folder: str) -> Iterator[Step]:
    """The commits of `git log <start> -- <folder>`, in git's order."""
    place = _places(git, folder)
    waiting = [(-start.commit_time, 0, start.id)]
    found = {start.id}
    while waiting:
        commit = git[heappop(waiting)[2]]
        assert isinstance(commit, pygit2.Commit)
        here = place(commit)
        parents = commit.parents
        same = next((parent for parent in parents if place(parent) == here), None)
        if same is None and (parents or here is not None):
            yield Step(commit, is_only=not waiting)
        for parent in parents if same is None else [same]:
            if parent.id not in found:
                found.add(parent.id)
                heappush(waiting, (-parent.commit_time, len(found), parent.id))


class TreeDiff:
    """Compares what stands at one folder in two commits, looking into nothing that is equal."""

    def __init__(self, git: pygit2.Repository, folder: str) -> None:
        self._folder = folder
        self._place = _places(git, folder)
        self._rows = lru_cache(TREES_KEPT)(lambda oid: _read_rows(git, oid))

    def sides(self, commit: pygit2.Commit) -> list[Side]:
        """Per parent, or against nothing for a first commit, the Markdown files that differ."""
        after = self._place(commit)
        parents = [self._place(parent) for parent in commit.parents] or [None]
        return [self._differences(before, after) for before in parents]

    def _differences(self, old: Place, new: Place) -> Side:
        found: Side = {}
        pending = [(f"{self._folder}/" if self._folder else "", _tree_of(old), _tree_of(new))]
        looked_at = 0
        while pending:
            prefix, before, after = pending.pop()
            for path, one, two in self._changed_rows(prefix, before, after):
                looked_at += 1
                _refuse(looked_at > CHANGES_LIMIT or len(path) > DEPTH_LIMIT)
                if _is_tree(one) or _is_tree(two):
                    pending.append((f"{path}/", _subtree(one), _subtree(two)))
                if is_page(path, self._folder) and _file(one) != _file(two):
                    found[path] = (_file(one), _file(two))
        return found

    def _changed_rows(
        self, prefix: str, before: str | None, after: str | None
    ) -> Iterator[tuple[str, Row | None, Row | None]]:
        old, new = (self._rows(oid) if oid is not None else frozenset() for oid in (before, after))
        olds, news = ({row[1]: row for row in rows} for rows in (old - new, new - old))
        for name in olds.keys() | news.keys():
            yield prefix + name.decode("utf-8", "backslashreplace"), olds.get(name), news.get(name)


def _read_log(
    git: pygit2.Repository, start: pygit2.Commit | None, quest: HistoryQuest
) -> tuple[list[Step], FolderHistory | None]:
    """The log, and what is known to follow it: it ends where nothing but a known log can follow."""
    steps: list[Step] = []
    order = (quest.known.order if quest.known else None) or ()
    rest = set(order)
    for step in walk(git, start, quest.folder) if start is not None else ():
        if step.is_only and str(step.commit.id) in order[:1] and rest.isdisjoint(str(each.commit.id) for each in steps):
            return steps, quest.known
        steps.append(step)
    return steps, None


def _tell(
    git: pygit2.Repository,
    differ: TreeDiff,
    commit: pygit2.Commit,
    quest: HistoryQuest,
    given: set[str],
    *,
    is_beyond: bool,
) -> Iterator[HistoryPart]:
    """One commit after its texts; of what is beyond, only what may have renamed."""
    told = _commit(commit, differ, is_beyond=is_beyond)
    if is_beyond and not gives_names(told.changes):
        return
    for oid in [oid for each in told.changes for oid in (each.before, each.after) if oid is not None]:
        if oid not in given and not quest.has_text(oid):
            given.add(oid)
            yield from _texts(git, oid)
    yield told


def _texts(git: pygit2.Repository, oid: str) -> Iterator[HistoryText]:
    """The bytes, unless they are too many or, in a partial clone, not here."""
    found = git.get(oid)
    if isinstance(found, pygit2.Blob) and found.size <= TEXT_LIMIT_BYTES:
        yield HistoryText(oid=oid, content=bytes(found.data))


def _commit(commit: pygit2.Commit, differ: TreeDiff, *, is_beyond: bool) -> Commit:
    return Commit(
        id=str(commit.id),
        author=_text(commit, commit.author.raw_name),
        email=_text(commit, commit.author.raw_email),
        authored_at=instant(commit.author.time),
        committed_at=instant(commit.commit_time),
        changes=changes_of(differ.sides(commit)),
        is_merge=len(commit.parent_ids) > 1,
        is_beyond=is_beyond,
    )


def _text(commit: pygit2.Commit, raw: bytes) -> str:
    """A name in the commit's own encoding, if that is one and it fits; else what UTF-8 makes of it."""
    try:
        return raw.decode(commit.message_encoding or "utf-8")
    except (LookupError, UnicodeDecodeError):
        return raw.decode("utf-8", "replace")


def _logged(commit: pygit2.Commit) -> Logged:
    return Logged(str(commit.id), instant(commit.commit_time), len(commit.parent_ids) > 1)


def _places(git: pygit2.Repository, folder: str) -> Callable[[pygit2.Commit], Place]:
    """Tells what stands at the folder in a commit: its mode and id."""

    @lru_cache(TREES_KEPT)
    def place(tree_id: pygit2.Oid) -> Place:
        if not folder:
            return None if str(tree_id) == EMPTY_TREE else (FileMode.TREE, str(tree_id))
        tree = git[tree_id]
        assert isinstance(tree, pygit2.Tree)
        if folder not in tree:
            return None
        found = tree / folder
        return None if str(found.id) == EMPTY_TREE else (found.filemode, str(found.id))

    return lambda commit: place(commit.tree_id)


def _read_rows(git: pygit2.Repository, oid: str) -> frozenset[Row]:
    """A tree's entries: mode, name, id.  Reading them as objects takes ten times as long."""
    raw = git[oid].read_raw()
    rows: list[Row] = ROW.findall(raw)
    _refuse(sum(len(mode) + len(name) + len(sha) + 2 for mode, name, sha in rows) != len(raw))
    return frozenset(rows)


def _refuse(is_odd: bool) -> None:
    if is_odd:
        raise SourceUnreachable("a commit of its history has a tree that is damaged, or made to be endless")


def _is_tree(row: Row | None) -> bool:
    return row is not None and row[0].lstrip(b"0") == TREE


def _subtree(row: Row | None) -> str | None:
    return row[2].hex() if row is not None and _is_tree(row) else None


def _file(row: Row | None) -> str | None:
    """The blob of a plain file; links and submodules are none."""
    return row[2].hex() if row is not None and FILE.fullmatch(row[0]) else None


def _tree_of(place: Place) -> str | None:
    return place[1] if place is not None and place[0] == FileMode.TREE else None
