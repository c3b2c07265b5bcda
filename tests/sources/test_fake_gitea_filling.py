"""Many repositories at once, and a forge in a process of its own: as true as one by one, and in this process."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pygit2
import pytest

from tests.fakes.asking import ask
from tests.fakes.gitea import FakeGitea
from tests.fakes.packing import Pack
from tests.fakes.serve import open_served_forge

pytestmark = pytest.mark.anyio


def files_of(number: int) -> dict[str, str | bytes] | None:
    """Five files, one of them large; the third repository is empty."""
    files: dict[str, str | bytes] = {".wiki/ё/b.md": "b", ".wiki/a.md": "a", ".wiki-old": b"\0", "big": "x" * 70_000}
    return None if number == 2 else {**files, ".tasks/STATUS.md": f"# Board {number}\n"}


async def test_many_at_once_are_the_same_as_one_by_one(forge: FakeGitea) -> None:
    heads = forge.add_many("ann", 3, files_of)
    alone = [forge.add(f"bob/{number}", files_of(number)) for number in range(3)]

    trees = [(await ask(forge, f"repos/{name}/git/trees/main?recursive=1")).json() for name in ("ann/r00001", "bob/1")]

    assert (list(heads), heads[2], len(set(heads))) == (alone, "", 3)
    assert [row["sha"] for row in trees[0]["tree"]] == [row["sha"] for row in trees[1]["tree"]]


async def test_many_are_listed_with_their_names_and_the_empty_one(forge: FakeGitea) -> None:
    forge.add_many("ann", 3, files_of, prefix="app", private=True)
    token = forge.token("t0ken", owners=["ann"])

    rows = (await ask(forge, "users/ann/repos", token=token)).json()

    assert [(row["name"], row["empty"], row["private"]) for row in rows] == [
        ("app00000", False, True), ("app00001", False, True), ("app00002", True, True),
    ]  # fmt: skip


async def test_one_of_many_is_pushed_to_as_any_other(forge: FakeGitea) -> None:
    first = forge.add_many("ann", 1, files_of)[0]
    second = forge.commit("ann/r00000", {".wiki/a.md": "new"}, remove=["big"])

    commits = (await ask(forge, "repos/ann/r00000/commits")).json()

    assert [commit["sha"] for commit in commits] == [second, first]
    assert (await ask(forge, "repos/ann/r00000/raw/.wiki/a.md")).text == "new"


def test_a_pack_is_read_by_others_and_whole(tmp_path: Path) -> None:
    pack = Pack()
    pack.tree({f"{number:03}/{number}.md": "line\n" * number for number in range(300)})
    git = pygit2.init_repository(str(tmp_path), bare=True)
    pack.write(tmp_path / "objects")

    assert sorted(str(oid) for oid in git) == sorted(oid.hex() for oid in pack.objects)
    assert {git[oid.hex()].read_raw() == content for oid, (_, content) in pack.objects.items()} == {True}


async def test_an_answer_is_given_again_only_until_something_is_pushed(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "old"})
    path = "repos/ann/a/raw/x"
    told = [(await ask(forge, path)).text, (await ask(forge, path)).text]
    forge.commit("ann/a", {"x": "new"}, bump=False)

    assert [*told, (await ask(forge, path)).text] == ["old", "old", "new"]


async def test_an_answer_is_not_given_again_to_who_may_not_have_it(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"}, private=True)
    token = forge.token("t0ken", owners=["ann"])

    asked = [await ask(forge, "repos/ann/a/raw/x", token=each) for each in (token, None)]

    assert [answer.status_code for answer in asked] == [200, 404]


async def test_a_search_found_once_is_found_anew_when_anything_changes(forge: FakeGitea) -> None:
    forge.add("ann/a")
    before = (await ask(forge, "repos/search")).json()["data"]
    forge["ann/a"].private = True

    assert (len(before), (await ask(forge, "repos/search")).json()["data"]) == (1, [])


def test_a_forge_in_its_own_process_is_told_from_afar_what_happens(tmp_path: Path) -> None:
    with open_served_forge(tmp_path, "forgejo-12") as (url, forge):
        heads = forge.add_many("ann", 2, files_of)
        forge.turn(latency_s=0.01)
        forge.turn_limits(items=1)
        head = forge.commit("ann/r00001", {"x": "1"})
        rows = httpx.get(f"{url}/api/v1/users/ann/repos", params={"limit": 50}).json()
        tree = httpx.get(f"{url}/api/v1/repos/ann/r00001/git/trees/main").json()

        assert ([row["name"] for row in rows], tree["sha"], head in heads) == (["r00000"], head, False)
        assert (forge.count(), forge.paths()[0], forge.cpu_s() > 0) == (2, "users/ann/repos", True)
        forge.forget_requests()
        assert (forge.count(), httpx.get(f"{url}/api/v1/version").json()["version"][:3]) == (0, "12.")


async def test_slow_answers_do_not_wait_for_each_other(forge: FakeGitea) -> None:
    forge.latency_s = 0.02

    await asyncio.gather(*[ask(forge, "version") for _ in range(20)])

    assert forge.max_in_flight == 20
