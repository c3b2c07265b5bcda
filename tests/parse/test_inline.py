"""Links of a line, and a line as plain text."""

import pytest

from pipeline.parse.inline import find_links, plain


def links(line: str) -> list[tuple[str, str, str]]:
    return [(link.kind, link.label, link.target) for link in find_links(line)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("[t](u)", [("link", "t", "u")]),
        ("[t](<u v>)", [("link", "t", "u v")]),
        ("[t]( u 'tip' )", [("link", "t", "u")]),
        ("[t](u (tip))", [("link", "t", "u")]),
        ("[t](a(b)(c).md)", [("link", "t", "a(b)(c).md")]),
        ("[a [b] c](u)", [("link", "a [b] c", "u")]),
        ("[[1]](u)", [("link", "[1]", "u")]),
        ("\\[t](u) [v](w)", [("link", "v", "w")]),
        ("![i](u) \\![t](u)", [("image", "i", "u"), ("link", "t", "u")]),
        ("[[u]] [[u|t]] [[u\\|t]]", [("wikilink", "", "u"), ("wikilink", "t", "u"), ("wikilink", "t", "u")]),
        ("`[t](u)` `` `[[u]]` `` ` [[u]] `", [("wikilink", "", "u")]),
        ("[t](u v) [t](u [[u] [[u", []),
        ("[[u [[v]]", [("wikilink", "", "v")]),
        ("[t] (u) [x]", []),
    ],
)
def test_links_are_found_in_every_form_and_nothing_else(line, found):
    assert links(line) == found


def test_a_link_knows_its_place():
    line = "see **[t](u)**, [[v]]"

    assert [line[link.start : link.end] for link in find_links(line)] == ["[t](u)", "[[v]]"]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("**bold** *it* __b__ _i_ ~~s~~ `c`", "bold it b i s c"),
        ("***both*** **a *b* c**", "both a b c"),
        ("snake_case_name __init__.py 2 * 3 * 4 *.md", "snake_case_name init.py 2 * 3 * 4 *.md"),
        ("`*kept*` ``a`b``", "*kept* a`b"),
        ("\\*kept\\* A \\[b\\]", "*kept* A [b]"),
        ("[t](u) [[v]] [[v|w]] ![i](u) <https://e.org>", "t v w https://e.org"),
        ("[![alt](i)](u) [![alt](i) t](u)", "t"),
        ("a<br>b<BR />c <b>d</b> <a id='x'></a>e Vec<u8>", "a b c d e Vec<u8>"),
        ("  many\t spaces  ", "many spaces"),
        ("* ** unpaired_", "* ** unpaired_"),
        ("«**слово**» (_слово_)", "«слово» (слово)"),
    ],
)
def test_a_line_is_reduced_to_what_a_reader_sees(line, shown):
    assert plain(line) == shown
