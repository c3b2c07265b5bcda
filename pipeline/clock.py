"""The one place that reads the wall clock."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from pipeline.errors import ConfigError

VARIABLE = "PROJECTS_META_NOW"


def now() -> datetime:
    """The present in UTC, to the second; the environment's PROJECTS_META_NOW (ISO 8601) wins.

    Raises:
        ConfigError: PROJECTS_META_NOW is not a time with a zone.
    """
    fixed = os.environ.get(VARIABLE)
    if not fixed:
        return datetime.now(UTC).replace(microsecond=0)
    try:
        moment = datetime.fromisoformat(fixed)
    except ValueError:
        raise _not_a_time(fixed) from None
    if moment.tzinfo is None:
        raise _not_a_time(fixed)
    return moment.astimezone(UTC).replace(microsecond=0)


def _not_a_time(fixed: str) -> ConfigError:
    return ConfigError((f'{VARIABLE} is "{fixed[:40]}"; expected a time such as 2026-11-30T10:00:00Z',))
