"""Marked parts of hot files, and which are read first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.roots.sections import USUAL_FIRST, first_ids, manifest_path, read_sections


def found(written: str) -> list[tuple[str, str, int]]:
    return [(section.id, section.content, section.line) for section in read_sections(written)]


@pytest.mark.parametrize(
    ("written", "sections"),
    [
        ("x\n<!-- section:a -->\n one \n<!-- /section:a -->\n", [("a", "one", 2)]),
        ("<!--section:a-->1<!--/section:a--><!--  section:b  -->2<!-- /section:b -->", [("a", "1", 1), ("b", "2", 1)]),
        ("<!-- section:a -->never closed\n<!-- section:b -->2<!-- /section:b -->", [("b", "2", 2)]),
        (
            "<!-- section:a -->1<!-- section:b -->2<!-- /section:b -->3<!-- /section:a -->",
            [("a", "1<!-- section:b -->2<!-- /section:b -->3", 1)],
        ),
        ("<!-- section:a -->1<!-- /section:a -->\n<!-- section:a -->2<!-- /section:a -->", [("a", "2", 2)]),
        ("<!-- section:A -->1<!-- /section:a -->", []),
        ("<!-- /section:a -->1<!-- section:a -->", []),
        ("<!-- section:a b -->1<!-- /section:a b -->", []),
        ("```\n<!-- section:a -->1<!-- /section:a -->\n```", [("a", "1", 2)]),
    ],
)
def test_a_section_is_what_stands_between_its_marks(written, sections):
    assert found(written) == sections


def test_a_manifest_says_what_is_read_first():
    assert first_ids({}, '{"l0": ["b", "a"], "l0_owner": ["c", "a", 7]}') == ("b", "a", "c")


def test_a_list_in_the_hot_file_says_it_where_there_is_no_manifest():
    written = "### L0: contracts\n- `one` first\n* two\ntext\n### L1: cards\n- three"

    assert first_ids({"memory-architecture-v1": written}, None) == ("one", "two")


@pytest.mark.parametrize("manifest", [None, "{", "[]", '{"l0": 7}', '{"l0": []}', "[" * 100_000])
def test_without_a_usable_manifest_the_usual_ones_come_first(manifest):
    assert first_ids({}, manifest) == USUAL_FIRST


def test_the_hot_file_names_its_manifest():
    assert (
        manifest_path({"memory-architecture-v1": "text\nl0_manifest: knowledge/META/ours.json\n"})
        == "knowledge/META/ours.json"
    )
    assert manifest_path({}) == "knowledge/META/memory-architecture-v1.json"


@given(
    st.lists(
        st.sampled_from(
            ["<!-- section:a -->", "<!-- /section:a -->", "<!-- section:b -->", "<!-- /section:b -->", "x", "\n"]
        )
    )
)
def test_sections_come_in_order_each_id_once(parts):
    read = read_sections("".join(parts))

    assert [section.line for section in read] == sorted(section.line for section in read)
    assert len({section.id for section in read}) == len(read)


def test_many_open_marks_take_no_longer_than_their_number():
    assert found("<!-- section:a -->" * 50_000) == []
