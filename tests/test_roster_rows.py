"""What is said of a repository's last look."""

from dataclasses import replace
from typing import get_args

import pytest

from pipeline.model import Empty, Evidence, Listing, RosterEntry, repository_id
from pipeline.roster_rows import LAST_LOOKS, last_look, with_history

LISTING = Listing(repository=repository_id("local", "ann", "notes"), forge_id="1", default_branch="main")
ROW = RosterEntry(
    source="local",
    listing=LISTING,
    head=Empty(),
    state="ok",
    reason=None,
    settled=True,
    shared=False,
    trees=(),
    snapshot_digest=None,
    evidence="listing",
)


@pytest.mark.parametrize(
    ("evidence", "reason", "told"),
    [
        ("listing", None, "not asked: its listing says that nothing changed"),
        ("none", "HTTP 503 after 3 tries", "not fetched: HTTP 503 after 3 tries"),
        ("blobs", "1 of 2 files", "fetched: what was not here yet was brought: 1 of 2 files"),
        ("none", "two\nlines", "not fetched: two lines"),
    ],
)
def test_the_last_look_is_one_line(evidence, reason, told):
    assert last_look(replace(ROW, evidence=evidence, reason=reason)) == told


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"history_digest": "a", "history_reach": "5000"}, "its history is here"),
        ({"history_digest": "a"}, "its history is behind"),
        ({}, "its history is not here yet"),
        ({"history_reason": "HTTP\n503"}, "its history could not be brought: HTTP 503"),
    ],
)
def test_the_last_look_tells_how_the_history_stands(changes, told):
    row = replace(ROW, trees=((".wiki", "1" * 40),), **changes)

    assert last_look(row) == f"not asked: its listing says that nothing changed; {told}"


def test_a_history_of_other_trees_is_whole_no_more():
    before = replace(ROW, trees=((".wiki", "1" * 40),), history_digest="a", history_reach="5000")
    same, other = replace(ROW, trees=before.trees), replace(ROW, trees=((".wiki", "2" * 40),))

    assert with_history(same, before).history_reach == "5000"
    assert (with_history(other, before).history_reach, with_history(other, before).history_digest) == (None, "a")


def test_every_kind_of_evidence_has_its_words():
    assert set(LAST_LOOKS) == set(get_args(Evidence))
