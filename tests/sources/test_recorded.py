"""Our source before answers of real forges, and the fake forge beside them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import AccessDenied
from pipeline.model import Listing, Resolved, Selection, SourceConfig, repository_id
from pipeline.sources.credentials import Secret
from pipeline.sources.gitea import Gitea
from pipeline.sources.transport import Address, Transport
from tests.fakes.gitea import FakeGitea, open_fake_forge
from tests.fakes.likeness import ask_again, headers_of, what_we_read
from tests.fakes.recorded import furnish
from tests.fakes.replay import Recorded, Replay, recordings
from tests.fakes.virtual_clock import VirtualClock

pytestmark = pytest.mark.anyio

DIALECTS = {
    "forgejo-12.0.4": "forgejo-12",
    "gitea-1.19.4": "gitea-1.19",
    "gitea-1.24.7": "gitea-1.24",
    "gitea-1.25.4": "gitea-1.25",
    "gitea-1.26.0-dev": "gitea-1.26-dev",
    "gogs-0.14.3": "gogs",
}
SERVERS = tuple(DIALECTS)
URL = "https://forge.example"
OLD_NAME, NOPE, NO_SITE = (
    repository_id("forge.example", *name) for name in (("vera", "old-name"), ("vera", "nope"), ("team", "nope"))
)
HEAD = "a432b053352edc06bfa431530ddfa9ab14f7ae16"


def open_source(server: str, who: str = "owner", *owners: str) -> Gitea:
    settings = {"url": URL, "owners": owners or ("vera", "team")}
    config = SourceConfig(kind="gitea", name="forge.example", settings=settings)
    address = Address(url=URL, authorization=None if who == "nobody" else Secret("token x"))
    return Gitea(config, Transport(address, clock=VirtualClock().clock, wire=Replay(server, who)), {})


async def look_at(source: Gitea, repository: str, selection: Selection) -> Resolved:
    """The head of one repository, whole: with its entries."""
    head = await source.resolve(await listing_of(source, repository), selection, None)
    assert isinstance(head, Resolved)
    return replace(head, entries=await source.list_tree(head, selection, ()))


async def listing_of(source: Gitea, repository: str) -> Listing:
    listings = (await source.list_repositories()).listings
    return next(each for each in listings if each.repository == f"forge.example/{repository}")


# --- our source before real answers


@pytest.mark.parametrize("server", SERVERS)
async def test_every_real_forge_lists_what_a_user_and_an_organisation_have(server: str) -> None:
    found = await open_source(server).list_repositories()

    assert [(each.forge_id, each.repository, each.visibility, each.empty) for each in found.listings] == [
        ("5", "forge.example/team/site", "private", False),
        ("3", "forge.example/vera/code", "public", False),
        ("2", "forge.example/vera/empty", "private", True),
        ("4", "forge.example/vera/new-name", "private", False),
        ("1", "forge.example/vera/notes", "private", False),
    ]
    assert {each.default_branch for each in found.listings} == {"main", "release/1"}
    assert (found.complete, found.reason) == (True, None)


@pytest.mark.parametrize("server", SERVERS)
async def test_every_real_forge_tells_the_same_head_and_entries(server: str, selection: Selection) -> None:
    head = await look_at(open_source(server), "vera/notes", selection)

    assert head.revision.commit == HEAD
    assert head.trees == (
        (".tasks", "d9d1e92ccaeb2528eb4b32bb69ed72d8117c9129"),
        (".wiki", "d32817dec016ce288dacb3c253ee1fc6dc40e2fc"),
    )
    assert [(each.path, each.kind, each.size_bytes) for each in head.entries or ()] == [
        (".tasks/STATUS.md", "file", 54),
        (".wiki/100% done #1.md", "file", 15),
        (".wiki/index.md", "file", 44),
        (".wiki/link.md", "symlink", 8),
        (".wiki/media.bin", "file", 130),
        (".wiki/nested/deep.md", "file", 17),
        (".wiki/sub", "submodule", None),
        (".wiki/windows.md", "file", 14),
        (".wiki/Страница №1.md", "file", 11),
    ]


@pytest.mark.parametrize("server", SERVERS)
async def test_every_real_forge_gives_the_bytes_that_the_ids_promise(server: str, selection: Selection) -> None:
    source = open_source(server)
    # The first batch finds out how this server is asked, as in the run that was recorded.
    await read_files(source, await look_at(source, "team/site", selection))
    head = await look_at(source, "vera/notes", selection)

    brought = await read_files(source, head)

    assert {path: blob_id(content) for path, content in brought.items()} == {
        each.path: each.oid for each in head.entries or () if each.kind == "file"
    }
    assert brought[".wiki/windows.md"] == b"\xef\xbb\xbf# Windows\r\n"
    assert brought[".wiki/Страница №1.md"].decode() == "# Один\n"


async def read_files(source: Gitea, head: Resolved) -> dict[str, bytes]:
    files = [each for each in head.entries or () if each.kind == "file"]
    brought = {entry.path: content async for entry, content in source.read_blobs(head.revision, files)}
    return {path: content for path, content in brought.items() if content is not None}


def blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@pytest.mark.parametrize(
    ("server", "traits"),
    [
        ("forgejo-12.0.4", {"blobs": "git/blobs"}),
        ("gitea-1.19.4", {"blobs": "raw"}),
        ("gitea-1.24.7", {"blobs": "file-contents"}),
        ("gitea-1.25.4", {"blobs": "file-contents"}),
        ("gitea-1.26.0-dev", {"blobs": "file-contents"}),
        ("gogs-0.14.3", {"trees": "contents"}),
    ],
)
async def test_how_a_real_forge_is_asked_is_found_out_by_asking(
    server: str, traits: Mapping[str, str], selection: Selection
) -> None:
    source = open_source(server)

    await read_files(source, await look_at(source, "team/site", selection))

    assert source.traits == {"owner team": "users", "owner vera": "users", **traits}


@pytest.mark.parametrize("server", ["forgejo-12.0.4", "gitea-1.24.7", "gitea-1.25.4", "gitea-1.26.0-dev"])
async def test_a_token_for_repositories_alone_lists_by_search(server: str) -> None:
    source = open_source(server, "reader")

    found = await source.list_repositories()

    assert [each.forge_id for each in found.listings] == ["5", "3", "2", "4", "1"]
    assert source.traits == {"owner team": "search 4", "owner vera": "search 2"}


@pytest.mark.parametrize(
    "server", ["forgejo-12.0.4", "gitea-1.19.4", "gitea-1.24.7", "gitea-1.25.4", "gitea-1.26.0-dev"]
)
async def test_nobody_sees_the_public_repository_alone_and_finds_it_by_its_name(server: str) -> None:
    source = open_source(server, "nobody", "vera")

    (listing,) = (await source.list_repositories()).listings

    assert await source.find(listing) == "forge.example/vera/code"
    assert await source.find(replace(listing, forge_id="999", repository=NOPE)) is None


@pytest.mark.parametrize(
    "server", ["forgejo-12.0.4", "gitea-1.24.7", "gitea-1.25.4", "gitea-1.26.0-dev", "gogs-0.14.3"]
)
async def test_a_wrong_token_is_told(server: str) -> None:
    with pytest.raises(AccessDenied, match="HTTP 401: the credentials are not accepted"):
        await open_source(server, "wrong", "vera").list_repositories()


@pytest.mark.parametrize(
    "server", ["forgejo-12.0.4", "gitea-1.19.4", "gitea-1.24.7", "gitea-1.25.4", "gitea-1.26.0-dev"]
)
async def test_a_renamed_repository_is_found_by_its_id(server: str) -> None:
    source = open_source(server)
    listing = await listing_of(source, "vera/new-name")

    assert await source.find(replace(listing, repository=OLD_NAME)) == listing.repository


@pytest.mark.parametrize("server", SERVERS)
async def test_a_repository_that_a_real_forge_does_not_know_is_gone(server: str, selection: Selection) -> None:
    source = open_source(server)
    listing = await listing_of(source, "team/site")
    await look_at(source, "team/site", selection)

    assert await source.find(listing) == listing.repository
    assert await source.find(replace(listing, forge_id="999", repository=NO_SITE)) is None


async def test_a_question_that_was_never_recorded_is_a_failure_that_names_it() -> None:
    transport = Transport(Address(url=URL), wire=Replay("gogs-0.14.3"))

    with pytest.raises(AssertionError, match=r"gogs-0\.14\.3 was never asked GET /api/v1/nope"):
        await transport.get("api/v1/nope")


# --- the fake forge beside the real ones


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, FakeGitea]:
    """A fake of each recorded server, over the same repositories."""
    return {server: open_twin(tmp_path_factory.mktemp(server), dialect) for server, dialect in DIALECTS.items()}


def open_twin(folder: Path, dialect: str) -> FakeGitea:
    forge = open_fake_forge(folder, dialect)
    forge.root_url = URL
    furnish(forge)
    return forge


CASES = [
    pytest.param(server, each, id=f"{server}-{each.name}") for server in SERVERS for each in recordings(server)
]  # fmt: skip


@pytest.mark.parametrize(("server", "recorded"), CASES)
async def test_the_fake_answers_as_the_real_one_did(
    twins: Mapping[str, FakeGitea], server: str, recorded: Recorded
) -> None:
    answer = await ask_again(twins[server], recorded)

    assert (answer.status_code, headers_of(answer.headers)) == (recorded.status, headers_of(recorded.headers))
    assert what_we_read(answer.headers, answer.content) == what_we_read(recorded.headers, recorded.content)
