"""What the word index holds of a text, and how it is asked.  Pure.

It tells what trigrams cannot: which texts have a word whole in the first field that holds it, as
`search.parts` wants to know; which field is the first to hold a letter; and, by the list of all words, which
texts hold a part of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pipeline.search import any_of, has_word

# Words go in as they stand, all else behind a mark that no word has.
TOKENIZER = "tokenize=\"ascii tokenchars '_='\""
MARK = "="
# Of texts with words that are not in the index: long ones, and those of scripts that put no space between words.
OTHERS = f"{MARK}others"
LONGEST_WORD = 40
WORD = re.compile(r"\w+")
COMMON = "abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщъыьэюя0123456789 \n\x01.,-#"
RARE = re.compile(f"[^{re.escape(COMMON)}]")
# The first letter of the scripts that put no space between words, as far as they are many.
WIDE = "\u2e80"


def tokens(fields: Sequence[str]) -> str:
    """All that the index holds of the folded fields of one text, in an order that is always the same."""
    found: list[str] = []
    before = ""
    for place, field in enumerate(fields):
        every = _letters(field)
        letters = sorted(every.difference(before))
        found += [_letter(letter, place) for letter in letters]
        found += [_sign(letter) for letter in letters if not WORD.match(letter) and has_word(field, letter)]
        found += _words(field, before, max(every, default="") < WIDE)
        before += field
    return " ".join(found)


def _letters(field: str) -> set[str]:
    """The letters of a text, each once; in half the time of `set(field)`, which makes a string of every letter."""
    return {letter for letter in COMMON if letter in field}.union(RARE.findall(field))


def _words(field: str, before: str, is_narrow: bool) -> list[str]:
    words = dict.fromkeys(WORD.findall(field))
    if is_narrow and max(map(len, words), default=0) <= LONGEST_WORD:
        return [word for word in words if word not in before]
    listed = [word for word in words if is_listed(word)]
    more = [OTHERS] if len(listed) < len(words) else []
    return [word for word in listed if word not in before] + more


def is_listed(term: str) -> bool:
    """True when every word that has this in it is in the index, or its text is one of `OTHERS`."""
    return len(term) <= LONGEST_WORD and WORD.fullmatch(term) is not None and max(term) < WIDE


def tells_whole(term: str) -> bool:
    """True when the index tells where `term` stands whole."""
    return is_listed(term) or (len(term) == 1 and not WORD.match(term))


def words_with(words: bytes, part: str) -> Iterator[str]:
    """Those of the words, each behind a line feed and with one at the end, that have a part in them."""
    sought = part.encode()
    found = words.find(sought)
    while found >= 0:
        start, end = words.rfind(b"\n", 0, found) + 1, words.find(b"\n", found)
        yield words[start:end].decode()
        found = words.find(sought, end)


def whole(term: str) -> str:
    """An FTS5 expression for texts that have this word whole in the first field that holds it."""
    return any_of([term if WORD.match(term) else _sign(term)])


def first_in(letter: str, places: Iterable[int]) -> str:
    """An FTS5 expression for texts whose first field with this letter is one of those at `places`."""
    return any_of(_letter(letter, place) for place in places)


def _letter(letter: str, place: int) -> str:
    return f"{MARK}{place}{ord(letter):x}"


def _sign(letter: str) -> str:
    return f"{MARK}w{ord(letter):x}"
