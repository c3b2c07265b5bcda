"""The tools over the bundled example, built by the real pipeline."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import quantiles

import pytest

from mcp_server.results import tokens
from pipeline import example, layout
from pipeline.layout import Layout
from tests.fakes.published import Site
from tests.mcp_server.asking import answer, call

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
