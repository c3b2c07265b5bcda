"""What an index names, and what makes it malformed."""

import pytest

from pipeline.model import RepoPath
from pipeline.parse.wiki_index import parse_index

PATH = RepoPath(".wiki/index.md")


def entries(text: str, pages: tuple[str, ...] = ()) -> list[tuple[str, str | None, str]]:
    return [(one.slug, one.type, one.title) for one in parse_index(PATH, text.encode("utf-8"), pages)[1]]


def codes(text: str) -> list[tuple[str, int | None]]:
    return [(one.code, one.line) for one in parse_index(PATH, text.encode("utf-8"))[2]]


def error(raw: bytes) -> str | None:
    return parse_index(PATH, raw)[0].error


@pytest.mark.parametrize(
    "line",
    [
        "- [A](concepts/x.md)",
        "*   [A](concepts/x.md)",
        "+ [A](./concepts/x.md)",
        "12. [A](.wiki/concepts/x.md)",
        "3) [A](./.wiki/concepts/x)",
        "      - [A](concepts/x.md#part)",
        "\t- [A](concepts/x.md?plain=1)",
        "- [ ] [A](concepts/x.MD)",
        "- [x] **[A](concepts/x.md)** — text",
        "- [**A**](<concepts/x.md>)",
        '- [`A`](concepts/x.md "a ) tip")',
        "- [A](entities/../concepts/x.md)",
        "- [A](../.wiki/concepts/x.md)",
        "- [A](concepts//x.md)",
        "- see [A](concepts/x.md)",
        "- [A](concepts/%78.md)",
        "- ![icon](i.png) [A](concepts/x.md)",
        "- ![icon](i.png) see [A](concepts/x.md)",
        "- [[concepts/x|A]]",
        "- [[.wiki/concepts/x.md#part|A]]",
        "- `[[concepts/x|A]]` - text",
        "- [![](i.png)A](concepts/x.md)",
        "| n | [A](concepts/x.md) |\n|---|---|\n| 1 | [A](concepts/x.md) |",
        "| n |\n|---|\n|| [[concepts/x\\|A]] |",
        "| n |\n|---|\n| [[concepts/x|A]] |",
        "Page | What\n--- | ---\n[A](concepts/x.md) | text",
    ],
)
def test_a_page_may_be_named_in_many_ways(line):
    assert entries(f"# Index\n\n{line}\n") == [("x", "concepts", "A")]


@pytest.mark.parametrize(
    "line",
    [
        "[A](concepts/x.md)",
        "> - [A](concepts/x.md)",
        "## [A](concepts/x.md)",
        "- ![A](concepts/x.md)",
        "- ![[concepts/x]]",
        "- `[A](concepts/x.md)`",
        "- [A][x]\n\n[x]: concepts/x.md",
        "- text\n  [A](concepts/x.md)",
        "- [A](https://example.org/concepts/x.md)",
        "- [A](mailto:a@example.org)",
        "- [A](/concepts/x.md)",
        "- [A](../concepts/x.md)",
        "- [A](concepts/../../x.md)",
        "- [A](../../.wiki/concepts/x.md)",
        "- [A](%2e%2e/concepts/x.md)",
        "- [A](concepts/)",
        "- [A](concepts/.)",
        "- [A](concepts/x/..)",
        "- [A](#part)",
        "- [A]()",
        "- [A](raw/scan.pdf)",
        "- [A](concepts/x%00.md)",
        "<!-- - [A](concepts/x.md) -->",
        "<!--\n- [A](concepts/x.md)",
        "````\n```\n- [A](concepts/x.md)\n````",
        "   ~~~md\n   - [A](concepts/x.md)\n   ~~~",
        "```\n- [A](concepts/x.md)",
    ],
)
def test_what_is_no_entry_is_passed_over_silently(line):
    assert entries(f"# Index\n\n{line}\n") == []
    assert codes(f"# Index\n\n{line}\n") == []


def test_links_side_by_side_are_entries_and_links_in_the_text_are_not():
    beside = "- [[a/x]] · **[[a/y]]**, [Z](a/z.md) / [[a/w]] — see [[a/v]]\n"
    text = f"# I\n{beside}- [Site](https://example.org) and [Q](a/q.md)\n"

    assert entries(text) == [("x", "a", "x"), ("y", "a", "y"), ("z", "a", "Z"), ("w", "a", "w")]


def test_struck_links_stand_side_by_side_and_a_lone_tilde_parts_two():
    assert entries("# I\n- ~~[[a/x]]~~, ~~[[a/y]]~~\n- [[a/z]] ~ [[a/w]]\n") == [
        ("x", "a", "x"),
        ("y", "a", "y"),
        ("z", "a", "z"),
    ]


def test_a_row_is_read_by_its_first_cell_with_a_link():
    text = "| Type | Page | See |\n|--|--|--|\n| c | [[a/x]], [[a/y]] | [[a/z]] |\n| c | none | - |\n"

    assert entries(text) == [("x", "a", "x"), ("y", "a", "y")]


def test_a_path_column_names_pages_where_no_cell_has_a_link():
    rows = "| `./concepts/x.md` | x | Big X |\n| notes.txt | n | N |\n| raw/y.md | | |\n"
    text = f"| File | Name | Title |\n|--|--|--|\n{rows}"

    assert entries(text) == [("x", "concepts", "Big X"), ("y", "raw", "y")]


def test_the_path_wins_over_the_heading_and_the_first_of_two_counts():
    assert entries("## Sources\n- [A](concepts/x.md)\n- [B](concepts/x.md#y)\n") == [("x", "concepts", "A")]


def test_pages_of_every_folder_and_of_none_are_kept():
    assert entries("- [A](decisions/2026/x.md)\n- [B](overview.md)\n") == [
        ("2026/x", "decisions", "A"),
        ("overview", "root", "B"),
    ]


@pytest.mark.parametrize(
    ("heading", "type_"),
    [
        ("# Concepts", "concepts"),
        ("## Concept (3)", "concepts"),
        ("### 🧠 CONCEPTS [wip]", "concepts"),
        ("## **Concepts**: 12", "concepts"),
        ("Concepts\n--------", "concepts"),
        ("## ⚙️ Entities (21 pages)", "entities"),
        ("## Package", "packages"),
        ("## Sources", "sources"),
        ("## Raw", "raw"),
        ("## Сущности", "entities"),
        ("## 📚 Источник (1)", "sources"),
        ("## Сырьё", "raw"),
        ("## Пакеты", "packages"),
        ("## 概念（3）", "concepts"),
        ("## 实体", "entities"),
        ("## 包", "packages"),
        ("## 来源", "sources"),
        ("## Concepts\n### By scope", "concepts"),
    ],
)
def test_a_bare_wikilink_takes_its_type_from_the_heading(heading, type_):
    assert entries(f"{heading}\n- [[x]] — text\n") == [("x", type_, "x")]


def test_a_bare_wikilink_without_such_a_heading_is_left_to_the_tree():
    text = "# Index\n## Concepts\n## Architecture\n- [[x]]\n"

    assert entries(text) == [("x", None, "x")]
    assert entries(text, ("decisions/x", "concepts/y")) == [("x", "decisions", "x")]
    assert entries(text, ("decisions/x", "concepts/x")) == [("x", None, "x")]


def test_the_tree_wins_where_the_headings_page_is_not_there():
    assert entries("## Concepts\n- [[Big Page]]\n- [[y]]\n", ("notes/big-page", "concepts/y")) == [
        ("big-page", "notes", "big-page"),
        ("y", "concepts", "y"),
    ]


def test_a_heading_may_name_a_folder_of_the_tree():
    pages = ("decisions/x", "modules/x", "how-to/x")

    assert entries("## Decision\n- [[x]]\n## How-to\n- [[x]]\n", pages) == [
        ("x", "decisions", "x"),
        ("x", "how-to", "x"),
    ]


@pytest.mark.parametrize(
    ("link", "title"),
    [
        ("[A \\[b\\] *c* `d`](a/x.md)", "A [b] c d"),
        ("[](a/x.md)", "x"),
        ("[[a/x|**T**]]", "T"),
        ("[[a/x.md]]", "x"),
        ("[[a/b/x y]]", "x y"),
        ("[Ёлка](a/x.md)", "Ёлка"),
        ("[T](a/\\(x\\).md)", "T"),
    ],
)
def test_a_title_is_the_links_text_or_the_last_part_of_the_path(link, title):
    assert [one[2] for one in entries(f"- {link}\n")] == [title]


@pytest.mark.parametrize(
    ("link", "titled"),
    [
        ("[X page](a/x.md)", True),
        ("[a/x.md](a/x.md)", False),
        ("[x](a/x.md)", False),
        ("[[a/x]]", False),
        ("[./a/X](a/x.md)", False),
    ],
)
def test_a_text_that_is_only_the_path_is_no_title(link, titled):
    assert [one.titled for one in parse_index(PATH, f"- {link}\n".encode())[1]] == [titled]


@pytest.mark.parametrize(
    ("line", "description"),
    [
        ("- [A](a/x.md) — why *it* waits", "why it waits"),
        ("- [A](a/x.md): who may", "who may"),
        ("- **[A](a/x.md)** - text", "text"),
        ("- [A](a/x.md)", None),
        ("| P | W | U |\n|-|-|-|\n| [A](a/x.md) | one box | 2026-04-02 |", "one box"),
        ("| P | U |\n|-|-|\n| [A](a/x.md) | 2026-04-02 |", None),
    ],
)
def test_what_follows_the_link_describes_the_page(line, description):
    assert [one.description for one in parse_index(PATH, f"# I\n{line}\n".encode())[1]] == [description]


@pytest.mark.parametrize("line", ["- [A](concepts/x.md", "- [A](raw/my page.md)", "- [[concepts/x", "| [A](x.md |"])
def test_a_broken_link_is_skipped_with_a_warning_at_its_line(line):
    text = (
        f"# I\n- [B](b/y.md)\n\n| a |\n|-|\n{line}\n" if line.startswith("|") else f"# I\n- [B](b/y.md)\n\n\n\n{line}\n"
    )

    assert entries(text) == [("y", "b", "B")]
    assert codes(text) == [("W201", 6)]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n \n",
        b"# Index\n",
        b"## Concepts\n\n_(none)_\n",
        b"- [A](a/x.md)\n",
        b"See [A](a/x.md).\n",
        b"> Start with [A](a/x.md).\n",
        b"---\ntitle: [broken\n---\n# Index\n",
        b"---\n---\n",
        b"<!-- generated -->\n",
        b"```\n# never closed\n",
        b"Index\n=====\n",
        b"# I\n```\n<<<<<<< HEAD\n```\n",
    ],
)
def test_few_things_make_an_index_malformed_and_these_do_not(raw):
    assert parse_index(PATH, raw)[0].state == "parsed"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"# I\n\xff\n", "not UTF-8"),
        (b"# I\n\0\n", "NUL byte"),
        (b"# I\n\n<<<<<<< HEAD\n=======\n>>>>>>> x\n", "merge conflict markers (line 3)"),
        (b"Just a note.\n", "no headings and no page links"),
        (b"- [A](https://example.org)\n", "no headings and no page links"),
        (b"#" * (1024 * 1024 + 1), "larger than 1 MiB"),
    ],
)
def test_a_malformed_index_says_why(raw, reason):
    index, named, found = parse_index(PATH, raw)

    assert (index.state, index.error, named) == ("malformed", f"wiki index malformed: {reason}", ())
    assert [(one.code, one.severity) for one in found] == [("E201", "error")]
