"""The report's words: the same messages in both languages, numbers and dates as each writes them."""

import string
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pipeline import messages
from pipeline.messages import Language, Messages, language_of


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.fixture
def english() -> Messages:
    return messages.load("en")


@pytest.fixture
def russian() -> Messages:
    return messages.load("ru")


def test_both_languages_have_the_same_messages(english: Messages, russian: Messages) -> None:
    assert list(russian.texts) == list(english.texts)
    assert list(russian.counts) == list(english.counts)


def test_a_message_has_the_same_placeholders_in_both_languages(english: Messages, russian: Messages) -> None:
    assert {key: placeholders(text) for key, text in russian.texts.items()} == {
        key: placeholders(text) for key, text in english.texts.items()
    }


@pytest.mark.parametrize(("language", "forms"), [("en", {"one", "other"}), ("ru", {"one", "few", "many", "other"})])
def test_every_count_has_every_form_its_language_can_ask_for(language: Language, forms: set[str]) -> None:
    assert {key: set(words) for key, words in messages.load(language).counts.items()} == dict.fromkeys(
        messages.load(language).counts, forms
    )


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 задач"),
        (1, "1 задача"),
        (2, "2 задачи"),
        (5, "5 задач"),
        (11, "11 задач"),
        (12, "12 задач"),
        (21, "21 задача"),
        (104, "104 задачи"),
        (1111, "1\u00a0111 задач"),
    ],
)
def test_russian_counts_take_the_form_of_their_number(russian: Messages, number: int, words: str) -> None:
    assert russian.count("count.tasks", number) == words


def test_english_counts_know_one_and_many(english: Messages) -> None:
    assert [english.count("count.tasks", number) for number in (0, 1, 2, 12345)] == [
        "0 tasks",
        "1 task",
        "2 tasks",
        "12,345 tasks",
    ]


def test_dates_are_written_in_utc_and_in_the_language(english: Messages, russian: Messages) -> None:
    moment = datetime(2026, 11, 30, 1, 5, tzinfo=timezone(timedelta(hours=3)))

    assert (english.day(moment), english.minute(moment)) == ("29 Nov 2026", "29 Nov 2026 22:05 UTC")
    assert russian.minute(datetime(2026, 5, 9, 10, 0, tzinfo=UTC)) == "9 мая 2026 10:00 UTC"


def test_a_value_with_braces_is_shown_as_it_is(english: Messages) -> None:
    assert english.text("project.gone", reason="{0} {reason}").endswith(": {0} {reason}")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Починить вход", "ru"),
        ("Fix the login", "en"),
        ("Починить OAuth для входа", "ru"),
        ("Rename ветка to branch everywhere", "en"),
        ("42 → 43", "ru"),
    ],
)
def test_a_text_is_of_the_language_of_most_of_its_letters(text: str, language: str) -> None:
    assert language_of(text, otherwise="ru") == language
