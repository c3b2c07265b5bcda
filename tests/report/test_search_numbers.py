"""Texts keep their numbers when others come and go."""

from pipeline.model import RepositoryId
from pipeline.report.search_numbers import Name, numbered

API = RepositoryId("forge/ann/api")


def pages(*slugs: object) -> list[Name]:
    return [Name(API, "wiki", str(slug)) for slug in slugs]


def wiki(names: list[Name]) -> dict[str, int]:
    """The number of each page."""
    _, numbers = numbered(names)
    return dict(zip([name.slug for name in names], numbers[API][2], strict=True))


def test_every_text_has_a_number_of_its_own_and_the_table_is_at_most_three_times_as_long() -> None:
    places, numbers = numbered(pages(*range(1_000)))

    assert (places, len(set(numbers[API][2]))) == (2_048, 1_000)


def test_a_new_text_leaves_nearly_all_others_where_they_were() -> None:
    before, after = wiki(pages(*range(500))), wiki(pages("new", *range(500)))

    assert sum(after[slug] != number for slug, number in before.items()) <= 5


def test_the_order_of_lists_does_not_matter() -> None:
    assert wiki(pages("a", "b", "c")) == wiki(pages("c", "b", "a"))


def test_texts_that_are_called_the_same_are_told_apart_by_their_order() -> None:
    _, numbers = numbered(pages("same", "same"))

    assert len(set(numbers[API][2])) == 2


def test_a_project_without_texts_has_a_number_itself() -> None:
    _, numbers = numbered([Name(API, "project", "")])

    assert [len(own) for own in numbers[API]] == [1, 0, 0, 0]
