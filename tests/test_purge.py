"""What is forgotten at once, and how a repository is named for it."""

from dataclasses import replace

import pytest

from pipeline import codec, files, purge, stage_record, versions
from pipeline.blobs import BlobStore, blob_id
from pipeline.errors import ConfigError
from pipeline.layout import Layout
from pipeline.model import RepositoryId, SourceConfig, SyncReading
from pipeline.roster import make_roster, note, read_roster, write_roster
from pipeline.stage_record import Made
from tests.fakes.forgetting import CANARY, NOW, OTHERS, SHARED, furnish, holding, publish, reading, row
from tests.fakes.staged import ANN, BEN

KNOWN = [RepositoryId(f"forge/{name}") for name in ("ann/notes", "ann/roof", "ben/roof", "ann/a,b", "ann/Смета")]
KNOWN.append(RepositoryId("local/ann/roof"))


@pytest.fixture
def layout(tmp_path):
    """A build that shows `ann` and `ben` in two versions."""
    found = Layout(tmp_path / "build")
    furnish(found)
    return found


@pytest.fixture
def begun(layout):
    """The same when `ann` is being purged."""
    purge.begin(layout, (ANN,))
    return layout


def finish(layout):
    return purge.finish(layout, versions.read_current(layout) or 0, read_roster(layout), NOW)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("forge/ann/notes", ["forge/ann/notes"]),
        ("ann/notes", ["forge/ann/notes"]),
        ("notes", ["forge/ann/notes"]),
        ("NOTES", ["forge/ann/notes"]),
        ("смета", ["forge/ann/Смета"]),
        ("ben/roof, notes,ann/notes", ["forge/ann/notes", "forge/ben/roof"]),
        ("ann/a,b", ["forge/ann/a,b"]),
    ],
)
def test_a_repository_is_meant_by_its_name_its_path_or_its_whole_id(asked, meant):
    assert list(purge.choose(asked, KNOWN)) == meant


@pytest.mark.parametrize(
    ("asked", "mistake"),
    [
        (
            "roof",
            'purge=roof: 3 repositories have this name: "forge/ann/roof", "forge/ben/roof", "local/ann/roof"; '
            "give one of these",
        ),
        ("nots", 'purge=nots: nothing is here of a repository "nots"; did you mean "notes"?'),
        (
            "ann/nots",
            'purge=ann/nots: nothing is here of a repository "ann/nots"; did you mean "ann/notes" or "ann/roof"?',
        ),
        ("otes", 'purge=otes: nothing is here of a repository "otes"; did you mean "notes"?'),
        ("a/b/c/d", 'purge=a/b/c/d: nothing is here of a repository "a/b/c/d"'),
        ("", "purge= names no repository; expected host/owner/name, owner/name or name"),
    ],
)
def test_a_name_that_fits_none_or_several_is_a_mistake(asked, mistake):
    with pytest.raises(ConfigError) as told:
        purge.choose(asked, KNOWN)

    assert told.value.mistakes == (mistake,)


def test_all_wrong_names_are_told_at_once():
    with pytest.raises(ConfigError) as told:
        purge.choose("notes,roof,nots", KNOWN)

    assert len(told.value.mistakes) == 2


def test_before_anything_is_published_a_reader_s_version_stands_as_it_was(begun):
    assert versions.verify(begun, 2) == []


def test_a_purge_leaves_nothing_of_a_repository(begun):
    publish(begun, b"page 4", BEN)

    assert finish(begun).doubt is None
    assert holding(begun, CANARY) + holding(begun, ANN.encode()) == []
    assert versions.numbers(begun) == [3]


def test_a_purge_keeps_all_that_is_of_others(begun):
    publish(begun, b"page 4", BEN)
    finish(begun)

    assert [entry.listing.repository for entry in read_roster(begun).entries] == [BEN]
    assert list(stage_record.read(begun.parsed)) == [BEN]
    assert set(BlobStore(begun).oids()) == {blob_id(SHARED), blob_id(OTHERS)}
    assert [path.name for path in begun.histories.rglob("*.json")] == []
    assert begun.sync_log.read_text(encoding="utf-8") == f"head\n  {BEN}: HTTP 503\n"
    assert versions.verify(begun, 3) == []


def test_a_purge_that_changes_nothing_that_is_shown_still_drops_the_older_versions(layout):
    publish(layout, b"page 4", BEN)
    purge.begin(layout, (ANN,))
    finish(layout)

    assert versions.numbers(layout) == [3]
    assert holding(layout, CANARY) == []


def test_a_row_of_a_killed_run_is_forgotten_too(layout):
    note(layout, replace(row(ANN), reason="late"))
    purge.begin(layout, (ANN,))

    assert not layout.journal.exists()
    assert [entry.listing.repository for entry in read_roster(layout).entries] == [BEN]


def test_the_readings_of_a_repository_are_forgotten(begun):
    left = codec.load(SyncReading, begun.sync_json.read_bytes(), "sync.json")

    assert [row.repository for row in left.repositories] == [BEN]
    assert list(left.evidence) == [BEN]


def test_the_former_names_of_a_repository_are_forgotten_with_it(layout):
    old = RepositoryId("local/ann/old")
    entry = row(ANN, None)
    tombstone = replace(entry, state="renamed", listing=replace(entry.listing, repository=old))
    write_roster(layout, make_roster([entry, tombstone, row(BEN)]))
    purge.begin(layout, (ANN,))

    assert purge.pending(layout) == (ANN, old)
    assert [each.listing.repository for each in read_roster(layout).entries] == [BEN]


def test_a_purge_that_was_stopped_goes_on_without_being_asked_again(begun):
    write_roster(begun, make_roster([row(ANN), row(BEN)]))
    purge.begin(begun, ())

    assert [entry.listing.repository for entry in read_roster(begun).entries] == [BEN]
    assert purge.pending(begun) == (ANN,)


def test_a_build_that_purges_nothing_touches_nothing(layout):
    before = {path: path.stat().st_mtime_ns for path in layout.root.rglob("*")}
    purge.begin(layout, ())

    assert {path: path.stat().st_mtime_ns for path in layout.root.rglob("*")} == before


def test_a_purge_is_not_crossed_out_while_it_cannot_be_told_which_bytes_are_named(begun):
    begun.snapshot(BEN).write_bytes(b"{")
    publish(begun, b"page 4", BEN)

    assert "sync/snapshots/local/ben/notes/snapshot.json is not as we write it" in finish(begun).doubt
    assert purge.pending(begun) == (ANN,)


def test_a_version_that_a_reader_holds_open_is_told_and_waited_for(begun, monkeypatch):
    publish(begun, b"page 4", BEN)
    monkeypatch.setattr("pipeline.files.remove_unless_open", lambda _: None)

    assert finish(begun).doubt == "a reader has a version from before open; end it"
    assert purge.pending(begun) == (ANN,)


def test_what_only_an_old_version_knows_can_still_be_purged(layout):
    publish(layout, b"page 4", BEN)
    write_roster(layout, make_roster([row(BEN)]))
    layout.parsed.unlink()
    layout.sync_json.unlink()

    assert purge.known_repositories(layout) == {ANN, BEN}


@pytest.mark.parametrize("trace", ["a record of the parse step", "a purge that was begun", "a reading", "a row"])
def test_one_trace_is_enough_to_be_known(tmp_path, trace):
    place = Layout(tmp_path / "build")
    leave_trace(place, trace)

    assert purge.known_repositories(place) == {ANN}


def leave_trace(place: Layout, trace: str) -> None:
    """Leave nothing of `ann` but this."""
    if trace == "a record of the parse step":
        stage_record.append(place.parsed, Made(repository=ANN, snapshot="s", code="c", artifact="a"))
    elif trace == "a reading":
        files.write_atomic(place.sync_json, codec.dump(reading(ANN)))
    else:
        write_roster(place, make_roster([row(ANN)]))
    if trace == "a purge that was begun":
        purge.begin(place, (ANN,))


def test_what_a_killed_run_left_half_written_is_forgotten_too(layout):
    torn = layout.sync / ".tmp-77-roster"
    torn.write_bytes(CANARY)
    purge.begin(layout, (ANN,))

    assert not torn.exists()


def test_a_damaged_manifest_hides_no_other_repository(layout):
    (layout.version(1) / "manifest.json").write_bytes(b"{")

    assert purge.known_repositories(layout) == {ANN, BEN}


def test_a_damaged_record_of_a_purge_says_what_to_do(layout):
    layout.purge.write_bytes(b"{")

    with pytest.raises(ConfigError, match="delete it and run `doit purge=…` again"):
        purge.begin(layout, ())


@pytest.mark.parametrize(
    ("exclude", "offline", "here", "returning"),
    [((), True, False, (ANN,)), ((), False, True, (ANN,)), ((), False, False, ()), (("notes",), True, False, ())],
)
def test_a_repository_that_is_still_asked_for_comes_again(exclude, offline, here, returning):
    source = SourceConfig(kind="folder", name="local", settings={}, exclude=exclude)
    roster = make_roster([row(ANN)][:here])

    assert purge.returning((ANN,), roster, (source,), offline=offline) == returning


def test_the_next_catalog_is_not_made_of_the_last_one(begun):
    assert not (begun.stage / "catalog.sqlite").exists()
