"""Arguments are checked in our own words; a value is refused, never bent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.arguments import Choice, Text, Texts, Whole, input_schema, read
from mcp_server.errors import BadArgument

ACCEPTED = (
    Text(name="query", meaning="words", required=True),
    Choice(name="status", choices=("open", "all"), default="open"),
    Whole(name="limit", minimum=1, maximum=100, default=30),
)


def refusal(**given: object) -> str:
    with pytest.raises(BadArgument) as caught:
        read("tasks_search", ACCEPTED, {"query": "x", **given})
    return str(caught.value)


def test_what_is_not_given_has_its_default():
    assert read("tasks_search", ACCEPTED, {"query": "ship"}) == {"query": "ship", "status": "open", "limit": 30}


def test_an_unknown_argument_names_the_accepted_ones():
    assert refusal(stats="open") == (
        'unknown argument "stats"; did you mean status?; tasks_search accepts query, status, limit'
    )


def test_a_tool_without_arguments_says_so():
    with pytest.raises(BadArgument, match=r'^unknown argument "x"; meta_status accepts no arguments$'):
        read("meta_status", (), {"x": 1})


@pytest.mark.parametrize(
    ("value", "shown"),
    [(500, "500"), (0, "0"), (-1, "-1"), (True, "true"), (30.0, "30.0"), ("30", '"30"'), (None, "null"), ([], "[]")],
)
def test_a_number_out_of_range_or_of_another_type_is_refused_not_clamped(value: object, shown: str):
    assert refusal(limit=value) == f"limit is {shown}; expected a whole number from 1 to 100"


def test_both_ends_of_a_range_are_accepted():
    assert [read("t", ACCEPTED, {"query": "x", "limit": limit})["limit"] for limit in (1, 100)] == [1, 100]


@pytest.mark.parametrize("value", ["Open", "", 1, None, ["open"]])
def test_a_word_that_is_not_among_the_choices_is_refused_with_them(value: object):
    assert refusal(status=value).endswith("; expected one of open, all")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, "query is 7; expected text"),
        ("x" * 401, "query is 401 characters long; expected at most 400"),
        ("  ", "query is empty; expected at least one letter"),
        ("a\0b", "query holds a NUL or half a character; expected text without them"),
        ("\ud800", "query holds a NUL or half a character; expected text without them"),
    ],
)
def test_a_text_that_cannot_be_asked_for_is_refused_with_the_reason(value: object, words: str):
    assert refusal(query=value) == words


def test_four_hundred_letters_are_accepted():
    assert read("t", ACCEPTED, {"query": "ё" * 400})["query"] == "ё" * 400


def test_a_missing_argument_says_what_is_expected():
    with pytest.raises(BadArgument, match=r"^query is missing; expected words$"):
        read("tasks_search", ACCEPTED, {})


def test_every_mistake_of_a_call_is_told_at_once():
    assert refusal(status="x", limit=0) == (
        'status is "x"; expected one of open, all. limit is 0; expected a whole number from 1 to 100'
    )


def test_clients_are_told_ranges_defaults_and_that_nothing_else_is_accepted():
    assert input_schema(ACCEPTED) == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "words", "minLength": 1, "maxLength": 400},
            "status": {"type": "string", "enum": ["open", "all"], "default": "open"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 30},
        },
        "required": ["query"],
        "additionalProperties": False,
    }


NAMES = (Texts(name="projects", noun="name", maximum=3, required=True),)


def test_a_list_of_texts_is_read_as_it_stands():
    assert read("t", NAMES, {"projects": ["b", "a", "b"]}) == {"projects": ("b", "a", "b")}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("a", 'projects is "a"; expected a list of 1 to 3 names'),
        (None, "projects is null; expected a list of 1 to 3 names"),
        ({"0": "a"}, 'projects is {"0": "a"}; expected a list of 1 to 3 names'),
        ([], "projects has 0 names; expected a list of 1 to 3 names"),
        (["a"] * 4, "projects has 4 names; expected a list of 1 to 3 names"),
        (["a", ["b"]], 'projects[1] is ["b"]; expected text'),
        (["a", True], "projects[1] is true; expected text"),
        (["x" * 401], "projects[0] is 401 characters long; expected at most 400"),
    ],
)
def test_a_list_that_is_none_or_holds_what_is_no_text_is_refused(value: object, said: str):
    with pytest.raises(BadArgument) as caught:
        read("t", NAMES, {"projects": value})

    assert str(caught.value) == said


def test_clients_are_told_what_a_list_holds_and_how_many():
    assert input_schema(NAMES)["properties"] == {
        "projects": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 400},
            "minItems": 1,
            "maxItems": 3,
        }
    }


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5)


@given(st.dictionaries(st.sampled_from(["query", "status", "limit", "limi", "\x1b[2J", "\u202e"]), JSON | st.text()))
def test_any_arguments_are_read_or_refused_on_one_clean_line(given: dict[str, object]):
    try:
        words = str(read("t", ACCEPTED, given))
    except BadArgument as refused:
        words = str(refused)
    assert "\n" not in words
    assert "\x1b" not in words
