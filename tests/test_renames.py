"""Renames are those of `git diff -M`."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.model import FileChange, RepoPath
from pipeline.renames import Matcher, is_binary
from tests.fakes.told_commits import text

TEN = "".join(f"line {n} of the page\n" for n in range(10))


def removed(path, oid):
    return FileChange(path=RepoPath(path), before=oid, after=None)


def added(path, oid):
    return FileChange(path=RepoPath(path), before=None, after=oid)


def find(*changes, effort=10_000):
    return Matcher(text, effort).find(changes)


def test_the_same_bytes_under_another_name_are_a_rename():
    assert find(removed("a.md", "x\n"), added("b.md", "x\n")) == {"b.md": "a.md"}


def test_a_page_half_of_which_is_kept_is_a_rename():
    assert find(removed("a.md", TEN), added("b.md", TEN[:-20] + "another line\n")) == {"b.md": "a.md"}


def test_a_page_of_which_less_than_half_is_kept_is_none():
    assert find(removed("a.md", TEN), added("b.md", TEN[:80] + "another line of text\n" * 6)) == {}


def test_a_changed_file_is_no_source():
    changed = FileChange(path=RepoPath("a.md"), before="x\n", after="y\n")

    assert find(changed, added("b.md", "x\n")) == {}


def test_of_the_same_bytes_the_same_base_name_is_preferred():
    assert find(removed("a/p.md", "x\n"), removed("b/q.md", "x\n"), added("c/q.md", "x\n")) == {"c/q.md": "b/q.md"}


def test_without_a_base_name_in_common_the_first_path_is_taken():
    assert find(removed("q.md", "x\n"), removed("p.md", "x\n"), added("z.md", "x\n")) == {"z.md": "p.md"}


def test_each_of_several_same_files_finds_one_of_its_own():
    changes = (removed("a.md", "x\n"), removed("b.md", "x\n"), added("c.md", "x\n"), added("d.md", "x\n"))

    assert find(*changes) == {"c.md": "a.md", "d.md": "b.md"}


def test_a_unique_base_name_wins_over_a_closer_text_elsewhere():
    changes = (
        removed("a/p.md", TEN),
        added("b/p.md", TEN[:-20] + "another line of one\n"),
        added("b/q.md", TEN + "\n"),
    )

    assert find(*changes) == {"b/p.md": "a/p.md"}


def test_the_closest_text_wins_where_no_name_decides():
    changes = (removed("a.md", TEN), added("b.md", TEN[:120] + "other\n"), added("c.md", TEN + "more\n"))

    assert find(*changes) == {"c.md": "a.md"}


def test_windows_line_ends_make_no_other_text():
    crlf = TEN.replace("\n", "\r\n") + "one line more\r\n"

    assert find(removed("a.md", TEN), added("b.md", crlf)) == {"b.md": "a.md"}


def test_a_long_line_is_compared_by_pieces():
    long = "".join(f"{n:04}" for n in range(160))

    assert find(removed("a.md", long), added("b.md", long[:448] + "changed" * 27)) == {"b.md": "a.md"}


def test_a_text_that_is_not_there_is_found_by_its_bytes_alone():
    assert find(removed("a.md", "lost 1"), added("b.md", "lost 1")) == {"b.md": "a.md"}
    assert find(removed("a.md", "lost 1"), added("b.md", "lost 2")) == {}


def test_empty_files_are_alike_only_as_the_same_bytes():
    assert find(removed("a.md", ""), added("b.md", "")) == {"b.md": "a.md"}
    assert find(removed("a.md", ""), added("b.md", "x\n")) == {}


def test_when_enough_was_compared_bytes_and_base_names_still_decide():
    edited = TEN + "more\n"
    changes = (removed("a/p.md", TEN), removed("a/q.md", "x\n" + TEN), removed("a/r.md", "z\n"))
    found = find(*changes, added("b/p.md", edited), added("b/s.md", "x\n" + edited), added("t.md", "z\n"), effort=0)

    assert found == {"b/p.md": "a/p.md", "t.md": "a/r.md"}


def test_a_nul_among_the_first_8000_bytes_is_binary():
    assert is_binary(b"a\0b")
    assert not is_binary(b"a" * 8_000 + b"\0")


paths = st.lists(st.text("abc/.", min_size=1, max_size=4), unique=True, max_size=12)
blobs = st.none() | st.text("ab\n\0\r", max_size=12)


@given(st.lists(st.tuples(paths, blobs, blobs), max_size=3))
def test_no_file_is_paired_twice_whatever_a_commit_holds(groups):
    sides = {path: (before, after) for names, before, after in groups for path in names}
    changes = [FileChange(path=RepoPath(path), before=old, after=new) for path, (old, new) in sides.items()]
    found = find(*changes)

    assert len(set(found.values())) == len(found)
    assert all(sides[new][0] is None and sides[old][1] is None for new, old in found.items())
