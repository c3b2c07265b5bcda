"""Answers of real forges, recorded once and given again.

A folder holds what one server answered, a file per question: who asked (`as`: the owner's token, one that
may only read repositories, a stranger's, a wrong one, or nobody), the question, and the answer with those
headers that matter.  Of a page of HTML only the first line is kept.  Hosts, tokens and avatars are taken out.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl

import httpx

RECORDINGS = Path(__file__).parents[1] / "data" / "sources" / "gitea"

Query = tuple[tuple[str, str], ...]
Question = tuple[str, str, str, Query, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One question and its answer; `name` is the file's, `etag` what was asked for only if it is another."""

    name: str
    who: str
    method: str
    path: str
    query: Query
    sent: Mapping[str, str]
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def question(self) -> Question:
        """What tells it apart."""
        return self.who, self.method, self.path, tuple(sorted(self.query)), self.sent.get("if-none-match")


def recordings(server: str) -> tuple[Recorded, ...]:
    """All that was recorded of one server, by name."""
    return tuple(_read(path) for path in sorted((RECORDINGS / server).glob("*.json")))


def _read(path: Path) -> Recorded:
    told = json.loads(path.read_text(encoding="utf-8"))
    request = told["request"]
    return Recorded(
        name=path.stem, who=told["as"], method=request["method"], path=request["path"], sent=request["headers"],
        query=tuple((name, value) for name, value in request["query"]), status=told["status"],
        headers=told["headers"], content=_content(told),
    )  # fmt: skip


def _content(told: Mapping[str, object]) -> bytes:
    """The bytes of the answer: of JSON, the same value in other spacing."""
    if "base64" in told:
        return b64decode(str(told["base64"]))
    if "body" in told:
        return json.dumps(told["body"], ensure_ascii=False).encode()
    return str(told.get("text", "")).encode()


class Replay(httpx.AsyncBaseTransport):
    """Gives the answers of `server` to `who`; a question that was never recorded is a failure of the test."""

    def __init__(self, server: str, who: str = "owner") -> None:
        self._server = server
        self._who = who
        self._answers = {each.question: each for each in recordings(server)}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path, _, query = request.url.raw_path.decode("ascii").partition("?")
        asked = tuple(sorted(parse_qsl(query, keep_blank_values=True)))
        found = self._answers.get((self._who, request.method, path, asked, request.headers.get("if-none-match")))
        assert found is not None, f"{self._server} was never asked {request.method} {path} {asked} as {self._who}"
        return httpx.Response(found.status, headers=found.headers, content=found.content)
