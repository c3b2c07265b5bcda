"""Board versions become a feed of what happened to each task."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.model import TaskChange
from pipeline.parse.board import parse_board
from pipeline.task_history import task_changes
from tests.fakes.told_commits import START, commit, history, text

BOARD = ".tasks/STATUS.md"


def board(**tasks):
    """A board of slug → status, or (status, next action)."""
    lines = ["# Board", ""]
    for slug, said in tasks.items():
        status, action = said if isinstance(said, tuple) else (said, None)
        lines += [
            f"## {slug} — The {slug}",
            f"**Status:** {status}",
            *([f"**Next action:** {action}"] if action else []),
        ]
    return "\n".join([*lines, ""])


ONE = board(api="todo")
TWO = board(api="active")
BROKEN = "<<<<<<< ours\n" + TWO + "=======\n>>>>>>> theirs\n"


def steps(*texts, path=BOARD):
    """A straight history of the board's texts, the oldest first."""
    pairs = zip((None, *texts), texts, strict=False)
    return [commit(str(number), {path: sides}, hour=number) for number, sides in enumerate(pairs, 1)]


def changes(*commits, told=()):
    return task_changes(history(*commits, folder=".tasks"), text, parse_board, told)


def feed(*commits):
    return [(one.commit, one.slug, one.kind, one.before, one.after) for one in changes(*commits)]


def test_a_change_says_who_when_which_task_and_what():
    first, second = steps(ONE, TWO)

    assert changes(first, replace(second, author="Bob", email="bob@example.org"))[0] == TaskChange(
        commit="2",
        author="Bob",
        email="bob@example.org",
        at=START + timedelta(hours=2),
        slug="api",
        title="The api",
        kind="status",
        status="active",
        before="todo",
        after="active",
    )


def test_tasks_appear_change_and_vanish_newest_first():
    texts = [ONE, board(api=("active", "ask Bob")), board(web="done"), board(web="done")]

    assert feed(*steps(*texts)) == [
        ("3", "api", "vanished", "active", None),
        ("3", "web", "appeared", None, "done"),
        ("2", "api", "status", "todo", "active"),
        ("2", "api", "next", None, "ask Bob"),
        ("1", "api", "appeared", None, "todo"),
    ]


def test_a_vanished_task_keeps_its_last_title_and_status():
    last = changes(*steps(ONE, board(web="done")))[0]

    assert (last.title, last.status) == ("The api", "todo")


@pytest.mark.parametrize("odd", [BROKEN, "\0", "\udcff", "lost"])
def test_a_board_that_cannot_be_read_in_between_is_as_if_it_had_not_been(odd):
    assert feed(*steps(ONE, odd, odd + "x", TWO)) == [
        ("4", "api", "status", "todo", "active"),
        ("1", "api", "appeared", None, "todo"),
    ]


def test_a_board_that_was_removed_or_closed_has_no_tasks():
    removed = commit("2", {BOARD: (ONE, None)})
    again = commit("3", {BOARD: (None, TWO)})
    closed = commit("4", {BOARD: (TWO, "# Board — CLOSED\n")})

    assert [(one, kind) for one, _, kind, _, _ in feed(*steps(ONE), removed, again, closed)] == [
        ("4", "vanished"),
        ("3", "appeared"),
        ("2", "vanished"),
        ("1", "appeared"),
    ]


def test_what_a_merge_brings_is_told_of_the_branch_alone():
    start = commit("1", {BOARD: (None, ONE)})
    ours = commit("2", {BOARD: (ONE, TWO)})
    theirs = commit("3", {BOARD: (ONE, board(api="todo", web="done"))})
    merge = commit("4", {BOARD: (TWO, board(api="active", web="done"))})

    assert feed(start, ours, theirs, merge) == [
        ("3", "web", "appeared", None, "done"),
        ("2", "api", "status", "todo", "active"),
        ("1", "api", "appeared", None, "todo"),
    ]


def test_what_a_merge_itself_decides_is_told():
    start = commit("1", {BOARD: (None, ONE)})
    ours = commit("2", {BOARD: (ONE, TWO)})
    theirs = commit("3", {BOARD: (ONE, board(api="blocked"))})
    merge = commit("4", {BOARD: (TWO, board(api="done"))})

    assert feed(start, ours, theirs, merge)[0] == ("4", "api", "status", "active", "done")


def test_a_revert_is_told():
    assert feed(*steps(ONE, TWO, ONE))[0] == ("3", "api", "status", "active", "todo")


def test_another_spelling_of_the_board_is_the_board():
    moved = commit("2", {BOARD: (ONE, None), ".tasks/status.md": (None, TWO)})

    assert feed(*steps(ONE), moved)[0] == ("2", "api", "status", "todo", "active")


def test_beside_the_board_another_spelling_of_it_counts_for_nothing():
    beside = commit("2", {".tasks/Status.md": (None, board(web="done"))})

    assert feed(*steps(ONE), beside) == [("1", "api", "appeared", None, "todo")]


def test_before_the_board_was_called_so_it_was_the_file_that_it_was_renamed_from():
    renamed = commit("3", {".tasks/plan.md": (TWO, None), BOARD: (None, TWO)})
    other = commit("0", {".tasks/other.md": (None, board(web="done"))})

    assert feed(other, *steps(ONE, TWO, path=".tasks/plan.md"), renamed) == [
        ("2", "api", "status", "todo", "active"),
        ("1", "api", "appeared", None, "todo"),
    ]


def test_a_board_that_was_renamed_away_and_back_kept_its_tasks():
    away = commit("2", {BOARD: (ONE, None), ".tasks/old.md": (None, TWO)})
    back = commit("3", {BOARD: (None, ONE), ".tasks/old.md": (TWO, None)})

    assert [(one, kind, after) for one, _, kind, _, after in feed(*steps(ONE), away, back)] == [
        ("3", "status", "todo"),
        ("2", "status", "active"),
        ("1", "appeared", "todo"),
    ]


def test_what_had_the_name_before_the_file_that_became_the_board_is_no_board():
    other = board(web="done")
    made = commit("0", {".tasks/plan.md": (None, other)})
    removed = commit("1", {".tasks/plan.md": (other, None)})
    start = commit("2", {".tasks/todo.md": (None, ONE)})
    moved = commit("3", {".tasks/todo.md": (ONE, None), ".tasks/plan.md": (None, ONE)})
    renamed = commit("4", {".tasks/plan.md": (ONE, None), BOARD: (None, ONE)})

    assert feed(made, removed, start, moved, renamed) == [("2", "api", "appeared", None, "todo")]


def test_a_task_that_came_back_can_get_its_old_next_action_again():
    asked, wrote = board(api=("todo", "ask")), board(api=("todo", "write"))

    assert feed(*steps(ONE, asked, board(web="done"), wrote, asked))[0] == ("5", "api", "next", "write", "ask")


def test_a_commit_beyond_the_bound_is_not_told():
    beyond, edited = steps(ONE, TWO)

    assert [one[0] for one in feed(replace(beyond, is_beyond=True), edited)] == ["2"]


boards = st.dictionaries(
    st.sampled_from(["api", "web"]),
    st.tuples(st.sampled_from(["todo", "active", "done"]), st.sampled_from([None, "ask", "write"])),
).map(lambda tasks: board(**tasks))
odd_texts = st.sampled_from([BROKEN, "lost", "\0", "", None])


@given(st.lists(boards | odd_texts | st.text(max_size=20), min_size=1, max_size=8), st.integers(0, 8))
def test_what_is_made_on_equals_what_is_made_anew(texts, known):
    commits = [one for one in steps(*texts) if one.changes[0].before != one.changes[0].after]
    whole = history(*commits, folder=".tasks")
    older = changes(*commits[:known])
    newer = replace(whole, order=tuple(one.id for one in reversed(commits[known:])))

    assert task_changes(newer, text, parse_board, older) + older == changes(*commits)
