"""Several clients on one machine: loopback, a bearer token, and checked Host and Origin."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from mcp_server.__main__ import build_parser
from mcp_server.loopback import is_loopback, is_sendable
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, Era

ROOT = Path(__file__).parents[2]
TOKEN = "correct-horse"
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def start(site: Site, *words: str, token: str = TOKEN) -> subprocess.Popen[str]:
    named = {"PROJECTS_META_BUILD": str(site.layout.root), "PROJECTS_META_HTTP_TOKEN": token}
    command = [sys.executable, "-m", "mcp_server", "--transport", "streamable-http", "--port", "0", *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **named}, cwd=ROOT)


@pytest.fixture
def address(library: Site) -> Iterator[str]:
    """Where a server listens; it says so on stderr when it does."""
    with start(library) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        yield said.removeprefix("projects_meta listens on ").strip()
        process.terminate()


def status(address: str, **headers: str) -> int:
    """What a bare request is answered with."""
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(address, data=json.dumps(LIST).encode(), headers={**usual, **given})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as answered:
            return int(answered.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


def test_only_the_token_with_a_right_host_and_origin_gets_an_answer(address: str):
    right = f"Bearer {TOKEN}"

    assert {
        "no token": status(address),
        "wrong token": status(address, Authorization="Bearer wrong"),
        "no Bearer": status(address, Authorization=TOKEN),
        "wrong host": status(address, Authorization=right, Host="evil.example"),
        "wrong port": status(address, Authorization=right, Host="127.0.0.1:1"),
        "wrong origin": status(address, Authorization=right, Origin="https://evil.example"),
        "right": status(address, Authorization=right),
        "right origin": status(address, Authorization=right, Origin=address.removesuffix("/mcp")),
    } == {
        "no token": 401,
        "wrong token": 401,
        "no Bearer": 401,
        "wrong host": 421,
        "wrong port": 421,
        "wrong origin": 403,
        "right": 200,
        "right origin": 200,
    }


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_a_client_with_the_token_is_answered_in_both_eras(address: str, era: Era):
    async def conversation() -> Any:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False) as http,
            Client(streamable_http_client(address, http_client=http), mode=era) as client,
        ):
            return (await client.call_tool("tasks_get", {"project": "atlas"})).structured_content

    assert anyio.run(conversation)["text"] == ATLAS.board


def test_without_a_token_the_server_does_not_start(site: Site):
    with start(site, token="") as process:
        _, said = process.communicate(timeout=60)

    assert process.returncode == 2
    assert "streamable-http needs a bearer token; set PROJECTS_META_HTTP_TOKEN to a long random text" in said


def test_an_address_that_others_can_reach_is_refused(site: Site):
    with start(site, "--host", "0.0.0.0") as process:
        _, said = process.communicate(timeout=60)

    assert process.returncode == 2
    assert "--host is 0.0.0.0; expected a loopback address" in said


def test_a_port_that_is_taken_is_told_in_one_sentence(site: Site):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with start(site, "--port", port) as process:
            _, said = process.communicate(timeout=60)

    assert process.returncode == 2
    assert f"cannot listen on 127.0.0.1 port {port}: " in said
    assert "Traceback" not in said


@pytest.mark.parametrize("port", ["-1", "65536", "http", "9" * 5000, "²"])
def test_a_port_out_of_range_is_refused_with_the_range(port: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        build_parser().parse_args([f"--port={port}"])

    assert "is no port; expected a whole number from 0 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True), ("::", False), ("example", False)],
)
def test_loopback_addresses_are_told_from_others(host: str, loopback: bool):
    assert is_loopback(host) is loopback


@pytest.mark.parametrize(
    ("token", "sendable"), [("s3cret-42", True), ("", False), ("two words", False), ("тайна", False)]
)
def test_a_token_that_no_header_can_carry_is_not_taken(token: str, sendable: bool):
    assert is_sendable(token) is sendable


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has one loopback address")
def test_another_loopback_address_answers_under_its_own_name(library: Site):
    with start(library, "--host", "127.0.0.2") as process:
        assert process.stderr is not None
        address = process.stderr.readline().removeprefix("projects_meta listens on ").strip()
        answered = status(address, Authorization=f"bearer {TOKEN}")
        process.terminate()

    assert (address.startswith("http://127.0.0.2:"), answered) == (True, 200)
