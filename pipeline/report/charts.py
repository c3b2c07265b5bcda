"""Counts over time → what the chart macros print: paths, rows of the table, and the finding in a sentence.  Pure.

Lengths are in the units of each drawing's own box.  What is not known is None, and drawn as such; never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from pipeline.messages import Messages
from pipeline.model import Status
from pipeline.report.days import WEEK, day_name, moment
from pipeline.report.statistics import AGE_LIMITS, Ages, Flow

# From the bottom up: what is finished, what is under way, what waits.
STACK: tuple[Status, ...] = ("done", "cancelled", "active", "blocked", "paused", "todo", "unknown")
FLOW_WIDTH, FLOW_HEIGHT = 720, 180
SPARK_WIDTH, SPARK_HEIGHT = 96, 22
CELL, SIDES = 13, (5, 7, 9, 11)
CELLS = CELL * WEEK
BAR_WIDTH, LEAST_BAR = 240, 2
BAR: tuple[Status, ...] = ("blocked", "active", "paused", "todo", "unknown", "done", "cancelled")
AGES = ("week", "month", "quarter", "older")
COMPARED_WEEKS = 4
OLD = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A status in a stack: its area, and how many tasks it has on the last day."""

    status: Status
    area: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowRow:
    """A week in the table: `numbers` follow the bands, `done` are tasks that became it; None: nothing is known."""

    day: datetime
    numbers: tuple[int | None, ...]
    done: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowChart:
    """How many tasks had each status, week by week; `unknown` is the width on the left of which nothing is known."""

    finding: str
    bands: tuple[Band, ...]
    unknown: int
    top: int
    rows: tuple[FlowRow, ...]
    untold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spark:
    """A number week by week; `delta` is its change in the last week, None where that is not known."""

    line: str
    end: tuple[int, int]
    said: str
    delta: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatWeek:
    """A week of the map: where its column stands, its cells, how many changes, and the page that lists them."""

    first: datetime
    left: int
    cells: str
    number: int
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """The days of 52 weeks, in the area `days`; the larger a cell the more changes.  `weeks` have some."""

    finding: str
    days: str
    weeks: tuple[HeatWeek, ...]
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AgeRow:
    """The tasks of one age, and the page that lists them."""

    key: str
    href: str
    number: int
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgeChart:
    """Open tasks by how long they have had their status, on the day of the newest change."""

    finding: str
    on: datetime
    rows: tuple[AgeRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part of a bar."""

    status: Status
    left: int
    width: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusBar:
    """One project's tasks by status, as long as they are many."""

    name: str
    href: str
    segments: tuple[Segment, ...]
    blocked: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusBars:
    """The projects with the most blocked tasks, and the statuses that their bars show."""

    finding: str
    statuses: tuple[Status, ...]
    bars: tuple[StatusBar, ...]


def flow_chart(flow: Flow, words: Messages) -> FlowChart | None:
    """Draw the stack; None when there is nothing to show."""
    shown = [status for status in STACK if any(flow.counts.get(status, ()))]
    known = [place for place, boards in enumerate(flow.boards) if boards]
    if not shown or not known:
        return None
    tops = _stacked([flow.counts[status] for status in shown])
    highest = max(tops[-1][known[0] :]) or 1
    floors = [(0,) * len(flow.days), *tops]
    return FlowChart(
        finding=_flow_finding(flow, words),
        bands=tuple(
            Band(status=status, area=_area(floor, top, known[0], highest), number=flow.counts[status][-1])
            for status, floor, top in zip(shown, floors, tops, strict=False)
        ),
        unknown=_across(known[0], len(flow.days)),
        top=highest,
        rows=tuple(_flow_rows(flow, shown)),
        untold=flow.untold,
    )


def spark(numbers: Sequence[int | None], words: Messages) -> Spark | None:
    """Draw one number's last weeks; None when it is not known now."""
    known = [(place, number) for place, number in enumerate(numbers) if number is not None]
    if len(known) < 2 or known[-1][0] != len(numbers) - 1:
        return None
    highest = max(number for _, number in known) or 1
    points = [
        (place * SPARK_WIDTH // (len(numbers) - 1), SPARK_HEIGHT - number * SPARK_HEIGHT // highest)
        for place, number in known
    ]
    before = numbers[-2]
    return Spark(
        line=_line(points),
        end=points[-1],
        said=words.text("chart.spark", weeks=len(known) - 1, before=known[0][1], after=known[-1][1]),
        delta=None if before is None else known[-1][1] - before,
    )


def heat_map(weeks: Iterable[tuple[int, Sequence[int]]], hrefs: Mapping[int, str], words: Messages) -> HeatMap | None:
    """Draw the days of weeks (Monday, counts); None when nothing happened.  `hrefs` are the pages of weeks."""
    listed = list(weeks)
    last, last_counts = listed[-1]
    limits = _quarters([number for _, counts in listed for number in counts if number])
    busy = [(place, first, counts) for place, (first, counts) in enumerate(listed) if any(counts)]
    if not busy:
        return None
    shown = tuple(
        HeatWeek(
            first=moment(first),
            left=place * CELL,
            cells="".join(_cells(place, counts, limits)),
            number=sum(counts),
            href=hrefs[first],
        )
        for place, first, counts in busy
    )
    return HeatMap(
        finding=_heat_finding(shown, words),
        days=_days_area(len(listed), len(last_counts)),
        weeks=shown,
        first=moment(listed[0][0]),
        last=moment(last + len(last_counts) - 1),
    )


def age_chart(ages: Ages, last_day: int, href: str, words: Messages) -> AgeChart | None:
    """Draw the ages; None when there is no task.  `href` is the page that lists tasks, up to `since=`."""
    if not ages.known + ages.unknown:
        return None
    most = max(*ages.counts, ages.unknown)
    periods = [*_periods(last_day), "unknown"]
    listed = zip((*AGES, "unknown"), periods, (*ages.counts, ages.unknown), strict=True)
    return AgeChart(
        finding=_age_finding(ages, words),
        on=moment(last_day),
        rows=tuple(
            AgeRow(key=key, href=f"{href}{period}", number=number, width=_width(number, most))
            for key, period, number in listed
            if number or key != "unknown"
        ),
    )


def status_bars(projects: Sequence[tuple[str, str, Mapping[Status, int]]], words: Messages) -> StatusBars | None:
    """Draw projects (name, page, tasks by status) in the order given; None without any."""
    if not projects:
        return None
    most = max(sum(tasks.values()) for _, _, tasks in projects)
    first, _, of_first = projects[0]
    return StatusBars(
        finding=words.text("chart.bars", project=first, blocked=of_first.get("blocked", 0)),
        statuses=tuple(status for status in BAR if any(tasks.get(status) for _, _, tasks in projects)),
        bars=tuple(
            StatusBar(
                name=name,
                href=href,
                segments=tuple(_segments(tasks, most)),
                blocked=tasks.get("blocked", 0),
                total=sum(tasks.values()),
            )
            for name, href, tasks in projects
        ),
    )


def _stacked(counts: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    tops: list[tuple[int, ...]] = []
    below: Sequence[int] = [0] * len(counts[0])
    for of_status in counts:
        tops.append(tuple(low + own for low, own in zip(below, of_status, strict=True)))
        below = tops[-1]
    return tops


def _across(place: int, places: int) -> int:
    return place * FLOW_WIDTH // max(1, places - 1)


def _area(floor: Sequence[int], top: Sequence[int], start: int, highest: int) -> str:
    """The path around what lies between two lines, from `start` on."""

    def points(heights: Sequence[int]) -> list[tuple[int, int]]:
        return [
            (_across(place, len(heights)), FLOW_HEIGHT - height * FLOW_HEIGHT // highest)
            for place, height in enumerate(heights)
            if place >= start
        ]

    return f"{_line([*points(top), *reversed(points(floor))])}z"


def _line(points: Sequence[tuple[int, int]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def _flow_rows(flow: Flow, shown: Sequence[Status]) -> Iterator[FlowRow]:
    for place, day in enumerate(flow.days):
        is_known = flow.boards[place] > 0
        numbers = tuple(flow.counts[status][place] if is_known else None for status in shown)
        yield FlowRow(day=moment(day), numbers=numbers, done=flow.done[place] if is_known else None)


def _flow_finding(flow: Flow, words: Messages) -> str:
    before, after = flow.count("blocked", COMPARED_WEEKS), flow.count("blocked") or 0
    if before is None:
        return words.text("chart.flow_new", after=after)
    if before == after:
        return words.text("chart.flow_same" if after else "chart.flow_none", after=after)
    return words.text("chart.flow_grew" if after > before else "chart.flow_fell", before=before, after=after)


def _quarters(numbers: Sequence[int]) -> tuple[int, ...]:
    """What a day must exceed for each larger cell: a quarter of the days that have changes, a half, three quarters."""
    ranked = sorted(numbers)
    return tuple(ranked[(len(ranked) - 1) * quarter // 4] for quarter in (1, 2, 3)) if ranked else ()


def _days_area(weeks: int, days: int) -> str:
    """The path around all weeks, of the last one only its first days."""
    whole = CELL * (weeks - 1)
    return f"M0 0h{whole}v{CELLS}h-{whole}zM{whole} 0h{CELL}v{CELL * days}h-{CELL}z"


def _cells(place: int, counts: Sequence[int], limits: Sequence[int]) -> Iterator[str]:
    for weekday, number in enumerate(counts):
        if number:
            side = SIDES[sum(number > limit for limit in limits)]
            inset = (CELL - side) // 2
            yield f"M{place * CELL + inset} {weekday * CELL + inset}h{side}v{side}h-{side}z"


def _heat_finding(weeks: Sequence[HeatWeek], words: Messages) -> str:
    busiest = max(weeks, key=lambda week: week.number)
    total = words.count("count.changes", sum(week.number for week in weeks))
    return words.text("chart.heat", total=total, most=busiest.number, day=words.day(busiest.first))


def _age_finding(ages: Ages, words: Messages) -> str:
    if not ages.known:
        return words.text("chart.ages_unknown")
    old = sum(ages.counts[AGE_LIMITS.index(OLD) + 1 :])
    return words.text("chart.ages" if old else "chart.ages_fresh", old=old, known=ages.known)


def _periods(last_day: int) -> Iterator[str]:
    """The days since which a task of each age has its status, as addresses name them; the youngest first."""
    edges = (None, *(last_day - limit - 1 for limit in AGE_LIMITS), None)
    for newest, next_newest in pairwise(edges):
        oldest = None if next_newest is None else next_newest + 1
        yield f"{_name(oldest)}..{_name(newest)}"


def _name(day: int | None) -> str:
    return "" if day is None else day_name(day)


def _width(number: int, most: int) -> int:
    return max(LEAST_BAR, number * BAR_WIDTH // most) if number else 0


def _segments(tasks: Mapping[Status, int], most: int) -> Iterator[Segment]:
    left = 0
    for status in BAR:
        number = tasks.get(status, 0)
        if number:
            width = max(LEAST_BAR, number * (BAR_WIDTH - LEAST_BAR * len(STACK)) // most)
            yield Segment(status=status, left=left, width=width, number=number)
            left += width
