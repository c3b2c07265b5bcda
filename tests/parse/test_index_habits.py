"""Habits of real indexes: headings in two languages."""

import pytest

from pipeline.model import RepoPath
from pipeline.parse.wiki_index import parse_index


def entries(text: str) -> list[tuple[str, str | None]]:
    _, found, _ = parse_index(RepoPath(".wiki/index.md"), text.encode("utf-8"))
    return [(entry.slug, entry.type) for entry in found]


@pytest.mark.parametrize(
    "heading",
    ["### Concepts | கோட்பாடுகள்", "## Концепции / Concepts", "## 💡 Concepts (3) | Концепции", "## 概念/Begriffe"],
)
def test_a_heading_in_two_languages_names_a_type(heading):
    assert entries(f"{heading}\n- [[double-entry]] — text\n") == [("double-entry", "concepts")]


@pytest.mark.parametrize("heading", ["## Notes / Concepts", "## Conceptual / Sources of power"])
def test_only_the_first_part_of_a_heading_names_a_type(heading):
    assert entries(f"{heading}\n- [[double-entry]] — text\n") == [("double-entry", None)]


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("## 개념", "concepts"),
        ("## エンティティ (3)", "entities"),
        ("## 来源", "sources"),
        ("## Джерела", "sources"),
        ("## Поняття", "concepts"),
        ("## 📦 Paquetes", "packages"),
        ("## Kaynaklar", "sources"),
    ],
)
def test_a_heading_of_another_language_names_a_type(heading, kind):
    assert entries(f"{heading}\n- [[double-entry]] — text\n") == [("double-entry", kind)]


TREE = ("concepts/foo", "concepts/Bar baz", "log", "a/twice", "b/twice")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("- concepts/foo.md — about", [("foo", "concepts", "foo", "about")]),
        ("- `concepts/foo.md`", [("foo", "concepts", "foo", None)]),
        ("- **foo** - about", [("foo", "concepts", "foo", "about")]),
        ("- `bar-baz`: about", [("Bar baz", "concepts", "bar-baz", "about")]),
        ("- foo is a word", []),
        ("- **none**", []),
        ("- **twice**", []),
        ("- concepts/none.md", []),
        ("- ../secret.md", []),
    ],
)
def test_an_entry_without_a_link_names_a_page_that_the_tree_has(line, found):
    _, read, reported = parse_index(RepoPath(".wiki/index.md"), f"# I\n{line}\n".encode(), TREE)

    assert [(entry.slug, entry.type, entry.title, entry.description) for entry in read] == found
    assert reported == ()


def test_a_table_without_links_names_the_pages_that_the_tree_has():
    table = "| Type | Name |\n|---|---|\n| concept | **foo** |\n| log | none |\n| x | Bar baz |\n"
    _, read, _ = parse_index(RepoPath(".wiki/index.md"), f"# I\n{table}".encode(), TREE)

    assert [(entry.slug, entry.line) for entry in read] == [("foo", 4), ("Bar baz", 6)]


def test_a_path_of_another_folder_of_the_repository_is_no_page():
    table = "| Path |\n|---|\n| docs/a.md |\n| concepts/foo.md |\n| .wiki/new/b.md |\n| c.md |\n"
    _, read, _ = parse_index(RepoPath(".wiki/index.md"), f"# I\n{table}".encode(), TREE)

    assert [(entry.type, entry.slug) for entry in read] == [("concepts", "foo"), ("new", "b"), ("root", "c")]


def test_a_cell_that_is_a_pages_whole_path_names_it_in_whatever_column():
    written = (
        "| path | extract |\n|---|---|\n| .wiki/sources/a.docx | `.wiki/extracts/a.md` |\n| x.md | .wiki/none.md |\n"
    )
    _, entries, found = parse_index(RepoPath(".wiki/index.md"), written.encode(), ["extracts/a", "x"])

    assert [(entry.type, entry.slug, entry.titled) for entry in entries] == [
        ("extracts", "a", False),
        ("root", "x", False),
    ]
    assert found == ()
