"""Names are found as whole words, in whatever form a sentence gives them."""

import pytest

from pipeline.stems import first_named, stem


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Reads the mortgages of a partner", "mortgage"),
        ("MORTGAGE", "mortgage"),
        ("заказы из Лукошка", "Лукошко"),
        ("Расчёт ипотеки", "ипотека"),
        ("ёлка и Ёлки", "Елка"),
        ("the Harbour banks", "Harbour Bank"),
        ("lantern-desk/build.sh", "lantern-desk"),
        ("lantern_desk", "lantern-desk"),
        ("Lantern은 여기", "lantern"),
    ],
)
def test_a_name_is_found_in_another_form(text, name):
    assert first_named(text, ("absent", name)) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mortgageable", "gage"),
        ("a harbour, a bank", "Harbour Bank"),
        ("bank of the harbour", "Harbour Bank"),
        ("гитара", "гит"),
        ("lanternfish", "lantern"),
        ("anything", ""),
        ("anything", "---"),
        ("", "lantern"),
    ],
)
def test_a_part_of_a_word_or_words_apart_are_not_the_name(text, name):
    assert first_named(text, (name,)) is None


def test_the_first_of_the_names_that_are_there_is_told():
    assert first_named("b, then a", ("c", "a", "b")) == "a"


def test_a_word_longer_than_any_is_left_as_it_is():
    assert stem("running" * 10) == "running" * 10
