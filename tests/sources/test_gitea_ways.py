"""Other servers, narrower tokens, larger and broken trees: what is asked then, and how often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import AccessDenied, SourceUnreachable
from pipeline.model import (
    LastLook,
    Listing,
    RepoPath,
    Resolved,
    Selection,
    SnapshotEntry,
    SourceConfig,
)
from pipeline.sources.gitea import Gitea, read_address
from pipeline.sources.transport import Transport
from tests.fakes import faults
from tests.fakes.bare import Content, Link, Submodule
from tests.fakes.gitea import FakeGitea, open_fake_forge
from tests.fakes.virtual_clock import VirtualClock
from tests.sources.asking import look, read_all

pytestmark = pytest.mark.anyio

BOARD = ".tasks/STATUS.md"
PAGES: Mapping[str, Content] = {BOARD: "board", ".wiki/index.md": "index", ".wiki/a/b.md": "b", "main.py": "x"}
OpenWay = Callable[..., Gitea]


@pytest.fixture
def open_way(tmp_path: Path, virtual: VirtualClock, monkeypatch: pytest.MonkeyPatch) -> OpenWay:
    """Open a forge of ann's with a token."""

    def make(forge: FakeGitea, traits: Mapping[str, str] | None = None, scopes: tuple[str, ...] | None = None) -> Gitea:
        monkeypatch.setenv("TOKEN", forge.token("t0ken", owners=["ann"], scopes=scopes))
        settings = {"url": forge.url, "owners": ("ann",), "token_env": "TOKEN"}
        config = SourceConfig(kind="gitea", name="forge.example", settings=settings)
        return Gitea(config, Transport(read_address(config), clock=virtual.clock, wire=forge.wire()), traits or {})

    return make


async def resolve(source: Gitea, selection: Selection, last: Resolved | None = None) -> Resolved:
    listing = (await source.list_repositories()).listings[0]
    known = LastLook(revision=last.revision, trees=last.trees, paths=last.paths) if last else None
    head = await source.resolve(listing, selection, known)
    assert isinstance(head, Resolved)
    return head


# --- tokens that may read repositories and nothing else


async def test_a_token_for_repositories_alone_lists_by_searching(forge: FakeGitea, open_way: OpenWay) -> None:
    for number in range(60):
        forge.add(f"ann/r{number:02}", private=True)
    forge.add("bob/other")
    source = open_way(forge, scopes=("read:repository",))

    answer = await source.list_repositories()

    assert (len(answer.listings), answer.complete) == (60, True)
    assert forge.paths() == ["users/ann/repos", "orgs/ann/repos", "repos/search", "repos/search", "repos/search"]


async def test_the_owner_s_number_is_remembered(forge: FakeGitea, open_way: OpenWay) -> None:
    forge.add("ann/notes")
    first = open_way(forge, scopes=("read:repository",))
    await first.list_repositories()
    forge.requests.clear()

    answer = await open_way(forge, first.traits, scopes=("read:repository",)).list_repositories()

    assert ([each.repository for each in answer.listings], len(forge.requests)) == (["forge.example/ann/notes"], 1)


async def test_a_number_that_is_another_s_today_is_forgotten(forge: FakeGitea, open_way: OpenWay) -> None:
    forge.add("bob/other")
    forge.add("ann/notes")
    source = open_way(forge, {"owner ann": "search 1"}, scopes=("read:repository",))

    answer = await source.list_repositories()

    assert [each.repository for each in answer.listings] == ["forge.example/ann/notes"]


async def test_an_owner_far_behind_in_what_a_search_finds_is_found(forge: FakeGitea, open_way: OpenWay) -> None:
    for number in range(60):
        forge.add(f"joanna/r{number:02}")
    forge.add_user("ann")
    forge.add("ann/notes")

    answer = await open_way(forge, scopes=("read:repository",)).list_repositories()

    assert ([each.repository for each in answer.listings], answer.complete) == (["forge.example/ann/notes"], True)


async def test_a_server_that_cannot_search_for_owners_is_asked_for_all(forge: FakeGitea, open_way: OpenWay) -> None:
    forge.dialect = replace(forge.dialect, searches_owners=False)
    for number in range(60):
        forge.add(f"bob/r{number:02}")
    forge.add("ann/notes")

    answer = await open_way(forge, scopes=("read:repository",)).list_repositories()

    assert ([each.repository for each in answer.listings], answer.complete) == (["forge.example/ann/notes"], True)


async def test_an_owner_whom_no_search_finds_has_nothing(forge: FakeGitea, open_way: OpenWay) -> None:
    forge.add_user("ann")
    forge.add("bob/other")

    answer = await open_way(forge, scopes=("read:repository",)).list_repositories()

    assert (answer.listings, answer.complete) == ((), True)


async def test_an_organisation_is_listed_by_a_token_for_organisations(forge: FakeGitea, open_way: OpenWay) -> None:
    forge.add_organisation("ann")
    forge.add("ann/notes")
    source = open_way(forge, scopes=("read:repository", "read:organization"))

    assert len((await source.list_repositories()).listings) == 1
    assert (forge.paths(), source.traits) == (["users/ann/repos", "orgs/ann/repos"], {"owner ann": "orgs"})


async def test_a_token_without_any_right_is_told_which_it_needs(forge: FakeGitea, open_way: OpenWay) -> None:
    forge.add("ann/notes")

    with pytest.raises(AccessDenied, match="the token needs read:repository"):
        await open_way(forge, scopes=("read:issue",)).list_repositories()


# --- trees of more than a thousand paths


@pytest.fixture
def large() -> Mapping[str, Content]:
    return {**PAGES, **{f"src/{number}.py": "x" for number in range(1_100)}}


async def test_a_large_tree_that_is_known_is_asked_for_its_root_alone(
    forge: FakeGitea, source: Gitea, selection: Selection, large: Mapping[str, Content]
) -> None:
    forge.add("ann/notes", large)
    before = await resolve(source, selection)
    forge.commit("ann/notes", {"src/1.py": "y"})
    forge.requests.clear()

    after = await resolve(source, selection, before)

    assert (after.trees, after.entries, after.paths) == (before.trees, None, before.paths)
    assert [dict(request.query).get("recursive") for request in forge.requests[1:]] == [None]


async def test_of_a_large_tree_only_the_folders_that_changed_are_asked_for(
    forge: FakeGitea, source: Gitea, selection: Selection, large: Mapping[str, Content]
) -> None:
    forge.add("ann/notes", large)
    head = await resolve(source, selection, await resolve(source, selection))
    forge.commit("ann/notes", {".wiki/new.md": "new"})
    head = await resolve(source, selection, head)
    forge.requests.clear()

    entries = await source.list_tree(head, Selection(text_folders=(".wiki",)), ())

    assert [entry.path for entry in entries] == [".wiki/a/b.md", ".wiki/index.md", ".wiki/new.md"]
    assert forge.paths() == [f"repos/ann/notes/git/trees/{dict(head.trees)['.wiki']}"]


async def test_the_last_page_is_the_last_by_its_count_whatever_it_says(tmp_path: Path, open_way: OpenWay) -> None:
    forge = open_fake_forge(tmp_path, "forgejo-12")
    forge.limits.tree_entries = 4
    forge.add("ann/notes", {f"{number}.md": "x" for number in range(7)})
    source = open_way(forge)
    forge.requests.clear()

    head = await resolve(source, Selection(text_folders=("",)))

    assert (len(head.entries or ()), len(forge.requests)) == (7, 1 + 2)


# --- bytes of many files


async def test_forgejo_gives_many_objects_in_one_answer(
    tmp_path: Path, open_way: OpenWay, selection: Selection
) -> None:
    forge = open_fake_forge(tmp_path, "forgejo-12")
    files = {f".wiki/{number:03}.md": f"text {number}" for number in range(79)}
    forge.add("ann/notes", files)
    source = open_way(forge)
    head = await look(source, selection)

    brought = await read_all(source, head)
    again = await read_all(source, head)

    assert brought == again == {path: text.encode() for path, text in files.items()}
    asked = [path.rpartition("ann/notes/")[2] for path in forge.paths() if "ann/notes/" in path]
    assert (asked.count("file-contents"), asked.count("git/blobs")) == (1, 3 + 2)
    assert source.traits["blobs"] == "git/blobs"


@pytest.mark.parametrize(
    ("dialect", "limit", "batch"),
    [("gitea-1.25", "batch_files", "file-contents"), ("forgejo-12", "items", "git/blobs")],
)
async def test_a_server_that_gives_fewer_at_once_is_asked_for_fewer(
    tmp_path: Path, open_way: OpenWay, selection: Selection, dialect: str, limit: str, batch: str
) -> None:
    forge = open_fake_forge(tmp_path, dialect)
    setattr(forge.limits, limit, 7)
    files = {f".wiki/{number:03}.md": f"text {number}" for number in range(60)}
    forge.add("ann/notes", files)
    source = open_way(forge)
    head = await look(source, selection)

    answers = [await read_all(source, head) for _ in range(2)]

    assert answers == [{path: text.encode() for path, text in files.items()}] * 2
    assert len([path for path in forge.paths() if path.endswith(batch)]) == 2 * (1 + 4) + 9
    assert not [path for path in forge.paths() if "/raw/" in path]


async def test_a_file_too_large_for_a_batch_of_objects_comes_alone(
    tmp_path: Path, open_way: OpenWay, selection: Selection
) -> None:
    forge = open_fake_forge(tmp_path, "forgejo-12")
    forge.limits.blob_bytes = 4
    forge.add("ann/notes", {".wiki/a.md": "a", ".wiki/b.md": "too long", ".wiki/empty.md": ""})
    source = open_way(forge)

    brought = await read_all(source, await look(source, selection))

    assert brought == {".wiki/a.md": b"a", ".wiki/b.md": b"too long", ".wiki/empty.md": b""}


@pytest.mark.parametrize("dialect", ["gitea-1.19", "forgejo-11"])
async def test_a_server_without_any_batch_is_asked_for_two_only_once(
    tmp_path: Path, open_way: OpenWay, selection: Selection, dialect: str
) -> None:
    forge = open_fake_forge(tmp_path, dialect)
    forge.add("ann/notes", {".wiki/a.md": "a", ".wiki/b.md": "b"})
    first = open_way(forge)
    await read_all(first, await look(first, selection))
    forge.requests.clear()
    second = open_way(forge, first.traits)

    await read_all(second, await look(second, selection))

    assert [path.rpartition("notes/")[2] for path in forge.paths()[2:]] == ["raw/.wiki/a.md", "raw/.wiki/b.md"]


async def test_a_remembered_way_that_is_gone_is_found_out_anew(
    tmp_path: Path, open_way: OpenWay, selection: Selection
) -> None:
    forge = open_fake_forge(tmp_path, "forgejo-12")
    forge.add("ann/notes", {".wiki/a.md": "a", ".wiki/b.md": "b"})
    source = open_way(forge, {"blobs": "file-contents"})
    head = await look(source, selection)

    answers = [await read_all(source, head) for _ in range(2)]

    assert answers == [{".wiki/a.md": b"a", ".wiki/b.md": b"b"}] * 2
    assert source.traits["blobs"] == "git/blobs"


# --- a tree that cannot be had


def known(path: str, oid: str, state: str = "stored") -> SnapshotEntry:
    return SnapshotEntry(path=RepoPath(path), oid=oid, size_bytes=5, etag=None, state=state)  # type: ignore[arg-type]


@pytest.fixture
def broken(forge: FakeGitea) -> FakeGitea:
    """ann/notes, whose tree the server cannot tell."""
    forge.add("ann/notes", PAGES)
    forge.fail("*/git/trees/*", status=500, body='{"message": ""}')
    return forge


async def test_a_head_without_its_tree_says_so(broken: FakeGitea, source: Gitea, selection: Selection) -> None:
    head = await resolve(source, selection)

    assert (head.revision.commit, head.trees) == (broken.head("ann/notes"), ())
    assert head.trouble == (
        "its tree cannot be read (HTTP 500 after 3 tries); only the files known before were looked at"
    )


async def test_a_known_head_needs_no_tree(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.add("ann/notes", PAGES)
    before = await resolve(source, selection)
    forge.fail("*/git/trees/*", status=500)

    assert await resolve(source, selection, before) == replace(before, entries=None)


async def test_known_files_are_asked_for_by_their_etags(broken: FakeGitea, source: Gitea, selection: Selection) -> None:
    head = await resolve(source, selection)
    oid = "7fe30cd8a5ff4e7ae65c6b2a73db1b83ec5eac9a"
    broken.requests.clear()

    entries = await source.list_tree(head, selection, (known(".wiki/a/b.md", oid), known(".wiki/gone.md", "2" * 40)))

    tags = {request.path.rpartition("/raw/")[2]: request.headers.get("if-none-match") for request in broken.requests}
    assert tags == {
        BOARD: None,
        ".wiki/index.md": None,
        ".wiki/a/b.md": f'"{oid}"',
        ".wiki/gone.md": f'"{"2" * 40}"',
    }
    assert [(entry.path, entry.content) for entry in entries] == [
        (BOARD, b"board"),
        (".wiki/a/b.md", b"b"),
        (".wiki/index.md", b"index"),
    ]


@pytest.mark.parametrize("answer", [faults.LOGIN_PAGE, {"status": 404, "body": "<html>"}])
async def test_what_a_proxy_says_of_a_known_file_is_not_believed(
    broken: FakeGitea, source: Gitea, selection: Selection, answer: faults.Canned
) -> None:
    head = await resolve(source, selection)
    broken.fail(f"*/raw/{BOARD}", **answer)

    with pytest.raises(SourceUnreachable):
        await source.list_tree(head, selection, (known(BOARD, "2" * 40),))


async def test_a_file_that_did_not_change_is_not_sent(broken: FakeGitea, source: Gitea, selection: Selection) -> None:
    head = await resolve(source, selection)
    board = str(broken["ann/notes"].bare.open().revparse_single(f"HEAD:{BOARD}").id)

    entries = await source.list_tree(head, Selection(text_folders=(".tasks",)), (known(BOARD, board),))

    assert [(entry.path, entry.oid, entry.etag, entry.content) for entry in entries] == [(BOARD, board, None, None)]


async def test_what_is_only_named_is_not_asked_for(broken: FakeGitea, source: Gitea, selection: Selection) -> None:
    head = await resolve(source, selection)
    broken.requests.clear()

    entries = await source.list_tree(
        head, Selection(text_folders=(".wiki",)), (known(".wiki/film.mp4", "3" * 40, "listed"),)
    )

    assert [entry.path for entry in entries] == [".wiki/film.mp4", ".wiki/index.md"]
    assert len(broken.requests) == 1


async def test_without_a_branch_the_tree_s_own_trouble_is_told(
    broken: FakeGitea, source: Gitea, selection: Selection
) -> None:
    broken.fail("*/branches/*", status=500)

    with pytest.raises(SourceUnreachable, match="HTTP 500 after 3 tries"):
        await resolve(source, selection)


# --- Gogs


@pytest.fixture
def gogs(tmp_path: Path) -> FakeGitea:
    forge = open_fake_forge(tmp_path, "gogs")
    forge.add("ann/notes", PAGES)
    return forge


async def test_gogs_is_known_by_its_trees_and_remembered(
    gogs: FakeGitea, open_way: OpenWay, selection: Selection
) -> None:
    source = open_way(gogs)
    head = await resolve(source, selection)
    gogs.requests.clear()

    again = await resolve(open_way(gogs, source.traits), selection, head)

    assert (source.traits["trees"], again.trees) == ("contents", head.trees)
    assert gogs.paths() == ["users/ann/repos", "repos/ann/notes/branches/main"]


async def test_gogs_sends_a_folder_s_files_along(gogs: FakeGitea, open_way: OpenWay, selection: Selection) -> None:
    source = open_way(gogs)
    head = await resolve(source, selection)
    gogs.requests.clear()

    entries = await source.list_tree(head, selection, ())
    brought = [each async for each in source.read_blobs(head.revision, entries)]

    assert sorted((entry.path, content) for entry, content in brought) == [
        (BOARD, b"board"),
        (".wiki/a/b.md", b"b"),
        (".wiki/index.md", b"index"),
    ]
    assert [path.rpartition("contents/")[2] for path in gogs.paths()] == [".tasks", ".wiki", ".wiki/a"]


async def test_all_of_a_repository_on_gogs_is_walked_once(gogs: FakeGitea, open_way: OpenWay) -> None:
    shared = Selection(text_folders=("",), list_folders=(".wiki",))
    source = open_way(gogs)

    entries = await source.list_tree(await resolve(source, shared), shared, ())

    assert [entry.path for entry in entries] == [BOARD, ".wiki/a/b.md", ".wiki/index.md", "main.py"]


async def test_a_folder_at_which_gogs_fails_is_asked_for_name_by_name(
    gogs: FakeGitea, open_way: OpenWay, selection: Selection
) -> None:
    gogs.commit("ann/notes", {".wiki/module": Submodule("a" * 40), ".wiki/link.md": Link("index.md")})
    source = open_way(gogs)

    entries = await source.list_tree(await resolve(source, selection), selection, ())

    assert [(entry.path, entry.kind) for entry in entries] == [
        (BOARD, "file"),
        (".wiki/a/b.md", "file"),
        (".wiki/index.md", "file"),
        (".wiki/link.md", "symlink"),
        (".wiki/module", "submodule"),
    ]


async def test_an_empty_404_of_gogs_is_believed_and_a_proxy_s_is_not(gogs: FakeGitea, open_way: OpenWay) -> None:
    source = open_way(gogs)
    listing: Listing = (await source.list_repositories()).listings[0]
    gogs.delete("ann/notes")

    assert await source.find(listing) is None
    gogs.fail("*/repos/ann/notes", status=404, body="<html>")
    with pytest.raises(SourceUnreachable, match="HTTP 404 that is not the forge's own"):
        await source.find(listing)
