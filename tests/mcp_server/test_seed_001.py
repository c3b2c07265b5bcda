"""Seed 001, the design: every row of its tables of tools and of offline behaviour, and the filter of domains."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.fakes.catalogs import COMMIT, NOW, Project, reading
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON, answer, call, failed, lines, refusal, words
from tests.mcp_server.asking import SHARED as LINKED

SHARED = Project(
    repository="local/team/projects-wiki",
    shared_pages={
        "node/windows-yarn-exec": "---\ndomain: node\n---\n# Why\nOn Windows yarn needs `exec()`.\n",
        "cross/git-yarn": "Git and yarn.lock\n",
        "embedded/yarn-of-wires": "Провода\n",
        "web/nginx": "Nginx\n",
    },
    titles={"node/windows-yarn-exec": "Windows: yarn requires exec()"},
    front_matter={"seen": ["a", "b"]},
)
EVERYWHERE = ["node/windows-yarn-exec", "cross/git-yarn", "embedded/yarn-of-wires"]


@pytest.fixture
def shared(site: Site) -> Site:
    """A shared wiki of four domains beside two projects."""
    site.publish(ATLAS, BEACON, SHARED)
    return site


def in_folder(site: Site, folder: Path, **files: str) -> Site:
    """The same, asked from a folder that holds these files; `__` in a name is a dot."""
    folder.mkdir()
    for name, text in files.items():
        folder.joinpath(name.replace("__", ".")).write_text(text, encoding="utf-8")
    return replace(site, cwd=folder)


def found(site: Site, **given: object) -> set[str]:
    return {page["slug"] for page in answer(site, "knowledge_search", query="yarn", **given)["pages"]}


# --- Tool surface --------------------------------------------------------------------------------------


def test_seed_001_tool_tasks_aggregate_lists_the_open_tasks_of_all_projects_without_their_text(shared: Site):
    found = answer(shared, "tasks_aggregate")

    assert found["columns"] == ["project", "revision", "slug", "title", "status", "next", "status_text"]
    assert found["tasks"] == [
        ["atlas", COMMIT[:8], "offline-maps", "Offline maps", "active", "draw the legend", "active, in review"],
        ["atlas", COMMIT[:8], "import", "Импорт карт", "blocked", "", "ждёт"],
        ["beacon", COMMIT[:8], "lamp", "Lamp", "todo"],
    ]


def test_seed_001_tool_tasks_aggregate_takes_a_status_and_a_project(shared: Site):
    rows = lines(answer(shared, "tasks_aggregate", status="blocked", project="atlas"))

    assert [row["slug"] for row in rows] == ["import"]


def test_seed_001_tool_tasks_search_finds_a_part_of_a_title_and_of_the_text(shared: Site):
    assert [(row["slug"], row["matched_in"]) for row in answer(shared, "tasks_search", query="LEGEND")["tasks"]] == [
        ("offline-maps", "next")
    ]
    assert [row["slug"] for row in answer(shared, "tasks_search", query="порт кар")["tasks"]] == ["import"]


def test_seed_001_tool_tasks_get_gives_the_whole_board(shared: Site):
    assert answer(shared, "tasks_get", project="atlas")["text"] == ATLAS.board


def test_seed_001_tool_knowledge_search_gives_ten_titles_and_one_line_each(site: Site):
    site.publish(replace(SHARED, shared_pages={f"node/yarn-{n:02}": "Long text. " * 99 for n in range(12)}))
    heard = answer(site, "knowledge_search", query="yarn")

    assert (len(heard["pages"]), heard["total"], heard["next_offset"]) == (10, 12, 10)
    assert {key for page in heard["pages"] for key in page} == {
        "slug",
        "domain",
        "title",
        "matched_in",
        "snippet",
        "path",
    }
    assert max(len(page["snippet"]) for page in heard["pages"]) <= 84


@pytest.mark.parametrize("limit", [0, 21])
def test_seed_001_tool_knowledge_search_limit_is_one_to_twenty(shared: Site, limit: int):
    assert refusal(shared, "knowledge_search", query="yarn", limit=limit) == (
        f"limit is {limit}; expected a whole number from 1 to 20"
    )


def test_seed_001_tool_knowledge_get_gives_front_matter_as_fields_and_the_body(shared: Site):
    heard = answer(shared, "knowledge_get", slug="node/windows-yarn-exec")

    assert heard["text"] == "# Why\nOn Windows yarn needs `exec()`.\n"
    assert (heard["title"], heard["domain"]) == ("Windows: yarn requires exec()", "node")
    assert (heard["shared_at"], heard["applies_to"], heard["source_project"]) == ("2026-10-01", ["git"], None)
    assert heard["front_matter"] == [{"name": "seen", "value": '["a", "b"]'}]


def test_seed_001_tool_knowledge_get_goes_on_where_a_slice_ended_without_the_front_matter(shared: Site):
    first = answer(shared, "knowledge_get", slug="node/windows-yarn-exec", limit=5)
    rest = answer(shared, "knowledge_get", slug="node/windows-yarn-exec", offset=first["next_offset"])

    assert (first["text"], first["remaining"]) == ("# Why", len(rest["text"]))
    assert first["text"] + rest["text"] == "# Why\nOn Windows yarn needs `exec()`.\n"
    assert rest["front_matter"] == []


def test_seed_001_tool_knowledge_get_tells_which_shared_pages_lead_there(site: Site):
    site.publish(LINKED)

    assert answer(site, "knowledge_get", slug="node/yarn")["backlinks"] == [
        {"slug": "cross/Кеш", "title": "cross/Кеш", "line": 1}
    ]


def test_seed_001_tool_knowledge_get_tells_near_names_of_an_unknown_page(shared: Site):
    assert refusal(shared, "knowledge_get", slug="node/windows-yarn") == (
        'no page "node/windows-yarn" in the shared wiki; did you mean "node/windows-yarn-exec"?'
    )


def test_seed_001_tool_meta_status_tells_age_and_counts(shared: Site):
    heard = answer(shared, "meta_status")

    assert (heard["age_hours"], heard["stale"], heard["projects"], heard["shared_pages"]) == (1.0, False, 3, 4)


def test_seed_001_two_steps_what_a_search_names_a_get_reads(shared: Site):
    (page,) = answer(shared, "knowledge_search", query='"exec()"')["pages"]

    assert answer(shared, "knowledge_get", slug=page["slug"])["origin"]["path"] == page["path"]


# --- The filter of domains -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "domains", "slugs"),
    [
        ({"package__json": "{}"}, ["node", "cross"], {"node/windows-yarn-exec", "cross/git-yarn"}),
        ({"platformio__ini": ""}, ["embedded", "cross"], {"embedded/yarn-of-wires", "cross/git-yarn"}),
        ({"index__html": ""}, ["web", "cross"], {"cross/git-yarn"}),
    ],
    ids=["node", "embedded", "web"],
)
def test_seed_001_filter_a_detected_domain_shows_its_pages_and_those_of_cross(
    shared: Site, tmp_path: Path, files: dict[str, str], domains: list[str], slugs: set[str]
):
    asking = in_folder(shared, tmp_path / "mine", **files)
    heard = answer(asking, "knowledge_search", query="yarn")

    assert found(asking) == slugs
    assert (heard["domains"], heard["outside"]) == (domains, 3 - len(slugs))
    assert heard["filter_reason"] == f'the caller\'s folder is of the domain "{domains[0]}"'


def test_seed_001_filter_an_unknown_domain_shows_all(shared: Site, tmp_path: Path):
    asking = in_folder(shared, tmp_path / "mine", README__md="")
    heard = answer(asking, "knowledge_search", query="yarn")

    assert found(asking) == set(EVERYWHERE)
    assert (heard["domains"], heard["filter_reason"]) == (
        None,
        "no filter: the domain of the caller's folder is unknown",
    )


def test_seed_001_filter_without_a_folder_shows_all(shared: Site):
    assert found(shared) == set(EVERYWHERE)
    assert answer(shared, "knowledge_search", query="yarn")["filter_reason"].startswith(
        "no filter: the caller's folder"
    )


def test_seed_001_filter_all_takes_it_away(shared: Site, tmp_path: Path):
    asking = in_folder(shared, tmp_path / "mine", package__json="{}")

    assert found(asking, domain="all") == set(EVERYWHERE)


@pytest.mark.parametrize("domain", ["embedded", "Embedded"])
def test_seed_001_filter_a_named_domain_replaces_the_detected_one(shared: Site, tmp_path: Path, domain: str):
    asking = in_folder(shared, tmp_path / "mine", package__json="{}")

    assert found(asking, domain=domain) == {"embedded/yarn-of-wires", "cross/git-yarn"}


def test_seed_001_filter_cross_is_a_domain_of_pages(shared: Site):
    assert found(shared, domain="cross") == {"cross/git-yarn"}


def test_seed_001_filter_unknown_is_no_domain_of_pages(shared: Site):
    assert refusal(shared, "knowledge_search", query="yarn", domain="unknown") == (
        'no domain "unknown" in the shared wiki; expected all, or one of "cross", "embedded", "node", "web"'
    )


def test_seed_001_filter_that_hides_every_match_says_so(shared: Site):
    heard = answer(shared, "knowledge_search", query="провода", domain="web")

    assert (heard["total"], heard["outside"]) == (0, 1)
    assert heard["next_action_hint"] == (
        'nothing in these domains: ask again with domain "all", or knowledge_who_knows(query)'
    )


def test_seed_001_search_that_finds_nothing_names_the_next_tools(shared: Site):
    hint = answer(shared, "knowledge_search", query="gradle")["next_action_hint"]

    assert "knowledge_who_knows(query)" in hint
    assert "knowledge_ask_projects" in hint


def test_seed_001_without_a_shared_wiki_the_answer_says_so(site: Site):
    site.publish(ATLAS)

    assert answer(site, "knowledge_search", query="x")["next_action_hint"].startswith("there is no shared wiki: ")
    assert refusal(site, "knowledge_get", slug="x").startswith("there is no shared wiki: ")


# --- Offline -------------------------------------------------------------------------------------------


def test_seed_001_offline_with_a_fresh_sync_everything_works(shared: Site):
    heard = [answer(shared, "tasks_aggregate"), answer(shared, "knowledge_search", query="yarn")]

    assert [one["stale"] for one in heard] == [False, False]


def test_seed_001_offline_after_hours_without_a_sync_the_old_copy_answers_and_says_its_age(site: Site):
    (source,) = reading().sources
    old = NOW - timedelta(hours=30)
    site.publish(SHARED, seen=reading(checked_at=old, sources=(replace(source, synced_at=old, checked_at=old),)))
    heard = answer(site, "knowledge_search", query="yarn")

    assert (heard["total"], heard["age_hours"], heard["stale"]) == (3, 30.0, True)
    assert "30 h ago, STALE" in words(call(site, "knowledge_search", query="yarn"))


def test_seed_001_offline_without_a_network_boards_and_pages_are_still_read(site: Site):
    site.publish(ATLAS, SHARED, seen=failed("no route to host"))

    assert answer(site, "tasks_get", project="atlas")["text"] == ATLAS.board
    assert answer(site, "knowledge_get", slug="cross/git-yarn")["text"] == "Git and yarn.lock\n"


GIVEN: dict[str, dict[str, object]] = {
    "knowledge_search": {"query": "yarn"},
    "knowledge_get": {"slug": "cross/git-yarn"},
    "knowledge_who_knows": {"query": "yarn"},
    "tasks_aggregate": {},
    "tasks_search": {"query": "yarn"},
    "tasks_get": {"project": "atlas"},
}


@pytest.mark.parametrize("tool", GIVEN)
def test_seed_001_offline_without_a_cache_all_but_meta_status_tell_what_to_run(site: Site, tool: str):
    assert refusal(site, tool, **GIVEN[tool]).startswith("nothing has been published yet; run `doit`")


def test_seed_001_offline_without_a_cache_meta_status_still_answers(site: Site):
    assert answer(site, "meta_status")["advice"] == [
        "nothing has been published yet; run `doit` in the projects-meta folder first"
    ]
