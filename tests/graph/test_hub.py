"""A hub over real clones: it syncs by itself, and brings attachments."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes.bare import Content
from tests.graph.conftest import HOME, Workspace

PICTURE = b"\x89PNG\0picture"
WIKI: dict[str, Content] = {
    ".wiki/index.md": "# Atlas\n\n- [Guides](guides.md)\n",
    ".wiki/guides.md": "---\ncode: DOC-3\n---\n# Guides\nfirst\n",
    ".wiki/guides/CON.png": PICTURE,
}


@pytest.fixture
def hub(workspace: Workspace, tmp_path: Path) -> Iterator[httpx.Client]:
    """`sdlc-hub serve` over a folder of clones, none of them built yet."""
    workspace.commit("ann/atlas", WIKI)
    words = ["serve", "--port", "0", "--state", str(tmp_path / "state"), "--project-dir", str(HOME)]
    command = [sys.executable, "-m", "mcp_server.sdlc", *words]
    process = subprocess.Popen(command, cwd=HOME, env=workspace.environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        token = (tmp_path / "state" / "token").read_text().strip()
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, trust_env=False) as client:
            yield client
    finally:
        process.terminate()
        process.communicate(timeout=60)


def done(hub: httpx.Client, packet: int) -> Any:
    """The packet, when it is over."""
    end = time.monotonic() + 60
    while (found := hub.get(f"/packets/{packet}").json())["state"] in ("queued", "running"):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


def add(hub: httpx.Client, root: str = "DOC-3") -> int:
    made = hub.post("/projects", json={"label": "A", "name": "Atlas", "wiki_root": root, "author": "claude"})
    return int(made.json()["packet_id"])


def test_the_first_sync_is_made_by_the_hub_itself(hub: httpx.Client):
    packet = add(hub)
    before = hub.get("/wiki/tree", params={"project": "A"})

    assert (before.status_code, done(hub, packet)["state"]) == (404, "done")
    nodes = hub.get("/wiki/tree", params={"project": "A"}).json()["nodes"]
    assert [(node["code"], node["name"]) for node in nodes] == [("DOC-3", "Guides")]


def test_a_push_is_seen_after_a_sync(hub: httpx.Client, workspace: Workspace):
    done(hub, add(hub))
    workspace.commit("ann/atlas", {".wiki/guides/new.md": "# New\n"})
    done(hub, hub.post("/wiki/sync", json={"project": "A"}).json()["packet_id"])

    nodes = hub.get("/wiki/tree", params={"project": "A"}).json()["nodes"]
    assert [node["name"] for node in nodes] == ["Guides", "New"]


def test_an_attachment_is_brought_under_a_name_that_every_system_takes(hub: httpx.Client, tmp_path: Path):
    done(hub, add(hub))
    (file,) = hub.get("/wiki/page", params={"project": "A", "code": "DOC-3"}).json()["attachments"]
    place = f"/wiki/attachments/{file['id']}"
    asked = hub.post(place, json={"project": "A"})
    done(hub, 2)
    found = hub.get(place, params={"project": "A"}).json()

    assert asked.status_code == 202
    assert (found["state"], found["path"]) == ("done", f"downloads/wiki-{file['id']}/_CON.png")
    assert (tmp_path / "state" / found["path"]).read_bytes() == PICTURE


def test_a_sync_that_fails_says_why_without_places_of_this_machine(hub: httpx.Client, workspace: Workspace):
    workspace.configure('[[source]]\nkind = "folder"\npath = "/nowhere"\n')

    assert done(hub, add(hub))["error"].startswith("the run ended with status 1: ")
    assert "/nowhere" not in done(hub, 1)["error"]
