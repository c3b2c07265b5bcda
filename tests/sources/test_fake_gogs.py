"""Gogs as the fake forge speaks it: most things otherwise, many in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.asking import ask
from tests.fakes.bare import Executable, Link, Submodule
from tests.fakes.gitea import FakeGitea, open_fake_forge

pytestmark = pytest.mark.anyio

REPO = "repos/ann/a"


@pytest.fixture
def forge(tmp_path: Path) -> FakeGitea:
    """A Gogs with Ann's token "anns"."""
    found = open_fake_forge(tmp_path, "gogs")
    found.token("anns", owners=["ann"])
    return found


def add_many(forge: FakeGitea, prefix: str, count: int) -> None:
    for number in range(count):
        forge.tick()
        forge.add(f"{prefix}{number:02}")


async def test_an_unknown_address_has_a_page_and_a_known_one_no_body(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    paths = ["version", "settings/api", "repositories/1", f"{REPO}/file-contents", f"{REPO}/raw/x?ref=main"]

    pages = [await ask(forge, path, token="anns") for path in paths]
    silent = [await ask(forge, path, token="anns") for path in ("repos/ann/nope", f"{REPO}/git/trees/nope")]

    assert {(answer.status_code, answer.headers["content-type"]) for answer in pages} == {
        (404, "text/html; charset=UTF-8")
    }
    assert [(answer.status_code, answer.content) for answer in silent] == [(404, b""), (404, b"")]


async def test_a_listing_is_one_piece_with_the_last_moved_first(forge: FakeGitea) -> None:
    add_many(forge, "ann/r", 60)

    answer = await ask(forge, "users/ann/repos", {"limit": 5, "page": 2}, token="anns")

    assert (len(answer.json()), answer.json()[0]["name"]) == (60, "r59")
    assert {"x-total-count", "link"}.isdisjoint(answer.headers)


async def test_a_listing_needs_a_token_and_a_bad_one_is_none(forge: FakeGitea) -> None:
    forge.add("ann/a")

    answers = [await ask(forge, "users/ann/repos", token=token) for token in (None, "expired")]

    assert [(answer.status_code, answer.content) for answer in answers] == [(401, b""), (401, b"")]
    assert [(await ask(forge, REPO, token=token)).status_code for token in (None, "expired")] == [200, 200]


async def test_others_get_the_public_ones_without_a_word(forge: FakeGitea) -> None:
    forge.token("bobs", owners=["bob"])
    forge.add("ann/a", private=True)
    forge.add("ann/b")

    answers = [await ask(forge, "users/ann/repos", token=token) for token in ("anns", "bobs")]

    assert [len(answer.json()) for answer in answers] == [2, 1]


async def test_ones_own_listing_has_what_one_works_on(forge: FakeGitea) -> None:
    forge.add("ann/a")
    forge.add("bob/shared", private=True)
    forge.collaborate("bob/shared", "ann")

    answers = [await ask(forge, path, token="anns") for path in ("users/ann/repos", "user/repos")]

    assert [sorted(row["name"] for row in answer.json()) for answer in answers] == [["a", "shared"]] * 2


async def test_a_row_has_fewer_fields(forge: FakeGitea) -> None:
    forge.add("ann/a", mirror=True)

    row = (await ask(forge, REPO)).json()

    assert {"archived", "internal", "topics", "has_wiki", "mirror_updated"}.isdisjoint(row)
    assert (row["owner"]["login"], row["mirror"], row["empty"]) == ("ann", True, True)


async def test_a_search_needs_a_word_and_links_forget_the_question(forge: FakeGitea) -> None:
    add_many(forge, "ann/app", 15)
    forge.make_private("ann/app00")

    nothing, public, own = [
        await ask(forge, f"repos/search?{query}", token="anns") for query in ("", "q=app", "q=app&uid=1&limit=20")
    ]

    assert [len(answer.json()["data"]) for answer in (nothing, public, own)] == [0, 10, 15]
    assert public.headers["link"].startswith("<http://gitea.internal:3000/api/v1/repos/search?page=2>;")
    assert "x-total-count" not in public.headers


async def test_an_owner_is_told_and_an_organisation_without_a_login(forge: FakeGitea) -> None:
    forge.add_user("ann")
    forge.add_organisation("team")

    user, team = [(await ask(forge, path, token="anns")).json() for path in ("users/ann", "orgs/team")]

    assert (user["id"], user["login"], team["id"], team["username"], "login" in team) == (1, "ann", 2, "team", False)
    assert [(await ask(forge, path)).status_code for path in ("users/ann", "orgs/team")] == [200, 401]


async def test_code_wants_a_token_even_where_it_is_public(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})

    assert (await ask(forge, f"{REPO}/contents/x")).status_code == 401


async def test_an_old_name_leads_nowhere(forge: FakeGitea) -> None:
    forge.add("ann/a")
    forge.rename("ann/a", "ann/b")

    assert (await ask(forge, REPO, token="anns")).status_code == 404


async def test_a_tree_is_one_level_and_every_file_a_symlink(forge: FakeGitea) -> None:
    forge.add("ann/a", {".wiki/a.md": "a", "l": Link("x"), "m": Submodule("a" * 40), "x": Executable("#!")})

    tree = (await ask(forge, f"{REPO}/git/trees/main?recursive=1&per_page=1", token="anns")).json()

    assert [(each["path"], each["mode"], each["type"], each["size"]) for each in tree["tree"]] == [
        (".wiki", "040000", "tree", 0),
        ("l", "120000", "blob", 1),
        ("m", "160000", "commit", 0),
        ("x", "120000", "blob", 2),
    ]
    assert (sorted(tree), tree["sha"]) == (["sha", "tree", "url"], "main")


async def test_a_tree_may_be_asked_for_by_id_or_path(forge: FakeGitea) -> None:
    forge.add("ann/a", {".wiki/a.md": "a"}, branch="feature/x")
    wiki = (await ask(forge, f"{REPO}/git/trees/feature%2Fx", token="anns")).json()["tree"][0]["sha"]

    trees = [await ask(forge, f"{REPO}/git/trees/{name}", token="anns") for name in (wiki, "HEAD%3A.wiki")]

    assert [tree.json()["tree"][0]["path"] for tree in trees] == ["a.md", "a.md"]


async def test_a_folder_brings_the_content_of_all_its_files(forge: FakeGitea) -> None:
    forge.add("ann/a", {".wiki/a.md": "a", ".wiki/d/b.md": "b", ".wiki/e.md": "", ".wiki/l": Link("a.md")})

    rows = (await ask(forge, f"{REPO}/contents/.wiki?ref=main", token="anns")).json()

    assert [(row["path"], row["type"], row.get("content"), row.get("target")) for row in rows] == [
        (".wiki/a.md", "file", "YQ==", None),
        (".wiki/d", "dir", None, None),
        (".wiki/e.md", "file", None, None),
        (".wiki/l", "symlink", None, "a.md"),
    ]


async def test_a_submodule_spoils_its_folder(forge: FakeGitea) -> None:
    forge.add("ann/a", {".wiki/a.md": "a", ".wiki/m": Submodule("a" * 40)})

    answers = [await ask(forge, f"{REPO}/contents/{path}", token="anns") for path in (".wiki", ".wiki/m", ".wiki/a.md")]

    assert [answer.status_code for answer in answers] == [500, 500, 200]


async def test_a_blob_by_its_id_and_an_unknown_one_is_an_error(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    sha = "56a6051ca2b02b04ef92d5150c9ef600403cb1de"

    answers = [await ask(forge, f"{REPO}/git/blobs/{name}", token="anns") for name in (sha, "f" * 40, sha[:8])]

    assert ([answer.status_code for answer in answers], answers[0].json()["content"]) == ([200, 500, 404], "MQ==")


async def test_a_raw_file_has_its_ref_in_the_path_and_no_tag(forge: FakeGitea) -> None:
    head = forge.add("ann/a", {"d/x": "1", "l": Link("d/x"), "m": Submodule("a" * 40)}, branch="feature/x")
    paths = ["feature/x/d/x", f"{head}/d/x", "feature/x/nope", "feature/x/d", "feature/x/l", "feature/x/m"]

    answers = [await ask(forge, f"{REPO}/raw/{path}", token="anns") for path in paths]

    assert [answer.status_code for answer in answers] == [200, 200, 404, 500, 500, 500]
    assert ("etag" in answers[0].headers, answers[0].headers["last-modified"]) == (
        False, "Sun, 01 Mar 2026 12:00:00 GMT",
    )  # fmt: skip


async def test_an_empty_repository_has_nothing_to_say(forge: FakeGitea) -> None:
    forge.add("ann/a")
    paths = ["contents/x", "git/trees/main", "branches/main", "commits/main"]

    answers = [await ask(forge, f"{REPO}/{path}", token="anns") for path in paths]

    assert {(answer.status_code, answer.content) for answer in answers} == {(404, b"")}


async def test_a_head_is_asked_for_as_plain_text(forge: FakeGitea) -> None:
    head = forge.add("ann/a", {"x": "1"}, branch="feature/x")
    accept = {"Accept": "application/vnd.gogs.sha"}

    refs = ["feature/x", "feature%2Fx", "nope"]
    answers = [await ask(forge, f"{REPO}/commits/{ref}", token="anns", headers=accept) for ref in refs]

    assert [(answer.status_code, answer.text) for answer in answers] == [(200, head), (200, head), (404, "")]


async def test_commits_are_of_the_head_alone(forge: FakeGitea) -> None:
    heads = [forge.add("ann/a", {"x": "1"}), forge.commit("ann/a", {"x": "2"}), forge.commit("ann/a", {"x": "3"})]

    rows = (await ask(forge, f"{REPO}/commits?pageSize=2&sha={heads[0]}&page=2", token="anns")).json()

    assert [row["sha"] for row in rows] == [heads[2], heads[1]]


async def test_a_branch_leads_to_its_commit(forge: FakeGitea) -> None:
    head = forge.add("ann/a", {"x": "1"}, branch="feature/x")

    assert (await ask(forge, f"{REPO}/branches/feature/x", token="anns")).json()["commit"]["id"] == head
