"""Knowledge roots through the whole graph: one a folder, one a repository that sync brings; read over stdio."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.fakes.root_folders import write_files
from tests.graph.conftest import Workspace

HINTS = "cards/ => group\n"
SETTINGS = """
[knowledge]
primary = "mine"
roots.mine = "mine"
read_only = [{id = "group", repo = "acme/kb"}]

[[source]]
kind = "folder"
path = "projects"
depth = 2
"""
HOT = "<!-- section:knowledge-roots-routing-v1 -->The team's clone.<!-- /section:knowledge-roots-routing-v1 -->"


@pytest.fixture
def rooted(workspace: Workspace) -> Workspace:
    """A machine with both kinds of roots, built once."""
    write_files(
        workspace.root / "mine", {"agent-notes.md": HOT, "knowledge/work/local/knowledge-roots-index-v1.md": HINTS}
    )
    workspace.commit("acme/kb", {"knowledge/cards/README.md": "# Cards\n", ".wiki/x.md": "# X\n", "src/a.md": "code"})
    workspace.configure(SETTINGS)
    assert workspace.doit().status == 0
    return workspace


def asked(machine: Workspace, name: str, given: dict[str, object]) -> Any:
    """The structured answer of a server in a process of its own."""
    environment = {**os.environ, "PROJECTS_META_BUILD": str(machine.build)}
    command = StdioServerParameters(command=sys.executable, args=["-m", "mcp_server"], env=environment)

    async def talk() -> Any:
        async with Client(stdio_client(command)) as client:
            return (await client.call_tool(name, given)).structured_content

    return anyio.run(talk)


def hashes(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_question_finds_what_is_in_a_repository_of_the_team(rooted: Workspace):
    before = hashes(rooted.root / "mine")

    found = asked(rooted, "route_context", {"query": "cards"})

    assert (found["knowledge_roots_overlay_applied"], found["knowledge_roots_registry_hits"]) == (True, 1)
    assert "# Cards" in found["assembled_context"]
    assert hashes(rooted.root / "mine") == before


def test_of_a_repository_only_its_knowledge_is_a_root(rooted: Workspace):
    found = asked(rooted, "list_knowledge_files", {"knowledge_root_id": "group"})

    assert [each["path"] for each in found["files"]] == ["cards/README.md"]


def test_a_second_run_publishes_nothing(rooted: Workspace):
    assert "nothing new, still version 1" in rooted.doit().out


def test_a_changed_file_of_a_folder_makes_the_next_version_and_leaves_the_other_root(rooted: Workspace):
    write_files(rooted.root / "mine", {"knowledge/new.md": "new"})
    rooted.doit()

    assert rooted.version() == 2
    said = rooted.pipeline("diff", "1", "2").out
    assert "roots/mine.pack" in said
    assert "roots/group" not in said


def test_a_changed_file_of_a_repository_comes_with_the_next_sync(rooted: Workspace):
    rooted.commit("acme/kb", {"knowledge/cards/README.md": "# Other cards\n"})
    rooted.doit()

    given: dict[str, object] = {"file_path": "cards/README.md", "knowledge_root_id": "group"}
    assert asked(rooted, "read_knowledge_file", given)["text"] == "# Other cards"
