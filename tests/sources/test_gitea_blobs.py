from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pipeline.errors import SourceUnreachable
from pipeline.model import RepoPath, Resolved, Selection
from pipeline.sources.gitea import Gitea
from tests.fakes.gitea import FakeGitea
from tests.sources.asking import look, read_all

pytestmark = pytest.mark.anyio

OpenGitea = Callable[..., Gitea]


@pytest.mark.parametrize(("count", "requests"), [(1, 1), (2, 1), (30, 1), (31, 2), (60, 2)])
async def test_thirty_files_come_in_one_answer(
    forge: FakeGitea, source: Gitea, selection: Selection, count: int, requests: int
) -> None:
    files = {f".wiki/concepts/page-{number:03}.md": f"text {number}" for number in range(count)}
    forge.add("ann/notes", files)
    head = await look(source, selection)
    forge.requests.clear()

    assert await read_all(source, head) == {path: text.encode() for path, text in files.items()}
    assert len(forge.requests) == requests


async def test_a_server_without_batches_is_asked_for_one_only_once(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.knows_batches = False
    forge.add("ann/a", {f".wiki/{number}.md": "x" for number in range(5)})
    forge.add("ann/b", {f".wiki/{number}.md": "x" for number in range(5)})
    heads = [await look(source, selection, place) for place in (0, 1)]
    forge.requests.clear()

    answers = [await read_all(source, head) for head in heads]

    assert [len(answer) for answer in answers] == [5, 5]
    assert len([path for path in forge.paths() if "file-contents" in path]) == 1
    assert len([path for path in forge.paths() if "/raw/" in path]) == 10


async def test_what_a_batch_leaves_out_is_asked_for_alone(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.limits.batch_files, forge.limits.blob_bytes = 3, 4
    files = {".wiki/1.md": "1", ".wiki/2.md": "too long", ".wiki/3.md": "3", ".wiki/4.md": "4"}
    forge.add("ann/notes", files)
    head = await look(source, selection)

    assert await read_all(source, head) == {path: text.encode() for path, text in files.items()}
    assert [path for path in forge.paths() if "/raw/" in path] == [
        "repos/ann/notes/raw/.wiki/2.md",
        "repos/ann/notes/raw/.wiki/4.md",
    ]


async def test_a_file_that_the_commit_does_not_have_is_none(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes", {".wiki/a.md": "x", ".wiki/b.md": "y"})
    head = await look(source, selection)
    found = head.entries or ()
    ghosts = tuple(replace(entry, path=RepoPath(f"{entry.path}~")) for entry in found)

    alone = await read_all(source, Resolved(revision=head.revision, trees=(), entries=ghosts[:1]))
    together = await read_all(source, Resolved(revision=head.revision, trees=(), entries=ghosts + found))

    assert alone == {".wiki/a.md~": None}
    assert together == {".wiki/a.md~": None, ".wiki/b.md~": None, ".wiki/a.md": b"x", ".wiki/b.md": b"y"}


async def test_bytes_are_of_the_commit_that_was_seen(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.add("ann/notes", {".wiki/a.md": "old", ".wiki/b.md": "b"})
    head = await look(source, selection)
    forge.commit("ann/notes", {".wiki/a.md": "new"}, remove=[".wiki/b.md"])

    assert await read_all(source, head) == {".wiki/a.md": b"old", ".wiki/b.md": b"b"}


async def test_single_files_are_of_the_commit_that_was_seen(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes", {".wiki/a.md": "old"})
    head = await look(source, selection)
    forge.commit("ann/notes", {".wiki/a.md": "new"})

    assert await read_all(source, head) == {".wiki/a.md": b"old"}


async def test_odd_names_are_asked_for_exactly(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.knows_batches = False
    files = {".wiki/a b#?&%20+.md": "1", ".wiki/ёж 🦔.md": "2", '.wiki/"q".md': "3"}
    forge.add("ann/notes", files)
    head = await look(source, selection)

    assert await read_all(source, head) == {path: text.encode() for path, text in files.items()}


async def test_single_files_are_read_eight_at_a_time(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.knows_batches, forge.latency_s = False, 0.002
    forge.add("ann/notes", {f".wiki/{number}.md": "x" for number in range(40)})

    await read_all(source, await look(source, selection))

    assert forge.max_in_flight == 8


async def test_a_dying_server_ends_the_reading_with_its_reason(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes", {f".wiki/{number}.md": "x" for number in range(40)})
    head = await look(source, selection)
    forge.fail("*/file-contents", status=503)

    with pytest.raises(SourceUnreachable, match="HTTP 503 after 3 tries"):
        await read_all(source, head)


async def test_a_batch_that_is_no_list_of_files_is_not_believed(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes", {".wiki/a.md": "x", ".wiki/b.md": "y"})
    head = await look(source, selection)
    forge.fail("*/file-contents", status=200, body='{"message": "no"}')

    with pytest.raises(SourceUnreachable, match="expected a list of file contents"):
        await read_all(source, head)


async def test_the_promised_number_of_requests_holds(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    for number in range(60):
        forge.add(f"ann/r{number}", {".tasks/STATUS.md": f"{number}", ".wiki/index.md": f"{number}"})
    listings = (await source.list_repositories()).listings
    heads = [await source.resolve(listing, selection, None) for listing in listings]
    answers = [await read_all(source, head) for head in heads if isinstance(head, Resolved)]

    assert (len(answers), len(forge.requests)) == (60, 2 + 60 + 60)
