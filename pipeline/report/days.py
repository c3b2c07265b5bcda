"""Days as whole numbers since 1970 in UTC, and the calendar's names of them.  Pure."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from pipeline.catalog.timeline import DAY_S
from pipeline.index_history import EPOCH

WEEK = 7
MONDAY = 4  # 1970-01-05 was one.
EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
FIRST, LAST = date.min.toordinal() - EPOCH_ORDINAL, date.max.toordinal() - EPOCH_ORDINAL


def day_of(at: int) -> int:
    """The day of a moment, which is in seconds since 1970."""
    return at // DAY_S


def monday(day: int) -> int:
    """The first day of the ISO week of a day."""
    return day - (day - MONDAY) % WEEK


def moment(day: int) -> datetime:
    """When a day begins; beyond the calendar its first or its last one."""
    return EPOCH + timedelta(days=min(max(day, FIRST), LAST))


def iso(at: datetime) -> str:
    """A moment as machines read it, `2026-11-30T10:00:00Z`."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ").zfill(20)


def day_name(day: int) -> str:
    """A day as ISO 8601 writes it, `2026-11-30`."""
    return moment(day).date().isoformat()


def week_name(day: int) -> str:
    """The ISO week of a day, `2026-W48`."""
    year, week, _ = moment(day).isocalendar()
    return f"{year:04}-W{week:02}"
