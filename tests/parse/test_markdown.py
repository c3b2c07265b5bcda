"""Bytes → document: front matter, fences, comments, headings."""

import pytest

from pipeline.parse.blocks import Heading, Item, Row, Table, Text
from pipeline.parse.markdown import Document, Refusal, inspect, is_lfs_pointer, read


def document(text: str) -> Document:
    read_text, _ = inspect(text.encode("utf-8"))
    return read_text


def lines(text: str) -> list[tuple[int, str]]:
    return [(block.line, block.text) for block in document(text).blocks if isinstance(block, Text)]


def test_lines_count_from_the_top_of_the_file_front_matter_included():
    assert lines("---\na: b\n---\ntext\n") == [(4, "text")]


def test_front_matter_may_end_with_dots_and_is_not_read_as_text():
    found = document("---\ntitle: [\n# x\n...\ntext\n")

    assert found.front_matter is not None
    assert found.front_matter.text == "title: [\n# x"
    assert found.title is None


def test_an_open_front_matter_is_text():
    found = document("---\ntitle: x\n")

    assert (found.front_matter, found.unclosed) == (None, True)


def test_a_rule_on_line_one_is_no_open_front_matter():
    assert not document("---\n\ntext\n").unclosed


@pytest.mark.parametrize(
    "text",
    [
        "```\nx\n```\n",
        "~~~\nx\n```\n~~~\n",
        "````\n```\nx\n````\n",
        "   ```md\nx\n   ```\n",
        "- ```\n  x\n  ```\n",
        "```\nx\n",
        "<!-- x -->\n",
        "<!--\nx\n--><!--\nx\n-->\n",
        "<!--\n```\nx -->\n",
        "<!-- x\n",
        "> x\n> y\n",
        "***\n- - -\n___\n",
    ],
)
def test_code_comments_quotes_and_rules_leave_nothing(text):
    assert document(text).blocks == ()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <!-- b --> c\n", "a  c"),
        ("`<!--` stays\n", "`<!--` stays"),
        ("```inline``` stays\n", "```inline``` stays"),
        ("a <!--> b\n", "a  b"),
    ],
)
def test_what_only_looks_like_a_comment_or_fence_stays(text, left):
    assert lines(text) == [(1, left)]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# One\n# Two\n", "One"),
        ("## Zero\n#\tOne ##\n", "One"),
        ("One\n===\n", "One"),
        ("# [One](x.md) `two` **three**\n", "One two three"),
        ("#\n# One\n", "One"),
        ("```\n# No\n```\n# One\n", "One"),
        ("#One\n", None),
        ("    # One\n", None),
        ("one\ntwo\n===\n", None),
    ],
)
def test_the_first_h1_with_text_is_the_title(text, title):
    assert document(text).title == title


def test_blocks_keep_what_they_hold():
    found = document("## H #\n- [x] item\n\t2) deep\n[ ] bare\n\n| a | b\n|:-|-\n| c \\| d\n")

    assert found.blocks == (
        Heading(1, 2, "H"),
        Item(2, 0, "-", "x", "item"),
        Item(3, 4, "2)", None, "deep"),
        Item(4, 0, "", " ", "bare"),
        Table(6, ("a", "b"), (Row(8, ("c | d",)),)),
    )


@pytest.mark.parametrize("below", ["# H", "- item | x", "> quote | x", "## H | x", "", "text"])
def test_a_table_ends_at_another_block(below):
    found = document(f"| a |\n|-|\n| b |\n{below}\n").blocks[0]

    assert found == Table(1, ("a",), (Row(3, ("b",)),))


def test_a_file_that_cannot_be_read_is_refused_with_its_reason():
    assert read(b"a\n<<<<<<< x\n") == Refusal("conflict", "merge conflict markers (line 2)", 2)
    assert read(b"\xff\xfea\0") == Refusal("encoding", "not UTF-8")
    assert read(b"a\0b") == Refusal("nul", "NUL byte")
    assert read(b"a" * ((1 << 20) + 1)) == Refusal("size", "larger than 1 MiB")


def test_a_file_of_exactly_the_limit_is_read():
    assert isinstance(read(b"a" * (1 << 20)), Document)


@pytest.mark.parametrize("text", ["Title\n=======\n", "> > > > > > >> quote\n", "<<<<<<<<< more\n", ">>>>>>> alone\n"])
def test_what_only_looks_like_a_conflict_is_read(text):
    assert isinstance(read(text.encode()), Document)


def test_a_page_is_inspected_whatever_is_wrong_with_it():
    found, refusals = inspect(b"# A\xff\0\n<<<<<<< x\n")

    assert found.title == "A�"
    assert [one.kind for one in refusals] == ["encoding", "nul", "conflict"]


def test_an_lfs_pointer_is_known_by_its_first_line():
    assert is_lfs_pointer(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    assert not is_lfs_pointer(b"# version https://git-lfs.github.com/spec/v1\n")
