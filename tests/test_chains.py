"""A page is followed back through its names."""

from dataclasses import replace

import pytest

from pipeline.chains import trace
from pipeline.model import RepoPath
from tests.fakes.told_commits import commit, history, text

A, B = RepoPath("a.md"), RepoPath("b.md")
MADE = commit("1", {"a.md": (None, "one\n")})
EDITED = commit("2", {"a.md": ("one\n", "two\n")})
RENAMED = commit("3", {"a.md": ("two\n", None), "b.md": (None, "two\n")})


def chains(told, *present):
    """Of each page: last name, names from the earliest on, and the commits with the names they gave, newest first."""
    return [
        (chain.path, chain.addresses, [(edit.commit.id, edit.path) for edit in chain.edits])
        for chain in trace(told, present, text)
    ]


def test_a_page_has_the_commits_that_changed_it_newest_first():
    other = commit("3", {"c.md": (None, "c\n")})

    assert chains(history(MADE, EDITED, other), "a.md", "c.md") == [
        ("a.md", ("a.md",), [("2", "a.md"), ("1", "a.md")]),
        ("c.md", ("c.md",), [("3", "c.md")]),
    ]


def test_a_rename_is_one_edit_and_what_was_before_it_belongs_to_the_page():
    assert chains(history(MADE, EDITED, RENAMED), "b.md") == [
        ("b.md", ("a.md", "b.md"), [("3", "b.md"), ("2", "a.md"), ("1", "a.md")])
    ]


def test_a_rename_is_counted_against_the_old_name():
    (chain,) = trace(history(MADE, EDITED, RENAMED), [B], text)

    assert [(edit.former, edit.before, edit.after) for edit in chain.edits] == [
        ("a.md", "two\n", "two\n"),
        ("a.md", "one\n", "two\n"),
        (None, None, "one\n"),
    ]


def test_a_page_that_was_renamed_back_has_each_name_once():
    back = commit("4", {"b.md": ("two\n", None), "a.md": (None, "two\n")})

    assert chains(history(MADE, EDITED, RENAMED, back), "a.md") == [
        ("a.md", ("a.md", "b.md"), [("4", "a.md"), ("3", "b.md"), ("2", "a.md"), ("1", "a.md")])
    ]


def test_a_page_that_was_deleted_and_made_again_is_the_same_page():
    deleted = commit("2", {"a.md": ("one\n", None)})
    again = commit("3", {"a.md": (None, "new\n")})

    assert chains(history(MADE, deleted, again), "a.md") == [
        ("a.md", ("a.md",), [("3", "a.md"), ("2", None), ("1", "a.md")])
    ]


def test_a_page_that_is_no_more_is_told_after_those_that_are_there():
    deleted = commit("2", {"a.md": ("one\n", None), "z.md": (None, "other\n")})

    assert chains(history(MADE, deleted), "z.md") == [
        ("z.md", ("z.md",), [("2", "z.md")]),
        ("a.md", ("a.md",), [("2", None), ("1", "a.md")]),
    ]


def test_a_copy_is_a_new_page():
    copied = commit("2", {"b.md": (None, "one\n")})

    assert chains(history(MADE, copied), "a.md", "b.md") == [
        ("a.md", ("a.md",), [("1", "a.md")]),
        ("b.md", ("b.md",), [("2", "b.md")]),
    ]


def test_a_page_made_where_another_had_moved_away_is_a_second_one():
    again = commit("4", {"a.md": (None, "new\n")})
    told = history(MADE, EDITED, RENAMED, again)

    assert chains(told, "a.md", "b.md") == [
        ("a.md", ("a.md",), [("4", "a.md")]),
        ("b.md", ("a.md", "b.md"), [("3", "b.md"), ("2", "a.md"), ("1", "a.md")]),
    ]
    assert [chain.nth for chain in trace(told, [A, B], text)] == [2, 1]


def test_two_pages_that_change_places_in_two_steps_keep_their_own_history():
    aside = commit("2", {"a.md": ("one\n", None), "x.md": (None, "one\n")})
    over = commit("3", {"b.md": ("bee\n", None), "a.md": (None, "bee\n")})
    back = commit("4", {"x.md": ("one\n", None), "b.md": (None, "one\n")})
    first = commit("1", {"a.md": (None, "one\n"), "b.md": (None, "bee\n")})

    assert chains(history(first, aside, over, back), "a.md", "b.md") == [
        ("a.md", ("b.md", "a.md"), [("3", "a.md"), ("1", "b.md")]),
        ("b.md", ("a.md", "x.md", "b.md"), [("4", "b.md"), ("2", "x.md"), ("1", "a.md")]),
    ]


def test_an_edit_under_the_old_name_on_another_branch_belongs_to_the_page():
    elsewhere = commit("4", {"a.md": ("two\n", "three\n")})
    merge = commit("5", {"b.md": ("two\n", "three\n")})

    assert chains(history(MADE, EDITED, RENAMED, elsewhere, merge), "b.md") == [
        (
            "b.md",
            ("a.md", "b.md"),
            [("5", "b.md"), ("4", "a.md"), ("3", "b.md"), ("2", "a.md"), ("1", "a.md")],
        )
    ]


def test_what_another_branch_renamed_otherwise_and_removed_is_a_page_of_its_own():
    elsewhere = commit("4", {"a.md": ("two\n", None), "c.md": (None, "two\n")})
    removed = commit("5", {"c.md": ("two\n", None)})

    assert chains(history(MADE, EDITED, RENAMED, elsewhere, removed), "b.md") == [
        ("b.md", ("a.md", "b.md"), [("3", "b.md"), ("2", "a.md"), ("1", "a.md")]),
        ("c.md", ("a.md", "c.md"), [("5", None), ("4", "c.md")]),
    ]


def test_a_rename_made_on_two_branches_is_twice_an_edit_of_one_page():
    twice = commit("4", {"a.md": ("two\n", None), "b.md": (None, "two\n")})

    assert chains(history(MADE, EDITED, RENAMED, twice), "b.md") == [
        ("b.md", ("a.md", "b.md"), [("4", "b.md"), ("3", "b.md"), ("2", "a.md"), ("1", "a.md")])
    ]


def test_a_page_that_a_merge_kept_under_its_old_name_was_not_renamed():
    elsewhere = commit("4", {"a.md": ("two\n", "three\n")})

    assert chains(history(MADE, EDITED, RENAMED, elsewhere), "a.md", "b.md") == [
        ("a.md", ("a.md",), [("4", "a.md"), ("3", None), ("2", "a.md"), ("1", "a.md")]),
        ("b.md", ("b.md",), [("3", "b.md")]),
    ]


def test_beyond_the_bound_only_names_are_followed():
    beyond = commit("1", {"a.md": ("one\n", None), "b.md": (None, "one\n")}, is_beyond=True)
    edited = commit("2", {"b.md": ("one\n", "two\n")})

    assert chains(history(beyond, edited), "b.md") == [("b.md", ("a.md", "b.md"), [("2", "b.md")])]


def test_commits_beyond_an_order_that_ends_before_them_are_taken_by_date():
    older = commit("2", {"a.md": ("one\n", None), "b.md": (None, "one\n")}, hour=1, is_beyond=True)
    newer = commit("1", {"b.md": ("one\n", None), "c.md": (None, "one\n")}, hour=2, is_beyond=True)
    edited = commit("3", {"c.md": ("one\n", "two\n")}, hour=3)
    told = replace(history(older, newer, edited), order=("3",))

    assert chains(told, "c.md") == [("c.md", ("a.md", "b.md", "c.md"), [("3", "c.md")])]


def test_without_an_order_nothing_is_told():
    told = replace(history(MADE, EDITED, RENAMED), order=None)

    assert chains(told, "b.md") == [("b.md", ("b.md",), [])]


def test_a_page_that_no_commit_names_has_no_edits():
    assert chains(history(MADE), "new.md")[0] == ("new.md", ("new.md",), [])


@pytest.mark.parametrize("missing", ["1", "2", "3"])
def test_a_commit_that_was_not_brought_is_passed_over(missing):
    told = history(*(one for one in (MADE, EDITED, RENAMED) if one.id != missing))

    assert missing not in [edit for _, _, edits in chains(told, "b.md") for edit, _ in edits]
