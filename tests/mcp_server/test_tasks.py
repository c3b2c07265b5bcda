"""What agents hear about tasks."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from pipeline.model import Diagnostic, RepoPath, RepositoryReading
from tests.fakes.catalogs import COMMIT, NOW, Project, item, reading
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON, answer, call, failed, lines, refusal, words


def slugs(found: dict[str, Any]) -> list[str]:
    return [row["slug"] for row in (lines(found) if "columns" in found else found["tasks"])]


def test_without_a_filter_open_tasks_of_all_projects_come_active_first(library: Site):
    assert slugs(answer(library, "tasks_aggregate")) == ["offline-maps", "import", "lamp"]


def test_a_listed_task_tells_its_project_and_the_revision_of_its_board(library: Site):
    assert lines(answer(library, "tasks_aggregate", status="active")) == [
        {
            "project": "atlas",
            "revision": COMMIT[:8],
            "slug": "offline-maps",
            "title": "Offline maps",
            "status": "active",
            "next": "draw the legend",
            "status_text": "active, in review",
        }
    ]


def test_columns_without_a_word_are_left_out_at_the_end_of_a_row(site: Site):
    site.publish(replace(ATLAS, items=(item("lamp", status_text="Active"),)))

    assert answer(site, "tasks_aggregate")["tasks"] == [["atlas", COMMIT[:8], "lamp", "lamp", "active"]]


def test_a_list_tells_once_how_a_project_stands_that_is_not_as_usual(library: Site):
    assert answer(library, "tasks_aggregate", status="all")["projects"] == [
        {"project": "beacon", "state": "unreachable", "reason": "HTTP 503", "stale": True}
    ]


def test_a_list_tells_where_a_board_of_another_spelling_stands(site: Site):
    site.publish(replace(ATLAS, board_path=".tasks/status.md"))

    assert answer(site, "tasks_aggregate")["projects"] == [{"project": "atlas", "path": ".tasks/status.md"}]


def test_a_list_names_only_the_projects_of_its_own_rows(library: Site):
    assert answer(library, "tasks_aggregate", limit=2)["projects"] == []


def test_projects_of_one_name_are_listed_by_their_whole_names(site: Site):
    site.publish(ATLAS, replace(ATLAS, repository="local/crew/Atlas"))
    named = {row["project"] for row in lines(answer(site, "tasks_aggregate"))}

    assert named == {"local/crew/Atlas", "local/team/atlas"}
    assert [answer(site, "tasks_get", project=name)["project"] for name in sorted(named)] == sorted(named)


def test_a_project_whose_namesake_is_gone_is_listed_by_its_short_name(site: Site):
    site.publish(ATLAS, replace(ATLAS, repository="local/crew/atlas", state="gone", board=None, items=()))

    assert {row["project"] for row in lines(answer(site, "tasks_aggregate"))} == {"atlas"}


def test_a_list_whose_age_alone_is_wrong_says_so_beside_the_project(site: Site):
    old = RepositoryReading(repository=ATLAS.id, good_at=NOW - timedelta(hours=40))
    site.publish(ATLAS, seen=reading(repositories=(old,)))

    assert answer(site, "tasks_aggregate")["projects"] == [{"project": "atlas", "stale": True}]
    assert words(call(site, "tasks_aggregate")).splitlines()[1] == "atlas [stale]"


def test_a_search_tells_once_for_each_project_where_its_board_stands(library: Site):
    assert answer(library, "tasks_search", query="m")["origins"] == [
        {"project": "local/team/atlas", "path": ".tasks/STATUS.md", "revision": COMMIT},
        {"project": "local/team/beacon", "path": ".tasks/STATUS.md", "revision": COMMIT},
    ]


def test_a_long_name_of_a_project_is_listed_whole_so_that_it_can_be_asked_for(site: Site):
    long = f"local/{'t' * 250}/atlas"
    site.publish(ATLAS, replace(ATLAS, repository=long))

    assert {row["project"] for row in lines(answer(site, "tasks_aggregate"))} == {"local/team/atlas", long}


def test_every_answer_tells_its_age_and_version(library: Site):
    found = answer(library, "tasks_aggregate")

    assert {key: found[key] for key in ("synced_at", "age_hours", "stale", "version")} == {
        "synced_at": "2026-11-30T11:00:00Z",
        "age_hours": 1.0,
        "stale": False,
        "version": 1,
    }


def test_an_unreachable_source_makes_the_answer_stale(site: Site):
    site.publish(ATLAS, seen=failed("connection refused"))

    assert answer(site, "tasks_aggregate")["stale"] is True


def test_an_answer_about_a_project_that_could_not_be_read_tells_its_own_age(site: Site):
    old = RepositoryReading(repository=BEACON.id, good_at=NOW - timedelta(hours=40))
    site.publish(ATLAS, BEACON, seen=reading(repositories=(old,)))
    about = [answer(site, tool, project="beacon") for tool in ("tasks_get", "tasks_aggregate")]

    assert [(one["age_hours"], one["stale"]) for one in about] == [(40.0, True), (40.0, True)]
    assert "synced 2026-11-28 20:00 UTC, 40 h ago, STALE" in words(call(site, "tasks_get", project="beacon"))
    assert answer(site, "tasks_aggregate")["age_hours"] == 1.0


def test_an_empty_list_tells_that_the_asked_project_has_no_board(site: Site):
    site.publish(replace(BEACON, board=None, items=()))
    result = call(site, "tasks_aggregate", project="beacon")

    assert result.structured_content["asked"] == {
        "project": "local/team/beacon",
        "state": "unreachable",
        "reason": "HTTP 503",
        "board": "absent",
    }
    assert words(result).splitlines()[1:] == ['local/team/beacon: board absent [unreachable: "HTTP 503"]']


def test_a_list_of_all_projects_was_asked_for_none(library: Site):
    assert answer(library, "tasks_aggregate")["asked"] is None
    assert answer(library, "tasks_search", query="ship")["asked"] is None


def test_a_project_may_be_named_in_three_ways(library: Site):
    names = ("atlas", "team/atlas", "local/team/atlas")

    assert [slugs(answer(library, "tasks_aggregate", project=name)) for name in names] == [
        ["offline-maps", "import"]
    ] * 3


def test_a_list_is_paged_to_its_end(library: Site):
    pages = [answer(library, "tasks_aggregate", limit=2, offset=offset) for offset in (0, 2, 4)]

    assert [(page["total"], page["next_offset"], slugs(page)) for page in pages] == [
        (3, 2, ["offline-maps", "import"]),
        (3, None, ["lamp"]),
        (3, None, []),
    ]


def test_long_rows_end_a_default_list_early_and_the_next_offset_goes_on(site: Site):
    tasks = tuple(item(f"t{n:02}", "Очень длинное название " * 8, next="дальше " * 25) for n in range(30))
    site.publish(Project(repository="local/team/big", board="- [ ] x\n", items=tasks))
    found = answer(site, "tasks_aggregate")

    assert len(slugs(found)) < 20
    assert found["next_offset"] == len(slugs(found))
    assert slugs(answer(site, "tasks_aggregate", offset=found["next_offset"]))[0] == f"t{found['next_offset']:02}"


def test_a_search_tells_where_it_matched_and_shows_the_place(library: Site):
    found = answer(library, "tasks_search", query="LEGEND draw")

    assert [(row["slug"], row["matched_in"], row["snippet"]) for row in found["tasks"]] == [
        ("offline-maps", "next", "draw the legend")
    ]


def test_a_search_looks_at_finished_tasks_too_unless_told_not_to(library: Site):
    assert slugs(answer(library, "tasks_search", query="ship")) == ["ship"]
    assert slugs(answer(library, "tasks_search", query="ship", status="open")) == []


def test_a_board_is_read_as_written_with_its_origin_and_files(library: Site):
    found = answer(library, "tasks_get", project="atlas")

    assert found["text"] == ATLAS.board
    assert found["origin"] == {"project": "local/team/atlas", "path": ".tasks/STATUS.md", "revision": COMMIT}
    assert [row["path"] for row in found["files"]] == [".tasks/import/notes.md", ".tasks/offline-maps/plan.md"]
    assert (found["board"], found["state"], found["changed_at"]) == ("parsed", "ok", "2026-11-29T12:00:00Z")


def test_a_slug_gives_that_task_alone(library: Site):
    found = answer(library, "tasks_get", project="atlas", slug="offline-maps")

    assert found["text"] == "## offline-maps\nStatus: active, in review\nNext: draw the legend"
    assert found["task"]["status_text"] == "active, in review"
    assert [row["path"] for row in found["files"]] == [".tasks/offline-maps/plan.md"]


def test_a_long_board_comes_in_slices_that_join_to_the_whole(site: Site):
    site.publish(replace(BEACON, board="строка\n" * 3_000))
    first = answer(site, "tasks_get", project="beacon")
    second = answer(site, "tasks_get", project="beacon", offset=8_000, limit=20_000)

    assert (len(first["text"]), first["next_offset"], first["remaining"]) == (8_000, 8_000, 13_000)
    assert (second["next_offset"], second["remaining"]) == (None, 0)
    assert first["text"] + second["text"] == "строка\n" * 3_000


def test_files_and_findings_come_with_the_first_slice_only(site: Site):
    finding = Diagnostic(
        code="W104", severity="warning", path=RepoPath(".tasks/STATUS.md"), line=2, message="unknown mark [?]"
    )
    site.publish(replace(ATLAS, diagnostics=(finding,)))
    first, later = (answer(site, "tasks_get", project="atlas", offset=offset) for offset in (0, 9))

    assert first["diagnostics"] == [{"code": "W104", "severity": "warning", "line": 2, "message": "unknown mark [?]"}]
    assert (later["files"], later["files_total"], later["diagnostics"], later["diagnostics_total"]) == ([], 2, [], 1)


def test_a_closed_board_is_said_to_be_closed(site: Site):
    site.publish(replace(BEACON, board_state="closed", items=(), board="Closed: see elsewhere.\n", state="ok"))
    result = call(site, "tasks_get", project="beacon")

    assert result.structured_content["board"] == "closed"
    assert words(result).startswith("local/team/beacon: board closed, changed 2026-11-21 (")


def test_a_project_without_a_board_is_an_error_that_names_it(site: Site):
    site.publish(replace(BEACON, board=None, items=()))

    assert refusal(site, "tasks_get", project="beacon") == (
        "no .tasks/STATUS.md in local/team/beacon; meta_projects tells who has a board"
    )


def test_an_unknown_project_or_task_comes_with_near_names(library: Site):
    assert refusal(library, "tasks_get", project="atlass") == (
        'no project "atlass"; did you mean "atlas"? meta_projects lists all 2'
    )
    assert refusal(library, "tasks_get", project="atlas", slug="imprt") == (
        'no task "imprt" on the board of local/team/atlas; did you mean "import"?'
    )


def test_clients_that_show_only_text_get_compact_lines(library: Site):
    assert words(call(library, "tasks_aggregate")) == (
        "tasks: 3, shown 1-3 (version 1, synced 2026-11-30 11:00 UTC, 1 h ago)\n"
        "atlas\n"
        '- [active "active, in review"] "offline-maps" "Offline maps", next: "draw the legend"\n'
        '- [blocked "ждёт"] "import" "Импорт карт"\n'
        'beacon [unreachable: "HTTP 503"]\n'
        '- [todo] "lamp" "Lamp"'
    )


def test_in_the_text_form_nothing_is_said_twice(site: Site):
    site.publish(replace(ATLAS, items=(item("lamp", "lamp", status="todo", status_text="Todo"),)))

    assert words(call(site, "tasks_aggregate")).splitlines()[2:] == ['- [todo] "lamp"']


def test_the_text_form_tells_how_many_files_and_findings_are_not_shown(site: Site):
    finding = Diagnostic(code="W104", severity="warning", path=RepoPath(".tasks/STATUS.md"), line=2, message="odd")
    files = {f"import/{number}.md": "x" for number in range(23)}
    site.publish(replace(ATLAS, task_files=files, diagnostics=(finding,) * 11))
    shown = words(call(site, "tasks_get", project="atlas")).splitlines()

    assert shown[0].startswith("local/team/atlas: board parsed, changed 2026-11-29 (version 1,")
    assert (shown[21], shown[32]) == ("and 3 more files", "and 1 more findings")


def test_in_the_text_form_all_below_one_line_is_the_file_itself(library: Site):
    head, _, rest = words(call(library, "tasks_get", project="atlas")).partition("\n--- text of ")

    assert head.startswith("local/team/atlas: board parsed")
    assert rest.partition(" ---\n")[2] == ATLAS.board
