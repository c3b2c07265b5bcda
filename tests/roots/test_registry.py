"""Which lines of a registry are hints, and why others are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.roots.registry import read_registry

BOTH = ("group", "org-kb")


def hints(written: str) -> list[tuple[str, str, bool]]:
    return [(entry.path, entry.root, entry.is_prefix) for entry in read_registry(written, BOTH).entries]


@pytest.mark.parametrize(
    ("line", "path", "is_prefix"),
    [
        ("a/b.md => group", "a/b.md", False),
        ("a/b.md=>group", "a/b.md", False),
        ("   a/b.md  =>  group   ", "a/b.md", False),
        ("work\\org\\ => group", "work/org", True),
        ("a/// => group", "a", True),
        ("/ => group", "", True),
        ("a=>b => group", "a=>b", False),
        ("группа/карта.md => group", "группа/карта.md", False),
        # What those who wrote such files meant, and what others would leave out or never find:
        ("knowledge/a/ => group", "a", True),
        ("./a/ => group", "a", True),
        ("/a/b.md => group", "a/b.md", False),
        ("`a/b.md` => group", "a/b.md", False),
        ("- a/b.md => group", "a/b.md", False),
        ("a/b.md => group # the smoke file", "a/b.md", False),
        ("\ufeffa/b.md => group", "a/b.md", False),
        ("a/b.md\t=>\tgroup\r", "a/b.md", False),
        ("v1..2.md => group", "v1..2.md", False),
    ],
)
def test_a_line_is_a_hint(line, path, is_prefix):
    assert hints(line) == [(path, "group", is_prefix)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("a b.md => group", "the path holds a blank or `#`"),
        ("a#b.md => group", "the path holds a blank or `#`"),
        ("a -> group", "no hint: expected `path => root`"),
        ("| a/ => group |", "the root is not one word of letters, digits, `_`, `.` and `-`"),
        ("a/b.md =>", "the root is not one word of letters, digits, `_`, `.` and `-`"),
        ("=> group", "there is no path before the arrow"),
        ("../x/ => group", "the path leaves the root: `..` is not followed"),
        ("work/*.md => group", "the path holds `*`: end a folder with `/` instead"),
        (
            "work/projects/<group-scope-dir>/ => group",
            "the path holds a placeholder in angle brackets: write the folder's name",
        ),
        ("a/b.md => public", "no read-only root is called public"),
        ("These are the hints.", "no hint: expected `path => root`"),
    ],
)
def test_a_line_that_is_no_hint_says_why(line, reason):
    found = read_registry(f"# hints\n\n{line}\n", BOTH)

    assert found.entries == ()
    assert [(each.line, each.text, each.reason) for each in found.warnings] == [(3, line, reason)]


@pytest.mark.parametrize(
    "quiet",
    [
        "",
        "# a/b.md => group",
        "a/b.md => user",
        "a/b.md => USER",
        "```\na/ => group\n```",
        "<!-- a/ => group\nb/ => group -->",
    ],
)
def test_comments_examples_and_the_primary_root_are_passed_over_in_silence(quiet):
    found = read_registry(quiet, BOTH)

    assert (found.entries, found.warnings) == ((), ())


def test_a_root_is_named_whatever_the_capitals_and_with_a_hyphen():
    assert hints("a/ => GROUP\nb/ => org-kb") == [("a", "GROUP", True), ("b", "org-kb", True)]


def test_of_the_same_hint_said_twice_the_first_counts():
    found = read_registry("a/ => group\n- knowledge/a/ => Group\na => group\n", BOTH)

    assert [(entry.line, entry.is_prefix) for entry in found.entries] == [(1, True), (3, False)]
    assert [(each.line, each.reason) for each in found.warnings] == [(2, "said before, in line 1")]


def test_what_follows_a_comment_on_its_line_counts():
    assert hints("<!-- smoke --> a/b.md => group") == [("a/b.md", "group", False)]


@given(st.text(alphabet=st.sampled_from("a/.\\ =>#`-*<!>\n\ufeff|groupё")))
def test_no_text_is_too_odd_and_every_line_gives_at_most_one_hint_or_warning(written):
    found = read_registry(written, BOTH)

    lines = [entry.line for entry in found.entries] + [warning.line for warning in found.warnings]
    assert len(lines) == len(set(lines))
    assert all(1 <= line <= written.count("\n") + written.count("\r") + 1 for line in lines)
