"""The fixed mix of queries that searches are measured with: thirty of each kind, the same in every run."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from benchmarks.corpus import SIGNS, Language, languages

OF_EACH = 30
COMMON = slice(20, 2_000)
RARE = slice(8_000, 20_000)


def mix() -> Mapping[str, tuple[str, ...]]:
    """Queries by their kind."""
    english, russian = languages()
    return {
        "3 letters, English": _many(lambda chance: _piece(english, COMMON, 3, chance)),
        "3 letters, Russian": _many(lambda chance: _piece(russian, COMMON, 3, chance)),
        "6 letters of a rare word, English": _many(lambda chance: _piece(english, RARE, 6, chance)),
        "6 letters of a rare word, Russian": _many(lambda chance: _piece(russian, RARE, 6, chance)),
        "signs": tuple(SIGNS[number % len(SIGNS)] for number in range(OF_EACH)),
        "two words": _many(lambda chance: _two_words(chance.choice((english, russian)), chance)),
        "nowhere": _many(lambda chance: "".join(chance.choices("qxjzвщъ", k=7))),
        "1 or 2 letters": _many(lambda chance: _piece(chance.choice((english, russian)), COMMON, 1, chance))[
            : OF_EACH // 2
        ]
        + _many(lambda chance: _piece(chance.choice((english, russian)), COMMON, 2, chance))[OF_EACH // 2 :],
    }


def beside() -> Mapping[str, tuple[str, ...]]:
    """Kinds that are no part of the mix: what stands in nearly every page, whole and as a part of words."""
    english, russian = languages()
    return {
        "one of the most frequent words": english.words[:15] + russian.words[:15],
        "a phrase": _many(lambda chance: f'"{" ".join(chance.choices(english.words[:50], k=2))}"'),
    }


def _many(make: Callable[[random.Random], str]) -> tuple[str, ...]:
    return tuple(make(random.Random(f"query {number}")) for number in range(OF_EACH))


def _piece(chosen: Language, places: slice, length: int, chance: random.Random) -> str:
    word = chance.choice(_long_enough(chosen.words[places], length))
    start = chance.randrange(len(word) - length + 1)
    return word[start : start + length]


def _long_enough(words: Sequence[str], length: int) -> list[str]:
    return [word for word in words if len(word) >= length]


def _two_words(chosen: Language, chance: random.Random) -> str:
    return " ".join(chance.sample(chosen.words[COMMON], 2))
