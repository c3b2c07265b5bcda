"""Listings of the fake forge: pages, totals, times, names and rights as a real one has them."""

from __future__ import annotations

import pytest

from tests.fakes.asking import ask
from tests.fakes.gitea import FakeGitea

pytestmark = pytest.mark.anyio

OWN = "users/ann/repos"
PAGE = "<http://gitea.internal:3000/api/v1/users/ann/repos?limit=2&page="


def add_many(forge: FakeGitea, count: int, *, private: bool = False) -> None:
    first = len(forge.repositories)
    for number in range(first, first + count):
        forge.add(f"ann/r{number:03}", private=private)


async def names(forge: FakeGitea, path: str, **query: str | int) -> list[str]:
    rows = (await ask(forge, path, query)).json()
    return [row["name"] for row in (rows["data"] if isinstance(rows, dict) else rows)]


# --- pages ---


async def test_a_page_is_cut_before_it_is_filtered_so_it_may_be_short_or_empty(forge: FakeGitea) -> None:
    token = forge.token("t0ken")
    add_many(forge, 3)
    add_many(forge, 3, private=True)
    add_many(forge, 1)

    pages = [await ask(forge, OWN, {"limit": 2, "page": page}, token=token) for page in (1, 2, 3, 4)]

    assert [len(page.json()) for page in pages] == [2, 1, 0, 1]
    assert {page.headers["x-total-count"] for page in pages} == {"7"}


async def test_anybody_is_counted_only_what_anybody_sees(forge: FakeGitea) -> None:
    add_many(forge, 2)
    add_many(forge, 3, private=True)

    assert (await ask(forge, OWN)).headers["x-total-count"] == "2"


async def test_a_limit_above_the_servers_is_clamped_and_none_means_thirty(forge: FakeGitea) -> None:
    add_many(forge, 53)

    answers = [await ask(forge, OWN, query) for query in ({"limit": 500}, {"limit": 0}, {})]

    assert [len(answer.json()) for answer in answers] == [50, 30, 30]


async def test_links_name_the_host_that_the_server_believes_to_have(forge: FakeGitea) -> None:
    add_many(forge, 5)

    answer = await ask(forge, OWN, {"limit": 2, "page": 2})

    at = "<http://gitea.internal:3000/api/v1/users/ann/repos?limit=2&page="
    assert answer.headers["link"] == (f'{at}3>; rel="next",{at}3>; rel="last",{at}1>; rel="first",{at}1>; rel="prev"')


async def test_a_single_page_has_no_link_and_a_page_past_the_end_is_empty(forge: FakeGitea) -> None:
    add_many(forge, 2)

    only, past = [await ask(forge, OWN, {"page": page}) for page in (1, 9)]

    assert ("link" in only.headers, past.json(), past.headers["x-total-count"]) == (False, [], "2")


async def test_past_the_end_the_links_are_the_last_pages(forge: FakeGitea) -> None:
    add_many(forge, 4)

    link = (await ask(forge, OWN, {"limit": 2, "page": 9})).headers["link"]

    assert link == f'{PAGE}1>; rel="first",{PAGE}1>; rel="prev"'


async def test_a_repository_may_come_between_two_pages(forge: FakeGitea) -> None:
    add_many(forge, 3)
    forge.between_pages(lambda: forge.add("ann/new"))

    totals = [(await ask(forge, OWN, {"limit": 2, "page": page})).headers["x-total-count"] for page in (1, 2)]

    assert totals == ["3", "4"]


async def test_a_repository_may_go_between_two_pages_and_take_another_from_the_next(forge: FakeGitea) -> None:
    add_many(forge, 4)
    forge.between_pages(lambda: forge.delete("ann/r000"))

    seen = [await names(forge, OWN, limit=2, page=page) for page in (1, 2)]

    assert seen == [["r000", "r001"], ["r003"]]


# --- times ---


async def test_two_pushes_in_one_second_have_one_time_and_two_heads(forge: FakeGitea) -> None:
    first = forge.add("ann/a", {"x": "1"})
    before = (await ask(forge, OWN)).json()
    second = forge.commit("ann/a", {"x": "2"})

    assert (await ask(forge, OWN)).json() == before
    assert first != second


async def test_a_mirrors_time_is_its_newest_commits_so_it_stays_or_goes_back(forge: FakeGitea) -> None:
    base = forge.add("ann/m", {"x": "1"}, mirror=True)
    forge.tick(100)
    forge.mirror_sync("ann/m", {"x": "2"})
    moved = forge["ann/m"].updated_at

    forge.tick(100)
    forge.mirror_sync("ann/m", {"x": "3"}, parent=base, committed_at=moved)
    same = (forge["ann/m"].updated_at, forge.head("ann/m"))
    forge.tick(100)
    forge.mirror_sync("ann/m", {"x": "4"}, parent=base, committed_at=moved.replace(minute=0))

    assert same[0] == moved
    assert forge["ann/m"].updated_at < moved
    assert forge.head("ann/m") != same[1]


async def test_every_sync_of_a_mirror_moves_its_second_time_even_without_a_change(forge: FakeGitea) -> None:
    forge.add("ann/m", {"x": "1"}, mirror=True)
    before = (await ask(forge, OWN)).json()[0]
    forge.tick(60)
    forge.mirror_sync("ann/m")

    after = (await ask(forge, OWN)).json()[0]

    assert [before["mirror_updated"], after["mirror_updated"]] == ["2026-03-01T12:00:00Z", "2026-03-01T12:01:00Z"]
    assert before["updated_at"] == after["updated_at"]


async def test_a_sync_that_fails_moves_the_second_time_as_well(forge: FakeGitea) -> None:
    head = forge.add("ann/m", {"x": "1"}, mirror=True)
    forge.tick(60)

    assert (forge.mirror_sync("ann/m", fails=True), forge["ann/m"].mirror_updated) == (head, forge.clock)


async def test_what_is_no_mirror_was_last_synced_in_the_year_one(forge: FakeGitea) -> None:
    forge.add("ann/a")

    assert (await ask(forge, OWN)).json()[0]["mirror_updated"] == "0001-01-01T00:00:00Z"


async def test_a_long_queue_moves_the_time_after_the_tree(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    forge.tick(10)
    head = forge.commit("ann/a", {"x": "2"}, bump_after=7)
    early = (await ask(forge, OWN)).json()[0]["updated_at"]
    forge.tick(10)

    assert (await ask(forge, "repos/ann/a/git/trees/main")).json()["sha"] == head
    assert [early, (await ask(forge, OWN)).json()[0]["updated_at"]] == ["2026-03-01T12:00:00Z", "2026-03-01T12:00:17Z"]


async def test_a_first_push_leaves_it_empty_until_the_queue_has_run(forge: FakeGitea) -> None:
    forge.add("ann/a")
    forge.commit("ann/a", {"x": "1"}, bump_after=7)
    asked = [await ask(forge, f"repos/ann/a/{path}") for path in ("git/trees/main", "commits")]
    forge.tick(7)

    assert [answer.status_code for answer in asked] == [200, 409]
    assert (await ask(forge, "repos/ann/a/commits")).status_code == 200


async def test_a_tag_moves_the_time_and_no_file(forge: FakeGitea) -> None:
    head = forge.add("ann/a", {"x": "1"})
    forge.tick(60)
    forge.tag("ann/a", "v1")

    assert forge.head("ann/a") == head
    assert (await ask(forge, OWN)).json()[0]["updated_at"] == "2026-03-01T12:01:00Z"


async def test_another_default_branch_moves_no_time(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    forge.commit("ann/a", {"x": "2"}, branch="next")
    before = (await ask(forge, OWN)).json()[0]
    forge.tick(60)
    forge.set_default_branch("ann/a", "next")

    assert (await ask(forge, OWN)).json()[0] == before | {"default_branch": "next"}


async def test_a_forced_push_leaves_nothing_of_what_was_there(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1", "y": "1"})
    head = forge.force_push("ann/a", {"z": "1"})

    tree = (await ask(forge, "repos/ann/a/git/trees/main")).json()

    assert (tree["sha"], [entry["path"] for entry in tree["tree"]]) == (head, ["z"])


async def test_another_zone_writes_the_same_instant_otherwise(forge: FakeGitea) -> None:
    forge.add("ann/a")
    forge.utc_offset_hours = 3

    assert (await ask(forge, OWN)).json()[0]["updated_at"] == "2026-03-01T15:00:00+03:00"


# --- names ---


@pytest.mark.parametrize("asked", ["repos/ann/old", "repos/Ann/OLD/git/trees/main%3A.wiki?recursive=1&page=2"])
async def test_an_old_name_redirects_without_a_host_and_with_its_query(forge: FakeGitea, asked: str) -> None:
    forge.add("ann/old", {"x": "1"})
    forge.rename("ann/old", "team/new")

    answer = await ask(forge, asked)

    rest = asked.partition("/ann/old")[2] or asked.partition("/Ann/OLD")[2]
    assert (answer.status_code, answer.headers["location"]) == (301, f"/api/v1/repos/team/new{rest}")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_an_old_name_taken_again_is_another_repository(forge: FakeGitea) -> None:
    forge.add("ann/old", {"x": "1"})
    forge.rename("ann/old", "ann/new")
    forge.add("ann/old", {"x": "2"})

    assert [(await ask(forge, f"repos/ann/{name}")).json()["id"] for name in ("new", "old")] == [1, 2]


async def test_an_old_name_taken_again_and_given_up_redirects_no_more(forge: FakeGitea) -> None:
    forge.add("ann/old", {"x": "1"})
    forge.rename("ann/old", "ann/new")
    forge.add("ann/old", {"x": "2"})
    forge.delete("ann/old")

    assert (await ask(forge, "repos/ann/old")).status_code == 404


async def test_a_deleted_repository_is_gone_by_every_name_and_number(forge: FakeGitea) -> None:
    forge.add("ann/old", {"x": "1"})
    forge.rename("ann/old", "ann/new")
    forge.delete("ann/new")
    token = forge.token("t0ken")

    asked = [await ask(forge, path, token=token) for path in ("repos/ann/old", "repos/ann/new", "repositories/1")]

    assert [answer.status_code for answer in asked] == [404, 404, 404]


async def test_an_archived_repository_says_so(forge: FakeGitea) -> None:
    forge.add("ann/a")
    forge.archive("ann/a")

    assert (await ask(forge, "repos/ann/a")).json()["archived"] is True


async def test_the_owner_is_found_by_name_and_a_user_has_no_organisation(forge: FakeGitea) -> None:
    forge.add_user("ann")
    forge.add_organisation("team")

    ann, team = [(await ask(forge, f"users/{name}")).json() for name in ("Ann", "team")]

    assert [(each["id"], each["login"]) for each in (ann, team)] == [(1, "ann"), (2, "team")]
    assert (await ask(forge, "orgs/team")).json()["name"] == "team"
    assert [(await ask(forge, f"{path}/ann")).status_code for path in ("users", "orgs")] == [200, 404]


async def test_an_unknown_owner_is_not_found(forge: FakeGitea) -> None:
    answers = [await ask(forge, path) for path in ("users/nobody/repos", "orgs/nobody/repos", "users/nobody")]

    assert [answer.status_code for answer in answers] == [404, 404, 404]


# --- the search ---


async def test_a_search_is_counted_exactly_and_sorted_as_asked(forge: FakeGitea) -> None:
    token = forge.token("t0ken", scopes=("read:repository",))
    add_many(forge, 3)
    forge.add("team/x")
    add_many(forge, 2, private=True)

    answer = await ask(
        forge, "repos/search", {"uid": 1, "exclusive": "true", "sort": "id", "order": "desc", "limit": 2}, token=token
    )

    assert [row["id"] for row in answer.json()["data"]] == [3, 2]
    assert (answer.json()["ok"], answer.headers["x-total-count"]) == (True, "3")


async def test_without_exclusive_what_one_may_work_on_is_found_too(forge: FakeGitea) -> None:
    forge.add("ann/own")
    forge.add("team/shared")
    forge.collaborate("team/shared", "ann")

    found = [await names(forge, "repos/search", uid=1, exclusive=each) for each in ("true", "false")]

    assert found == [["own"], ["own", "shared"]]


async def test_an_unknown_owners_number_finds_nothing_and_says_no_more(forge: FakeGitea) -> None:
    forge.add("ann/a")

    answer = await ask(forge, "repos/search", {"uid": 99})

    assert (answer.status_code, answer.json()["data"], answer.headers["x-total-count"]) == (200, [], "0")


@pytest.mark.parametrize("query", [{"sort": "nope"}, {"mode": "nope"}, {"sort": "id", "order": "nope"}])
async def test_a_search_by_what_there_is_not_is_refused(forge: FakeGitea, query: dict[str, str | int]) -> None:
    forge.add("ann/a")

    assert (await ask(forge, "repos/search", query)).status_code == 422


async def test_a_search_finds_mirrors_or_archives_alone(forge: FakeGitea) -> None:
    forge.add("ann/mirror", mirror=True)
    forge.add("ann/archive", archived=True)

    found = [await names(forge, "repos/search", **query) for query in ({"mode": "mirror"}, {"archived": "true"})]

    assert found == [["mirror"], ["archive"]]


async def test_ones_own_listing_has_all_that_one_works_on_by_the_alphabet(forge: FakeGitea) -> None:
    token = forge.token("t0ken", owners=["ann"])
    forge.add("zoe/shared", private=True)
    forge.add("ann/z")
    forge.add("ann/a", private=True)
    forge.add("bob/other")
    forge.collaborate("zoe/shared", "ann")

    answer = await ask(forge, "user/repos", token=token)

    assert [row["full_name"] for row in answer.json()] == ["ann/a", "ann/z", "zoe/shared"]
