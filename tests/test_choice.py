from __future__ import annotations

import pytest

from pipeline.choice import choose
from pipeline.model import EntryKind, RepoPath, SkippedEntry, TreeEntry
from pipeline.wanted import PROJECT, SHARED

MIB = 1 << 20


def entry(path: str, size_bytes: int | None = 10) -> TreeEntry:
    return TreeEntry(path=RepoPath(path), oid="1" * 40, size_bytes=size_bytes)


def paths(entries: tuple[TreeEntry, ...] | tuple[SkippedEntry, ...]) -> list[str]:
    return [each.path for each in entries]


def test_markdown_is_copied_whatever_its_capitalisation() -> None:
    choice = choose([entry(".wiki/INDEX.MD"), entry(".tasks/Status.md"), entry(".tasks/a/b.md")], PROJECT)

    assert paths(choice.text) == [".tasks/Status.md", ".tasks/a/b.md", ".wiki/INDEX.MD"]


def test_other_files_are_named_under_the_wiki_and_ignored_under_the_tasks() -> None:
    choice = choose([entry(".wiki/a.png"), entry(".tasks/a.png")], PROJECT)

    assert (paths(choice.named), paths(choice.text), choice.skipped) == ([".wiki/a.png"], [], ())


def test_of_the_shared_wiki_all_markdown_is_copied() -> None:
    choice = choose([entry("node/yarn.md"), entry("CLAUDE.md"), entry("logo.png"), entry(".wiki/a.png")], SHARED)

    assert (paths(choice.text), paths(choice.named)) == (["CLAUDE.md", "node/yarn.md"], [".wiki/a.png"])


def test_a_folder_with_a_longer_name_is_another_folder() -> None:
    choice = choose([entry(".wikis/a.md"), entry(".tasks.md")], PROJECT)

    assert (choice.text, choice.named, choice.skipped) == ((), (), ())


def test_links_and_submodules_are_skipped_with_their_reason() -> None:
    link = TreeEntry(path=RepoPath(".wiki/a.md"), oid="1" * 40, size_bytes=3, kind="symlink")
    module = TreeEntry(path=RepoPath(".wiki/b"), oid="1" * 40, size_bytes=None, kind="submodule")

    choice = choose([module, link], PROJECT)

    assert [(each.path, each.reason) for each in choice.skipped] == [
        (".wiki/a.md", "symlink"),
        (".wiki/b", "submodule"),
    ]


@pytest.mark.parametrize(
    "path", [".wiki/../x.md", ".wiki//x.md", ".wiki/.GIT/x.md", ".wiki/a\\b.md", ".wiki/a:b.md", ".wiki/a\nb.md"]
)
def test_an_unsafe_path_is_skipped(path: str) -> None:
    choice = choose([entry(path)], PROJECT)

    assert choice.skipped == (SkippedEntry(path=RepoPath(path), reason="unsafe_path"),)


def test_markdown_over_one_mebibyte_is_named_and_not_copied() -> None:
    choice = choose([entry(".wiki/a.md", MIB), entry(".wiki/b.md", MIB + 1)], PROJECT)

    assert (paths(choice.text), paths(choice.too_large)) == ([".wiki/a.md"], [".wiki/b.md"])


def test_after_five_thousand_files_the_deepest_are_skipped() -> None:
    pages = [entry(f".wiki/a/{number:04}.md") for number in range(5_001)]

    choice = choose([*pages, entry(".wiki/index.md")], PROJECT)

    assert len(choice.text) == 5_000
    assert choice.text[-1].path == ".wiki/index.md"
    assert [(each.path, each.reason) for each in choice.skipped] == [
        (".wiki/a/4999.md", "over_file_limit"),
        (".wiki/a/5000.md", "over_file_limit"),
    ]


def test_after_64_mebibytes_the_rest_is_skipped_even_where_it_would_fit() -> None:
    pages = [entry(f".wiki/{number:02}.md", MIB) for number in range(65)]

    choice = choose([*pages, entry(".wiki/99.md", 1), entry(".wiki/z.png", MIB)], PROJECT)

    assert (len(choice.text), paths(choice.named)) == (64, [".wiki/z.png"])
    assert [(each.path, each.reason) for each in choice.skipped] == [
        (".wiki/64.md", "over_size_limit"),
        (".wiki/99.md", "over_size_limit"),
    ]


def test_the_order_of_the_entries_does_not_matter() -> None:
    entries = [entry(f".wiki/{number:02}.md", MIB) for number in range(70)]

    assert choose(entries, PROJECT) == choose(reversed(entries), PROJECT)


@pytest.mark.parametrize(
    "name", ["\u202egpj.md", "zero\u200bwidth.md", "tag\U000e0041.md", "line\u2028.md", "\x1b[31m.md"]
)
@pytest.mark.parametrize("kind", ["file", "symlink", "submodule"])
def test_a_name_with_letters_that_hide_is_skipped_as_odd(name: str, kind: EntryKind) -> None:
    choice = choose([TreeEntry(path=RepoPath(f".wiki/{name}"), oid="1" * 40, size_bytes=3, kind=kind)], PROJECT)

    assert (choice.text, [each.reason for each in choice.skipped]) == ((), ["unsafe_path"])


def test_a_joined_emoji_is_an_ordinary_name() -> None:
    assert paths(choose([entry(".wiki/👩\u200d💻.md")], PROJECT).text) == [".wiki/👩\u200d💻.md"]
