import errno
import os
from pathlib import Path

import pytest

from pipeline import codec, files, versions
from pipeline.errors import ArtifactError
from pipeline.layout import Layout
from pipeline.model import CurrentVersion
from tests.fakes.staged import ANN, BEN, stage, write

HOUR_S = 3600


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "build")


def publish(layout, page: bytes, keep: int = 5) -> int | None:
    return versions.publish(layout, {ANN: stage(layout, ANN, page)}, keep)


def age(layout, number: int) -> None:
    manifest = layout.version(number) / "manifest.json"
    past = manifest.stat().st_mtime - 2 * HOUR_S
    os.utime(manifest, (past, past))


def test_the_first_publish_is_version_1_and_is_announced(layout):
    assert publish(layout, b"one") == 1

    assert codec.load(CurrentVersion, layout.current_json.read_bytes(), "current.json").version == 1
    assert (layout.version(1) / "report" / "index.html").read_bytes() == b"<p>one"
    assert versions.verify(layout, 1) == []


def test_a_version_is_on_the_disk_before_it_is_announced(layout, monkeypatch):
    announced = []
    monkeypatch.setattr(os, "fsync", lambda _: announced.append(layout.current_json.exists()))

    publish(layout, b"one")

    # The manifest, the folder of versions where the platform can, and current.json before its rename.
    assert announced == [False] * (3 if os.name == "posix" else 2)


def test_publishing_the_same_again_makes_no_version(layout):
    publish(layout, b"one")

    assert publish(layout, b"one") is None
    assert versions.numbers(layout) == [1]


def test_one_changed_byte_makes_the_next_version_and_leaves_the_old_one_as_it_was(layout):
    publish(layout, b"one")

    assert publish(layout, b"two") == 2
    assert (layout.version(1) / "repos.json").read_bytes() == b"one"
    assert versions.verify(layout, 1) == []


def test_an_unannounced_version_of_a_killed_build_is_replaced(layout):
    publish(layout, b"one")
    write(layout.version(2) / "repos.json", b"half")

    assert publish(layout, b"two") == 2
    assert versions.verify(layout, 2) == []


def test_old_versions_go_but_the_last_ones_and_young_ones_stay(layout):
    for number in range(1, 6):
        publish(layout, b"page %d" % number, keep=2)
        age(layout, number)
    publish(layout, b"page 6", keep=2)

    assert versions.numbers(layout) == [5, 6]


def test_a_young_version_outlives_the_count(layout):
    for number in range(1, 5):
        publish(layout, b"page %d" % number, keep=2)

    assert versions.numbers(layout) == [1, 2, 3, 4]


def test_project_trees_that_no_kept_version_names_are_collected(layout):
    first = stage(layout, ANN, b"one")
    versions.publish(layout, {ANN: first}, 2)
    for number in range(1, 4):
        age(layout, number)
        publish(layout, b"next %d" % number, keep=2)

    assert not layout.object(ANN, first).exists()
    assert len(list(layout.object(ANN, first).parent.iterdir())) == 2


def test_a_project_tree_that_a_later_version_names_again_outlives_the_version_that_named_it_first(layout):
    first = stage(layout, ANN, b"one")
    for number, page in enumerate((b"one", b"two", b"one"), 1):
        publish(layout, page, keep=9)
        age(layout, number)
    publish(layout, b"four", keep=2)

    assert versions.numbers(layout) == [3, 4]
    assert layout.object(ANN, first).exists()
    assert len(list(layout.object(ANN, first).parent.iterdir())) == 2


def test_the_folders_of_a_repository_that_no_kept_version_names_go_too(layout):
    versions.publish(layout, {ANN: stage(layout, ANN, b"one"), BEN: stage(layout, BEN, b"one")}, 1)
    age(layout, 1)
    publish(layout, b"two", keep=1)

    assert [folder.name for folder in (layout.objects / "local").iterdir()] == ["ann"]


def test_a_manifest_that_cannot_be_read_stops_the_collection(layout):
    first = stage(layout, ANN, b"one")
    for number in (1, 2, 3):
        publish(layout, b"one" if number == 1 else b"page %d" % number, keep=9)
        age(layout, number)
    write(layout.version(2) / "manifest.json", b"{")
    os.utime(layout.version(2) / "manifest.json")
    publish(layout, b"four", keep=2)

    assert versions.numbers(layout) == [2, 3, 4]
    assert layout.object(ANN, first).exists()


def test_what_a_publish_that_failed_has_left_is_collected_by_the_next(layout, monkeypatch):
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", refuse_to_write)
        with pytest.raises(OSError, match="full"):
            publish(layout, b"one")
    publish(layout, b"two")

    assert len(list((layout.objects / "local" / "ann" / "notes").iterdir())) == 1
    assert not layout.untidy.exists()


def refuse_to_write(_: int) -> None:
    raise OSError(errno.ENOSPC, "full")


def test_a_project_that_leaves_is_gone_from_the_next_version_only(layout):
    both = {ANN: stage(layout, ANN, b"one"), BEN: stage(layout, BEN, b"one")}
    versions.publish(layout, both, 5)
    versions.publish(layout, {ANN: both[ANN]}, 5)

    projects, rest = versions.compare_manifests(versions.read_manifest(layout, 1), versions.read_manifest(layout, 2))

    assert projects.removed == (BEN,)
    assert rest.is_empty
    assert versions.verify(layout, 1) == []


def test_the_catalogs_of_older_versions_are_dropped_and_not_missed(layout):
    for number in range(1, 4):
        write(layout.stage / "catalog.sqlite", b"rows %d" % number)
        publish(layout, b"page %d" % number)

    assert [(layout.version(number) / "catalog.sqlite").exists() for number in (1, 2, 3)] == [False, True, True]
    assert versions.verify(layout, 1) == []


def test_a_catalog_that_a_reader_may_hold_open_is_a_file_of_its_own(layout, monkeypatch):
    monkeypatch.setattr(files, "HOLDS_OPEN", True)
    write(layout.stage / "catalog.sqlite", b"rows")

    publish(layout, b"one")

    assert not (layout.version(1) / "catalog.sqlite").samefile(layout.stage / "catalog.sqlite")
    assert versions.verify(layout, 1) == []


def test_an_old_version_that_a_reader_holds_open_goes_when_it_is_let_go(layout, monkeypatch):
    for number in (1, 2, 3):
        publish(layout, b"page %d" % number, keep=3)
        age(layout, number)
    with monkeypatch.context() as reader:
        hold(layout.version(1), reader)
        assert publish(layout, b"page 4", keep=2) == 4
        assert versions.numbers(layout) == [1, 3, 4]
    age(layout, 4)
    publish(layout, b"page 5", keep=2)

    assert versions.numbers(layout) == [4, 5]


def hold(path: Path, patch: pytest.MonkeyPatch) -> None:
    """Refuse to rename `path`, as Windows does while a file below it is open."""
    rename = os.replace

    def refuse(source, target):
        if Path(source) == path:
            raise PermissionError(errno.EACCES, "in use")
        rename(source, target)

    patch.setattr(files, "HOLDS_OPEN", True)
    patch.setattr(files, "SHARING_TRIES", 1)
    patch.setattr(os, "replace", refuse)


def test_verify_tells_what_is_missing_extra_and_changed(layout):
    publish(layout, b"one")
    (layout.version(1) / "repos.json").unlink()
    write(layout.version(1) / "extra.json", b"x")
    write(layout.version(1) / "report" / "index.html", b"changed")

    assert versions.verify(layout, 1) == [
        "000001/extra.json: not in the manifest",
        "000001/report/index.html: changed",
        "000001/repos.json: missing",
    ]


def test_verify_looks_into_every_project_tree(layout):
    publish(layout, b"one")
    (tree,) = layout.object(ANN, "x").parent.iterdir()
    write(tree / "wiki" / "a.md", b"forged")

    assert versions.verify(layout, 1) == ["local/ann/notes: wiki/a.md: changed"]


def test_a_damaged_manifest_is_mended_by_the_next_build(layout):
    publish(layout, b"one")
    write(layout.version(1) / "manifest.json", b"{")

    assert publish(layout, b"one") == 2
    assert versions.verify(layout, 2) == []


@pytest.mark.parametrize("damage", [b"", b"x\n", b'{"schema_version": 1, "version": "one"}'])
def test_a_damaged_current_json_is_mended_by_the_next_build(layout, damage):
    publish(layout, b"one")
    layout.current_json.write_bytes(damage)

    assert versions.announced(layout) is None
    assert publish(layout, b"one") == 2
    assert versions.read_current(layout) == 2


def test_verify_goes_on_when_a_version_lost_its_manifest(layout):
    publish(layout, b"one")
    publish(layout, b"two")
    (layout.version(1) / "manifest.json").unlink()

    assert versions.verify(layout, 1) == ["version 1 is not kept; kept: 2"]


def test_asking_for_a_version_that_is_not_kept_names_the_kept_ones(layout):
    publish(layout, b"one")

    with pytest.raises(ArtifactError, match="version 7 is not kept; kept: 1"):
        versions.read_manifest(layout, 7)


@pytest.mark.parametrize("path", ["repos.json", "report/index.html"])
def test_a_published_file_that_is_gone_or_changed_is_mended_by_the_next_build(layout, path):
    publish(layout, b"one")
    write(layout.version(1) / path, b"damaged")

    assert publish(layout, b"one") == 2
    assert versions.verify(layout, 2) == []


@pytest.mark.parametrize("lost", ["", "local/ann/notes/{digest}/project.json"])
def test_a_project_tree_that_is_gone_is_published_again(layout, lost):
    digest = stage(layout, ANN, b"one")
    publish(layout, b"one")
    files.remove_tree(layout.objects / lost.format(digest=digest))

    assert publish(layout, b"one") == 2
    assert publish(layout, b"one") is None
    assert versions.verify(layout, 2) == []


def test_a_staged_page_that_was_edited_by_hand_is_never_published(layout):
    digest = stage(layout, ANN, b"one")
    write(layout.stage_project(ANN) / "wiki" / "a.md", b"edited")

    with pytest.raises(ArtifactError, match=r"wiki/a\.md: changed; delete stage/projects/local/ann/notes in the build"):
        versions.publish(layout, {ANN: digest}, 5)
    assert versions.read_current(layout) is None
