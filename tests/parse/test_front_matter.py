"""Front matter keeps what its author wrote, and is never a danger."""

import pytest

from pipeline.model import RepoPath
from pipeline.parse.front_matter import read_front_matter
from pipeline.parse.markdown import FrontMatter


def read(block: str) -> object:
    return read_front_matter(RepoPath("x.md"), FrontMatter(block))[0]


def codes(block: str) -> list[tuple[str, int | None]]:
    return [(one.code, one.line) for one in read_front_matter(RepoPath("x.md"), FrontMatter(block))[1]]


@pytest.mark.parametrize(
    "written",
    [
        "2024",
        "007",
        "no",
        "1.10",
        "12:30",
        "2026-04-29",
        "2026-04-29 10:00:00",
        "0x1F",
        "1e3",
        ".inf",
        "true",
        "9" * 40,
    ],
)
def test_a_scalar_stays_the_text_that_its_author_wrote(written):
    assert read(f"title: {written}") == {"title": written}


@pytest.mark.parametrize(
    ("block", "plain"),
    [
        ("a:\nb: ~\nc: null", {"a": None, "b": None, "c": None}),
        ("a: 'null'\nb: \"\"", {"a": "null", "b": ""}),
        ("a: [x, [y]]\nb:\n  - {c: 1}", {"a": ["x", ["y"]], "b": [{"c": "1"}]}),
        ("related: [[page]]", {"related": [["page"]]}),
        ("a: |\n  one\n  two\nb: >\n  one\n  two", {"a": "one\ntwo\n", "b": "one two"}),
        ("2024: x\n~: y", {"2024": "x", "~": "y"}),
        ("<<: {a: 1}", {"<<": {"a": "1"}}),
        ('a: "x\\u202ey\\0z"', {"a": "xyz"}),
        ("a: !!binary aGk=\nb: !!python/object:os.system x\nc: !own y", {"a": "aGk=", "b": "x", "c": "y"}),
        ("# only a comment", {}),
        ("", {}),
    ],
)
def test_the_rest_is_plain_lists_and_maps(block, plain):
    assert read(block) == plain
    assert codes(block) == []


def test_no_block_is_no_front_matter():
    assert read_front_matter(RepoPath("x.md"), None) == ({}, ())


def test_a_key_that_stands_twice_keeps_its_first_value():
    block = "title: One\nother: x\ntitle: Two\ntitle: Three\n"

    assert read(block) == {"title": "One", "other": "x"}
    assert codes(block) == [("W303", 4)]


@pytest.mark.parametrize(
    ("block", "plain", "found"),
    [
        ("title: T\nassignee: @name", {"title": "T", "assignee": "@name"}, ("W301", 3)),
        ("title: a: b", {"title": "a: b"}, ("W301", 2)),
        ("title: 'T'\nx:\n\t- b", {"title": "T", "x": None}, ("W301", 4)),
        ('title:"T"\nfoo:"x"', {"title": "T", "foo": "x"}, ("W302", 2)),
        ("- a\n- b", {}, ("W302", 2)),
        ("? [a]\n: b", {}, ("W302", 2)),
        ("title: T\na: &a [1]\nb: *a", {"title": "T"}, ("W304", 4)),
        ("title: T\na: 1\n... \nb: 2", {"title": "T", "a": "1", "b": "2"}, ("W301", 5)),
    ],
)
def test_what_is_not_yaml_is_a_warning_and_keeps_its_simple_lines(block, plain, found):
    assert read(block) == plain
    assert codes(block) == [found]


def test_twenty_levels_are_read_and_more_are_refused():
    assert codes("a: " + "[" * 19 + "]" * 19) == []
    assert codes("title: T\na: " + "[" * 20 + "]" * 20) == [("W305", 3)]


@pytest.mark.parametrize(
    "block",
    [
        "a: " + "[" * 20_000,
        "- " * 20_000,
        "? " * 20_000,
        "{a: " * 10_000,
        "a: &a [x]\n" + "\n".join(f"a{n}: &a{n} [" + "*a," * 9 + "*a]" for n in range(9)),
        "a: &a [*a]",
    ],
)
def test_a_bomb_ends_as_a_warning(block):
    assert [code for code, _ in codes(block)] in (["W301"], ["W304"], ["W305"])


def test_a_block_over_its_limit_keeps_the_simple_lines_of_its_beginning():
    block = "title: T\n" + "x: y\n" * 20_000

    assert read(block) == {"title": "T", "x": "y"}
    assert codes(block) == [("W306", 1)]
