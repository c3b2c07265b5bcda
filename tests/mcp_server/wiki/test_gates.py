"""What must hold before a tool asks for the wiki, and how the hub's trouble is worded."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from mcp_server.wiki.tools import TOOLS
from tests.mcp_server.wiki.speaking import Spoken, speak

ARGUMENTS: dict[str, dict[str, Any]] = {
    "project_create": {"label": "new", "name": "Новый"},
    "root_set": {"root": "DOC-1"},
    "page": {"code": "DOC-1"},
    "search": {"query": "слово"},
    "diff": {"code": "DOC-1"},
    "attachment": {"id": "7"},
}
NAMES = [tool.name for tool in TOOLS]
BOUND = [name for name in NAMES if name not in ("projects", "project_create")]
ROOTED = [name for name in BOUND if name not in ("root_set", "status")]
SYNCED = [name for name in ROOTED if name != "sync"]


def call(name: str, answers: dict[str, object], **about: Any) -> Spoken:
    return speak(answers, name, **about, **ARGUMENTS.get(name, {}))


def test_there_are_eleven_tools_in_the_order_of_the_contract():
    assert NAMES == [
        "projects", "project_create", "root_set", "tree", "page", "search", "changes", "diff", "attachment", "sync",
        "status",
    ]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_hub_that_does_not_run_is_told_by_every_tool(name):
    down = httpx.ConnectError("refused")

    spoken = call(name, {"GET /projects": down, "POST /projects": down})

    assert (spoken.text, spoken.is_error) == ("хаб не запущен: sdlc-hub serve", True)


@pytest.mark.parametrize("name", NAMES)
def test_a_hub_that_never_ran_has_no_token_and_is_told_the_same_way(name):
    spoken = call(name, {}, token=None)

    assert (spoken.text, spoken.asked) == ("хаб не запущен: sdlc-hub serve", [])


@pytest.mark.parametrize("name", BOUND)
def test_a_session_without_a_project_asks_for_nothing(name):
    spoken = call(name, {}, bound=None)

    assert spoken.text == "сессия не привязана к проекту: sdlc-hub mcp wiki --project <метка>"
    assert spoken.asked == []


@pytest.mark.parametrize("name", BOUND)
def test_a_label_that_the_hub_does_not_know_is_told(name):
    spoken = call(name, {}, bound="nobody")

    assert (spoken.text, spoken.asked) == ("нет проекта nobody: project_create", ["GET /projects"])


@pytest.mark.parametrize("name", ROOTED)
def test_without_a_root_nothing_of_the_wiki_is_asked_for(name):
    spoken = call(name, {}, bound="sfm_kedr")

    assert (spoken.text, spoken.asked) == ("у проекта sfm_kedr нет корня вики: root_set DOC-…", ["GET /projects"])


@pytest.mark.parametrize("name", SYNCED)
def test_before_the_first_sync_nothing_of_the_wiki_is_asked_for(name):
    spoken = call(name, {}, bound="fresh")

    assert (spoken.text, spoken.asked) == ("вики проекта ещё не синхронизирована: sync", ["GET /projects"])


TROUBLE = {
    "хаб отклонил токен клиента": (401, {"detail": "no"}),
    "ошибка хаба: 500": (500, {"detail": "boom"}),
    "ошибка хаба: 503": (503, {}),
    "хаб не ответил за 30 с": httpx.ReadTimeout("late"),
    "по адресу хаба отвечает не хаб; проверьте --hub": httpx.RemoteProtocolError("no HTTP"),
    "нет страницы DOC-1 в проекте": (404, {"detail": "нет страницы\r\nDOC-1 \u2028 в проекте"}),
}


@pytest.mark.parametrize(("words", "answer"), TROUBLE.items(), ids=TROUBLE)
def test_trouble_of_the_hub_is_one_sentence(words, answer):
    spoken = speak({"GET /wiki/page": answer}, "page", code="DOC-1")

    assert (spoken.text, spoken.is_error) == (words, True)


@pytest.mark.parametrize("answer", [{"items": 7}, {}, {"code": "DOC-1"}, (200, [1]), (404, {"detail": {"x": 1}})])
def test_an_answer_of_another_shape_is_not_a_hub_s(answer):
    spoken = speak({"GET /wiki/page": answer}, "page", code="DOC-1")

    assert spoken.text == "по адресу хаба отвечает не хаб; проверьте --hub"


@pytest.mark.parametrize("token", ["секрет", "a\nb"])
def test_a_token_that_no_header_can_carry_is_refused_without_a_request(token):
    spoken = speak({}, "projects", token=token)

    assert (spoken.text, spoken.asked) == ("хаб отклонил токен клиента", [])


@pytest.mark.parametrize("name", ["page", "changes", "diff"])
def test_reading_queues_nothing(name):
    asked = call(name, {f"GET /wiki/{name}": (404, {"detail": "нет"})}).asked

    assert {line.split(" ")[0] for line in asked} == {"GET"}


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("changes", {"hours": 2, "since": "2026-10-28"}, "либо hours, либо since"),
        ("changes", {"hours": 0}, "hours: ожидается число больше нуля и не больше 878400"),
        ("changes", {"hours": True}, "hours: ожидается число больше нуля и не больше 878400"),
        ("changes", {"hours": float("nan")}, "hours: ожидается число больше нуля и не больше 878400"),
        ("changes", {"until": "потом"}, "until: ожидается время ISO 8601, например 2026-10-28 или 2026-10-28T14:05"),
        ("changes", {"when": 1}, "нет аргумента when; changes принимает: hours, since, until, author"),
        ("status", {"x": 1}, "нет аргумента x; status не принимает аргументов"),
        ("page", {}, "укажите code или title"),
        ("page", {"code": "DOC-1", "title": "Т"}, "укажите code или title"),
        ("page", {"code": "DOC-1", "offset": -1}, "offset: ожидается целое число от 0 до 10000000"),
        ("page", {"code": "DOC-1", "offset": True}, "offset: ожидается целое число от 0 до 10000000"),
        ("tree", {"depth": 0}, "depth: ожидается целое число от 1 до 100"),
        ("search", {}, "нет аргумента query; ожидается текст от 1 до 400 символов"),
        ("search", {"query": " "}, "query: ожидается текст от 1 до 400 символов"),
        ("search", {"query": "a\0b"}, "query: ожидается текст от 1 до 400 символов"),
        ("sync", {"wait": "yes"}, "wait: ожидается true или false"),
        ("diff", {"code": 5, "offset": "x"},
         "code: ожидается текст от 1 до 400 символов; offset: ожидается целое число от 0 до 10000000"),
        ("delete", {}, "нет инструмента delete; есть: projects, project_create, root_set, tree, page, search, changes, "
         "diff, attachment, sync, status"),
    ],
)  # fmt: skip
def test_bad_arguments_are_told_without_a_request(tool, given, words):
    spoken = speak({}, tool, **given)

    assert (spoken.text, spoken.is_error, spoken.asked) == (words, True, [])


@pytest.mark.parametrize("name", ["project_create", "root_set", "attachment", "sync"])
def test_a_read_only_session_has_no_tool_that_changes_the_hub(name):
    spoken = call(name, {}, read_only=True)

    assert spoken.text == f"нет инструмента {name}; есть: projects, tree, page, search, changes, diff, status"
