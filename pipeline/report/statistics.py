"""How boards and wikis moved over time: exact replays of what their commits did.  Pure.

Days are whole days since 1970 in UTC; a day's count is that of its end.  What no history tells is left out and
said to be: it is never guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.catalog.timeline import BoardStory, Move
from pipeline.model import Status
from pipeline.report.days import WEEK, day_of, monday

LONE_AFTER = 366
AGE_LIMITS = (7, 30, 90)


@dataclass(frozen=True, slots=True)
class Stay:
    """How long a task had a status: from the day `since` until before the day `until`.

    `since` None: it had it when the history begins; `until` None: it has it still.
    """

    status: Status
    since: int | None
    until: int | None


@dataclass(frozen=True, slots=True)
class BoardTimes:
    """A board's tasks over time.

    `reach` is the first day of which anything is known where tasks are older than the history, None where it
    begins with the board.  `latest` are the tasks of now: their status, and since which day, if that is known.
    `finished` are the days on which a task became done, those of the board's beginning aside.
    """

    reach: int | None
    stays: tuple[Stay, ...]
    latest: tuple[tuple[Status, int | None], ...]
    finished: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """How many tasks had each status at the end of some days, a week apart, ascending.

    `boards` are as many as were known then; a count of a day when none was means nothing.  `done` are the tasks that
    became done in the week that ends there.  `untold` are tasks of now whose history is not here: in no count.
    """

    days: tuple[int, ...]
    counts: Mapping[Status, tuple[int, ...]]
    boards: tuple[int, ...]
    done: tuple[int, ...]
    untold: int

    def count(self, status: Status, weeks_before: int = 0) -> int | None:
        """How many there were on the last day or so many weeks before it; None: not known."""
        return self.total((status,), weeks_before)

    def total(self, statuses: Iterable[Status], weeks_before: int = 0) -> int | None:
        """The same of several statuses together."""
        place = len(self.days) - 1 - weeks_before
        if place < 0 or not self.boards[place]:
            return None
        return sum(self.counts[status][place] for status in statuses if status in self.counts)


@dataclass(frozen=True, slots=True)
class Ages:
    """Tasks by how many days they have had their status: at most each of AGE_LIMITS, more, and not known."""

    counts: tuple[int, ...]
    unknown: int

    @property
    def known(self) -> int:
        """How many are counted by age."""
        return sum(self.counts)


def board_times(story: BoardStory) -> BoardTimes | None:
    """Replay a board; None: its history is not here.

    A task's moves follow each other by time, and at the same moment as the board's versions do.
    """
    if not story.is_loaded:
        return None
    tasks: dict[str, list[Move]] = {}
    for move in sorted(story.moves, key=_in_time):
        tasks.setdefault(move.slug, []).append(move)
    now = dict(story.now)
    older = [slug for slug in now if slug not in tasks]
    is_whole = not older and all(moves[0].before is None for moves in tasks.values())
    first = min((day_of(move.at) for move in story.moves), default=None)
    if first is None and older:
        return None
    stays = [stay for moves in tasks.values() for stay in _stays(moves)]
    return BoardTimes(
        reach=None if is_whole else first,
        stays=(*stays, *(Stay(now[slug], None, None) for slug in older)),
        latest=tuple((status, _since(status, tasks.get(slug))) for slug, status in now.items()),
        finished=tuple(day for moves in tasks.values() for day in _finished(moves, first)),
    )


def flow(boards: Sequence[BoardTimes], last_day: int, weeks: int, untold: int = 0) -> Flow:
    """The counts of `weeks` + 1 days that end with `last_day`."""
    days = tuple(last_day - WEEK * back for back in range(weeks, -1, -1))
    steps: dict[Status, list[int]] = {}
    for board in boards:
        for stay in board.stays:
            since = board.reach if stay.since is None else stay.since
            _add(steps.setdefault(stay.status, [0] * (weeks + 2)), days, since, stay.until)
    known = [0] * (weeks + 2)
    for board in boards:
        _add(known, days, board.reach, None)
    done = Counter(_place(days, day) for board in boards for day in board.finished if day > days[0] - WEEK)
    return Flow(
        days=days,
        counts={status: _summed(of_status) for status, of_status in steps.items()},
        boards=_summed(known),
        done=tuple(done[place] for place in range(len(days))),
        untold=untold,
    )


def ages(boards: Iterable[BoardTimes], statuses: Collection[Status], last_day: int, untold: int = 0) -> Ages:
    """The ages on `last_day` of the tasks of now that have one of `statuses`; `untold` more have no history here."""
    counts, unknown = [0] * (len(AGE_LIMITS) + 1), untold
    for board in boards:
        for status, since in board.latest:
            if status not in statuses:
                continue
            if since is None:
                unknown += 1
            else:
                counts[sum(last_day - since > limit for limit in AGE_LIMITS)] += 1
    return Ages(tuple(counts), unknown)


def newest_day(days: Iterable[int]) -> int | None:
    """The last day that something happened; a single one more than a year after all others is a broken clock's."""
    found = sorted(set(days), reverse=True)
    if len(found) > 1 and found[0] - found[1] > LONE_AFTER:
        return found[1]
    return found[0] if found else None


def by_week(days: Mapping[int, int], last_day: int, weeks: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Each ISO week (its Monday) up to that of `last_day` with its daily counts, of the last one up to that day."""
    end = monday(last_day)
    for first in range(end - WEEK * (weeks - 1), end + 1, WEEK):
        yield first, tuple(days.get(day, 0) for day in range(first, min(first + WEEK, last_day + 1)))


def _in_time(move: Move) -> tuple[int, int]:
    return move.at, move.order


def _stays(moves: Sequence[Move]) -> Iterator[Stay]:
    """The stays of one task, in the order of time."""
    if moves[0].before is not None:
        yield Stay(moves[0].before, None, day_of(moves[0].at))
    for move, following in pairwise((*moves, None)):
        if move is not None and move.after is not None:
            yield Stay(move.after, day_of(move.at), None if following is None else day_of(following.at))


def _since(status: Status, moves: Sequence[Move] | None) -> int | None:
    """Since which day a task has its status; None: that is older than the history, or not what it tells."""
    if moves is None or moves[-1].after != status:
        return None
    return day_of(moves[-1].at)


def _finished(moves: Sequence[Move], birth: int | None) -> Iterator[int]:
    """When a task became done: what was done when its board began is not seen to become it."""
    status = moves[0].before
    for move in moves:
        if move.after == "done" and status != "done" and (status is not None or day_of(move.at) != birth):
            yield day_of(move.at)
        status = move.after


def _place(days: Sequence[int], day: int) -> int:
    """Which of the days, a week apart, is the first not before `day`; beyond the last for none."""
    return min(max(0, -((days[0] - day) // WEEK)), len(days))


def _add(steps: list[int], days: Sequence[int], since: int | None, until: int | None) -> None:
    """Count one from the day `since` (None: always) until before the day `until` (None: for ever)."""
    start = 0 if since is None else _place(days, since)
    end = len(days) if until is None else _place(days, until)
    steps[start] += 1
    steps[end] -= 1


def _summed(steps: Sequence[int]) -> tuple[int, ...]:
    total, found = 0, []
    for step in steps[:-1]:
        total += step
        found.append(total)
    return tuple(found)
