"""The files of one artifact while it is made."""

from pipeline.artifact_files import Shelf, file_of
from pipeline.model import RepoPath, SnapshotEntry


def entry(path: str) -> SnapshotEntry:
    return SnapshotEntry(path=RepoPath(path), oid="0" * 40, size_bytes=1, etag=None, state="stored")


def test_the_later_of_two_paths_that_meet_at_one_file_is_refused():
    shelf = Shelf(lambda _: None)

    assert shelf.place(entry("a.md"), "wiki/a.md", b"first") == "wiki/a.md"
    assert shelf.place(entry("b.md"), "wiki/a.md", b"second") is None
    assert shelf.files == {"wiki/a.md": b"first"}
    assert [(one.code, one.path) for one in shelf.found] == [("W508", "b.md")]


def test_a_file_stands_below_the_folder_of_its_kind():
    assert file_of(RepoPath(".wiki/concepts/x.md"), ".wiki/", "wiki") == "wiki/concepts/x.md"
