"""The walk over a repository's commits beside git's own, for histories of every shape."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pygit2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygit2.enums import FileMode, ObjectType

from pipeline.errors import NoHistory, SourceUnreachable
from pipeline.model import SourceConfig
from pipeline.sources.clone import Clone
from pipeline.sources.folder import Folder
from tests.fakes.histories import (
    FIRST_SECOND,
    Brought,
    Drawn,
    Past,
    bring,
    changed,
    drawn_histories,
    git,
    keep,
    logged,
    make,
    quest,
)

REPOSITORY = "here/ann/app"


def new_past(tmp_path_factory: pytest.TempPathFactory) -> Past:
    return Past(tmp_path_factory.mktemp("past") / "app.git")


def read(past: Past, head: str, kept: Brought | None = None, folder: str = ".wiki") -> Brought:
    """The history by the clone itself."""
    told = kept or Brought()
    for part in Clone(past.path).history(quest(REPOSITORY, past.path, head, kept, folder=folder), head):
        keep(part, told)
    return told


@settings(max_examples=60)
@given(drawn=drawn_histories(), folder=st.sampled_from([".wiki", ".wiki/заметки", ""]))
def test_the_log_and_its_changes_are_those_of_git(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[Drawn], folder: str
) -> None:
    past = new_past(tmp_path_factory)
    head = make(past, drawn)[-1]

    kept = read(past, head, folder=folder)

    assert list(kept.order or ()) == logged(past.path, head, folder)
    assert kept.changes() == [changed(past.path, each, folder) for each in kept.order or ()]


@settings(max_examples=60)
@given(drawn=drawn_histories(), heads=st.lists(st.integers(0, 11), max_size=4))
def test_a_history_brought_push_by_push_is_the_one_brought_at_once(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[Drawn], heads: list[int]
) -> None:
    past, kept = new_past(tmp_path_factory), Brought()
    made = make(past, drawn)
    for head in [*(made[each % len(made)] for each in heads), made[-1]]:
        read(past, head, kept)

    assert list(kept.order or ()) == logged(past.path, made[-1])
    assert (kept.total, kept.changes()) == (len(kept.order or ()), read(past, made[-1]).changes())


def test_a_shallow_clone_has_the_history_that_git_has_of_it(tmp_path: Path) -> None:
    past = Past(tmp_path / "app.git")
    *_, head = past.chain({".wiki/a.md": "1"}, {".wiki/a.md": "2"}, {".wiki/a.md": "3"})
    git(tmp_path, "clone", "--quiet", "--depth=2", f"file://{past.path}", "shallow")

    kept = Brought()
    for part in Clone(tmp_path / "shallow").history(quest(REPOSITORY, past.path, head), head):
        keep(part, kept)

    assert list(kept.order or ()) == logged(tmp_path / "shallow", head)


def test_names_are_read_in_the_encoding_that_the_commit_names(tmp_path: Path) -> None:
    past = Past(tmp_path / "app.git")
    first = past.commit({".wiki/a.md": "1"})
    raw = git(past.path, "cat-file", "commit", first).replace("Ann", "Аня").replace("\n\n", "\nencoding cp1251\n\n")

    head = write(past, raw.encode("cp1251"))

    assert read(past, head).commits[head].author == "Аня"


def test_a_time_that_no_calendar_has_is_the_nearest_one(tmp_path: Path) -> None:
    past = Past(tmp_path / "app.git")
    first = past.commit({".wiki/a.md": "1"})
    raw = git(past.path, "cat-file", "commit", first).replace(f"<ann@example.org> {past.seconds}", f"<> {10**15}")

    head = write(past, raw.encode())

    assert read(past, head).commits[head].authored_at.year == 9999


def test_a_large_text_is_not_brought_and_its_change_is_told(tmp_path: Path) -> None:
    past = Past(tmp_path / "app.git")
    *_, head = past.chain({".wiki/a.md": "x" * (1 << 20) + "x"}, {".wiki/a.md": "1"})

    kept = read(past, head)

    assert (len(kept.shown()), kept.texts) == (2, {})


def test_a_tree_that_is_made_to_be_endless_is_refused(tmp_path: Path) -> None:
    past = Past(tmp_path / "app.git")
    first = past.commit({".wiki/a.md": "1"})
    opened = pygit2.Repository(str(past.path))
    oid, mode = opened.create_blob(b"x"), FileMode.BLOB
    for level in range(7):
        builder = opened.TreeBuilder()
        for name in range(10):
            builder.insert(f"{name}.md" if level == 0 else f"{name}", oid, mode)
        oid, mode = builder.write(), FileMode.TREE
    top = opened.TreeBuilder()
    top.insert(".wiki", oid, mode)
    who = pygit2.Signature("Ann", "ann@example.org", FIRST_SECOND, 0)
    bomb = opened.create_commit(None, who, who, "Boom", top.write(), [pygit2.Oid(hex=first)])

    with pytest.raises(SourceUnreachable, match="made to be endless"):
        read_alone(past, str(bomb))


def write(past: Past, raw: bytes) -> str:
    """Add a commit that is written by hand."""
    return str(pygit2.Repository(str(past.path)).write(ObjectType.COMMIT, raw))


def read_alone(past: Past, head: str) -> None:
    """The history up to a head that no snapshot was made of."""
    asked = quest(REPOSITORY, past.path, next(iter(past.files)))
    list(Clone(past.path).history(asked, head))


def test_a_plain_folder_keeps_no_history(tmp_path: Path) -> None:
    (tmp_path / "notes" / ".wiki").mkdir(parents=True)
    past = Past(tmp_path / "past.git")
    asked = quest("here/root/notes", past.path, past.commit({".wiki/a.md": "1"}))

    with pytest.raises(NoHistory, match="a plain folder keeps no history"):
        asyncio.run(bring(open_folder(tmp_path), asked))


def test_a_clone_read_on_disk_has_the_history_of_its_head(tmp_path: Path) -> None:
    past = Past(tmp_path / "past.git")
    first, second = past.chain({".wiki/a.md": "1"}, {".wiki/a.md": "2"})
    git(tmp_path, "clone", "--quiet", str(past.path), "app")
    (tmp_path / "app" / ".wiki" / "a.md").write_text("not committed", encoding="utf-8")
    asked = quest("here/root/app", past.path, second)

    kept = asyncio.run(bring(open_folder(tmp_path, worktree=True), asked))

    assert kept.order == (second, first)


def test_a_clone_read_on_disk_without_a_commit_has_none(tmp_path: Path) -> None:
    past = Past(tmp_path / "past.git")
    asked = quest("here/root/app", past.path, past.commit({".wiki/a.md": "1"}))
    pygit2.init_repository(str(tmp_path / "app"))
    (tmp_path / "app" / ".wiki").mkdir()

    assert asyncio.run(bring(open_folder(tmp_path, worktree=True), asked)).order == ()


def open_folder(path: Path, **settings: object) -> Folder:
    row = SourceConfig(kind="folder", name="here", settings={"path": str(path), "depth": 1, **settings})
    return Folder.open(row, {})
