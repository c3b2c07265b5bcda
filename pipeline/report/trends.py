"""What the pages show of the past: charts of all projects, of one, and its newest changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline import layout
from pipeline.catalog import Catalog, timeline
from pipeline.catalog.survey import Stamp
from pipeline.messages import Messages
from pipeline.model import RepositoryId, Status, owned_name
from pipeline.report import charts, lines, statistics
from pipeline.report.change_lines import commit_lines, week_href
from pipeline.report.days import WEEK, day_name, moment
from pipeline.report.page import Site
from pipeline.report.statistics import BoardTimes
from pipeline.report.views import OverviewTrends, ProjectTrends, Tally

FLOW_WEEKS = 26
SPARK_WEEKS = 12
HEAT_WEEKS = 52
MOST_BARS = 20
RECENT_COMMITS = 10
RECENT_CHANGES = 5
STALE_DAYS = 30
HELD: tuple[Status, ...] = ("active", "blocked")


@dataclass(frozen=True, slots=True)
class Past:
    """All that commits told: replayed boards, tasks of boards without history, changes of each day.

    `today` is the day of the newest change, None when there is none.
    """

    boards: tuple[BoardTimes, ...]
    untold: Counter[Status]
    days: Mapping[int, int]
    today: int | None


def past(catalog: Catalog) -> Past:
    """The past of all projects; asked once."""
    return catalog.once("past", lambda: _past(catalog, None))


def overview(catalog: Catalog, stamps: Sequence[Stamp], words: Messages) -> OverviewTrends:
    """The charts of all projects together."""
    told = past(catalog)
    flow = _flow(told)
    return OverviewTrends(
        flow=None if flow is None else charts.flow_chart(flow, words),
        heat=_heat(told, words),
        bars=charts.status_bars(_most_blocked(stamps), words),
        sparks={} if flow is None else _sparks(flow, words),
        tallies=() if told.today is None else _tallies(catalog, told, told.today),
    )


def open_ages(catalog: Catalog, words: Messages) -> charts.AgeChart | None:
    """How long the open tasks of all projects have had their status."""
    told = past(catalog)
    if told.today is None:
        return None
    untold = sum(told.untold[status] for status in lines.OPEN)
    ages = statistics.ages(told.boards, lines.OPEN, told.today, untold)
    return charts.age_chart(ages, told.today, "tasks.html#view=open&since=", words)


def of_project(site: Site, project: RepositoryId) -> ProjectTrends:
    """The charts of one project, seen from its own newest change, and its newest commits."""
    catalog, words = site.catalog, site.words
    told = _past(catalog, project)
    flow = _flow(told)
    stamps = timeline.commits(catalog, project)
    newest = stamps[-RECENT_COMMITS:]
    return ProjectTrends(
        heat=_heat(told, words),
        spark=None if flow is None else charts.spark(_open_counts(flow), words),
        open=None if flow is None else flow.total(lines.OPEN),
        recent=commit_lines(site, newest, RECENT_CHANGES, project),
        commits=len(stamps),
    )


def _past(catalog: Catalog, project: RepositoryId | None) -> Past:
    boards: list[BoardTimes] = []
    untold: Counter[Status] = Counter()
    for story in timeline.board_stories(catalog, project):
        times = statistics.board_times(story)
        if times is None:
            untold.update(status for _, status in story.now)
        else:
            boards.append(times)
    days = timeline.days(catalog, project)
    return Past(tuple(boards), untold, days, statistics.newest_day(days))


def _flow(told: Past) -> statistics.Flow | None:
    if told.today is None or not told.boards:
        return None
    return statistics.flow(told.boards, told.today, FLOW_WEEKS, told.untold.total())


def _tallies(catalog: Catalog, told: Past, today: int) -> tuple[Tally, ...]:
    first = today - WEEK + 1
    finished = sum(
        status == "done" and since is not None and first <= since <= today
        for board in told.boards
        for status, since in board.latest
    )
    last = today - STALE_DAYS - 1
    stale = sum(count for day, count in timeline.last_touched(catalog, HELD).items() if day <= last)
    done_in, held_until = f"{day_name(first)}..{day_name(today)}", f"..{day_name(last)}"
    statuses = "&".join(f"status={status}" for status in HELD)
    return (
        Tally(key="finished", number=finished, href=f"tasks.html#status=done&since={done_in}", on=moment(today)),
        Tally(key="stale", number=stale, href=f"tasks.html#{statuses}&changed={held_until}", on=moment(today)),
    )


def _heat(told: Past, words: Messages) -> charts.HeatMap | None:
    if told.today is None:
        return None
    weeks = list(statistics.by_week(told.days, told.today, HEAT_WEEKS))
    return charts.heat_map(weeks, {first: week_href(first) for first, _ in weeks}, words)


def _sparks(flow: statistics.Flow, words: Messages) -> dict[str, charts.Spark]:
    numbers: dict[str, Iterable[int | None]] = {status: _last_weeks(flow, (status,)) for status in lines.STATUSES}
    numbers["finished"] = [
        done if boards else None
        for done, boards in zip(flow.done[-SPARK_WEEKS:], flow.boards[-SPARK_WEEKS:], strict=True)
    ]
    drawn = {name: charts.spark(tuple(of_name), words) for name, of_name in numbers.items()}
    return {name: one for name, one in drawn.items() if one is not None}


def _open_counts(flow: statistics.Flow) -> tuple[int | None, ...]:
    return _last_weeks(flow, lines.OPEN)


def _last_weeks(flow: statistics.Flow, statuses: Sequence[Status]) -> tuple[int | None, ...]:
    """How many tasks had one of the statuses at the end of each of the last weeks, the oldest first."""
    return tuple(flow.total(statuses, back) for back in range(SPARK_WEEKS, -1, -1))


def _most_blocked(stamps: Sequence[Stamp]) -> list[tuple[str, str, Mapping[Status, int]]]:
    """The projects with the most blocked tasks, by name where they have as many."""
    blocked = [stamp for stamp in stamps if stamp.tasks.get("blocked")]
    first = sorted(blocked, key=lambda stamp: (-stamp.tasks["blocked"], stamp.project))[:MOST_BARS]
    return [(owned_name(one.project), layout.project_href(one.project), one.tasks) for one in first]
