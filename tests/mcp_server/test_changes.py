"""Who changed what: the feeds of tasks and pages, and the diff of one version."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pipeline.blobs import BlobStore, blob_id
from pipeline.model import HistoryReading
from tests.fakes.catalogs import NOW, reading
from tests.fakes.page_histories import change, history, page, version
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON, answer, call, refusal, words

HOUR = timedelta(hours=1)
OLD, NEW = "# Tiles\nold\n", "# Tiles\nnew\n"
EDITS = (
    version(2, NOW - HOUR, author="Дмитрий Соснов", before=OLD, after=NEW, removed=1),
    version(1, NOW - 30 * HOUR, count=2, after=OLD, added=2),
)
CHANGES = (
    change("import", NOW - 2 * HOUR, status="blocked", after="blocked", author="Дмитрий Соснов"),
    change("offline-maps", NOW - 3 * HOUR, kind="next", before="draw", after="draw the legend"),
)
PAST = replace(
    ATLAS,
    titles={"concepts/tiles": "Плитки"},
    history=history(ATLAS.repository, page("concepts/tiles", *EDITS, code="DOC-101252"), tasks=CHANGES),
)
BARE = replace(BEACON, history=history(BEACON.repository, wiki_is_loaded=False, tasks_is_loaded=False))


@pytest.fixture
def past(site: Site) -> Site:
    """A project with a history, and one whose history is not loaded; the texts of old versions beside them."""
    site.publish(PAST, BARE)
    for text in (OLD, NEW):
        BlobStore(site.layout).add(blob_id(text.encode()), text.encode())
    return site


@pytest.fixture
def vladivostok(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("this platform cannot change its time zone")
    monkeypatch.setenv("TZ", "Asia/Vladivostok")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def rows(found: dict[str, Any], group: str, inner: str) -> list[dict[str, str]]:
    """The rows of all groups, by the names of their columns."""
    return [dict(zip(found["columns"], row, strict=True)) for one in found[group] for row in one[inner]]


# --- tasks


def test_changes_of_tasks_stand_under_their_project_newest_first(past: Site):
    found = answer(past, "tasks_changes", since="2026-11-01")

    assert [one["project"] for one in found["projects"]] == ["local/team/atlas"]
    assert rows(found, "projects", "changes")[0] == {
        "at": "2026-11-30T10:00Z", "author": "Дмитрий Соснов", "slug": "import", "kind": "status",
        "before": "todo", "after": "blocked", "title": "", "commit": CHANGES[0].commit[:8],
    }  # fmt: skip
    assert [row["slug"] for row in rows(found, "projects", "changes")] == ["import", "offline-maps"]


def test_what_is_not_known_is_counted_and_told(past: Site):
    found = answer(past, "tasks_changes", since="2026-11-01")

    assert (found["loaded"], found["missing"], found["behind"]) == (1, 1, 0)
    assert "the history of 1 of 2 projects is not loaded" in words(call(past, "tasks_changes"))


def test_words_tell_the_period_and_who_did_what(past: Site):
    shown = words(call(past, "tasks_changes", since="2026-11-30T00:00Z", author="соснов")).splitlines()

    assert shown[0].startswith("changes of tasks: 1, shown 1-1 (version 1, synced 2026-11-30 11:00 UTC")
    assert shown[1] == "from 2026-11-30T00:00:00+00:00 to now"
    assert shown[3:] == [
        "local/team/atlas",
        '- 2026-11-30T10:00Z "import" status: "todo" -> "blocked" by "Дмитрий Соснов"',
    ]


def test_one_project_is_asked_by_its_short_name(past: Site):
    assert answer(past, "tasks_changes", since="2026-11-01", project="beacon")["total"] == 0
    assert answer(past, "tasks_changes", since="2026-11-01", project="beacon")["missing"] == 1


def test_a_history_that_is_behind_says_so_beside_its_project(past: Site):
    behind = HistoryReading(repository=PAST.id, at=NOW - HOUR, reason="HTTP 503")
    past.publish(PAST, BARE, seen=reading(histories=(behind,)))
    found = answer(past, "tasks_changes", since="2026-11-01")

    assert (found["behind"], found["projects"][0]["history_reason"]) == (1, "HTTP 503")
    assert 'local/team/atlas [history as of 2026-11-30T11:00Z: "HTTP 503"]' in words(
        call(past, "tasks_changes", since="2026-11-01")
    )


# --- pages


def test_edits_stand_under_their_page(past: Site):
    found = answer(past, "wiki_changes", since="2026-11-01")

    assert [(one["code"], one["slug"], one["title"]) for one in found["pages"]] == [
        ("DOC-101252", "concepts/tiles", "Плитки")
    ]
    assert rows(found, "pages", "edits")[0] == {
        "at": "2026-11-30T11:00Z", "author": "Дмитрий Соснов", "added": "1", "removed": "1", "number": "2/2",
        "version": "DOCH-2",
    }  # fmt: skip


def test_words_of_edits_name_page_author_and_lines(past: Site):
    shown = words(call(past, "wiki_changes", since="2026-11-30T00:00Z")).splitlines()

    assert shown[2:] == [
        'DOC-101252 "Плитки" "concepts/tiles" of local/team/atlas',
        '- 2026-11-30T11:00Z "Дмитрий Соснов": +1 / -1, 2/2 (DOCH-2)',
    ]


def test_a_list_goes_on_where_it_ended(past: Site):
    first = answer(past, "wiki_changes", since="2026-11-01", limit=1)
    second = answer(past, "wiki_changes", since="2026-11-01", limit=1, offset=first["next_offset"])

    assert [row["number"] for found in (first, second) for row in rows(found, "pages", "edits")] == ["2/2", "1/2"]
    assert second["next_offset"] is None


def test_two_hundred_long_edits_end_early_and_can_be_gone_on_from(site: Site):
    edits = [
        version(number, NOW - number * HOUR, author=f"Автор {number:03} " + "ё" * 150) for number in range(200, 0, -1)
    ]
    site.publish(replace(PAST, history=history(PAST.repository, page("concepts/tiles", *edits))))
    found = answer(site, "wiki_changes", since="2026-01-01")

    assert found["total"] == 200
    assert found["next_offset"] == len(rows(found, "pages", "edits")) < 50


# --- periods


def test_without_a_beginning_it_is_the_last_midnight_of_this_machine(past: Site, vladivostok: None):
    found = answer(past, "wiki_changes")

    assert (found["since"], found["total"]) == ("2026-11-30T00:00:00+10:00", 1)


def test_a_time_without_offset_is_local(past: Site, vladivostok: None):
    assert answer(past, "wiki_changes", since="2026-11-30T21:00")["total"] == 1
    assert answer(past, "wiki_changes", since="2026-11-30T21:01")["total"] == 0
    assert answer(past, "wiki_changes", since="2026-11-30T21:01Z")["total"] == 0


def test_hours_are_counted_back_from_now(past: Site):
    assert answer(past, "tasks_changes", hours=2)["total"] == 1
    assert answer(past, "tasks_changes", hours=3)["total"] == 2


def test_the_end_is_not_included(past: Site):
    assert answer(past, "wiki_changes", since="2026-11-01", until="2026-11-30T11:00Z")["total"] == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"hours": 1, "since": "2026-11-30"}, "hours and since are both given; expected one of them"),
        ({"since": "yesterday"}, 'since is "yesterday"; expected a time such as 2026-11-30, or 2026-11-30T09:00'),
        ({"since": "2026-11-02", "until": "2026-11-01"}, "until is before since (2026-11-02T00:00:00"),
        ({"hours": 0}, "hours is 0; expected a whole number from 1 to 87600"),
        ({"hours": 1.5}, "hours is 1.5; expected a whole number"),
        ({"limit": 201}, "limit is 201; expected a whole number from 1 to 200"),
        ({"autor": "x"}, 'unknown argument "autor"; did you mean author?'),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_could_be(past: Site, given: dict[str, object], said: str):
    assert refusal(past, "wiki_changes", **given).startswith(said)


# --- one version


def test_a_diff_is_asked_by_code_and_tells_the_version(past: Site):
    found = answer(past, "wiki_diff", page="DOC-101252")

    assert (found["version_code"], found["number"], found["count"], found["previous"]) == ("DOCH-2", 2, 2, "DOCH-1")
    assert (found["author"], found["added"], found["removed"]) == ("Дмитрий Соснов", 1, 1)
    assert found["text"].splitlines()[-3:] == [" # Tiles", "-old", "+new"]
    assert found["origin"]["revision"] == EDITS[0].commit


def test_a_diff_is_asked_by_project_and_slug_and_version(past: Site):
    found = answer(past, "wiki_diff", project="atlas", slug="concepts/tiles", version="1")

    assert (found["number"], found["previous"], found["text"].splitlines()[-2:]) == (1, None, ["+# Tiles", "+old"])


def test_a_long_diff_comes_in_slices(past: Site):
    first = answer(past, "wiki_diff", page="DOC-101252", limit=10)
    rest = answer(past, "wiki_diff", page="DOC-101252", offset=first["next_offset"])

    assert first["text"] + rest["text"] == answer(past, "wiki_diff", page="DOC-101252")["text"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"page": "DOC-9"}, 'no page has the code "DOC-9"; wiki_changes shows codes'),
        ({}, "expected either page (a code), or project and slug"),
        ({"page": "DOC-101252", "project": "atlas"}, "expected either page (a code), or project and slug"),
        ({"project": "atlas"}, "expected either page (a code), or project and slug"),
        ({"project": "atlas", "slug": "concepts/tile"}, 'no page "concepts/tile" in the wiki of local/team/atlas; did'),
        ({"page": "DOC-101252", "version": "3"}, 'no version "3" of DOC-101252; expected a number from 1 to 2'),
    ],
)
def test_a_version_that_there_is_not_is_refused_with_what_there_is(past: Site, given: dict[str, object], said: str):
    assert refusal(past, "wiki_diff", **given).startswith(said)


def test_before_the_first_sync_the_feeds_say_what_to_run(site: Site):
    assert refusal(site, "tasks_changes") == refusal(site, "wiki_diff", page="DOC-1")
    assert refusal(site, "wiki_changes").startswith("nothing has been published yet; run `doit`")


def test_a_time_of_no_zone_is_told_with_an_offset(past: Site):
    moment = datetime.fromisoformat(answer(past, "tasks_changes")["since"])

    assert moment.tzinfo is not None
    assert moment <= NOW.astimezone(UTC)
