from __future__ import annotations

import asyncio
import gzip
import socket
import time

import httpx
import pytest
import requests
import responses

from pipeline.errors import AccessDenied, RepositoryNotFound, SourceError, SourceUnreachable
from pipeline.sources.transport import Address, Transport, path_of
from tests.fakes.gitea import FakeGitea
from tests.fakes.responses_transport import ResponsesTransport
from tests.fakes.virtual_clock import VirtualClock

pytestmark = pytest.mark.anyio

URL = "https://forge.example"
CANARY = "canary-4d1f0e"


async def test_an_answer_has_its_status_headers_and_bytes(transport: Transport, canned: responses.RequestsMock) -> None:
    canned.get(f"{URL}/api/v1/version", body=b"hello", headers={"X-Total-Count": "7"})

    answer = await transport.get("api/v1/version")

    assert (answer.status, answer.headers["x-total-count"], answer.body) == (200, "7", b"hello")


async def test_a_request_carries_only_the_headers_on_the_list(
    transport: Transport, canned: responses.RequestsMock
) -> None:
    canned.get(f"{URL}/x")

    await transport.get("x")

    assert dict(canned.calls[0].request.headers) == {
        "Accept": "application/json",
        "Accept-Encoding": "gzip",
        "User-Agent": "projects-meta",
    }


async def test_a_url_with_a_path_is_the_root_of_all_questions(canned: responses.RequestsMock) -> None:
    canned.get(f"{URL}/git/api/v1/x?ref=a%2Fb")
    below = Transport(Address(url=f"{URL}/git/"), wire=ResponsesTransport())

    await below.get("api/v1/x", [("ref", "a/b")])

    assert canned.calls[0].request.url == f"{URL}/git/api/v1/x?ref=a%2Fb"


def test_a_segment_keeps_its_slash_encoded() -> None:
    assert path_of("repos", "ann", "feature/ё #%") == "repos/ann/feature%2F%D1%91%20%23%25"


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [
        (401, AccessDenied, "HTTP 401: the credentials are not accepted"),
        (403, AccessDenied, "HTTP 403: the credentials do not allow this"),
        (404, RepositoryNotFound, "HTTP 404: not there, or not for these credentials"),
        (400, SourceUnreachable, "HTTP 400"),
        (304, SourceUnreachable, "HTTP 304"),
    ],
)
async def test_a_refusal_is_told_by_its_kind_and_is_not_asked_again(
    transport: Transport, canned: responses.RequestsMock, status: int, kind: type[SourceError], reason: str
) -> None:
    canned.get(f"{URL}/x", status=status, body=b"")

    with pytest.raises(kind) as caught:
        await transport.get("x")

    assert (caught.value.reason, len(canned.calls)) == (reason, 1)


async def test_an_allowed_status_is_an_answer(transport: Transport, canned: responses.RequestsMock) -> None:
    canned.get(f"{URL}/x", status=404, body=b"{}")

    assert (await transport.get("x", allow=frozenset({404}))).status == 404


# --- tries ---


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 520])
async def test_a_troubled_server_is_asked_three_times(
    transport: Transport, canned: responses.RequestsMock, status: int
) -> None:
    canned.get(f"{URL}/x", status=status, body="<html>trouble</html>")

    with pytest.raises(SourceUnreachable) as caught:
        await transport.get("x")

    assert (caught.value.reason, len(canned.calls)) == (f"HTTP {status} after 3 tries", 3)


async def test_pauses_double_and_are_shortened_by_chance(
    transport: Transport, canned: responses.RequestsMock, virtual: VirtualClock
) -> None:
    canned.get(f"{URL}/x", status=503)

    with pytest.raises(SourceUnreachable):
        await transport.get("x")

    assert virtual.slept == [0.5, 1.0]


async def test_a_second_try_may_bring_the_answer(transport: Transport, canned: responses.RequestsMock) -> None:
    canned.get(f"{URL}/x", status=502)
    canned.get(f"{URL}/x", body=b"here")

    assert (await transport.get("x")).body == b"here"


async def test_a_failing_connection_is_tried_three_times(transport: Transport, canned: responses.RequestsMock) -> None:
    canned.get(f"{URL}/x", body=requests.ConnectionError("no route"))

    with pytest.raises(SourceUnreachable, match=r"^cannot connect$"):
        await transport.get("x")

    assert len(canned.calls) == 3


async def test_silence_is_not_asked_again(transport: Transport, canned: responses.RequestsMock) -> None:
    canned.get(f"{URL}/x", body=requests.ReadTimeout("silence"))

    with pytest.raises(SourceUnreachable, match=r"^no answer within 30 s$"):
        await transport.get("x")

    assert len(canned.calls) == 1


async def test_nobody_asks_before_the_host_wishes(forge: FakeGitea, virtual: VirtualClock) -> None:
    asked = _Timed(forge, virtual)
    forge.fail("*", status=429, headers={"retry-after": "60"}, times=1)
    transport = Transport(Address(url=URL), clock=virtual.clock, wire=asked)

    await transport.get("api/v1/version")
    await transport.get("api/v1/version")

    assert asked.seconds == [0.0, 60.0, 60.0]


async def test_a_wish_as_a_date_counts_from_the_hosts_own_clock(
    transport: Transport, canned: responses.RequestsMock, virtual: VirtualClock
) -> None:
    dates = {"Retry-After": "Mon, 02 Mar 2026 10:00:45 GMT", "Date": "Mon, 02 Mar 2026 10:00:00 GMT"}
    canned.get(f"{URL}/x", status=503, headers=dates)
    canned.get(f"{URL}/x")

    await transport.get("x")

    assert virtual.slept == [45.0]


@pytest.mark.parametrize("wish", ["-5", "0", "soon", "", "1e9", "Mon, 99 Mar 2026 10:00:45 GMT"])
async def test_a_wish_that_means_nothing_leaves_the_usual_pause(
    transport: Transport, canned: responses.RequestsMock, virtual: VirtualClock, wish: str
) -> None:
    canned.get(f"{URL}/x", status=503, headers={"Retry-After": wish})
    canned.get(f"{URL}/x")

    await transport.get("x")

    assert virtual.slept == [0.5]


@pytest.mark.parametrize("wish", ["61", "1000000000", "9" * 5000])
async def test_a_host_that_asks_for_too_long_is_left_alone(
    transport: Transport, canned: responses.RequestsMock, virtual: VirtualClock, wish: str
) -> None:
    canned.get(f"{URL}/x", status=429, headers={"Retry-After": wish})

    reasons = [await _reason(transport, "x"), await _reason(transport, "y")]

    assert reasons == ["HTTP 429, to be asked again only after more than 60 s"] * 2
    assert (len(canned.calls), virtual.slept) == (1, [])


async def test_a_storm_of_503_costs_a_few_requests_and_all_get_the_same_reason(
    forge: FakeGitea, virtual: VirtualClock
) -> None:
    forge.fail("*", status=503)
    transport = Transport(Address(url=URL), clock=virtual.clock, wire=forge.wire())

    reasons = await asyncio.gather(*(_reason(transport, f"x{number}") for number in range(1000)))

    assert (set(reasons), len(reasons)) == ({"HTTP 503 after 3 tries"}, 1000)
    assert len(forge.requests) <= 24


async def test_a_host_that_rested_is_asked_again(forge: FakeGitea, virtual: VirtualClock) -> None:
    forge.fail("*", status=503, times=15)
    transport = Transport(Address(url=URL), clock=virtual.clock, wire=forge.wire())
    reasons = [await _reason(transport, f"x{number}") for number in range(6)]
    virtual.seconds += 60

    answer = await transport.get("api/v1/version")

    assert (set(reasons), answer.status) == ({"HTTP 503 after 3 tries"}, 200)


async def test_an_answer_forgives_earlier_failures(forge: FakeGitea, virtual: VirtualClock) -> None:
    transport = Transport(Address(url=URL), clock=virtual.clock, wire=forge.wire())
    forge.fail("/bad", status=500)

    await asyncio.gather(*(_reason(transport, "bad") for _ in range(4)))
    await transport.get("api/v1/version")
    await asyncio.gather(*(_reason(transport, "bad") for _ in range(4)))

    assert (await transport.get("api/v1/version")).status == 200


async def test_never_more_than_eight_are_in_flight_at_a_host_even_from_two_transports(forge: FakeGitea) -> None:
    forge.latency_s = 0.002
    first, second = (Transport(Address(url=URL), wire=forge.wire()) for _ in range(2))

    await asyncio.gather(*(each.get("api/v1/version") for each in (first, second) for _ in range(40)))

    assert (forge.max_in_flight, len(forge.requests)) == (8, 80)


# --- deadlines and sizes ---


async def test_a_dripping_answer_ends_at_the_deadline(forge: FakeGitea) -> None:
    forge.fail("*", status=200, drip=True)
    with forge.serve() as url:
        transport = Transport(Address(url=url, timeout_s=0.3))
        start = time.monotonic()
        reason = await _reason(transport, "x")
        await transport.aclose()

    assert reason == "no answer within 0.3 s"
    assert time.monotonic() - start < 1.3


async def test_an_answer_that_breaks_off_is_tried_again(forge: FakeGitea, virtual: VirtualClock) -> None:
    forge.fail("*", status=200, drop=True, times=2)
    with forge.serve() as url:
        transport = Transport(Address(url=url), clock=virtual.clock)
        answer = await transport.get("api/v1/version")
        await transport.aclose()

    assert (answer.status, len(forge.requests)) == (200, 3)


async def test_an_answer_that_always_breaks_off_says_so(forge: FakeGitea, virtual: VirtualClock) -> None:
    forge.fail("*", status=200, drop=True)
    with forge.serve() as url:
        transport = Transport(Address(url=url), clock=virtual.clock)
        reason = await _reason(transport, "x")
        await transport.aclose()

    assert reason == "the connection broke off"


async def test_a_closed_port_is_a_refused_connection(virtual: VirtualClock) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        transport = Transport(Address(url=f"http://127.0.0.1:{bound.getsockname()[1]}"), clock=virtual.clock)
        reason = await _reason(transport, "x")

    assert (reason, len(virtual.slept)) == ("cannot connect: connection refused", 2)


async def test_a_packed_answer_is_unpacked(transport: Transport, canned: responses.RequestsMock) -> None:
    canned.get(f"{URL}/x", body=gzip.compress(b"hello"), headers={"Content-Encoding": "gzip"})

    assert (await transport.get("x")).body == b"hello"


@pytest.mark.parametrize(
    ("body", "encoding", "reason"),
    [
        (gzip.compress(bytes(8 * 2**20)), "gzip", "the answer unpacks to more than 100 times its size"),
        (bytes(32 * 2**20 + 1), "identity", "the answer is larger than 32 MiB"),
        (gzip.compress(b"hello" * 99)[:-9], "gzip", "the answer was cut off"),
        (b"not gzip", "gzip", "the answer is not gzip, as its Content-Encoding says"),
        (b"hello", "br", "the answer is packed otherwise than asked; expected gzip or nothing"),
    ],
    ids=["bomb", "too large", "half", "not packed", "packed otherwise"],
)
async def test_a_body_that_is_not_what_it_must_be_is_refused(
    transport: Transport, canned: responses.RequestsMock, body: bytes, encoding: str, reason: str
) -> None:
    canned.get(f"{URL}/x", body=body, headers={"Content-Encoding": encoding})

    assert await _reason(transport, "x") == reason


async def test_a_body_shorter_than_announced_is_cut_off(transport: Transport, canned: responses.RequestsMock) -> None:
    canned.get(f"{URL}/x", body=b"half", headers={"Content-Length": "9"}, auto_calculate_content_length=False)

    assert await _reason(transport, "x") == "the answer was cut off"
    assert len(canned.calls) == 3


async def test_after_an_answer_that_was_left_unread_the_next_one_is_whole(forge: FakeGitea) -> None:
    forge.add("ann/notes", {"long.md": b"x" * 3_000_000, "short.md": b"short"})
    with forge.serve() as url:
        transport = Transport(Address(url=url))
        part = await transport.get("api/v1/repos/ann/notes/raw/long.md", enough_bytes=100)
        whole = await transport.get("api/v1/repos/ann/notes/raw/short.md", enough_bytes=100)
        await transport.aclose()

    assert (part.body, whole.body) == (b"x" * 100, b"short")


async def _reason(transport: Transport, path: str) -> str:
    try:
        await transport.get(path)
    except SourceError as error:
        return error.reason
    return "answered"


class _Timed(httpx.AsyncBaseTransport):
    """A way to the forge that notes when it was asked, in virtual seconds."""

    def __init__(self, forge: FakeGitea, virtual: VirtualClock) -> None:
        self.seconds: list[float] = []
        self._wire = forge.wire()
        self._virtual = virtual

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.seconds.append(self._virtual.seconds)
        return await self._wire.handle_async_request(request)
