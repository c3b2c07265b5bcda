from __future__ import annotations

import tarfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pipeline.model import RepoPath, Resolved, Selection, TreeEntry
from pipeline.sources.gitea import Gitea
from pipeline.sources.gitea_archive import archive_paths
from tests.fakes import faults
from tests.fakes.bare import Link, Stored, Submodule
from tests.fakes.dialects import GITEA_1_25
from tests.fakes.gitea import FakeGitea, open_fake_forge
from tests.fakes.tarballs import member, pack
from tests.fakes.virtual_clock import VirtualClock
from tests.sources.asking import look, read_all
from tests.sources.conftest import open_gitea

pytestmark = pytest.mark.anyio

PAGES = {f".wiki/страница {number:03}.md": f"# Страница {number}\n" for number in range(200)}
BYTES = {path: text.encode() for path, text in PAGES.items()}
MIB = 1 << 20
FAKE = {path: content[::-1] for path, content in BYTES.items()}
PROBE = "repos/ann/notes/archive/no such ref.bundle"
ARCHIVE = "*/archive/*.tar.gz"


@pytest.fixture
def forge(tmp_path: Path) -> FakeGitea:
    return open_fake_forge(tmp_path, "gitea-1.26")


async def look_and_forget(forge: FakeGitea, source: Gitea, selection: Selection, place: int = 0) -> Resolved:
    """A head; the questions that it took are not counted."""
    head = await look(source, selection, place)
    forge.requests.clear()
    return head


async def test_two_hundred_files_come_in_one_archive(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.add("ann/Notes", PAGES | {"src/main.py": "x"})
    head = await look_and_forget(forge, source, selection)

    assert await read_all(source, head) == BYTES
    assert forge.paths() == [
        "repos/ann/Notes/archive/no such ref.bundle",
        f"repos/ann/Notes/archive/{head.revision.commit}.tar.gz",
    ]
    assert [request.query for request in forge.requests] == [(("path", ".wiki"),)] * 2


async def test_whether_there_are_archives_is_asked_once(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.add("ann/a", PAGES)
    forge.add("ann/b", PAGES | {".tasks/STATUS.md": "# B\n"})
    await read_all(source, await look(source, selection))
    head = await look_and_forget(forge, source, selection, 1)

    brought = await read_all(source, head)

    assert brought == BYTES | {".tasks/STATUS.md": b"# B\n"}
    assert forge.paths() == [f"repos/ann/b/archive/{head.revision.commit}.tar.gz"]
    assert forge.requests[0].query == (("path", ".tasks/STATUS.md"), ("path", ".wiki"))
    assert source.traits["archives"] == "by path"


@pytest.mark.parametrize(("count", "archives", "batches"), [(60, 0, 2), (61, 2, 0)])
async def test_only_for_more_than_sixty_files_an_archive_is_asked_for(
    forge: FakeGitea, source: Gitea, selection: Selection, count: int, archives: int, batches: int
) -> None:
    forge.add("ann/notes", dict(list(PAGES.items())[:count]))
    head = await look_and_forget(forge, source, selection)

    assert len(await read_all(source, head)) == count
    assert len([path for path in forge.paths() if "/archive/" in path]) == archives
    assert len([path for path in forge.paths() if "file-contents" in path]) == batches


async def test_what_attributes_leave_out_or_change_is_asked_for_by_its_path(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    more: dict[str, Stored] = {
        ".gitattributes": ".wiki/hidden.md export-ignore\n.wiki/drafts export-ignore\n.wiki/stamp.md export-subst\n",
        ".wiki/hidden.md": "hidden", ".wiki/drafts/a.md": "draft", ".wiki/stamp.md": "at $Format:%H$",
        ".wiki/link.md": Link("hidden.md"), ".wiki/sub": Submodule("1" * 40),
    }  # fmt: skip
    forge.add("ann/notes", PAGES | more)
    head = await look_and_forget(forge, source, selection)

    brought = await read_all(source, files_of(head))

    assert brought == BYTES | {
        ".wiki/hidden.md": b"hidden", ".wiki/drafts/a.md": b"draft", ".wiki/stamp.md": b"at $Format:%H$",
    }  # fmt: skip
    assert [path.rpartition("/")[2] for path in forge.paths()[2:]] == ["file-contents"]


def files_of(head: Resolved) -> Resolved:
    entries = tuple(entry for entry in head.entries or () if entry.kind == "file")
    return Resolved(revision=head.revision, trees=head.trees, entries=entries)


# --- servers that do not know of paths


@pytest.mark.parametrize("dialect", ["gitea-1.19", "gitea-1.24", "gitea-1.25", "forgejo-11", "forgejo-12"])
async def test_a_server_that_does_not_know_of_folders_is_never_made_to_pack(
    tmp_path: Path, virtual: VirtualClock, selection: Selection, dialect: str
) -> None:
    forge = open_fake_forge(tmp_path, dialect)
    forge.add("ann/notes", PAGES)
    source = open_gitea(forge, virtual)
    head = await look(source, selection)

    answers = [await read_all(source, head) for _ in range(2)]

    assert answers == [BYTES, BYTES]
    assert [path for path in forge.paths() if "/archive/" in path] == [PROBE]
    assert source.traits["archives"] == "none"


@pytest.mark.parametrize(
    "refusal",
    [
        {"status": 400, "body": "<html>Bad Request</html>"},
        {"status": 400, "body": '{"message":"unknown format: bundle"}'},
        {"status": 403, "body": '{"message":"no"}'},
        {"status": 404, "body": '{"message":"no such path"}'},
        {"status": 200, "body": "# v2 git bundle\n"},
    ],
)
async def test_what_is_no_refusal_of_the_two_together_means_no_archives(
    forge: FakeGitea, source: Gitea, selection: Selection, refusal: faults.Canned
) -> None:
    forge.add("ann/notes", PAGES)
    forge.fail("*.bundle", **refusal)

    assert await read_all(source, await look(source, selection)) == BYTES
    assert source.traits["archives"] == "none"


async def test_a_server_that_sends_other_folders_too_is_not_asked_again(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/a", PAGES)
    forge.add("ann/b", PAGES | {".gitignore": "*.o\n", "src/main.py": "x"})
    await read_all(source, await look(source, selection))
    forge.dialect = GITEA_1_25
    head = await look_and_forget(forge, source, selection, 1)

    answers = [await read_all(source, head) for _ in range(2)]

    assert answers == [BYTES, BYTES]
    assert len([path for path in forge.paths() if "/archive/" in path]) == 1
    assert source.traits["archives"] == "none"


async def test_a_question_that_fails_is_asked_again_next_time(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes", PAGES)
    head = await look(source, selection)
    forge.fail("*.bundle", status=503)

    assert await read_all(source, head) == BYTES
    assert "archives" not in source.traits


# --- archives that are not what they should be


@pytest.mark.parametrize(
    "trouble",
    [
        {"status": 400, "body": '{"message":"path doesn\'t exist or is invalid"}'},
        {"status": 404},
        {"status": 500},
        {"status": 503},
        {"status": 401},
        {"drop": True, "status": 200},
        {"status": 200, "body": ""},
        {"status": 200, "body": "<html>Sign in</html>"},
    ],
)
async def test_an_archive_that_does_not_come_costs_no_file(
    forge: FakeGitea, source: Gitea, selection: Selection, trouble: faults.Canned
) -> None:
    forge.add("ann/notes", PAGES)
    head = await look(source, selection)
    forge.fail(ARCHIVE, **trouble)

    assert await read_all(source, head) == BYTES


async def test_half_an_archive_is_worth_its_half(forge: FakeGitea, source: Gitea, selection: Selection) -> None:
    forge.add("ann/notes", PAGES)
    head = await look_and_forget(forge, source, selection)
    forge.spoil(ARCHIVE, lambda answer: replace(answer, body=answer.body[: len(answer.body) // 2]))

    assert await read_all(source, head) == BYTES
    assert 0 < len([path for path in forge.paths() if "file-contents" in path]) < 7


def placed(folder: str, files: Mapping[str, bytes] = BYTES) -> bytes:
    return b"".join(member(f"{folder}{path}", content) for path, content in files.items())


@pytest.mark.parametrize(
    ("body", "batches"),
    [
        (pack(placed("other-name/")), 0),
        (pack(placed("")), 0),
        (pack(placed("notes/"), placed("notes/")), 0),
        (pack(placed("notes/", FAKE), placed("notes/")), 0),
        (pack(placed("notes/", FAKE)), 7),
        (pack(placed("a/b/")), 7),
        (pack(placed("notes/../")), 7),
        (pack(*(member(f"notes/{path}", kind=tarfile.SYMTYPE, target="/etc/passwd") for path in BYTES)), 7),
        (pack(*(member(f"notes/{path}", bytes(97 * MIB)) for path in list(BYTES)[:1]), placed("notes/")), 7),
    ],
    ids=["renamed", "no prefix", "twice", "fake first", "fake", "deeper", "dots", "links", "bomb"],
)
async def test_only_bytes_that_are_the_commit_s_are_taken(
    forge: FakeGitea, source: Gitea, selection: Selection, body: bytes, batches: int
) -> None:
    forge.add("ann/notes", PAGES)
    head = await look_and_forget(forge, source, selection)
    forge.fail(ARCHIVE, status=200, body=body)

    assert await read_all(source, head) == BYTES
    assert len([path for path in forge.paths() if "file-contents" in path]) == batches


async def test_a_folder_full_of_pictures_is_left_after_as_much_as_its_pages_are_worth(
    forge: FakeGitea, source: Gitea, selection: Selection
) -> None:
    forge.add("ann/notes", PAGES | {".wiki/a.png": Random(1).randbytes(MIB)})
    head = await look_and_forget(forge, source, selection)
    assert head.entries is not None
    pages = replace(head, entries=tuple(entry for entry in head.entries if entry.path in PAGES))

    assert await read_all(source, pages) == BYTES
    assert len([path for path in forge.paths() if "file-contents" in path]) == 7


# --- which folders


def entry(path: str) -> TreeEntry:
    return TreeEntry(path=RepoPath(path), oid="0" * 40, size_bytes=1, kind="file")


@pytest.mark.parametrize(
    ("paths", "asked"),
    [
        ([".wiki/a/x.md", ".wiki/a/y.md", ".tasks/STATUS.md"], (".tasks/STATUS.md", ".wiki/a")),
        ([".wiki/a/x.md", ".wiki/b/y.md", ".wiki-old/z.md"], (".wiki-old/z.md", ".wiki")),
        ([".wiki/[a]/x.md", ".wiki/[a]/y.md"], (".wiki",)),
        ([".wiki/a/-x.md"], (".wiki/a",)),
        (["index.md", "заметки/a.md", "заметки/b.md"], ("index.md", "заметки")),
        (["[a]/x.md", "b/x.md"], ()),
        ([":(top)/x.md"], ()),
        ([f"папка-{number:03}/x.md" for number in range(200)], ()),
        ([], ()),
    ],
)
def test_the_deepest_folders_are_asked_for_that_git_reads_as_they_are_written(
    paths: list[str], asked: tuple[str, ...]
) -> None:
    assert archive_paths([entry(path) for path in paths]) == asked
