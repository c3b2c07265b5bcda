"""The wiki server as clients start it: a process on two pipes, beside a hub on loopback."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import mcp_types as wire
import pytest
from mcp import Client, StdioServerParameters

from tests.mcp_server.asking import Era, talk
from tests.mcp_server.wiki.speaking import AWPCA
from tests.mcp_server.wiki.test_scenarios import EDITS, PAGE

ROOT = Path(__file__).parents[3]
ANSWERS = {
    "/projects": {"items": [AWPCA]},
    "/wiki/changes": EDITS,
    "/wiki/page": PAGE,
    "/wiki/sync": {"packet_id": 8, "created": True},
    "/packets/8": {"id": 8, "state": "running", "finished_at": None, "error": None},
    "/wiki/status": {"synced_at": "2026-10-28T04:05:00+00:00"},
}


class WrittenHub(ThreadingHTTPServer):
    """A hub of written answers; its packet is done at the third look."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), Answering)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answering(BaseHTTPRequestHandler):
    server: WrittenHub

    def do_GET(self) -> None:
        self.server.asked.append(f"{self.command} {self.path}")
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        is_known = self.headers["Authorization"] == "Bearer open-sesame"
        answer = dict(ANSWERS[path]) if is_known else {"detail": "no"}
        if self.server.asked.count("GET /packets/8") > 2 and path == "/packets/8":
            answer["state"] = "done"
        body = json.dumps(answer).encode()
        self.send_response(200 if is_known else 401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub() -> Iterator[WrittenHub]:
    with WrittenHub() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def session(hub: WrittenHub, *words: str, **environment: str) -> StdioServerParameters:
    known = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "SDLC_HUB_URL": hub.url,
        "SDLC_HUB_TOKEN": "open-sesame",
        "PROJECTS_META_NOW": "2026-10-28T04:05:00Z",
        "TZ": "Asia/Vladivostok",
        **environment,
    }
    command = ["-m", "mcp_server.wiki", "--project", "AWPCA", *words]
    return StdioServerParameters(command=sys.executable, args=command, env=known, cwd=ROOT)


async def first_text(client: Client, tool: str, **given: object) -> str:
    return text_of(await client.call_tool(tool, given))


def text_of(answer: wire.CallToolResult) -> str:
    (content,) = answer.content
    assert isinstance(content, wire.TextContent)
    return content.text


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_a_client_hears_tools_and_answers_in_both_eras(hub: WrittenHub, era: Era):
    async def conversation(client: Client) -> tuple[list[str], str]:
        listed = await client.list_tools()
        return [tool.name for tool in listed.tools], await first_text(client, "page", code="DOC-3")

    names, page = talk(session(hub), conversation, era)

    assert names[:3] == ["projects", "project_create", "root_set"]
    assert page.split("\n")[0] == "DOC-3 — Статусы"


@pytest.mark.parametrize(
    ("zone", "now", "since"),
    [
        ("Asia/Vladivostok", "2026-12-31T14:30:00Z", "2027-01-01T00%3A00%3A00%2B10%3A00"),
        ("Europe/Moscow", "2026-10-28T20:59:00Z", "2026-10-28T00%3A00%3A00%2B03%3A00"),
        ("America/New_York", "2026-11-01T18:00:00Z", "2026-11-01T00%3A00%3A00-04%3A00"),
        ("America/New_York", "2026-11-02T18:00:00Z", "2026-11-02T00%3A00%3A00-05%3A00"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows takes its zone from the system, not from TZ")
def test_today_begins_at_midnight_of_the_machine_s_zone(hub: WrittenHub, zone: str, now: str, since: str):
    talk(session(hub, TZ=zone, PROJECTS_META_NOW=now), lambda client: first_text(client, "changes"))

    assert hub.asked[-1] == f"GET /wiki/changes?project=AWPCA&since={since}"


def test_a_sync_that_is_waited_for_tells_its_progress(hub: WrittenHub):
    told: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def conversation(client: Client) -> str:
        return text_of(await client.call_tool("sync", {"wait": True}, progress_callback=hear))

    assert talk(session(hub), conversation) == "ок: синхронизировано 28.10 14:05"
    assert told == ["пакет 8: в работе", "пакет 8: в работе"]


def test_a_wrong_token_is_told(hub: WrittenHub):
    spoken = talk(session(hub, SDLC_HUB_TOKEN="wrong"), lambda client: first_text(client, "projects"))

    assert spoken == "хаб отклонил токен клиента"


def test_the_token_is_read_from_the_state_folder_when_the_hub_has_made_it(hub: WrittenHub, tmp_path: Path):
    parameters = session(hub, "--state", str(tmp_path), SDLC_HUB_STATE=str(tmp_path / "other"))
    assert parameters.env is not None
    del parameters.env["SDLC_HUB_TOKEN"]

    async def conversation(client: Client) -> list[str]:
        before = await first_text(client, "page", code="DOC-3")
        (tmp_path / "token").write_text("open-sesame\n", encoding="ascii")
        return [before, (await first_text(client, "page", code="DOC-3")).split("\n")[0]]

    assert talk(parameters, conversation) == ["хаб не запущен: sdlc-hub serve", "DOC-3 — Статусы"]


def test_without_a_hub_every_question_says_so(hub: WrittenHub):
    hub.server_close()

    spoken = talk(session(hub), lambda client: first_text(client, "tree"))

    assert spoken == "хаб не запущен: sdlc-hub serve"


def test_annotations_say_what_changes_the_hub(hub: WrittenHub):
    tools = talk(session(hub), lambda client: client.list_tools()).tools

    assert [tool.name for tool in tools if not (tool.annotations and tool.annotations.read_only_hint)] == [
        "project_create", "root_set", "attachment", "sync",
    ]  # fmt: skip


def test_a_read_only_session_lists_seven_tools_in_english(hub: WrittenHub):
    tools = talk(session(hub, "--read-only", "--language", "en"), lambda client: client.list_tools()).tools

    assert (len(tools), str(tools[0].description)[:19]) == (7, "The hub's projects:")
