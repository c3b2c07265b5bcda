"""A Gitea to test against: its paging, headers and refusals over real bare repositories.

`forge.wire()` answers in this process, `forge.serve()` on a port, `serve.open_served_forge` from a process of its
own.  What it was asked stands in `forge.requests`; trouble is ordered with `forge.fail`.  Its clock stands still
until `tick`.  Other servers are other dialects: `open_fake_forge(folder, "forgejo-12")`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from email.utils import format_datetime
from pathlib import Path

import httpx
from starlette.types import Receive, Scope, Send

from tests.fakes import gitea_routes, loopback
from tests.fakes.dialects import DIALECTS, Family
from tests.fakes.faults import Dropped, Fault
from tests.fakes.git_reading import GitReader
from tests.fakes.gitea_events import ForgeEvents
from tests.fakes.gitea_http import Answer, Request, Router, read_request, send_answer
from tests.fakes.gitea_state import START, URL

__all__ = ["START", "URL", "FakeGitea", "Request", "open_fake_forge"]


@dataclass(slots=True)
class FakeGitea(ForgeEvents):
    """The forge: repositories, tokens, a clock, a log and orders to fail."""

    latency_s: float = 0.0
    faults: list[Fault] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    reader: GitReader = field(default_factory=GitReader)
    kept_answers: dict[tuple[object, ...], Answer] = field(default_factory=dict)
    max_in_flight: int = 0
    _in_flight: int = 0
    _between_pages: deque[Callable[[], object]] = field(default_factory=deque)
    _routers: dict[Family, Router] = field(init=False)

    def __post_init__(self) -> None:
        self._routers = gitea_routes.routers(self)

    # --- trouble

    def fail(
        self,
        pattern: str,
        *,
        status: int = 503,
        body: bytes | str = b"upstream trouble",
        headers: Mapping[str, str] | None = None,
        times: int | None = None,
        skip: int = 0,
        drop: bool = False,
        drip: bool = False,
    ) -> None:
        """Let requests go wrong whose path fits `pattern` (as in fnmatch: `*/raw/*`)."""
        self.faults.append(
            Fault(
                pattern=pattern, status=status, body=body.encode() if isinstance(body, str) else body,
                headers=headers or {}, times=times, skip=skip, drop=drop, drip=drip,
            )
        )  # fmt: skip

    def spoil(
        self, pattern: str, change: Callable[[Answer], Answer], *, times: int | None = None, skip: int = 0
    ) -> None:
        """Let right answers be changed on their way, as a proxy does (`faults.gzipped`, `faults.cut_off`)."""
        self.faults.append(Fault(pattern=pattern, status=0, body=b"", times=times, skip=skip, change=change))

    def heal(self) -> None:
        """Let nothing go wrong any more."""
        self.faults.clear()

    def between_pages(self, happens: Callable[[], object]) -> None:
        """Let something happen after the next page of a listing that is not its last."""
        self._between_pages.append(happens)

    def page_answered(self, more: bool) -> None:
        """Told by the routes: a page of a listing is made."""
        if more and self._between_pages:
            self._between_pages.popleft()()

    # --- what tests ask

    def paths(self) -> list[str]:
        """The paths asked for, decoded, without `/api/v1/`, in their order."""
        return [request.path.removeprefix("/api/v1/") for request in self.requests]

    # --- how it is reached

    def wire(self) -> httpx.AsyncBaseTransport:
        """A way to ask it without a network."""
        return _Wire(self)

    def serve(self) -> AbstractContextManager[str]:
        """Serve it on a port of this machine: `with forge.serve() as url`."""
        return loopback.serve(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application."""
        self._in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self._in_flight)
        try:
            request = await read_request(scope, receive)
            self.requests.append(request)
            await asyncio.sleep(self.latency_s)
            await self._give(request, send)
        finally:
            self._in_flight -= 1

    async def _give(self, request: Request, send: Send) -> None:
        date = format_datetime(self.clock, usegmt=True)
        fault = next((each for each in self.faults if each.strikes(request.path)), None)
        if fault is not None and fault.change is None:
            await fault.answer(date, send)
            return
        answer = self.answer(request)
        await send_answer(fault.change(answer) if fault and fault.change else answer, date, send)

    def answer(self, request: Request) -> Answer:
        """The forge's own answer."""
        family = self.dialect.family
        return self._routers[family].answer(request) or gitea_routes.NOWHERE[family]


def open_fake_forge(folder: Path, dialect: str = "gitea-1.25") -> FakeGitea:
    """A forge without repositories, which keeps them below `folder` and speaks as a row of `DIALECTS`."""
    home = folder / "forge"
    home.mkdir()
    return FakeGitea(home, dialect=DIALECTS[dialect])


class _Wire(httpx.ASGITransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await super().handle_async_request(request)
        except Dropped:
            raise httpx.ReadError("dropped", request=request) from None
