"""Many artifacts at once: the same bytes as one by one; what does not go well is left to the repository's own task."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pipeline import codec, files, stage_many, stage_parse
from pipeline.blobs import BlobStore, blob_id
from pipeline.layout import Layout
from pipeline.model import (
    Config,
    Empty,
    Listing,
    RepoPath,
    RepositoryId,
    RosterEntry,
    Snapshot,
    SnapshotEntry,
)
from pipeline.outcome import SyncOutcome
from pipeline.roster import make_roster, write_roster
from pipeline.snapshots import SnapshotStore
from pipeline.steps import Build
from pipeline.workers import Crew
from tests.fakes import shares

A, B, C = (RepositoryId(f"local/ann/{name}") for name in "abc")
BOARD = b"## a - A\n**Status:** active\n"


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    """A build folder whose sync brought three repositories, each with a board and a page."""
    place = Layout(tmp_path / "build")
    write_roster(place, make_roster([synced(place, repository) for repository in (A, B, C)]))
    return place


def synced(place: Layout, repository: RepositoryId) -> RosterEntry:
    texts = {".tasks/STATUS.md": BOARD, ".wiki/a.md": b"# A of %s\n" % repository.encode()}
    for text in texts.values():
        BlobStore(place).add(blob_id(text), text)
    entries = tuple(
        SnapshotEntry(path=RepoPath(path), oid=blob_id(text), size_bytes=len(text), etag=None, state="stored")
        for path, text in texts.items()
    )
    snapshot = Snapshot(
        schema_version=codec.SCHEMA_VERSION, repository=repository, shared=False, revision=None, entries=entries
    )
    return RosterEntry(
        source="local", listing=Listing(repository=repository, forge_id=repository, default_branch="main"),
        head=Empty(), state="ok", reason=None, settled=False, shared=False, trees=(), evidence="blobs",
        snapshot_digest=SnapshotStore(place).write(snapshot),
    )  # fmt: skip


@pytest.fixture
def build(place: Layout, monkeypatch: pytest.MonkeyPatch) -> Build:
    """A run whose sync is done, and for which three repositories are many."""
    monkeypatch.setattr(sys, "argv", ["doit"])
    crew = Crew(2, enough=3)
    return Build(config=Config(sources=(), origin="a test"), layout=place, code="1", crew=crew, outcome=SyncOutcome())


def staged(place: Layout) -> dict[str, bytes]:
    folder = place.stage / "projects"
    return {name: (folder / name).read_bytes() for name in files.walk(folder)}


def parse_one_by_one(build: Build) -> None:
    for repository in (A, B, C):
        build.parse(repository)


def test_workers_make_the_very_files_that_are_made_one_by_one(build: Build) -> None:
    left = build.roster()
    by_workers = staged(build.layout)
    files.remove_tree(build.layout.stage)
    parse_one_by_one(build)

    assert left == []
    assert len(by_workers) == 12
    assert by_workers == staged(build.layout)


def test_what_workers_made_need_not_be_made_again(build: Build) -> None:
    build.roster()

    assert [build.is_current(repository) for repository in (A, B, C)] == [True, True, True]
    assert str(build.parsing) == "parsed 3/3"


def test_few_artifacts_are_left_to_their_tasks(build: Build) -> None:
    build.crew = Crew(2, enough=4)

    assert build.roster() == [A, B, C]
    assert staged(build.layout) == {}


def test_a_repository_whose_bytes_are_lost_is_left_to_its_own_task(build: Build) -> None:
    build.layout.blob(blob_id(b"# A of local/ann/b\n")).unlink()

    assert build.roster() == [B]
    assert build.parsing.expected == 2


def test_a_repository_that_crashes_us_is_left_to_its_own_task_and_stops_no_other(build: Build) -> None:
    build.maker = shares.crash_at_b

    assert build.roster() == [B]
    assert build.layout.has_artifact(C)


def test_workers_replace_what_stands_and_touch_nothing_that_is_right(build: Build) -> None:
    build.roster()
    project = build.layout.stage_project(A)
    (project / "wiki" / "a.md").write_bytes(b"edited")
    (project / "wiki" / "more.md").write_bytes(b"# More\n")
    board = (project / "STATUS.md").stat().st_ino
    build.code = "2"
    build.roster()

    assert sorted(files.walk(project)) == ["STATUS.md", "history.json", "project.json", "wiki/a.md"]
    assert (project / "wiki" / "a.md").read_bytes() == b"# A of local/ann/a\n"
    assert (project / "STATUS.md").stat().st_ino == board


def test_nothing_of_the_workers_stays_beside_stage(build: Build) -> None:
    files.write_atomic(build.layout.beside / "1" / "0" / "project.json", b"of a killed run")
    build.roster()

    assert sorted(path.name for path in build.layout.stage.iterdir()) == ["projects"]


def test_a_disk_that_refuses_a_place_leaves_all_to_the_tasks_which_tell_it(build: Build) -> None:
    build.layout.stage.mkdir()
    (build.layout.stage / "projects").write_bytes(b"in the way")

    assert build.roster() == [A, B, C]


def test_an_artifact_is_answered_only_when_it_stands_in_stage(build: Build) -> None:
    build.crew = Crew(2, enough=4)
    build.roster()
    made = stage_many.make(build.layout, Crew(1), stage_parse.build, [(build.known[A], False)])

    assert next(made)[0] == A
    assert build.layout.has_artifact(A)
