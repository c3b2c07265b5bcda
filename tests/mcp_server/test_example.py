"""The tools over the bundled example, built by the real pipeline."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import pytest

from mcp_server.results import tokens
from mcp_server.server import call as called
from mcp_server.tool import Reader
from pipeline import example, layout
from pipeline.layout import Layout
from tests.fakes.published import Site
from tests.mcp_server.asking import TOOLS, answer, call

TYPES = ["entities", "concepts", "packages", "sources", "root", "decisions", "raw"]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A published version of the example."""
    folder = tmp_path_factory.mktemp("example")
    example.materialise(layout.bundled("examples"), folder / "garden")
    sources = f'[[source]]\nkind = "folder"\nname = "example"\npath = "{(folder / "garden").as_posix()}"\n'
    (folder / "sources.toml").write_text(sources, encoding="utf-8")
    named = {"PROJECTS_META_CONFIG": str(folder / "sources.toml"), "PROJECTS_META_BUILD": str(folder / "build")}
    subprocess.run(
        [sys.executable, "-m", "doit"], env={**os.environ, **named}, cwd=ROOT, check=True, capture_output=True
    )
    return Site(Layout(folder / "build"))


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


WORDS = ("а", "the", "next", "воды", "test", "house", "sensor", "кеш", "git", "zzzz")


def test_the_time_of_every_answer_over_the_example_is_told(built: Site):
    reader = Reader(published=built.published())
    rows = answer(built, "meta_projects")["projects"]
    projects = [row["project"] for row in rows]
    boards = [row["project"] for row in rows if row["board"] != "absent"]
    pages = [match for word in WORDS for match in answer(built, "knowledge_search", query=word)["pages"]]
    by_word = ("tasks_search", "knowledge_search", "knowledge_who_knows")
    asked: dict[str, list[dict[str, object]]] = {
        "tasks_aggregate": [{"project": project, "status": "all"} for project in projects],
        "tasks_get": [{"project": project} for project in boards],
        "knowledge_get": [{"slug": page["slug"]} for page in pages],
        "knowledge_ask_projects": [{"query": word, "projects": projects} for word in WORDS],
        **{name: [{"query": word} for word in WORDS] for name in by_word},
        "meta_status": [{}] * 10,
        "meta_projects": [{"query": word} for word in WORDS],
        "meta_audit_shared": [{"months": months} for months in range(1, 11)],
    }
    told = {name: p95([milliseconds(reader, name, one) for one in given]) for name, given in asked.items()}
    print("\n" + "\n".join(f"{name}: p95 {spent:.1f} ms of {len(asked[name])}" for name, spent in told.items()))

    assert max(told.values()) < 1_000


def milliseconds(reader: Reader, name: str, given: dict[str, object]) -> float:
    begun = perf_counter()
    called(reader, TOOLS, name, given)
    return (perf_counter() - begun) * 1000
