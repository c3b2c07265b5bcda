"""What every client meets: names, aliases, errors, both eras of the protocol, a version replaced underneath."""

from __future__ import annotations

import logging
import re
from typing import Any

import anyio
import mcp_types as wire
import pytest
from mcp import Client

from mcp_server.server import build_server
from mcp_server.tool import Reader, Tool
from mcp_server.tools import chosen
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON, TOOLS, Era, answer, call, refusal, server, talk, words

ERAS: tuple[Era, ...] = ("auto", "legacy")


def names(listed: wire.ListToolsResult) -> list[str]:
    return [tool.name for tool in listed.tools]


def test_every_listed_name_is_one_that_all_clients_accept(site: Site):
    listed = talk(server(site), lambda client: client.list_tools())

    assert [name for name in names(listed) if not re.fullmatch(r"[a-z][a-z0-9_]{1,39}", name) or "__" in name] == []
    assert [tool.title for tool in listed.tools] == [name.replace("_", ".", 1) for name in names(listed)]


def test_every_tool_says_that_it_only_reads(site: Site):
    listed = talk(server(site), lambda client: client.list_tools())
    hints = [
        (note.read_only_hint, note.idempotent_hint, note.open_world_hint, note.destructive_hint)
        for note in (tool.annotations for tool in listed.tools)
        if note
    ]

    assert hints == [(True, True, False, False)] * len(TOOLS)


def test_dotted_names_are_listed_only_when_asked_for(site: Site):
    dotted = build_server(Reader(published=site.published()), TOOLS, dotted=True)

    assert names(talk(dotted, lambda client: client.list_tools())) == [tool.title for tool in TOOLS]


@pytest.mark.parametrize("dotted", [False, True])
@pytest.mark.parametrize("name", ["tasks_aggregate", "tasks.aggregate"])
def test_both_names_are_understood_in_calls(library: Site, name: str, dotted: bool):
    either = build_server(Reader(published=library.published()), TOOLS, dotted=dotted)
    heard = talk(either, lambda client: client.call_tool(name, {}))

    assert heard.structured_content["total"] == 3


def test_a_toolset_that_is_not_chosen_is_neither_listed_nor_answered(library: Site):
    fewer = build_server(Reader(published=library.published()), chosen(()))

    assert names(talk(fewer, lambda client: client.list_tools())) == [
        "meta_status",
        "meta_projects",
        "meta_audit_shared",
    ]
    assert words(talk(fewer, lambda client: client.call_tool("tasks_get", {"project": "atlas"}))) == (
        'no tool "tasks_get"; this server has meta_status, meta_projects, meta_audit_shared'
    )


def test_an_unknown_tool_comes_with_near_names(library: Site):
    assert (
        refusal(library, "task_get")
        == 'no tool "task_get"; did you mean tasks_get or tasks_aggregate or tasks_changes?'
    )


def test_the_whole_text_of_an_argument_error_is_ours(library: Site):
    assert refusal(library, "tasks_aggregate", limit=500) == "limit is 500; expected a whole number from 1 to 100"
    assert refusal(library, "tasks.aggregate", stat="open") == (
        'unknown argument "stat"; did you mean status?; tasks_aggregate accepts status, project, limit, offset'
    )


def crashing(trouble: Exception) -> Tool:
    def ask(reader: Reader) -> Any:
        raise trouble

    status = next(tool for tool in TOOLS if tool.name == "meta_status")
    return Tool(
        name="meta_crash",
        title="meta.crash",
        description="",
        arguments=(),
        answer=status.answer,
        ask=ask,
        show=status.show,
    )


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (KeyError("/home/ann/secret"), "this question met a mistake of the server"),
        (PermissionError(13, "denied", "/home/ann/secret"), "the published version cannot be read; run `doit`"),
    ],
)
def test_a_crash_tells_the_caller_nothing_of_the_host_and_the_log_everything(
    site: Site, caplog: pytest.LogCaptureFixture, trouble: Exception, said: str, era: Era
):
    broken = build_server(Reader(published=site.published()), (crashing(trouble),))
    with caplog.at_level(logging.ERROR):
        heard = talk(broken, lambda client: client.call_tool("meta_crash", {}), era)

    assert heard.is_error
    assert words(heard).startswith(said)
    assert "secret" not in words(heard)
    assert "/home/ann/secret" in caplog.text


@pytest.mark.parametrize("era", ERAS)
def test_both_eras_list_and_answer_the_same(library: Site, era: Era):
    async def conversation(client: Client) -> tuple[list[str], Any]:
        listed = await client.list_tools()
        heard = await client.call_tool("tasks_get", {"project": "beacon"})
        return names(listed), heard.structured_content["text"]

    assert talk(server(library), conversation, era) == ([tool.name for tool in TOOLS], BEACON.board)


def test_a_version_published_meanwhile_is_seen_by_the_next_call(library: Site):
    async def conversation(client: Client) -> list[tuple[int, int]]:
        first = (await client.call_tool("tasks_aggregate", {})).structured_content
        library.publish(ATLAS)
        second = (await client.call_tool("tasks_aggregate", {})).structured_content
        return [(heard["version"], heard["total"]) for heard in (first, second)]

    assert talk(server(library), conversation) == [(1, 3), (2, 2)]


def test_the_first_version_published_meanwhile_is_seen_by_the_next_call(site: Site):
    async def conversation(client: Client) -> list[bool]:
        before = await client.call_tool("tasks_aggregate", {})
        site.publish(ATLAS)
        return [before.is_error, (await client.call_tool("tasks_aggregate", {})).is_error]

    assert talk(server(site), conversation) == [True, False]


def test_many_calls_at_once_are_answered_each_with_its_own(library: Site):
    async def conversation(client: Client) -> dict[int, str]:
        heard: dict[int, str] = {}

        async def one(number: int) -> None:
            project = ("atlas", "beacon")[number % 2]
            heard[number] = (await client.call_tool("tasks_get", {"project": project})).structured_content["project"]

        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(one, number)
        return heard

    heard = talk(server(library), conversation)
    assert heard == {number: f"local/team/{('atlas', 'beacon')[number % 2]}" for number in range(20)}


def test_a_damaged_current_file_is_an_error_that_says_what_to_run(library: Site):
    library.layout.current_json.write_text('{"schema_version": 1, "ver', encoding="utf-8")

    assert refusal(library, "tasks_aggregate") == "current.json is not whole JSON; run `doit` to make it anew"


def test_structured_content_is_what_the_listed_schema_promises(library: Site):
    """The SDK's client checks each answer against its schema; a wrong one would raise."""
    assert answer(library, "meta_status")["projects"] == 2
    assert not call(library, "tasks_search", query="map").is_error
