"""Cut long lists into pages of the report.  Pure.

A list is made of *sections* (tasks of one status, repositories in trouble …), each in its order.  A
*sheet* is one page of it; a section that does not fit goes on in the next sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=str)
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(Generic[Row]):
    """A part of a list.  `rows` yields exactly `total` rows and is read once, when its turn comes."""

    key: str
    total: int
    rows: Iterable[Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Generic[Row]):
    """The rows of one section that stand on one sheet; `first` is the 1-based number of the first."""

    key: str
    total: int
    first: int
    rows: tuple[Row, ...]

    @property
    def last(self) -> int:
        """The 1-based number of the last row."""
        return self.first + len(self.rows) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet(Generic[Row]):
    """Page `number` of `of`, both 1-based; `starts` says on which page each section begins."""

    number: int
    of: int
    parts: tuple[Part[Row], ...]
    starts: Mapping[str, int]


def cut(sections: Sequence[Section[Row]], size: int) -> Iterator[Sheet[Row]]:
    """Cut `sections` into sheets of `size` rows; there is always one, and empty sections are left out.

    Holds one sheet at a time.
    """
    filled = [section for section in sections if section.total]
    of = max(1, -(-sum(section.total for section in filled) // size))
    begins = starts({section.key: section.total for section in sections}, size)
    rows = ((section, number, row) for section in filled for number, row in enumerate(section.rows, 1))
    for number in range(1, of + 1):
        yield Sheet(number=number, of=of, parts=_parts(islice(rows, size)), starts=begins)


def starts(totals: Mapping[Key, int], size: int) -> dict[str, int]:
    """The sheet on which each section begins, in the order of `totals`; an empty one begins nowhere."""
    begins: dict[str, int] = {}
    before = 0
    for key, total in totals.items():
        if total:
            begins[key] = before // size + 1
        before += total
    return begins


def sheet_name(first: str, rest: str, number: int) -> str:
    """The file of one sheet: `first.html`, then `rest-2.html` …"""
    return f"{first}.html" if number == 1 else f"{rest}-{number}.html"


def _parts(taken: Iterable[tuple[Section[Row], int, Row]]) -> tuple[Part[Row], ...]:
    parts = []
    for _, group in groupby(taken, key=lambda numbered: numbered[0].key):
        numbered = tuple(group)
        section, first, _ = numbered[0]
        rows = tuple(row for _, _, row in numbered)
        parts.append(Part(key=section.key, total=section.total, first=first, rows=rows))
    return tuple(parts)
