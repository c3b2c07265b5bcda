"""Seed 001, the design: what it says of detecting a domain, of promotion and of the audit, row by row."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pipeline.model import SharedRules
from tests.fakes.catalogs import NOW, Project, reading
from tests.fakes.published import Site
from tests.mcp_server.asking import answer, failed, refusal

SHARED = Project(
    repository="local/team/projects-wiki",
    shared_pages={"web/windows-yarn-exec": "Yarn\n"},
    titles={"web/windows-yarn-exec": "Windows yarn requires exec()"},
    rules=SharedRules(domains=("node", "web", "cross"), never=("ипотека",)),
)


def in_folder(site: Site, place: Path, **files: str) -> Site:
    """The same, asked from a folder that holds these files; `__` in a name is a dot, other names are concepts."""
    for name, text in files.items():
        path = place / name.replace("__", ".") if "__" in name else place / ".wiki" / "concepts" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return replace(site, cwd=place)


def suggested(site: Site) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer(site, "knowledge_suggest_promote")["candidates"]
    return found


@pytest.fixture
def shared(site: Site) -> Site:
    """A shared wiki with one page and a black list."""
    site.publish(SHARED)
    return site


@pytest.mark.parametrize(
    ("files", "domain"),
    [
        ({"package__json": "{}", "platformio__ini": ""}, "node"),
        ({"platformio__ini": "", "index__html": ""}, "embedded"),
        ({"blink__ino": ""}, "embedded"),
        ({"CMakeLists__txt": "set(TOOLCHAIN arm-none-eabi)"}, "embedded"),
        ({"next__config.js": ""}, "web"),
        ({"vite__config.ts": ""}, "web"),
        ({"index__html": ""}, "web"),
        ({"main__go": ""}, "unknown"),
    ],
)
def test_seed_001_detect_domain(shared: Site, tmp_path: Path, files: dict[str, str], domain: str):
    assert answer(in_folder(shared, tmp_path, **files), "knowledge_suggest_promote")["domain"] == domain


def test_seed_001_tool_knowledge_suggest_promote_gives_five_fields_of_each_candidate(shared: Site, tmp_path: Path):
    assert suggested(in_folder(shared, tmp_path, package__json="{}", hooks="# Hooks of git\n")) == [
        {
            "slug": "concepts/hooks",
            "current_path": ".wiki/concepts/hooks.md",
            "suggested_domain": "cross",
            "confidence": 0.3,
            "reason": "names git",
        }
    ]


@pytest.mark.parametrize("word", ["Windows", "yarn", "Node", "MCP", "git", "Docker"])
def test_seed_001_promotion_includes_a_page_that_names_a_platform_or_tool(shared: Site, tmp_path: Path, word: str):
    (row,) = suggested(in_folder(shared, tmp_path, package__json="{}", a=f"# A\n\nSays {word}.\n"))

    assert row["reason"] == f"names {word}"


def test_seed_001_promotion_leaves_out_a_page_with_a_name_of_the_black_list(shared: Site, tmp_path: Path):
    assert suggested(in_folder(shared, tmp_path, a="# Docker для ипотеки\n")) == []


def test_seed_001_promotion_is_surer_of_a_title_that_another_domain_has(shared: Site, tmp_path: Path):
    text = "# Windows yarn requires exec\n"
    (row,) = suggested(in_folder(shared, tmp_path, package__json="{}", a=text))

    assert (row["suggested_domain"], row["confidence"]) == ("node", 0.7)
    assert row["reason"].endswith("confirmed in another domain: web/windows-yarn-exec")


@pytest.mark.parametrize(
    "seen",
    [failed("no network"), reading(sources=(replace(reading().sources[0], synced_at=NOW - timedelta(days=9)),))],
    ids=["without a network", "hours without a sync"],
)
def test_seed_001_offline_promotion_works(site: Site, tmp_path: Path, seen):
    site.publish(SHARED, seen=seen)

    assert len(suggested(in_folder(site, tmp_path, a="# Docker\n"))) == 1


@pytest.mark.parametrize("tool", ["knowledge.suggest_promote", "meta.audit_shared"])
def test_seed_001_offline_without_a_cache_it_tells_what_to_run(site: Site, tmp_path: Path, tool: str):
    assert refusal(replace(site, cwd=tmp_path), tool).startswith("nothing has been published yet; run `doit`")


def test_seed_001_question_4_the_audit_names_pages_that_half_a_year_did_not_touch(site: Site):
    site.publish(replace(SHARED, committed_at=NOW - timedelta(days=400)))

    assert [row["faults"] for row in answer(site, "meta.audit_shared")["pages"]] == [["unlinked"]]
    assert [row["faults"] for row in answer(site, "meta.audit_shared", months=1)["pages"]] == [["old", "unlinked"]]
