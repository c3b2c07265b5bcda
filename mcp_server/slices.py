"""A slice of a long text, and what is left of it.  Pure.

Slices of one text, joined, are the text again: a cut never falls before a combining mark or inside a
joined emoji, where cleaning the halves would lose a letter.  A letter of more than 64 parts is no letter
of any script and is cut like text: a file may be nothing but combining marks.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from mcp_server.arguments import Whole
from mcp_server.errors import BadArgument

SLICE = 8_000
SLICE_LIMIT = 20_000
LETTER_LIMIT = 64
JOINERS = "\u200c\u200d"

LENGTH = Whole(name="limit", minimum=1, maximum=SLICE_LIMIT, default=SLICE, meaning="characters of text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """`text` starts at `offset`; `remaining` counts the characters after it; `next_offset` is None at the end."""

    text: str
    offset: int
    next_offset: int | None
    remaining: int


def cut(whole: str, offset: int, limit: int = SLICE) -> Slice:
    """The slice of `whole` from `offset`, at most `limit` characters (a joined letter is kept whole).

    Raises:
        BadArgument: `offset` is behind the end.
    """
    if offset > len(whole):
        raise BadArgument(f"offset is {offset}; expected at most {len(whole)}, the length of this text")
    end = _boundary(whole, offset, min(offset + limit, len(whole)))
    remaining = len(whole) - end
    return Slice(text=whole[offset:end], offset=offset, next_offset=end if remaining else None, remaining=remaining)


def _boundary(whole: str, start: int, end: int) -> int:
    """`end`, or the nearest place before it (else soon after it) where a cut divides no letter."""
    for place in range(end, start, -1):
        if _divides_nothing(whole, place):
            return place
    soon = range(end, min(end + LETTER_LIMIT, len(whole)) + 1)
    return next((place for place in soon if _divides_nothing(whole, place)), end)


def _divides_nothing(whole: str, place: int) -> bool:
    if place >= len(whole):
        return True
    after = whole[place]
    return after not in JOINERS and unicodedata.category(after)[0] != "M" and whole[place - 1] not in JOINERS
