"""Names that stand in a text as whole words, in whatever form a sentence gives them.  Pure.

Words are folded and compared by Snowball stem: Russian for words of Russian letters, English for others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import snowballstemmer

from pipeline.text import fold

# Particles of other scripts stand at a name without a gap: `Dockerで`, `git-а`.
LATIN = "A-Za-z0-9\u00c0-\u024f"
WORD = re.compile(rf"[{LATIN}]+|[^\W_{LATIN}]+")
RUSSIAN_LETTER = re.compile("[а-яё]", re.IGNORECASE)
REMEMBERED = 20_000
WORD_LIMIT = 60


def is_russian(word: str) -> bool:
    """True for a word with a Russian letter."""
    return RUSSIAN_LETTER.search(word) is not None


@lru_cache(maxsize=REMEMBERED)
def stem(word: str) -> str:
    """The stem of a folded word; what is longer than any word of a language stays as it is."""
    if len(word) > WORD_LIMIT:
        return word
    # A stemmer keeps the word it works on: one for each call, so that threads cannot meet.
    return str(snowballstemmer.stemmer("russian" if is_russian(word) else "english").stemWord(word))


def first_named(text: str, names: Sequence[str]) -> str | None:
    """The first of `names` that the text has as whole words next to each other, or None."""
    wanted = [(name, _words(name)) for name in names]
    beginnings = {word[0] for _, words in wanted for word in words}
    # A stemmer costs a tenth of a millisecond a word, and changes no first letter.
    stems = tuple(stem(word) if word[0] in beginnings else word for word in _words(text))
    return next((name for name, words in wanted if words and _has(stems, tuple(map(stem, words)))), None)


def _has(stems: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    length = len(wanted)
    starts = (place for place, word in enumerate(stems) if word == wanted[0])
    return any(stems[place : place + length] == wanted for place in starts)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, as written; each of letters and digits of one script."""
    return tuple(WORD.findall(text))


def _words(text: str) -> tuple[str, ...]:
    return words_of(fold(text))
