"""The ids of one rendered text, and the levels of its headings.  Pure."""

from __future__ import annotations

import re
from urllib.parse import unquote

PREFIX = "u-"
LONGEST = 120
NO_NAME = re.compile(r"[^\w\- ]")
TOP = 2
LAST = 6


def name_of(heading: str) -> str:
    """What links call a heading, as forges do: small letters, `-` for each space, nothing but words and hyphens."""
    return NO_NAME.sub("", " ".join(heading.lower().split())).replace(" ", "-")[:LONGEST]


def fragment(written: str) -> str:
    """The id that the part of a link behind `#` means, however it spells the heading."""
    return f"{PREFIX}{name_of(unquote(written))}"


class Anchors:
    """The ids that stand in one text; none is given twice."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def take(self, name: str) -> str:
        """An id that begins with `name` and stands nowhere yet; the second one ends in `-1`."""
        wanted = f"{PREFIX}{name or 'section'}"
        found, number = wanted, self._last.get(wanted, 0)
        while found in self._taken:
            number += 1
            found = f"{wanted}-{number}"
        self._last[wanted] = number
        self._taken.add(found)
        return found


class Levels:
    """The levels of headings as written → levels from 2 that never go down by more than one at once."""

    def __init__(self) -> None:
        self._above: list[int] = []

    def place(self, written: int) -> int:
        """The level of the next heading."""
        while self._above and self._above[-1] >= written:
            self._above.pop()
        self._above.append(written)
        return min(len(self._above) + TOP - 1, LAST)
