"""What every kind of source must do.  A new kind is one more row in `WORLDS`."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pytest

from pipeline.blobs import blob_id
from pipeline.errors import SourceUnreachable
from pipeline.model import (
    Empty,
    Listing,
    RepositoryId,
    Resolved,
    Revision,
    Selection,
    SourceConfig,
    SourceListing,
    TreeEntry,
    split_id,
)
from pipeline.sources.base import Source
from pipeline.sources.folder import Folder
from pipeline.sources.gitea import Gitea, read_address
from pipeline.sources.transport import Transport
from tests.fakes.bare import BareRepository, Content, Link, Submodule
from tests.fakes.dialects import DIALECTS
from tests.fakes.gitea import START, FakeGitea, open_fake_forge
from tests.fakes.memory import Memory

PROJECT = Selection(text_folders=(".tasks", ".wiki"), list_folders=(".wiki",))
WHOLE = Selection(text_folders=("",))
NOTES = {".tasks/STATUS.md": "# Status\n", ".wiki/index.md": "# Index\n", "src/main.py": "print()\n"}

Files = Mapping[str, Content]


class World(Protocol):
    """A place that holds repositories, and the source that looks at it."""

    def add(self, name: str, files: Files) -> None: ...

    def commit(self, name: str, files: Files) -> None: ...

    def delete(self, name: str) -> None: ...

    def open(self) -> Source: ...


@dataclass
class MemoryWorld:
    memory: Memory = field(default_factory=Memory)

    def add(self, name: str, files: Files) -> None:
        self.memory[name] = files

    def commit(self, name: str, files: Files) -> None:
        self.memory[name] = {**self.memory[name].files, **files}

    def delete(self, name: str) -> None:
        del self.memory[name]

    def open(self) -> Source:
        return self.memory.sources()["memory"].open(SourceConfig(kind="memory", name="here"), {})


@dataclass
class FolderWorld:
    root: Path

    def add(self, name: str, files: Files) -> None:
        BareRepository.create(self.root / f"{name}.git", "main")
        self.commit(name, files)

    def commit(self, name: str, files: Files) -> None:
        if files:
            BareRepository(self.root / f"{name}.git").commit("main", files, when=START)

    def delete(self, name: str) -> None:
        shutil.rmtree(self.root / f"{name}.git")

    def open(self) -> Source:
        return Folder.open(SourceConfig(kind="folder", name="here", settings={"path": str(self.root)}), {})


@dataclass
class GiteaWorld:
    forge: FakeGitea
    auth: Path

    def add(self, name: str, files: Files) -> None:
        self.forge.add(name, files or None)

    def commit(self, name: str, files: Files) -> None:
        self.forge.commit(name, files)

    def delete(self, name: str) -> None:
        self.forge.delete(name)

    def open(self) -> Source:
        settings = {"url": self.forge.url, "owners": ("ann", "bob"), "auth": str(self.auth)}
        self.forge.add_user("ann")
        self.forge.add_user("bob")
        config = SourceConfig(kind="gitea", name="here", settings=settings)
        return Gitea(config, Transport(read_address(config), wire=self.forge.wire()), {})


def make_folder_world(tmp_path: Path) -> World:
    (tmp_path / "repositories").mkdir()
    return FolderWorld(tmp_path / "repositories")


def make_forge_world(dialect: str) -> Callable[[Path], World]:
    def make(tmp_path: Path) -> World:
        forge = open_fake_forge(tmp_path, dialect)
        auth = tmp_path / "auth.toml"
        auth.write_bytes(f'gitea_token = "{forge.token("t0ken", owners=["ann", "bob"])}"'.encode())
        auth.chmod(0o600)
        return GiteaWorld(forge, auth)

    return make


WORLDS: dict[str, Callable[[Path], World]] = {
    "memory": lambda _: MemoryWorld(),
    "folder": make_folder_world,
    **{dialect: make_forge_world(dialect) for dialect in DIALECTS},
}


@pytest.fixture(params=WORLDS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    return WORLDS[request.param](tmp_path)


def list_all(world: World) -> SourceListing:
    async def ask() -> SourceListing:
        async with world.open() as source:
            return await source.list_repositories()

    return asyncio.run(ask())


@dataclass(frozen=True)
class Look:
    """All that a source says of one repository."""

    head: Resolved
    entries: tuple[TreeEntry, ...]
    contents: Mapping[str, bytes | None]

    @property
    def kinds(self) -> Mapping[str, str]:
        return {entry.path: entry.kind for entry in self.entries}


def look(world: World, name: str, selection: Selection = PROJECT) -> Look:
    async def ask() -> Look:
        async with world.open() as source:
            head = await source.resolve(await find(source, name), selection, None)
            assert isinstance(head, Resolved)
            entries = await source.list_tree(head, selection, ())
            return Look(head, entries, await read(source, head.revision, entries))

    return asyncio.run(ask())


async def find(source: Source, name: str) -> Listing:
    listing = await source.list_repositories()
    return next(each for each in listing.listings if split_id(each.repository)[1:] == tuple(name.split("/")))


async def read(source: Source, revision: Revision, entries: Sequence[TreeEntry]) -> Mapping[str, bytes | None]:
    files = [entry for entry in entries if entry.kind == "file"]
    return {entry.path: content async for entry, content in source.read_blobs(revision, files)}


def read_alone(world: World, name: str, path: str, limit_bytes: int) -> bytes | None:
    """One file, asked of a source that has listed nothing."""
    found = look(world, name)
    listing = next(each for each in list_all(world).listings if each.repository == f"here/{name}")
    entry = next(each for each in found.entries if each.path == path)

    async def ask() -> bytes | None:
        async with world.open() as source:
            return await source.read_file(listing, found.head.revision, entry, limit_bytes)

    return asyncio.run(ask())


def test_a_file_of_any_kind_is_brought_alone(world: World) -> None:
    world.add("ann/app", {**NOTES, ".wiki/pic.png": b"\x89PNG\0\n"})

    assert read_alone(world, "ann/app", ".wiki/pic.png", 100) == b"\x89PNG\0\n"


def test_a_file_over_the_limit_is_not_brought(world: World) -> None:
    world.add("ann/app", {**NOTES, ".wiki/pic.png": b"x" * (2 << 20)})

    with suppress(SourceUnreachable):
        assert read_alone(world, "ann/app", ".wiki/pic.png", 1 << 20) is None


def test_repositories_are_listed_by_id_and_the_answer_is_whole(world: World) -> None:
    world.add("bob/app", NOTES)
    world.add("ann/zoo", NOTES)
    world.add("ann/app", NOTES)

    listing = list_all(world)

    assert [each.repository for each in listing.listings] == ["here/ann/app", "here/ann/zoo", "here/bob/app"]
    assert (listing.complete, listing.reason) == (True, None)


def test_forge_ids_tell_repositories_apart_and_stay(world: World) -> None:
    world.add("ann/app", NOTES)
    world.add("bob/app", NOTES)

    first, second = ([each.forge_id for each in list_all(world).listings] for _ in range(2))

    assert len(set(first)) == 2
    assert first == second


def test_the_head_tells_its_branch_and_the_trees_of_the_wanted_folders(world: World) -> None:
    world.add("ann/app", NOTES)

    head = look(world, "ann/app").head

    assert (head.revision.repository, head.revision.ref, len(head.revision.commit)) == ("here/ann/app", "main", 40)
    assert [folder for folder, _ in head.trees] == [".tasks", ".wiki"]
    assert head.revision.committed_at == START


def test_a_folder_that_is_not_there_has_no_tree_and_no_entries(world: World) -> None:
    world.add("ann/app", {"README.md": "hello\n"})

    seen = look(world, "ann/app")

    assert (seen.head.trees, seen.entries) == ((), ())


def test_the_tree_lists_what_is_below_the_wanted_folders_by_path(world: World) -> None:
    world.add("ann/app", {**NOTES, ".wiki/b/page.md": "x", ".wiki/a.png": b"\x89PNG", ".wikis/other.md": "x"})

    entries = look(world, "ann/app").entries

    assert [entry.path for entry in entries] == [
        ".tasks/STATUS.md",
        ".wiki/a.png",
        ".wiki/b/page.md",
        ".wiki/index.md",
    ]
    assert [entry.size_bytes for entry in entries] == [9, 4, 1, 8]


def test_the_whole_repository_can_be_wanted(world: World) -> None:
    world.add("ann/app", NOTES)

    seen = look(world, "ann/app", WHOLE)

    assert list(seen.kinds) == [".tasks/STATUS.md", ".wiki/index.md", "src/main.py"]
    assert [folder for folder, _ in seen.head.trees] == [""]


def test_bytes_are_those_that_the_object_id_names(world: World) -> None:
    world.add("ann/app", {".wiki/a.md": "one\r\n", ".wiki/b.md": b"\xff\x00two", ".wiki/c.md": ""})

    seen = look(world, "ann/app")

    assert seen.contents == {".wiki/a.md": b"one\r\n", ".wiki/b.md": b"\xff\x00two", ".wiki/c.md": b""}
    assert [blob_id(seen.contents[entry.path] or b"") for entry in seen.entries] == [e.oid for e in seen.entries]


def test_odd_and_russian_paths_come_as_they_are(world: World) -> None:
    paths = [".wiki/100%.md", ".wiki/a b.md", ".wiki/c#1?.md", ".wiki/Заметки/Ёж и ёлка.md"]
    world.add("ann/app", dict.fromkeys(paths, "text"))

    seen = look(world, "ann/app")

    assert seen.contents == dict.fromkeys(paths, b"text")
    assert list(seen.kinds) == paths


def test_symlinks_and_submodules_are_named_and_not_followed(world: World) -> None:
    files: Files = {
        ".wiki/link.md": Link("/etc/passwd"),
        ".wiki/module": Submodule("1" * 40),
        ".wiki/page.md": "x",
        ".wiki/up": Link(".."),
    }
    world.add("ann/app", files)

    seen = look(world, "ann/app")

    assert seen.kinds == {
        ".wiki/link.md": "symlink",
        ".wiki/module": "submodule",
        ".wiki/page.md": "file",
        ".wiki/up": "symlink",
    }


def test_a_change_of_code_moves_the_head_and_keeps_the_trees(world: World) -> None:
    world.add("ann/app", NOTES)
    before = look(world, "ann/app").head
    world.commit("ann/app", {"src/main.py": "print(1)\n"})

    after = look(world, "ann/app").head

    assert after.trees == before.trees
    assert after.revision.commit != before.revision.commit


def test_a_change_of_a_page_moves_its_tree_alone(world: World) -> None:
    world.add("ann/app", NOTES)
    before = dict(look(world, "ann/app").head.trees)
    world.commit("ann/app", {".wiki/index.md": "# Other\n"})

    after = dict(look(world, "ann/app").head.trees)

    assert after[".tasks"] == before[".tasks"]
    assert after[".wiki"] != before[".wiki"]


def test_a_repository_without_a_commit_is_empty(world: World) -> None:
    world.add("ann/new", {})

    async def ask() -> tuple[bool, object]:
        async with world.open() as source:
            listing = await find(source, "ann/new")
            return listing.empty, await source.resolve(listing, PROJECT, None)

    assert asyncio.run(ask()) == (True, Empty())


def test_a_deleted_repository_is_found_no_more_and_the_others_are(world: World) -> None:
    world.add("ann/app", NOTES)
    world.add("ann/old", NOTES)

    async def ask() -> tuple[RepositoryId | None, ...]:
        async with world.open() as source:
            app, old = await find(source, "ann/app"), await find(source, "ann/old")
            world.delete("ann/old")
            return await source.find(app), await source.find(old)

    assert asyncio.run(ask()) == ("here/ann/app", None)
