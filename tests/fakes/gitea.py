"""A Gitea to test against: its paging, headers and refusals over real bare repositories.

`forge.wire()` answers in this process, `forge.serve()` on a port.  What it was asked stands in
`forge.requests`; trouble is ordered with `forge.fail`.  Its clock stands still until `tick`.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from urllib.parse import parse_qsl

import httpx
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.fakes import gitea_routes, loopback
from tests.fakes.bare import BareRepository, Content
from tests.fakes.faults import Dropped, Fault

URL = "https://forge.example"
START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
READ_SCOPES = ("read:repository", "read:user", "read:organization")


@dataclass(frozen=True, slots=True)
class Request:
    """One question as it came; `raw_path` is still percent-encoded."""

    method: str
    path: str
    raw_path: str
    query: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Account:
    """Who stands behind a token: whose private repositories it sees, and what it may do."""

    owners: frozenset[str]
    scopes: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Repository:
    """One repository and what its row in a listing says."""

    id: int
    owner: str
    name: str
    bare: BareRepository
    default_branch: str
    private: bool
    internal: bool
    archived: bool
    mirror: bool
    pull: bool
    empty: bool
    updated_at: datetime
    mirror_updated: datetime | None

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"


@dataclass(slots=True)
class Limits:
    """What the server gives at most in one answer."""

    items: int = 50
    default_items: int = 30
    tree_entries: int = 1000
    batch_files: int = 30
    blob_bytes: int = 10 * 1024 * 1024


@dataclass(slots=True)
class FakeGitea:
    """The forge: repositories, tokens, a clock, a log and orders to fail."""

    folder: Path
    url: str = URL
    root_url: str = "http://gitea.internal:3000"
    clock: datetime = START
    utc_offset_hours: int = 0
    latency_s: float = 0.0
    version: str = "1.25.4"
    require_signin: bool = False
    knows_batches: bool = True
    sends_total: bool = True
    sends_links: bool = True
    limits: Limits = field(default_factory=Limits)
    repositories: dict[int, Repository] = field(default_factory=dict)
    accounts: dict[str, str] = field(default_factory=dict)
    former_names: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, Account] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    max_in_flight: int = 0
    _in_flight: int = 0
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _routes: ASGIApp = field(init=False)

    def __post_init__(self) -> None:
        self._routes = gitea_routes.application(self)

    # --- what happens on the forge

    def add(
        self,
        full_name: str,
        files: Mapping[str, Content] | None = None,
        *,
        branch: str = "main",
        private: bool = False,
        internal: bool = False,
        archived: bool = False,
        mirror: bool = False,
        pull: bool = True,
    ) -> str:
        """Make a repository and give its head commit; without files it is empty, and the commit ""."""
        owner, name = full_name.split("/")
        number = next(self._ids)
        self.accounts.setdefault(owner, "user")
        self.repositories[number] = Repository(
            id=number, owner=owner, name=name, default_branch=branch,
            bare=BareRepository.create(self.folder / f"{number}.git", branch),
            private=private, internal=internal, archived=archived, mirror=mirror, pull=pull,
            empty=True, updated_at=self.clock, mirror_updated=self.clock if mirror else None,
        )  # fmt: skip
        return self.commit(full_name, files) if files is not None else ""

    def commit(
        self,
        full_name: str,
        files: Mapping[str, Content],
        *,
        remove: Iterable[str] = (),
        branch: str | None = None,
        bump: bool = True,
    ) -> str:
        """Push one commit and give its id; with `bump=False` the listing does not move."""
        repository = self[full_name]
        repository.empty = False
        if bump:
            repository.updated_at = self.clock
        onto = branch or repository.default_branch
        return repository.bare.commit(onto, files, remove=remove, when=self.clock)

    def rename(self, full_name: str, new_full_name: str) -> None:
        """Give it a new name or owner; the old name redirects until it is taken again."""
        repository = self[full_name]
        self.former_names[full_name.casefold()] = repository.id
        repository.owner, repository.name = new_full_name.split("/")
        repository.updated_at = self.clock

    def delete(self, full_name: str) -> None:
        """Take it away, with the redirects that led to it."""
        gone = self[full_name].id
        del self.repositories[gone]
        self.former_names = {name: number for name, number in self.former_names.items() if number != gone}

    def add_organisation(self, name: str) -> None:
        """Make an organisation, which may have no repository yet."""
        self.accounts[name] = "organisation"

    def add_user(self, name: str) -> None:
        """Make a user, who may have no repository yet."""
        self.accounts[name] = "user"

    def token(self, text: str, *, owners: Iterable[str] = (), scopes: tuple[str, ...] = READ_SCOPES) -> str:
        """Let `text` be a token that sees the private repositories of `owners`."""
        self.tokens[text] = Account(frozenset(owner.casefold() for owner in owners), scopes)
        return text

    def tick(self, seconds: float = 60) -> None:
        """Let time go by."""
        self.clock += timedelta(seconds=seconds)

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

    def heal(self) -> None:
        """Let nothing go wrong any more."""
        self.faults.clear()

    # --- what tests ask

    def __getitem__(self, full_name: str) -> Repository:
        found = self.find(full_name)
        if found is None:
            raise KeyError(full_name)
        return found

    def find(self, full_name: str) -> Repository | None:
        """The repository that has this name today."""
        wanted = full_name.casefold()
        return next((each for each in self.repositories.values() if each.full_name.casefold() == wanted), None)

    def head(self, full_name: str) -> str:
        """The commit of its default branch."""
        repository = self[full_name]
        return repository.bare.head(repository.default_branch)

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
            self.requests.append(_request(scope))
            await asyncio.sleep(self.latency_s)
            await self._answer(scope, receive, self._dated(send))
        finally:
            self._in_flight -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        for fault in self.faults:
            if fault.strikes(scope["path"]):
                await fault.answer(send)
                return
        await self._routes(scope, receive, send)

    def _dated(self, send: Send) -> Send:
        async def send_dated(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault("date", format_datetime(self.clock, usegmt=True))
            await send(message)

        return send_dated


def open_fake_forge(folder: Path) -> FakeGitea:
    """A forge without repositories, which keeps them below `folder`."""
    home = folder / "forge"
    home.mkdir()
    return FakeGitea(home)


class _Wire(httpx.ASGITransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await super().handle_async_request(request)
        except Dropped:
            raise httpx.ReadError("dropped", request=request) from None


def _request(scope: Scope) -> Request:
    return Request(
        method=scope["method"],
        path=scope["path"],
        raw_path=scope["raw_path"].decode("ascii"),
        query=tuple(parse_qsl(scope["query_string"].decode("ascii"), keep_blank_values=True)),
        headers={name.decode("ascii"): value.decode("latin-1") for name, value in scope["headers"]},
    )
