from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import codec, model
from pipeline.errors import ArtifactError

ROSTER = model.Roster(
    schema_version=codec.SCHEMA_VERSION,
    entries=(
        model.RosterEntry(
            source="local",
            listing=model.Listing(
                repository=model.RepositoryId("local/ann/заметки"),
                forge_id="7",
                default_branch="main",
                updated_at=datetime(2026, 3, 1, 12, tzinfo=UTC),
            ),
            head=model.Unreachable(reason="HTTP 503", last=None),
            state="unreachable",
            reason="HTTP 503",
            settled=True,
            shared=False,
            trees=((".tasks", "a" * 40),),
            snapshot_digest=None,
            evidence="none",
        ),
    ),
)


def test_what_is_written_is_read_again():
    assert codec.load(model.Roster, codec.dump(ROSTER), "roster.json") == ROSTER


def test_the_text_is_canonical():
    raw = codec.dump(model.CurrentVersion(schema_version=3, version=42))

    assert raw == b'{\n  "schema_version": 3,\n  "version": 42\n}\n'


def test_russian_stands_as_it_is():
    assert "заметки" in codec.dump(ROSTER).decode()


def test_another_schema_version_says_what_to_do():
    with pytest.raises(ArtifactError, match=r"current\.json has schema_version 4, this program reads 3; run `doit`"):
        codec.load(model.CurrentVersion, b'{"schema_version": 4, "version": 1}', "current.json")


def test_half_a_file_is_told_by_its_name():
    with pytest.raises(ArtifactError, match=r"roster\.json is not whole JSON"):
        codec.load(model.Roster, codec.dump(ROSTER)[:100], "roster.json")


def test_a_wrong_type_is_told_with_its_place():
    with pytest.raises(ArtifactError, match=r"current\.json is not as we write it \(version\); run `doit`"):
        codec.load(model.CurrentVersion, b'{"schema_version": 3, "version": "1"}', "current.json")


def test_a_missing_wiki_index_is_absent_in_tasks_json_and_a_missing_next_is_null():
    project = model.ProjectTasks(
        name="notes", full_name=model.RepositoryId("local/ann/notes"), default_branch="main", revision=None,
        active_tasks=(model.ActiveTask(slug="a", title="A", status="active", status_text=None, next=None),),
        all_tasks_count=1, raw="# Task Board\n",
    )  # fmt: skip
    raw = codec.to_json(model.TasksFile(schema_version=codec.SCHEMA_VERSION, projects=(project,), errors=()))

    assert "wiki_index" not in raw["projects"][0]
    assert raw["projects"][0]["active_tasks"][0]["next"] is None
    assert codec.load(model.TasksFile, codec.dump_json(raw), "tasks.json").projects == (project,)


LINES = st.integers(min_value=1, max_value=10**9)
FIELDS = st.lists(st.tuples(st.text(), st.text())).map(tuple)


@given(st.builds(model.WorkItem, slug=st.text(), fields=FIELDS, line=LINES, end_line=LINES))
def test_any_item_survives_the_way_to_disk_and_back(item):
    assert codec.load(model.WorkItem, codec.dump(item), "item") == item
