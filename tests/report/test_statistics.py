"""How boards moved over time, against a replay that looks at every task on every day."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalog.timeline import DAY_S, BoardStory, Move
from pipeline.model import Status
from pipeline.report.statistics import (
    AGE_LIMITS,
    BoardTimes,
    Flow,
    ages,
    board_times,
    by_week,
    flow,
    newest_day,
)

MONDAY = 20_423  # 2025-12-01
STATUSES: tuple[Status, ...] = ("active", "blocked", "done")


def story(*moves: tuple[str, int, Status | None, Status | None], now: dict[str, Status] | None = None) -> BoardStory:
    """A board of moves (slug, day, before, after) in the order of its versions."""
    told = tuple(
        Move(slug, day * DAY_S, order, before, after) for order, (slug, day, before, after) in enumerate(moves)
    )
    return BoardStory(is_loaded=True, moves=told, now=tuple((now or {}).items()))


def times(*moves: tuple[str, int, Status | None, Status | None], now: dict[str, Status] | None = None) -> BoardTimes:
    found = board_times(story(*moves, now=now))
    assert found is not None
    return found


def test_a_task_counts_in_the_status_that_it_has_at_the_end_of_a_day() -> None:
    board = times(("login", 3, None, "active"), ("login", 10, "active", "blocked"), ("login", 17, "blocked", None))

    counted = flow([board], 21, 3)

    assert counted.days == (0, 7, 14, 21)
    assert counted.counts == {"active": (0, 1, 0, 0), "blocked": (0, 0, 1, 0)}


def test_a_change_on_the_very_day_counts_on_that_day() -> None:
    assert flow([times(("login", 7, None, "active"))], 7, 1).counts == {"active": (0, 1)}


def test_a_board_without_history_has_no_times() -> None:
    assert board_times(BoardStory(is_loaded=False, moves=(), now=(("login", "active"),))) is None


def test_a_task_older_than_the_history_counts_from_where_that_begins() -> None:
    board = times(("login", 10, "active", "blocked"), now={"login": "blocked", "ship": "active"})

    counted = flow([board], 21, 3)

    assert counted.counts == {"active": (0, 0, 1, 1), "blocked": (0, 0, 1, 1)}
    assert counted.boards == (0, 0, 1, 1)
    assert [counted.count("active", back) for back in (3, 2, 1, 0)] == [None, None, 1, 1]


def test_a_board_whose_first_task_is_told_was_empty_before() -> None:
    counted = flow([times(("login", 10, None, "active"))], 14, 1)

    assert (counted.count("active", 1), counted.count("active")) == (0, 1)


def test_a_task_becomes_done_once_for_each_time_that_it_is_finished() -> None:
    board = times(
        ("old", 1, None, "done"),
        ("login", 1, None, "active"),
        ("login", 8, "active", "done"),
        ("login", 9, "done", "active"),
        ("login", 10, "active", "done"),
        ("quick", 15, None, "done"),
    )

    assert flow([board], 21, 3).done == (0, 0, 2, 1)


def test_moves_of_one_moment_follow_each_other_as_the_versions_do() -> None:
    board = times(("login", 1, None, "active"), ("login", 1, "active", "done"))

    assert flow([board], 1, 0).counts == {"active": (0,), "done": (1,)}


def test_the_age_of_a_task_is_how_long_it_has_its_status() -> None:
    now: dict[str, Status] = {"a": "active", "b": "blocked", "c": "active", "d": "done", "e": "todo"}
    board = times(
        ("a", 93, None, "active"), ("b", 92, None, "blocked"), ("c", 8, None, "active"), ("d", 1, None, "done"), now=now
    )

    counted = ages([board], ("active", "blocked", "todo"), 100, untold=2)

    assert AGE_LIMITS == (7, 30, 90)
    assert (counted.counts, counted.unknown) == ((1, 1, 0, 1), 3)


def test_a_status_that_history_does_not_tell_is_of_no_known_age() -> None:
    board = times(("a", 1, None, "active"), now={"a": "blocked"})

    assert ages([board], STATUSES, 9).unknown == 1


@pytest.mark.parametrize(
    ("days", "newest"),
    [([], None), ([5], 5), ([5, 371], 371), ([5, 372], 5), ([372, 5, 380], 380)],
)
def test_a_lone_change_a_year_after_all_others_is_not_the_newest(days: list[int], newest: int | None) -> None:
    assert newest_day(days) == newest


def test_weeks_begin_on_monday_and_the_last_ends_with_the_newest_day() -> None:
    weeks = list(by_week({MONDAY - 1: 4, MONDAY: 1, MONDAY + 2: 3}, MONDAY + 2, 2))

    assert weeks == [(MONDAY - 7, (0, 0, 0, 0, 0, 0, 4)), (MONDAY, (1, 0, 3))]


statuses: st.SearchStrategy[Status | None] = st.sampled_from([None, *STATUSES])
moves = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 60), statuses, statuses), max_size=30)


def replayed(board: BoardStory, day: int) -> dict[Status, int]:
    """How many tasks have each status at the end of a day, found by asking each task for its last move until then."""
    counts = dict.fromkeys(STATUSES, 0)
    for slug in {move.slug for move in board.moves}:
        until = [move for move in board.moves if move.slug == slug and move.at < (day + 1) * DAY_S]
        status = max(until, key=lambda move: (move.at, move.order)).after if until else None
        if status is not None:
            counts[status] += 1
    return counts


def counts_on(counted: Flow, place: int) -> dict[Status, int]:
    return {status: counted.counts[status][place] if status in counted.counts else 0 for status in STATUSES}


@given(moves, st.integers(0, 70), st.integers(0, 8))
def test_counts_are_those_of_a_replay_of_every_day(
    told: list[tuple[str, int, Status | None, Status | None]], last_day: int, weeks: int
) -> None:
    born = story(*((slug, day, None, after) for slug, day, _, after in told))
    board = board_times(born)
    assert board is not None

    counted = flow([board, board], last_day, weeks)

    assert [counts_on(counted, place) for place in range(weeks + 1)] == [
        {status: 2 * count for status, count in replayed(born, day).items()} for day in counted.days
    ]
