"""How to register the MCP server: absolute paths, so that it works from any folder."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys

from pipeline import layout

SERVER = "projects-meta"
CARRIED = "PROJECTS_META_BUILD"


def command() -> list[str]:
    """The command that starts the server with this very Python; its link is kept, as an environment needs it."""
    return [os.path.abspath(sys.executable), "-m", "mcp_server"]  # noqa: PTH100  # resolve() follows the link


def claude_line() -> str:
    """One line for Claude Code's own command."""
    carried = [part for name, value in _environment().items() for part in ("--env", f"{name}={value}")]
    return _join(["claude", "mcp", "add", *carried, "--scope", "user", SERVER, "--", *command()])


def registration() -> str:
    """The JSON that Claude Desktop, Cursor and (under "servers") VS Code read."""
    start, *arguments = command()
    entry: dict[str, object] = {"command": start, "args": arguments}
    if _environment():
        entry["env"] = _environment()
    return json.dumps({"mcpServers": {SERVER: entry}}, indent=2, ensure_ascii=False)


def _environment() -> dict[str, str]:
    return {CARRIED: str(layout.find().root)} if os.environ.get(CARRIED) else {}


def _join(parts: list[str]) -> str:
    return subprocess.list2cmdline(parts) if os.name == "nt" else shlex.join(parts)
