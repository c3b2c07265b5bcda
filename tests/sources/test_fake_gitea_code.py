"""Trees and files of the fake forge: what real ones answer of them, odd as it is."""

from __future__ import annotations

import pytest

from tests.fakes.asking import ask, post
from tests.fakes.bare import Executable, Link, Submodule, lfs_pointer
from tests.fakes.gitea import FakeGitea

pytestmark = pytest.mark.anyio

REPO = "repos/ann/a"


# --- empty ---


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("raw/x", 404, "repository is empty"),
        ("git/trees/main", 400, "sha not found [main]"),
        ("commits", 409, "Git Repository is empty."),
        ("branches/main", 404, "not found"),
        ("contents/x", 404, "not found"),
        ("contents", 404, "not found"),
    ],
)
async def test_an_empty_repository_refuses_each_question_in_its_own_way(
    forge: FakeGitea, path: str, status: int, message: str
) -> None:
    forge.add("ann/a")

    answer = await ask(forge, f"{REPO}/{path}")

    assert (answer.status_code, answer.json()["message"]) == (status, message)


# --- trees ---


async def test_a_tree_is_named_by_what_was_asked_for(forge: FakeGitea) -> None:
    head = forge.add("ann/a", {".wiki/a.md": "a"})
    note = forge.tag("ann/a", "v1", message="One")
    forge.tag("ann/a", "v0")
    wiki = (await ask(forge, f"{REPO}/git/trees/main")).json()["tree"][0]["sha"]

    asked = ["main", "HEAD", head, "v0", "v1", "main%3A.wiki", wiki]
    told = [(await ask(forge, f"{REPO}/git/trees/{name}")).json()["sha"] for name in asked]

    assert told == [head, head, head, head, note, wiki, wiki]


@pytest.mark.parametrize("name", ["nope", "f" * 40, "main%3Anope", "main%3Ax"])
async def test_an_unknown_tree_is_a_bad_request(forge: FakeGitea, name: str) -> None:
    forge.add("ann/a", {"x": "1"})

    answer = await ask(forge, f"{REPO}/git/trees/{name}")

    assert (answer.status_code, answer.json()["message"]) == (400, f"sha not found [{name.replace('%3A', ':')}]")


async def test_a_tree_comes_in_pages_and_past_the_end_as_null(forge: FakeGitea) -> None:
    forge.limits.tree_entries = 2
    forge.add("ann/a", {"x": "1", "y": "1", "z": "1"})

    pages = [(await ask(forge, f"{REPO}/git/trees/main", {"page": page})).json() for page in (1, 2, 3)]

    assert [[entry["path"] for entry in page["tree"] or ()] for page in pages] == [["x", "y"], ["z"], []]
    assert [(page["truncated"], page["total_count"], page["page"]) for page in pages] == [
        (True, 3, 1), (False, 3, 2), (False, 3, 3),
    ]  # fmt: skip
    assert pages[2]["tree"] is None


async def test_a_page_is_as_small_as_asked_and_no_larger_than_the_servers(forge: FakeGitea) -> None:
    forge.limits.tree_entries = 2
    forge.add("ann/a", {"x": "1", "y": "1", "z": "1"})

    answers = [await ask(forge, f"{REPO}/git/trees/main", {"per_page": size}) for size in (1, 9, 0)]

    assert [len(answer.json()["tree"]) for answer in answers] == [1, 2, 2]
    assert answers[0].headers["x-total-count"] == "3"


async def test_a_tree_tells_modes_types_and_sizes(forge: FakeGitea) -> None:
    forge.add("ann/a", {"d/f": "12", "l": Link("to"), "m": Submodule("a" * 40), "x": Executable("#!")})

    entries = (await ask(forge, f"{REPO}/git/trees/main", {"recursive": 1})).json()["tree"]

    assert [(each["path"], each["mode"], each["type"], each["size"]) for each in entries] == [
        ("d", "040000", "tree", 0),
        ("d/f", "100644", "blob", 2),
        ("l", "120000", "blob", 2),
        ("m", "160000", "commit", 0),
        ("x", "100755", "blob", 2),
    ]
    assert (entries[3]["sha"], entries[3]["url"]) == ("a" * 40, "")


async def test_paths_are_told_as_they_are(forge: FakeGitea) -> None:
    paths = ["a b.md", "a#b?.md", "a%20b.md", "ёж.md"]
    forge.add("ann/a", dict.fromkeys(paths, "x"))

    entries = (await ask(forge, f"{REPO}/git/trees/main")).json()["tree"]

    assert [entry["path"] for entry in entries] == ["a b.md", "a#b?.md", "a%20b.md", "ёж.md"]


async def test_folders_of_dots_come_before_letters_and_a_folder_as_if_it_ended_in_a_slash(forge: FakeGitea) -> None:
    forge.add("ann/a", dict.fromkeys(["A", "0", ".wiki/a", ".wiki-old", ".wiki.md", ".tasks/b"], "x"))

    entries = (await ask(forge, f"{REPO}/git/trees/main")).json()["tree"]

    assert [entry["path"] for entry in entries] == [".tasks", ".wiki-old", ".wiki.md", ".wiki", "0", "A"]


async def test_a_branch_with_a_slash_is_one_encoded_segment(forge: FakeGitea) -> None:
    head = forge.add("ann/a", {"x": "1"}, branch="feature/x")

    encoded, plain = [await ask(forge, f"{REPO}/git/trees/feature{slash}x") for slash in ("%2F", "/")]

    assert (encoded.json()["sha"], plain.status_code) == (head, 404)


# --- blobs ---


async def test_a_blob_says_what_is_stored_elsewhere(forge: FakeGitea) -> None:
    forge.add("ann/a", {"big.bin": lfs_pointer("e" * 64, 12345)})
    sha = (await ask(forge, f"{REPO}/git/trees/main")).json()["tree"][0]["sha"]

    blob = (await ask(forge, f"{REPO}/git/blobs/{sha}")).json()

    assert (blob["lfs_oid"], blob["lfs_size"]) == ("e" * 64, 12345)


async def test_a_blob_is_found_by_its_whole_id_alone(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "hello"})
    sha = (await ask(forge, f"{REPO}/git/trees/main")).json()["tree"][0]["sha"]

    found, *refused = [await ask(forge, f"{REPO}/git/blobs/{name}") for name in (sha, sha[:8], "f" * 40, "main")]

    assert (found.json()["content"], found.json()["encoding"], found.json()["size"]) == ("aGVsbG8=", "base64", 5)
    assert [answer.status_code for answer in refused] == [400, 400, 400]


# --- raw ---


async def test_an_unknown_ref_quietly_means_the_default_branch(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "main"})

    unknown, gone = [await ask(forge, f"{REPO}/raw/x", {"ref": ref}) for ref in ("no-such-branch", "f" * 40)]

    assert (unknown.status_code, unknown.text) == (200, "main")
    assert (gone.status_code, gone.json()["message"]) == (404, "unable to find a git ref")


async def test_a_raw_file_is_of_the_ref_that_was_asked_for(forge: FakeGitea) -> None:
    old = forge.add("ann/a", {"x": "old"})
    forge.tag("ann/a", "v1")
    forge.commit("ann/a", {"x": "new"})
    forge.commit("ann/a", {"x": "side"}, branch="a/b")

    texts = [(await ask(forge, f"{REPO}/raw/x", {"ref": ref})).text for ref in (old, "v1", "main", "HEAD", "a/b")]

    assert texts == ["old", "old", "new", "new", "side"]


async def test_without_a_ref_a_path_may_begin_with_a_branch(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "main"})
    forge.commit("ann/a", {"x": "side"}, branch="side")

    assert [(await ask(forge, f"{REPO}/raw/{path}")).text for path in ("x", "side/x")] == ["main", "side"]


async def test_a_raw_symlink_is_its_target_and_a_folder_is_not_found(forge: FakeGitea) -> None:
    pointer = lfs_pointer("e" * 64, 12345)
    forge.add("ann/a", {"d/f": "1", "l": Link("d/f"), "m": Submodule("a" * 40), "big.bin": pointer})

    link, stored, folder, module = [await ask(forge, f"{REPO}/raw/{path}") for path in ("l", "big.bin", "d", "m")]

    assert (link.text, link.headers["x-gitea-object-type"], stored.text) == ("d/f", "symlink", pointer)
    assert (folder.status_code, module.status_code) == (404, 404)


async def test_a_tag_is_the_blobs_id_and_known_by_all_its_forms(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "hello"})
    first = await ask(forge, f"{REPO}/raw/x")
    etag = first.headers["etag"]

    known = [f"W/{etag}", f'"nope", {etag}', etag]
    answers = [await ask(forge, f"{REPO}/raw/x", headers={"If-None-Match": tag}) for tag in [*known, "*", '"nope"']]

    assert etag == '"b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0"'
    assert [answer.status_code for answer in answers] == [304, 304, 304, 200, 200]
    assert (answers[0].content, answers[0].headers["etag"]) == (b"", etag)


async def test_a_time_is_believed_after_the_tag_has_missed_and_so_wrongly(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "old"})
    seen = await ask(forge, f"{REPO}/raw/x")
    forge.commit("ann/a", {"x": "new"})
    headers = {"If-None-Match": seen.headers["etag"], "If-Modified-Since": seen.headers["last-modified"]}

    assert (await ask(forge, f"{REPO}/raw/x", headers=headers)).status_code == 304
    assert (await ask(forge, f"{REPO}/raw/x", headers={"If-None-Match": seen.headers["etag"]})).text == "new"


async def test_a_file_was_modified_when_a_commit_last_touched_it(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    forge.tick(3600)
    forge.commit("ann/a", {"y": "1"})

    answers = [await ask(forge, f"{REPO}/raw/{path}") for path in ("x", "y")]

    assert [answer.headers["last-modified"] for answer in answers] == [
        "Sun, 01 Mar 2026 12:00:00 GMT",
        "Sun, 01 Mar 2026 13:00:00 GMT",
    ]


# --- contents ---


async def test_a_file_comes_with_its_content_and_a_folder_as_a_list_without_any(forge: FakeGitea) -> None:
    head = forge.add("ann/a", {"d/f": "hi", "d/l": Link("f"), "d/m": Submodule("a" * 40), "d/e/g": "1"})

    file, folder = [(await ask(forge, f"{REPO}/contents/{path}")).json() for path in ("d/f", "d")]

    assert (file["content"], file["encoding"], file["last_commit_sha"]) == ("aGk=", "base64", head)
    assert [(each["path"], each["type"], each["content"], each["target"]) for each in folder] == [
        ("d/e", "dir", None, None),
        ("d/f", "file", None, None),
        ("d/l", "symlink", None, "f"),
        ("d/m", "submodule", None, None),
    ]


async def test_a_missing_path_is_told_by_where_it_was_missed(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})

    answer = await ask(forge, f"{REPO}/contents/nope")

    assert (answer.status_code, answer.json()["message"]) == (404, "GetContentsOrList")


@pytest.mark.parametrize("ref", ["nope", "f" * 40])
async def test_contents_do_not_fall_back(forge: FakeGitea, ref: str) -> None:
    forge.add("ann/a", {"x": "1"})

    assert (await ask(forge, f"{REPO}/contents/x", {"ref": ref})).status_code == 404


async def test_contents_too_large_are_null(forge: FakeGitea) -> None:
    forge.limits.blob_bytes = 4
    forge.add("ann/a", {"x": "12345"})

    row = (await ask(forge, f"{REPO}/contents/x")).json()

    assert (row["content"], row["encoding"], row["size"]) == (None, None, 5)


# --- many at once ---


def asked_for(*paths: str) -> str:
    return '{"files":["' + '","'.join(paths) + '"]}'


async def test_a_batch_is_in_the_order_of_the_question_with_null_for_the_missing(forge: FakeGitea) -> None:
    forge.limits.blob_bytes = 4
    forge.add("ann/a", {"x": "1", "y": "12345", "big": lfs_pointer("e" * 64, 7)[:4]})

    rows = (await ask(forge, f"{REPO}/file-contents", {"body": asked_for("y", "nope", "x")})).json()

    assert [row and (row["path"], row["content"]) for row in rows] == [("y", None), None, ("x", "MQ==")]


async def test_a_batch_is_silently_cut_by_number_and_by_weight(forge: FakeGitea) -> None:
    paths = [f"{number:02}" for number in range(31)]
    forge.add("ann/a", dict.fromkeys(paths, "123"))
    by_number = (await ask(forge, f"{REPO}/file-contents", {"body": asked_for(*paths)})).json()
    forge.limits.response_bytes = 10

    by_weight = (await ask(forge, f"{REPO}/file-contents", {"body": asked_for(*paths)})).json()

    assert (len(by_number), len(by_weight)) == (30, 2)


async def test_a_batch_says_what_is_stored_elsewhere(forge: FakeGitea) -> None:
    forge.add("ann/a", {"big.bin": lfs_pointer("e" * 64, 12345), "x": "1"})

    big, small = (await ask(forge, f"{REPO}/file-contents", {"body": asked_for("big.bin", "x")})).json()

    assert (big["lfs_oid"], big["lfs_size"], "lfs_oid" in small) == ("e" * 64, 12345, False)


@pytest.mark.parametrize(("query", "status"), [({"body": "{"}, 400), ({"body": asked_for("x"), "ref": "nope"}, 404)])
async def test_a_batch_of_nonsense_or_of_no_ref_is_refused(
    forge: FakeGitea, query: dict[str, str | int], status: int
) -> None:
    forge.add("ann/a", {"x": "1"})

    assert (await ask(forge, f"{REPO}/file-contents", query)).status_code == status


async def test_a_batch_of_nothing_is_empty_and_a_path_out_of_the_tree_breaks_it(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    bodies = ["{}", asked_for("x", ""), asked_for("x", "../x")]

    empty, *broken = [await ask(forge, f"{REPO}/file-contents", {"body": body}) for body in bodies]

    assert (empty.json(), [(each.status_code, each.text[:9]) for each in broken]) == ([], [(500, "<!DOCTYPE")] * 2)


async def test_a_batch_has_rows_without_content_for_what_is_no_file(forge: FakeGitea) -> None:
    forge.add("ann/a", {"d/f": "1", "l": Link("d/f"), "m": Submodule("a" * 40)})

    rows = (await ask(forge, f"{REPO}/file-contents", {"body": asked_for("d", "l", "m")})).json()

    assert [(row["type"], row["encoding"], row["content"]) for row in rows] == [
        ("dir", None, None), ("symlink", None, None), ("submodule", None, None),
    ]  # fmt: skip


async def test_a_batch_that_is_posted_needs_a_token_that_may_write(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    reader, writer = [forge.token(scope, scopes=(f"{scope}:repository",)) for scope in ("read", "write")]

    answers = [await post(forge, f"{REPO}/file-contents", {"files": ["x"]}, token=each) for each in (reader, writer)]

    assert [answer.status_code for answer in answers] == [403, 200]
    assert answers[1].json()[0]["content"] == "MQ=="
