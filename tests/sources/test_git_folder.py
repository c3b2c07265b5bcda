from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.errors import SourceUnreachable
from pipeline.sources.clone import Clone
from tests.fakes.bare import BareRepository
from tests.fakes.memory import START

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes among the files here")

GIT_FILES = ["HEAD", "config", "packed-refs", "refs/heads/main", "objects/aa/pipe"]


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    BareRepository.create(tmp_path / "app.git", "main").commit("main", {".tasks/STATUS.md": "# Tasks\n"}, when=START)
    return tmp_path / "app.git"


def put_pipe(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@pytest.mark.timeout(10)
@pytest.mark.parametrize("name", GIT_FILES)
def test_a_pipe_among_git_s_own_files_is_refused_and_not_waited_for(bare: Path, name: str) -> None:
    put_pipe(bare / name)

    with pytest.raises(SourceUnreachable, match="a pipe or a device lies among git's own files"):
        Clone(bare)


@pytest.mark.timeout(10)
def test_a_pipe_in_the_place_of_a_clone_s_git_folder_is_refused(tmp_path: Path) -> None:
    put_pipe(tmp_path / "app/.git")

    with pytest.raises(SourceUnreachable, match="a pipe or a device"):
        Clone(tmp_path / "app")


@pytest.mark.timeout(10)
def test_a_pipe_behind_a_git_file_is_refused(bare: Path, tmp_path: Path) -> None:
    put_pipe(bare / "HEAD")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/.git").write_text(f"gitdir: {bare}\n", encoding="utf-8")

    with pytest.raises(SourceUnreachable, match="a pipe or a device"):
        Clone(tmp_path / "linked")


@pytest.mark.timeout(10)
def test_a_link_to_a_device_among_git_s_own_files_is_refused(bare: Path) -> None:
    (bare / "packed-refs").symlink_to("/dev/zero")

    with pytest.raises(SourceUnreachable, match="a pipe or a device"):
        Clone(bare)


def test_a_link_to_an_ordinary_file_among_git_s_own_files_is_no_trouble(bare: Path, tmp_path: Path) -> None:
    (bare / "description").replace(tmp_path / "description")
    (bare / "description").symlink_to(tmp_path / "description")

    assert Clone(bare).branch("HEAD") == "main"
