"""Questions and answers of the fake forge, and the table that brings the one to the other.

A web framework's work per request is most of what a request costs here, so there is none of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from urllib.parse import parse_qsl, unquote

import orjson
from starlette.types import Receive, Scope, Send

JSON = "application/json;charset=utf-8"
UNKEPT = "max-age=0, private, must-revalidate, no-transform"
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Request:
    """One question as it came; header names are in lower case.

    `raw_path` is still percent-encoded, `parts` are the decoded variable segments of the route that it took.
    """

    method: str
    path: str
    raw_path: str
    query: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    raw_query: str = ""
    body: bytes = b""
    parts: Mapping[str, str] = field(default_factory=lambda: NOTHING)

    def first(self, name: str, default: str = "") -> str:
        """The first value that the query has for `name`."""
        return next((value for key, value in self.query if key == name), default)

    def number(self, name: str) -> int:
        """The query's number, 0 for none and for what is no number."""
        text = self.first(name)
        return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else 0

    def truth(self, name: str) -> bool | None:
        """The query's yes or no; None when it does not say."""
        text = self.first(name).lower()
        return text in ("1", "t", "true", "on", "yes") if text else None


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: NOTHING)


class Refusal(Exception):
    """An answer other than the one asked for."""

    def __init__(self, status: int, message: str = "", *, errors: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors


class NotFound(Refusal):
    """A 404 in the server's usual words, or in those given."""

    def __init__(self, message: str = "", *errors: str) -> None:
        super().__init__(404, message, errors=errors)


Reply = Callable[[Request], Answer]


def json_answer(value: object, status: int = 200, headers: Mapping[str, str] = NOTHING) -> Answer:
    """A value as JSON."""
    return Answer(status, orjson.dumps(value) + b"\n", {"Content-Type": JSON, "Cache-Control": UNKEPT, **headers})


class Router:
    """Patterns with their replies: `{x}` is one segment, `{x*}` the rest of the path."""

    def __init__(self, routes: Iterable[tuple[str, str, Reply]]) -> None:
        self._routes = [(method, re.compile(_expression(pattern)), reply) for method, pattern, reply in routes]

    def answer(self, request: Request) -> Answer | None:
        """The first fitting reply's answer; None where no pattern fits, a 405 where only the method does not."""
        fitting = [
            (method, found, reply)
            for method, pattern, reply in self._routes
            if (found := pattern.fullmatch(request.raw_path)) is not None
        ]
        for method, found, reply in fitting:
            if method == request.method:
                parts = {name: unquote(value) for name, value in found.groupdict().items()}
                return reply(replace(request, parts=parts))
        return Answer(405) if fitting else None


def _expression(pattern: str) -> str:
    return re.sub(r"\{(\w+)(\*?)\}", lambda each: f"(?P<{each[1]}>{'.+' if each[2] else '[^/]+'})", pattern)


async def read_request(scope: Scope, receive: Receive) -> Request:
    """The question of an ASGI connection, whole."""
    raw_query = scope["query_string"].decode("ascii")
    return Request(
        method=scope["method"],
        path=scope["path"],
        raw_path=scope["raw_path"].decode("ascii"),
        query=tuple(parse_qsl(raw_query, keep_blank_values=True)) if raw_query else (),
        headers={name.decode("ascii"): value.decode("latin-1") for name, value in scope["headers"]},
        raw_query=raw_query,
        body=b"" if scope["method"] == "GET" else await _read_body(receive),
    )


async def _read_body(receive: Receive) -> bytes:
    parts = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


async def send_answer(answer: Answer, date: str, send: Send) -> None:
    """Give the answer, with its length and the server's clock."""
    headers = {"Date": date, **answer.headers}
    if answer.status != 304:
        headers.setdefault("Content-Length", str(len(answer.body)))
    raw = [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": answer.status, "headers": raw})
    await send({"type": "http.response.body", "body": answer.body})
