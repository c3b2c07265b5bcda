"""What the protocol asks of us: list the tools, call one.

Answers and errors are texts whose every letter is ours; an error is a result that says so, never an
exception, before which the SDK would put words of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import mcp_types as wire
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from mcp_server.release import release
from mcp_server.wiki import arguments
from mcp_server.wiki.tools import TOOLS, TROUBLE, Progress, Session, Tool
from mcp_server.wiki.words import Words

NAME = "sdlc-wiki"

logger = logging.getLogger(__name__)

Context = ServerRequestContext[Any]


def build_server(session: Session, *, read_only: bool = False) -> Server:
    """A server for one session; `read_only` leaves out the tools that change the hub's registry or queue."""
    tools = chosen(read_only=read_only)
    listed = wire.ListToolsResult(tools=[_listed(tool, session.words) for tool in tools])

    async def list_tools(_: Context, __: wire.PaginatedRequestParams | None) -> wire.ListToolsResult:
        return listed

    async def call_tool(context: Context, params: wire.CallToolRequestParams) -> wire.CallToolResult:
        async def progress(passed_s: float, message: str) -> None:
            await context.session.report_progress(passed_s, message=message)

        return await call(session, tools, params.name, params.arguments or {}, progress)

    about = session.words("server.about")
    return Server(NAME, version=release(), instructions=about, on_list_tools=list_tools, on_call_tool=call_tool)


def chosen(*, read_only: bool) -> tuple[Tool, ...]:
    """The tools of a session."""
    return tuple(tool for tool in TOOLS if not (read_only and tool.changes))


async def call(
    session: Session, tools: Sequence[Tool], name: str, given: Mapping[str, object], progress: Progress
) -> wire.CallToolResult:
    """Answer one call; what does not hold is a result that is marked as an error."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        names = ", ".join(tool.name for tool in tools)
        return _failure(session.words("argument.tool", name=name[: arguments.SHOWN], tools=names))
    try:
        checked = arguments.read(tool.name, tool.arguments, given, session.words)
        answer = await tool.answer(session, progress, **checked)
    except TROUBLE as trouble:
        return _failure(str(trouble))
    except (KeyError, TypeError, ValueError):
        # The hub speaks another version of its API, or is none.
        logger.exception("an answer of the hub could not be read")
        return _failure(session.words("gate.stranger"))
    return wire.CallToolResult(content=[wire.TextContent(type="text", text=answer)])


def _failure(text: str) -> wire.CallToolResult:
    return wire.CallToolResult(content=[wire.TextContent(type="text", text=text)], is_error=True)


def _listed(tool: Tool, words: Words) -> wire.Tool:
    return wire.Tool(
        name=tool.name,
        description=words(f"tool.{tool.name}"),
        input_schema=arguments.input_schema(tool.arguments, words),
        annotations=wire.ToolAnnotations(
            read_only_hint=not tool.changes,
            destructive_hint=False,
            idempotent_hint=tool.repeatable,
            open_world_hint=False,
        ),
    )
