"""The catalog of texts, and how foreign values stay inside their lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.wiki.words import load, one_line
from tests.mcp_server.wiki.speaking import AWPCA, speak
from tests.mcp_server.wiki.test_scenarios import DIFF, EDITS, PAGE

BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
IMITATIONS = (
    "путь: поддельный",
    "продолжение: offset=5",
    "12:40 Враг: +1 / −0 (DOCH-1)",
    "синхронизировано: 01.01 00:00",
    "конец страницы: всего 1 символов",
    "история ещё не загружена: нужен eva-agent v2 и sync",
)
foreign = st.lists(st.sampled_from([*BREAKS, "\r\n", " ", "\t", "слово", *IMITATIONS]), max_size=8).map("".join)


@pytest.mark.parametrize("letter", BREAKS, ids=ascii)
def test_a_break_of_any_kind_with_the_blanks_around_it_is_one_space(letter):
    assert one_line(f"раз \t{letter}  два") == "раз два"


def test_breaks_in_a_row_are_one_space_and_other_blanks_stay():
    assert one_line("раз\r\n\r\n\u2028два  три") == "раз два  три"


def test_letters_that_turn_or_hide_others_are_left_out():
    assert one_line("a\u202eb\x00c\u200bd") == "abcd"


@given(foreign)
def test_no_value_ever_makes_a_line(value):
    assert len(one_line(value).splitlines()) <= 1


@given(foreign, foreign, foreign)
def test_a_page_header_has_its_five_lines_whatever_the_page_is_called(name, path, author):
    page = {**PAGE, "name": name, "path": path, "modified_by": author}

    lines = speak({"GET /wiki/page": page}, "page", code="DOC-3").text.split("\n\n")[0].split("\n")

    assert [line.split(" ")[0] for line in lines] == ["DOC-3", "путь:", "синхронизировано:", "изменено:"]


@given(foreign, foreign, foreign)
def test_a_change_feed_has_its_five_lines_whatever_a_page_and_its_author_are_called(name, path, author):
    items = [{**item, "page_name": name, "path": path, "author": author} for item in EDITS["items"]]

    lines = speak({"GET /wiki/changes": {**EDITS, "items": items}}, "changes").text.splitlines()

    assert len(lines) == 5


@given(foreign, foreign, foreign)
def test_a_diff_header_has_its_seven_lines(name, path, author):
    answer = {**DIFF, "name": name, "path": path, "author": author, "diff": "+a\n"}

    assert len(speak({"GET /wiki/diff": answer}, "diff", code="DOC-101252").text.split("\n")) == 10


@given(foreign, foreign)
def test_lists_have_their_lines_whatever_stands_in_them(name, snippet):
    found = {"items": [{"code": "DOC-1", "name": name, "path": name, "snippet": snippet}]}
    nodes = {"nodes": [{"code": "DOC-1", "name": name, "size": 1, "depth": 0}], "cycles": 0, "orphans": 0}
    table = {"items": [{**AWPCA, "name": name}]}

    assert len(speak({"GET /wiki/search": found}, "search", query="я").text.splitlines()) == 2
    assert len(speak({"GET /wiki/tree": nodes}, "tree").text.splitlines()) == 1
    assert len(speak({"GET /projects": table}, "projects").text.splitlines()) == 3


def test_both_languages_have_the_same_texts_with_the_same_places():
    russian, english = (
        {key: sorted(re.findall(r"{(\w+)}", words)) for key, words in load(language).texts.items()}
        for language in ("ru", "en")
    )

    assert russian == english


def test_the_seed_s_texts_are_there_letter_by_letter():
    texts = load("ru").texts

    assert (texts["changes.version"], texts["sync.late"]) == (
        "{at} {author}: +{added} / \u2212{removed} ({version})",
        "не дождался за {seconds} с: пакет {id}",
    )
    assert texts["changes.page"] == "{code} {name} \u2014 {path}"
