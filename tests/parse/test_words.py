"""Status words, emoji and slugs."""

import pytest

from pipeline.parse.words import slugify, status_by_emoji, status_by_word


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("active — more", "active"),
        ("IN_PROGRESS", "active"),
        ("in-progress (2 of 3)", "active"),
        ("Review, then merge", "active"),
        ("进行中（两个）", "active"),
        ("진행중", "active"),
        ("to-do", "todo"),
        ("not started", "todo"),
        ("в очереди", "todo"),
        ("waiting on Bob", "blocked"),
        ("blocked_by T-7", "blocked"),
        ("ЖДЁТ ответа", "blocked"),
        ("ждет ответа", "blocked"),
        ("paused/reference — x", "paused"),
        ("отложено до мая", "paused"),
        ("✅ **Done**", "done"),
        ("completed!", "done"),
        ("(closed)", "done"),
        ("erledigt", "done"),
        ("Won't do: too dear", "cancelled"),
        ("won’t do", "cancelled"),
        ("done-ish", None),
        ("code-complete", None),
        ("doneness", None),
        ("almost done", None),
        ("完成了一半", None),
        ("", None),
        ("🟢", None),
    ],
)
def test_the_longest_known_phrase_at_the_start_is_the_status(value, status):
    assert status_by_word(value) == status


@pytest.mark.parametrize(
    ("value", "status"),
    [("x ⚪️ y", "todo"), ("⛔️", "blocked"), ("✔️", "done"), ("▶️ ✅", "active"), ("⏳", None), ("🔥", None)],
)
def test_the_first_emoji_that_stands_for_a_status_counts(value, status):
    assert status_by_emoji(value) == status


@pytest.mark.parametrize(
    ("title", "slug"),
    [("Ship it, now!", "ship-it-now"), ("Ёлка и йод", "ёлка-и-йод"), ("ÉTÉ", "été"), ("a_b", "a_b"), ("—", "")],
)
def test_a_slug_keeps_letters_of_every_script(title, slug):
    assert slugify(title) == slug
