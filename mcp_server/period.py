"""Which period a call means, for both servers.  Pure: the present and the machine's zone are given.

`zone` None stands for the zone that the machine is set to.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo


class NoTime(ValueError):
    """A text is no time of ISO 8601; `argument` is whose."""

    def __init__(self, argument: str) -> None:
        super().__init__(argument)
        self.argument = argument


@dataclass(frozen=True, slots=True)
class Period:
    """From `since` (inclusive) to `until` (exclusive; None: until now); both with an offset."""

    since: datetime
    until: datetime | None


def local(moment: datetime, zone: tzinfo | None) -> datetime:
    """The moment as the machine's clock shows it."""
    return moment.astimezone(zone)


def find_period(
    *, hours: float | None, since: str | None, until: str | None, now: datetime, zone: tzinfo | None
) -> Period:
    """The period of a call; without `hours` and `since` it begins at the last local midnight.

    Raises:
        NoTime: `since` or `until` is no time.
    """
    end = None if until is None else _moment("until", until, zone)
    if hours is not None:
        return Period(_local_to_second(now - timedelta(hours=hours), zone), end)
    if since is not None:
        return Period(_moment("since", since, zone), end)
    return Period(_midnight(local(now, zone).date(), zone), end)


def show_minute(moment: datetime, zone: tzinfo | None) -> str:
    """`28.10 14:05`, local."""
    return f"{local(moment, zone):%d.%m %H:%M}"


def show_time(moment: datetime, now: datetime, zone: tzinfo | None) -> str:
    """`14:05` of the present local day, else with the day before it."""
    here = local(moment, zone)
    return f"{here:%H:%M}" if here.date() == local(now, zone).date() else f"{here:%d.%m %H:%M}"


def _moment(argument: str, written: str, zone: tzinfo | None) -> datetime:
    """A time without an offset is local; a date alone is its local midnight."""
    try:
        if len(written) == len("2026-10-28"):
            return _midnight(date.fromisoformat(written), zone)
        found = datetime.fromisoformat(written)
        # A year at the edge of the calendar has no UTC.
        return _placed(found, zone) if found.tzinfo is None else found.astimezone(UTC).astimezone(found.tzinfo)
    except (ValueError, OverflowError):
        raise NoTime(argument) from None


def _midnight(day: date, zone: tzinfo | None) -> datetime:
    return _placed(datetime.combine(day, time.min), zone)


def _placed(naive: datetime, zone: tzinfo | None) -> datetime:
    """A local time with its offset; one that the clock leaps over is the moment that it leaps to."""
    placed = naive.replace(tzinfo=zone) if zone is not None else naive.astimezone()
    return placed.astimezone(UTC).astimezone(zone)


def _local_to_second(moment: datetime, zone: tzinfo | None) -> datetime:
    return local(moment, zone).replace(microsecond=0)
