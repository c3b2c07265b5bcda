from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
import responses

from pipeline.errors import AccessDenied, SourceError, SourceUnreachable
from pipeline.model import Listing, Selection, SourceConfig
from pipeline.sources.answers import read_json
from pipeline.sources.gitea import Gitea
from pipeline.sources.gitea_api import REPOSITORY, to_listing
from pipeline.sources.transport import Address, Transport
from tests.fakes.gitea import FakeGitea
from tests.fakes.responses_transport import ResponsesTransport
from tests.fakes.virtual_clock import VirtualClock

pytestmark = pytest.mark.anyio

OpenGitea = Callable[..., Gitea]


def names(listings: tuple[Listing, ...]) -> list[str]:
    return [listing.repository for listing in listings]


def add_many(forge: FakeGitea, count: int) -> None:
    for number in range(1, count + 1):
        forge.add(f"ann/r{number:03}")


async def test_a_row_of_the_listing_becomes_ours(forge: FakeGitea, source: Gitea) -> None:
    forge.add("ann/notes", {"README.md": "hi"}, branch="trunk", archived=True, internal=False)

    answer = await source.list_repositories()

    assert answer.listings == (
        Listing(
            repository=answer.listings[0].repository,
            forge_id="1",
            default_branch="trunk",
            updated_at=datetime(2026, 3, 1, 12, 0, tzinfo=UTC),
            mirror_updated=None,
            archived=True,
            visibility="public",
        ),
    )
    assert names(answer.listings) == ["forge.example/ann/notes"]


async def test_the_listing_is_complete_and_tells_the_forges_clock(forge: FakeGitea, source: Gitea) -> None:
    forge.add("ann/notes")
    forge.tick(90)

    answer = await source.list_repositories()

    assert (answer.complete, answer.reason) == (True, None)
    assert answer.observed_at == datetime(2026, 3, 1, 12, 1, 30, tzinfo=UTC)


async def test_an_owner_without_repositories_is_complete(forge: FakeGitea, source: Gitea) -> None:
    forge.add_user("ann")

    answer = await source.list_repositories()

    assert (answer.listings, answer.complete) == ((), True)


@pytest.mark.parametrize(("count", "requests"), [(1, 1), (50, 1), (51, 2), (100, 2), (101, 3)])
async def test_a_listing_costs_one_request_per_fifty(
    forge: FakeGitea, source: Gitea, count: int, requests: int
) -> None:
    add_many(forge, count)

    answer = await source.list_repositories()

    assert (len(answer.listings), answer.complete, len(forge.requests)) == (count, True, requests)


async def test_pages_after_the_first_are_asked_side_by_side(forge: FakeGitea, source: Gitea) -> None:
    add_many(forge, 201)
    forge.latency_s = 0.005

    await source.list_repositories()

    assert forge.max_in_flight == 4


async def test_listings_come_sorted_by_id_from_every_owner(forge: FakeGitea, open_source: OpenGitea) -> None:
    forge.add("team/b")
    forge.add("ann/z")
    forge.add("ann/a")

    answer = await open_source("team", "ann", "Ann").list_repositories()

    assert names(answer.listings) == ["forge.example/ann/a", "forge.example/ann/z", "forge.example/team/b"]
    assert len(forge.requests) == 2


async def test_an_organisation_that_is_no_user_is_asked_as_organisation(
    canned: responses.RequestsMock, source_of_canned: Gitea
) -> None:
    canned.get("https://forge.example/api/v1/users/ann/repos", status=404, json={"message": "no"})
    canned.get("https://forge.example/api/v1/orgs/ann/repos", json=[row(1, "notes")], headers={"X-Total-Count": "1"})

    answer = await source_of_canned.list_repositories()

    assert (names(answer.listings), answer.complete) == (["forge.example/ann/notes"], True)


async def test_pages_that_are_short_or_empty_by_permission_are_not_the_end(
    forge: FakeGitea, open_source: OpenGitea, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", forge.token("t0ken"))
    add_many(forge, 10)
    forge.add("ann/first-hidden", private=True)
    add_hidden(forge, 100)
    forge.add("ann/last")

    answer = await open_source("ann", token_env="TOKEN").list_repositories()

    assert (len(answer.listings), answer.complete, len(forge.requests)) == (11, True, 3)


def add_hidden(forge: FakeGitea, count: int) -> None:
    for number in range(count):
        forge.add(f"ann/hidden{number}", private=True)


async def test_a_server_with_a_smaller_page_still_lists_all(forge: FakeGitea, source: Gitea) -> None:
    forge.limits.items = 20
    add_many(forge, 101)

    answer = await source.list_repositories()

    assert (len(answer.listings), answer.complete, len(forge.requests)) == (101, True, 6)


async def test_a_server_with_a_smaller_page_and_no_links_is_asked_for_its_limit(
    forge: FakeGitea, source: Gitea
) -> None:
    forge.limits.items, forge.sends_links = 20, False
    add_many(forge, 101)

    answer = await source.list_repositories()

    assert (len(answer.listings), answer.complete, len(forge.requests)) == (101, True, 7)


async def test_without_a_total_the_links_page_numbers_are_followed_not_their_host(
    forge: FakeGitea, source: Gitea
) -> None:
    forge.sends_total = False
    add_many(forge, 120)

    answer = await source.list_repositories()

    assert (len(answer.listings), answer.complete) == (120, True)
    assert {request.headers["host"] for request in forge.requests} == {"forge.example"}


async def test_next_alone_leads_through_the_pages(canned: responses.RequestsMock, source_of_canned: Gitea) -> None:
    first, second = ("https://forge.example/api/v1/users/ann/repos?limit=50&page=" + page for page in "12")
    canned.get(first, json=[row(1, "a")], headers={"Link": '<http://inner/x?limit=50&page=2>; rel="next"'})
    canned.get(second, json=[row(2, "b")])

    answer = await source_of_canned.list_repositories()

    assert (names(answer.listings), answer.complete) == (["forge.example/ann/a", "forge.example/ann/b"], True)


async def test_a_next_that_leads_back_ends(canned: responses.RequestsMock, source_of_canned: Gitea) -> None:
    headers = {"Link": '<http://inner/x?page=1>; rel="next"'}
    canned.get("https://forge.example/api/v1/users/ann/repos", json=[row(1, "a")], headers=headers)

    answer = await source_of_canned.list_repositories()

    assert answer.reason == 'owner "ann": a listing whose next page does not lead on'


async def test_a_full_page_without_any_count_is_not_believed_to_be_all(
    canned: responses.RequestsMock, source_of_canned: Gitea
) -> None:
    canned.get("https://forge.example/api/v1/users/ann/repos", json=fifty())
    canned.get("https://forge.example/api/v1/users/ann/repos", json=[row(51, "r51")])

    with pytest.raises(SourceUnreachable, match="a full page without X-Total-Count or Link"):
        await source_of_canned.list_repositories()


@pytest.mark.parametrize("second", [True, False], ids=["the same again", "nothing"])
async def test_a_full_page_without_any_count_is_all_if_page_two_adds_nothing(
    canned: responses.RequestsMock, source_of_canned: Gitea, second: bool
) -> None:
    canned.get("https://forge.example/api/v1/users/ann/repos", json=fifty())
    canned.get("https://forge.example/api/v1/users/ann/repos", json=fifty() if second else [])

    answer = await source_of_canned.list_repositories()

    assert (len(answer.listings), answer.complete) == (50, True)


async def test_a_total_that_changes_on_the_way_is_listed_once_more(
    canned: responses.RequestsMock, source_of_canned: Gitea
) -> None:
    can_pages(canned, ["60", "61", "61", "61"])

    answer = await source_of_canned.list_repositories()

    assert (answer.complete, len(answer.listings), len(canned.calls)) == (True, 61, 4)


async def test_a_total_that_never_settles_is_incomplete(
    canned: responses.RequestsMock, source_of_canned: Gitea
) -> None:
    can_pages(canned, ["60", "61", "61", "62"])

    answer = await source_of_canned.list_repositories()

    assert (answer.complete, len(answer.listings)) == (False, 61)
    assert answer.reason == 'owner "ann": the number of repositories changed while they were listed'


async def test_a_repository_on_two_pages_is_incomplete_and_stands_once(
    canned: responses.RequestsMock, source_of_canned: Gitea
) -> None:
    rows = [row(number, f"r{number}") for number in range(1, 51)]
    first, second = ("https://forge.example/api/v1/users/ann/repos?limit=50&page=" + page for page in "12")
    canned.get(first, json=rows, headers={"X-Total-Count": "51"})
    canned.get(second, json=rows[-1:], headers={"X-Total-Count": "51"})

    answer = await source_of_canned.list_repositories()

    assert (answer.reason, len(answer.listings)) == ('owner "ann": a repository was listed twice', 50)


async def test_a_page_that_fails_makes_the_answer_incomplete_and_keeps_the_others(
    forge: FakeGitea, source: Gitea
) -> None:
    add_many(forge, 120)
    forge.fail("*/users/ann/repos", status=502, skip=2, times=3)

    answer = await source.list_repositories()

    assert (answer.complete, answer.reason) == (False, 'owner "ann": HTTP 502 after 3 tries')
    assert len(answer.listings) == 100


async def test_an_owner_that_fails_makes_the_answer_incomplete_and_keeps_the_others(
    forge: FakeGitea, open_source: OpenGitea
) -> None:
    forge.add("ann/notes")
    forge.fail("*/users/team/repos", status=500)

    answer = await open_source("ann", "team").list_repositories()

    assert (names(answer.listings), answer.complete) == (["forge.example/ann/notes"], False)
    assert answer.reason == 'owner "team": HTTP 500 after 3 tries'


async def test_an_unknown_owner_is_doubt_not_an_empty_list(forge: FakeGitea, open_source: OpenGitea) -> None:
    forge.add("ann/notes")

    answer = await open_source("ann", "nobody").list_repositories()

    assert answer.complete is False
    assert answer.reason == 'owner "nobody": HTTP 404: no such user or organisation, or not for this token'


@pytest.mark.parametrize(
    ("trouble", "kind", "reason"),
    [
        ({"status": 401}, AccessDenied, 'owner "ann": HTTP 401: the credentials are not accepted; the token needs'),
        ({"status": 403}, AccessDenied, 'owner "ann": HTTP 403: the credentials do not allow this; the token needs'),
        ({"status": 503}, SourceUnreachable, 'owner "ann": HTTP 503 after 3 tries'),
        ({"status": 404}, SourceUnreachable, 'owner "ann": HTTP 404: no such user or organisation'),
        ({"status": 200, "body": "<!DOCTYPE html>"}, SourceUnreachable, "list of repositories, got a page of HTML"),
        ({"status": 200, "body": ""}, SourceUnreachable, "expected a list of repositories, got an empty answer"),
        ({"status": 200, "body": "[{"}, SourceUnreachable, "expected a list of repositories, got no whole, plain JSON"),
        ({"status": 200, "body": "[NaN]"}, SourceUnreachable, "got no whole, plain JSON"),
        ({"status": 200, "body": '[{"a":1,"a":2}]'}, SourceUnreachable, "got no whole, plain JSON"),
        ({"status": 200, "body": "[" * 100_000}, SourceUnreachable, "got no whole, plain JSON"),
        ({"status": 200, "body": "{}"}, SourceUnreachable, "got JSON of another shape at its top"),
        ({"status": 200, "body": '[{"id":"7"}]'}, SourceUnreachable, "got JSON of another shape at 0.id"),
        ({"status": 200, "drop": True}, SourceUnreachable, 'owner "ann": the connection broke off'),
    ],
)  # fmt: skip
async def test_a_listing_that_cannot_be_believed_is_an_error_with_its_reason(
    forge: FakeGitea, source: Gitea, trouble: dict[str, object], kind: type[SourceError], reason: str
) -> None:
    forge.add("ann/notes")
    forge.fail("*", **trouble)  # type: ignore[arg-type]

    with pytest.raises(kind) as caught:
        await source.list_repositories()

    assert reason in caught.value.reason


async def test_times_are_instants_whatever_zone_the_forge_writes(forge: FakeGitea, source: Gitea) -> None:
    forge.add("ann/notes", mirror=True)
    before = (await source.list_repositories()).listings
    forge.utc_offset_hours = 3

    assert (await source.list_repositories()).listings == before


@pytest.mark.parametrize(
    ("settings", "visibility"),
    [((False, False), "public"), ((False, True), "internal"), ((True, True), "private")],
)
async def test_visibility_is_the_forges(
    forge: FakeGitea,
    open_source: OpenGitea,
    monkeypatch: pytest.MonkeyPatch,
    settings: tuple[bool, bool],
    visibility: str,
) -> None:
    monkeypatch.setenv("TOKEN", forge.token("t0ken", owners=["ann"]))
    forge.add("ann/notes", private=settings[0], internal=settings[1])

    answer = await open_source("ann", token_env="TOKEN").list_repositories()

    assert answer.listings[0].visibility == visibility


async def test_a_repository_without_the_right_to_pull_is_listed_as_unreadable(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/issues-only", {"README.md": "x"}, pull=False)

    listing = (await source.list_repositories()).listings[0]

    assert listing.readable is False
    with pytest.raises(AccessDenied):
        await source.resolve(listing, selection, None)


def test_a_row_that_does_not_say_it_is_public_is_private() -> None:
    bare = read_json(b'{"id": 7, "name": "x", "owner": {"login": "ann"}}', REPOSITORY, "a repository")

    assert to_listing(bare, "h", None).visibility == "private"


def row(number: int, name: str) -> dict[str, object]:
    return {"id": number, "name": name, "owner": {"login": "ann"}, "private": False, "later_field": {"x": 1}}


def fifty() -> list[dict[str, object]]:
    return [row(number, f"r{number}") for number in range(1, 51)]


def can_pages(canned: responses.RequestsMock, totals: list[str]) -> None:
    """Two pages, of 50 and 11 rows, asked twice; each answer with its own total."""
    rows = [row(number, f"r{number:02}") for number in range(1, 62)]
    first, second = ("https://forge.example/api/v1/users/ann/repos?limit=50&page=" + page for page in "12")
    for url, part, total in zip((first, second) * 2, (rows[:50], rows[50:]) * 2, totals, strict=True):
        canned.get(url, json=part, headers={"X-Total-Count": total})


@pytest.fixture
def source_of_canned(canned: responses.RequestsMock, virtual: VirtualClock) -> Gitea:
    config = SourceConfig(kind="gitea", name="forge.example", settings={"owners": ("ann",)})
    address = Address(url="https://forge.example")
    return Gitea(config, Transport(address, clock=virtual.clock, wire=ResponsesTransport()), {})
