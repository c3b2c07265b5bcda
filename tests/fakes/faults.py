"""Trouble that a fake forge makes on demand."""

from __future__ import annotations

import asyncio
import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.types import Send

DRIP_S = 0.02


class Dropped(Exception):
    """The server goes away in the middle of an answer."""


@dataclass(slots=True, kw_only=True)
class Fault:
    """One kind of trouble for paths that match `pattern` (as in fnmatch).

    The first `skip` such requests go well, then `times` go wrong (None: all).  `drop` ends the connection in the
    middle of the body, `drip` sends a letter at a time and never ends.
    """

    pattern: str
    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int | None = None
    skip: int = 0
    drop: bool = False
    drip: bool = False

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

    async def answer(self, send: Send) -> None:
        """Give the bad answer."""
        headers = {"content-type": "text/plain; charset=utf-8"} | dict(self.headers)
        if self.drop:
            headers["content-length"] = str(len(self.body) + 100)
        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": raw})
        if self.drop:
            await send({"type": "http.response.body", "body": self.body, "more_body": True})
            raise Dropped
        while self.drip:
            await send({"type": "http.response.body", "body": b" ", "more_body": True})
            await asyncio.sleep(DRIP_S)
        await send({"type": "http.response.body", "body": self.body})
