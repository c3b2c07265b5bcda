from hypothesis import assume, example, given
from hypothesis import strategies as st

from pipeline import search, search_words
from tests.fakes.questions import AWKWARD

LETTERS = st.one_of(st.sampled_from(AWKWARD), st.sampled_from("abc_ -+"), st.characters(exclude_categories=["Cs"]))
FIELDS = st.lists(st.text(LETTERS, max_size=12).map(lambda text: f"{text}\x01"), min_size=1, max_size=4)
TERMS = st.one_of(st.sampled_from(["a", "ab", "abc", "-", "b_", "漢"]), st.text(LETTERS, min_size=1, max_size=4))


def tokens(*fields: str) -> list[str]:
    return search_words.tokens(fields).split(" ")


def asked(expression: str) -> list[str]:
    """The tokens that an expression of one or more alternatives asks for."""
    return [token.strip('"') for token in expression.split(" OR ")]


def test_words_stand_as_they_are_where_they_are_whole_in_the_first_field_that_holds_them():
    assert [one for one in tokens("relogin\x01", "the login\x01", "the server\x01") if one[0] != "="] == [
        "relogin",
        "the",
        "server",
    ]


def test_a_letter_tells_its_first_field_and_a_sign_where_it_stands_alone():
    assert tokens("a\x01", "a-b +\x01") == ["=01", "=061", "a", "=120", "=12b", "=12d", "=162", "=w2b", "b"]


def test_long_words_and_those_of_scripts_without_spaces_are_told_of_not_listed():
    assert search_words.OTHERS in tokens("x" * 41)
    assert search_words.OTHERS in tokens("ab 漢字 cd")
    assert search_words.OTHERS not in tokens("x" * 40 + " ab +")


@given(fields=FIELDS, term=TERMS)
@example(fields=["xab\x01", "ab\x01"], term="ab")
@example(fields=["xab\x01", "ab 漢\x01"], term="ab")
@example(fields=["-\x01", "a-\x01"], term="-")
@example(fields=["漢\x01"], term="漢")
def test_the_index_tells_where_a_term_is_whole_as_ranks_do(fields, term):
    assume(term.strip() and "\x01" not in term and search_words.tells_whole(term))
    is_whole = search.matches(fields, [term]) and search.parts(fields, [term]) == 0

    assert (asked(search_words.whole(term))[0] in tokens(*fields)) is is_whole


@given(fields=FIELDS, letter=LETTERS, places=st.sets(st.integers(0, 3), min_size=1))
def test_the_index_tells_the_first_field_of_a_letter(fields, letter, places):
    assume(letter not in '" ')
    first = next((place for place, field in enumerate(fields) if letter in field), None)

    assert bool(set(asked(search_words.first_in(letter, sorted(places)))) & set(tokens(*fields))) is (first in places)


@given(fields=FIELDS, term=TERMS)
@example(fields=["xabcx\x01", "abc\x01"], term="bc")
@example(fields=["漢ab\x01"], term="ab")
def test_a_part_of_a_word_is_in_a_listed_word_or_its_text_is_told_of(fields, term):
    assume(search_words.is_listed(term))
    found = tokens(*fields)
    listed = any(term in token for token in found if not token.startswith("="))

    assert listed <= search.matches(fields, [term]) <= (listed or search_words.OTHERS in found)


def test_words_with_a_part_are_those_between_line_feeds():
    words = "ab\nabab\nxyz\nёлка\nтёлка\n".encode()

    assert list(search_words.words_with(words, "ab")) == ["ab", "abab"]
    assert list(search_words.words_with(words, "ёлк")) == ["ёлка", "тёлка"]
    assert list(search_words.words_with(words, "zz")) == []
