"""Trouble that a fake forge makes on demand, most of it a proxy's.

The words in capitals are for `forge.fail("*", **faults.BAD_GATEWAY)`, the functions for `forge.spoil("*", gzipped)`.
"""

from __future__ import annotations

import asyncio
import fnmatch
import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import format_datetime
from types import MappingProxyType
from typing import TypedDict

from starlette.types import Send

from tests.fakes.gitea_http import JSON, Answer

DRIP_S = 0.02
HTML = MappingProxyType({"Content-Type": "text/html; charset=utf-8"})


class Canned(TypedDict, total=False):
    """The arguments of `fail`."""

    status: int
    body: bytes | str
    headers: Mapping[str, str]
    drop: bool


BAD_GATEWAY: Canned = {"status": 502, "body": "<html><h1>502 Bad Gateway</h1></html>", "headers": HTML}
UNAVAILABLE: Canned = {"status": 503, "body": "<html><h1>503 Service Unavailable</h1></html>", "headers": HTML}
SILENT_ERROR: Canned = {"status": 500, "body": '{"message":"","url":"x"}', "headers": {"Content-Type": JSON}}
LOGIN_PAGE: Canned = {"status": 200, "body": "<!DOCTYPE html><title>Sign in</title>", "headers": HTML}
TWICE_THE_SAME_KEY: Canned = {"status": 200, "body": '[{"id":1,"id":2}]', "headers": {"Content-Type": JSON}}
NOT_A_NUMBER: Canned = {"status": 200, "body": '[{"id":NaN}]', "headers": {"Content-Type": JSON}}
UNASKED_NOT_MODIFIED: Canned = {"status": 304, "body": ""}


def too_many(after: int | datetime) -> Canned:
    """A 429 that says when to come back: in seconds, or at a time in UTC."""
    wish = format_datetime(after, usegmt=True) if isinstance(after, datetime) else str(after)
    return {"status": 429, "body": "slow down", "headers": {"Retry-After": wish}}


def gzipped(answer: Answer) -> Answer:
    """Packed, and its tag turned weak, as a proxy that packs must."""
    if answer.status != 200:
        return answer
    headers = dict(answer.headers) | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    if "Etag" in headers:
        headers["Etag"] = f"W/{headers['Etag']}"
    return replace(answer, body=gzip.compress(answer.body, mtime=0), headers=headers)


def cut_off(answer: Answer) -> Answer:
    """Half of it, under the length of the whole."""
    length = {"Content-Length": str(len(answer.body))}
    return replace(answer, body=answer.body[: len(answer.body) // 2], headers=dict(answer.headers) | length)


def without_tag(answer: Answer) -> Answer:
    """As from behind a proxy that drops the tag."""
    return replace(answer, headers={name: value for name, value in answer.headers.items() if name != "Etag"})


class Dropped(Exception):
    """The server goes away in the middle of an answer."""


@dataclass(slots=True, kw_only=True)
class Fault:
    """One kind of trouble for paths that match `pattern` (as in fnmatch).

    The first `skip` such requests go well, then `times` go wrong (None: all).  `drop` ends the connection in the
    middle of the body, `drip` sends a letter at a time and never ends, `change` spoils the right answer.
    """

    pattern: str
    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int | None = None
    skip: int = 0
    drop: bool = False
    drip: bool = False
    change: Callable[[Answer], Answer] | None = None

    def strikes(self, path: str) -> bool:
        """Count a request, and say whether it goes wrong."""
        if not fnmatch.fnmatchcase(path, self.pattern) or self.times == 0:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.times is not None:
            self.times -= 1
        return True

    async def answer(self, date: str, send: Send) -> None:
        """Give the bad answer."""
        headers = {"date": date, "content-type": "text/plain; charset=utf-8"} | {
            name.lower(): value for name, value in self.headers.items()
        }
        if self.drop:
            headers["content-length"] = str(len(self.body) + 100)
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": raw})
        if self.drop:
            await send({"type": "http.response.body", "body": self.body, "more_body": True})
            raise Dropped
        while self.drip:
            await send({"type": "http.response.body", "body": b" ", "more_body": True})
            await asyncio.sleep(DRIP_S)
        await send({"type": "http.response.body", "body": self.body})
