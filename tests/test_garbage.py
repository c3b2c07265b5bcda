"""What is forgotten in time: blobs that nothing names, whatever the clock says and whatever is damaged."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import codec, files, versions
from pipeline.blobs import BlobStore, blob_id
from pipeline.garbage import Unnamed, collect, counted, is_due, sort_out
from pipeline.layout import Layout
from pipeline.model import Empty, Listing, RepoPath, RosterEntry, Snapshot, SnapshotEntry, TaskFile
from pipeline.roster import make_roster
from pipeline.snapshots import SnapshotStore
from tests.fakes.forgetting import past
from tests.fakes.page_histories import history, page, version
from tests.fakes.staged import ANN, BEN, artifact, write

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
YEARS = timedelta(days=3652)
KEPT, LEFT, OLD = blob_id(b"kept"), blob_id(b"left"), blob_id(b"old")
LOOKED = Unnamed(looked_at=NOW)


@pytest.fixture
def layout(tmp_path):
    """Three blobs, of which a snapshot names one."""
    found = Layout(tmp_path / "build")
    for content in (b"kept", b"left", b"old"):
        BlobStore(found).add(blob_id(content), content)
    snapshot(found, ANN, KEPT)
    return found


def snapshot(layout, repository, oid: str) -> str:
    entry = SnapshotEntry(path=RepoPath(".tasks/STATUS.md"), oid=oid, size_bytes=4, etag=None, state="stored")
    made = Snapshot(
        schema_version=codec.SCHEMA_VERSION, repository=repository, shared=False, revision=None, entries=(entry,)
    )
    return SnapshotStore(layout).write(made)


def row(repository, visibility="private", **changes) -> RosterEntry:
    listing = Listing(repository=repository, forge_id=repository, default_branch="main", visibility=visibility)
    found = RosterEntry(
        source="local", listing=listing, head=Empty(), state="ok", reason=None, settled=False, shared=False,
        trees=(), evidence="blobs", snapshot_digest="0" * 64,
    )  # fmt: skip
    return replace(found, **changes)


def roster(visibility="private", **changes):
    return make_roster([row(ANN, visibility, **changes)])


def publish(layout, oid: str) -> int | None:
    """Publish a project whose project.json names `oid`."""
    task = TaskFile(path=RepoPath(".tasks/a.md"), file=None, oid=oid, size_bytes=4)
    page = b"page of " + oid.encode()
    write(layout.stage_project(BEN) / "wiki" / "a.md", page)
    write(layout.artifact(BEN), codec.dump(replace(artifact(BEN, page), task_files=(task,))))
    write(layout.stage / "repos.json", page)
    return versions.publish(layout, {BEN: files.sha256(layout.artifact(BEN))}, 5)


def stored(layout) -> set[str]:
    return set(BlobStore(layout).oids())


def test_a_blob_without_a_name_goes_after_thirty_days_of_daily_looks(layout):
    # Day 0 begins to count, day 1 is the first look.
    assert look(layout, range(33)) == [0] * 31 + [2, 0]
    assert stored(layout) == {KEPT}


def test_a_blob_that_is_named_again_waits_anew(layout):
    look(layout, range(25))
    snapshot(layout, BEN, LEFT)
    collect(layout, roster(), NOW + DAY * 25)
    SnapshotStore(layout).remove(BEN)
    look(layout, range(26, 40))

    assert stored(layout) == {KEPT, LEFT}


def test_a_blob_that_a_kept_version_names_stays(layout):
    publish(layout, OLD)
    publish(layout, LEFT)

    assert collect(layout, roster(), NOW, at_once=True).removed == 0
    assert stored(layout) == {KEPT, LEFT, OLD}


def test_a_blob_goes_when_the_last_version_that_names_it_is_gone(layout):
    publish(layout, OLD)
    publish(layout, LEFT)
    versions.drop_others(layout, 2)
    collect(layout, roster(), NOW, at_once=True)

    assert stored(layout) == {KEPT, LEFT}


def test_a_second_build_on_the_same_day_reads_nothing(layout):
    collect(layout, roster(), NOW)
    collect(layout, roster(), NOW + DAY)
    layout.snapshot(ANN).write_bytes(b"{")

    assert collect(layout, roster(), NOW + 1.5 * DAY).doubt is None
    assert "sync/snapshots/local/ann/notes/snapshot.json is not as we write it" in str(
        collect(layout, roster(), NOW + 2 * DAY).doubt
    )


@pytest.mark.parametrize("damage", ["snapshot.json", "manifest.json", "project.json"])
def test_doubt_deletes_nothing(layout, damage):
    publish(layout, OLD)
    publish(layout, KEPT)
    next(layout.root.glob(f"**/{damage}")).write_bytes(b"{")

    assert damage in str(collect(layout, roster(), NOW, at_once=True).doubt)
    assert stored(layout) == {KEPT, LEFT, OLD}


def test_a_lost_snapshot_is_doubt_until_it_is_brought_anew(layout):
    SnapshotStore(layout).remove(ANN)

    assert "is not there; `doit` brings" in str(collect(layout, roster(), NOW, at_once=True).doubt)
    assert collect(layout, roster(snapshot_digest=None), NOW, at_once=True).removed == 3


def test_a_snapshot_that_no_row_knows_still_names_its_blobs(layout):
    snapshot(layout, BEN, OLD)
    collect(layout, roster(), NOW, at_once=True)

    assert stored(layout) == {KEPT, OLD}


def test_a_text_that_a_history_names_stays(layout):
    past(layout, row(BEN), b"old")
    collect(layout, roster(), NOW, at_once=True)

    assert stored(layout) == {KEPT, OLD}


def test_a_text_that_only_a_version_s_history_names_stays(layout):
    told = codec.dump(history(BEN, page("a", version(1, after="old"))))
    write(layout.stage_project(BEN) / "history.json", told)
    made = replace(artifact(BEN, b"page"), history=hashlib.sha256(told).hexdigest())
    write(layout.stage_project(BEN) / "wiki" / "a.md", b"page")
    write(layout.artifact(BEN), codec.dump(made))
    versions.publish(layout, {BEN: files.sha256(layout.artifact(BEN))}, 5)
    collect(layout, roster(), NOW, at_once=True)

    assert stored(layout) == {KEPT, OLD}


def test_a_damaged_history_is_doubt(layout):
    past(layout, row(BEN), b"old")
    layout.history(BEN).write_bytes(b"{")

    assert "history.json is not as we write it; `doit purge=" in str(collect(layout, roster(), NOW, at_once=True).doubt)
    assert stored(layout) == {KEPT, LEFT, OLD}


def test_the_time_of_a_look_in_doubt_is_not_counted(layout):
    collect(layout, roster(), NOW)
    collect(layout, roster(), NOW + DAY)
    layout.snapshot(ANN).write_bytes(b"{")
    collect(layout, roster(), NOW + 31 * DAY)
    snapshot(layout, ANN, KEPT)

    assert collect(layout, roster(), NOW + 32 * DAY).removed == 0


def test_half_written_blobs_of_a_killed_run_go_too(layout):
    torn = layout.blob(LEFT).with_name(".tmp-77-abc")
    torn.write_bytes(b"le")
    collect(layout, roster(), NOW, at_once=True)

    assert not torn.exists()


def test_what_is_no_blob_is_left_alone(layout):
    foreign = layout.blobs / "no" / "README"
    write(foreign, b"x")
    collect(layout, roster(), NOW, at_once=True)

    assert foreign.exists()


@pytest.mark.parametrize(("before", "after"), [("public", "private"), ("public", "internal"), ("internal", "private")])
def test_a_repository_that_is_hidden_has_all_that_nothing_names_removed_at_once(layout, before, after):
    collect(layout, roster(before), NOW)

    assert collect(layout, roster(after), NOW).removed == 2
    assert collect(layout, roster(after), NOW).removed == 0


@pytest.mark.parametrize(
    ("before", "after"), [("private", "private"), ("private", "public"), ("internal", "public"), ("public", "public")]
)
def test_a_repository_that_is_not_hidden_hurries_nothing(layout, before, after):
    collect(layout, roster(before), NOW)

    assert collect(layout, roster(after), NOW).removed == 0


def test_a_rename_does_not_cover_that_it_was_hidden(layout):
    collect(layout, roster("public"), NOW)
    moved = row(BEN, "private", snapshot_digest=None)
    hidden = replace(moved, listing=replace(moved.listing, forge_id=ANN))
    old = row(ANN, "public", state="renamed", snapshot_digest=None)

    assert collect(layout, make_roster([old, hidden]), NOW).removed == 2


def test_a_hidden_repository_is_kept_in_mind_while_there_is_doubt(layout):
    collect(layout, roster("public"), NOW)
    layout.snapshot(ANN).write_bytes(b"{")
    collect(layout, roster("private"), NOW)
    snapshot(layout, ANN, KEPT)

    assert collect(layout, roster("private"), NOW).removed == 2


def test_a_repository_that_is_no_longer_there_was_not_hidden(layout):
    collect(layout, roster("public"), NOW)

    assert collect(layout, roster("private", state="gone"), NOW).removed == 0


def test_a_damaged_memory_makes_blobs_wait_anew(layout):
    look(layout, range(31))
    layout.unnamed.write_bytes(b"{")

    assert collect(layout, roster(), NOW + 31 * DAY).removed == 0
    assert collect(layout, roster(), NOW + 32 * DAY).removed == 0


@pytest.mark.parametrize("jump", [-YEARS, YEARS])
def test_a_clock_that_jumps_removes_nothing_early_and_is_looked_at_once(layout, jump):
    collect(layout, roster(), NOW)
    collect(layout, roster(), NOW + DAY)
    before = layout.unnamed.read_bytes()

    assert collect(layout, roster(), NOW + jump).removed == 0
    assert layout.unnamed.read_bytes() != before
    layout.snapshot(ANN).write_bytes(b"{")
    assert collect(layout, roster(), NOW + jump + DAY / 2).doubt is None


@pytest.mark.parametrize(
    ("passed", "counts"),
    [
        (timedelta(hours=25), timedelta(hours=25)),
        (timedelta(days=35), timedelta(days=35)),
        (timedelta(days=36), DAY),
        (YEARS, DAY),
        (timedelta(hours=-1), timedelta(0)),
        (-YEARS, timedelta(0)),
    ],
)
def test_the_time_between_two_looks_counts_as_far_as_it_can_be_believed(passed, counts):
    assert counted(LOOKED, NOW + passed) == counts.total_seconds()


@pytest.mark.parametrize(
    ("passed", "due"), [(timedelta(0), False), (0.9 * DAY, False), (DAY, True), (YEARS, True), (-YEARS, True)]
)
def test_a_look_is_due_after_a_day_or_when_the_last_one_lies_in_the_future(passed, due):
    assert is_due(LOOKED, NOW + passed) is due


@given(st.lists(st.timedeltas(min_value=-2 * YEARS, max_value=2 * YEARS), max_size=60))
def test_no_walk_of_the_clock_removes_a_blob_before_thirty_believed_days(jumps):
    assert all(days >= 29.99 for days in believed_days_at_each_removal(jumps))


def believed_days_at_each_removal(jumps: list[timedelta]) -> list[float]:
    """Let one blob be without a name while the clock jumps about from look to look."""
    found: list[float] = []
    believed, memory = timedelta(0), sort_out(LOOKED, frozenset({OLD}), NOW, at_once=False)[1]
    for jump in jumps:
        believed += DAY if jump > 35 * DAY else max(jump, timedelta(0))
        doomed, memory = sort_out(memory, frozenset({OLD}), (memory.looked_at or NOW) + jump, at_once=False)
        if doomed:
            found.append(believed / DAY)
            believed = timedelta(0)
    return found


def look(layout, days: range) -> list[int]:
    """Look once a day; answers how many blobs went on each."""
    return [collect(layout, roster(), NOW + DAY * day).removed for day in days]
