"""Two small projects, and how a test talks to the server about them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal, TypeVar

import anyio
import mcp_types as wire
from mcp import Client, StdioServerParameters
from mcp.server.lowlevel import Server

from mcp_server.server import build_server
from mcp_server.tool import Reader
from mcp_server.tools import TOOLSETS, chosen
from pipeline.model import SyncReading
from tests.fakes.catalogs import NOW, Project, item, reading
from tests.fakes.published import Site

Era = Literal["auto", "legacy"]
Heard = TypeVar("Heard")

TOOLS = chosen(tuple(TOOLSETS))
# Those that are listed where no knowledge roots are.
USUAL_TOOLS = chosen(tuple(name for name in TOOLSETS if name != "roots"))

ATLAS = Project(
    repository="local/team/atlas",
    board="# Tasks\n\n## offline-maps\nStatus: active, in review\nNext: draw the legend\n\n## import\nСтатус: ждёт\n",
    items=(
        item("offline-maps", "Offline maps", 3, end_line=5, status_text="active, in review", next="draw the legend"),
        item("import", "Импорт карт", 7, end_line=8, status="blocked", status_text="ждёт"),
    ),
    task_files={"import/notes.md": "notes\n", "offline-maps/plan.md": "# Plan\nDraw it.\n"},
    pages={"concepts/tiles": "# Tiles\n"},
    committed_at=NOW - timedelta(days=1),
)
BEACON = Project(
    repository="local/team/beacon",
    board="- [x] ship\n- [ ] lamp\n",
    items=(item("ship", "Ship it", 1, status="done"), item("lamp", "Lamp", 2, status="todo")),
    state="unreachable",
    reason="HTTP 503",
    committed_at=NOW - timedelta(days=9),
)

SHARED = Project(
    repository="local/team/projects-wiki",
    shared_pages={"node/yarn": "---\ndomain: node\n---\nUse exec.\n", "cross/Кеш": "Кеш\n"},
    titles={"node/yarn": "Yarn on Windows"},
    shared_links=(("cross/Кеш", "node/yarn", 1),),
)


def failed(reason: str) -> SyncReading:
    """A sync whose last look at its one source failed."""
    good = reading()
    (source,) = good.sources
    return replace(good, sources=(replace(source, state="unreachable", reason=reason),))


def server(site: Site) -> Server:
    """The server of every tool over one build folder."""
    return build_server(Reader(published=site.published(), cwd=site.cwd), TOOLS)


def call(site: Site, name: str, **arguments: object) -> wire.CallToolResult:
    """One call, through the protocol, in memory."""
    return talk(server(site), lambda client: client.call_tool(name, arguments))


def answer(site: Site, name: str, **arguments: object) -> dict[str, Any]:
    """The structured content of a call that must succeed."""
    result = call(site, name, **arguments)
    assert not result.is_error, words(result)
    content: dict[str, Any] = result.structured_content
    return content


def refusal(site: Site, name: str, **arguments: object) -> str:
    """The whole text of a call that must be refused."""
    result = call(site, name, **arguments)
    assert result.is_error
    assert result.structured_content is None
    return words(result)


def lines(found: dict[str, Any]) -> list[dict[str, str]]:
    """The tasks of tasks_aggregate by the names of their columns; empty ones at the end are not there."""
    return [dict(zip(found["columns"], row, strict=False)) for row in found["tasks"]]


def words(result: wire.CallToolResult) -> str:
    """The text that clients show."""
    (content,) = result.content
    assert isinstance(content, wire.TextContent)
    return content.text


def talk(whom: Server | StdioServerParameters, ask: Callable[[Client], Awaitable[Heard]], era: Era = "auto") -> Heard:
    """What one client hears from a server in one of the two eras of the protocol."""

    async def conversation() -> Heard:
        async with Client(whom, mode=era) as client:
            return await ask(client)

    return anyio.run(conversation)
