"""GET /wiki/changes and /wiki/diff."""

import pytest

from tests.fakes.wikis import Asked

DAY = "2026-11-30T00:00:00+00:00"
DIFF = "@@ -1,2 +1,2 @@\n # Статусы\n-старый\n+статус согласован\n"


def test_changes_of_a_day_come_newest_first_and_without_pages_of_other_wikis(library: Asked):
    answer = library.get("/wiki/changes", project="A", since=DAY)

    assert [(item["page_code"], item["version"]) for item in answer["items"]] == [
        ("DOC-3", "DOCH-2"), ("DOC-3", "DOCH-1"), ("DOC-6", "DOCH-1"), ("DOC-9", "DOCH-1")
    ]  # fmt: skip


def test_a_change_tells_page_place_author_time_and_lines(library: Asked):
    assert library.get("/wiki/changes", project="W", since=DAY)["items"][0] == {
        "page_code": "DOC-3",
        "page_name": "Статусы",
        "path": "Атлас / Статусы",
        "version": "DOCH-2",
        "at": "2026-11-30T12:40:00Z",
        "authored_at": "2026-11-30T12:40:00Z",
        "author": "Дмитрий Соснов",
        "added": 1,
        "removed": 1,
    }


def test_changes_of_a_page_that_is_gone_belong_to_where_it_stood(library: Asked):
    assert library.get("/wiki/changes", project="D", since=DAY)["items"] == []
    assert library.get("/wiki/changes", project="A", since=DAY)["items"][-1]["page_name"] == "old"


def test_a_period_without_an_end_lasts_until_now_and_says_how_old_all_is(library: Asked):
    answer = library.get("/wiki/changes", project="A", since="2026-11-30T15:30:00+03:00")

    assert answer.pop("items")[0]["version"] == "DOCH-2"
    assert answer == {
        "since": "2026-11-30T15:30:00+03:00",
        "until": "2026-11-30T14:05:00Z",
        "synced_at": "2026-11-30T11:00:00Z",
        "history_at": "2026-11-30T11:00:00Z",
        "truncated": False,
    }


def test_the_first_moment_of_a_period_counts_and_the_last_does_not(library: Asked):
    answer = library.get("/wiki/changes", project="A", since="2026-11-30T11:02:00Z", until="2026-11-30T12:40:00Z")

    assert [item["version"] for item in answer["items"]] == ["DOCH-1"]


def test_an_author_is_a_part_of_a_name_in_any_case_or_a_whole_address(library: Asked):
    asked = {"project": "A", "since": DAY}

    assert len(library.get("/wiki/changes", **asked, author="СОСНОВ")["items"]) == 2
    assert len(library.get("/wiki/changes", **asked, author="ann@example.org")["items"]) == 4
    assert library.get("/wiki/changes", **asked, author="example.org")["items"] == []


def test_a_history_that_is_not_loaded_is_told_apart_from_no_change(library: Asked):
    answer = library.get("/wiki/changes", project="B", since=DAY)

    assert (answer["history_at"], answer["items"], answer["truncated"]) == (None, [], False)


@pytest.mark.parametrize(
    ("since", "detail"),
    [
        ("2026-11-30T00:00:00", "without an offset"),
        ("2026-11-30", "without an offset"),
        ("2026-11-30T00:00:00 03:00", "is written %2B"),
        ("yesterday", "expected a time such as"),
        ("", "expected a time such as"),
        ("0001-01-01T00:00:00+23:59", "which no calendar in UTC has"),
        ("9999-12-31T23:59:59-23:59", "which no calendar in UTC has"),
        ("2026-13-01T00:00:00Z", "expected a time such as"),
        ("2026-11-30T23:00:00Z", "is later than until"),
        ("9" * 65, "since: "),
    ],
)
def test_a_time_that_cannot_be_taken_is_refused_with_what_is_wrong(library: Asked, since, detail):
    status, told = library.refused("/wiki/changes", project="A", since=since)

    assert status == 422
    assert detail in told


def test_a_period_needs_a_beginning(library: Asked):
    assert library.refused("/wiki/changes", project="A") == (422, "since is missing")


def test_an_empty_author_is_refused(library: Asked):
    assert library.refused("/wiki/changes", project="A", since=DAY, author=" ")[0] == 422


def test_the_diff_of_the_last_version_is_gits_with_the_version_before(library: Asked):
    answer = library.get("/wiki/diff", project="W", code="DOC-3")

    assert answer.pop("diff").endswith(DIFF)
    assert answer == {
        "code": "DOC-3",
        "name": "Статусы",
        "path": "Атлас / Статусы",
        "version": "DOCH-2",
        "n": 2,
        "m": 2,
        "author": "Дмитрий Соснов",
        "at": "2026-11-30T12:40:00Z",
        "authored_at": "2026-11-30T12:40:00Z",
        "added": 1,
        "removed": 1,
        "previous": {"version": "DOCH-1", "at": "2026-11-30T11:02:00Z"},
    }


def test_the_diff_of_the_first_version_has_none_before(library: Asked):
    answer = library.get("/wiki/diff", project="A", code="DOC-3", version="DOCH-1")

    assert (answer["n"], answer["previous"]) == (1, None)


@pytest.mark.parametrize("version", ["DOCH-3", "0", "x", "../..", "", "DOCH-1\n", "☃" * 50])
def test_a_version_that_a_page_has_not_is_not_found(library: Asked, version):
    assert library.client.get(
        "/wiki/diff", params={"project": "A", "code": "DOC-3", "version": version}
    ).status_code in ({200} if version.strip() == "DOCH-1" else {404})


def test_the_diff_of_a_page_without_history_says_why_there_is_none(library: Asked):
    status, detail = library.refused("/wiki/diff", project="B", code="DOC-22")

    assert (status, detail) == (404, "the history of local/team/beacon is not loaded yet; `doit` brings it")
