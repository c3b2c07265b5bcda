"""Cut long lists into pages of the report.  Pure.

A list is made of *sections* (tasks of one status, repositories in trouble …), each with the rows of one
project after another.  A *sheet* is one page of it; a section that does not fit goes on in the next sheet.
What stands on a sheet is known, by the marks of its projects, before any row is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypeVar

from pipeline.catalog.answers import Span
from pipeline.model import RepositoryId

Key = TypeVar("Key", bound=str)
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Group:
    """The rows, at least one, that one project gives to a section; `mark` stands for all that they show."""

    project: RepositoryId
    mark: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(Generic[Row]):
    """A part of a list.  `rows` gives a span of it, in the order of `groups`."""

    key: str
    groups: Sequence[Group]
    rows: Callable[[Span], Sequence[Row]]

    @property
    def total(self) -> int:
        """How many rows it has."""
        return sum(group.count for group in self.groups)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece(Generic[Row]):
    """A part before its rows are asked for; `marks` are those of its projects."""

    section: Section[Row]
    total: int
    first: int
    sheet: int
    span: Span
    marks: tuple[str, ...]

    def part(self) -> Part[Row]:
        """Ask for the rows."""
        return Part(key=self.section.key, total=self.total, first=self.first, rows=tuple(self.section.rows(self.span)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline(Generic[Row]):
    """A sheet before its rows are asked for."""

    number: int
    of: int
    pieces: tuple[Piece[Row], ...]
    starts: Mapping[str, int]
    totals: Mapping[str, int]

    def sheet(self) -> Sheet[Row]:
        """Ask for the rows."""
        parts = tuple(piece.part() for piece in self.pieces)
        return Sheet(number=self.number, of=self.of, parts=parts, starts=self.starts)

    def made_of(self) -> list[object]:
        """Plain data that is equal for sheets that show the same."""
        pieces = [
            (piece.section.key, piece.first, piece.span.skip, piece.span.count, piece.marks) for piece in self.pieces
        ]
        return [self.number, self.of, list(self.starts.items()), list(self.totals.items()), pieces]


def cut(sections: Sequence[Section[Row]], size: int) -> Iterator[Outline[Row]]:
    """Cut `sections` into sheets of `size` rows; there is always one, and empty sections are left out."""
    totals = {section.key: section.total for section in sections}
    of = max(1, -(-sum(totals.values()) // size))
    begins = starts(totals, size)
    by_sheet = groupby(_pieces(sections, totals, size), key=lambda piece: piece.sheet)
    taken = {number: tuple(pieces) for number, pieces in by_sheet}
    for number in range(1, of + 1):
        yield Outline(number=number, of=of, pieces=taken.get(number, ()), starts=begins, totals=totals)


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


def _pieces(sections: Sequence[Section[Row]], totals: Mapping[str, int], size: int) -> Iterator[Piece[Row]]:
    before = 0
    for section in sections:
        first = 1
        for groups, span in _spans(section.groups, size - before % size, size):
            yield Piece(
                section=section,
                total=totals[section.key],
                first=first,
                sheet=(before + first - 1) // size + 1,
                span=span,
                marks=tuple(group.mark for group in groups),
            )
            first += span.count
        before += totals[section.key]


def _spans(groups: Sequence[Group], room: int, size: int) -> Iterator[tuple[list[Group], Span]]:
    """Fill sheets, the first with `room` rows left: the groups of each, and how much of them stands there."""
    on_sheet: list[Group] = []
    skip = count = 0
    for group in groups:
        done = 0
        while done < group.count:
            if not on_sheet:
                skip = done
            on_sheet.append(group)
            taken = min(group.count - done, room - count)
            done, count = done + taken, count + taken
            if count == room:
                yield on_sheet, _span(on_sheet, skip, count)
                on_sheet, skip, count, room = [], 0, 0, size
    if on_sheet:
        yield on_sheet, _span(on_sheet, skip, count)


def _span(groups: Sequence[Group], skip: int, count: int) -> Span:
    return Span(first=groups[0].project, last=groups[-1].project, skip=skip, count=count)
