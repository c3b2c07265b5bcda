"""Every toolset by the name that `--toolsets` knows: one row each."""

from __future__ import annotations

from mcp_server.tool import Tool
from mcp_server.tools import audit, changes, knowledge, meta, promotion, roots, tasks, wikis

TOOLSETS: dict[str, tuple[Tool, ...]] = {
    "tasks": (*tasks.TOOLS, *changes.TASK_TOOLS),
    "knowledge": (*knowledge.TOOLS, *wikis.TOOLS, *promotion.TOOLS),
    "wiki": changes.TOOLS,
    "roots": roots.TOOLS,
    "meta": (*meta.TOOLS, *audit.TOOLS),
}
ALWAYS = "meta"


def chosen(names: tuple[str, ...]) -> tuple[Tool, ...]:
    """The tools of the named toolsets, and those that are always there, in the order of the rows."""
    return tuple(tool for name, tools in TOOLSETS.items() if name in names or name == ALWAYS for tool in tools)
