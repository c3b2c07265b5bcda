"""changes.html and a page for each ISO week: what commits did to wikis and boards; the feed and the same as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, groupby, pairwise

import orjson

from pipeline.catalog import timeline
from pipeline.catalog.timeline import CommitKey, CommitStamp
from pipeline.messages import Messages
from pipeline.report import feed
from pipeline.report.change_lines import commit_digest, commit_lines, week_href, week_of
from pipeline.report.days import moment, week_name
from pipeline.report.page import File, Page, Site, digest
from pipeline.report.sheets import Size, cut_places
from pipeline.report.views import CommitLine

MOST_SHOWN = 20
MOST_TOLD = 1_000
RECENT = 120
FEED = 100
# A line is a commit, or a change that is shown of one.
LINES = Size(shown=0, least=200, largest=600)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A week's commits, the oldest first, or a part of them.  The newest part has the week's own `file`."""

    week: int
    file: str
    commits: tuple[CommitStamp, ...]

    @property
    def stamp(self) -> str:
        """Equal only for sheets with the same changes."""
        return digest(b"\n".join(orjson.dumps(tuple(one.key)) + one.shown for one in self.commits))


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekLink:
    """A week that something changed in."""

    href: str
    name: str
    first: datetime
    last: datetime
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day's commits, the newest first."""

    day: datetime
    commits: tuple[CommitLine, ...]

    @property
    def changes(self) -> int:
        """How many changes it shows or counts."""
        return sum(len(commit.changes) + commit.more for commit in self.commits)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesView:
    """changes.html: the newest changes, and all weeks by year, the newest first."""

    days: tuple[Day, ...]
    shown: int
    total: int
    years: tuple[tuple[str, tuple[WeekLink, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekView:
    """A sheet of a week.  `newer` and `older` are its neighbours among all sheets; `rows` the same as data."""

    week: WeekLink
    days: tuple[Day, ...]
    newer: str | None
    older: str | None
    parts: int
    rows: str


def pages(site: Site) -> Iterator[Page | File]:
    """The newest changes, every week, the feed, and the data beside them."""
    stamps = timeline.commits(site.catalog)
    sheets = [sheet for week, of_week in groupby(stamps, _week) for sheet in week_sheets(week, tuple(of_week))]
    yield _first_page(site, stamps, sheets)
    for older, sheet, newer in zip([None, *sheets], sheets, [*sheets[1:], None], strict=False):
        yield _week_page(site, sheet, older, newer, sum(one.week == sheet.week for one in (older, newer) if one))
        yield _week_rows(site, sheet)
    yield _feed(site, stamps, sheets)
    yield _index(sheets)


def week_sheets(week: int, commits: Sequence[CommitStamp]) -> Iterator[Sheet]:
    """Cut a week's commits, the oldest first, where their ids say: one more moves a cut or two at most."""
    file = week_href(week)
    ends = list(accumulate(_lines_of(one) for one in commits))
    ranks = [_rank(one.key) for one in commits] if ends[-1] > LINES.largest else []
    for low, high in pairwise([0, *cut_places(ends, ranks, LINES), len(commits)]):
        name = file if high == len(commits) else file.replace(".html", f"-{ranks[high - 1]}.html")
        yield Sheet(week, name, tuple(commits[low:high]))


def _week(stamp: CommitStamp) -> int:
    return week_of(stamp.key)


def _lines_of(stamp: CommitStamp) -> int:
    return 1 + min(stamp.wiki, MOST_SHOWN) + min(stamp.tasks, MOST_SHOWN)


def _rank(key: CommitKey) -> str:
    return commit_digest(key)[:16]


def _first_page(site: Site, stamps: Sequence[CommitStamp], sheets: Sequence[Sheet]) -> Page:
    newest = _newest(stamps, RECENT)
    weeks = _weeks(sheets)
    shown = Sheet(0, "", newest)

    def view() -> ChangesView:
        years = groupby(reversed(weeks), lambda week: week.name[:4])
        return ChangesView(
            days=_days(commit_lines(site, newest, MOST_SHOWN)),
            shown=sum(one.wiki + one.tasks for one in newest),
            total=sum(week.changes for week in weeks),
            years=tuple((year, tuple(of_year)) for year, of_year in years),
        )

    return Page(
        path="changes.html",
        template="changes.html",
        section="changes",
        title=site.words.text("changes.title"),
        made_of=[shown.stamp, [[week.name, week.changes] for week in weeks]],
        view=view,
    )


def _newest(stamps: Sequence[CommitStamp], most: int) -> tuple[CommitStamp, ...]:
    """As many of the newest commits as have so many lines together, at least one."""
    room, count = most, 0
    for stamp in reversed(stamps):
        room -= _lines_of(stamp)
        if room < 0 and count:
            break
        count += 1
    return tuple(stamps[len(stamps) - count :])


def _week_page(site: Site, sheet: Sheet, older: Sheet | None, newer: Sheet | None, parts: int) -> Page:
    week = _week_link([sheet])
    before, after = (None if one is None else one.file for one in (older, newer))

    def view() -> WeekView:
        shown = commit_lines(site, sheet.commits, MOST_SHOWN)
        return WeekView(week=week, days=_days(shown), newer=after, older=before, parts=parts, rows=_rows_file(sheet))

    return Page(
        path=sheet.file,
        template="week.html",
        section="changes",
        title=_week_title(site.words, sheet.week),
        made_of=[sheet.stamp, before, after, parts],
        view=view,
    )


def _week_rows(site: Site, sheet: Sheet) -> File:
    return File(
        path=_rows_file(sheet),
        made_of=sheet.stamp,
        content=lambda: feed.rows(week_name(sheet.week), commit_lines(site, sheet.commits, MOST_TOLD)),
    )


def _feed(site: Site, stamps: Sequence[CommitStamp], sheets: Sequence[Sheet]) -> File:
    newest = tuple(stamps[-FEED:])
    files = {one.key: sheet.file for sheet in sheets for one in sheet.commits}
    places = {one.key: files[one.key] for one in newest}

    def content() -> bytes:
        shown = commit_lines(site, newest, MOST_SHOWN)
        keys = reversed(newest)
        return feed.atom(site.words, [(line, places[one.key]) for line, one in zip(shown, keys, strict=True)])

    return File(path="feed.xml", made_of=[Sheet(0, "", newest).stamp, list(places.values())], content=content)


def _index(sheets: Sequence[Sheet]) -> File:
    weeks = [
        {"week": week_name(one.week), "page": one.file, "rows": _rows_file(one), "changes": _total([one])}
        for one in sheets
    ]
    return File(path="data/changes.json", made_of=weeks, content=lambda: feed.index(weeks))


def _rows_file(sheet: Sheet) -> str:
    return f"data/{sheet.file.replace('.html', '.json')}"


def _weeks(sheets: Sequence[Sheet]) -> list[WeekLink]:
    return [_week_link(tuple(of_week)) for _, of_week in groupby(sheets, lambda sheet: sheet.week)]


def _week_link(sheets: Sequence[Sheet]) -> WeekLink:
    week = sheets[0].week
    return WeekLink(
        href=week_href(week), name=week_name(week), first=moment(week), last=moment(week + 6), changes=_total(sheets)
    )


def _total(sheets: Sequence[Sheet]) -> int:
    return sum(one.wiki + one.tasks for sheet in sheets for one in sheet.commits)


def _week_title(words: Messages, week: int) -> str:
    return words.text(
        "changes.week_title", week=week_name(week), first=words.day(moment(week)), last=words.day(moment(week + 6))
    )


def _days(commits: Sequence[CommitLine]) -> tuple[Day, ...]:
    def beginning(line: CommitLine) -> datetime:
        return line.at - timedelta(hours=line.at.hour, minutes=line.at.minute, seconds=line.at.second)

    return tuple(Day(day=day, commits=tuple(of_day)) for day, of_day in groupby(commits, beginning))
