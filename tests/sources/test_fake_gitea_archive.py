"""Archives of the fake forge."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from pipeline.sources.tarball import read_files
from tests.fakes.asking import ask
from tests.fakes.bare import Link, Stored
from tests.fakes.gitea import FakeGitea, open_fake_forge

pytestmark = pytest.mark.anyio

FILES: dict[str, Stored] = {
    ".gitattributes": "*.draft export-ignore\n.wiki/old export-ignore\n.wiki/stamp.md export-subst\n",
    ".tasks/STATUS.md": "# Задачи\n",
    ".wiki/link.md": Link("stamp.md"),
    ".wiki/old/a.md": "old",
    ".wiki/stamp.md": "$Format:%H$",
    ".wiki/x.draft": "draft",
    "src/main.py": "print()\n",
}


@pytest.fixture
def forge(tmp_path: Path) -> FakeGitea:
    return open_fake_forge(tmp_path, "gitea-1.26")


def files(answer: httpx.Response) -> dict[str, bytes | None]:
    return dict(read_files(answer.content, lambda _name, _size: True))


async def ask_for(forge: FakeGitea, file: str, *paths: str) -> httpx.Response:
    """An archive, with a query that has the same name again and again."""
    query = "&".join(f"path={path}" for path in paths)
    return await ask(forge, f"repos/ann/Notes/archive/{file}?{query}")


async def test_an_archive_holds_what_is_below_the_paths_but_for_what_attributes_leave_out(forge: FakeGitea) -> None:
    commit = forge.add("ann/Notes", FILES)

    answer = await ask_for(forge, f"{commit}.tar.gz", ".tasks", ".wiki")

    assert files(answer) == {
        "notes/.tasks/STATUS.md": "# Задачи\n".encode(),
        "notes/.wiki/stamp.md": commit.encode(),
    }


async def test_an_older_server_packs_all_whatever_the_paths(tmp_path: Path) -> None:
    forge = open_fake_forge(tmp_path, "gitea-1.25")
    commit = forge.add("ann/Notes", FILES)

    answer = await ask_for(forge, f"{commit}.tar.gz", "nope")

    assert list(files(answer)) == [
        "notes/.gitattributes", "notes/.tasks/STATUS.md", "notes/.wiki/stamp.md", "notes/src/main.py",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "path", "status", "message"),
    [
        ("main.tar.gz", "nope", 400, "path doesn't exist or is invalid"),
        ("main.bundle", ".wiki", 400, "cannot specify paths when requesting a bundle"),
        ("main.rar", ".wiki", 400, "unknown format: main.rar"),
        ("nope.tar.gz", ".wiki", 404, "unrecognized repository reference: nope"),
    ],
)
async def test_refusals_are_worded(forge: FakeGitea, file: str, path: str, status: int, message: str) -> None:
    forge.add("ann/Notes", FILES)

    answer = await ask_for(forge, file, path)

    assert (answer.status_code, answer.json()["message"]) == (status, message)
