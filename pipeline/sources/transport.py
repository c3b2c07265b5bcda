"""The one HTTP client of the pipeline, for every source that speaks HTTP.

A GET either gives a whole, bounded answer of the configured origin within its deadline, or raises a
`SourceError` with a stable reason: no clock, duration, token, query or path of this machine in it.
`pacing` decides how often and how soon a host is asked, `bodies` how much is read.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol
from urllib.parse import quote, urlencode

import httpx

from pipeline.errors import AccessDenied, ConfigError, RepositoryNotFound, SourceError, SourceUnreachable
from pipeline.sources import pacing
from pipeline.sources.bodies import LARGEST_BYTES, CutOff, read_body
from pipeline.sources.credentials import Secret
from pipeline.sources.pacing import Clock, Host
from pipeline.sources.reasons import network_reason

REDIRECTS = 5
REDIRECTING = frozenset({301, 302, 303, 307, 308})
CONNECT_S = 10.0
LARGE_FILE_S = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer, whole and unpacked; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where and how a source is reached.

    `url` may have a path, under which all is asked; `authorization` is the whole header, sent to that
    origin alone; `place` names the row in messages.
    """

    url: str
    authorization: Secret | None = None
    timeout_s: float = 30.0
    ca_file: Path | None = None
    proxy: str | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class _Terms:
    """What kind of answer is wanted, unless it is which, the statuses that are answers, and how much is enough."""

    accept: str
    etag: str | None
    allow: frozenset[int]
    timeout_s: float
    largest_bytes: int = LARGEST_BYTES
    enough_bytes: int | None = None


class _NoAnswer(Exception):
    """One try that brought nothing; `again` tells whether another may."""

    def __init__(self, reason: str, *, again: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again


class Getter(Protocol):
    """Whoever brings an answer as `Transport.get` does."""

    async def get(
        self,
        path: str,
        query: Sequence[tuple[str, str]] = (),
        *,
        accept: str = "application/json",
        allow: frozenset[int] = frozenset(),
        etag: str | None = None,
    ) -> Response:
        """Ask for `path`."""
        ...


class Transport:
    """One client for one origin."""

    def __init__(
        self, address: Address, *, clock: Clock | None = None, wire: httpx.AsyncBaseTransport | None = None
    ) -> None:
        """Check the address and open nothing yet; `wire` takes the network's place.

        Raises:
            ConfigError: url, proxy or ca_file are not what they must be.
        """
        self._base = _base(address)
        self._address = address
        self._clock = clock or Clock()
        self._make_wire = _wires(address, self._base) if wire is None else lambda: wire
        self._wires: list[httpx.AsyncBaseTransport] = []
        self._idle: list[httpx.AsyncBaseTransport] = []

    @property
    def has_token(self) -> bool:
        """Whether requests carry credentials."""
        return self._address.authorization is not None

    async def aclose(self) -> None:
        """Close every connection."""
        for wire in self._wires:
            await wire.aclose()

    async def get(
        self,
        path: str,
        query: Sequence[tuple[str, str]] = (),
        *,
        accept: str = "application/json",
        allow: frozenset[int] = frozenset(),
        etag: str | None = None,
        enough_bytes: int | None = None,
    ) -> Response:
        """Ask for `path` (already percent-encoded, below the address's url).

        Answers 200 and the statuses in `allow`, these at once even if they are 5xx.  `etag` asks for an
        answer only if it is another; never with a date beside it, which makes Gitea answer 304 for what changed.
        Of an answer of more than `enough_bytes` only so many come.

        Raises:
            AccessDenied: HTTP 401 or 403.
            RepositoryNotFound: HTTP 404.
            SourceUnreachable: anything else that is not an answer.
        """
        url = _join(self._base, path, query)
        host = pacing.host(url.host)
        async with host.slots:
            terms = _Terms(accept, etag, allow, self._address.timeout_s, enough_bytes=enough_bytes)
            response = await self._persist(host, url, terms)
        if response.status != 200 and response.status not in allow:
            raise _refusal(response.status)
        return response

    async def get_file(self, path: str, query: Sequence[tuple[str, str]], largest_bytes: int) -> Response:
        """Ask for a file that may be larger than other answers, and take longer: ten minutes at most.

        Raises:
            SourceError: as `get`.
        """
        terms = _Terms("*/*", None, frozenset(), max(LARGE_FILE_S, self._address.timeout_s), largest_bytes)
        url = _join(self._base, path, query)
        host = pacing.host(url.host)
        async with host.slots:
            response = await self._persist(host, url, terms)
        if response.status != 200:
            raise _refusal(response.status)
        return response

    async def _persist(self, host: Host, url: httpx.URL, terms: _Terms) -> Response:
        """Try until there is an answer, or no hope of one."""
        attempt = 0
        while True:
            attempt += 1
            await host.turn(self._clock)
            try:
                response = await self._exchange(url, terms)
            except _NoAnswer as failure:
                if failure.again and attempt < pacing.TRIES:
                    await self._clock.sleep(pacing.backoff_s(attempt, self._clock))
                    continue
                host.count_failure(failure.reason, self._clock)
                raise SourceUnreachable(failure.reason) from None
            if response.status in terms.allow or not _is_trouble(response.status):
                host.count_answer()
                return response
            await self._pause(host, response, attempt)

    async def _pause(self, host: Host, response: Response, attempt: int) -> None:
        """Wait before the next try as the host wishes, or give up."""
        wish = pacing.retry_after_s(response.headers)
        if wish is not None and wish > pacing.LONGEST_WAIT_S:
            reason = f"HTTP {response.status}, to be asked again only after more than {pacing.LONGEST_WAIT_S:g} s"
            host.leave_alone(wish, reason, self._clock)
            raise SourceUnreachable(reason)
        if wish:
            host.keep_quiet(wish, self._clock)
        if attempt >= pacing.TRIES:
            reason = f"HTTP {response.status} after {pacing.TRIES} tries"
            host.count_failure(reason, self._clock)
            raise SourceUnreachable(reason)
        if not wish:
            await self._clock.sleep(pacing.backoff_s(attempt, self._clock))

    async def _exchange(self, url: httpx.URL, terms: _Terms) -> Response:
        """One try: request, redirects and bodies within one deadline."""
        try:
            async with asyncio.timeout(terms.timeout_s):
                return await self._follow(url, terms)
        except CutOff:
            raise _NoAnswer("the answer was cut off", again=True) from None
        except httpx.ConnectTimeout:
            raise _NoAnswer("cannot connect: no answer", again=True) from None
        except (TimeoutError, httpx.TimeoutException):
            raise _NoAnswer(f"no answer within {terms.timeout_s:g} s", again=False) from None
        except httpx.TransportError as error:
            reason, again = _why(error)
            raise _NoAnswer(reason, again=again) from None

    async def _follow(self, url: httpx.URL, terms: _Terms) -> Response:
        for _ in range(REDIRECTS + 1):
            response = await self._send(url, terms)
            if response.status not in REDIRECTING:
                return response
            url = _next_hop(url, response.headers.get("location", ""))
        raise SourceUnreachable(f"more than {REDIRECTS} redirects")

    async def _send(self, url: httpx.URL, terms: _Terms) -> Response:
        request = httpx.Request("GET", url, headers=self._headers(terms), extensions={"timeout": self._timeouts()})
        async with self._wire() as wire:
            answer = await wire.handle_async_request(request)
            try:
                assert isinstance(answer.stream, httpx.AsyncByteStream)
                headers = MappingProxyType(dict(answer.headers.items()))
                body = await read_body(
                    answer.stream,
                    headers.get("content-encoding", ""),
                    _announced(answer),
                    largest_bytes=terms.largest_bytes,
                    enough_bytes=terms.enough_bytes,
                )
            finally:
                await answer.aclose()
        return Response(status=answer.status_code, headers=headers, body=body)

    @asynccontextmanager
    async def _wire(self) -> AsyncGenerator[httpx.AsyncBaseTransport, None]:
        """One wire for one request at a time: the one used last, whose connection is the warmest."""
        if not self._idle:
            self._wires.append(self._make_wire())
            self._idle.append(self._wires[-1])
        wire = self._idle.pop()
        try:
            yield wire
        finally:
            self._idle.append(wire)

    def _headers(self, terms: _Terms) -> dict[str, str]:
        """All that a request carries besides Host: made anew for every hop, nothing is inherited."""
        headers = {"Accept": terms.accept, "Accept-Encoding": "gzip", "User-Agent": "projects-meta"}
        if terms.etag is not None:
            headers["If-None-Match"] = terms.etag
        if self._address.authorization is not None:
            headers["Authorization"] = self._address.authorization.reveal()
        return headers

    def _timeouts(self) -> dict[str, float]:
        whole = self._address.timeout_s
        return {"connect": min(CONNECT_S, whole), "read": whole, "write": whole, "pool": whole}


def path_of(*segments: str) -> str:
    """Join texts into a path; a slash inside a segment is encoded."""
    return "/".join(quote(segment, safe="") for segment in segments)


def _join(base: httpx.URL, path: str, query: Sequence[tuple[str, str]]) -> httpx.URL:
    asked = urlencode(query, quote_via=quote)
    return httpx.URL(f"{base}/{path}?{asked}" if asked else f"{base}/{path}")


def _announced(answer: httpx.Response) -> int | None:
    length: str = answer.headers.get("content-length", "")
    bodiless = answer.status_code in (204, 304)
    return int(length) if length.isascii() and length.isdecimal() and len(length) < 20 and not bodiless else None


def _is_trouble(status: int) -> bool:
    return status == 429 or status >= 500


def _refusal(status: int) -> SourceError:
    match status:
        case 401:
            return AccessDenied("HTTP 401: the credentials are not accepted")
        case 403:
            return AccessDenied("HTTP 403: the credentials do not allow this")
        case 404:
            return RepositoryNotFound("HTTP 404: not there, or not for these credentials")
        case _:
            return SourceUnreachable(f"HTTP {status}")


def _why(error: httpx.TransportError) -> tuple[str, bool]:
    """The reason of a broken try, and whether another may go better."""
    found = network_reason(error)
    if found is not None:
        return found
    if isinstance(error, httpx.ProxyError):
        return "the proxy does not let us through", False
    if isinstance(error, httpx.ConnectError):
        return "cannot connect", True
    return "the connection broke off", True


# --- origins -----------------------------------------------------------------------------------


def _origin(url: httpx.URL) -> str:
    port = url.port or {"http": 80, "https": 443}.get(url.scheme, 0)
    return f"{url.scheme}://{url.raw_host.decode('ascii')}:{port}"


def _next_hop(url: httpx.URL, location: str) -> httpx.URL:
    """Where a redirect leads; only within the origin of `url`, so credentials never leave it."""
    if not location:
        raise SourceUnreachable("a redirect that leads nowhere")
    try:
        target = url.join(location)
    except httpx.InvalidURL:
        raise SourceUnreachable("a redirect to what is no address") from None
    if target.userinfo or _origin(target) != _origin(url):
        raise SourceUnreachable(f"a redirect from {_origin(url)} to {_origin(target)[:100]} is not followed")
    return target


def _base(address: Address) -> httpx.URL:
    try:
        url = httpx.URL(address.url.strip().rstrip("/"))
    except httpx.InvalidURL:
        raise _mistake(address, "url", "is no address; expected https://host") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise _mistake(address, "url", "is no web address; expected https://host")
    if url.userinfo or url.query or url.fragment:
        raise _mistake(address, "url", "holds a user, a password or a query; expected https://host alone")
    return url


# --- the network -------------------------------------------------------------------------------


def _wires(address: Address, base: httpx.URL) -> Callable[[], httpx.AsyncBaseTransport]:
    """Makes real wires of one connection each, nothing from the environment, no HTTP/2.

    A pool of many connections asks each of them at every request whether it is still alive, which for
    eight is a third of the work.
    """
    # Without TLS no authority need be loaded, which takes longer than a request; this one trusts nobody.
    is_plain = base.scheme == "http" and not address.ca_file
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain else _trust(address)
    proxy = _proxy(address)
    limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)
    return lambda: httpx.AsyncHTTPTransport(verify=trust, trust_env=False, http2=False, limits=limits, proxy=proxy)


def _trust(address: Address) -> ssl.SSLContext:
    context = httpx.create_ssl_context(trust_env=False)
    if address.ca_file is None:
        return context
    try:
        context.load_verify_locations(cafile=address.ca_file)
    except ssl.SSLError:
        raise _mistake(address, "ca_file", f"{address.ca_file} holds no PEM certificate") from None
    except OSError as error:
        raise _mistake(address, "ca_file", f"{address.ca_file} cannot be read: {error.strerror}") from None
    return context


def _proxy(address: Address) -> httpx.Proxy | None:
    if not address.proxy:
        return None
    try:
        url = httpx.URL(address.proxy)
    except httpx.InvalidURL:
        raise _mistake(address, "proxy", "is no address; expected http://host:port") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise _mistake(address, "proxy", "is no web address; expected http://host:port")
    return httpx.Proxy(url)


def _mistake(address: Address, key: str, fact: str) -> ConfigError:
    place = f"{address.place}.{key}" if address.place else key
    return ConfigError((f"{place}: {fact}",))
