from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import stage
from pipeline.layout import Layout
from tests.fakes.staged import write


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A stage whose index and report are done."""
    place = Layout(tmp_path / "build")
    write(place.stage / "tasks.json", b"{}")
    write(place.stage / "shared" / "a.md", b"# A\n")
    write(place.stage / "report" / "index.html", b"<p>")
    stage.set_done(place, "index", "inputs")
    stage.set_done(place, "report", "inputs")
    return place


def test_a_step_is_done_until_its_inputs_change(layout: Layout) -> None:
    assert stage.is_done(layout, "index", "inputs")
    assert not stage.is_done(layout, "index", "other inputs")


@pytest.mark.parametrize("name", ["tasks.json", "shared/a.md"])
def test_a_step_of_which_a_file_was_removed_is_not_done(layout: Layout, name: str) -> None:
    (layout.stage / name).unlink()

    assert not stage.is_done(layout, "index", "inputs")
    assert stage.is_done(layout, "report", "inputs")


def test_a_step_of_which_a_file_was_edited_by_hand_is_not_done(layout: Layout) -> None:
    write(layout.stage / "report" / "index.html", b"<p>mine")

    assert not stage.is_done(layout, "report", "inputs")
    assert stage.is_done(layout, "index", "inputs")


def test_damaged_marks_count_as_none(layout: Layout) -> None:
    layout.steps_json.write_bytes(b"\0\xff[")

    assert not stage.is_done(layout, "index", "inputs")
