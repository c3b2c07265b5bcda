"""Task headings and their fields."""

import pytest

from pipeline.model import Board, Diagnostic, RepoPath
from pipeline.parse.board import parse_board

PATH = RepoPath(".tasks/STATUS.md")


def read(text: str) -> tuple[Board, tuple[Diagnostic, ...]]:
    return parse_board(PATH, text.encode("utf-8"))


def tasks(text: str) -> list[tuple[str, str, str, str | None]]:
    return [(item.slug, item.title, item.status, item.next) for item in read(text)[0].items]


def codes(text: str) -> list[tuple[str, int | None]]:
    return [(one.code, one.line) for one in read(text)[1]]


def test_a_heading_with_fields_is_a_task():
    assert tasks("## 🟡 api — Serve it\n**Status:** active — half done\n**Next action:** Ship\n") == [
        ("api", "Serve it", "active", "Ship")
    ]


def test_a_bom_crlf_and_a_missing_last_newline_change_nothing():
    raw = "\ufeff---\r\ntitle: x\r\n---\r\n## a — B\r\n**Status:** done\r\n**Next:** C\r\nd".encode()
    board, _ = parse_board(PATH, raw)

    assert [(item.slug, item.status, item.next, item.line) for item in board.items] == [("a", "done", "C d", 4)]


def test_lone_carriage_returns_end_lines():
    assert tasks("## a — B\r**Status:** done\r") == [("a", "B", "done", None)]


@pytest.mark.parametrize(
    "field",
    [
        "**Status:** paused",
        "**Status**: paused",
        "**Status** : paused",
        "**Status :** paused",
        "**STATUS:** paused",
        "__Status:__ paused",
        "Status: paused",
        "- **Status:** paused",
        "* **Status:** paused",
        "+ **State:** paused",
        "1. **Status:** paused",
        "**Статус:** на паузе",
        "**状态：** 暂停",
        "**Status:** `paused`",
        "**Status:** **Paused** (since May)",
        "**Status:** ⏸️ paused",
        "**Status (2026-06-14):** paused",
    ],
)
def test_a_status_field_may_be_written_in_many_ways(field):
    assert tasks(f"## a — B\n{field}\n") == [("a", "B", "paused", None)]


@pytest.mark.parametrize(
    "field",
    [
        "**Next action:** Go",
        "**Next:** Go",
        "**next step**: Go",
        "**Next steps:** Go",
        "- **Следующее действие:** Go",
        "**Следующий шаг:** Go",
        "**下一步**：Go",
    ],
)
def test_a_next_action_may_be_written_in_many_ways(field):
    assert tasks(f"## a — B\n**Status:** active\n{field}\n") == [("a", "B", "active", "Go")]


@pytest.mark.parametrize("value", ["", "-", "–", "—", "none", "None.", "N/A", "нет", "TBD"])
def test_a_next_action_that_says_nothing_is_none(value):
    assert tasks(f"## a — B\n**Status:** active\n**Next:** {value}\n") == [("a", "B", "active", None)]


@pytest.mark.parametrize(
    "heading",
    ["a — B", "a – B", "a - B", "a: B", "🔴 a — B", "🔴️ **a** — B", "`a` — B", "[a](a/x.md) — B", "a — B ##", "a—B"],
)
def test_a_heading_gives_slug_and_title_whatever_parts_them(heading):
    assert tasks(f"## {heading}\n**Status:** done\n") == [("a", "B", "done", None)]


@pytest.mark.parametrize("name", ["Next ID", "Next Task ID", "Statuses", "Nextcloud"])
def test_a_field_with_a_longer_name_is_no_status_and_no_next(name):
    assert tasks(f"## a — B\n**{name}:** x\n") == []


def test_a_word_and_a_number_are_a_slug():
    assert tasks("### ✅ Task 1: Add it\n**Status**: Pending\n") == [("Task 1", "Add it", "todo", None)]


@pytest.mark.parametrize(
    ("heading", "slug", "title"),
    [("a:B", "a", "B"), ("T-1:Fix it — now", "T-1", "Fix it — now"), ("feat:login — Let in", "feat:login", "Let in")],
)
def test_a_colon_without_a_space_parts_only_what_nothing_else_does(heading, slug, title):
    assert tasks(f"## {heading}\n**Status:** done\n") == [(slug, title, "done", None)]


@pytest.mark.parametrize("heading", ["10:30", "std::map", "https://example.org"])
def test_a_colon_inside_a_word_parts_nothing(heading):
    assert [title for _, title, _, _ in tasks(f"## {heading}\n**Status:** done\n")] == [heading]


def test_a_heading_without_a_slug_is_a_task_when_its_status_is_known():
    assert tasks("## Dark theme\n**Status:** active\n") == [("dark-theme", "Dark theme", "active", None)]


def test_a_heading_without_a_slug_and_with_an_unknown_status_is_reported():
    text = "## Summary\n**Status:** on track\n"

    assert tasks(text) == []
    assert codes(text) == [("W106", 1)]


def test_a_heading_without_fields_is_no_task():
    assert tasks("## Approach — history\nSome prose.\n- **A1 (FAILED):** x\n") == []


def test_a_value_goes_on_over_plain_lines_and_ends_at_a_blank_line():
    text = "## a — B\n**Status:** active\n**Next:** one\ntwo <br>\n  three\n\nfour\n"

    assert tasks(text) == [("a", "B", "active", "one two three")]


@pytest.mark.parametrize(
    "stop", ["- item", "> quote", "---", "**Other:** x", "### Sub", "| a | b |\n|---|---|", "```\nx\n```"]
)
def test_a_value_ends_at_another_block(stop):
    assert tasks(f"## a — B\n**Status:** active\n**Next:** one\n{stop}\n") == [("a", "B", "active", "one")]


def test_a_rule_right_below_a_field_does_not_make_it_a_heading():
    assert tasks("## a — B\n\n**Status:** done\n---\n## c — D\n**Status:** todo\n") == [
        ("a", "B", "done", None),
        ("c", "D", "todo", None),
    ]


def test_other_fields_are_kept_in_order_and_the_owner_is_found():
    board, _ = read(
        "## a — B\n**Status:** done\n**Owner:** ann\n**Branch:** `x/y`\n**Where I stopped (06-14):** *there*\n"
    )

    assert board.items[0].owner == "ann"
    assert board.items[0].fields == (("Branch", "x/y"), ("Where I stopped (06-14)", "there"))


def test_the_status_is_kept_as_written_with_its_tail():
    board, _ = read("## a — B\n**Status:** In Progress (**two** of three)\n")

    assert (board.items[0].status, board.items[0].status_text) == ("active", "In Progress (two of three)")


def test_an_emoji_decides_only_when_no_word_does():
    assert tasks("## 🔴 a — A\n**Status:** paused\n## 🟢 b — B\n**Status:** Phase 2 landed\n") == [
        ("a", "A", "paused", None),
        ("b", "B", "done", None),
    ]


def test_an_emoji_in_the_value_comes_before_the_headings():
    assert tasks("## 🔴 a — A\n**Status:** ⏸️ see below\n") == [("a", "A", "paused", None)]


def test_an_unknown_status_is_kept_and_reported_at_its_task():
    text = "# Board\n\n## a — A\n**Status:** somewhere in between\n"

    assert tasks(text) == [("a", "A", "unknown", None)]
    assert codes(text) == [("W101", 3)]


def test_a_task_without_any_status_is_reported():
    text = "## a — A\n**Next:** ask\n"

    assert tasks(text) == [("a", "A", "unknown", "ask")]
    assert codes(text) == [("W102", 1)]


def test_the_first_of_two_equal_slugs_wins():
    text = "## a — First\n**Status:** done\n## a — Second\n**Status:** todo\n"

    assert tasks(text) == [("a", "First", "done", None)]
    assert codes(text) == [("W103", 3)]


def test_what_stands_inside_a_task_is_no_task():
    text = (
        "## a — A\n**Status:** active\n- [ ] step\n- [x] step\n\n"
        "| ID | Title | Status |\n|--|--|--|\n| T-1 | x | done |\n"
        "\n### Done\n- [x] part\n### Notes: more\nprose\n"
    )

    assert tasks(text) == [("a", "A", "active", None)]


def test_a_fenced_and_a_commented_task_are_no_tasks():
    fenced = "````md\n```\n## a — A\n**Status:** done\n```\n````\n"
    text = f"{fenced}<!--\n## b — B\n**Status:** done\n-->\n~~~\n## c — C\n**Status:** x\n"

    assert tasks(text) == []


def test_a_task_ends_before_the_next_heading_without_blanks_and_rules():
    board, _ = read("## a — A\n**Status:** done\ntext\n\n---\n\n## b — B\n**Status:** done\n\n### Sub\nmore\n\n# End\n")

    assert [(item.line, item.end_line) for item in board.items] == [(1, 3), (7, 11)]


def test_a_task_below_a_task_has_its_own_lines():
    board, _ = read("## a — A\n**Status:** done\n\n### b — B\n**Status:** todo\n")

    assert [(item.slug, item.line, item.end_line) for item in board.items] == [("a", 1, 2), ("b", 4, 5)]


def test_long_names_and_values_are_cut():
    board, _ = read(f"## a — {'x' * 999}\n**Status:** done {'y' * 9999}\n")

    assert len(board.items[0].title) == 200
    assert len(board.items[0].status_text or "") == 2000


def test_hidden_letters_do_not_reach_a_title():
    assert tasks("## a — B\u202e\u200b\u2028c\n**Status:** done\n") == [("a", "B c", "done", None)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n \n",
        "# Tasks\n\nProse only.\n",
        "- 2026-04-12T12:32: lead dispatched W-1 to builder\n",
        "# Board\n_(none)_\n",
    ],
)
def test_a_board_without_tasks_is_empty(text):
    assert read(text) == (Board(path=PATH, state="empty"), ())


@pytest.mark.parametrize(
    "text",
    [
        "# ⛔ Доска закрыта\n\n## a — A\n**Status:** active\n",
        "# ⛔️ Moved\nSee the forge.\n",
        "# Task board (closed)\n- [ ] old\n",
        "# Task board — closed.\n",
        "# Доска закрыта\nПравда в другом месте.\n",
    ],
)
def test_a_tombstone_is_closed_and_has_no_tasks(text):
    assert read(text) == (Board(path=PATH, state="closed"), ())


@pytest.mark.parametrize("title", ["# Tasks — 3 active, 5 closed", "# Closed", "# Closed-loop tests", "# Tasks"])
def test_a_heading_that_only_counts_or_names_closed_tasks_is_no_tombstone(title):
    assert read(f"{title}\n## a — A\n**Status:** done\n")[0].state == "parsed"


@pytest.mark.parametrize(
    ("raw", "code", "line"),
    [
        (b"## a - \xff\n", "E101", None),
        ("## a — A\n".encode("utf-16"), "E101", None),
        (b"## a - A\n**Status:** done\0\n", "E102", None),
        (b"# B\n<<<<<<< HEAD\n## a - A\n=======\n>>>>>>> x\n", "E103", 2),
        (b"# B\n=======\n\n=======\n>>>>>>> x\n", "E103", 5),
        (b"x" * (1024 * 1024 + 1), "E104", None),
    ],
)
def test_an_unreadable_board_has_no_tasks_and_an_error(raw, code, line):
    board, found = parse_board(PATH, raw)

    assert board == Board(path=PATH, state="empty")
    assert [(one.code, one.severity, one.line) for one in found] == [(code, "error", line)]


def test_a_merge_shown_in_a_fence_is_no_conflict():
    assert tasks("## a — A\n**Status:** done\n```\n<<<<<<< HEAD\n=======\n>>>>>>> x\n```\n") == [
        ("a", "A", "done", None)
    ]


def test_a_board_that_is_nothing_but_front_matter_is_reported():
    assert codes("---\nid: T-1\nstatus: active\nplan: |\n  - [ ] step\n---\n") == [("W107", 1)]


@pytest.mark.parametrize(
    ("line", "title", "owner"),
    [
        ("## ship — Ship it (owner Ann)", "Ship it", "Ann"),
        ("## ship — Отправить (исполнитель: Анна П.)", "Отправить", "Анна П."),
        ("## ship — Ship it (owned by time)", "Ship it (owned by time)", None),
        ("## ship — Ship it (owner )", "Ship it (owner )", None),
    ],
)
def test_an_owner_in_parentheses_is_the_owner_and_no_part_of_the_title(line, title, owner):
    board, _ = read(f"# Tasks\n\n{line}\n**Status:** active\n")

    assert [(item.title, item.owner) for item in board.items] == [(title, owner)]


def test_a_field_names_the_owner_before_parentheses_do():
    board, _ = read("## ship - Ship it (owner Ann)\n**Status:** active\n**Owner:** Bob\n")

    assert [item.owner for item in board.items] == ["Bob"]
