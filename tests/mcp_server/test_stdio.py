"""The server as clients start it: a process on two pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from mcp_server.wire import LINE_LIMIT
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, USUAL_TOOLS, Era, talk

ROOT = Path(__file__).parents[2]
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def environment(site: Site) -> dict[str, str]:
    wanted = {"PROJECTS_META_BUILD": str(site.layout.root), "PROJECTS_META_NOW": "2026-11-30T12:00:00Z"}
    return {**os.environ, **wanted, "PYTHONPATH": str(ROOT)}


def question(number: int, tool: str, **arguments: object) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def run(site: Site, *words: str, said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The server's whole life with `said` on its input, started in another folder."""
    command = [sys.executable, "-m", "mcp_server", *words]
    return subprocess.run(
        command,
        input=said,
        capture_output=True,
        env=environment(site),
        timeout=60,
        cwd=site.layout.root.parent,
        check=False,
    )


def lines(*messages: dict[str, Any] | bytes) -> bytes:
    return b"".join(one + b"\n" if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in messages)


def heard(site: Site, *messages: dict[str, Any] | bytes) -> list[Any]:
    """Every line of the server's output, which must be JSON, until its input ends."""
    finished = run(site, said=lines(HELLO, READY, *messages))
    assert finished.returncode == 0, finished.stderr.decode()
    assert b"\r" not in finished.stdout
    return [json.loads(line) for line in finished.stdout.split(b"\n")[:-1]]


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_a_client_process_hears_tools_and_answers_in_both_eras(library: Site, era: Era):
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "mcp_server"], env=environment(library), cwd=ROOT
    )

    async def conversation(client: Client) -> tuple[list[str], Any]:
        listed = await client.list_tools()
        found = await client.call_tool("tasks_get", {"project": "atlas"})
        return [tool.name for tool in listed.tools], found.structured_content["text"]

    assert talk(parameters, conversation, era) == ([tool.name for tool in USUAL_TOOLS], ATLAS.board)


GARBAGE = {
    "no JSON": b"hello",
    "half of one": b'{"jsonrpc": "2.0", "id": 7, "method": "tools/l',
    "deep nesting": b"[" * 200_000,
    "no UTF-8": b"\xff\xfe\x00",
    "no message": b'{"jsonrpc": "2.0", "id": []}',
    "a huge line": b'"' + b"x" * (3 * LINE_LIMIT) + b'"',
}


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_is_answered_as_such_and_the_next_question_as_ever(library: Site, garbage: bytes):
    answers = {one["id"]: one for one in heard(library, garbage, question(2, "meta_status"))}

    assert answers[None]["error"]["code"] == -32700
    assert answers[2]["result"]["structuredContent"]["projects"] == 2


def test_the_end_of_input_ends_the_server_with_success(site: Site):
    finished = run(site)

    assert (finished.returncode, finished.stdout) == (0, b"")


def test_cyrillic_crosses_the_wire_as_utf_8(library: Site):
    answers = {one["id"]: one for one in heard(library, question(2, "tasks_search", query="карт"))}

    assert answers[2]["result"]["structuredContent"]["tasks"][0]["title"] == "Импорт карт"


def test_no_path_of_this_machine_is_in_any_answer(library: Site):
    library.layout.version(1).joinpath("catalog.sqlite").write_bytes(b"x" * 4096)
    finished = run(
        library, said=lines(HELLO, READY, *(question(n, tool.name) for n, tool in enumerate(USUAL_TOOLS, 2)))
    )

    assert b"is damaged; run `doit` to make it anew" in finished.stdout
    assert str(library.layout.root.parent).encode() not in finished.stdout
    assert b"Traceback" not in finished.stdout


def test_the_version_is_told():
    told = subprocess.run(
        [sys.executable, "-m", "mcp_server", "--version"], capture_output=True, text=True, cwd=ROOT, check=True
    )

    assert told.stdout.startswith("projects_meta ")


def test_an_unknown_toolset_is_refused_with_the_known_ones(site: Site):
    finished = run(site, "--toolsets", "tasks,cooking")

    assert finished.returncode == 2
    assert b"no toolset 'cooking'; expected some of tasks, knowledge, wiki, roots, meta" in finished.stderr


def test_chosen_toolsets_and_dotted_names_are_listed(site: Site):
    said = lines(HELLO, READY, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    finished = run(site, "--toolsets", "", "--tool-names", "dotted", "--cwd", ".", said=said)
    listed = [json.loads(line) for line in finished.stdout.splitlines()][-1]

    named = [tool["name"] for tool in listed["result"]["tools"]]
    assert named == ["meta.status", "meta.projects", "meta.audit_shared"]


def test_the_server_process_loads_nothing_of_the_pipeline_s_network_and_report():
    program = (
        "import sys, mcp_server.__main__\n"
        "print([name for name in ('doit', 'httpx', 'jinja2', 'yaml', 'pygit2', 'rich') if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)

    assert loaded.stdout == "[]\n"


WATCH = """
import os, sys

def watch(event, arguments):
    path = arguments[0] if arguments else None
    if event == "open" and isinstance(path, (str, bytes)) and path != os.devnull:
        mode, flags = arguments[1:]
        if set(mode or "") & set("wax+") or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            sys.stderr.write(f"WROTE {path}\\n")
    if event in ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.rename", "os.remove"):
        sys.stderr.write(f"DID {event} {arguments}\\n")

sys.addaudithook(watch)
from mcp_server.__main__ import main
sys.exit(main([]))
"""


def test_the_server_writes_no_file_starts_no_process_and_connects_to_nothing(library: Site):
    said = lines(
        HELLO,
        READY,
        question(2, "tasks_aggregate"),
        question(3, "tasks_search", query="map"),
        question(4, "tasks_get", project="atlas"),
        question(5, "meta_status"),
        question(6, "meta_projects"),
        question(7, "knowledge_search", query="tiles"),
        question(8, "knowledge_ask_projects", query="tiles", projects=["atlas"]),
        question(9, "knowledge_get_from", project="atlas", slug="concepts/tiles"),
        question(10, "knowledge_who_knows", query="tiles"),
        question(11, "knowledge_suggest_promote"),
        question(12, "meta_audit_shared"),
    )
    watched = subprocess.run(
        [sys.executable, "-B", "-c", WATCH],
        input=said,
        capture_output=True,
        env=environment(library),
        timeout=60,
        check=True,
    )

    assert watched.stdout.count(b'"isError":false') == 11
    assert watched.stderr == b""
