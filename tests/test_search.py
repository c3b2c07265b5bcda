import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import CatalogError
from pipeline.search import Quality, Rank, all_of, any_of, has_word, matches, parse_query, rank, trigrams


def test_white_space_parts_words_and_quotes_keep_a_phrase():
    assert parse_query(' release\u00a0 "due date" \n now') == ("release", "due date", "now")


def test_words_are_folded_and_each_is_asked_once():
    assert parse_query("Ёлка ёлка STRASSE straße") == ("елка", "strasse")


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ('"due date', ('"due', "date")),
        ('5" pipe', ('5"', "pipe")),
        ('say:"x y"', ('say:"x', 'y"')),
        ('"a b"c', ("a b", "c")),
        ('""x', ("x",)),
    ],
)
def test_a_quote_without_a_partner_or_inside_a_word_is_a_letter(query, terms):
    assert parse_query(query) == terms


@pytest.mark.parametrize("query", ["", " \t\n", '""', '" "', "\u200b\ufeff"])
def test_a_query_with_nothing_to_look_for_is_an_error_that_says_so(query):
    with pytest.raises(CatalogError, match="the query is empty; give a word, or a phrase in quotes"):
        parse_query(query)


def test_a_query_of_400_characters_is_accepted_and_one_more_is_not():
    assert parse_query("x" * 400) == ("x" * 400,)
    with pytest.raises(CatalogError, match="the query has 401 characters; at most 400"):
        parse_query("x" * 401)


def test_a_nul_is_refused():
    with pytest.raises(CatalogError, match="NUL"):
        parse_query("a\0b")


def test_letters_that_no_text_can_hold_are_left_out_of_a_query():
    assert parse_query("re\u200blease\ud800") == ("release",)


def test_terms_may_be_spread_over_fields_but_none_may_span_two():
    assert matches(("deploy", "server"), ("ploy", "serv"))
    assert not matches(("deploy", "server"), ("deployserver",))
    assert not matches(("deploy", "server"), ("deploy", "client"))


def test_the_trigrams_of_terms_are_all_their_runs_of_three_letters():
    assert trigrams(('say"s', "ab", "й", "aya")) == ("say", 'ay"', 'y"s', "aya")


def test_trigrams_are_quoted_for_the_index():
    assert all_of(("say", 'ay"')) == '"say" AND "ay"""'
    assert any_of(("say", 'ay"')) == '"say" OR "ay"""'


def test_a_long_query_asks_for_a_bounded_number_of_trigrams():
    letters = "".join(chr(0x4E00 + number) for number in range(400))

    assert len(trigrams((letters,))) == 64


def test_a_hit_in_an_earlier_class_of_fields_ranks_better_then_whole_words():
    fields = ("fix-login", "Fix the login", "deploy", "relogin deploy server")

    assert rank(fields, (0, 0, 1, 2), ("login",)) == Rank(Quality(0, 0), 0)
    assert rank(fields, (0, 0, 1, 2), ("deploy",)) == Rank(Quality(1, 1), 0)
    assert rank(fields, (0, 0, 1, 2), ("ogin", "serv")) == Rank(Quality(0, 2), 2)


@pytest.mark.parametrize(
    ("field", "term", "whole"),
    [
        ("use c++ here", "c++", True),
        ("relogin login", "login", True),
        ("relogin", "login", False),
        ("вход", "вход", True),
        ("входа", "вход", False),
    ],
)
def test_a_whole_word_has_no_letters_at_its_sides(field, term, whole):
    assert has_word(field, term) is whole


@given(st.text(max_size=60))
def test_any_query_gives_terms_or_an_error_of_ours(query):
    try:
        terms = parse_query(query)
    except CatalogError:
        terms = ("refused",)

    assert all(terms)
