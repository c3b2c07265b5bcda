"""Which pages of the shared wiki a person should look at again.  Pure."""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from pipeline.text import fold

Fault = Literal["old", "unlinked", "domain"]
ChangedBy = Literal["shared_at", "commit"]

MONTHS_OF_A_YEAR = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPage:
    """A page of the shared wiki; `shared_at` as its front matter has it, `linked` when another page leads to it."""

    slug: str
    title: str
    domain: str | None
    shared_at: str | None
    linked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedPage:
    """A page and what is to be looked at: `old`, `unlinked`, `domain` (none that is listed), in this order.

    `changed_at` is its `shared_at` or, where that is no date, the time of the wiki's commit; `changed_by` tells which.
    """

    slug: str
    title: str
    domain: str | None
    changed_at: datetime | None
    changed_by: ChangedBy | None
    faults: tuple[Fault, ...]


def months_before(now: datetime, months: int) -> datetime:
    """The same day and hour so many months ago, or that month's last day."""
    year, month = divmod(now.year * MONTHS_OF_A_YEAR + now.month - 1 - months, MONTHS_OF_A_YEAR)
    last = calendar.monthrange(year, month + 1)[1]
    return now.replace(year=year, month=month + 1, day=min(now.day, last))


def audit(
    pages: Iterable[KeptPage], committed_at: datetime | None, domains: Sequence[str], before: datetime
) -> tuple[AuditedPage, ...]:
    """The pages with a fault, those with most faults first, then the longest unchanged, then by slug.

    A page is old when it was last changed before `before`; one whose last change nobody knows is not.  Where no
    `domains` are listed any will do.
    """
    known = set(map(fold, domains))
    found = [one for one in (_audited(page, committed_at, known, before) for page in pages) if one.faults]
    latest = datetime.max.replace(tzinfo=UTC)
    return tuple(sorted(found, key=lambda one: (-len(one.faults), one.changed_at or latest, one.slug)))


def _audited(page: KeptPage, committed_at: datetime | None, known: set[str], before: datetime) -> AuditedPage:
    shared_at = _moment(page.shared_at)
    changed_at = shared_at or committed_at
    changed_by: ChangedBy = "shared_at" if shared_at else "commit"
    signs: dict[Fault, bool] = {
        "old": changed_at is not None and changed_at < before,
        "unlinked": not page.linked,
        "domain": bool(known) and (page.domain is None or fold(page.domain) not in known),
    }
    return AuditedPage(
        slug=page.slug,
        title=page.title,
        domain=page.domain,
        changed_at=changed_at,
        changed_by=changed_by if changed_at else None,
        faults=tuple(fault for fault, there in signs.items() if there),
    )


def _moment(written: str | None) -> datetime | None:
    """A date or time in UTC; None for what is neither."""
    try:
        found = datetime.fromisoformat(written or "")
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else _utc(found)


def _utc(moment: datetime) -> datetime | None:
    """None for a moment that the calendar does not reach in UTC."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None
