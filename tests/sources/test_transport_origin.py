from __future__ import annotations

import logging
from pathlib import Path

import pytest
import responses

from pipeline.errors import ConfigError, SourceError
from pipeline.sources.credentials import Secret
from pipeline.sources.transport import Address, Transport
from tests.fakes import loopback
from tests.fakes.gitea import FakeGitea
from tests.fakes.responses_transport import ResponsesTransport
from tests.fakes.virtual_clock import VirtualClock

pytestmark = pytest.mark.anyio

URL = "https://forge.example"
CANARY = "canary-4d1f0e"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_within_the_origin_is_followed_with_its_credentials(
    canned: responses.RequestsMock, status: int
) -> None:
    canned.get(f"{URL}/old", status=status, headers={"Location": "/new?page=2"})
    canned.get(f"{URL}/new?page=2", body=b"moved")
    transport = Transport(Address(url=URL, authorization=Secret(CANARY)), wire=ResponsesTransport())

    answer = await transport.get("old")

    assert (answer.body, canned.calls[1].request.headers["Authorization"]) == (b"moved", CANARY)


@pytest.mark.parametrize(
    ("location", "origin"),
    [
        ("https://evil.example/x", "https://evil.example:443"),
        ("//evil.example/x", "https://evil.example:443"),
        ("http://forge.example/x", "http://forge.example:80"),
        ("https://forge.example:444/", "https://forge.example:444"),
        ("https://ann:secret@forge.example/", "https://forge.example:443"),
        ("https://2130706433/", "https://2130706433:443"),
        ("https://[::ffff:7f00:1]/", "https://::ffff:7f00:1:443"),
    ],
)
async def test_a_redirect_out_of_the_origin_is_not_followed(
    transport: Transport, canned: responses.RequestsMock, location: str, origin: str
) -> None:
    canned.get(f"{URL}/x", status=302, headers={"Location": location})

    assert await _reason(transport, "x") == f"a redirect from https://forge.example:443 to {origin} is not followed"
    assert len(canned.calls) == 1


@pytest.mark.parametrize(
    ("location", "reason"),
    [("https://forge.example:port/", "a redirect to what is no address"), ("", "a redirect that leads nowhere")],
)
async def test_a_redirect_must_lead_somewhere(
    transport: Transport, canned: responses.RequestsMock, location: str, reason: str
) -> None:
    canned.get(f"{URL}/x", status=302, headers={"Location": location})

    assert await _reason(transport, "x") == reason


async def test_a_circle_of_redirects_ends(transport: Transport, canned: responses.RequestsMock) -> None:
    canned.get(f"{URL}/x", status=302, headers={"Location": "/x"})

    assert await _reason(transport, "x") == "more than 5 redirects"
    assert len(canned.calls) == 6


async def test_another_server_hears_nothing_of_a_redirect_to_it(forge: FakeGitea, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = FakeGitea(tmp_path / "other")
    with forge.serve() as url, other.serve() as other_url:
        forge.fail("*", status=307, headers={"location": f"{other_url}/x"})
        transport = Transport(Address(url=url, authorization=Secret(CANARY)))
        reason = await _reason(transport, "x")
        await transport.aclose()

    assert "is not followed" in reason
    assert other.requests == []


async def test_the_environment_is_not_read(forge: FakeGitea, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with forge.serve() as url:
        transport = Transport(Address(url=url))
        answer = await transport.get("api/v1/version")
        await transport.aclose()

    assert answer.status == 200


async def test_a_proxy_of_the_settings_is_asked(forge: FakeGitea) -> None:
    with forge.serve() as proxy:
        transport = Transport(Address(url="http://forge.example", proxy=proxy))
        await _reason(transport, "x")
        await transport.aclose()

    assert (forge.requests[0].path, forge.requests[0].headers["host"]) == ("http://forge.example/x", "forge.example")


async def test_an_unknown_certificate_is_not_trusted(
    forge: FakeGitea, certificate: tuple[Path, Path], virtual: VirtualClock
) -> None:
    with loopback.serve(forge, certificate=certificate[0], key=certificate[1]) as url:
        transport = Transport(Address(url=url), clock=virtual.clock)
        reason = await _reason(transport, "api/v1/version")
        await transport.aclose()

    assert reason == "TLS: certificate not trusted; set ca_file in sources.toml"


async def test_a_certificate_of_the_environment_is_not_trusted(
    forge: FakeGitea, certificate: tuple[Path, Path], virtual: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with loopback.serve(forge, certificate=certificate[0], key=certificate[1]) as url:
        transport = Transport(Address(url=url), clock=virtual.clock)
        reason = await _reason(transport, "api/v1/version")
        await transport.aclose()

    assert reason == "TLS: certificate not trusted; set ca_file in sources.toml"


async def test_a_certificate_of_ca_file_is_trusted(forge: FakeGitea, certificate: tuple[Path, Path]) -> None:
    with loopback.serve(forge, certificate=certificate[0], key=certificate[1]) as url:
        transport = Transport(Address(url=url, ca_file=certificate[0]))
        answer = await transport.get("api/v1/version")
        await transport.aclose()

    assert answer.status == 200


async def test_a_certificate_of_another_host_is_told_apart(
    forge: FakeGitea, certificate: tuple[Path, Path], virtual: VirtualClock
) -> None:
    with loopback.serve(forge, certificate=certificate[0], key=certificate[1]) as url:
        named = url.replace("127.0.0.1", "localhost")
        transport = Transport(Address(url=named, ca_file=certificate[0]), clock=virtual.clock)
        reason = await _reason(transport, "api/v1/version")
        await transport.aclose()

    assert reason == "TLS: the certificate is for another host"


@pytest.mark.parametrize(
    "trouble",
    [{"status": 503}, {"status": 401}, {"status": 200, "drop": True}, {"status": 302, "headers": {"location": "//e/"}}],
)
async def test_the_token_is_in_no_message_and_no_log(
    forge: FakeGitea, virtual: VirtualClock, caplog: pytest.LogCaptureFixture, trouble: dict[str, object]
) -> None:
    caplog.set_level(logging.DEBUG)
    forge.fail("*", **trouble)  # type: ignore[arg-type]
    with forge.serve() as url:
        transport = Transport(Address(url=url, authorization=Secret(CANARY)), clock=virtual.clock)
        with pytest.raises(SourceError) as caught:
            await transport.get("x")
        await transport.aclose()

    assert CANARY in str(forge.requests[0].headers)
    assert CANARY not in f"{caught.value!r} {caught.value.__cause__!r} {caplog.text} {vars(transport)}"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ({"url": "forge.example"}, "source[2].url: is no web address; expected https://host"),
        ({"url": "ftp://forge.example"}, "source[2].url: is no web address; expected https://host"),
        ({"url": "https://forge.example:port"}, "source[2].url: is no address; expected https://host"),
        (
            {"url": f"https://ann:{CANARY}@forge.example"},
            "source[2].url: holds a user, a password or a query; expected https://host alone",
        ),
        ({"url": URL, "proxy": "socks5://x:1"}, "source[2].proxy: is no web address; expected http://host:port"),
        (
            {"url": URL, "ca_file": Path("no.pem")},
            "source[2].ca_file: no.pem cannot be read: No such file or directory",
        ),
    ],
)
def test_a_mistake_of_the_settings_names_its_key(address: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Transport(Address(place="source[2]", **address))  # type: ignore[arg-type]

    assert caught.value.mistakes == (message,)


def test_a_ca_file_that_is_no_certificate_says_so(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_bytes(b"hello")

    with pytest.raises(ConfigError, match=r"ca\.pem holds no PEM certificate"):
        Transport(Address(url=URL, ca_file=tmp_path / "ca.pem"))


async def _reason(transport: Transport, path: str) -> str:
    try:
        await transport.get(path)
    except SourceError as error:
        return error.reason
    return "answered"
