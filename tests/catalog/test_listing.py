from array import array
from datetime import timedelta

from pipeline.catalog.listing import Listing, Scope, listed
from pipeline.index_schema import PAGE_TEXTS
from tests.fakes.catalogs import NOW, Project

OLD = Project(repository="h/o/a", committed_at=NOW - timedelta(days=9), pages={"x": "x", "y": "y"})
YOUNG = Project(repository="h/o/b", committed_at=NOW, pages={"x": "x"})
UNDATED = Project(repository="h/o/c", committed_at=None, pages={"x": "x"})
WIKI = Scope(conditions=("t.kind = 'wiki'",), parameters={}, kept=True)


def test_projects_that_changed_last_come_first_and_those_without_a_time_last(show):
    with show(OLD, YOUNG, UNDATED) as catalog:
        listing = listed(catalog, PAGE_TEXTS, WIKI)

    assert [listing.project(place) for place in range(len(listing))] == ["h/o/b", "h/o/a", "h/o/a", "h/o/c"]


def test_what_many_questions_ask_for_is_numbered_once(show):
    with show(OLD) as catalog:
        assert listed(catalog, PAGE_TEXTS, WIKI) is listed(catalog, PAGE_TEXTS, WIKI)


def test_ids_that_are_not_listed_have_no_place():
    listing = Listing(ids=array("q", [9, 5]), first=5, places=array("i", [1, -1, -1, -1, 0]), projects=(), starts=())

    assert listing.at([5, 6, 9]) == {0, 1}
    assert listing.last == 9
