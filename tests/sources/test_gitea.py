from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import AccessDenied, ConfigError, RepositoryNotFound, SourceError, SourceUnreachable
from pipeline.model import Empty, LastLook, Resolved, Selection, SourceConfig
from pipeline.sources.gitea import Gitea
from tests.fakes.bare import Content, Link, Submodule
from tests.fakes.gitea import FakeGitea
from tests.sources.asking import look, read_all

pytestmark = pytest.mark.anyio

OpenGitea = Callable[..., Gitea]
EVERYTHING = Selection(text_folders=("",))
BOARD = "# Board\n\n- [ ] ship\n"


async def test_one_request_tells_head_trees_and_entries(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    files: dict[str, Content] = {
        ".tasks/STATUS.md": BOARD,
        ".wiki/a/b.md": "b",
        ".wiki/ё #%.png": b"\x89",
        "src/main.go": "x",
    }
    commit = forge.add("ann/notes", files)

    head = await look(source, selection)

    assert (head.revision.commit, head.revision.ref, head.revision.committed_at) == (commit, "main", forge.clock)
    assert [folder for folder, _ in head.trees] == [".tasks", ".wiki"]
    assert [(entry.path, entry.size_bytes) for entry in head.entries or ()] == [
        (".tasks/STATUS.md", 20),
        (".wiki/a/b.md", 1),
        (".wiki/ё #%.png", 1),
    ]
    assert len(forge.requests) == 2


async def test_a_tree_id_moves_with_its_folder_alone(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.add("ann/notes", {".tasks/STATUS.md": BOARD, ".wiki/a.md": "a"})
    before = dict((await look(source, selection)).trees)
    forge.commit("ann/notes", {".wiki/a.md": "b", "code.py": "x"})

    after = dict((await look(source, selection)).trees)

    assert (before[".tasks"] == after[".tasks"], before[".wiki"] == after[".wiki"]) == (True, False)


async def test_a_branch_with_a_slash_is_one_segment(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    commit = forge.add("ann/notes", {"README.md": "x"}, branch="release/ё#1")

    head = await look(source, selection)

    assert (head.revision.commit, head.trees, head.entries) == (commit, (), ())
    assert "/git/trees/release%2F%D1%91%231" in forge.requests[1].raw_path


async def test_symlinks_and_submodules_are_told_apart(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.add("ann/notes", {".wiki/link": Link("../x"), ".wiki/module": Submodule("a" * 40), ".wiki/page.md": "x"})

    head = await look(source, selection)

    assert [(entry.path, entry.kind) for entry in head.entries or ()] == [
        (".wiki/link", "symlink"),
        (".wiki/module", "submodule"),
        (".wiki/page.md", "file"),
    ]


async def test_paging_stops_behind_the_last_wanted_folder(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.limits.tree_entries = 4
    forge.add("ann/notes", {".wiki/a.md": "a", ".wiki/b.md": "b", **{f"src/{n}": "x" for n in range(20)}})

    head = await look(source, selection)

    assert [entry.path for entry in head.entries or ()] == [".wiki/a.md", ".wiki/b.md"]
    assert len(forge.requests) == 2


async def test_further_pages_are_asked_of_the_commit_not_of_the_branch(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.limits.tree_entries = 4
    commit = forge.add("ann/notes", {f".wiki/{number}.md": "x" for number in range(9)})

    head = await look(source, selection)

    assert len(head.entries or ()) == 9
    assert forge.paths()[1:] == ["repos/ann/notes/git/trees/main", *[f"repos/ann/notes/git/trees/{commit}"] * 2]
    assert [dict(request.query).get("page") for request in forge.requests[1:]] == [None, "2", "3"]


async def test_a_sibling_that_sorts_between_the_folders_does_not_end_the_paging(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.limits.tree_entries = 2
    forge.add("ann/notes", {".wiki-old/a.md": "a", ".wiki.md": "x", ".wiki/a.md": "a"})

    head = await look(source, selection)

    assert [entry.path for entry in head.entries or ()] == [".wiki/a.md"]


async def test_all_of_a_repository_is_paged_to_its_end(forge: FakeGitea, source: Gitea) -> None:
    forge.limits.tree_entries = 3
    commit = forge.add("ann/projects-wiki", {f"notes/{number}.md": "x" for number in range(7)})

    head = await look(source, EVERYTHING)

    assert (head.trees, len(head.entries or ())) == ((("", commit),), 7)


async def test_an_empty_repository_costs_no_request(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.add("ann/nothing")
    listing = (await source.list_repositories()).listings[0]

    assert await source.resolve(listing, selection, None) == Empty()
    assert len(forge.requests) == 1


async def test_a_repository_that_lost_its_branch_is_not_taken_for_empty(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes", {"README.md": "x"})
    forge["ann/notes"].default_branch = "gone"
    listing = (await source.list_repositories()).listings[0]

    with pytest.raises(SourceUnreachable, match="its default branch 'gone' is not there"):
        await source.resolve(listing, selection, None)


async def test_a_repository_found_empty_after_the_listing_is_empty(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes")
    forge["ann/notes"].empty = False
    listing = (await source.list_repositories()).listings[0]
    forge["ann/notes"].empty = True

    assert await source.resolve(listing, selection, None) == Empty()


async def test_a_repository_deleted_after_the_listing_is_not_found(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes", {"README.md": "x"})
    listing = (await source.list_repositories()).listings[0]
    forge.delete("ann/notes")

    with pytest.raises(RepositoryNotFound):
        await source.resolve(listing, selection, None)


async def test_a_repository_renamed_after_the_listing_is_followed(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    commit = forge.add("ann/notes", {".wiki/a b.md": "x"})
    listing = (await source.list_repositories()).listings[0]
    forge.rename("ann/notes", "ann/memo")

    head = await source.resolve(listing, selection, None)

    assert isinstance(head, Resolved)
    assert (head.revision.commit, await read_all(source, head)) == (commit, {".wiki/a b.md": b"x"})


async def test_the_tree_is_asked_anew_only_when_the_head_does_not_tell_it(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes", {".wiki/a.md": "x"})
    head = await look(source, selection)
    without = Resolved(revision=head.revision, trees=head.trees)

    told, asked = [await source.list_tree(each, selection, ()) for each in (head, without)]

    assert (told == asked, len(forge.requests)) == (True, 3)


async def test_a_known_head_of_a_whole_repository_is_not_paged(forge: FakeGitea, source: Gitea) -> None:
    forge.limits.tree_entries = 3
    forge.add("ann/projects-wiki", {f"{number}.md": "x" for number in range(9)})
    listing = (await source.list_repositories()).listings[0]
    known = await source.resolve(listing, EVERYTHING, None)
    assert isinstance(known, Resolved)
    forge.requests.clear()
    last = LastLook(revision=known.revision, trees=known.trees, paths=known.paths)

    again = await source.resolve(listing, EVERYTHING, last)

    assert again == Resolved(revision=known.revision, trees=known.trees, paths=known.paths)
    assert len(forge.requests) == 1


# --- gone ---


async def test_gone_is_only_what_the_forge_itself_says_is_gone(forge: FakeGitea, with_token: Gitea) -> None:
    forge.add("ann/notes")
    forge.add("ann/memo")
    here, gone = (await with_token.list_repositories()).listings[::-1]
    forge.delete("ann/memo")

    assert [await with_token.find(here), await with_token.find(gone)] == ["forge.example/ann/notes", None]
    assert forge.paths()[-2:] == ["repositories/1", "repositories/2"]


async def test_a_renamed_repository_is_found_under_its_new_name(forge: FakeGitea, with_token: Gitea) -> None:
    forge.add("ann/notes")
    listing = (await with_token.list_repositories()).listings[0]
    forge.rename("ann/notes", "bob/memo")

    assert await with_token.find(listing) == "forge.example/bob/memo"


async def test_without_a_token_it_is_asked_for_by_its_name(forge: FakeGitea, source: Gitea) -> None:
    forge.add("ann/notes")
    forge.add("ann/memo")
    moved, gone = (await source.list_repositories()).listings[::-1]
    forge.rename("ann/notes", "bob/memo")
    forge.delete("ann/memo")

    assert [await source.find(moved), await source.find(gone)] == ["forge.example/bob/memo", None]
    assert "repos/ann/notes" in forge.paths()


async def test_a_name_that_is_another_s_today_is_not_found(forge: FakeGitea, source: Gitea) -> None:
    forge.add("ann/notes")
    listing = (await source.list_repositories()).listings[0]
    forge.delete("ann/notes")
    forge.add("ann/notes")

    assert await source.find(listing) is None


@pytest.mark.parametrize("trouble", [{"status": 401}, {"status": 403}, {"status": 503}, {"status": 404}])
async def test_doubt_is_not_gone(forge: FakeGitea, with_token: Gitea, trouble: dict[str, int]) -> None:
    forge.add("ann/notes")
    listing = (await with_token.list_repositories()).listings[0]
    forge.fail("*/repos*/*", **trouble)  # type: ignore[arg-type]

    with pytest.raises(SourceError):
        await with_token.find(listing)


# --- opening ---


async def test_a_served_forge_is_read_through_an_opened_row(
    forge: FakeGitea, selection: Selection, tmp_path: Path
) -> None:
    forge.token("t0ken", owners=["ann"])
    forge.add("ann/notes", {".tasks/STATUS.md": BOARD}, private=True)
    auth = tmp_path / "auth.toml"
    auth.write_bytes(b'gitea_token = "t0ken"\n')
    auth.chmod(0o600)
    with forge.serve() as url:
        row = SourceConfig(kind="gitea", name="h", settings={"url": url, "owners": ("ann",), "auth": str(auth)})
        async with Gitea.open(row, {}) as source:
            assert await read_all(source, await look(source, selection)) == {".tasks/STATUS.md": BOARD.encode()}


def test_a_row_needs_an_owner() -> None:
    row = SourceConfig(kind="gitea", name="h", settings={"url": "https://h", "owners": ()}, place="source[1]")

    with pytest.raises(ConfigError) as caught:
        Gitea.open(row, {})

    assert caught.value.mistakes == ("source[1].owners is empty; expected at least one user or organisation",)


async def test_a_bad_token_is_access_denied_even_for_public_repositories(
    forge: FakeGitea, open_source: OpenGitea, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "expired")
    forge.add("ann/notes")

    with pytest.raises(AccessDenied):
        await open_source("ann", token_env="TOKEN").list_repositories()

    assert forge.requests[0].headers["authorization"] == "token expired"
