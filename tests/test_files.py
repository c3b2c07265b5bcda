import errno
import os

import pytest

from pipeline import files


def test_a_file_that_is_right_already_is_not_touched(tmp_path):
    path = tmp_path / "deep" / "a.json"

    assert files.write_atomic(path, b"one") is True
    os.utime(path, (1, 1))
    assert files.write_atomic(path, b"one") is False
    assert path.stat().st_mtime == 1


def test_a_write_that_the_disk_refuses_keeps_the_old_file_and_leaves_no_rest(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    files.write_atomic(path, b"old")
    monkeypatch.setattr(files, "replace", refuse)

    with pytest.raises(OSError, match="no space"):
        files.write_atomic(path, b"new")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a.json", b"old")]


def refuse(*_: object) -> None:
    raise OSError(errno.ENOSPC, "no space")


@pytest.mark.parametrize("code", [errno.EMLINK, errno.ENOTSUP, errno.EINVAL])
def test_a_link_that_the_file_system_refuses_becomes_a_copy(tmp_path, monkeypatch, code):
    def refuse_link(*_: object) -> None:
        raise OSError(code, "no link")

    (tmp_path / "a").write_bytes(b"text")
    monkeypatch.setattr(os, "link", refuse_link)

    files.link_files(tmp_path, tmp_path / "b", ["a"])

    assert (tmp_path / "b" / "a").read_bytes() == b"text"


def test_a_symlink_that_is_there_already_gets_a_second_name(tmp_path):
    files.symlinks_new({"a/x": "one", "a/y": "two"}, tmp_path / "old", None)

    files.symlinks_new({"a/x": "one", "a/y": "three", "b/z": "four"}, tmp_path / "new", tmp_path / "old")

    links = {path: (tmp_path / "new" / path).readlink().as_posix() for path in ("a/x", "a/y", "b/z")}
    assert links == {"a/x": "one", "a/y": "three", "b/z": "four"}
    assert [(tmp_path / "new" / path).lstat().st_nlink for path in links] == [2, 1, 1]


def test_a_symlink_that_may_have_no_second_name_is_made_anew(tmp_path, monkeypatch):
    def refuse_link(*_: object, **__: object) -> None:
        raise OSError(errno.EMLINK, "no link")

    files.symlinks_new({"a/x": "one"}, tmp_path / "old", None)
    monkeypatch.setattr(os, "link", refuse_link)

    files.symlinks_new({"a/x": "one"}, tmp_path / "new", tmp_path / "old")

    assert (tmp_path / "new" / "a" / "x").readlink().as_posix() == "one"


def test_where_symlinks_are_refused_there_are_none(tmp_path, monkeypatch):
    def refuse_symlink(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no symlink")

    monkeypatch.setattr(os, "symlink", refuse_symlink)

    files.symlinks_new({"a/x": "one", "b/y": "two"}, tmp_path / "new", None)

    assert not (tmp_path / "new" / "b").exists()


@pytest.mark.parametrize("holds_open", [True, False])
def test_a_link_to_a_folder_can_be_led_elsewhere(tmp_path, monkeypatch, holds_open):
    monkeypatch.setattr(files, "HOLDS_OPEN", holds_open)
    files.symlink("versions/1", tmp_path / "current")

    assert files.symlink("versions/2", tmp_path / "current") is True
    assert (tmp_path / "current").readlink().as_posix() == "versions/2"


def test_a_walk_is_sorted_and_leaves_out_links_and_leftovers(tmp_path):
    for name in ("b/2.md", "b/10.md", "a.md", ".tmp-1-x", ".old-1-y/z.md"):
        files.write_atomic(tmp_path / name, b"")
    (tmp_path / "link").symlink_to("a.md")

    assert list(files.walk(tmp_path)) == ["a.md", "b/10.md", "b/2.md"]


def test_leftovers_of_a_killed_run_are_swept(tmp_path):
    files.write_atomic(tmp_path / ".old-1-y" / "z.md", b"")
    files.write_atomic(tmp_path / ".tmp-1-x", b"")
    files.write_atomic(tmp_path / "kept", b"")

    files.sweep(tmp_path)

    assert [each.name for each in tmp_path.iterdir()] == ["kept"]


def test_a_tree_with_read_only_files_is_removed(tmp_path):
    files.write_atomic(tmp_path / "tree" / "a" / "b", b"")
    (tmp_path / "tree" / "a" / "b").chmod(0o400)

    files.remove_tree(tmp_path / "tree")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps rights elsewhere")
def test_a_private_folder_is_closed_to_others(tmp_path):
    files.make_private(tmp_path / "build")

    assert (tmp_path / "build").stat().st_mode & 0o777 == 0o700


def test_two_builds_cannot_run_in_one_folder(tmp_path):
    with files.lock_build(tmp_path / "build.lock"), pytest.raises(files.BuildRunning, match="another `doit`"):
        files.lock_build(tmp_path / "build.lock")


@pytest.mark.skipif(os.name != "posix", reason="the platform has no modes")
def test_a_private_file_is_its_owners_alone(tmp_path):
    files.write_private(tmp_path / "token", b"x")
    assert files.is_private(tmp_path / "token")

    (tmp_path / "token").chmod(0o644)
    assert not files.is_private(tmp_path / "token")


def test_a_link_takes_the_place_of_what_was_there_and_leaves_nothing_beside_it(tmp_path):
    (tmp_path / "new").write_bytes(b"new")
    (tmp_path / "old").write_bytes(b"old")
    files.link_over(tmp_path / "new", tmp_path / "old")
    files.link_over(tmp_path / "new", tmp_path / "old")

    assert (tmp_path / "old").read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "old"]
