"""What is said alike of every source's history: which files count, how far it reaches, what need not be read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from pipeline.model import Commit, FileChange, FolderHistory, HistoryOrder, HistoryQuest, RepoPath

TEXT_LIMIT_BYTES = 1 << 20
BEYOND_COMMITS = 5_000
LAST_SECOND = 253_402_300_799


@dataclass(frozen=True, slots=True)
class Logged:
    """A commit of the log as far as its place in it goes."""

    id: str
    committed_at: datetime
    is_merge: bool


def is_page(path: str, folder: str) -> bool:
    """Whether a file's history is kept: Markdown below `folder`, which "" makes the whole repository."""
    return path.lower().endswith(".md") and path.startswith(f"{folder}/" if folder else "")


def instant(seconds: int) -> datetime:
    """A time of git; one that no calendar has becomes the nearest that it has, from 1970 on."""
    return datetime.fromtimestamp(min(max(seconds, 0), LAST_SECOND), UTC)


def gives_names(changes: Sequence[FileChange]) -> bool:
    """Whether a commit may have renamed: it both added and removed files."""
    return any(each.before is None for each in changes) and any(each.after is None for each in changes)


def changes_of(sides: Sequence[Mapping[str, tuple[str | None, str | None]]]) -> tuple[FileChange, ...]:
    """The changes of a commit, sorted by path, of what differs from each of its parents.

    `sides` give, per parent, each path with its blob there and in the commit.  What differs in its mode alone has
    no other text and is none.
    """
    first, others = sides[0], sides[1:]
    return tuple(
        FileChange(path=RepoPath(path), before=before, after=after)
        for path, (before, after) in sorted(first.items())
        if before != after and all(path in each and each[path][0] != after for each in others)
    )


def continues(newer: Sequence[Logged], known: FolderHistory) -> bool:
    """Whether the known log follows `newer` in the order that it has, when their counts agree.

    Without a merge among `newer` their log leads to the known one and nowhere else.  With one, known commits may be
    met by another way: then only dates that fall all along leave no choice of order.
    """
    if not any(each.is_merge for each in newer):
        return True
    order = known.order or ()
    commits = {commit.id: commit for commit in known.commits}
    dates = [commits[each].committed_at for each in order if each in commits]
    return len(order) == known.total == len(dates) and all(one > two for one, two in pairwise(dates))


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a history goes: `order` are the commits that are shown, `beyond` the next 5,000, newest first."""

    order: tuple[str, ...]
    beyond: tuple[str, ...]
    total: int

    def last_word(self) -> HistoryOrder:
        """What ends a history."""
        return HistoryOrder(order=self.order, total=self.total)


def reach(log: Sequence[Logged], quest: HistoryQuest, tail: FolderHistory | None) -> Reach:
    """Part a log into what is shown and what is beyond; `tail` is what is known to follow it."""
    shown = [each.id for each in log if quest.since is None or each.committed_at >= quest.since]
    rest, counted = (tail.order or (), tail.total) if tail is not None else ((), 0)
    order = (*shown, *rest)[: quest.max_commits]
    kept, looked_at = set(order), quest.max_commits + BEYOND_COMMITS
    beyond = tuple(each for each in (*(each.id for each in log), *rest)[:looked_at] if each not in kept)
    return Reach(order, beyond, len(log) + counted)


def marked_anew(known: Mapping[str, Commit], found: Reach) -> Iterator[Commit]:
    """Known commits that were beyond and are not, or were not and are."""
    for place in found.order:
        if place in known and known[place].is_beyond:
            yield replace(known[place], is_beyond=False)
    for place in found.beyond:
        if place in known and not known[place].is_beyond and gives_names(known[place].changes):
            yield replace(known[place], is_beyond=True)
