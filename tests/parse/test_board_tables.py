"""Task tables."""

import pytest

from pipeline.model import RepoPath
from pipeline.parse.board import parse_board


def tasks(text: str) -> list[tuple[str, str, str, str | None]]:
    board, _ = parse_board(RepoPath(".tasks/STATUS.md"), text.encode("utf-8"))
    return [(item.slug, item.title, item.status, item.next) for item in board.items]


def test_columns_are_found_by_name_in_any_order():
    assert tasks("| Next | Status | Title | ID |\n|---|:-:|---|---|\n| Go | done | A | T-1 |\n") == [
        ("T-1", "A", "done", "Go")
    ]


@pytest.mark.parametrize(
    "header", ["任务 ID | 标题 | 状态", "№ | Название | Статус", "Ticket | Title | State", "Task | Title | STATUS"]
)
def test_columns_have_names_in_several_languages(header):
    assert tasks(f"{header}\n--|--|--\n7 | A | done\n") == [("7", "A", "done", None)]


def test_a_row_may_be_short_or_long():
    assert tasks("| ID | Title | Status | Next |\n|-|-|-|-|\n| T-1 | A |\n| T-2 | B | done | x | y | z\n") == [
        ("T-1", "A", "unknown", None),
        ("T-2", "B", "done", "x"),
    ]


def test_outer_pipes_may_be_left_out():
    assert tasks("ID | Title | Status\n--- | --- | ---\n- | nothing | -\nT-1 | A | todo\n") == [
        ("T-1", "A", "todo", None)
    ]


def test_an_escaped_pipe_and_one_in_code_stay_in_their_cell():
    assert tasks("| ID | Title | Status |\n|--|--|--|\n| T-1 | a \\| b | done |\n| T-2 | run `a|b` | todo |\n") == [
        ("T-1", "a | b", "done", None),
        ("T-2", "run a|b", "todo", None),
    ]


def test_stray_backticks_do_not_join_cells():
    assert tasks("| ID | Title | Status |\n|--|--|--|\n| T-1 | a ` b | done ` x |\n") == [
        ("T-1", "a ` b", "done", None)
    ]


def test_a_table_below_a_lane_needs_no_status_column():
    assert tasks("## Blocked\n| ID | Title |\n|--|--|\n| - | No blocked tasks |\n| T-1 | A |\n") == [
        ("T-1", "A", "blocked", None)
    ]


def test_a_table_without_task_columns_or_without_a_status_is_no_task_table():
    assert tasks("| Cell | Active |\n|--|--|\n| x | 1 |\n\n| ID | Title |\n|--|--|\n| T-1 | A |\n") == []


def test_a_row_without_an_id_gets_a_slug_from_its_title():
    assert tasks("| Title | Status |\n|--|--|\n| Fix [the](x.md) page | done |\n| | done |\n") == [
        ("fix-the-page", "Fix the page", "done", None)
    ]


def test_a_task_column_holds_ids_or_titles():
    assert tasks(
        "| Task | Description | Status |\n|--|--|--|\n| T-1 | Do A | done |\n| Do B | long text | todo |\n"
    ) == [
        ("T-1", "Do A", "done", None),
        ("do-b", "Do B", "todo", None),
    ]


def test_a_task_column_beside_an_id_holds_titles():
    assert tasks("| ID | Task | Status |\n|--|--|--|\n| 7 | Do A | done |\n") == [("7", "Do A", "done", None)]


@pytest.mark.parametrize(
    ("cell", "status"),
    [
        ("🔄 执行中", "active"),
        ("✅ 完成", "done"),
        ("⏳ 等待", "blocked"),
        ("✔️", "done"),
        ("✗", "cancelled"),
        ("▶️", "active"),
    ],
)
def test_a_status_cell_may_hold_signs(cell, status):
    assert tasks(f"| ID | Title | Status |\n|--|--|--|\n| T-1 | A | {cell} |\n") == [("T-1", "A", status, None)]


def test_the_first_of_two_rows_with_one_id_counts():
    board, found = parse_board(RepoPath("x"), b"| ID | Title | Status |\n|-|-|-|\n| 1 | A | done |\n| 1 | A | todo |\n")

    assert [item.status for item in board.items] == ["done"]
    assert [(one.code, one.line) for one in found] == [("W103", 4)]


@pytest.mark.parametrize("name", ["Owner", "Assigned", "Assigned to", "Agent", "Исполнитель"])
def test_an_owner_column_is_the_owner_and_other_columns_are_fields(name):
    board, _ = parse_board(
        RepoPath("x"), f"| ID | {name} | Status | Pri |\n|-|-|-|-|\n| 1 | ann | done | p1 |\n".encode()
    )

    assert [(item.owner, item.fields) for item in board.items] == [("ann", (("Pri", "p1"),))]


def test_alignment_rows_and_repeated_headers_are_passed_over():
    assert tasks("| ID | Status |\n|:--|--:|\n|---|---|\n| 1 | done |\n") == [("1", "1", "done", None)]
