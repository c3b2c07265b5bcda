"""The caller's folder is read as little as can be, and never outside itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mcp_server import working_folder
from mcp_server.working_folder import concepts, domain_of, list_files, origin_name, own_names
from pipeline.model import DomainMarkers

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a right there")


def write(folder: Path, path: str, text: str = "") -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")


def test_the_domain_is_told_by_files_below_too(tmp_path):
    write(tmp_path, "firmware/CMakeLists.txt", "find_package(Zephyr)")

    assert domain_of(tmp_path) == "embedded"


def test_without_a_folder_or_with_one_that_is_not_there_it_is_unknown(tmp_path):
    assert domain_of(None) == "unknown"
    assert domain_of(tmp_path / "nowhere") == "unknown"


def test_further_domains_are_asked_too(tmp_path):
    write(tmp_path, "Cargo.toml")

    assert domain_of(tmp_path, (DomainMarkers(name="rust", markers=("Cargo.toml",)),)) == "rust"


def test_only_files_that_detection_reads_are_opened(tmp_path):
    write(tmp_path, "package.json", "{}")
    write(tmp_path, "a/CMakeLists.txt", "x")

    assert list_files(tmp_path) == {"package.json": None, "a/CMakeLists.txt": b"x"}


def test_hidden_folders_and_other_peoples_code_are_passed_over(tmp_path):
    write(tmp_path, ".cache/a.ino")
    write(tmp_path, "node_modules/b.ino")
    write(tmp_path, "src/c.c")

    assert list(list_files(tmp_path)) == ["src/c.c"]


def test_no_more_is_seen_than_the_limit_and_the_nearest_first(tmp_path, monkeypatch):
    write(tmp_path, "a/1.txt")
    write(tmp_path, "b.txt")
    write(tmp_path, "c/2.txt")
    monkeypatch.setattr(working_folder, "ENTRIES_LIMIT", 4)

    assert list(list_files(tmp_path)) == ["b.txt", "a/1.txt"]


def test_a_file_over_a_mebibyte_is_named_and_not_read(tmp_path):
    (tmp_path / "CMakeLists.txt").write_bytes(b"stm32" + b" " * (1 << 20))

    assert list_files(tmp_path) == {"CMakeLists.txt": None}


@needs_links
def test_links_are_not_followed(tmp_path):
    write(tmp_path, "outside/CMakeLists.txt", "stm32")
    write(tmp_path, "outside/blink.ino")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "here" / "CMakeLists.txt").symlink_to(tmp_path / "outside" / "CMakeLists.txt")

    assert list_files(tmp_path / "here") == {}


@needs_links
def test_a_pipe_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "CMakeLists.txt")
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "config")

    assert list_files(tmp_path) == {}
    assert own_names(tmp_path) == (tmp_path.name,)


def test_concepts_are_the_markdown_directly_in_their_folder(tmp_path):
    write(tmp_path, ".wiki/concepts/b.md", "# B\n")
    write(tmp_path, ".wiki/concepts/A.MD", "# A\n")
    write(tmp_path, ".wiki/concepts/deeper/c.md")
    write(tmp_path, ".wiki/concepts/notes.txt")
    write(tmp_path, ".wiki/other.md")

    assert [(page.path, page.raw) for page in concepts(tmp_path)] == [
        (".wiki/concepts/A.MD", b"# A\n"),
        (".wiki/concepts/b.md", b"# B\n"),
    ]


def test_without_a_wiki_there_are_no_concepts(tmp_path):
    assert list(concepts(tmp_path)) == []


@needs_links
def test_a_linked_wiki_is_not_followed(tmp_path):
    write(tmp_path, "outside/concepts/a.md")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / ".wiki").symlink_to(tmp_path / "outside")

    assert list(concepts(tmp_path / "here")) == []


def test_a_concept_that_is_too_large_is_named_without_its_text(tmp_path):
    write(tmp_path, ".wiki/concepts/a.md", "x" * ((1 << 20) + 1))

    assert [page.raw for page in concepts(tmp_path)] == [None]


def test_concepts_beyond_the_limit_altogether_are_named_without_their_text(tmp_path, monkeypatch):
    write(tmp_path, ".wiki/concepts/a.md", "four")
    write(tmp_path, ".wiki/concepts/b.md", "more")
    monkeypatch.setattr(working_folder, "PAGES_LIMIT_BYTES", 4)

    assert [page.raw for page in concepts(tmp_path)] == [b"four", None]


def test_a_project_is_called_by_its_folder_and_its_origin(tmp_path):
    write(
        tmp_path, "atlas-2/.git/config", '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@host:team/atlas.git\n'
    )

    assert own_names(tmp_path / "atlas-2") == ("atlas-2", "atlas")


def test_a_worktree_whose_git_leads_elsewhere_is_called_by_its_folder_alone(tmp_path):
    write(tmp_path, "atlas/.git", "gitdir: /elsewhere")

    assert own_names(tmp_path / "atlas") == ("atlas",)


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ('[remote "origin"]\nurl = https://git.example.org/team/atlas.git\n', "atlas"),
        ('[remote "origin"]\nurl = https://git.example.org/team/atlas/\n', "atlas"),
        ('[remote "origin"]\n url="ssh://git@host:22/team/atlas.git" ; mirror\n', "atlas"),
        ('[remote "origin"]\nurl = host:atlas.git # mirror\n', "atlas"),
        ('[remote "origin"] url = /srv/my repos/atlas\n', "atlas"),
        ('[remote "origin"]\nurl = C:\\\\repos\\\\atlas.git\n', "atlas"),
        ('[remote "up"]\nurl = x/other\n[REMOTE "origin"]\nfetch = +refs\nurl = x/атлас\n', "атлас"),
        ('[remote "origin"]\npushurl = x/other\n', None),
        ('[remote "up"]\nurl = x/other\n', None),
        ('[remote "origin"]\n[branch "a"]\nurl = x/other\n', None),
        ("", None),
    ],
)
def test_the_origins_repository_is_read_from_its_url(config, name):
    assert origin_name(config) == name
