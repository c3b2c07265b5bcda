from dataclasses import replace
from datetime import timedelta

import pytest

from pipeline import model
from pipeline.catalog.tasks import aggregate, board, file_text, search
from pipeline.errors import CatalogError, UnknownPage
from tests.fakes.catalogs import NOW, Project, item

BOARD = """# Board
## login
Status: blocked
Next: ask Ann about Straße
## Выпуск
Релиз в пятницу, потом deploy
"""
API = Project(
    repository="forge/ann/api",
    board=BOARD,
    items=(
        item("login", "Fix the login", 2, end_line=4, status="blocked", next="ask Ann about Straße"),
        item("release", "Выпуск", 5, end_line=6, status="done", fields=(("Branch", "main"),)),
    ),
    task_files={"login/notes.md": "note\n", "Release/a.md": "a\n", "loginx/b.md": "b\n"},
)
WEB = Project(
    repository="forge/bob/web",
    board="- deploy\n- relogin\n",
    items=(item("deploy", line=1), item("relogin", line=2, status="todo")),
    committed_at=NOW - timedelta(days=9),
)


def slugs(rows):
    return [row.slug for row in rows.rows]


def hits(found):
    return [(hit.task.slug, hit.matched_in) for hit in found.rows]


def warning(line):
    path = model.RepoPath(".tasks/STATUS.md")
    return model.Diagnostic(code=f"W{line}", severity="warning", path=path, line=line, message="odd")


# --- aggregate


def test_open_tasks_come_active_first_then_blocked_then_todo_and_closed_ones_not(show):
    assert slugs(aggregate(show(API, WEB))) == ["deploy", "login", "relogin"]


def test_all_tasks_have_the_done_ones_last(show):
    assert slugs(aggregate(show(API, WEB), "all")) == ["deploy", "login", "relogin", "release"]


def test_one_status_or_one_project_can_be_asked_for(show):
    catalog = show(API, WEB)

    assert slugs(aggregate(catalog, "done")) == ["release"]
    assert slugs(aggregate(catalog, "all", WEB.id)) == ["deploy", "relogin"]


def test_fresher_boards_come_first_and_those_without_a_time_last(show):
    timeless = Project(repository="forge/ann/b", board="x", items=(item("timeless"),), committed_at=None)
    old = Project(repository="forge/ann/a", board="x", items=(item("old"),), committed_at=NOW - timedelta(days=1))
    new = Project(repository="forge/ann/c", board="x\ny", items=(item("new"), item("newer", line=2)))

    assert slugs(aggregate(show(timeless, old, new))) == ["new", "newer", "old", "timeless"]


def test_an_unknown_status_is_an_error_with_the_known_ones(show):
    with pytest.raises(CatalogError) as caught:
        aggregate(show(API), "opne' or 1")

    assert str(caught.value) == (
        'no status "opne\' or 1"; expected one of: open, all, active, blocked, paused, todo, unknown, done, cancelled'
    )


def test_a_task_row_tells_how_its_project_stands(show):
    row = aggregate(show(replace(API, state="unreachable", reason="HTTP 503"))).rows[0]

    assert (row.project, row.line, row.next) == (API.id, 2, "ask Ann about Straße")
    assert (row.state, row.reason, row.stale) == ("unreachable", "HTTP 503", True)


def test_tasks_are_sliced_and_counted(show):
    rows = aggregate(show(API, WEB), "all", limit=2, offset=1)

    assert (slugs(rows), rows.total, rows.next_offset) == (["login", "relogin"], 4, 3)
    assert aggregate(show(API, WEB), limit=5, offset=9).next_offset is None


# --- search


def test_a_hit_in_slug_or_title_comes_before_one_in_the_text(show):
    assert hits(search(show(API, WEB), "deploy")) == [("deploy", "slug"), ("release", "text")]


def test_a_whole_word_comes_before_a_part_of_one(show):
    fresh = replace(WEB, committed_at=NOW + timedelta(days=1))

    assert hits(search(show(API, fresh), "login")) == [("login", "slug"), ("relogin", "slug")]


def test_a_hit_in_next_comes_before_one_in_the_text(show):
    sooner = replace(WEB, items=(item("other", next="релиз"),), committed_at=NOW - timedelta(days=99))

    assert hits(search(show(API, sooner), "РЕЛИЗ")) == [("other", "next"), ("release", "text")]


def test_of_equal_hits_those_on_fresher_boards_come_first(show):
    older = replace(WEB, repository="forge/ann/a", items=(item("deploy"), item("deploy", line=2)))

    found = search(show(older, replace(WEB, committed_at=NOW)), "deploy")

    assert [(hit.task.project, hit.task.line) for hit in found.rows] == [(WEB.id, 1), (older.id, 1), (older.id, 2)]


def test_the_words_of_a_query_may_be_spread_over_the_fields(show):
    assert hits(search(show(API, WEB), "fix STRASSE")) == [("login", "title")]


def test_a_quoted_phrase_must_stand_together(show):
    catalog = show(API)

    assert hits(search(catalog, '"about straße"')) == [("login", "next")]
    assert hits(search(catalog, '"about ann"')) == []


@pytest.mark.parametrize("query", ["%", "_", "*", "lo*", "' or 1=1 --", '"'])
def test_signs_of_query_languages_are_letters(show, query):
    assert search(show(API, WEB), query).total == 0


@pytest.mark.parametrize("query", ["ß", "пя", "#"])
def test_queries_of_one_and_two_characters_work(show, query):
    assert search(show(API, WEB), query).total >= 1


def test_a_snippet_is_cut_from_the_text_as_written(show):
    hit = search(show(API), "пятницу").rows[0]

    assert hit.snippet == "## Выпуск Релиз в пятницу, потом deploy"


def test_the_search_keeps_to_a_status_and_a_project(show):
    catalog = show(API, WEB)

    assert hits(search(catalog, "deploy", "active")) == [("deploy", "slug")]
    assert hits(search(catalog, "deploy", project=API.id)) == [("release", "text")]


def test_search_results_are_sliced_and_counted(show):
    found = search(show(API, WEB), "login", limit=1, offset=1)

    assert (hits(found), found.total, found.next_offset) == ([("relogin", "slug")], 2, None)


def test_without_a_trigram_index_the_answer_is_the_same(show):
    assert hits(search(show(API, WEB, engine="scan"), "login")) == [("login", "slug"), ("relogin", "slug")]


# --- board


def test_a_board_is_given_whole_as_written(show):
    found = board(show(API), API.id)

    assert (found.text, found.board, found.task) == (BOARD, "parsed", None)
    assert (found.origin.path, found.origin.revision) == (".tasks/STATUS.md", "4f2a91c0" * 5)
    assert len(found.files) == 3


def test_one_task_is_given_with_its_own_lines_fields_and_files(show):
    found = board(show(API), API.id, "RELEASE")

    assert found.text == "## Выпуск\nРелиз в пятницу, потом deploy"
    assert found.task is not None
    assert (found.task.slug, found.fields) == ("release", (("Branch", "main"),))
    assert [file.path for file in found.files] == [".tasks/Release/a.md"]


def test_the_files_of_a_task_are_not_those_of_one_whose_name_goes_on(show):
    assert [file.path for file in board(show(API), API.id, "login").files] == [".tasks/login/notes.md"]


def test_a_slug_in_other_case_that_fits_two_tasks_fits_none(show):
    twins = replace(WEB, items=(item("Ship"), item("SHIP", line=2)))

    with pytest.raises(UnknownPage, match='no task "ship"'):
        board(show(twins), WEB.id, "ship")


def test_a_task_has_the_diagnostics_of_its_own_lines(show):
    catalog = show(replace(API, diagnostics=(warning(1), warning(3), warning(6))))

    assert [found.code for found in board(catalog, API.id, "login").diagnostics] == ["W3"]
    assert [found.code for found in board(catalog, API.id).diagnostics] == ["W1", "W3", "W6"]


def test_an_unknown_task_is_told_with_the_nearest_slugs(show):
    with pytest.raises(UnknownPage) as caught:
        board(show(API), API.id, "logn")

    assert str(caught.value) == 'no task "logn" on the board of forge/ann/api; did you mean "login"?'


def test_a_task_asked_of_a_closed_board_is_told_that_it_is_closed(show):
    with pytest.raises(UnknownPage, match=r"shows that board, which is closed$"):
        board(show(replace(WEB, items=(), board_state="closed")), WEB.id, "deploy")


def test_a_project_without_a_board_says_so(show):
    with pytest.raises(UnknownPage, match=r"^no .tasks/STATUS.md in forge/ann/empty; meta_projects tells"):
        board(show(Project(repository="forge/ann/empty")), model.RepositoryId("forge/ann/empty"))


def test_a_closed_board_is_said_to_be_closed(show):
    found = board(show(replace(WEB, board="moved\n", items=(), board_state="closed")), WEB.id)

    assert (found.board, found.text) == ("closed", "moved\n")


def test_a_file_beside_the_board_is_read_by_its_whole_path_or_below_tasks(show):
    catalog = show(API)

    assert file_text(catalog, API.id, ".tasks/login/notes.md").text == "note\n"
    assert file_text(catalog, API.id, "login/notes.md").file.path == ".tasks/login/notes.md"


def test_an_unknown_file_is_told_with_the_nearest_paths(show):
    with pytest.raises(UnknownPage, match=r'did you mean "\.tasks/login/notes\.md"'):
        file_text(show(API), API.id, ".tasks/login/note.md")


def test_a_path_that_leaves_the_project_is_only_an_unknown_name(show):
    with pytest.raises(UnknownPage, match="no file"):
        file_text(show(API), API.id, "../../catalog.sqlite")


# --- what it costs


def asked(catalog, question) -> list[str]:
    """The statements that a question runs."""
    statements: list[str] = []
    catalog.store.connection.set_trace_callback(statements.append)
    question(catalog)
    catalog.store.connection.set_trace_callback(None)
    return statements


def test_a_list_is_counted_once_for_each_version(show):
    catalog = show(API, WEB)

    assert [len(asked(catalog, aggregate)) for _ in range(3)] == [2, 1, 1]


@pytest.mark.parametrize("status", ["open", "all", "todo"])
def test_a_list_lies_in_its_order_and_is_not_sorted(show, status):
    catalog = show(API, WEB)
    select = asked(catalog, lambda shown: aggregate(shown, status))[-1]

    plan = [row[3] for row in catalog.store.connection.execute(f"explain query plan {select}")]

    assert [step for step in plan if "TEMP B-TREE" in step] == []
