"""What of the caller's own wiki is worth sharing, asked through the protocol."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.model import DomainMarkers, Preferences, SharedRules
from tests.fakes.catalogs import Project
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, answer, call, refusal, words

SHARED = Project(
    repository="local/team/projects-wiki",
    shared_pages={"web/yarn-shell": "Yarn\n", "node/git-lf": "Git\n"},
    titles={"web/yarn-shell": "Yarn on Windows needs a shell", "node/git-lf": "Line ends of git"},
    rules=SharedRules(domains=("node", "web", "cross"), never=("Harbour Bank",)),
)
PAGES = {
    "yarn-shell": "# Yarn on Windows needs the shell\n\n## Why\nIt is a `.cmd`.\n",
    "docker-dns": "# Names in Docker\n",
    "rates": "# Rates of the Harbour Banks\n\nA job in Docker.\n",
    "atlas-build": "# Build with npm\n\nThe atlas is built by npm.\n",
    "colours": "# Colours\n\nYellow.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of Node with five pages."""
    concepts = tmp_path / "atlas" / ".wiki" / "concepts"
    concepts.mkdir(parents=True)
    (tmp_path / "atlas" / "package.json").write_text("{}", encoding="utf-8")
    for name, text in PAGES.items():
        (concepts / f"{name}.md").write_text(text, encoding="utf-8")
    return tmp_path / "atlas"


@pytest.fixture
def asked(site: Site, folder: Path) -> Site:
    """The server in that folder, beside a shared wiki."""
    site.publish(ATLAS, SHARED)
    return replace(site, cwd=folder)


def test_candidates_come_with_path_domain_confidence_and_reason(asked: Site):
    assert answer(asked, "knowledge_suggest_promote")["candidates"] == [
        {
            "slug": "concepts/yarn-shell",
            "current_path": ".wiki/concepts/yarn-shell.md",
            "suggested_domain": "node",
            "confidence": 0.8,
            "reason": "names yarn, Windows; confirmed in another domain: web/yarn-shell; says Why",
        },
        {
            "slug": "concepts/docker-dns",
            "current_path": ".wiki/concepts/docker-dns.md",
            "suggested_domain": "cross",
            "confidence": 0.3,
            "reason": "names Docker",
        },
    ]


def test_what_it_rests_on_is_told_and_excluded_pages_only_counted(asked: Site):
    found = answer(asked, "knowledge_suggest_promote")

    assert (found["project"], found["domain"], found["own_names"]) == ("local/team/projects-wiki", "node", ["atlas"])
    assert (found["total"], found["pages_read"], found["unread_total"]) == (2, 5, 0)
    assert "this server writes nothing" in found["next_action_hint"]
    assert "rates" not in words(call(asked, "knowledge_suggest_promote"))


def test_candidates_are_paged(asked: Site):
    found = answer(asked, "knowledge_suggest_promote", limit=1, offset=1)

    assert [row["slug"] for row in found["candidates"]] == ["concepts/docker-dns"]
    assert (found["total"], found["next_offset"]) == (2, None)


def test_candidates_in_words_are_one_line_each(asked: Site):
    assert words(call(asked, "knowledge_suggest_promote")).splitlines()[1:4] == [
        'of 5 pages read, domain "node", own names "atlas"',
        '- 0.80 "concepts/yarn-shell" → "node": "names yarn, Windows; '
        'confirmed in another domain: web/yarn-shell; says Why"',
        '- 0.30 "concepts/docker-dns" → "cross": "names Docker"',
    ]


def test_a_page_that_is_too_large_is_named(asked: Site, folder: Path):
    (folder / ".wiki" / "concepts" / "huge.md").write_bytes(b"Docker " * 200_000)
    found = answer(asked, "knowledge_suggest_promote")

    assert (found["unread"], found["unread_total"], found["total"]) == ([".wiki/concepts/huge.md"], 1, 2)
    assert '1 not read, too large: ".wiki/concepts/huge.md"' in words(call(asked, "knowledge_suggest_promote"))


def test_words_and_domains_of_the_configuration_decide_too(site: Site, folder: Path):
    rust = DomainMarkers(name="rust", markers=("Cargo.toml",))
    (folder / "package.json").rename(folder / "Cargo.toml")
    site.publish(SHARED, preferences=Preferences(domains=(rust,), promote_words=("Yellow",)))
    found = answer(replace(site, cwd=folder), "knowledge_suggest_promote")["candidates"]

    assert [(row["slug"], row["suggested_domain"]) for row in found] == [
        ("concepts/yarn-shell", "rust"),
        ("concepts/colours", "rust"),
        ("concepts/docker-dns", "cross"),
    ]


def test_a_shared_page_that_came_from_here_is_no_confirmation(site: Site, folder: Path):
    site.publish(replace(SHARED, front_matter={"source_project": "Atlas"}))
    found = answer(replace(site, cwd=folder), "knowledge_suggest_promote")["candidates"]

    assert found[-1]["reason"] == "names yarn, Windows; shared already, as it seems: web/yarn-shell; says Why"


def test_without_a_shared_wiki_the_missing_black_list_is_told(site: Site, folder: Path):
    site.publish(ATLAS)
    found = answer(replace(site, cwd=folder), "knowledge_suggest_promote")

    assert (found["project"], found["total"]) == (None, 3)
    assert found["next_action_hint"].startswith("there is no shared wiki, so no black list kept anything back")


def test_a_folder_without_pages_says_so(asked: Site, tmp_path: Path):
    found = answer(replace(asked, cwd=tmp_path), "knowledge_suggest_promote")

    assert (found["candidates"], found["pages_read"]) == ([], 0)
    assert found["next_action_hint"] == "no page stands in .wiki/concepts of the caller's folder"


def test_pages_of_which_none_is_worth_it_say_so(asked: Site, tmp_path: Path):
    (tmp_path / ".wiki" / "concepts").mkdir(parents=True)
    (tmp_path / ".wiki" / "concepts" / "a.md").write_text("Nothing.", encoding="utf-8")
    found = answer(replace(asked, cwd=tmp_path), "knowledge_suggest_promote")

    assert found["next_action_hint"].startswith("no page names a platform or tool")


@pytest.mark.parametrize("place", [None, Path("nowhere-at-all")])
def test_without_a_folder_the_way_to_name_one_is_told(asked: Site, place: Path | None):
    assert refusal(replace(asked, cwd=place), "knowledge_suggest_promote").startswith(
        "no project folder is known; start the server in the project or with --cwd DIR"
    )


def test_nothing_in_the_folder_changes(asked: Site, folder: Path):
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    answer(asked, "knowledge_suggest_promote")

    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
