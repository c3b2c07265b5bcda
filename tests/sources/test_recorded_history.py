"""Histories as real forges told them, and the fake forge beside them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pipeline.errors import NoHistory
from pipeline.model import SourceConfig
from pipeline.sources.credentials import Secret
from pipeline.sources.gitea import Gitea
from pipeline.sources.transport import Address, Transport
from tests.fakes.gitea import FakeGitea, open_fake_forge
from tests.fakes.histories import Brought, Past, bring, changed, logged, quest
from tests.fakes.likeness import ask_again, headers_of, what_we_read
from tests.fakes.recorded_history import make_recorded_past
from tests.fakes.replay import Recorded, Replay, recordings
from tests.fakes.virtual_clock import VirtualClock

pytestmark = pytest.mark.anyio

DIALECTS = {"forgejo-12.0.4": "forgejo-12", "gitea-1.19.4": "gitea-1.19", "gitea-1.25.4": "gitea-1.25"}
WAYS: Mapping[str, dict[str, str]] = {"forgejo-12.0.4": {"blobs": "git/blobs"}, "gitea-1.19.4": {}, "gitea-1.25.4": {}}
REPOSITORY = "forge.example/ann/past"
URL = "https://forge.example"


@pytest.fixture(scope="module")
def recorded_past(tmp_path_factory: pytest.TempPathFactory) -> tuple[Past, str, str]:
    return make_recorded_past(tmp_path_factory.mktemp("past") / "past.git")


def open_source(server: str, traits: dict[str, str]) -> Gitea:
    config = SourceConfig(kind="gitea", name="forge.example", settings={"url": URL, "owners": ("ann",)})
    address = Address(url=URL, authorization=Secret("token x"))
    return Gitea(config, Transport(address, clock=VirtualClock().clock, wire=Replay(f"{server}/history")), traits)


@pytest.mark.parametrize("server", DIALECTS)
async def test_a_real_forge_tells_the_history_that_git_tells_before_and_after_a_forced_push(
    recorded_past: tuple[Past, str, str], server: str
) -> None:
    past, first, second = recorded_past
    source, kept = open_source(server, dict(WAYS[server])), Brought()

    await bring(source, quest(REPOSITORY, past.path, first, kept), kept)
    before = kept.order
    await bring(source, quest(REPOSITORY, past.path, second, kept), kept)

    assert [list(before or ()), list(kept.order or ())] == [logged(past.path, head) for head in (first, second)]
    assert kept.changes() == [changed(past.path, each) for each in kept.order or ()]
    assert {commit.author for commit in kept.commits.values()} == {"Пётр"}


async def test_a_real_gogs_does_not_tell_the_history_of_a_folder(recorded_past: tuple[Past, str, str]) -> None:
    past, first, _ = recorded_past

    with pytest.raises(NoHistory):
        await bring(open_source("gogs-0.14.3", {}), quest(REPOSITORY, past.path, first))


# --- the fake forge beside the real ones


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory, recorded_past: tuple[Past, str, str]) -> Mapping[str, FakeGitea]:
    return {
        server: open_twin(tmp_path_factory.mktemp(server), name, recorded_past[0]) for server, name in DIALECTS.items()
    }


def open_twin(folder: Path, dialect: str, past: Past) -> FakeGitea:
    forge = open_fake_forge(folder, dialect)
    forge.root_url = URL
    forge.adopt("ann/past", past.path)
    forge.token("owner", owners=["ann"])
    return forge


@pytest.mark.parametrize(
    ("server", "recorded"),
    [pytest.param(name, each, id=f"{name}-{each.name}") for name in DIALECTS for each in recordings(f"{name}/history")],
)
async def test_the_fake_tells_a_history_as_the_real_one_did(
    twins: Mapping[str, FakeGitea], server: str, recorded: Recorded
) -> None:
    answer = await ask_again(twins[server], recorded)

    assert (answer.status_code, headers_of(answer.headers)) == (recorded.status, headers_of(recorded.headers))
    assert what_we_read(answer.headers, answer.content) == what_we_read(recorded.headers, recorded.content)
