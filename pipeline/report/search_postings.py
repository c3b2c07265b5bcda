"""How the search index writes numbers and words: plain ASCII that a script reads in one pass.  Pure.

A *hit* is one text in which a run of letters stands: the text's number × 4 + the field in which it stands first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import sub

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
VALUES = {digit: value for value, digit in enumerate(DIGITS)}
BASE = 32
FIELDS = 4
BODY = FIELDS - 1
OF_FIELD = "."
BETWEEN = " "
MOST_SHARED = len(DIGITS) - 1
ASTRAL = "\U00010000"


@lru_cache(maxsize=1 << 17)
def number(value: int) -> str:
    """A number from 0 up: digits of five bits, the most significant first, all but the last marked by a sixth bit."""
    rest, last = divmod(value, BASE)
    written = DIGITS[last]
    while rest:
        rest, last = divmod(rest, BASE)
        written = DIGITS[BASE + last] + written
    return written


def numbers(values: Iterable[int]) -> str:
    """Numbers from 0 up, one after the other."""
    return "".join(map(number, values))


def read_numbers(written: str) -> Iterator[int]:
    """What `numbers` wrote."""
    value = 0
    for digit in written:
        more, low = divmod(VALUES[digit], BASE)
        value = value * BASE + low
        if not more:
            yield value
            value = 0


def growing(values: Sequence[int]) -> str:
    """Numbers that grow, as the steps from one to the next."""
    return numbers(map(sub, values, (0, *values)))


def read_growing(written: str) -> Iterator[int]:
    """What `growing` wrote."""
    return accumulate(read_numbers(written))


def entry(hits: Iterable[int]) -> str:
    """The texts of one run of letters, as the numbers of each field, the last field first; empty ends are left out.

    `hits` grow.
    """
    by_field: tuple[list[int], ...] = ([], [], [], [])
    for hit in hits:
        by_field[hit % FIELDS].append(hit // FIELDS)
    return OF_FIELD.join(map(growing, reversed(by_field))).rstrip(OF_FIELD)


def read_entry(written: str) -> list[int]:
    """The hits of an entry, in no order."""
    fields = enumerate(written.split(OF_FIELD))
    return [text * FIELDS + BODY - place for place, texts in fields for text in read_growing(texts)]


def words(sorted_words: Sequence[str]) -> str:
    """Words without blanks, each by how many letters it shares with the one before it, and the rest."""
    written = []
    before = ""
    for word in sorted_words:
        shared = _shared(before, word)
        written.append(DIGITS[shared] + word[shared:])
        before = word
    return BETWEEN.join(written)


def read_words(written: str) -> list[str]:
    """What `words` wrote."""
    found = []
    word = ""
    for one in written.split(BETWEEN) if written else ():
        word = word[: VALUES[one[0]]] + one[1:]
        found.append(word)
    return found


def _shared(before: str, word: str) -> int:
    """How many first letters are the same; none from the first on that UTF-16 writes as two."""
    most = min(len(before), len(word), MOST_SHARED)
    for place in range(most):
        letter = word[place]
        if letter != before[place] or letter >= ASTRAL:
            return place
    return most
