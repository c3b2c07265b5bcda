"""A Gitea source that asks a fake forge, on virtual time."""

from __future__ import annotations

from pipeline.model import SourceConfig
from pipeline.sources.credentials import Secret
from pipeline.sources.gitea import Gitea
from pipeline.sources.transport import Address, Transport
from tests.fakes.gitea import FakeGitea
from tests.fakes.virtual_clock import VirtualClock


def open_gitea(forge: FakeGitea, traits: dict[str, str] | None = None) -> Gitea:
    """The forge as "here", seen with a token that sees all of ann's."""
    forge.token("t0ken", owners=["ann"])
    config = SourceConfig(kind="gitea", name="here", settings={"url": forge.url, "owners": ("ann",)})
    address = Address(url=forge.url, authorization=Secret("token t0ken"))
    return Gitea(config, Transport(address, clock=VirtualClock().clock, wire=forge.wire()), traits or {})
