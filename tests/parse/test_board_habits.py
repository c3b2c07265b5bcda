"""Habits of real boards: groups below a lane, entries that begin with a sign or a date, wordy placeholders."""

import pytest

from pipeline.model import RepoPath
from pipeline.parse.board import parse_board


def tasks(text: str) -> list[tuple[str, str, str]]:
    board, _ = parse_board(RepoPath(".tasks/STATUS.md"), text.encode("utf-8"))
    return [(item.slug, item.title, item.status) for item in board.items]


@pytest.mark.parametrize("sign", ["🔹", "✅ ", "⚠️ ", "🔥🔥 "])
def test_a_sign_before_an_entry_hides_neither_its_id_nor_its_title(sign):
    assert tasks(f"## Ready\n- {sign} T-9: Pass the zone on\n- {sign} Fix it\n") == [
        ("T-9", "Pass the zone on", "todo"),
        ("fix-it", "Fix it", "todo"),
    ]


def test_a_sign_before_a_bold_id_hides_it_neither():
    assert tasks("## Ready\n- 🔹 **T-9** Pass the zone on\n- 🔹 **Fix it** soon\n") == [
        ("T-9", "Pass the zone on", "todo"),
        ("fix-it", "Fix it", "todo"),
    ]


@pytest.mark.parametrize("date", ["2026-08-17", "17.08.2026", "2026-08-17 14:05", "(2026-08-17)", "**2026-08-17**"])
def test_a_date_before_the_dash_is_not_the_title(date):
    assert tasks(f"# Done\n- {date} — [Restore the mirror](done/mirror.md) — by hand\n") == [
        ("restore-the-mirror", "Restore the mirror", "done")
    ]


def test_two_entries_of_one_day_are_two_tasks():
    text = "# Done\n- 2026-08-17 — Restore the mirror\n- 2026-08-17 — Add shortcuts\n"

    assert [slug for slug, _, _ in tasks(text)] == ["restore-the-mirror", "add-shortcuts"]


@pytest.mark.parametrize(
    "entry",
    [
        *("No active tasks", "_No blocked tasks._", "(no tasks in progress)", "*No open items yet*"),
        *("[ ] _Keine aktiven Tasks_", "Нет активных задач", "_Открытых задач пока нет_", "Пока нет задач"),
    ],
)
def test_an_entry_that_says_that_there_is_nothing_is_no_task(entry):
    assert tasks(f"## Active\n- {entry}\n") == []


@pytest.mark.parametrize(
    "entry", ["No tasks are listed twice", "No open issues", "Нет связи с сервером", "Note open tasks"]
)
def test_an_entry_that_only_begins_like_nothing_is_a_task(entry):
    assert [title for _, title, _ in tasks(f"## Active\n- {entry}\n")] == [entry]


def test_a_heading_below_a_lane_that_only_groups_headings_is_no_task():
    assert tasks("# Backlog\n## Forms\n### Dark theme\ntext\n### T-1: Split\n") == [
        ("dark-theme", "Dark theme", "todo"),
        ("T-1", "Split", "todo"),
    ]
    assert tasks("## Done\n### January\n#### T-2: Join\ntext\n") == [("T-2", "Join", "done")]


def test_a_heading_below_a_lane_with_nothing_but_a_placeholder_is_no_task():
    assert tasks("# Backlog\n## High\n\n_None._\n\n## Medium\n- Fix it\n") == [("fix-it", "Fix it", "todo")]


def test_a_bare_heading_below_a_lane_is_a_task_beside_others():
    assert tasks("## Doing\n### Dark theme\n### Light theme\n## Notes\n") == [
        ("dark-theme", "Dark theme", "active"),
        ("light-theme", "Light theme", "active"),
    ]


def test_a_heading_below_a_lane_keeps_its_own_headings():
    assert tasks("## Doing\n### Dark theme\n#### Plan\ntext\n") == [("dark-theme", "Dark theme", "active")]


def test_a_korean_task_column_holds_titles():
    assert tasks("| ID | 태스크 | 상태 |\n|---|---|---|\n| T1 | 설정 | ✅ (완료) |\n") == [("T1", "설정", "done")]


@pytest.mark.parametrize("heading", ["## В работе | In progress", "## Doing / В работе", "## 🚧 В работе | Active (2)"])
def test_a_lane_may_be_named_in_two_languages(heading):
    assert tasks(f"{heading}\n- Fix it\n") == [("fix-it", "Fix it", "active")]
