"""What is here of a repository's history → history.json."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pipeline import artifact_history, model
from pipeline.blobs import blob_id
from pipeline.codes import page_code
from tests.fakes.catalogs import Project, item

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
API = Project(
    repository="forge/ann/api",
    board="# Board\n",
    items=(item("ship"),),
    pages={"a": "three\n"},
    wiki_index="- [A](a.md)\n",
)
NOTHING: dict[str, bytes] = {}
BOARD = "## ship — Ship it\n**Status:** {}\n"


class Past:
    """Commits of one folder, and the texts that they name."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.commits: list[model.Commit] = []
        self.texts: dict[str, bytes] = {}
        self.state: dict[str, str] = {}
        self.read: list[str] = []

    def push(self, path: str, text: str) -> None:
        oid = blob_id(text.encode())
        self.texts[oid] = text.encode()
        change = model.FileChange(path=model.RepoPath(path), before=self.state.get(path), after=oid)
        at = START + timedelta(hours=len(self.commits))
        key = blob_id(f"{[each.id for each in self.commits[-1:]]} {text}".encode())
        commit = model.Commit(
            id=key, author="Ann", email="a@example.org", authored_at=at, committed_at=at, changes=(change,)
        )
        self.state[path] = oid
        self.commits.append(commit)

    def text(self, oid: str) -> bytes | None:
        self.read.append(oid)
        return self.texts.get(oid)

    def history(self) -> model.History:
        order = tuple(commit.id for commit in reversed(self.commits))
        folder = model.FolderHistory(
            folder=self.folder, revision=order[0], tree="t", order=order, total=len(order), commits=tuple(self.commits)
        )
        return model.History(schema_version=3, repository=API.id, reach="5000", folders=(folder,))


def wiki(*texts: str) -> Past:
    past = Past(".wiki")
    for text in texts:
        past.push(".wiki/a.md", text)
    return past


def board(*statuses: str) -> Past:
    past = Past(".tasks")
    for status in statuses:
        past.push(".tasks/STATUS.md", BOARD.format(status))
    return past


def build(past: Past, last: model.ProjectHistory | None = None) -> model.ProjectHistory:
    found = artifact_history.build(API.artifact, past.history(), past.text, last)
    assert found is not None
    return found


def test_a_page_has_its_versions_and_its_code():
    found = build(wiki("one\n", "two\n", "three\n"))

    assert (found.wiki_is_loaded, found.tasks_is_loaded) == (True, False)
    assert [(one.number, one.added, one.removed) for one in found.pages[0].versions] == [
        (3, 1, 1),
        (2, 1, 1),
        (1, 1, 0),
    ]
    assert found.pages[0].code == page_code(API.id, model.RepoPath(".wiki/a.md"))


def test_without_a_history_pages_and_the_wiki_itself_have_codes_all_the_same():
    found = artifact_history.build(API.artifact, None, NOTHING.get, None)

    assert found is not None
    assert [(page.slug, page.versions) for page in found.pages] == [("a", ()), ("index", ())]
    assert found.pages[1].code == page_code(API.id, model.RepoPath(".wiki/index.md"))


def test_the_wiki_itself_has_the_code_that_its_index_asks_for():
    asking = replace(API.artifact, index=replace(API.artifact.index, code="DOC-101252"))

    found = artifact_history.build(asking, None, NOTHING.get, None)

    assert found is not None
    assert [(page.slug, page.code) for page in found.pages[1:]] == [("index", "DOC-101252")]


def test_a_wiki_without_an_index_has_a_code_as_if_it_had_one():
    found = artifact_history.build(replace(API, wiki_index=None).artifact, None, NOTHING.get, None)

    assert found is not None
    assert [page.slug for page in found.pages] == ["a", "index"]


def test_a_project_with_neither_wiki_nor_board_has_no_history():
    bare = Project(repository="forge/ann/code")

    assert artifact_history.build(bare.artifact, None, NOTHING.get, None) is None


def test_lines_that_were_counted_are_not_counted_again():
    first = build(wiki("one\n", "two\n"))
    past = wiki("one\n", "two\n", "three\n")
    found = build(past, first)

    assert found == build(wiki("one\n", "two\n", "three\n"))
    assert set(past.read) == {blob_id(b"two\n"), blob_id(b"three\n")}


def test_of_a_board_only_new_versions_are_read():
    first = build(board("todo", "active"))
    past = board("todo", "active", "done")
    found = build(past, first)

    assert found == build(board("todo", "active", "done"))
    assert (found.tasks[0].kind, found.tasks[0].after) == ("status", "done")
    assert blob_id(BOARD.format("todo").encode()) not in past.read


def test_a_board_whose_past_was_rewritten_is_read_anew():
    first = build(board("todo", "active"))
    past = board("blocked", "active", "done")

    assert build(past, first) == build(board("blocked", "active", "done"))


def test_a_board_that_did_not_change_is_not_read():
    first = build(board("todo", "active"))
    past = board("todo", "active")

    assert build(past, first) == first
    assert past.read == []
