"""Branches and commits of the fake forge, with the counts that real ones get wrong."""

from __future__ import annotations

import pytest

from tests.fakes.asking import ask
from tests.fakes.bare import Link
from tests.fakes.dialects import DIALECTS
from tests.fakes.gitea import FakeGitea

pytestmark = pytest.mark.anyio

REPO = "repos/ann/a"
COMMITS = f"{REPO}/commits"


def push_many(forge: FakeGitea, count: int) -> list[str]:
    """Commits a minute apart; every one changes .wiki/a.md."""
    forge.add("ann/a", {"README.md": "x"})
    heads = []
    for number in range(count):
        forge.tick(60)
        heads.append(forge.commit("ann/a", {".wiki/a.md": str(number)}))
    return heads


async def shas(forge: FakeGitea, **query: str | int) -> list[str]:
    return [row["sha"] for row in (await ask(forge, COMMITS, query)).json()]


async def test_a_branch_leads_to_its_commit(forge: FakeGitea) -> None:
    head = forge.add("ann/a", {"x": "1"}, branch="feature/x")

    answers = [await ask(forge, f"{REPO}/branches/{name}") for name in ("feature/x", "feature%2Fx", "feature")]

    assert [answer.status_code for answer in answers] == [200, 200, 404]
    assert answers[0].json()["commit"]["id"] == head


async def test_what_changed_a_path_between_two_commits_is_one_question(forge: FakeGitea) -> None:
    heads = push_many(forge, 3)
    forge.commit("ann/a", {"code.py": "x"})

    assert await shas(forge, **{"sha": "main", "not": heads[0], "path": ".wiki"}) == [heads[2], heads[1]]


async def test_a_path_without_commits_is_not_found(forge: FakeGitea) -> None:
    push_many(forge, 1)

    assert (await ask(forge, COMMITS, {"path": "nope"})).status_code == 404


async def test_a_removed_file_still_has_its_commits(forge: FakeGitea) -> None:
    heads = push_many(forge, 1)
    last = forge.commit("ann/a", {}, remove=[".wiki/a.md"])

    assert await shas(forge, path=".wiki/a.md") == [last, heads[0]]


async def test_with_a_path_fifty_come_but_the_headers_count_by_thirty(forge: FakeGitea) -> None:
    push_many(forge, 55)

    answer = await ask(forge, COMMITS, {"path": ".wiki", "stat": "false", "files": "false"})

    told = [answer.headers[f"x-{name}"] for name in ("perpage", "pagecount", "hasmore", "total", "total-count", "page")]
    assert (len(answer.json()), told) == (50, ["30", "2", "true", "55", "55", "1"])


async def test_without_a_path_the_pages_are_as_asked(forge: FakeGitea) -> None:
    push_many(forge, 5)

    answer = await ask(forge, COMMITS, {"limit": 2, "page": 3})

    assert (len(answer.json()), answer.headers["x-total"], answer.headers["x-hasmore"]) == (2, "6", "false")


async def test_a_count_passes_over_since(forge: FakeGitea) -> None:
    push_many(forge, 4)

    answer = await ask(forge, COMMITS, {"path": ".wiki", "since": "2026-03-01T12:03:00Z"})

    assert (len(answer.json()), answer.headers["x-total"]) == (2, "4")


async def test_a_bad_date_is_refused_and_an_older_server_does_not_look(forge: FakeGitea) -> None:
    push_many(forge, 1)
    newer = await ask(forge, COMMITS, {"since": "yesterday"})
    forge.dialect = DIALECTS["gitea-1.24"]

    assert [newer.status_code, (await ask(forge, COMMITS, {"since": "yesterday"})).status_code] == [422, 200]


@pytest.mark.parametrize(
    ("query", "status", "body"),
    [
        ({"not": "f" * 40}, 500, ""),
        ({"sha": "nope", "path": ".wiki"}, 500, ""),
        ({"sha": "nope"}, 404, None),
    ],
)
async def test_an_unknown_end_or_start_is_an_error_of_its_own_kind(
    forge: FakeGitea, query: dict[str, str | int], status: int, body: str | None
) -> None:
    push_many(forge, 1)

    answer = await ask(forge, COMMITS, query)

    assert (answer.status_code, answer.json() and answer.json()["message"]) == (status, body)


async def test_a_commits_tree_is_called_by_the_commits_id(forge: FakeGitea) -> None:
    head = push_many(forge, 1)[0]

    assert (await ask(forge, COMMITS)).json()[0]["commit"]["tree"]["sha"] == head


async def test_a_commits_numbers_are_of_the_whole_commit(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1\n2\n", ".wiki/a.md": "a\n"})
    forge.commit("ann/a", {"y": "1\n2\n3\n", ".wiki/a.md": "b\n"}, remove=["x"])

    row = (await ask(forge, COMMITS, {"path": ".wiki"})).json()[0]

    assert row["stats"] == {"total": 7, "additions": 4, "deletions": 3}
    assert sorted((each["filename"], each["status"]) for each in row["files"]) == [
        (".wiki/a.md", "modified"),
        ("x", "removed"),
        ("y", "added"),
    ]


async def test_a_first_commit_is_all_new(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1\n2\n"})

    row = (await ask(forge, COMMITS)).json()[0]

    assert (row["stats"], row["files"], row["parents"]) == (
        {"total": 2, "additions": 2, "deletions": 0}, [{"filename": "x", "status": "added"}], [],
    )  # fmt: skip


async def test_numbers_and_files_are_left_out_when_nobody_wants_them(forge: FakeGitea) -> None:
    push_many(forge, 1)

    row = (await ask(forge, COMMITS, {"stat": "false", "files": "false", "verification": "false"})).json()[0]

    assert (row["stats"], row["files"], "verification" in row["commit"]) == (None, None, False)


async def test_old_servers_give_more_than_a_page_from_the_second_on(forge: FakeGitea) -> None:
    push_many(forge, 130)
    forge.dialect = DIALECTS["gitea-1.19"]

    pages = [await shas(forge, path=".wiki", stat="false", page=page) for page in (1, 2, 3)]

    assert [len(page) for page in pages] == [50, 80, 30]
    assert pages[1][50:] == pages[2]


async def test_what_became_a_link_is_not_among_a_commits_files(forge: FakeGitea) -> None:
    forge.add("ann/a", {".wiki/a.md": "page"})
    forge.commit("ann/a", {".wiki/a.md": Link("b.md"), "x": "1"})

    row = (await ask(forge, COMMITS, {"path": ".wiki", "stat": "false"})).json()[0]

    assert row["files"] == [{"filename": "x", "status": "added"}]
