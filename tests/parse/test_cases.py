"""Whole files of every kind that real repositories hold, with the right answer beside each."""

import json
from pathlib import Path

import pytest

from pipeline.explain import explain

CASES = Path(__file__).parent.parent / "data" / "cases"


def expected(name: str) -> object:
    return json.loads((CASES / f"{name}.expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("status-*.md")))
def test_a_board_is_read_as_its_author_meant_it(name):
    read = explain("board", (CASES / f"{name}.md").read_bytes())

    assert read["entries"] == expected(name)
    assert read["diagnostics"] == []


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("index-*.md") if "conflict" not in path.stem))
def test_an_index_is_read_as_its_author_meant_it(name):
    read = explain("index", (CASES / f"{name}.md").read_bytes())

    assert read["entries"] == expected(name)
    assert read["diagnostics"] == []


def test_an_index_with_an_unfinished_merge_is_rejected_with_the_line():
    read = explain("index", (CASES / "index-10-conflict-markers.md").read_bytes())

    assert read == {"error": "wiki index malformed: merge conflict markers (line 5)"}
