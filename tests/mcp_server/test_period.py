"""Which period is meant, in several zones, across midnight, summer time and New Year."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mcp_server.period import NoTime, find_period, show_minute, show_time

VLADIVOSTOK, MOSCOW, NEW_YORK = (ZoneInfo(name) for name in ("Asia/Vladivostok", "Europe/Moscow", "America/New_York"))


def since(now: str, zone: ZoneInfo, **given: Any) -> str:
    asked = {"hours": None, "since": None, "until": None, **given}
    return find_period(**asked, now=datetime.fromisoformat(now), zone=zone).since.isoformat()


@pytest.mark.parametrize(
    ("now", "zone", "midnight"),
    [
        ("2026-10-28T04:05:00+00:00", VLADIVOSTOK, "2026-10-28T00:00:00+10:00"),
        ("2026-10-28T14:05:00+00:00", VLADIVOSTOK, "2026-10-29T00:00:00+10:00"),
        ("2026-10-28T20:59:59+00:00", MOSCOW, "2026-10-28T00:00:00+03:00"),
        ("2026-10-28T21:00:00+00:00", MOSCOW, "2026-10-29T00:00:00+03:00"),
        ("2026-10-28T03:59:59+00:00", NEW_YORK, "2026-10-27T00:00:00-04:00"),
        ("2026-12-31T14:00:00+00:00", VLADIVOSTOK, "2027-01-01T00:00:00+10:00"),
        ("2027-01-01T04:59:00+00:00", NEW_YORK, "2026-12-31T00:00:00-05:00"),
        # Summer time ended at 2:00 and began at 2:00 of these days.
        ("2026-11-01T18:00:00+00:00", NEW_YORK, "2026-11-01T00:00:00-04:00"),
        ("2026-11-02T18:00:00+00:00", NEW_YORK, "2026-11-02T00:00:00-05:00"),
        ("2026-03-08T18:00:00+00:00", NEW_YORK, "2026-03-08T00:00:00-05:00"),
    ],
)
def test_without_arguments_a_period_begins_at_the_last_local_midnight(now, zone, midnight):
    assert since(now, zone) == midnight


@pytest.mark.parametrize(
    ("written", "zone", "moment"),
    [
        ("2026-10-28", VLADIVOSTOK, "2026-10-28T00:00:00+10:00"),
        ("2026-10-28T14:05", MOSCOW, "2026-10-28T14:05:00+03:00"),
        ("2026-10-28 14:05:30", MOSCOW, "2026-10-28T14:05:30+03:00"),
        ("2026-07-01", NEW_YORK, "2026-07-01T00:00:00-04:00"),
        ("2026-12-01", NEW_YORK, "2026-12-01T00:00:00-05:00"),
        ("2026-10-28T14:05+00:00", VLADIVOSTOK, "2026-10-28T14:05:00+00:00"),
        ("2026-10-28T14:05Z", VLADIVOSTOK, "2026-10-28T14:05:00+00:00"),
        # A time that the clock leaps over is the moment that it leaps to.
        ("2026-03-08T02:30", NEW_YORK, "2026-03-08T03:30:00-04:00"),
    ],
)
def test_a_time_without_an_offset_is_local(written, zone, moment):
    assert since("2026-10-28T04:05:00+00:00", zone, since=written) == moment


@pytest.mark.parametrize("written", ["вчера", "2026-13-01", "28.10.2026", "2026-10-28T25:00", "0001-01-01T00:00+14:00"])
def test_what_is_no_time_is_refused_by_the_name_of_its_argument(written):
    with pytest.raises(NoTime) as refused:
        since("2026-10-28T04:05:00+00:00", VLADIVOSTOK, since=written)

    assert refused.value.argument == "since"


def test_hours_may_be_a_fraction_and_count_across_midnight():
    assert since("2026-10-27T14:15:00+00:00", VLADIVOSTOK, hours=0.5) == "2026-10-27T23:45:00+10:00"


def test_hours_are_hours_when_summer_time_ends():
    assert since("2026-11-01T18:00:00+00:00", NEW_YORK, hours=24) == "2026-10-31T14:00:00-04:00"


def test_until_alone_ends_a_period_that_began_at_midnight():
    found = find_period(
        hours=None, since=None, until="2026-10-28T12:00", now=datetime(2026, 10, 28, 4, 5, tzinfo=UTC), zone=VLADIVOSTOK
    )

    assert found.until == datetime(2026, 10, 28, 12, tzinfo=VLADIVOSTOK)


def test_the_zone_of_the_machine_is_used_where_none_is_given():
    now = datetime(2026, 10, 28, 4, 5, tzinfo=UTC)
    machine = now.astimezone()

    assert show_minute(now, None) == f"{machine:%d.%m %H:%M}"


@pytest.mark.parametrize(
    ("moment", "shown"),
    [("2026-12-31T15:00:00+00:00", "01:00"), ("2026-12-31T13:59:00+00:00", "31.12 23:59")],
)
def test_the_day_is_told_where_it_is_not_the_present_one(moment, shown):
    now = datetime(2026, 12, 31, 16, tzinfo=UTC)

    assert show_time(datetime.fromisoformat(moment), now, VLADIVOSTOK) == shown
