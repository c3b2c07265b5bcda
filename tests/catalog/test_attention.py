"""What needs attention, and since when a task has waited."""

from datetime import UTC, datetime

import pytest

from pipeline.catalog import attention
from tests.fakes.catalogs import Project, item, open_projects
from tests.fakes.page_histories import change, history

MARCH = datetime(2026, 3, 1, tzinfo=UTC)
APRIL = datetime(2026, 4, 1, tzinfo=UTC)
MAY = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def waiting(tmp_path):
    """The slug and the time since when of each blocked task, of projects with (tasks, changes newest first)."""

    def read(*boards, most=10):
        (tmp_path / "catalog.sqlite").unlink(missing_ok=True)
        projects = [
            Project(repository=name, board="## a\n", items=items, history=history(name, tasks=changes))
            for name, (items, changes) in zip(("forge/a/a", "forge/b/b", "forge/c/c"), boards, strict=False)
        ]
        with open_projects(tmp_path, *projects) as catalog:
            return [(each.slug, each.since) for each in attention.first(catalog, most).get("blocked", ())]

    return read


def blocked(slug):
    return item(slug, status="blocked")


def turned(slug, at, before, after):
    return change(slug, at, kind="status", before=before, after=after, status=after)


def test_a_task_has_waited_since_the_last_turn_of_its_status(waiting):
    changes = (turned("a", MAY, "active", "blocked"), turned("a", MARCH, "todo", "active"))

    assert waiting(((blocked("a"),), changes)) == [("a", MAY)]


def test_a_new_next_action_does_not_end_the_waiting(waiting):
    asked = change("a", MAY, kind="next", before=None, after="call", status="blocked")

    assert waiting(((blocked("a"),), (asked, turned("a", MARCH, "todo", "blocked")))) == [("a", MARCH)]


def test_a_history_that_does_not_lead_to_the_status_tells_no_time(waiting):
    assert waiting(((blocked("a"),), (turned("a", MARCH, "todo", "active"),))) == [("a", None)]


def test_what_has_waited_longest_stands_first_and_what_is_not_known_last(waiting):
    unknown = ((blocked("x"),), ())
    late = ((blocked("late"),), (turned("late", MAY, "todo", "blocked"),))
    early = ((blocked("early"),), (turned("early", APRIL, "todo", "blocked"),))

    assert waiting(unknown, late, early) == [("early", APRIL), ("late", MAY), ("x", None)]
    assert waiting(unknown, late, early, most=1) == [("early", APRIL)]
