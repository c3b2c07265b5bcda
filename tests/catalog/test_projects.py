from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pipeline import model
from pipeline.catalog.projects import diagnostics, find, list_projects, project
from pipeline.errors import AmbiguousRepository, CatalogError, UnknownRepository
from tests.fakes.catalogs import NOW, Project, item, reading

API = Project(repository="forge/ann/api")
OTHER_API = Project(repository="forge/bob/api")
MOBILE = Project(repository="forge/ann/Mobile", board="- [ ] ship\n", items=(item("ship", status="todo"),))
LONG_AGO = NOW - timedelta(hours=30)


def found(code, line):
    path = model.RepoPath(".tasks/STATUS.md")
    return model.Diagnostic(code=code, severity="warning", path=path, line=line, message="odd")


@pytest.mark.parametrize("name", ["Mobile", "mobile", "ann/mobile", "FORGE/ann/Mobile"])
def test_a_project_is_found_by_name_path_or_id_in_any_case(show, name):
    assert find(show(API, MOBILE), name) == MOBILE.id


def test_an_unknown_project_is_told_with_the_nearest_names_and_how_many_there_are(show):
    with pytest.raises(UnknownRepository) as caught:
        find(show(API, MOBILE), "mobil")

    assert str(caught.value) == 'no project "mobil"; did you mean "Mobile"? meta_projects lists all 2'


def test_the_nearest_names_are_as_long_as_the_name_that_was_asked(show):
    with pytest.raises(UnknownRepository) as caught:
        find(show(API, OTHER_API), "an/api")

    assert str(caught.value) == 'no project "an/api"; did you mean "ann/api" or "bob/api"? meta_projects lists all 2'


def test_an_unknown_name_cannot_forge_a_line_or_end_its_quotes(show):
    with pytest.raises(UnknownRepository) as caught:
        find(show(API), 'zzz"\nall is well\u202e')

    assert str(caught.value) == 'no project "zzz\\" all is well"; meta_projects lists all 1'


def test_an_ambiguous_name_lists_its_candidates(show):
    with pytest.raises(AmbiguousRepository) as caught:
        find(show(API, OTHER_API), "api")

    assert str(caught.value) == 'project "api" is one of 2: "ann/api", "bob/api"; give one of these names'


def test_candidates_with_the_same_path_are_listed_by_their_whole_id(show):
    with pytest.raises(AmbiguousRepository, match='"forge/ann/api", "other/ann/api"'):
        find(show(API, Project(repository="other/ann/api")), "ann/api")


def test_the_very_letters_of_a_name_win_over_another_case(show):
    assert find(show(Project(repository="forge/bob/mobile"), MOBILE), "Mobile") == MOBILE.id


def test_a_gone_project_is_said_to_be_gone_since_when(show):
    gone = replace(API, state="gone", reason="HTTP 404")
    seen = model.RepositoryReading(repository=API.id, good_at=None, gone_since=datetime(2026, 11, 2, tzinfo=UTC))

    with pytest.raises(UnknownRepository, match=r'project "ann/api" is gone since 2026-11-02'):
        find(show(gone, seen=reading(repositories=(seen,))), "api")


@pytest.mark.parametrize(
    ("looked", "since"),
    [
        ({"gone_since": NOW, "missing_since": NOW - timedelta(days=1)}, NOW),
        ({"missing_since": NOW}, NOW),
        ({}, None),
    ],
)
def test_a_project_that_its_source_no_longer_lists_tells_since_when(show, looked, since):
    seen = model.RepositoryReading(repository=API.id, good_at=None, **looked)

    assert [row.since for row in list_projects(show(API, seen=reading(repositories=(seen,)))).rows] == [since]


def test_a_living_project_wins_over_a_gone_one_of_the_same_name(show):
    assert find(show(replace(API, state="gone"), OTHER_API), "api") == OTHER_API.id


def test_projects_are_listed_by_id_in_slices(show):
    catalog = show(OTHER_API, MOBILE, API)
    first = list_projects(catalog, limit=2)
    rest = list_projects(catalog, limit=2, offset=2)

    assert [row.project for row in first.rows] == [MOBILE.id, API.id]
    assert (first.total, first.next_offset) == (3, 2)
    assert ([row.project for row in rest.rows], rest.next_offset) == ([OTHER_API.id], None)


def test_projects_are_narrowed_by_every_word_of_a_query(show):
    listed = list_projects(show(API, OTHER_API, MOBILE), "AP bob")

    assert ([row.project for row in listed.rows], listed.total) == ([OTHER_API.id], 1)


@pytest.mark.parametrize(("limit", "offset"), [(0, 0), (-1, 0), (1, -1), (2**40, 0), (1, 2**80)])
def test_a_slice_out_of_range_is_an_error_and_never_everything(show, limit, offset):
    with pytest.raises(CatalogError, match="expected"):
        list_projects(show(API), limit=limit, offset=offset)


def test_a_project_row_has_its_counts_and_the_time_of_its_revision(show):
    row = project(show(MOBILE), MOBILE.id)

    assert (row.name, row.board, row.tasks, row.changed_at) == ("Mobile", "parsed", {"todo": 1}, NOW)
    assert (row.state, row.stale, row.synced_at) == ("ok", False, NOW - timedelta(hours=1))


def test_a_malformed_index_is_told_with_the_project(show):
    row = project(show(replace(API, wiki_index="x", index_error="wiki index malformed: no links")), API.id)

    assert (row.index, row.index_error) == ("malformed", "wiki index malformed: no links")


def test_a_project_looked_at_long_ago_is_stale_though_its_source_is_fresh(show):
    seen = model.RepositoryReading(repository=API.id, good_at=LONG_AGO)
    row = project(show(API, seen=reading(repositories=(seen,))), API.id)

    assert (row.stale, row.synced_at) == (True, LONG_AGO)


def test_an_unreachable_project_is_stale_however_fresh(show):
    row = project(show(replace(API, state="unreachable", reason="HTTP 503")), API.id)

    assert (row.stale, row.reason) == (True, "HTTP 503")


def test_diagnostics_are_listed_by_project_path_and_line(show):
    api = replace(API, diagnostics=(found("W2", 9), found("W1", 3)))
    mobile = replace(MOBILE, diagnostics=(found("W3", 1),))
    catalog = show(api, mobile)

    assert [row.code for row in diagnostics(catalog).rows] == ["W3", "W1", "W2"]
    assert [row.code for row in diagnostics(catalog, API.id, limit=1).rows] == ["W1"]
    assert diagnostics(catalog, API.id, limit=1).next_offset == 1
