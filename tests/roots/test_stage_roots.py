"""From folders and snapshots to what is published of knowledge roots."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import codec, stage_roots
from pipeline.blobs import BlobStore, blob_id
from pipeline.layout import Layout
from pipeline.model import KnowledgeSettings, Roster
from pipeline.model.roots import RootConfig, RootsFile
from pipeline.roots import gathering
from pipeline.roots.published import PublishedRoots, open_roots
from tests.fakes.root_folders import EMPTY_ROSTER, settings_of, write_files
from tests.fakes.root_snapshots import roster_of

TOLD = {
    "agent-notes.md": "<!-- section:release-v1 -->Tag.<!-- /section:release-v1 -->",
    "knowledge/work/local/knowledge-roots-index-v1.md": "work/org/ => group\nodd line\n",
    "knowledge/work/local/workspace-scope-map-v1.md": "/home/ann/shop => bazaar\n",
    "knowledge/work/org/scope-contour-map-v1.md": "| bazaar | acme-shop | web shop | yes |\n",
}


@pytest.fixture
def place(tmp_path: Path) -> Layout:
    """An empty build folder."""
    return Layout(tmp_path / "build")


@pytest.fixture
def settings(tmp_path: Path) -> KnowledgeSettings:
    """A primary root that tells something, and a group's of two files."""
    mine = write_files(tmp_path / "mine", TOLD)
    group = write_files(tmp_path / "group", {"knowledge/a.md": "# Первая\r\nтекст\n", "knowledge/sub/b.md": "b"})
    return settings_of(mine, group)


def published(place: Layout, settings: KnowledgeSettings, roster: Roster = EMPTY_ROSTER) -> PublishedRoots:
    stage_roots.write_roots(place, "code", settings, roster)
    return open_roots(place.stage)


def text(found: PublishedRoots, root: str, path: str) -> str:
    row = found.root(root)
    return found.text(row, found.file(row, path))


def with_repository(settings: KnowledgeSettings) -> KnowledgeSettings:
    group = RootConfig(id="group", is_read_only=True, repo="acme/kb")
    return replace(settings, roots=(settings.roots[0], group))


def bytes_of(place: Layout) -> dict[str, bytes]:
    return {
        path.relative_to(place.stage).as_posix(): path.read_bytes()
        for path in place.stage.rglob("*.*")
        if path.is_file()
    }


def test_what_the_primary_root_says_stands_in_roots_json(place, settings):
    told = published(place, settings).told

    assert [(entry.path, entry.root) for entry in told.registry.entries] == [("work/org", "group")]
    assert [(warning.line, warning.text) for warning in told.registry.warnings] == [(2, "odd line")]
    assert [(section.id, section.letters) for section in told.hot.sections] == [("release-v1", 4)]
    assert [(pair.key, pair.scope) for pair in told.maps.workspaces] == [("/home/ann/shop", "bazaar")]
    assert [(row.personal, row.group) for row in told.maps.contour] == [("bazaar", "acme-shop")]


def test_a_text_is_cleaned_and_read_by_its_root_and_path(place, settings):
    found = published(place, settings)

    assert text(found, "group", "a.md") == "# Первая\nтекст\n"
    assert found.files(found.root("group"))["a.md"].title == "Первая"


def test_no_path_of_a_root_stands_in_an_artifact(place, settings, tmp_path):
    published(place, settings)

    assert [name for name, raw in bytes_of(place).items() if str(tmp_path).encode() in raw] == []


def test_only_what_changed_is_read_again_and_the_bytes_are_those_of_a_clean_build(place, settings, tmp_path):
    published(place, settings)
    (tmp_path / "group" / "knowledge" / "sub" / "b.md").write_text("longer", encoding="utf-8")

    assert stage_roots.write_roots(place, "code", settings, EMPTY_ROSTER) == 1
    clean = Layout(tmp_path / "clean")
    assert stage_roots.write_roots(clean, "code", settings, EMPTY_ROSTER) == 6
    assert bytes_of(place) == bytes_of(clean)


def test_when_nothing_changed_no_file_is_opened(place, settings, monkeypatch):
    published(place, settings)
    monkeypatch.setattr(os, "open", None)

    assert stage_roots.write_roots(place, "code", settings, EMPTY_ROSTER) == 0


def test_an_artifact_that_was_changed_by_hand_is_made_anew(place, settings):
    published(place, settings)
    before = bytes_of(place)
    (place.stage / "roots" / "group.pack").write_bytes(b"evil")

    published(place, settings)

    assert bytes_of(place) == before


def test_what_cannot_be_shown_is_a_problem_and_nothing_else_suffers(place, settings, tmp_path):
    knowledge = tmp_path / "group" / "knowledge"
    (knowledge / "link.md").symlink_to("/etc/passwd")
    (knowledge / "linked").symlink_to(tmp_path / "mine")
    (knowledge / "big.md").write_bytes(b"a" * ((1 << 20) + 1))
    (knowledge / "picture.png").write_bytes(b"\x89PNG\0")
    os.mkfifo(knowledge / "pipe.md")

    found = published(place, settings)

    assert [(each.path, each.reason) for each in found.root("group").problems] == [
        ("knowledge/big.md", "larger than 1 MiB: it is listed without its text"),
        ("knowledge/link.md", "a symbolic link: it is not followed"),
        ("knowledge/linked", "a symbolic link: it is not followed"),
        ("knowledge/pipe.md", "no regular file"),
    ]
    assert list(found.files(found.root("group"))) == ["a.md", "big.md", "picture.png", "sub/b.md"]


def test_a_file_that_vanishes_before_it_is_read_is_a_problem(place, settings, tmp_path, monkeypatch):
    # The folder is looked through before the first file is opened.
    looked = gathering.of_folder(tmp_path / "group")
    monkeypatch.setattr(stage_roots, "of_folder", lambda _: looked)
    (tmp_path / "group" / "knowledge" / "a.md").unlink()

    found = published(place, settings)

    assert [(each.path, each.reason) for each in found.root("group").problems] == [
        ("knowledge/a.md", "it went away while it was read")
    ]
    assert text(found, "group", "sub/b.md") == "b"


def test_a_file_with_a_nul_is_no_text(place, settings, tmp_path):
    write_files(tmp_path / "group", {"knowledge/nul.md": b"a\0b"})

    found = published(place, settings)

    assert found.files(found.root("group"))["nul.md"].start is None


def test_git_and_old_revisions_are_passed_over(place, settings, tmp_path):
    write_files(tmp_path / "group", {"knowledge/.git/config": "x", "knowledge/.revisions/a.md": "x"})

    found = published(place, settings)

    assert list(found.files(found.root("group"))) == ["a.md", "sub/b.md"]


def test_a_root_whose_folder_went_away_is_missing_and_the_others_stand(place, settings, tmp_path):
    (tmp_path / "group").rename(tmp_path / "elsewhere")

    found = published(place, settings)

    assert [(row.id, row.state, row.reason) for row in found.told.roots] == [
        ("mine", "ok", None),
        ("group", "missing", "its folder is not there"),
    ]


def test_a_root_may_be_a_repository_that_sync_brought(place, settings):
    content = b"# Cards\n"
    BlobStore(place).add(blob_id(content), content)
    roster = roster_of(
        place, "git.example.org/acme/kb", {"knowledge/a.md": blob_id(content), ".wiki/x.md": blob_id(b"x")}
    )
    repo = KnowledgeSettings(
        primary="mine", roots=(settings.roots[0], RootConfig(id="group", is_read_only=True, repo="acme/kb"))
    )

    found = published(place, repo, roster)

    row = found.root("group")
    assert (row.kind, row.repository, row.state, row.files) == ("repo", "git.example.org/acme/kb", "ok", 1)
    assert text(found, "group", "a.md") == "# Cards\n"


def test_a_repository_that_nobody_brings_is_missing(place, settings):
    repo = KnowledgeSettings(
        primary="mine", roots=(settings.roots[0], RootConfig(id="group", is_read_only=True, repo="acme/kb"))
    )

    row = published(place, repo).root("group")

    assert (row.state, row.reason) == ("missing", "no repository that the sources bring has this name")


def test_without_roots_nothing_of_them_is_left(place, settings):
    published(place, settings)

    stage_roots.write_roots(place, "code", None, EMPTY_ROSTER)

    assert bytes_of(place) == {}


def test_roots_json_is_read_as_it_was_written(place, settings):
    told = published(place, settings).told

    assert codec.load(RootsFile, (place.stage / "roots.json").read_bytes(), "roots.json") == told
