"""Numbers and hunks are git's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.differences import LINES_LIMIT, SIZE_LIMIT, count_lines, unified_diff
from pipeline.model import RepoPath

PAGE = RepoPath(".wiki/page.md")
BREAKS = "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def diff(before, after, old_path=PAGE, new_path=PAGE):
    return unified_diff(before, after, old_path, new_path)


@pytest.mark.parametrize(
    ("before", "after", "counted"),
    [
        (b"a\nb\n", b"a\nc\nd\n", (2, 1)),
        (None, b"a\nb", (2, 0)),
        (b"a\n", None, (0, 1)),
        (None, b"", (0, 0)),
        (b"a\n", b"a\n", (0, 0)),
        (b"a\n", b"a\r\n", (1, 1)),
        (b"a", b"a\n", (1, 1)),
        (b"\xff\n", b"\xfe\n", (1, 1)),
    ],
)
def test_lines_are_counted_as_git_does(before, after, counted):
    assert count_lines(before, after) == counted


@pytest.mark.parametrize("odd", [b"a\0", b"a" * (SIZE_LIMIT + 1), b"\n" * (LINES_LIMIT + 1)])
def test_what_git_or_we_do_not_compare_is_not_counted(odd):
    assert count_lines(odd, b"a\n") is None
    assert count_lines(b"a\n", odd) is None


def test_a_diff_has_names_and_hunks_with_three_lines_around():
    assert diff(b"1\n2\n3\n4\n5\n6\n", b"1\n2\n3\n4\nfive\n6\n") == (
        "--- a/.wiki/page.md\n+++ b/.wiki/page.md\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n 6\n"
    )


def test_a_new_page_comes_from_nowhere():
    assert diff(None, b"a\n") == "--- /dev/null\n+++ b/.wiki/page.md\n@@ -0,0 +1 @@\n+a\n"


def test_a_removed_page_goes_nowhere():
    assert diff(b"a", None) == ("--- a/.wiki/page.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n")


def test_a_rename_is_told_before_the_hunks():
    assert diff(b"a\n", b"b\n", RepoPath("old.md"), RepoPath("new.md")) == (
        "rename from old.md\nrename to new.md\n--- a/old.md\n+++ b/new.md\n@@ -1 +1 @@\n-a\n+b\n"
    )


def test_a_pure_rename_has_no_hunks():
    assert diff(b"a\n", b"a\n", RepoPath("old.md"), RepoPath("new.md")) == "rename from old.md\nrename to new.md\n"


def test_an_empty_new_page_has_no_hunks():
    assert diff(None, b"") == ""


def test_a_hunk_names_the_line_that_it_stands_under_as_git_does():
    before = b"Section\n" + b" x\n" * 6

    assert "@@ -5,3 +5,4 @@ Section\n" in diff(before, before + b" y\n")


def test_what_was_added_twice_over_is_shown_from_its_beginning_as_git_does():
    assert diff(b"# h\n# h\n\n", b"# h\n\n# h\n# h\n\n").endswith("@@ -1,3 +1,5 @@\n+# h\n+\n # h\n # h\n \n")


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        (b"a\0", "Binary files"),
        (b"a" * (SIZE_LIMIT + 1), "Files larger than 1 MiB"),
        (b"\n" * (LINES_LIMIT + 1), "Files of very many lines"),
    ],
)
def test_what_is_not_compared_is_said_to_differ(odd, words):
    assert diff(odd, b"a\n") == f"{words} a/.wiki/page.md and b/.wiki/page.md differ\n"


def test_russian_names_and_texts_stand_as_they_are():
    assert diff("Да\n".encode(), "Нет\n".encode(), RepoPath("вики.md"), RepoPath("вики.md")) == (
        "--- a/вики.md\n+++ b/вики.md\n@@ -1 +1 @@\n-Да\n+Нет\n"
    )


@pytest.mark.parametrize("odd", BREAKS)
def test_no_break_within_a_line_begins_another_one(odd):
    assert diff(b"", f"a{odd}@@ -9 +9 @@\n".encode()).splitlines()[3:] == ["+a @@ -9 +9 @@"]


def test_the_return_of_a_windows_line_end_is_not_shown():
    assert diff(b"a\n", b"a\r\n").endswith("@@ -1 +1 @@\n-a\n+a\n")


def test_a_path_cannot_forge_a_line():
    assert diff(b"", b"a\n", RepoPath("x\n+y"), RepoPath("x\n+y")).startswith("--- a/x +y\n+++ b/x +y\n@@")


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_every_line_of_a_diff_begins_as_gits_do_whatever_the_bytes(before, after):
    lines = diff(before, after).splitlines()

    assert all(line.startswith((" ", "+", "-", "@@ ", "\\", "Binary files a/")) for line in lines)
