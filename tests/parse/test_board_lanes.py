"""Lanes, list entries and checkboxes."""

import pytest

from pipeline.model import RepoPath
from pipeline.parse.board import parse_board


def tasks(text: str) -> list[tuple[str, str, str]]:
    board, _ = parse_board(RepoPath(".tasks/STATUS.md"), text.encode("utf-8"))
    return [(item.slug, item.title, item.status) for item in board.items]


def codes(text: str) -> list[tuple[str, int | None]]:
    return [(one.code, one.line) for one in parse_board(RepoPath("x"), text.encode("utf-8"))[1]]


@pytest.mark.parametrize(
    ("heading", "status"),
    [
        ("## In Progress", "active"),
        ("# 🚧 In Progress (3)", "active"),
        ("### Doing [2]", "active"),
        ("## IN_REVIEW", "active"),
        ("## В работе (2)", "active"),
        ("## На ревью", "active"),
        ("## 진행 중", "active"),
        ("## Aktiv", "active"),
        ("Active\n------", "active"),
        ("Active\n======", "active"),
        ("## To-Do", "todo"),
        ("## ⚪️ Ready", "todo"),
        ("## Бэклог", "todo"),
        ("## 待办", "todo"),
        ("## Backlog / To do", "todo"),
        ("## ⛔️ Blocked Tasks", "blocked"),
        ("## Ждёт", "blocked"),
        ("## 等待（1）", "blocked"),
        ("## On hold:", "paused"),
        ("## **Paused**", "paused"),
        ("## ✔️ Done ##", "done"),
        ("## Recently Completed", "done"),
        ("## Done: 4", "done"),
        ("## Erledigt", "done"),
        ("## 已完成", "done"),
        ("## Готово ✅", "done"),
        ("## Won’t do", "cancelled"),
    ],
)
def test_a_heading_that_is_a_status_word_is_a_lane(heading, status):
    assert tasks(f"{heading}\n- Fix it\n") == [("fix-it", "Fix it", status)]


@pytest.mark.parametrize("heading", ["## Next steps", "## Notes", "## Done by whom", "## Tasks", "## 🟢", "##Active"])
def test_another_heading_is_no_lane(heading):
    assert tasks(f"{heading}\n- Fix it\n") == []


@pytest.mark.parametrize("bullet", ["-", "*", "+", "1.", "2)", "*  ", "-\t"])
def test_a_lane_reads_every_kind_of_list(bullet):
    assert tasks(f"## Blocked\n{bullet} T-1: Fix it\n") == [("T-1", "Fix it", "blocked")]


@pytest.mark.parametrize(
    ("mark", "status"),
    [
        (" ", "blocked"),
        ("x", "done"),
        ("X", "done"),
        ("+", "done"),
        ("~", "active"),
        ("/", "active"),
        ("-", "cancelled"),
    ],
)
def test_a_mark_beats_the_lane(mark, status):
    assert tasks(f"## Blocked\n- [{mark}] Fix it\n") == [("fix-it", "Fix it", status)]


def test_an_unknown_mark_is_reported_at_its_line_and_the_task_is_kept():
    text = "## Active\n- [x] ship\n- [?] dream\n"

    assert tasks(text) == [("ship", "ship", "done"), ("dream", "dream", "unknown")]
    assert codes(text) == [("W104", 3)]


@pytest.mark.parametrize(
    ("entry", "slug", "title"),
    [
        ("TASK-042 — Show quota — soon", "TASK-042", "Show quota"),
        ("T5-D1 - Show quota", "T5-D1", "Show quota"),
        ("task-001: Show quota", "task-001", "Show quota"),
        ("#50: Show quota", "#50", "Show quota"),
        ("[T-1] Show quota", "T-1", "Show quota"),
        ("**T-1** Show quota", "T-1", "Show quota"),
        ("**T-1: Show quota** - soon", "T-1", "Show quota"),
        ("[T-1](T-1/task.md): Show `quota`", "T-1", "Show quota"),
        ("ЗАДАЧА-7: Показать квоту", "ЗАДАЧА-7", "Показать квоту"),
        ("**Show quota** (2026-01-18)", "show-quota", "Show quota"),
        ("**Show quota:** on the page", "show-quota", "Show quota"),
        ("***Show quota*** on the page", "show-quota", "Show quota"),
        ("[Show quota](x.md) - soon", "show-quota", "Show quota"),
        ("Show well-known quota – soon", "show-well-known-quota", "Show well-known quota"),
        ("Показать квоту", "показать-квоту", "Показать квоту"),
        ("~~Show quota~~", "show-quota", "Show quota"),
        ("🔥🔥", "line-2", "🔥🔥"),
    ],
)
def test_an_entry_names_its_task(entry, slug, title):
    assert tasks(f"## Ready\n- {entry}\n") == [(slug, title, "todo")]


@pytest.mark.parametrize(
    "entry", ["_(none)_", "_пусто_", "None.", "(none yet)", "—", "n/a", "", "**Нет**", "[ ] _(empty)_"]
)
def test_a_placeholder_is_no_task(entry):
    assert tasks(f"## Ready\n- {entry}\n") == []


def test_nested_entries_are_subtasks():
    assert tasks("## Ready\n- One\n  - [x] part\n    1. deeper\n- Two\n\t* part\n") == [
        ("one", "One", "todo"),
        ("two", "Two", "todo"),
    ]


def test_a_nested_field_belongs_to_its_entry():
    board, _ = parse_board(RepoPath("x"), b"## Ready\n- One\n  - **Next:** call\n    Bob\n  - Owner: ann\n")

    assert [(item.next, item.owner, item.end_line) for item in board.items] == [("call Bob", "ann", 5)]


def test_a_checkbox_without_a_lane_is_a_task():
    assert tasks("# Sprint\n- [ ] One\n- plain\n- [x] Two\n[ ] Three\n[~] Four\n") == [
        ("one", "One", "todo"),
        ("two", "Two", "done"),
        ("three", "Three", "todo"),
        ("four", "Four", "active"),
    ]


def test_a_checkbox_below_a_plain_entry_is_a_task_of_its_own():
    assert tasks("- Backend\n  - [ ] One\n    - [ ] part\n  - [x] Two\n") == [
        ("one", "One", "todo"),
        ("two", "Two", "done"),
    ]


def test_a_lane_ends_at_a_heading_of_its_level_and_holds_below_deeper_ones():
    assert tasks("## Done\n- A\n### Backend\n- B\n## Notes\n- C\n") == [("a", "A", "done"), ("b", "B", "done")]


def test_headings_below_a_lane_are_tasks():
    text = "## Doing\n### T-4: Split\ntext\n#### Plan: two steps\n- [ ] x\n### Dark theme\n## Done\n### [T-3] Remove\n"

    assert tasks(text) == [
        ("T-4", "Split", "active"),
        ("dark-theme", "Dark theme", "active"),
        ("T-3", "Remove", "done"),
    ]


def test_a_heading_below_a_lane_that_only_groups_a_list_is_no_task():
    assert tasks("## Done\n### January\n- [x] One\n- [x] Two\n") == [("one", "One", "done"), ("two", "Two", "done")]


def test_a_status_field_beats_the_lane():
    assert tasks("## Backlog\n### T-1: A\n**Status:** blocked\n") == [("T-1", "A", "blocked")]


def test_an_emoji_of_a_heading_beats_the_lane():
    assert tasks("## Done\n### 🔴 T-1: A\n") == [("T-1", "A", "active")]


def test_an_event_log_is_no_board():
    assert tasks("# Status\n- 2026-04-12T12:32:42+00:00: lead dispatched W-1\n- done: W-1\n") == []


@pytest.mark.parametrize("when", ["2026-04-13 —", "📅 13.04.2026:", "2026-04", "[2026-04-13] -", "**14:05**"])
def test_a_dated_heading_of_an_event_log_is_no_lane(when):
    assert tasks(f"## {when} review\n- approved\n") == []


def test_a_lane_may_end_with_a_date():
    assert tasks("## Done 2026-04-13\n- Fix it\n") == [("fix-it", "Fix it", "done")]


def test_an_entry_ends_before_the_text_below_the_list():
    board, _ = parse_board(RepoPath("x"), b"## Ready\n- One\nmore\n\n  deeper\n\n_Generated_\n")

    assert [(item.line, item.end_line) for item in board.items] == [(2, 5)]
