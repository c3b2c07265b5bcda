"""How things stand, before and after the first sync."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes.catalogs import reading
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON, TOOLS, answer, call, failed, refusal, words


def test_the_status_counts_and_says_what_to_do(library: Site):
    found = answer(library, "meta_status")

    assert (found["version"], found["machine"], found["projects"], found["boards"]) == (1, "laptop", 2, 2)
    assert found["tasks"] == {"active": 1, "blocked": 1, "done": 1, "todo": 1}
    assert found["projects_by_state"] == {"ok": 1, "unreachable": 1}
    assert "1 of 2 projects could not be read" in found["advice"][0]


def test_a_source_is_shown_with_its_state_reason_and_age(site: Site):
    site.publish(ATLAS, seen=failed("HTTP 502"))

    assert answer(site, "meta_status")["sources"] == [
        {
            "source": "forge",
            "state": "unreachable",
            "reason": "HTTP 502",
            "synced_at": "2026-11-30T11:00:00Z",
            "age_hours": 1.0,
            "stale": True,
            "repositories": 1,
            "evidence": {},
        }
    ]


def test_the_status_and_the_projects_tell_what_the_last_look_rested_on(site: Site):
    (source,) = reading().sources
    looked = replace(source, evidence={"listing": 2, "trees": 1}, audited_at=source.synced_at)
    site.publish(ATLAS, BEACON, seen=reading(sources=(looked,), evidence={BEACON.id: "trees"}))

    (told,) = answer(site, "meta_status")["sources"]
    projects = answer(site, "meta_projects")["projects"]

    assert (told["evidence"], told["audited_at"]) == ({"listing": 2, "trees": 1}, "2026-11-30T11:00:00Z")
    assert [project.get("evidence") for project in projects] == [None, "trees"]
    assert "by (listing 2, trees 1)" in words(call(site, "meta_status"))


def test_before_the_first_sync_the_status_tells_what_to_run(site: Site):
    found = answer(site, "meta_status")

    assert (found["version"], found["synced_at"], found["stale"]) == (0, None, True)
    assert found["advice"] == ["nothing has been published yet; run `doit` in the projects-meta folder first"]


ARGUMENTS: dict[str, dict[str, object]] = {
    "tasks_search": {"query": "x"},
    "tasks_get": {"project": "x"},
    "knowledge_search": {"query": "x"},
    "knowledge_get": {"slug": "x"},
    "knowledge_ask_projects": {"query": "x", "projects": ["x"]},
    "knowledge_get_from": {"project": "x", "slug": "x"},
    "knowledge_who_knows": {"query": "x"},
    "route_context": {"query": "x"},
    "read_knowledge_file": {"file_path": "x"},
}


@pytest.mark.parametrize("name", [tool.name for tool in TOOLS if tool.name != "meta_status"])
def test_before_the_first_sync_every_other_tool_tells_what_to_run(site: Site, name: str):
    assert refusal(site, name, **ARGUMENTS.get(name, {})) == (
        "nothing has been published yet; run `doit` in the projects-meta folder first"
    )


def test_projects_are_listed_with_what_they_have(library: Site):
    assert answer(library, "meta_projects", query="beac")["projects"] == [
        {
            "project": "local/team/beacon",
            "state": "unreachable",
            "reason": "HTTP 503",
            "stale": True,
            "synced_at": "2026-11-30T11:00:00Z",
            "board": "parsed",
            "tasks": {"done": 1, "todo": 1},
            "index": "absent",
            "wiki_pages": 0,
            "changed_at": "2026-11-21T12:00:00Z",
        }
    ]


def test_projects_in_words_are_one_line_each(library: Site):
    assert words(call(library, "meta_projects")).splitlines()[1:] == [
        "- local/team/atlas: ok, board parsed (active 1, blocked 1), wiki absent, 1 pages, changed 2026-11-29",
        '- local/team/beacon: unreachable ("HTTP 503"), last seen 2026-11-30 11:00 UTC, STALE, '
        "board parsed (done 1, todo 1), wiki absent, 0 pages, changed 2026-11-21",
    ]


def test_a_gone_project_says_so(site: Site):
    site.publish(ATLAS, replace(BEACON, state="gone", reason="not found"))

    assert [row["state"] for row in answer(site, "meta_projects")["projects"]] == ["ok", "gone"]


def test_the_status_in_words_counts_the_same(library: Site):
    assert words(call(library, "meta_status")).splitlines()[:4] == [
        "version 1, synced 2026-11-30 11:00 UTC, 1 h ago; stale after 24 h",
        "2 projects (ok 1, unreachable 1), 2 boards, 4 tasks (active 1, blocked 1, done 1, todo 1), 1 wiki pages, "
        "0 shared pages",
        'source "forge": ok, 1 repositories, synced 1 h ago',
        "0 findings in texts",
    ]
