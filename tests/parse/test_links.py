"""The links of a page as written: which there are, and at what line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.parse.links import REFERENCE_LIMIT, read_references
from pipeline.parse.markdown import inspect


def references(text: str) -> list[tuple[str, str, int]]:
    document, _ = inspect(text.encode("utf-8", "surrogatepass"))
    return [(one.kind, one.target, one.line) for one in read_references(document)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see [a](b.md) and [c](<d e.md>)", [("link", "b.md", 1), ("link", "d e.md", 1)]),
        ("[a](b.md#part 'tip')", [("link", "b.md#part", 1)]),
        ("[[a]] [[b/c#part|C]] [[d\\|D]]", [("wikilink", "a", 1), ("wikilink", "b/c#part", 1), ("wikilink", "d", 1)]),
        ("![[a]] ![x](y.png)", [("wikilink", "a", 1)]),
        ("[![badge](x.svg)](a.md)", [("link", "a.md", 1)]),
        ("# On [a](b.md)\n\n## [[c]]\n", [("link", "b.md", 1), ("wikilink", "c", 3)]),
        ("- x\n  - [[a]]\n\n    [[b]]\n", [("wikilink", "a", 2), ("wikilink", "b", 4)]),
        ("| a | b |\n|---|---|\n| [[x\\|X]] | [y](y.md) |\n", [("wikilink", "x", 3), ("link", "y.md", 3)]),
        ("one\n[a label over\ntwo lines](a.md)\n[[b]]\n", [("link", "a.md", 2), ("wikilink", "b", 4)]),
        ("see [the page][p].\n\n[p]: <a b.md> 'tip'\n[q]: c.md\n", [("link", "a b.md", 3), ("link", "c.md", 4)]),
        ("[[a]]\n[b]: c.md\n[[d]]\n", [("wikilink", "a", 1), ("link", "c.md", 2), ("wikilink", "d", 3)]),
        ("[a](b\\_c.md)", [("link", "b_c.md", 1)]),
        ("[[a]]\n\n[[b]]\n\n[[a]]\n", [("wikilink", "a", 1), ("wikilink", "b", 3)]),
        ("Страница [кеш](кеш%20и%20очередь.md)", [("link", "кеш%20и%20очередь.md", 1)]),
        ("**Bold:**\n    - [[a]]\n", [("wikilink", "a", 2)]),
    ],
)
def test_a_link_is_found_with_its_line(text, found):
    assert references(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "`[[a]]` `[b](c.md)`",
        "`` [[a]] ` ``",
        "a `code\nover [[a]]\nlines`",
        "```\n[[a]]\n```\n",
        "~~~md\n[a](b.md)\n",
        "> ~~~\n> [[a]]\n> ~~~\n",
        "text\n\n    [[a]]\n    [b](c.md)\n\n    - [[d]]\n",
        "<!-- [[a]] -->",
        "\\[a](b.md) \\[[c]]",
        "if [[ -f x ]]; then",
        "[[a\nb]]",
        "[^1]: note",
        "[x] done",
    ],
)
def test_code_comments_and_what_only_looks_like_a_link_are_none(text):
    assert references(text) == []


def test_quotes_are_read_with_their_lines():
    text = "[[a]]\n\n> [!note]\n> over [two\n> lines](b.md)\n>> [[c]]\n\n[[e]]\n> - [[d]]\n"

    assert references(text) == [
        ("wikilink", "a", 1),
        ("link", "b.md", 4),
        ("wikilink", "c", 6),
        ("wikilink", "e", 8),
        ("wikilink", "d", 9),
    ]


def test_front_matter_mentions_pages():
    text = '---\nrelated: ["[[a]]", [[b]]]\nedges:\n  - {type: uses, target: ../c.md}\nnot: .mdx\n---\n[[a]]\n'

    assert references(text) == [
        ("mention", "a", 2),
        ("mention", "b", 2),
        ("mention", "../c.md", 4),
        ("wikilink", "a", 7),
    ]


def test_a_page_with_very_many_links_tells_that_there_are_more():
    assert len(references(" ".join(f"[[p{number}]]" for number in range(REFERENCE_LIMIT + 9)))) == REFERENCE_LIMIT + 1


SCRAPS = st.sampled_from(
    [
        *("[", "]", "(", ")", "[[", "]]", "](", "|", "`", "```\n", "~~~\n", "> ", ">", "- ", "    ", "\n", "\n\n"),
        *("![", "[a]: ", "<", ">", "a.md", "../", "#", "---\n", "|---|\n", "<!--", "-->", "\\", "[[a]]", "[a](b.md)"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(SCRAPS | st.text(max_size=4), max_size=60).map("".join))
def test_references_never_raise_and_lie_in_the_file_in_order(text):
    lines = [line for _, _, line in references(text)]

    assert lines == sorted(lines)
    assert all(0 < line <= inspect(text.encode("utf-8", "surrogatepass"))[0].text.count("\n") + 1 for line in lines)
