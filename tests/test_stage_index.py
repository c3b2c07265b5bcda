"""One changed repository costs one artifact; whatever the last run left, the files equal those made anew."""

import contextlib
import os
import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import codec, files, index, stage_index
from pipeline.catalog import open_stage
from pipeline.catalog.preferences import preferences
from pipeline.errors import ArtifactError
from pipeline.layout import Layout
from pipeline.model import DomainMarkers, Preferences
from pipeline.stage_record import Made
from tests.fakes.catalogs import NOW, Project, item, roster, write_tree
from tests.fakes.staged import write

API = Project(repository="forge/ann/api", board="## a\n", items=(item("a"),), wiki_index="# W\n", pages={"x": "# X\n"})
WEB = Project(repository="forge/bob/web", board="## b\n", items=(item("b", status="done"),))
WIKI = Project(repository="forge/ann/projects-wiki", shared_pages={"node/yarn": "Use yarn\n"})
OTHER_WIKI = Project(repository="forge/aaa/projects-wiki", shared_pages={"git/rebase": "Rebase\n"})
RUST = Preferences(domains=(DomainMarkers(name="rust", markers=("Cargo.toml",)),), promote_words=("Terraform",))
FLOWN = replace(API, board="## fly\n", items=(item("fly"),))
STALE = replace(API, state="unreachable", reason="HTTP 502")
ALL = (API, WEB, WIKI)


def lay(place: Layout, projects: tuple[Project, ...]) -> dict:
    """Put the artifacts of `projects` into stage, as their parse tasks do."""
    for one in projects:
        files.remove_tree(place.stage_project(one.id))
        write_tree(place.stage_project(one.id), one)
        write(place.artifact(one.id), codec.dump(one.artifact))
    return {one.id: Made(repository=one.id, snapshot="", code="", artifact=one.digest) for one in projects}


def index_all(place: Layout, projects: tuple[Project, ...], code: str = "code") -> tuple:
    """Run the step; answers the repositories whose artifact was read."""
    return stage_index.write_index(place, code, roster(projects), lay(place, projects))


def preferred(place: Layout) -> Preferences:
    """What the staged catalog tells those who ask."""
    with open_stage(place, 1, NOW) as catalog:
        return preferences(catalog)


def shown(place: Layout) -> tuple:
    """The top-level files and shared/ as bytes, the catalog row by row; its search index is checked."""
    names = [
        "repos.json",
        "tasks.json",
        "knowledge.json",
        *(f"shared/{each}" for each in files.walk(place.stage / "shared")),
    ]
    raw = (place.stage / "catalog.sqlite").read_bytes()
    with contextlib.closing(sqlite3.connect(":memory:")) as catalog:
        catalog.deserialize(raw)
        index.check_search(catalog)
        return {name: (place.stage / name).read_bytes() for name in names}, index.dump(catalog)


@pytest.fixture
def place(tmp_path):
    return Layout(tmp_path / "build")


def test_one_changed_repository_reads_one_project_json(place):
    assert index_all(place, ALL) == (API.id, WIKI.id, WEB.id)
    assert index_all(place, (FLOWN, WEB, WIKI)) == (API.id,)


def test_a_change_of_state_alone_reads_one_too(place):
    index_all(place, ALL)

    assert index_all(place, (STALE, WEB, WIKI)) == (API.id,)


def test_preferences_reach_readers_and_reading_them_anew_reads_no_artifact(place):
    made = lay(place, ALL)
    stage_index.write_index(place, "code", roster(ALL), made)
    assert preferred(place) == Preferences()

    assert stage_index.write_index(place, "code", roster(ALL), made, RUST) == ()
    assert preferred(place) == RUST


def test_a_repository_that_left_reads_none(place):
    index_all(place, ALL)

    assert index_all(place, (API, WIKI)) == ()


def test_another_shared_wiki_is_read_and_its_pages_take_the_place_of_the_others(place):
    index_all(place, ALL)

    assert index_all(place, (*ALL, OTHER_WIKI)) == (OTHER_WIKI.id,)
    assert index_all(place, ALL) == (WIKI.id,)
    assert list(files.walk(place.stage / "shared")) == ["node/yarn.md"]


@pytest.mark.parametrize(
    "name", ["repos.json", "tasks.json", "knowledge.json", "shared/node/yarn.md", "catalog.sqlite"]
)
def test_a_file_that_was_edited_by_hand_makes_all_anew(place, name):
    index_all(place, ALL)
    good = shown(place)
    write(place.stage / name, (place.stage / name).read_bytes() + b" ")

    assert index_all(place, ALL) == (API.id, WIKI.id, WEB.id)
    assert shown(place) == good


def test_a_catalog_that_changed_without_a_trace_in_its_time_or_size_is_not_gone_on_from(place):
    index_all(place, ALL)
    path = place.stage / "catalog.sqlite"
    times, good = (path.stat().st_atime_ns, path.stat().st_mtime_ns), path.read_bytes()
    path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))

    os.utime(path, ns=times)

    assert index_all(place, ALL) == (API.id, WIKI.id, WEB.id)
    assert path.read_bytes() == good


def test_what_other_code_made_is_not_gone_on_from(place):
    index_all(place, ALL, code="old")

    assert index_all(place, ALL, code="new") == (API.id, WIKI.id, WEB.id)


def test_a_damaged_record_of_ours_makes_all_anew(place):
    index_all(place, ALL)
    write(place.indexed_json, b"{")

    assert index_all(place, ALL) == (API.id, WIKI.id, WEB.id)


def test_an_artifact_in_stage_that_is_not_ours_is_named(place):
    made = lay(place, ALL)
    write(place.artifact(API.id), b"{}")

    with pytest.raises(ArtifactError, match=r"^forge/ann/api: project\.json is not as we write it"):
        stage_index.write_index(place, "code", roster(ALL), made)


VARIANTS = {
    "api": [API, FLOWN, STALE, replace(API, state="gone", reason="HTTP 404"), replace(API, diagnostics=())],
    "web": [WEB, replace(WEB, board=None, items=()), replace(WEB, source="other")],
    "wiki": [
        WIKI,
        replace(WIKI, shared_pages={"node/npm": "Use npm\n", "a": "A\n"}),
        replace(WIKI, state="unreachable"),
    ],
    "other wiki": [OTHER_WIKI, replace(OTHER_WIKI, state="gone")],
}
worlds = st.tuples(*(st.sampled_from([None, *each]) for each in VARIANTS.values())).map(
    lambda chosen: tuple(one for one in chosen if one is not None)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(worlds, min_size=2, max_size=4))
def test_after_any_history_the_files_equal_those_made_anew(history):
    with tempfile.TemporaryDirectory() as folder:
        kept, fresh = Layout(Path(folder) / "kept"), Layout(Path(folder) / "fresh")
        for world in history:
            index_all(kept, world)
        index_all(fresh, history[-1])

        assert shown(kept) == shown(fresh)
