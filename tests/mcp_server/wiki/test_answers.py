"""What each tool answers, letter by letter."""

from __future__ import annotations

from typing import Any

from tests.mcp_server.wiki.speaking import AWPCA, ROOTLESS, speak
from tests.mcp_server.wiki.test_scenarios import DIFF, EDITS, PAGE


def test_projects_are_a_table_with_the_current_one_marked():
    piped = {**ROOTLESS, "name": "Кедр | сосна\nель"}

    spoken = speak({"GET /projects": {"items": [AWPCA, piped]}}, "projects")

    assert spoken.text == (
        "| | метка | название | корень вики | страниц | последняя синхронизация |\n"
        "|---|---|---|---|---|---|\n"
        "| → | AWPCA | Согласование | DOC-1 | 12 | 28.10 13:10 |\n"
        "|  | sfm_kedr | Кедр \\| сосна ель | — | — | — |"
    )


def test_no_projects_say_how_to_begin():
    assert speak({"GET /projects": {"items": []}}, "projects", bound=None).text == "проектов нет: project_create"


def test_a_new_project_comes_with_its_registration():
    made = {"label": "new", "name": "Новый", "wiki_root": "DOC-5", "author": "claude", "wiki": None, "packet_id": 3}

    spoken = speak({"POST /projects": (201, made)}, "project_create", bound=None, label="new", name="Новый")

    assert spoken.text == (
        "проект new — Новый\nкорень вики: DOC-5\nпоставлено: пакет 3\n\nв .mcp.json проекта:\n"
        '{\n  "mcpServers": {\n    "sdlc-wiki": {\n      "command": "sdlc-hub",\n'
        '      "args": [\n        "mcp",\n        "wiki",\n        "--project",\n        "new"\n      ]\n    }\n  }\n}'
    )
    assert spoken.bodies[-1].decode() == '{"label":"new","name":"Новый","author":"claude"}'


def test_a_root_that_is_set_queues_a_sync():
    changed = {**AWPCA, "wiki_root": "DOC-9", "packet_id": 4}

    spoken = speak({"PATCH /projects/AWPCA": changed}, "root_set", root="DOC-9")

    assert spoken.text == "корень вики: DOC-9\nпоставлено: пакет 4"
    assert spoken.bodies[-1] == b'{"wiki_root":"DOC-9"}'


def test_a_tree_is_indented_and_counts_what_hangs_nowhere():
    found = {
        "nodes": [
            {"code": "DOC-1", "name": "Вики", "size": 120, "depth": 0},
            {"code": "DOC-2", "name": "Договоры", "size": 40, "depth": 1},
            {"code": "DOC-3", "name": "Статусы", "size": 45000, "depth": 2},
        ],
        "cycles": 2,
        "orphans": 1,
    }

    spoken = speak({"GET /wiki/tree": found}, "tree", code="DOC-1")

    assert spoken.text == (
        "DOC-1 — Вики (120)\n  DOC-2 — Договоры (40)\n    DOC-3 — Статусы (45000)\n"
        "не показаны: страниц в цикле — 2, без родителя — 1"
    )
    assert spoken.asked[-1] == "GET /wiki/tree?project=AWPCA&code=DOC-1&depth=2"


def test_a_page_has_a_header_then_its_text():
    full = {
        **PAGE,
        "url": "https://git.example.org/a/b/src/branch/main/.wiki/s.md",
        "attachments": [{"id": "77", "name": "схема\u2029.png", "size": 9}],
    }

    assert speak({"GET /wiki/page": full}, "page", code="DOC-3").text == (
        "DOC-3 — Статусы\n"
        "путь: Вики / Статусы\n"
        "адрес: https://git.example.org/a/b/src/branch/main/.wiki/s.md\n"
        "синхронизировано: 28.10 13:10\n"
        "изменено: 28.10 12:40 Дмитрий Соснов (версий: 4)\n"
        "вложение: 77 схема .png\n"
        "\n"
        "# Статусы\n"
    )


def test_a_page_without_a_history_says_so():
    bare = {**PAGE, "history_at": None, "modified_at": None, "modified_by": None, "versions": 0}

    assert "изменено: история не загружена" in speak({"GET /wiki/page": bare}, "page", code="DOC-3").text.split("\n")


def test_behind_its_end_a_page_says_how_long_it_is():
    spoken = speak({"GET /wiki/page": PAGE}, "page", code="DOC-3", offset=10)

    assert spoken.text.endswith("\n\nконец страницы: всего 10 символов")


def test_a_title_that_is_no_page_s_gives_close_ones():
    close = {"candidates": [{"code": "DOC-3", "name": "Статусы"}, {"code": "DOC-4", "name": "Статус\nы"}]}

    spoken = speak({"GET /wiki/page": close}, "page", title="статусы")

    assert spoken.text == "страницы с таким названием нет; похожие:\nDOC-3 — Статусы\nDOC-4 — Статус ы"


def test_a_title_without_close_ones_leads_to_search():
    spoken = speak({"GET /wiki/page": {"candidates": []}}, "page", title="нет такой")

    assert spoken.text == "страницы с таким названием нет: search"


def test_nothing_found_is_said():
    assert speak({"GET /wiki/search": {"items": []}}, "search", query="щ").text == "ничего не найдено"


def test_no_changes_are_said_below_the_period():
    spoken = speak({"GET /wiki/changes": {**EDITS, "items": []}}, "changes")

    assert spoken.text == (
        "правки вики с 28.10 00:00 по 28.10 14:05\nсинхронизировано: 28.10 13:10\nза период правок нет"
    )


def test_pages_with_the_newest_change_come_first_and_days_are_told():
    older = {**EDITS["items"][1], "page_code": "DOC-9", "page_name": "Другая", "at": "2026-10-27T01:02:00+00:00"}
    middle = {**EDITS["items"][1], "page_code": "DOC-9", "page_name": "Другая", "at": "2026-10-28T02:00:00+00:00"}
    edits = {**EDITS, "items": [older, EDITS["items"][1], middle, EDITS["items"][0]], "truncated": True}

    assert speak({"GET /wiki/changes": edits}, "changes").text.split("\n")[2:] == [
        "DOC-101252 Статусы договоров — Вики / Договоры / Статусы договоров",
        "12:40 Дмитрий Соснов: +40 / −12 (DOCH-7)",
        "11:02 Дмитрий Соснов: +1 / −0 (DOCH-6)",
        "DOC-9 Другая — Вики / Договоры / Статусы договоров",
        "12:00 Дмитрий Соснов: +1 / −0 (DOCH-6)",
        "27.10 11:02 Дмитрий Соснов: +1 / −0 (DOCH-6)",
        "показаны последние 4 правок, сузьте период",
    ]


def test_a_change_whose_text_is_not_there_has_no_numbers():
    unread = {**EDITS["items"][0], "added": None, "removed": None}

    spoken = speak({"GET /wiki/changes": {**EDITS, "items": [unread]}}, "changes")

    assert spoken.text.endswith("12:40 Дмитрий Соснов: +? / −? (DOCH-7)")


def test_period_and_author_go_to_the_hub_as_they_are_meant():
    spoken = speak({"GET /wiki/changes": EDITS}, "changes", since="2026-10-27", until="2026-10-28T12:00", author="Сос")

    assert spoken.asked[-1] == (
        "GET /wiki/changes?project=AWPCA&since=2026-10-27T00%3A00%3A00%2B10%3A00"
        "&until=2026-10-28T12%3A00%3A00%2B10%3A00&author=%D0%A1%D0%BE%D1%81"
    )


def test_the_first_version_has_no_previous_one():
    first = {**DIFF, "n": 1, "m": 1, "previous": None}

    assert "предыдущая версия: нет" in speak({"GET /wiki/diff": first}, "diff", code="DOC-101252").text.split("\n")


def test_a_long_diff_goes_on_by_offset():
    spoken = speak({"GET /wiki/diff": {**DIFF, "diff": "+я" * 15_000}}, "diff", code="DOC-101252")

    assert spoken.text.endswith("+я\nпродолжение: offset=20000")


def test_a_sync_is_queued_or_joined():
    queued = speak({"POST /wiki/sync": (202, {"packet_id": 8, "created": True})}, "sync")
    joined = speak({"POST /wiki/sync": {"packet_id": 8, "created": False}}, "sync")

    assert (queued.text, joined.text) == ("поставлено: пакет 8", "уже идёт: пакет 8")
    assert queued.bodies[-1] == b'{"project":"AWPCA"}'


def test_a_project_that_was_never_synced_may_be_synced():
    spoken = speak({"POST /wiki/sync": (202, {"packet_id": 1, "created": True})}, "sync", bound="fresh")

    assert spoken.text == "поставлено: пакет 1"


def test_a_sync_that_fails_while_waited_for_says_why():
    answers = {
        "POST /wiki/sync": (202, {"packet_id": 8, "created": True}),
        "GET /packets/8": {"id": 8, "state": "error", "finished_at": None, "error": "нет\nсети"},
    }

    spoken = speak(answers, "sync", wait=True)

    assert (spoken.text, spoken.is_error) == ("ошибка: нет сети", True)


def test_a_wait_counts_time_and_ends_after_300_seconds():
    answers = {
        "POST /wiki/sync": {"packet_id": 8, "created": False},
        "GET /packets/8": {"id": 8, "state": "running", "finished_at": None, "error": None},
    }

    spoken = speak(answers, "sync", wait=True)

    assert (spoken.text, spoken.is_error) == ("не дождался за 300 с: пакет 8", False)
    assert sum(spoken.naps) == 300


def test_an_attachment_that_is_there_is_not_waited_for():
    done = {"id": "77", "name": "a.png", "state": "done", "path": "downloads/wiki-77/a.png", "error": None}

    spoken = speak({"POST /wiki/attachments/77": done}, "attachment", id="77")

    assert (spoken.text, spoken.naps) == ("downloads/wiki-77/a.png", [])


def test_an_attachment_that_takes_long_is_to_be_asked_for_again():
    queued = {"id": "77", "name": "a.png", "state": "queued", "path": None, "error": None}
    answers = {"POST /wiki/attachments/77": (202, queued), "GET /wiki/attachments/77": queued}

    spoken = speak(answers, "attachment", id="77")

    assert (spoken.text, sum(spoken.naps)) == ("вложение 77: в очереди; повторите attachment 77", 60)


def test_an_attachment_that_cannot_be_had_says_why():
    failed = {"id": "77", "name": "a.png", "state": "error", "path": None, "error": "larger than 64 MiB"}

    spoken = speak({"POST /wiki/attachments/77": failed, "GET /wiki/attachments/77": failed}, "attachment", id="77")

    assert (spoken.text, spoken.is_error) == ("ошибка: larger than 64 MiB; повторите attachment 77", True)


STATUS: dict[str, Any] = {
    "wiki_root": "DOC-1",
    "root_name": "Вики",
    "synced_at": "2026-10-28T03:10:00+00:00",
    "history_at": None,
    "error": None,
    "packet": {"id": 8, "state": "running"},
    "agent": {
        "online": True,
        "version": "0.1.0",
        "published": {"version": 42, "at": "2026-10-28T03:12:00+00:00"},
        "update": None,
        "launcher": "doit",
    },
    "diagnostics": [],
}


def test_status_tells_every_fact_on_a_line_of_its_own():
    assert speak({"GET /wiki/status": STATUS}, "status").text == (
        "корень: DOC-1 — Вики\n"
        "последняя синхронизация: 28.10 13:10\n"
        "история не загружена\n"
        "пакет в работе: 8 (в работе)\n"
        "агент wiki: онлайн\n"
        "версия: 0.1.0\n"
        "публикация: 42, 28.10 13:12\n"
        "обновление: нет\n"
        "запускатель: doit"
    )


def test_status_of_a_project_without_a_root_is_told():
    agent = {"online": False, "version": "0.1.0", "published": None, "update": "doit", "launcher": "doit"}
    bare = {**STATUS, "wiki_root": None, "root_name": None, "synced_at": None, "packet": None, "agent": agent}
    lost = {"kind": "orphan", "code": "DOC-13", "name": "Забытая\nстраница", "parent": "DOC-404"}
    trouble = {**bare, "error": "сети\nнет", "diagnostics": [lost, *[{**lost, "kind": "cycle"}] * 21]}

    assert speak({"GET /wiki/status": trouble}, "status", bound="sfm_kedr").text == (
        "корень: не задан\n"
        "последняя синхронизация: не было\n"
        "история не загружена\n"
        "ошибка: сети нет\n"
        "пакет в работе: нет\n"
        "агент wiki: офлайн\n"
        "версия: 0.1.0\n"
        "публикация: нет\n"
        "обновление: doit\n"
        "запускатель: doit\n"
        "без родителя: DOC-13 — Забытая страница (parent: DOC-404)\n"
        + "в цикле: DOC-13 — Забытая страница (parent: DOC-404)\n" * 19
        + "и ещё вне дерева: 2"
    )


def test_the_same_answers_are_there_in_english():
    spoken = speak({"GET /wiki/changes": EDITS}, "changes", language="en")

    assert spoken.text.startswith("changes of the wiki from 28.10 00:00 to 28.10 14:05\nsynced: 28.10 13:10\n")
