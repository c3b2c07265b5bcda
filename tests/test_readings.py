"""When a look that believes no listing is due, and which evidence is named."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pipeline.model import SourceReading, usual_evidence
from pipeline.readings import is_audit_due

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def looked(audited_at: datetime | None) -> SourceReading:
    return SourceReading(
        source="forge", state="ok", reason=None, checked_at=NOON, synced_at=NOON, repositories=1, audited_at=audited_at
    )


@pytest.mark.parametrize(
    ("last", "hours", "due"),
    [
        (looked(NOON - timedelta(hours=24)), 24, True),
        (looked(NOON - timedelta(hours=23.9)), 24, False),
        (looked(NOON), 24, False),
        (looked(NOON + timedelta(seconds=1)), 24, True),
        (looked(None), 24, False),
        (looked(NOON - timedelta(days=9)), None, False),
        (None, 24, False),
    ],
)
def test_an_audit_is_due_when_the_last_one_is_too_long_ago_or_in_the_future(
    last: SourceReading | None, hours: float | None, due: bool
) -> None:
    assert is_audit_due(last, hours, NOON) is due


def test_the_usual_evidence_is_the_most_frequent_and_of_equals_the_last_by_name() -> None:
    assert usual_evidence({"blobs": 1, "listing": 3, "trees": 2}) == "listing"
    assert usual_evidence({"trees": 2, "blobs": 2}) == "trees"
    assert usual_evidence({}) == "none"
