from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import TypeVar

import pygit2
import pytest
from pygit2.enums import FileMode, ObjectType

from pipeline.errors import ConfigError, SourceError, SourceUnreachable
from pipeline.layout import is_safe_path
from pipeline.model import Head, Listing, RepositoryId, Resolved, Selection, SourceConfig, SourceListing, TreeEntry
from pipeline.sources import worktree
from pipeline.sources.folder import Folder
from tests.fakes.bare import BareRepository, Content
from tests.fakes.memory import START

PROJECT = Selection(text_folders=(".tasks", ".wiki"), list_folders=(".wiki",))
WHOLE = Selection(text_folders=("",), list_folders=(".wiki",))
BOARD = {".tasks/STATUS.md": "# Committed\n"}
NEEDS_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only here a file name may be any bytes")

Reply = TypeVar("Reply")
Make = Callable[[str, Mapping[str, Content]], BareRepository]
Write = Callable[[str, str], None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "projects").mkdir()
    return tmp_path / "projects"


@pytest.fixture
def make_clone(root: Path) -> Make:
    """A repository with a working tree (left empty) and one commit."""

    def make(path: str, files: Mapping[str, Content]) -> BareRepository:
        pygit2.init_repository(str(root / path), initial_head="main")
        repository = BareRepository(root / path)
        repository.commit("main", files, when=START)
        return repository

    return make


@pytest.fixture
def write(root: Path) -> Write:
    def write(path: str, text: str) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())

    return write


def open_folder(path: Path | str, **settings: object) -> Folder:
    return Folder.open(SourceConfig(kind="folder", name="local", settings={"path": str(path), **settings}), {})


def listed(path: Path | str, **settings: object) -> SourceListing:
    return asyncio.run(open_folder(path, **settings).list_repositories())


def names(path: Path | str, **settings: object) -> list[str]:
    return [each.repository for each in listed(path, **settings).listings]


def first(path: Path, **settings: object) -> Head:
    return ask(path, lambda source, listing: source.resolve(listing, PROJECT, None), **settings)


def entries(path: Path, selection: Selection = PROJECT, **settings: object) -> tuple[TreeEntry, ...]:
    async def list_tree(source: Folder, listing: Listing) -> tuple[TreeEntry, ...]:
        head = await source.resolve(listing, selection, None)
        assert isinstance(head, Resolved)
        return await source.list_tree(head, selection, ())

    return ask(path, list_tree, **settings)


def texts(path: Path, **settings: object) -> dict[str, bytes | None]:
    async def read(source: Folder, listing: Listing) -> dict[str, bytes | None]:
        head = await source.resolve(listing, PROJECT, None)
        assert isinstance(head, Resolved)
        tree = await source.list_tree(head, PROJECT, ())
        return {entry.path: content async for entry, content in source.read_blobs(head.revision, tree)}

    return ask(path, read, **settings)


def ask(path: Path, question: Callable[[Folder, Listing], Coroutine[None, None, Reply]], **settings: object) -> Reply:
    """Ask about the only repository of a folder."""

    async def run() -> Reply:
        source = open_folder(path, **settings)
        (listing,) = (await source.list_repositories()).listings
        return await question(source, listing)

    return asyncio.run(run())


# --- which repositories there are


def test_clones_bare_ones_and_plain_folders_are_found_and_named(root: Path, make_clone: Make, write: Write) -> None:
    make_clone("notes", BOARD)
    make_clone("ann/app", BOARD)
    BareRepository.create(root / "ann/bare.git", "main")
    write("bob/plain/.wiki/index.md", "# Index\n")
    write("bob/other/README.md", "no board, no wiki\n")

    assert names(root) == ["local/ann/app", "local/ann/bare", "local/bob/plain", "local/root/notes"]
    assert [each.forge_id for each in listed(root).listings] == ["ann/app", "ann/bare.git", "bob/plain", "notes"]


def test_the_folder_itself_may_be_a_repository(root: Path, make_clone: Make) -> None:
    make_clone(".", BOARD)

    assert [(each.repository, each.forge_id) for each in listed(root).listings] == [("local/root/projects", ".")]


def test_the_search_stops_at_the_depth_asked_for(root: Path, make_clone: Make) -> None:
    make_clone("a/b/c", BOARD)

    assert names(root, depth=2) == []
    assert names(root, depth=3) == ["local/b/c"]


def test_the_search_does_not_go_into_a_repository(root: Path, make_clone: Make, write: Write) -> None:
    make_clone("app", BOARD)
    write("app/inner/.tasks/STATUS.md", "# Inner\n")

    assert names(root) == ["local/root/app"]


def test_a_hidden_folder_may_be_a_repository_but_is_not_searched(root: Path, make_clone: Make) -> None:
    make_clone(".github", BOARD)
    make_clone(".cache/app", BOARD)

    assert names(root) == ["local/root/.github"]


def test_symlinked_folders_are_not_followed(root: Path, tmp_path: Path, make_clone: Make) -> None:
    make_clone("app", BOARD)
    (tmp_path / "elsewhere").mkdir()
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "out").symlink_to(tmp_path / "elsewhere", target_is_directory=True)

    assert names(root) == ["local/root/app"]


def test_of_two_folders_with_one_name_the_later_is_left_out_and_told(root: Path, make_clone: Make) -> None:
    make_clone("app", BOARD)
    make_clone("app.git", BOARD)

    listing = listed(root)

    assert [each.forge_id for each in listing.listings] == ["app"]
    assert (listing.complete, listing.reason) == (True, "app.git is left out: app is local/root/app already")


def test_a_name_with_control_letters_is_left_out_and_told(root: Path, make_clone: Make) -> None:
    make_clone("bad\nname", BOARD)

    listing = listed(root)

    assert listing.listings == ()
    assert listing.reason == "bad\\nname is left out: its name is not printable text"


@NEEDS_LINUX
def test_a_name_that_is_no_text_is_left_out_and_told(root: Path) -> None:
    (Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9")) / ".wiki").mkdir(parents=True)

    assert listed(root).reason == "caf\\udce9 is left out: its name is not printable text"


def test_a_folder_that_may_not_be_read_makes_the_listing_incomplete(
    root: Path, make_clone: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_clone("app", BOARD)
    (root / "locked").mkdir()
    scandir = os.scandir
    refused = {str(root / "locked"): root / "nowhere" / "at all"}
    monkeypatch.setattr(os, "scandir", lambda path: scandir(refused.get(str(path), path)))

    listing = listed(root)

    assert [each.repository for each in listing.listings] == ["local/root/app"]
    assert (listing.complete, listing.reason) == (False, "locked may not be listed")


def test_a_missing_folder_is_unreachable_for_a_reason_that_tells_no_path_of_this_machine() -> None:
    with pytest.raises(SourceUnreachable, match=r"^what `path` of this source names is not a folder; mend the row"):
        listed("/no/such/folder")


def test_a_home_that_nobody_has_is_a_mistake_of_the_row() -> None:
    with pytest.raises(ConfigError, match=r'^sources\.toml\.path is "~nobody-here/x"'):
        open_folder("~nobody-here/x")


def test_a_file_is_not_a_folder(root: Path, write: Write) -> None:
    write("file", "x")

    with pytest.raises(SourceUnreachable, match=r"is not a folder"):
        listed(root / "file")


# --- what git's objects say


def test_the_last_commit_is_read_and_not_the_files_on_disk(root: Path, make_clone: Make, write: Write) -> None:
    make_clone("app", BOARD)
    write("app/.tasks/STATUS.md", "# Uncommitted\n")

    assert texts(root) == {".tasks/STATUS.md": b"# Committed\n"}


def test_another_branch_can_be_read(root: Path, make_clone: Make) -> None:
    make_clone("app", BOARD).commit("next", {".tasks/STATUS.md": "# Next\n"}, when=START)

    assert texts(root, ref="next") == {".tasks/STATUS.md": b"# Next\n"}


def test_a_branch_called_worktree_is_a_branch(root: Path, make_clone: Make) -> None:
    make_clone("app", BOARD).commit("worktree", {".tasks/STATUS.md": "# Branch\n"}, when=START)

    assert texts(root, ref="worktree") == {".tasks/STATUS.md": b"# Branch\n"}


def test_a_ref_that_is_not_there_is_said(root: Path, make_clone: Make) -> None:
    make_clone("app", BOARD)

    with pytest.raises(SourceUnreachable, match=r'^there is no "next" in it'):
        first(root, ref="next")


def test_a_head_whose_commit_is_lost_is_told_as_damage(root: Path, make_clone: Make) -> None:
    make_clone("app", BOARD)
    shutil.rmtree(root / "app" / ".git" / "objects")
    (root / "app" / ".git" / "objects").mkdir()

    with pytest.raises(SourceUnreachable, match=r"^the commit of HEAD is not in it; is the repository damaged"):
        first(root)


def test_a_branch_without_a_commit_is_not_an_empty_repository(root: Path, make_clone: Make) -> None:
    make_clone("app", BOARD).open().set_head("refs/heads/fresh")

    with pytest.raises(SourceUnreachable, match=r"^HEAD is on fresh, which has no commit yet"):
        first(root)
    assert [each.empty for each in listed(root).listings] == [False]


def test_a_linked_worktree_is_read_through_its_git_file(root: Path, tmp_path: Path) -> None:
    pygit2.init_repository(str(tmp_path / "main"), initial_head="main")
    main = BareRepository(tmp_path / "main")
    main.commit("main", BOARD, when=START)
    main.open().add_worktree("linked", str(root / "linked"))

    assert (root / "linked" / ".git").is_file()
    assert texts(root) == {".tasks/STATUS.md": b"# Committed\n"}


def test_a_damaged_clone_says_so_without_a_path_of_this_machine(root: Path) -> None:
    (root / "app" / ".git").mkdir(parents=True)

    with pytest.raises(SourceUnreachable) as caught:
        first(root)

    assert caught.value.reason == "git's data cannot be read; try `git fsck` in it"


def test_a_damaged_clone_is_not_taken_for_the_repository_around_it(root: Path) -> None:
    pygit2.init_repository(str(root.parent), initial_head="main")
    BareRepository(root.parent).commit("main", BOARD, when=START)
    (root / "app" / ".git").mkdir(parents=True)

    with pytest.raises(SourceUnreachable, match=r"^git's data cannot be read"):
        first(root)


def test_a_form_of_git_that_is_not_known_is_named(root: Path, make_clone: Make) -> None:
    make_clone("app", BOARD)
    with (root / "app/.git/config").open("a", encoding="utf-8") as config:
        config.write("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n")

    with pytest.raises(SourceUnreachable, match=r"unsupported extension name extensions.refstorage"):
        first(root)


def test_bytes_that_a_partial_clone_has_not_are_none(root: Path, make_clone: Make) -> None:
    repository = make_clone("app", BOARD).open()
    oid = str((repository.revparse_single("main:.tasks/STATUS.md")).id)
    (root / "app/.git/objects" / oid[:2] / oid[2:]).unlink()

    assert texts(root) == {".tasks/STATUS.md": None}
    assert [entry.size_bytes for entry in entries(root)] == [None]


def test_a_commit_of_a_year_that_no_calendar_has_is_read_without_its_time(root: Path, make_clone: Make) -> None:
    repository = make_clone("app", BOARD).open()
    tree = repository.revparse_single("main").peel(pygit2.Tree).id
    person = "Ann <ann@example.org> 1099511627776 +0000"
    commit = f"tree {tree}\nauthor {person}\ncommitter {person}\n\nx\n"
    repository.references.create("refs/heads/far", repository.odb.write(ObjectType.COMMIT, commit.encode()))

    head = first(root, ref="far")

    assert isinstance(head, Resolved)
    assert head.revision.committed_at is None


def test_a_folder_that_is_a_symlink_is_one_entry(root: Path, make_clone: Make, tmp_path: Path) -> None:
    repository = make_clone("app", BOARD).open()
    builder = repository.TreeBuilder()
    builder.insert(".wiki", repository.create_blob(b"/etc"), FileMode.LINK)
    signature = pygit2.Signature("Ann", "ann@example.org", 1, 0)
    repository.create_commit("refs/heads/other", signature, signature, "x", builder.write(), [])

    assert [(entry.path, entry.kind) for entry in entries(root, ref="other")] == [(".wiki", "symlink")]


def test_a_path_that_is_not_utf_8_is_spelt_and_not_safe(root: Path, make_clone: Make) -> None:
    repository = make_clone("app", BOARD).open()
    wiki = repository.odb.write(ObjectType.TREE, b"100644 caf\xe9.md\0" + repository.create_blob(b"x").raw)
    top = repository.TreeBuilder()
    top.insert(".wiki", wiki, FileMode.TREE)
    signature = pygit2.Signature("Ann", "ann@example.org", 1, 0)
    repository.create_commit("refs/heads/other", signature, signature, "x", top.write(), [])

    (entry,) = entries(root, ref="other")

    assert entry.path == ".wiki/caf\\xe9.md"
    assert not is_safe_path(entry.path)


def test_a_tree_made_to_be_endless_is_refused(root: Path, make_clone: Make) -> None:
    repository = make_clone("app", BOARD).open()
    tree = repository.TreeBuilder()
    tree.insert("x.md", repository.create_blob(b"x"), FileMode.BLOB)
    bomb = nested(repository, tree.write(), levels=8)
    signature = pygit2.Signature("Ann", "ann@example.org", 1, 0)
    repository.create_commit("refs/heads/bomb", signature, signature, "x", bomb, [])

    with pytest.raises(SourceUnreachable, match=r"^over 100,000 "):
        entries(root, WHOLE, ref="bomb")


def test_more_files_than_anyone_writes_are_refused(root: Path, make_clone: Make) -> None:
    repository = make_clone("app", BOARD).open()
    page = repository.create_blob(b"x")
    wide = repository.TreeBuilder()
    for number in range(1_000):
        wide.insert(f"{number}.md", page, FileMode.BLOB)
    signature = pygit2.Signature("Ann", "ann@example.org", 1, 0)
    repository.create_commit(
        "refs/heads/bomb", signature, signature, "x", nested(repository, wide.write(), levels=3), []
    )

    with pytest.raises(SourceUnreachable, match=r"^over 100,000 entries"):
        entries(root, WHOLE, ref="bomb")


def nested(repository: pygit2.Repository, tree: pygit2.Oid, levels: int) -> pygit2.Oid:
    """A tree that holds ten times the same tree, and so on: 10 to the power of `levels` files."""
    for _ in range(levels):
        outer = repository.TreeBuilder()
        for number in range(10):
            outer.insert(f"d{number}", tree, FileMode.TREE)
        tree = outer.write()
    return tree


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_it_does_not_matter_who_owns_a_clone(root: Path, make_clone: Make) -> None:
    make_clone("app", BOARD)
    os.chown(root / "app", 12345, 12345)
    os.chown(root / "app/.git", 12345, 12345)

    assert texts(root) == {".tasks/STATUS.md": b"# Committed\n"}


def test_the_user_s_git_configuration_is_not_read(root: Path) -> None:
    open_folder(root)

    levels = [level for level in pygit2.enums.ConfigLevel if 0 < level < pygit2.enums.ConfigLevel.LOCAL]
    assert [pygit2.settings.search_path[level] for level in levels] == ["", "", "", ""]


# --- what lies on disk


def test_uncommitted_files_are_read_when_the_worktree_is_wanted(root: Path, make_clone: Make, write: Write) -> None:
    make_clone("app", BOARD)
    write("app/.tasks/STATUS.md", "# Uncommitted\n")

    assert texts(root, worktree=True) == {".tasks/STATUS.md": b"# Uncommitted\n"}


def test_a_bare_clone_has_no_worktree_to_want(root: Path) -> None:
    BareRepository.create(root / "app.git", "main").commit("main", BOARD, when=START)

    assert texts(root, worktree=True) == {".tasks/STATUS.md": b"# Committed\n"}


def test_files_on_disk_have_the_ids_that_git_would_give(root: Path, make_clone: Make, write: Write) -> None:
    make_clone("app", BOARD)
    write("app/.tasks/STATUS.md", "# Committed\n")

    assert entries(root, worktree=True) == entries(root)


def test_the_same_files_on_disk_make_the_same_head_and_another_file_another(root: Path, write: Write) -> None:
    write("app/.wiki/a.md", "one")
    before, again = first(root), first(root)
    write("app/.wiki/a.md", "two")
    after = first(root)

    assert isinstance(before, Resolved)
    assert isinstance(after, Resolved)
    assert before == again
    assert (before.revision.ref, len(before.revision.commit), before.revision.committed_at) == ("worktree", 40, None)
    assert (before.revision.commit, before.trees) != (after.revision.commit, after.trees)


def test_links_and_repositories_on_disk_are_named_and_not_followed(root: Path, write: Write) -> None:
    write("secret.md", "not yours")
    write("app/.wiki/inner/.git/HEAD", "ref: refs/heads/main\n")
    write("app/.wiki/page.md", "x")
    (root / "app/.wiki/link.md").symlink_to(root / "secret.md")
    (root / "app/.wiki/up").symlink_to(root, target_is_directory=True)

    assert {entry.path: entry.kind for entry in entries(root)} == {
        ".wiki/inner": "submodule",
        ".wiki/link.md": "symlink",
        ".wiki/page.md": "file",
        ".wiki/up": "symlink",
    }


def test_a_wanted_folder_on_disk_that_is_a_link_is_one_entry(root: Path, write: Write) -> None:
    write("secret/page.md", "not yours")
    write("app/.tasks/STATUS.md", "x")
    (root / "app/.wiki").symlink_to(root / "secret", target_is_directory=True)

    assert [(each.path, each.kind) for each in entries(root)] == [(".tasks/STATUS.md", "file"), (".wiki", "symlink")]


def test_of_a_whole_folder_on_disk_only_visible_markdown_counts(root: Path, write: Write) -> None:
    write("wiki/.wiki/index.md", "x")
    write("wiki/.wiki/a.png", "x")
    write("wiki/.venv/README.md", "x")
    write("wiki/node/Concept.MD", "x")
    write("wiki/node/app.js", "x")

    assert [entry.path for entry in entries(root, WHOLE)] == [".wiki/a.png", ".wiki/index.md", "node/Concept.MD"]


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this platform cannot refuse to follow a link")
def test_a_link_that_took_a_file_s_place_meanwhile_is_not_followed(root: Path, write: Write) -> None:
    write("secret.md", "not yours")
    write("app/.wiki/page.md", "x")
    (entry,) = entries(root)
    (root / "app/.wiki/page.md").unlink()
    (root / "app/.wiki/page.md").symlink_to(root / "secret.md")

    assert worktree.read_file(root / "app", entry, 100) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes among the files here")
def test_a_pipe_is_not_waited_for(root: Path, write: Write) -> None:
    write("app/.wiki/page.md", "x")
    os.mkfifo(root / "app/.wiki/pipe.md")

    assert texts(root) == {".wiki/page.md": b"x"}


@NEEDS_LINUX
def test_a_file_name_that_is_no_text_is_spelt(root: Path, write: Write) -> None:
    write("app/.wiki/page.md", "x")
    Path(os.fsdecode(os.fsencode(root) + b"/app/.wiki/caf\xe9.md")).write_bytes(b"x")

    assert [entry.path for entry in entries(root)] == [".wiki/caf\\xe9.md", ".wiki/page.md"]


# --- what is gone


def test_a_repository_is_gone_when_the_folder_above_no_longer_has_it(root: Path, make_clone: Make) -> None:
    make_clone("ann/app", BOARD)

    async def take_away(source: Folder, listing: Listing) -> tuple[RepositoryId | None, ...]:
        before = await source.find(listing)
        (root / "ann").rename(root / "bob")
        return before, await source.find(listing)

    assert ask(root, take_away) == ("local/ann/app", None)


def test_nothing_is_gone_while_the_searched_folder_is_away(root: Path, make_clone: Make, tmp_path: Path) -> None:
    make_clone("app", BOARD)

    async def unmount(source: Folder, listing: Listing) -> RepositoryId | None:
        root.rename(tmp_path / "unmounted")
        return await source.find(listing)

    with pytest.raises(SourceUnreachable, match=r"is not a folder"):
        ask(root, unmount)


def test_a_repository_that_is_deeper_than_the_search_is_gone(root: Path, make_clone: Make) -> None:
    make_clone("ann/app", BOARD)
    (listing,) = listed(root).listings

    assert asyncio.run(open_folder(root, depth=1).find(listing)) is None


def test_a_repository_whose_folder_vanishes_under_way_is_told(root: Path, make_clone: Make) -> None:
    make_clone("app", BOARD)
    (listing,) = listed(root).listings
    (root / "app").rename(root / "renamed")

    with pytest.raises(SourceError, match=r"^its folder cannot be looked into"):
        asyncio.run(open_folder(root).resolve(listing, PROJECT, None))


def test_a_sparse_file_without_end_is_named_by_its_size_alone(root: Path, write: Write) -> None:
    write("app/.wiki/page.md", "x")
    os.truncate(root / "app/.wiki/page.md", 1 << 40)

    assert [(entry.path, entry.oid, entry.size_bytes) for entry in entries(root)] == [
        (".wiki/page.md", worktree.NO_OID, 1 << 40)
    ]
