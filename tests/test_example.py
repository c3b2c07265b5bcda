from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygit2
import pytest
from pygit2.enums import ConfigLevel

from pipeline import example, layout
from pipeline.fast_import import StreamError

STREAMS = layout.bundled("examples")
NAMES = tuple(example.read(STREAMS))
GIT = shutil.which("git")

ROOT = Path(example.__file__).parent.parent

# Ends at the rename of that number, as a kill does: nothing is tidied up.
KILLED = """
import os, sys
from pathlib import Path
from pipeline import example
left = int(sys.argv[3])
def end(event, _):
    global left
    left -= event == "os.rename"
    if not left:
        os._exit(9)
sys.addaudithook(end)
example.materialise(Path(sys.argv[1]), Path(sys.argv[2]))
"""

SMALL = """\
feature date-format=rfc2822
commit refs/heads/main
mark :1
committer Inga <inga@example.org> Mon, 12 Jan 2026 09:30:00 +0300
data <<END
Begin
END
M 120000 inline link
data 4
here
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("build") / "example"
    example.materialise(STREAMS, target)
    return target


@pytest.fixture
def streams(tmp_path: Path) -> Path:
    """One owner with two small repositories."""
    folder = tmp_path / "streams"
    (folder / "ann").mkdir(parents=True)
    (folder / "ann" / "one.fi").write_bytes(SMALL.encode())
    (folder / "ann" / "two.fi").write_bytes(SMALL.encode())
    return folder


@pytest.fixture
def broken_user_configuration(tmp_path: Path) -> Iterator[None]:
    kept = pygit2.settings.search_path[ConfigLevel.GLOBAL]
    (tmp_path / ".gitconfig").write_text("[core\n", encoding="utf-8")
    pygit2.settings.search_path[ConfigLevel.GLOBAL] = str(tmp_path)
    yield
    pygit2.settings.search_path[ConfigLevel.GLOBAL] = kept


def references(repository: Path) -> dict[str, str]:
    opened = pygit2.Repository(str(repository))
    return {name: str(opened.references[name].target) for name in opened.references}


def refs_by_git(stream: Path, repository: Path) -> dict[str, str]:
    run = ["git", "--git-dir", str(repository)]
    subprocess.run([*run, "init", "--quiet", "--bare", "--initial-branch", "main"], check=True)
    subprocess.run([*run, "fast-import", "--quiet"], input=stream.read_bytes(), check=True)
    rows = subprocess.run([*run, "for-each-ref", "--format=%(refname) %(objectname)"], check=True, capture_output=True)
    return dict(row.split(" ") for row in rows.stdout.decode().splitlines())


def on_disk(folder: Path) -> dict[str, int]:
    return {path.relative_to(folder).as_posix(): path.lstat().st_mtime_ns for path in folder.rglob("*")}


@pytest.mark.skipif(GIT is None, reason="git is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_git_makes_the_same_commits_of_each_stream(name: str, made: Path, tmp_path: Path):
    expected = refs_by_git(STREAMS / f"{name}.fi", tmp_path / "by-git.git")

    assert references(made / f"{name}.git") == expected


def test_every_stream_is_a_bare_repository_under_its_owner(made: Path):
    found = {path.relative_to(made).as_posix() for path in made.glob("*/*")}

    assert found == {f"{name}.git" for name in NAMES}
    assert pygit2.Repository(str(made / "garden" / "greenhouse.git")).is_bare
    assert pygit2.Repository(str(made / "garden" / "greenhouse.git")).head.shorthand == "main"


def test_no_symlink_of_a_tree_is_made_on_the_disk(made: Path):
    assert [path for path in made.rglob("*") if path.is_symlink()] == []


def test_making_the_example_twice_changes_nothing(streams: Path, tmp_path: Path):
    example.materialise(streams, tmp_path / "example")
    before = on_disk(tmp_path / "example")

    example.materialise(streams, tmp_path / "example")

    assert on_disk(tmp_path / "example") == before


def test_two_folders_get_the_same_commits(streams: Path, tmp_path: Path):
    example.materialise(streams, tmp_path / "here")
    example.materialise(streams, tmp_path / "there")

    assert references(tmp_path / "here" / "ann" / "one.git") == references(tmp_path / "there" / "ann" / "one.git")


def test_a_lost_repository_is_made_again(streams: Path, tmp_path: Path):
    target = tmp_path / "example"
    example.materialise(streams, target)
    (target / "ann" / "one.git").rename(tmp_path / "lost")

    example.materialise(streams, target)

    assert references(target / "ann" / "one.git") == references(target / "ann" / "two.git")


def test_what_a_killed_run_left_is_replaced_by_the_whole(streams: Path, tmp_path: Path):
    target = tmp_path / "example"
    (target / example.FRESH / "ann" / "one.git" / "half").mkdir(parents=True)
    (target / "ann" / "two.git" / "objects").mkdir(parents=True)
    (target / ".old-7-bob" / "half.git").mkdir(parents=True)

    example.materialise(streams, target)

    assert sorted(path.name for path in target.iterdir()) == ["ann", example.STAMP]
    assert not (target / "ann" / "one.git" / "half").exists()
    assert references(target / "ann" / "one.git") == references(target / "ann" / "two.git")


@pytest.mark.parametrize("rename", [1, 2, 3, 4])
def test_a_run_killed_at_any_rename_is_never_taken_for_what_stood_there_before(
    rename: int, streams: Path, tmp_path: Path
):
    target = tmp_path / "example"
    example.materialise(streams, target)
    before = references(target / "ann" / "one.git")
    changed = shutil.copytree(streams, tmp_path / "changed")
    (changed / "ann" / "one.fi").write_bytes(SMALL.replace("Begin", "Start").encode())

    killed = subprocess.run([sys.executable, "-c", KILLED, str(changed), str(target), str(rename)], cwd=ROOT)
    example.materialise(streams, target)

    assert killed.returncode == 9
    assert references(target / "ann" / "one.git") == before


def test_a_changed_stream_is_made_anew_and_a_removed_one_leaves(streams: Path, tmp_path: Path):
    target = tmp_path / "example"
    example.materialise(streams, target)
    before = references(target / "ann" / "one.git")
    (streams / "ann" / "one.fi").write_bytes(SMALL.replace("Begin", "Start").encode())
    (streams / "ann" / "two.fi").unlink()

    example.materialise(streams, target)

    assert references(target / "ann" / "one.git") != before
    assert not (target / "ann" / "two.git").exists()


def test_a_bad_stream_is_named_and_leaves_the_last_example_as_it_was(streams: Path, tmp_path: Path):
    target = tmp_path / "example"
    example.materialise(streams, target)
    before = on_disk(target)
    (streams / "ann" / "two.fi").write_bytes(SMALL.replace("M 120000", "M 100").encode())

    with pytest.raises(StreamError, match=r"^ann/two\.fi:8: found 'M 100 inline link'; expected a change"):
        example.materialise(streams, target)

    assert on_disk(target) == before


@pytest.mark.usefixtures("broken_user_configuration")
def test_a_broken_git_configuration_of_the_user_does_no_harm_and_stays_in_force(streams: Path, tmp_path: Path):
    example.materialise(streams, tmp_path / "example")

    assert (tmp_path / "example" / "ann" / "one.git" / "HEAD").read_bytes() == b"ref: refs/heads/main\n"
    assert pygit2.settings.search_path[ConfigLevel.GLOBAL] == str(tmp_path)
