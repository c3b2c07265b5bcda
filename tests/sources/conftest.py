"""What tests of the sources share: a forge, virtual time, canned answers, async tests on asyncio."""

from __future__ import annotations

import datetime as dt
import ipaddress
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import responses
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from pipeline.model import Selection, SourceConfig
from pipeline.sources.gitea import Gitea, read_address
from pipeline.sources.transport import Address, Transport
from tests.fakes.gitea import FakeGitea, open_fake_forge
from tests.fakes.responses_transport import ResponsesTransport
from tests.fakes.virtual_clock import VirtualClock

HOST = "forge.example"
URL = f"https://{HOST}"

OpenGitea = Callable[..., Gitea]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def forge(tmp_path: Path) -> FakeGitea:
    return open_fake_forge(tmp_path)


@pytest.fixture
def selection() -> Selection:
    return Selection(text_folders=(".tasks", ".wiki"), list_folders=(".wiki",))


@pytest.fixture
def virtual() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def canned() -> Iterator[responses.RequestsMock]:
    """Answers by `responses`; one that nobody asks for is a failure."""
    with responses.RequestsMock() as mock:
        yield mock


@pytest.fixture
def transport(canned: responses.RequestsMock, virtual: VirtualClock) -> Transport:
    """A transport that is answered by `canned` and sleeps on virtual time."""
    return Transport(Address(url=URL), clock=virtual.clock, wire=ResponsesTransport())


@pytest.fixture
def source(forge: FakeGitea, virtual: VirtualClock) -> Gitea:
    """The forge's user "ann", seen without a token."""
    return open_gitea(forge, virtual)


@pytest.fixture
def with_token(forge: FakeGitea, virtual: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> Gitea:
    """The same user, seen with a token."""
    monkeypatch.setenv("TOKEN", forge.token("t0ken", owners=["ann"]))
    return open_gitea(forge, virtual, token_env="TOKEN")


def open_gitea(forge: FakeGitea, virtual: VirtualClock, *owners: str, **settings: object) -> Gitea:
    config = SourceConfig(kind="gitea", name=HOST, settings={"url": URL, "owners": owners or ("ann",), **settings})
    return Gitea(config, Transport(read_address(config), clock=virtual.clock, wire=forge.wire()), {})


@pytest.fixture
def open_source(forge: FakeGitea, virtual: VirtualClock) -> OpenGitea:
    """Open the forge with other owners or settings."""
    return lambda *owners, **settings: open_gitea(forge, virtual, *owners, **settings)


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A self-signed certificate for 127.0.0.1 and its key, as PEM files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    start = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(start).not_valid_after(start.replace(year=2120))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    files = tmp_path / "cert.pem", tmp_path / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )  # fmt: skip
    return files
