"""Rights at the fake forge: who is refused what, and in which words."""

from __future__ import annotations

import pytest

from tests.fakes.asking import ask
from tests.fakes.gitea import FakeGitea

pytestmark = pytest.mark.anyio

CODE = "repos/ann/a/git/trees/main"


@pytest.mark.parametrize("path", ["version", "repos/ann/a", CODE])
async def test_a_bad_token_is_refused_even_where_none_is_needed(forge: FakeGitea, path: str) -> None:
    forge.add("ann/a", {"x": "1"})

    answer = await ask(forge, path, token="expired")

    assert (answer.status_code, answer.json()["message"]) == (401, "invalid username, password or token")
    assert (await ask(forge, path)).status_code == 200


@pytest.mark.parametrize(
    ("scopes", "allowed"),
    [
        (("read:repository",), [403, 403, 403, 403, 200, 200, 200]),
        (("read:repository", "read:user"), [200, 403, 200, 403, 200, 200, 200]),
        (("read:repository", "read:organization"), [403, 200, 403, 200, 200, 200, 200]),
        (("read:user",), [403, 403, 200, 403, 403, 403, 403]),
        (("all",), [200] * 7),
        (("write:repository", "write:user", "write:organization"), [200] * 7),
    ],
)
async def test_a_token_may_ask_what_its_scopes_say(
    forge: FakeGitea, scopes: tuple[str, ...], allowed: list[int]
) -> None:
    token = forge.token("t0ken", scopes=scopes)
    forge.add("ann/a", {"x": "1"})
    forge.add_organisation("team")
    paths = ["users/ann/repos", "orgs/team/repos", "users/ann", "orgs/team", "repos/search", "repositories/1", CODE]

    assert [(await ask(forge, path, token=token)).status_code for path in paths] == allowed


async def test_a_missing_scope_is_named(forge: FakeGitea) -> None:
    token = forge.token("t0ken", scopes=("read:repository",))

    assert (await ask(forge, "users/ann", token=token)).json()["message"] == (
        "token does not have at least one of required scope(s), required=[read:user], token scope=read:repository"
    )


@pytest.mark.parametrize("path", [CODE, "version", "settings/api", "no/such/route"])
async def test_a_forge_for_members_refuses_all_others_without_an_address(forge: FakeGitea, path: str) -> None:
    forge.require_signin = True
    forge.add("ann/a", {"x": "1"})

    answer = await ask(forge, path)

    assert (answer.status_code, answer.json()) == (403, {"message": "Only signed in user is allowed to call APIs."})
    assert (await ask(forge, CODE, token=forge.token("t0ken"))).status_code == 200


async def test_a_private_repository_is_not_there_for_others(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"}, private=True)
    tokens = [None, forge.token("bobs", owners=["bob"]), forge.token("anns", owners=["ann"])]

    answers = [await ask(forge, CODE, token=token) for token in tokens]

    assert [answer.status_code for answer in answers] == [404, 404, 200]
    assert answers[0].json() == {
        "message": "not found", "errors": None, "url": "http://gitea.internal:3000/api/swagger",
    }  # fmt: skip


async def test_a_repository_made_private_is_not_there_any_more(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    before = await ask(forge, CODE)
    forge.make_private("ann/a")

    assert [before.status_code, (await ask(forge, CODE)).status_code] == [200, 404]


async def test_without_the_right_to_code_it_is_listed_but_not_read(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    forge.withdraw("ann/a")

    row = (await ask(forge, "users/ann/repos")).json()[0]
    paths = [CODE, "repos/ann/a/raw/x", "repos/ann/a/contents/x", "repos/ann/a/commits", "repos/ann/a/branches/main"]

    assert row["permissions"]["pull"] is False
    assert [(await ask(forge, path)).status_code for path in paths] == [403] * 5


async def test_a_token_for_public_ones_sees_a_private_row_but_not_its_code(forge: FakeGitea) -> None:
    token = forge.token("t0ken", owners=["ann"], scopes=("all", "public-only"))
    forge.add("ann/a", {"x": "1"}, private=True)

    rows, code = [await ask(forge, path, token=token) for path in ("users/ann/repos", CODE)]

    assert rows.json()[0]["permissions"]["pull"] is True
    assert (code.status_code, code.json()["message"]) == (403, "token scope is limited to public repos")


async def test_a_number_is_not_for_anybody_even_of_a_public_repository(forge: FakeGitea) -> None:
    forge.add("ann/a")

    asked, known = await ask(forge, "repositories/1"), await ask(forge, "repositories/1", token=forge.token("t0ken"))

    assert (asked.status_code, asked.json()["message"], known.status_code) == (401, "token is required", 200)


async def test_ones_own_listing_needs_somebody(forge: FakeGitea) -> None:
    assert (await ask(forge, "user/repos")).status_code == 401


async def test_a_revoked_token_is_a_bad_one(forge: FakeGitea) -> None:
    token = forge.token("t0ken")
    forge.revoke(token)

    assert (await ask(forge, "version", token=token)).status_code == 401


async def test_what_there_is_not_is_told_apart_by_its_words(forge: FakeGitea) -> None:
    forge.add("ann/a")
    owner, repository, route = [await ask(forge, path) for path in ("repos/bob/x", "repos/ann/x", "repos/ann/a/x")]

    assert (owner.json()["message"], owner.json()["errors"], repository.json()["message"]) == (
        "GetUserByName", ["user redirect does not exist [name: bob]"], "not found",
    )  # fmt: skip
    assert (route.status_code, route.headers["content-type"], route.text) == (
        404, "text/plain; charset=utf-8", "404 page not found\n",
    )  # fmt: skip
