"""`python -m pipeline fetch-blob`: one file of a wiki, brought when somebody asks for it."""

import pytest

from pipeline import files
from pipeline.blobs import BlobStore, blob_id
from pipeline.errors import ConfigError, SourceUnreachable
from pipeline.fetch_blob import fetch_blob
from pipeline.layout import Layout
from pipeline.sync import SyncOptions, run
from tests.fakes.memory import Memory

PICTURE = b"\x89PNG\0picture"
OID = blob_id(PICTURE)
NOTES: dict[str, str | bytes] = {".wiki/index.md": "# Index\n", ".wiki/pic.png": PICTURE}


class Desk:
    """A synced memory of one repository, and a folder whose sources.toml names it."""

    def __init__(self, folder):
        self.memory = Memory({"ann/notes": NOTES})
        self.layout = Layout(folder / "build")
        self.sync()

    def sync(self) -> None:
        options = SyncOptions(now=self.memory.now)
        run(self.layout, self.memory.config(), options, self.memory.sources(), lambda _: None)
        self.memory.asked.clear()

    def fetch(self, repository: str = "memory/ann/notes", oid: str = OID, **how: int) -> bool:
        return fetch_blob(self.layout, self.memory.config(), self.memory.sources(), repository, oid, **how)

    @property
    def content(self) -> bytes | None:
        return BlobStore(self.layout).read(OID)


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def test_a_file_is_brought_by_one_question_and_only_once(desk):
    assert desk.content is None
    assert desk.fetch() is True
    assert desk.content == PICTURE
    assert desk.fetch() is False
    assert desk.memory.asked == ["file .wiki/pic.png of main of ann/notes"]


def test_bytes_that_are_not_the_files_are_not_kept(desk):
    desk.memory.forged_paths.add(".wiki/pic.png")

    with pytest.raises(SourceUnreachable, match="the source gave other bytes than"):
        desk.fetch()
    assert desk.content is None


def test_a_file_that_is_there_no_more_is_told(desk):
    desk.memory.lost_paths.add(".wiki/pic.png")

    with pytest.raises(SourceUnreachable, match=r"\.wiki/pic\.png could not be brought; sync, and try again"):
        desk.fetch()


def test_a_source_that_does_not_answer_is_told_with_its_reason(desk):
    desk.memory["ann/notes"].trouble = "HTTP 503"

    with pytest.raises(SourceUnreachable, match=r"^memory/ann/notes: HTTP 503$"):
        desk.fetch()


def test_a_file_over_the_limit_is_refused_before_anything_is_asked(desk):
    with pytest.raises(SourceUnreachable, match=r"\.wiki/pic\.png is larger than"):
        desk.fetch(limit_bytes=len(PICTURE) - 1)
    assert desk.memory.asked == []


@pytest.mark.parametrize("oid", ["a" * 40, "", "../../x", "A" * 40, OID[:39], f"{OID}\n"])
def test_an_id_that_no_file_has_is_told(desk, oid):
    with pytest.raises(ConfigError, match="no file of memory/ann/notes has the id"):
        desk.fetch(oid=oid)


@pytest.mark.parametrize("repository", ["memory/ann/other", "", "../..", "ann/notes", "memory/ann/notes\n"])
def test_a_repository_that_no_sync_has_seen_is_told(desk, repository):
    with pytest.raises(ConfigError, match="no sync has seen"):
        desk.fetch(repository)


def test_a_source_that_is_configured_no_more_is_told(desk):
    elsewhere = desk.memory.config(name="other")

    with pytest.raises(ConfigError, match="a test has no source memory, which listed memory/ann/notes"):
        fetch_blob(desk.layout, elsewhere, desk.memory.sources(), "memory/ann/notes", OID)


def test_a_build_that_runs_is_waited_for_by_the_caller(desk):
    lock = files.lock_build(desk.layout.lock)
    with pytest.raises(files.BuildRunning):
        desk.fetch()
    lock.release()

    assert desk.fetch() is True
