"""Which pages of the shared wiki to look at again."""

from datetime import UTC, datetime

import pytest

from pipeline.shared_audit import AuditedPage, KeptPage, audit, months_before

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BEFORE = datetime(2026, 5, 30, 12, tzinfo=UTC)
DOMAINS = ("node", "cross")


def page(slug: str = "node/a", **changes) -> KeptPage:
    usual = {"title": "A", "domain": "node", "shared_at": "2026-11-01", "linked": True}
    return KeptPage(slug=slug, **{**usual, **changes})


def faults(*pages: KeptPage, committed_at: datetime | None = NOW, domains=DOMAINS) -> list[tuple[str, ...]]:
    return [one.faults for one in audit(pages, committed_at, domains, BEFORE)]


def test_a_page_that_is_young_linked_and_of_a_listed_domain_is_left_out():
    assert faults(page(), page(domain="NODE")) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"shared_at": "2026-05-30"}, "old"),
        ({"shared_at": "2026-05-30T15:00:00+05:00"}, "old"),
        ({"linked": False}, "unlinked"),
        ({"domain": "web"}, "domain"),
        ({"domain": None}, "domain"),
    ],
)
def test_each_fault_is_told(changes, fault):
    assert faults(page(**changes)) == [(fault,)]


def test_a_page_changed_at_the_very_limit_is_not_old():
    assert faults(page(shared_at="2026-05-30T12:00:00")) == []


@pytest.mark.parametrize("written", [None, "", "some day", "0001-01-01T00:00:00+23:00"])
def test_without_a_date_of_its_own_the_wikis_commit_counts_and_is_named(written):
    old = datetime(2026, 1, 2, tzinfo=UTC)

    assert audit([page(shared_at=written)], old, DOMAINS, BEFORE) == (
        AuditedPage(slug="node/a", title="A", domain="node", changed_at=old, changed_by="commit", faults=("old",)),
    )


def test_its_own_date_is_named_too():
    (found,) = audit([page(shared_at="2026-01-02")], NOW, DOMAINS, BEFORE)

    assert (found.changed_at, found.changed_by) == (datetime(2026, 1, 2, tzinfo=UTC), "shared_at")


def test_a_page_of_unknown_age_is_not_old():
    (found,) = audit([page(shared_at=None, linked=False)], None, DOMAINS, BEFORE)

    assert (found.changed_at, found.changed_by, found.faults) == (None, None, ("unlinked",))


def test_where_no_domains_are_listed_any_will_do():
    assert faults(page(domain="web"), page(domain=None), domains=()) == []


def test_most_faults_come_first_then_the_longest_unchanged_then_by_slug():
    pages = [
        page("c", linked=False),
        page("b", linked=False),
        page("d", linked=False, shared_at="2026-10-01"),
        page("e", linked=False, domain="web"),
    ]

    assert [one.slug for one in audit(pages, NOW, DOMAINS, BEFORE)] == ["e", "d", "b", "c"]


@pytest.mark.parametrize(
    ("today", "months", "before"),
    [
        ("2026-11-30", 6, "2026-05-30"),
        ("2026-08-31", 6, "2026-02-28"),
        ("2024-08-31", 6, "2024-02-29"),
        ("2026-01-15", 1, "2025-12-15"),
        ("2026-12-31", 120, "2016-12-31"),
    ],
)
def test_months_are_those_of_the_calendar(today, months, before):
    now = datetime.fromisoformat(f"{today}T09:00:00+00:00")

    assert months_before(now, months).isoformat() == f"{before}T09:00:00+00:00"
