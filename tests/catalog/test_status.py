from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pipeline import model
from pipeline.catalog.answers import Coverage
from pipeline.catalog.projects import project
from pipeline.catalog.status import freshness, read_status, status_before_first_sync
from tests.fakes.catalogs import NOW, Project, item, reading
from tests.fakes.page_histories import history

API = Project(
    repository="forge/ann/api",
    board="x",
    items=(item("a"), item("b", status="done")),
    pages={"p": "text"},
    diagnostics=(
        model.Diagnostic(code="W1", severity="warning", path=model.RepoPath("a"), line=1, message="odd"),
        model.Diagnostic(code="E1", severity="error", path=model.RepoPath("a"), line=2, message="bad"),
    ),
)
KNOWN = replace(API, history=history(API.repository))
GONE = Project(repository="forge/ann/gone", state="gone", reason="HTTP 404", board="x", items=(item("c"),))


def source(name="forge", hours=1.0, **changes):
    at = NOW - timedelta(hours=hours)
    usual = {"state": "ok", "reason": None, "checked_at": at, "synced_at": at, "repositories": 1}
    return model.SourceReading(source=name, **{**usual, **changes})


def test_the_oldest_source_tells_how_old_the_answers_are(show):
    catalog = show(API, seen=reading(sources=(source(), source("local", 2.25))))

    assert freshness(catalog).synced_at == datetime(2026, 11, 30, 9, 45, tzinfo=UTC)
    assert (freshness(catalog).age_hours, freshness(catalog).stale, freshness(catalog).version) == (2.2, False, 7)


def test_a_look_older_than_the_limit_makes_the_answers_stale(show):
    assert not freshness(show(seen=reading(sources=(source(hours=24),)))).stale
    assert freshness(show(seen=reading(sources=(source(hours=24.1),)))).stale


def test_an_answer_about_one_project_is_as_old_as_the_last_good_look_at_it(show):
    old = replace(API, state="unreachable", reason="HTTP 503")
    seen = reading(repositories=(model.RepositoryReading(repository=API.id, good_at=NOW - timedelta(hours=9)),))
    catalog = show(old, seen=seen)
    found = freshness(catalog, project(catalog, API.id))

    assert (found.synced_at, found.age_hours, found.stale) == (NOW - timedelta(hours=9), 9.0, True)
    assert (freshness(catalog).age_hours, freshness(catalog).stale) == (1.0, False)


def test_a_project_whose_source_cannot_be_read_is_stale(show):
    catalog = show(API, seen=reading(sources=(source(state="unreachable", reason="HTTP 503"),)))

    assert freshness(catalog, project(catalog, API.id)).stale


def test_an_unreachable_source_makes_the_answers_stale(show):
    assert freshness(show(seen=reading(sources=(source(state="unreachable", reason="HTTP 503"),)))).stale


def test_a_source_that_was_never_read_makes_the_age_unknown(show):
    found = freshness(show(seen=reading(sources=(source(), source("local", synced_at=None)))))

    assert (found.synced_at, found.age_hours, found.stale) == (None, None, True)


def test_a_clock_that_went_back_gives_no_negative_age(show):
    found = freshness(show(seen=reading(sources=(source(hours=-5),))))

    assert (found.age_hours, found.stale) == (0.0, False)


def test_the_status_counts_everything_but_what_is_gone(show):
    found = read_status(show(API, GONE))

    assert (found.projects, found.boards, found.tasks, found.wiki_pages) == (1, 1, {"active": 1, "done": 1}, 1)
    assert found.projects_by_state == {"gone": 1, "ok": 1}
    assert (found.diagnostics, found.diagnostics_by_code) == ({"error": 1, "warning": 1}, {"E1": 1, "W1": 1})
    assert (found.machine, found.stale_after_hours) == ("laptop", 24)


def test_when_all_is_well_there_is_nothing_to_do(show):
    assert read_status(show(replace(KNOWN, diagnostics=()))).advice == ()


def test_a_history_that_is_not_here_is_counted_with_the_reasons(show):
    why = model.HistoryReading(repository=API.id, at=None, reason="HTTP 503")
    found = read_status(show(replace(API, diagnostics=()), seen=reading(histories=(why,))))

    assert found.wiki_histories == found.board_histories == Coverage(loaded=0, missing=1, behind=0)
    assert found.advice == (
        "the history of 1 wiki and 1 board is not here; `doit` brings more",
        "the history of 1 project could not be brought: HTTP 503",
    )


def test_each_trouble_has_its_advice(show):
    dead = replace(KNOWN, state="unreachable", reason="HTTP 503")
    troubled = source("forge", state="unreachable", reason="HTTP 503\nignore this")
    found = read_status(show(dead, seen=reading(sources=(troubled, source("local", 30)))))

    assert found.advice == (
        'source "forge" is unreachable (HTTP 503 ignore this); its last good copy is shown; mend it, then run `doit`',
        "the last good look is older than 24 hours; run `doit`",
        "1 of 1 projects could not be read; meta_projects shows the reasons",
        "1 error and 1 warning in the projects' own texts; tasks_get and the report show where",
    )


def test_a_version_without_projects_says_what_to_do(show):
    assert read_status(show()).advice == ("no project is known; add a source to sources.toml and run `doit`",)


def test_before_the_first_sync_the_command_to_run_is_told():
    found = status_before_first_sync(None, NOW)

    assert found.advice == ("nothing has been published yet; run `doit` in the projects-meta folder first",)
    assert (found.projects, found.freshness.version, found.freshness.stale, found.sources) == (0, 0, True, ())


def test_before_the_first_version_a_failed_source_is_told():
    seen = reading(sources=(source(state="unreachable", reason="HTTP 401", synced_at=None),))
    found = status_before_first_sync(seen, NOW)

    assert found.advice[1] == 'source "forge" is unreachable (HTTP 401); it was never read; mend it, then run `doit`'
