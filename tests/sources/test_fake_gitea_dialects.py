"""What tells the fake forge's servers apart."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes.asking import ask
from tests.fakes.dialects import DIALECTS
from tests.fakes.gitea import FakeGitea, open_fake_forge

pytestmark = pytest.mark.anyio

Open = Callable[[str], FakeGitea]
SIX = ["gitea-1.19", "gitea-1.24", "gitea-1.25", "gitea-1.26", "forgejo-11", "forgejo-12"]
BATCH = ("repos/ann/a/file-contents", {"body": '{"files":["x"]}'})


@pytest.fixture
def open_forge(tmp_path: Path) -> Open:
    """Open a server with one repository."""

    def opened(dialect: str) -> FakeGitea:
        (tmp_path / dialect).mkdir()
        forge = open_fake_forge(tmp_path / dialect, dialect)
        forge.add("ann/a", {"x": "1"})
        return forge

    return opened


@pytest.mark.parametrize(
    ("dialect", "version"),
    [
        ("gitea-1.19", "1.19.4"),
        ("gitea-1.25", "1.25.4"),
        ("gitea-1.26-dev", "1.26.0+dev-123-gabc1234"),
        ("gitea-1.27", "1.27.1"),
        ("forgejo-11", "11.0.1+gitea-1.22.0"),
    ],
)
async def test_a_server_says_its_version_in_its_own_way(open_forge: Open, dialect: str, version: str) -> None:
    assert (await ask(open_forge(dialect), "version")).json() == {"version": version}


@pytest.mark.parametrize(("dialect", "status"), list(zip(SIX, [404, 200, 200, 200, 404, 404], strict=True)))
async def test_a_batch_of_contents_is_giteas_since_1_24(open_forge: Open, dialect: str, status: int) -> None:
    assert (await ask(open_forge(dialect), *BATCH)).status_code == status


@pytest.mark.parametrize(("dialect", "status"), list(zip(SIX, [404, 404, 404, 404, 404, 200], strict=True)))
async def test_a_batch_of_blobs_is_forgejos_since_12(open_forge: Open, dialect: str, status: int) -> None:
    query: dict[str, str | int] = {"shas": "56a6051ca2b02b04ef92d5150c9ef600403cb1de"}

    assert (await ask(open_forge(dialect), "repos/ann/a/git/blobs", query)).status_code == status


async def test_a_batch_of_blobs_is_cut_at_fifty_and_spoilt_by_one_bad_id(open_forge: Open) -> None:
    forge = open_forge("forgejo-12")
    sha = "56a6051ca2b02b04ef92d5150c9ef600403cb1de"

    many, bad, none = [
        await ask(forge, "repos/ann/a/git/blobs", {"shas": shas}) for shas in (",".join([sha] * 60), f"{sha},nope", "")
    ]

    assert (len(many.json()), many.json()[0]["content"], many.json()[0]["sha"]) == (50, "MQ==", sha)
    assert (bad.status_code, none.status_code) == (400, 400)


@pytest.mark.parametrize(("dialect", "status"), list(zip(SIX, [307, 301, 301, 301, 301, 301], strict=True)))
async def test_an_old_name_redirects_for_now_or_for_good(open_forge: Open, dialect: str, status: int) -> None:
    forge = open_forge(dialect)
    forge.rename("ann/a", "ann/b")

    assert (await ask(forge, "repos/ann/a")).status_code == status


@pytest.mark.parametrize(
    ("dialect", "message"),
    list(zip(SIX, [*["Цель не найдена."] * 2, *["not found"] * 2, *["Цель не найдена."] * 2], strict=True)),
)
async def test_some_say_not_found_in_the_readers_language(open_forge: Open, dialect: str, message: str) -> None:
    answer = await ask(open_forge(dialect), "repos/ann/nope", headers={"Accept-Language": "ru-RU,ru"})

    assert (answer.status_code, answer.json()["message"]) == (404, message)


@pytest.mark.parametrize(("dialect", "status"), list(zip(SIX, [404, 200, 200, 200, 404, 404], strict=True)))
async def test_an_unknown_ref_of_a_raw_file_means_the_default_branch_since_1_24(
    open_forge: Open, dialect: str, status: int
) -> None:
    assert (await ask(open_forge(dialect), "repos/ann/a/raw/x", {"ref": "nope"})).status_code == status


@pytest.mark.parametrize("dialect", ["gitea-1.19", "forgejo-12"])
async def test_before_that_a_ref_is_whatever_leads_to_a_commit(open_forge: Open, dialect: str) -> None:
    forge = open_forge(dialect)
    refs = ["main", "HEAD", forge.head("ann/a"), forge.head("ann/a")[:9]]

    answers = [await ask(forge, "repos/ann/a/raw/x", {"ref": ref}) for ref in refs]

    assert [answer.text for answer in answers] == ["1", "1", "1", "1"]


@pytest.mark.parametrize(
    ("dialect", "raw", "message", "contents"),
    [
        ("gitea-1.19", 500, "", 200),
        ("gitea-1.24", 404, "repository is empty", 404),
        ("gitea-1.25", 404, "repository is empty", 404),
        ("forgejo-12", 404, "The target couldn't be found.", 200),
    ],
)
async def test_an_empty_repository_is_refused_in_many_ways(
    open_forge: Open, dialect: str, raw: int, message: str, contents: int
) -> None:
    forge = open_forge(dialect)
    forge.add("ann/empty")

    asked, listed = [await ask(forge, f"repos/ann/empty/{path}") for path in ("raw/x", "contents/x")]

    assert (asked.status_code, asked.json()["message"], listed.status_code) == (raw, message, contents)


@pytest.mark.parametrize(
    ("dialect", "written"), [("gitea-1.19", "12:01:00"), ("gitea-1.25", "12:00:00"), ("forgejo-12", "12:01:00")]
)
async def test_settings_move_the_time_on_some(open_forge: Open, dialect: str, written: str) -> None:
    forge = open_forge(dialect)
    forge.tick(60)
    forge.archive("ann/a")
    forge.make_private("ann/a", private=False)
    forge.set_default_branch("ann/a", "main")
    forge.rename("ann/a", "ann/b")

    assert (await ask(forge, "repos/ann/b")).json()["updated_at"] == f"2026-03-01T{written}Z"


@pytest.mark.parametrize(("dialect", "status"), [("gitea-1.25", 301), ("gitea-1.19", 307), ("forgejo-12", 404)])
async def test_a_hidden_repositorys_new_name_is_told_to_anybody_or_not(
    open_forge: Open, dialect: str, status: int
) -> None:
    forge = open_forge(dialect)
    forge.make_private("ann/a")
    forge.rename("ann/a", "ann/b")

    assert (await ask(forge, "repos/ann/a")).status_code == status


@pytest.mark.parametrize(("dialect", "listed"), [("gitea-1.25", 1), ("gitea-1.19", 0), ("forgejo-12", 1)])
async def test_without_the_right_to_code_a_row_is_there_or_only_counted(
    open_forge: Open, dialect: str, listed: int
) -> None:
    forge = open_forge(dialect)
    forge.withdraw("ann/a")

    answer = await ask(forge, "users/ann/repos")

    assert (len(answer.json()), answer.headers["x-total-count"]) == (listed, "1")


@pytest.mark.parametrize(
    ("dialect", "words"),
    [
        ("gitea-1.25", "token does not have at least one of required scope(s), required=[read:user], token scope=x"),
        ("forgejo-12", "token does not have at least one of required scope(s): [read:user]"),
    ],
)
async def test_a_missing_scope_is_worded_in_two_ways(open_forge: Open, dialect: str, words: str) -> None:
    forge = open_forge(dialect)

    assert (await ask(forge, "users/ann", token=forge.token("t0ken", scopes=("x",)))).json()["message"] == words


async def test_a_batch_of_blobs_brings_any_object_as_it_is_stored(open_forge: Open) -> None:
    forge = open_forge("forgejo-12")

    row = (await ask(forge, "repos/ann/a/git/blobs", {"shas": forge.head("ann/a")})).json()[0]

    assert b64decode(row["content"]).startswith(b"tree 4afd8b31")


async def test_the_last_change_of_a_file_has_a_name_of_its_own_on_each(open_forge: Open) -> None:
    forges = [open_forge(dialect) for dialect in ("gitea-1.19", "gitea-1.25", "forgejo-12")]
    rows = [(await ask(forge, "repos/ann/a/contents/x")).json() for forge in forges]

    assert [sorted({"last_committer_date", "last_author_date", "last_commit_when"} & set(row)) for row in rows] == [
        [], ["last_author_date", "last_committer_date"], ["last_commit_when"],
    ]  # fmt: skip


async def test_the_newest_say_no_more_of_what_is_not_found(open_forge: Open) -> None:
    answers = [await ask(open_forge(dialect), "repos/ann/nope") for dialect in ("gitea-1.26", "gitea-1.27")]

    assert [answer.json().get("errors", "-") for answer in answers] == [None, "-"]


async def test_a_weak_tag_is_unknown_to_the_oldest(open_forge: Open) -> None:
    forges = [open_forge(dialect) for dialect in ("gitea-1.19", "gitea-1.24")]
    weak = {"If-None-Match": 'W/"56a6051ca2b02b04ef92d5150c9ef600403cb1de"'}

    assert [(await ask(forge, "repos/ann/a/raw/x", headers=weak)).status_code for forge in forges] == [200, 304]


@pytest.mark.parametrize(
    ("dialect", "statuses"),
    [("gitea-1.19", [200, 404, 200, 200]), ("gitea-1.25", [200, 200, 200, 200]), ("gogs", [200, 404, 404, 404])],
)
async def test_the_scheme_of_a_token_is_read_more_or_less_strictly(
    open_forge: Open, dialect: str, statuses: list[int]
) -> None:
    forge = open_forge(dialect)
    forge.token("t0ken", owners=["ann"])
    forge.make_private("ann/a")
    headers = [{"Authorization": f"{scheme} t0ken"} for scheme in ("token", "Token", "Bearer", "bearer")]

    assert [(await ask(forge, "repos/ann/a", headers=each)).status_code for each in headers] == statuses


async def test_for_the_oldest_a_bad_token_is_nobody(open_forge: Open) -> None:
    forge = open_forge("gitea-1.19")

    code, number = [await ask(forge, path, token="expired") for path in ("repos/ann/a/raw/x", "user/repos")]

    assert (code.status_code, number.status_code) == (200, 401)


async def test_an_older_server_words_a_bad_token_otherwise(open_forge: Open) -> None:
    answer = await ask(open_forge("forgejo-12"), "version", token="expired")

    assert (answer.status_code, answer.json()["message"]) == (401, "user does not exist [uid: 0, name: ]")


async def test_the_oldest_has_scopes_of_other_words(open_forge: Open) -> None:
    forge = open_forge("gitea-1.19")
    tokens = [forge.token("old"), forge.token("none", scopes=("notification",))]

    answers = [await ask(forge, path, token=token) for token in tokens for path in ("user/repos", "users/ann/repos")]

    assert [answer.status_code for answer in answers] == [200, 200, 403, 200]


async def test_the_oldest_does_not_know_not_and_fails_at_an_unknown_start(open_forge: Open) -> None:
    forge = open_forge("gitea-1.19")
    head = forge.head("ann/a")

    answers = [await ask(forge, "repos/ann/a/commits", query) for query in ({"not": head}, {"sha": "nope"})]

    assert (len(answers[0].json()), answers[1].status_code) == (1, 500)


async def test_the_oldest_sorts_by_less(open_forge: Open) -> None:
    forges = [open_forge(dialect) for dialect in ("gitea-1.19", "gitea-1.24")]

    answers = [await ask(forge, "repos/search", {"sort": "git_size"}) for forge in forges]

    assert [answer.status_code for answer in answers] == [422, 200]


async def test_only_the_newer_tell_the_unit_of_code_and_the_weight_of_an_answer(open_forge: Open) -> None:
    forges = [open_forge(dialect) for dialect in ("gitea-1.19", "gitea-1.24", "gitea-1.25")]

    rows = [(await ask(forge, "repos/ann/a")).json() for forge in forges]
    limits = [(await ask(forge, "settings/api")).json() for forge in forges]

    assert ["has_code" in row for row in rows] == [False, False, True]
    assert [each.get("default_max_response_size") for each in limits] == [None, 104857600, 104857600]


async def test_forgejo_names_the_type_of_a_file_twice(open_forge: Open) -> None:
    answer = await ask(open_forge("forgejo-12"), "repos/ann/a/raw/x")

    assert [answer.headers[f"x-{name}-object-type"] for name in ("gitea", "forgejo")] == ["file", "file"]


async def test_what_is_too_large_is_null_or_empty(open_forge: Open) -> None:
    forges = [open_forge(dialect) for dialect in ("gitea-1.25", "forgejo-12")]
    forges[0].limits.blob_bytes = forges[1].limits.blob_bytes = 0

    rows = [(await ask(forge, "repos/ann/a/contents/x")).json() for forge in forges]

    assert [(row["content"], row["size"]) for row in rows] == [(None, 1), ("", 1)]


async def test_later_ones_count_what_since_leaves(open_forge: Open) -> None:
    forges = [open_forge(dialect) for dialect in ("gitea-1.26", "gitea-1.27")]
    query: dict[str, str | int] = {"since": "2030-01-01T00:00:00Z"}

    assert [(await ask(forge, "repos/ann/a/commits", query)).headers["x-total"] for forge in forges] == ["1", "0"]


def test_every_row_has_a_version_of_its_own() -> None:
    versions = [dialect.version for dialect in DIALECTS.values()]

    assert len(set(versions)) == len(DIALECTS)
