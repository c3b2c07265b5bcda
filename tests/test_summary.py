from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline import codec
from pipeline.model import Listing, RepositoryId, Resolved, Revision, Roster, RosterEntry, SyncReading, Unreachable
from pipeline.summary import Histories, Summary, render_histories, render_summary
from pipeline.versions import Difference

NOTES = RepositoryId("forge/ann/notes")
ROW = RosterEntry(
    source="forge",
    listing=Listing(repository=NOTES, forge_id="1", default_branch="main"),
    head=Unreachable(
        reason="HTTP 503 after 3 tries",
        last=Revision(repository=NOTES, ref="main", commit="4f2a91c" + "0" * 33, committed_at=None),
    ),
    state="unreachable",
    reason="HTTP 503 after 3 tries",
    settled=False,
    shared=False,
    trees=(),
    snapshot_digest="x",
    evidence="none",
)


@pytest.fixture
def calm():
    """A run over one repository in which all went well and nothing changed."""
    reading = SyncReading(
        schema_version=codec.SCHEMA_VERSION, machine="m", checked_at=datetime(2026, 3, 1, 12, 5, tzinfo=UTC),
        offline=False, stale_after_hours=24, sources=(), repositories=(),
    )  # fmt: skip
    return Summary(
        origin="sources.toml", is_example=False, reading=reading, troubles=(), version=41, is_new=False,
        roster=Roster(schema_version=codec.SCHEMA_VERSION, entries=(replace(ROW, state="ok", reason=None),)),
        projects=Difference(added=(), removed=(), changed=()), report="/b/report.html", registration="claude mcp add x",
    )  # fmt: skip


def test_a_calm_run_is_four_lines(calm):
    assert render_summary(calm) == (
        "1 repository from sources.toml, looked at 2026-03-01 12:05 UTC\n"
        "nothing new, still version 41\n"
        "report: /b/report.html\n"
        "agents: claude mcp add x\n"
    )


def test_what_changed_is_named_and_counted(calm):
    changed = Difference(added=("a/b/c",), removed=(), changed=("p/q/1", "p/q/2", "p/q/3", "p/q/4"))

    lines = render_summary(replace(calm, projects=changed, is_new=True)).splitlines()

    assert lines[1:4] == [
        "  new         1  a/b/c",
        "  changed     4  p/q/1, p/q/2, p/q/3, …",
        "published version 41",
    ]


def test_a_stale_repository_says_why_and_what_is_shown(calm):
    roster = Roster(schema_version=codec.SCHEMA_VERSION, entries=(ROW,))

    assert "  stale       1  forge/ann/notes: HTTP 503 after 3 tries; showing 4f2a91c\n" in render_summary(
        replace(calm, roster=roster, troubles=((NOTES, "HTTP 503 after 3 tries"),))
    )


def test_a_repository_that_was_seen_in_part_shows_the_commit_of_what_was_seen(calm):
    seen = Revision(repository=NOTES, ref="main", commit="77aa00b" + "0" * 33, committed_at=None)
    head = Resolved(revision=seen, trees=(), trouble="its tree cannot be read")
    row = replace(ROW, head=head, reason="its tree cannot be read", partial=True)

    shown = render_summary(replace(calm, roster=Roster(schema_version=codec.SCHEMA_VERSION, entries=(row,))))

    assert "  stale       1  forge/ann/notes: its tree cannot be read; showing 77aa00b\n" in shown


def stale(number: int, reason: str) -> RosterEntry:
    listing = replace(ROW.listing, repository=RepositoryId(f"forge/ann/{number}"))
    return replace(ROW, listing=listing, reason=reason)


def test_repositories_that_share_a_reason_share_a_line(calm):
    rows = tuple(stale(number, "HTTP 503 after 3 tries") for number in range(50))

    shown = render_summary(replace(calm, roster=Roster(schema_version=codec.SCHEMA_VERSION, entries=rows)))

    assert "  stale      50  HTTP 503 after 3 tries: forge/ann/0, forge/ann/1, forge/ann/2, …\n" in shown
    assert len(shown.splitlines()) == 5


def test_many_troubles_stay_on_one_screen(calm):
    rows = tuple(stale(number, f"reason {number}") for number in range(50))

    shown = render_summary(replace(calm, roster=Roster(schema_version=codec.SCHEMA_VERSION, entries=rows)))

    assert len(shown.splitlines()) < 20
    assert "    … and 42 more reasons\n" in shown


def test_a_source_that_failed_is_told_beside_its_repositories(calm):
    assert "  failed      1  forge: cannot connect\n" in render_summary(
        replace(calm, troubles=(("forge", "cannot connect"),))
    )


def test_a_reason_cannot_forge_a_line(calm):
    shown = render_summary(replace(calm, troubles=(("forge", "x\npublished version 99\x1b[2J"),)))

    assert "  failed      1  forge: x published version 99[2J\n" in shown


def test_the_example_says_how_to_go_on(calm):
    assert render_summary(replace(calm, is_example=True)).endswith(
        "this is the bundled example; write sources.toml to see your own: docs/configuration.md\n"
    )


def test_a_purge_is_told_with_how_to_keep_a_repository_out(calm):
    told = render_summary(replace(calm, purged=(NOTES,), returning=(NOTES,))).splitlines()

    assert told[1:3] == [
        "  purged      1  forge/ann/notes",
        "    forge/ann/notes is still asked for and was brought anew; "
        'to keep it out: exclude = ["ann/notes"] in its [[source]]',
    ]


def test_bytes_that_could_not_be_removed_are_told_with_the_reason(calm):
    told = render_summary(replace(calm, doubt="a.json\nis not there")).splitlines()

    assert told[1] == "  kept           bytes that nothing names: a.json is not there"


def test_histories_that_came_wait_or_failed_are_told_in_a_few_lines():
    told = Histories(brought=(NOTES,), failed=((RepositoryId("forge/ann/roof"), "HTTP\n503"),), waiting=3, version=7)

    assert render_histories(told) == (
        f"history of 1 repository: {NOTES}\n"
        "  no past     1  forge/ann/roof: HTTP 503\n"
        "  2 histories wait for the next `doit`\n"
        "published version 7 with what came\n"
    )


def test_without_news_of_histories_nothing_is_told():
    assert render_histories(Histories(brought=(), failed=(), waiting=0, version=None)) == ""
