"""What is said of a repository's last look."""

from dataclasses import replace
from typing import get_args

import pytest

from pipeline.model import Empty, Evidence, Listing, RosterEntry, repository_id
from pipeline.roster_rows import LAST_LOOKS, last_look

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


def test_every_kind_of_evidence_has_its_words():
    assert set(LAST_LOOKS) == set(get_args(Evidence))
