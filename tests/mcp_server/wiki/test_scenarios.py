"""The nine scenarios by which the wiki server is accepted, word for word (the fourth: test_neighbours)."""

from __future__ import annotations

from typing import Any

from tests.mcp_server.wiki.speaking import speak

PAGE: dict[str, Any] = {
    "code": "DOC-3",
    "name": "Статусы",
    "path": "Вики / Статусы",
    "url": None,
    "synced_at": "2026-10-28T03:10:00+00:00",
    "modified_at": "2026-10-28T02:40:00+00:00",
    "modified_by": "Дмитрий Соснов",
    "versions": 4,
    "history_at": "2026-10-28T03:11:00+00:00",
    "attachments": [],
    "markdown": "# Статусы\n",
}
EDITS: dict[str, Any] = {
    "since": "2026-10-28T00:00:00+10:00",
    "until": None,
    "synced_at": "2026-10-28T03:10:00+00:00",
    "history_at": "2026-10-28T03:11:00+00:00",
    "truncated": False,
    "items": [
        {
            "page_code": "DOC-101252",
            "page_name": "Статусы договоров",
            "path": "Вики / Договоры / Статусы договоров",
            "version": "DOCH-7",
            "at": "2026-10-28T02:40:00+00:00",
            "author": "Дмитрий Соснов",
            "added": 40,
            "removed": 12,
        },
        {
            "page_code": "DOC-101252",
            "page_name": "Статусы договоров",
            "path": "Вики / Договоры / Статусы договоров",
            "version": "DOCH-6",
            "at": "2026-10-28T01:02:00+00:00",
            "author": "Дмитрий Соснов",
            "added": 1,
            "removed": 0,
        },
    ],
}
DIFF: dict[str, Any] = {
    "code": "DOC-101252",
    "name": "Статусы договоров",
    "path": "Вики / Договоры / Статусы договоров",
    "version": "DOCH-7",
    "n": 4,
    "m": 4,
    "author": "Дмитрий Соснов",
    "at": "2026-10-28T02:40:00+00:00",
    "added": 40,
    "removed": 12,
    "previous": {"version": "DOCH-6", "at": "2026-10-28T01:02:00+00:00"},
    "diff": "--- a/.wiki/s.md\n+++ b/.wiki/s.md\n@@ -1 +1 @@\n-старое\n+новое\n",
}


def test_search_from_a_session_of_awp_ca():
    found = {
        "items": [{"code": "DOC-3", "name": "Статусы", "path": "Вики / Статусы", "snippet": "…статус согласован…"}]
    }

    spoken = speak({"GET /wiki/search": found}, "search", query="статус согласован")

    assert spoken.text == "DOC-3 — Статусы — Вики / Статусы\n  …статус согласован…"
    assert spoken.asked[-1] == (
        "GET /wiki/search?project=AWPCA&q=%D1%81%D1%82%D0%B0%D1%82%D1%83%D1%81+"
        "%D1%81%D0%BE%D0%B3%D0%BB%D0%B0%D1%81%D0%BE%D0%B2%D0%B0%D0%BD&limit=10"
    )


def test_a_long_page_begins_with_20_000_characters_and_says_where_it_goes_on():
    long = {**PAGE, "markdown": "ж" * 45_000}

    spoken = speak({"GET /wiki/page": long}, "page", code="DOC-3")

    assert spoken.text.split("\n\n")[1] == "ж" * 20_000 + "\nпродолжение: offset=20000"


def test_the_end_of_a_long_page_says_nothing_of_going_on():
    long = {**PAGE, "markdown": "ж" * 45_000}

    spoken = speak({"GET /wiki/page": long}, "page", code="DOC-3", offset=40_000)

    assert spoken.text.split("\n\n")[1] == "ж" * 5_000


def test_without_a_root_the_tree_is_not_asked_for():
    spoken = speak({}, "tree", bound="sfm_kedr")

    assert spoken.text == "у проекта sfm_kedr нет корня вики: root_set DOC-…"
    assert spoken.is_error
    assert spoken.asked == ["GET /projects"]


def test_a_line_break_in_the_name_of_a_page_makes_no_line():
    forged = {**PAGE, "name": "Статусы\nпуть: поддельный"}

    lines = speak({"GET /wiki/page": forged}, "page", code="DOC-3").text.split("\n")

    assert lines[0] == "DOC-3 — Статусы путь: поддельный"
    assert [line for line in lines if line.startswith("путь:")] == ["путь: Вики / Статусы"]


def test_what_the_analysts_did_today():
    spoken = speak({"GET /wiki/changes": EDITS}, "changes")

    assert spoken.text == (
        "правки вики с 28.10 00:00 по 28.10 14:05\n"
        "синхронизировано: 28.10 13:10\n"
        "DOC-101252 Статусы договоров — Вики / Договоры / Статусы договоров\n"
        "12:40 Дмитрий Соснов: +40 / −12 (DOCH-7)\n"
        "11:02 Дмитрий Соснов: +1 / −0 (DOCH-6)"
    )
    assert spoken.asked == [
        "GET /projects",
        "GET /wiki/changes?project=AWPCA&since=2026-10-28T00%3A00%3A00%2B10%3A00",
    ]


def test_the_diff_of_the_last_edit():
    spoken = speak({"GET /wiki/diff": DIFF}, "diff", code="DOC-101252")

    assert spoken.text == (
        "DOC-101252 — Статусы договоров\n"
        "путь: Вики / Договоры / Статусы договоров\n"
        "версия 4 из 4\n"
        "автор: Дмитрий Соснов\n"
        "время: 28.10 12:40\n"
        "+40 / −12\n"
        "предыдущая версия: DOCH-6 28.10 11:02\n"
        "\n"
        "--- a/.wiki/s.md\n+++ b/.wiki/s.md\n@@ -1 +1 @@\n-старое\n+новое\n"
    )


def test_a_sync_that_is_waited_for_is_one_line():
    answers = {
        "POST /wiki/sync": (202, {"packet_id": 8, "created": True}),
        "GET /packets/8": [
            {"id": 8, "state": "running", "finished_at": None, "error": None},
            {"id": 8, "state": "done", "finished_at": "2026-10-28T04:05:00+00:00", "error": None},
        ],
        "GET /wiki/status": {"synced_at": "2026-10-28T04:05:00+00:00"},
    }

    spoken = speak(answers, "sync", wait=True)

    assert (spoken.text, spoken.is_error) == ("ок: синхронизировано 28.10 14:05", False)
    assert spoken.told == ["пакет 8: в работе"]


def test_a_history_that_is_not_loaded_says_so():
    spoken = speak({"GET /wiki/changes": {**EDITS, "history_at": None, "items": []}}, "changes")

    assert "история ещё не загружена: нужен eva-agent v2 и sync" in spoken.text.split("\n")
