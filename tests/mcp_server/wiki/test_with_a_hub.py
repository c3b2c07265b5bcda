"""The wiki server, a process, beside a running hub: every tool, and what stays as it was."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types as wire
import pytest
from mcp import Client, StdioServerParameters

from pipeline.layout import Layout
from tests.fakes.published import Site
from tests.fakes.wikis import Asked, asking, publish
from tests.mcp_server.asking import USUAL_TOOLS, talk

ROOT = Path(__file__).parents[3]
REVIEWED = ROOT / "tests" / "mcp_server" / "tools.json"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = Site(Layout(tmp_path / "build"))
    publish(made)
    return made


@pytest.fixture
def hub(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    monkeypatch.setenv("PROJECTS_META_BUILD", str(site.layout.root))
    with asking(tmp_path / "state") as asked:
        asked.add("AWPCA", root="DOC-1")
        yield asked


def process(module: str, hub: Asked, *words: str) -> StdioServerParameters:
    known = {**os.environ, "PYTHONPATH": str(ROOT), "TZ": "UTC", "PROJECTS_META_NOW": "2026-11-30T14:05:00Z"}
    return StdioServerParameters(command=sys.executable, args=["-m", module, *words], env=known, cwd=ROOT)


def session(hub: Asked, *words: str) -> StdioServerParameters:
    found = ["--hub", str(hub.client.base_url).rstrip("/"), "--state", str(hub.state)]
    return process("mcp_server.sdlc", hub, "mcp", "wiki", "--project", "AWPCA", *found, *words)


def hear(parameters: StdioServerParameters, *calls: tuple[str, dict[str, object]]) -> list[str]:
    """The texts of several calls of one session."""

    async def conversation(client: Client) -> list[str]:
        return [text_of(await client.call_tool(tool, given)) for tool, given in calls]

    return talk(parameters, conversation)


def text_of(answer: wire.CallToolResult) -> str:
    (content,) = answer.content
    assert isinstance(content, wire.TextContent)
    return content.text


def test_every_reading_tool_answers_from_the_hub(hub: Asked):
    projects, tree, page, search, changes, diff, status = hear(
        session(hub),
        ("projects", {}),
        ("tree", {"code": "DOC-3", "depth": 1}),
        ("page", {"code": "DOC-3"}),
        ("search", {"query": "статус согласован"}),
        ("changes", {"since": "2026-01-01"}),
        ("diff", {"code": "DOC-33"}),
        ("status", {}),
    )

    assert "| → | AWPCA | Project AWPCA | DOC-1 |" in projects
    assert tree.split("\n")[0].startswith("DOC-3 — Статусы (")
    assert page.split("\n")[0] == "DOC-3 — Статусы"
    assert page.endswith("# Статусы\nстатус согласован\n")
    assert search.split("\n")[0].startswith("DOC-3 — Статусы — ")
    assert "Дмитрий Соснов: +" in changes
    assert "версия 2 из 2\nавтор: Дмитрий Соснов\n" in diff
    assert diff.endswith("-старый\n+статус согласован\n")
    assert status.split("\n")[0].startswith("корень: DOC-1 — ")
    assert "без родителя: DOC-13 — lost (parent: DOC-404)" in status.split("\n")


def test_work_is_queued_once_and_joined(hub: Asked):
    first, second, absent, root = hear(
        session(hub),
        ("sync", {}),
        ("sync", {}),
        ("page", {"code": "DOC-404"}),
        ("root_set", {"root": "DOC-3"}),
    )

    assert first.startswith(("поставлено: пакет ", "уже идёт: пакет "))
    assert second.startswith("уже идёт: пакет ")
    assert "DOC-404" in absent
    assert root.startswith("корень вики: DOC-3\n")


def test_a_project_made_by_a_session_without_one_is_there_at_once(hub: Asked):
    found = ["--hub", str(hub.client.base_url).rstrip("/"), "--state", str(hub.state)]
    free = process("mcp_server.sdlc", hub, "mcp", "wiki", *found)

    made, taken, listed = hear(
        free,
        ("project_create", {"label": "new", "name": "Новый"}),
        ("project_create", {"label": "new", "name": "Другой"}),
        ("projects", {}),
    )

    assert made.startswith("проект new — Новый\n")
    assert "new" in taken
    assert "| new | Новый |" in listed


def test_the_other_server_keeps_its_name_and_its_tools_while_a_hub_and_a_session_run(hub: Asked):
    async def conversation(_: Client) -> tuple[str, list[dict[str, Any]]]:
        async with Client(process("mcp_server", hub)) as neighbour:
            listed = await neighbour.list_tools()
            tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools]
            assert neighbour.server_info is not None
            return neighbour.server_info.name, tools

    name, tools = talk(session(hub), conversation)

    assert name == "projects_meta"
    # No knowledge roots are here, so their tools are not listed.
    usual = {tool.name for tool in USUAL_TOOLS}
    assert tools == [tool for tool in json.loads(REVIEWED.read_text(encoding="utf-8")) if tool["name"] in usual]
