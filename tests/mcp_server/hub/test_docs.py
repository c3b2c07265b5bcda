"""docs/hub.md is held to the program."""

from pathlib import Path

import pytest

from mcp_server.hub import queue, state
from mcp_server.sdlc import build_parser
from tests.fakes.wikis import ROUTES

PAGE = (Path(__file__).parent.parent.parent.parent / "docs" / "hub.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_route_is_described(method, path):
    assert f"| `{method} {path}` |" in PAGE


def test_every_option_of_serve_is_described():
    options = build_parser().parse_args(["serve"])
    named = {name for name in vars(options) if name != "run"}

    assert named == {"host", "port", "state", "project_dir", "allow_remote"}
    assert [name for name in named if f"`--{name.replace('_', '-')}" not in PAGE] == []


def test_every_file_of_the_state_folder_is_described(tmp_path):
    folder = state.State(tmp_path)
    files = [folder.projects, folder.token, folder.queue, folder.lock]

    assert [path.name for path in files if f"| `{path.name}` |" not in PAGE] == []
    assert f"{queue.KEPT:,}" in PAGE
