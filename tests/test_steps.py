"""The shell's own promises: what a crash of ours, or lost bytes, do to one repository."""

import hashlib
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline import codec, steps
from pipeline.blobs import BlobStore, blob_id
from pipeline.catalog import open_stage
from pipeline.catalog.preferences import preferences
from pipeline.history_store import HistoryStore
from pipeline.layout import Layout
from pipeline.model import (
    Artifact,
    Commit,
    Config,
    Empty,
    FileChange,
    FolderHistory,
    History,
    Listing,
    ProjectHistory,
    RepoPath,
    RepositoryId,
    RosterEntry,
    Snapshot,
    SnapshotEntry,
)
from pipeline.outcome import SyncOutcome
from pipeline.roster import make_roster, read_roster, write_roster
from pipeline.snapshots import SnapshotStore

NOTES = RepositoryId("local/ann/notes")
BOARD = b"## a - A\n**Status:** active\n"


def crash(*_: object) -> tuple[Artifact, dict[str, bytes]]:
    raise ZeroDivisionError


@pytest.fixture
def build(tmp_path: Path) -> steps.Build:
    """A build whose sync brought one repository with one board."""
    place = Layout(tmp_path / "build")
    oid = blob_id(BOARD, 40)
    BlobStore(place).add(oid, BOARD)
    entry = SnapshotEntry(path=RepoPath(".tasks/STATUS.md"), oid=oid, size_bytes=len(BOARD), etag=None, state="stored")
    snapshot = Snapshot(
        schema_version=codec.SCHEMA_VERSION, repository=NOTES, shared=False, revision=None, entries=(entry,)
    )
    row = RosterEntry(
        source="local", listing=Listing(repository=NOTES, forge_id="notes", default_branch="main"), head=Empty(),
        state="ok", reason=None, settled=False, shared=False, trees=(), evidence="blobs",
        snapshot_digest=SnapshotStore(place).write(snapshot),
    )  # fmt: skip
    write_roster(place, make_roster([row]))
    found = steps.Build(config=Config(sources=(), origin="a test"), layout=place, code="1")
    found.roster()
    return found


def made(build: steps.Build) -> Artifact:
    return codec.load(Artifact, build.layout.artifact(NOTES).read_bytes(), "project.json")


def test_a_crash_of_ours_is_told_and_the_last_good_artifact_stays(build):
    build.parse(NOTES)
    build.maker = crash
    build.parse(NOTES)

    assert [item.slug for item in made(build).board.items] == ["a"]
    assert [(found.code, found.severity) for found in made(build).diagnostics] == [("E001", "error")]
    assert (build.layout.stage_project(NOTES) / "STATUS.md").read_bytes() == BOARD


def test_a_crash_at_the_first_sight_leaves_nothing_but_its_name(build):
    build.maker = crash
    build.parse(NOTES)

    assert made(build).board.state == "absent"
    assert [found.code for found in made(build).diagnostics] == ["E001"]


def test_after_the_crash_is_mended_nothing_of_it_stays(build):
    build.parse(NOTES)
    good = made(build)
    mended, build.maker = build.maker, crash
    build.parse(NOTES)
    build.maker = mended
    build.parse(NOTES)

    assert made(build) == good


def test_lost_bytes_leave_the_artifact_and_have_the_snapshot_brought_anew(build):
    build.parse(NOTES)
    build.layout.blob(blob_id(BOARD, 40)).write_bytes(b"damaged")
    build.parse(NOTES)

    assert [item.slug for item in made(build).board.items] == ["a"]
    assert not build.layout.snapshot(NOTES).exists()


def test_a_lost_snapshot_leaves_the_artifact(build):
    build.parse(NOTES)
    build.layout.snapshot(NOTES).unlink()

    assert build.parse(NOTES) is None
    assert [item.slug for item in made(build).board.items] == ["a"]


def test_a_damaged_snapshot_counts_as_a_lost_one(build):
    build.parse(NOTES)
    build.layout.snapshot(NOTES).write_bytes(b"{")

    assert build.parse(NOTES) is None
    assert [item.slug for item in made(build).board.items] == ["a"]
    assert not build.layout.snapshot(NOTES).exists()


@pytest.fixture
def told(build: steps.Build) -> steps.Build:
    """The same with a history of one page, two commits long."""
    entry = build.known[NOTES]
    commits = (commit(0, None, "a\n"), commit(1, "a\n", "b\n"))
    for text in (b"a\n", b"b\n"):
        BlobStore(build.layout).add(blob_id(text), text)
    order = (commits[1].id, commits[0].id)
    folder = FolderHistory(folder=".wiki", revision=None, tree=None, order=order, total=2, commits=commits)
    held = History(schema_version=codec.SCHEMA_VERSION, repository=NOTES, reach="5000", folders=(folder,))
    row = replace(entry, history_digest=HistoryStore(build.layout).write(held), history_reach="5000")
    write_roster(build.layout, make_roster([row]))
    build.read = None
    build.roster()
    return build


def commit(number: int, before: str | None, after: str) -> Commit:
    oids = [None if text is None else blob_id(text.encode()) for text in (before, after)]
    change = FileChange(path=RepoPath(".wiki/a.md"), before=oids[0], after=oids[1])
    at = datetime(2026, 3, 1, number, tzinfo=UTC)
    return Commit(
        id=f"{number:040}", author="Ann", email="a@example.org", authored_at=at, committed_at=at, changes=(change,)
    )


def told_history(build: steps.Build) -> ProjectHistory:
    raw = (build.layout.stage_project(NOTES) / "history.json").read_bytes()
    assert made(build).history == hashlib.sha256(raw).hexdigest()
    return codec.load(ProjectHistory, raw, "history.json")


def test_a_history_stands_beside_the_artifact_which_names_it(told):
    told.parse(NOTES)

    told.roster()

    assert [version.added for version in told_history(told).pages[0].versions] == [1, 1]
    assert told.is_current(NOTES)


def test_a_code_that_two_pages_ask_for_is_told_to_the_second(told):
    asking = b"---\ncode: DOC-7\n---\n# A\n"
    oid = blob_id(asking)
    BlobStore(told.layout).add(oid, asking)
    entries = tuple(
        SnapshotEntry(path=RepoPath(f".wiki/{name}.md"), oid=oid, size_bytes=9, etag=None, state="stored")
        for name in "ab"
    )
    snapshot = SnapshotStore(told.layout).load(told.known[NOTES])
    assert snapshot is not None
    digest = SnapshotStore(told.layout).write(replace(snapshot, entries=entries))
    told.known = {NOTES: replace(told.known[NOTES], snapshot_digest=digest)}
    told.parse(NOTES)

    assert [(found.code, found.path) for found in made(told).diagnostics] == [("W313", ".wiki/b.md")]


def test_a_history_with_more_to_tell_makes_the_artifact_anew(told):
    told.parse(NOTES)
    row = replace(told.known[NOTES], history_digest="0" * 64)
    write_roster(told.layout, make_roster([row]))
    told.read = None
    told.roster()

    assert not told.is_current(NOTES)


def test_a_crash_on_a_history_leaves_the_new_artifact_without_it(told):
    build_whole = told.maker
    told.maker = lambda inputs: crash() if inputs.history else build_whole(inputs)
    told.parse(NOTES)

    assert [item.slug for item in made(told).board.items] == ["a"]
    assert [found.code for found in made(told).diagnostics] == ["E001"]


def test_after_a_crash_of_all_the_last_artifact_stays_with_its_history(told):
    told.parse(NOTES)
    told.maker = crash
    told.parse(NOTES)

    assert len(told_history(told).pages[0].versions) == 2


def test_an_old_text_that_is_lost_is_brought_again(told):
    BlobStore(told.layout).remove(blob_id(b"a\n"))
    told.parse(NOTES)
    (row,) = read_roster(told.layout).entries
    held = HistoryStore(told.layout).load(NOTES)

    assert row.history_reach is None
    assert held is not None
    assert (held.folders[0].order, held.folders[0].commits) == (None, ())


def test_a_history_that_is_lost_is_brought_again(told):
    HistoryStore(told.layout).remove(NOTES)
    told.parse(NOTES)
    (row,) = read_roster(told.layout).entries

    assert (row.history_digest, row.history_reach) == (None, None)
    assert not told_history(told).wiki_is_loaded


def test_in_a_run_only_repositories_whose_artifact_is_to_be_made_are_tasks(build, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["doit", "offline=1"])
    build.outcome = SyncOutcome()
    before = build.roster()
    build.parse(NOTES)

    assert (before, build.roster()) == ([NOTES], [])


def test_an_artifact_that_was_removed_by_hand_is_to_be_made(build, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["doit"])
    build.outcome = SyncOutcome()
    build.parse(NOTES)
    build.layout.artifact(NOTES).unlink()

    assert build.roster() == [NOTES]
    assert not build.is_current(NOTES)


def test_a_run_that_names_a_repository_and_a_list_know_every_repository(build, monkeypatch):
    build.parse(NOTES)
    listed = build.roster()
    monkeypatch.setattr(sys, "argv", ["doit", f"parse:{NOTES}"])
    build.outcome = SyncOutcome()

    assert listed == build.roster() == [NOTES]
    assert build.is_current(NOTES)


def test_a_changed_preference_reaches_the_catalog_without_another_change(build):
    build.parse(NOTES)
    build.index()
    build.config = replace(build.config, promote_words=("Terraform",))
    build.index()

    with open_stage(build.layout, 1, datetime(2026, 11, 30, tzinfo=UTC)) as catalog:
        assert preferences(catalog).promote_words == ("Terraform",)
