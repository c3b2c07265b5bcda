"""Cut long lists into pages of the report.  Pure.

A list is made of *sections* (tasks of one status, repositories in trouble …), each with the rows of one
project after another.  When a list does not fit on its first page, each long section stands there with its
first rows, and whole on *sheets* of its own.

Where a sheet ends is told by the ids of the projects around, never by counting from the top, and a sheet is
called by where it begins: a row more or less changes a sheet or two and renames none of the others.  What
stands on a sheet is known, by the marks of its projects, before any row is asked for.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Generic, TypeVar

from pipeline.catalog.answers import Span
from pipeline.model import RepositoryId

Row = TypeVar("Row", covariant=True)
Line = TypeVar("Line")


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How many rows stand on a page.

    A list of at most `largest` rows stands whole on its first page; else a section shows `shown` rows there,
    and each of its sheets has `least` to `largest` (`largest` is over twice `least`).
    """

    shown: int
    least: int
    largest: int

    @property
    def bite(self) -> int:
        """As many rows as may follow each other without a place to cut at."""
        return self.largest - 2 * self.least


@dataclass(frozen=True, slots=True)
class Group:
    """The rows, at least one, that one project gives to a section; `mark` stands for all that they show."""

    project: RepositoryId
    mark: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(Generic[Row]):
    """A part of a list.  `rows` gives a span of it, in the order of `groups`; `file` begins the names of its sheets,
    and `ending` ends them.
    """

    key: str
    file: str
    groups: Sequence[Group]
    rows: Callable[[Span], Sequence[Row]]
    ending: str = ".html"

    @property
    def total(self) -> int:
        """How many rows it has."""
        return sum(group.count for group in self.groups)

    def first_rows(self, count: int) -> tuple[Row, ...]:
        """Its first `count` rows, or as many as there are."""
        if not self.groups:
            return ()
        # Each project gives at least one row.
        last = self.groups[min(count, len(self.groups)) - 1]
        return tuple(self.rows(Span(first=self.groups[0].project, last=last.project, skip=0, count=count)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Generic[Row]):
    """A section on the first page of its list; `whole` leads to all of its rows when more than these are there."""

    key: str
    total: int
    rows: tuple[Row, ...]
    whole: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet(Generic[Row]):
    """One page of a section before its rows are asked for.

    `file` is its name, and `previous` and `following` are those of its neighbours; `marks` are those of its
    projects.
    """

    section: Section[Row]
    file: str
    previous: str | None
    following: str | None
    span: Span
    marks: tuple[str, ...]

    def rows(self) -> tuple[Row, ...]:
        """Ask for the rows."""
        return tuple(self.section.rows(self.span))

    def made_of(self) -> list[object]:
        """Plain data that is equal for sheets that show the same."""
        return [self.file, self.previous, self.following, self.span.skip, self.span.count, self.marks]


@dataclass(frozen=True, slots=True, kw_only=True)
class LongList(Generic[Row]):
    """A list of the report; `file` is its first page."""

    file: str
    size: Size
    sections: tuple[Section[Row], ...]

    def opening(self) -> tuple[Part[Row], ...]:
        """What stands on the first page; empty sections are left out."""
        long = self._long()
        return tuple(
            Part(
                key=section.key,
                total=section.total,
                rows=section.first_rows(self.size.shown if section.key in long else self.size.largest),
                whole=_sheet_file(section) if section.key in long else None,
            )
            for section in self.sections
            if section.groups
        )

    def sheets(self) -> Iterator[Sheet[Row]]:
        """The sheets of the sections that have some."""
        long = self._long()
        for section in self.sections:
            if section.key in long:
                yield from cut(section, self.size)

    def places(self) -> dict[str, str]:
        """Where the whole of each section begins, relative to the report's folder; an empty one begins nowhere."""
        long = self._long()
        return {
            section.key: _sheet_file(section) if section.key in long else f"{self.file}#{section.key}"
            for section in self.sections
            if section.groups
        }

    def anchors(self) -> dict[str, str]:
        """Where each section begins on the first page; a script there may show the whole of it."""
        return {section.key: f"{self.file}#{section.key}" for section in self.sections if section.groups}

    def _long(self) -> frozenset[str]:
        totals = {section.key: section.total for section in self.sections}
        fits = sum(totals.values()) <= self.size.largest
        return frozenset() if fits else frozenset(key for key, total in totals.items() if total > self.size.shown)


def cut(section: Section[Line], size: Size) -> Iterator[Sheet[Line]]:
    """Cut a section that is not empty into sheets; together they are the whole of it, in order."""
    bites = list(_bites(section.groups, size.bite))
    ends = list(accumulate(bite.count for bite in bites))
    cuts = cut_places(ends, [bite.rank for bite in bites], size)
    files = [_sheet_file(section), *(_sheet_file(section, bites[cut - 1]) for cut in cuts)]
    spans = list(pairwise([0, *cuts, len(bites)]))
    for file, before, after, (low, high) in zip(files, [None, *files], [*files[1:], None], spans, strict=False):
        first, last = bites[low], bites[high - 1]
        skipped = ends[low - 1] if low else 0
        yield Sheet(
            section=section,
            file=file,
            previous=before,
            following=after,
            span=Span(
                first=section.groups[first.group].project,
                last=section.groups[last.group].project,
                skip=first.skip,
                count=ends[high - 1] - skipped,
            ),
            marks=tuple(group.mark for group in section.groups[first.group : last.group + 1]),
        )


@dataclass(frozen=True, slots=True)
class _Bite:
    """`count` rows of a group (its place in the section), after `skip` of its rows.

    A sheet ends rather where a rank is low: after a whole project if that can be, and else inside of one.
    """

    group: int
    skip: int
    count: int
    rank: str


def _bites(groups: Sequence[Group], most: int) -> Iterator[_Bite]:
    for place, group in enumerate(groups):
        for skip in range(0, group.count, most):
            count = min(most, group.count - skip)
            end = skip + count
            yield _Bite(place, skip, count, _rank(group.project, end if end < group.count else 0))


def _rank(project: RepositoryId, inside: int) -> str:
    """A digest that does not change with a project's rows; `inside` is how many of them stand before it, 0 for all."""
    if not inside:
        return f"0{hashlib.sha256(project.encode()).hexdigest()[:16]}"
    return f"1{hashlib.sha256(f'{project} {inside}'.encode()).hexdigest()[:16]}"


def cut_places(ends: Sequence[int], ranks: Sequence[str], size: Size) -> list[int]:
    """Before which bites a sheet begins, the first one aside, ascending.

    What is too long for a sheet is cut in two at the lowest rank that leaves enough on both sides, and so on.
    A row more or less can move that place only when it is one at the very edge of what is left; everywhere
    else the same places are chosen again.
    """
    found: list[int] = []
    pending = [(0, len(ends))]
    while pending:
        low, high = pending.pop()
        begin, end = ends[low - 1] if low else 0, ends[high - 1]
        if end - begin > size.largest:
            first = bisect_left(ends, begin + size.least, low, high)
            last = bisect_right(ends, end - size.least, low, high)
            lowest = 1 + min(range(first, last), key=ranks.__getitem__)
            found.append(lowest)
            pending += [(low, lowest), (lowest, high)]
    return sorted(found)


def _sheet_file(section: Section[Line], before: _Bite | None = None) -> str:
    """The file of the sheet that follows `before`, or of the first one."""
    return f"{section.file}{'' if before is None else f'-{before.rank}'}{section.ending}"
