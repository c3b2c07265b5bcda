"""The tools over the bundled example, built by the real pipeline."""

from __future__ import annotations

import json
from statistics import quantiles

from mcp_server.results import tokens
from tests.fakes.published import Site
from tests.mcp_server.asking import answer, call

TYPES = ["entities", "concepts", "packages", "sources", "root", "decisions", "raw"]


def sizes(site: Site, questions: list[tuple[str, dict[str, object]]]) -> list[float]:
    """About how many tokens the JSON of each answer has."""
    heard = [call(site, name, **given).structured_content for name, given in questions]
    return [tokens(json.dumps(content, ensure_ascii=False)) for content in heard if content]


def p95(values: list[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1]


def test_default_lists_over_the_example_stay_within_their_budget(built: Site):
    projects = [row["project"] for row in answer(built, "meta_projects")["projects"]]
    words = ("а", "the", "next", "воды", "test", "house")
    asked: list[tuple[str, dict[str, object]]] = [("tasks_aggregate", {}), ("meta_projects", {})]
    asked += [("tasks_aggregate", {"project": project, "status": "all"}) for project in projects]
    asked += [("tasks_search", {"query": word}) for word in words]
    asked += [(tool, {"query": word}) for word in words for tool in ("knowledge_search", "knowledge_who_knows")]
    asked += [("meta_audit_shared", {"months": months}) for months in (1, 6, 120)]
    asked += [("knowledge_ask_projects", {"query": word, "projects": projects}) for word in words]
    found = sizes(built, asked)
    print(f"\nlists: p95 {p95(found):.0f} tokens, at most {max(found):.0f}, of {len(found)} answers")

    assert max(found) <= 2_000


def test_default_slices_over_the_example_stay_within_their_budget(built: Site):
    rows = answer(built, "meta_projects")["projects"]
    boards = [row["project"] for row in rows if row["board"] != "absent"]
    found = sizes(built, [("tasks_get", {"project": project}) for project in boards])
    print(f"\nboards: p95 {p95(found):.0f} tokens, at most {max(found):.0f}, of {len(found)} answers")

    assert len(found) == len(boards) > 5
    assert max(found) <= 4_000


def test_every_page_of_the_example_that_a_wiki_names_is_read_within_its_budget(built: Site):
    """Every page that the answers about one letter name, of the shared wiki and of all others."""
    projects = [row["project"] for row in answer(built, "meta_projects")["projects"]]
    asked = answer(built, "knowledge_ask_projects", query="а", projects=projects, limit=20, types=TYPES)["results"]
    named = [(row["project"], match["slug"]) for row in asked for match in row.get("matches", ())]
    shared = answer(built, "knowledge_search", query="a", domain="all", limit=20)["pages"]
    questions: list[tuple[str, dict[str, object]]] = [("knowledge_get", {"slug": page["slug"]}) for page in shared]
    questions += [("knowledge_get_from", {"project": project, "slug": slug}) for project, slug in named]
    found = sizes(built, questions)
    print(f"\npages: p95 {p95(found):.0f} tokens, at most {max(found):.0f}, of {len(found)} answers")

    assert len(found) == len(shared) + len(named) > 10
    assert max(found) <= 4_000
