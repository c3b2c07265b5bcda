"""The one clock, and how a person sets it."""

from datetime import UTC, datetime, timedelta

import pytest

from pipeline import clock
from pipeline.errors import ConfigError


@pytest.mark.parametrize("written", ["2026-11-30T10:00:00Z", "2026-11-30T13:00:00.9+03:00"])
def test_a_fixed_present_is_told_in_utc_to_the_second(monkeypatch, written):
    monkeypatch.setenv("PROJECTS_META_NOW", written)

    assert clock.now() == datetime(2026, 11, 30, 10, tzinfo=UTC)
    assert clock.now().utcoffset() == timedelta(0)


@pytest.mark.parametrize("written", ["yesterday", "2026-11-30T10:00:00", "2026-13-30T10:00:00Z"])
def test_a_present_without_zone_or_sense_is_a_mistake(monkeypatch, written):
    monkeypatch.setenv("PROJECTS_META_NOW", written)

    with pytest.raises(ConfigError, match=rf'^PROJECTS_META_NOW is "{written}"; expected a time such as 2026-11-30T10'):
        clock.now()
