"""What the search index writes is read again as it was, and stays small."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.report import search_postings as postings

RUNS = st.lists(st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1), unique=True).map(sorted)


def test_a_small_number_takes_one_digit_and_a_large_one_few() -> None:
    assert [postings.number(value) for value in (0, 31, 32, 1_000, 100_000)] == ["A", "f", "hA", "_I", "jh1A"]


def test_texts_of_a_run_stand_by_field_the_body_first() -> None:
    assert postings.entry([4 * 5 + 3, 4 * 7 + 1, 4 * 9 + 3]) == "FE..H"


def test_words_name_only_what_the_one_before_does_not_say() -> None:
    assert postings.words(["plan", "planner", "план"]) == "Aplan Ener Aплан"


def test_a_letter_of_two_units_is_never_parted() -> None:
    assert postings.words(["a\U0001f642b", "a\U0001f642c"]) == "Aa\U0001f642b B\U0001f642c"


@given(hits=st.sets(st.integers(0, 1 << 22)))
def test_an_entry_is_read_as_it_was_written(hits: set[int]) -> None:
    assert set(postings.read_entry(postings.entry(sorted(hits)))) == hits


@given(words=RUNS)
def test_words_are_read_as_they_were_written(words: list[str]) -> None:
    assert postings.read_words(postings.words(words)) == words


@given(values=st.lists(st.integers(0, 1 << 30)))
def test_numbers_are_read_as_they_were_written(values: list[int]) -> None:
    assert list(postings.read_numbers(postings.numbers(values))) == values
