"""Seed 000, "ask other projects": every row of its tables and every rule of its matching, by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pipeline.explain import explain
from tests.fakes.catalogs import Project
from tests.fakes.published import Site
from tests.mcp_server.asking import answer, refusal

FOO = Project(
    repository="local/team/foo",
    wiki_index="# Wiki\n",
    pages={
        "entities/runner": "# Runner\nStarts yarn through a shell.\n",
        "concepts/windows/yarn-exec": "---\ntags: [x]\n---\n# Yarn on Windows\nOn Windows yarn needs `exec()`.\n",
        "raw/log": "yarn, a heavy dump\n",
        "concepts/Очередь": "Очередь задач и кеш\n",
        "concepts/lost-yarn": None,
    },
    titles={"concepts/windows/yarn-exec": "Windows: yarn requires exec()", "concepts/Очередь": "Очередь"},
)
BAR = Project(repository="local/team/bar", board="- [ ] a\n")
BROKEN = Project(
    repository="local/team/broken", wiki_index="x", index_error="wiki index malformed: merge conflict markers (line 3)"
)


@pytest.fixture
def asked(site: Site) -> Site:
    """One project with a wiki, one without, one whose index cannot be read."""
    site.publish(FOO, BAR, BROKEN)
    return site


def ask(site: Site, query: str, *projects: str, **more: object) -> list[dict[str, Any]]:
    """The `results` of knowledge_ask_projects."""
    found: list[dict[str, Any]] = answer(site, "knowledge_ask_projects", query=query, projects=projects, **more)[
        "results"
    ]
    return found


def slugs(site: Site, query: str, **more: object) -> list[str]:
    """What the one project with a wiki has, in order."""
    (row,) = ask(site, query, "foo", **more)
    return [match["slug"] for match in row["matches"]]


# --- Tools: ask_projects, input ------------------------------------------------------------------------


def test_seed_000_input_query_is_required(asked: Site):
    assert refusal(asked, "knowledge_ask_projects", projects=["foo"]).startswith("query is missing; expected ")


def test_seed_000_input_an_empty_query_is_an_error_not_everything(asked: Site):
    assert refusal(asked, "knowledge_ask_projects", query='""', projects=["foo"]).startswith("the query is empty; ")


@pytest.mark.parametrize(
    ("projects", "said"),
    [
        ([], "projects has 0 names; expected a list of 1 to 50 names"),
        (["foo"] * 51, "projects has 51 names; expected a list of 1 to 50 names"),
        ("foo", 'projects is "foo"; expected a list of 1 to 50 names'),
        (["foo", 7], "projects[1] is 7; expected text"),
        (["foo", " "], "projects[1] is empty; expected at least one letter"),
        (["fo\0o"], "projects[0] holds a NUL or half a character; expected text without them"),
    ],
)
def test_seed_000_input_projects_is_a_list_of_names(asked: Site, projects: object, said: str):
    assert refusal(asked, "knowledge_ask_projects", query="yarn", projects=projects) == said


def test_seed_000_input_projects_is_required(asked: Site):
    assert refusal(asked, "knowledge_ask_projects", query="yarn") == "projects is missing; expected whom to ask"


@pytest.mark.parametrize("limit", [0, 21, "5", True])
def test_seed_000_input_limit_is_one_to_twenty(asked: Site, limit: object):
    said = refusal(asked, "knowledge_ask_projects", query="yarn", projects=["foo"], limit=limit)

    assert said.endswith("; expected a whole number from 1 to 20")


def test_seed_000_input_limit_is_five_by_default_and_counts_per_project(site: Site):
    many = {f"concepts/yarn-{n}": "x\n" for n in range(8)}
    site.publish(replace(FOO, pages=many, titles={}), replace(BAR, wiki_index="# W\n", pages=many))
    found = ask(site, "yarn", "foo", "bar")

    assert [(row["total"], len(row["matches"])) for row in found] == [(8, 5), (8, 5)]


def test_seed_000_input_limit_bounds_each_project(asked: Site):
    assert slugs(asked, "yarn", limit=1) == ["concepts/windows/yarn-exec"]


def test_seed_000_input_types_leave_out_raw_by_default(asked: Site):
    assert "raw/log" not in slugs(asked, "yarn")


def test_seed_000_input_types_that_name_raw_include_it(asked: Site):
    assert slugs(asked, "yarn", types=["concepts", "raw"]) == [
        "concepts/windows/yarn-exec",
        "concepts/lost-yarn",
        "raw/log",
    ]


def test_seed_000_input_all_five_types_include_raw(asked: Site):
    assert "raw/log" in slugs(asked, "dump", types=["entities", "concepts", "packages", "sources", "raw"])


def test_seed_000_input_types_that_a_wiki_does_not_have_are_told(asked: Site):
    (row,) = ask(asked, "yarn", "foo", types=["concept"])

    assert (row["matches"], row["warning"]) == (
        [],
        'no page of the asked types; this wiki has "concepts", "entities", "raw"',
    )


# --- Tools: ask_projects, output -----------------------------------------------------------------------


def test_seed_000_output_is_the_asked_projects_their_results_and_a_hint(asked: Site):
    found = answer(asked, "knowledge_ask_projects", query="exec()", projects=["foo", "bar"])

    assert found["asked_projects"] == ["foo", "bar"]
    assert found["results"][0]["project"] == "local/team/foo"
    assert found["results"][0]["matches"] == [
        {
            "slug": "concepts/windows/yarn-exec",
            "type": "concepts",
            "title": "Windows: yarn requires exec()",
            "snippet": "# Yarn on Windows On Windows yarn needs `exec()`.",
            "matched_in": "title",
            "path": ".wiki/concepts/windows/yarn-exec.md",
        }
    ]


def test_seed_000_output_hint_names_tools_of_this_server_and_what_to_do_when_nobody_knows(asked: Site):
    hint = answer(asked, "knowledge_ask_projects", query="yarn", projects=["foo"])["next_action_hint"]

    assert "knowledge_get_from(project, slug)" in hint
    assert "a commit to that project's .tasks/STATUS.md; this server writes nothing" in hint


def test_seed_000_output_comes_in_the_order_asked_each_name_once(asked: Site):
    found = answer(asked, "knowledge_ask_projects", query="yarn", projects=["bar", "foo", "bar"])

    assert found["asked_projects"] == ["bar", "foo"]
    assert [row["project"] for row in found["results"]] == ["local/team/bar", "local/team/foo"]


# --- Tools: get_from -----------------------------------------------------------------------------------


def test_seed_000_get_from_gives_the_raw_page(asked: Site):
    found = answer(asked, "knowledge_get_from", project="foo", slug="concepts/windows/yarn-exec")

    assert found["text"] == FOO.pages["concepts/windows/yarn-exec"]
    assert found["origin"]["path"] == ".wiki/concepts/windows/yarn-exec.md"


@pytest.mark.parametrize("missing", ["project", "slug"])
def test_seed_000_get_from_requires_project_and_slug(asked: Site, missing: str):
    given = {name: "foo" for name in ("project", "slug") if name != missing}

    assert refusal(asked, "knowledge_get_from", **given).startswith(f"{missing} is missing; ")


def test_seed_000_get_from_an_unknown_page_is_told_with_near_names(asked: Site):
    assert refusal(asked, "knowledge_get_from", project="foo", slug="concepts/windows/exec") == (
        'page not found: local/team/foo/.wiki/concepts/windows/exec.md; did you mean "concepts/windows/yarn-exec"?'
    )


def test_seed_000_get_from_an_unknown_project_is_told_with_near_names(asked: Site):
    assert refusal(asked, "knowledge_get_from", project="fooo", slug="x").startswith(
        'no project "fooo"; did you mean "foo"?'
    )


def test_seed_000_get_from_takes_every_slug_that_ask_projects_gives(asked: Site):
    (slug,) = slugs(asked, "очередь")

    assert answer(asked, "knowledge_get_from", project="foo", slug=slug)["text"] == "Очередь задач и кеш\n"


# --- Matching semantics --------------------------------------------------------------------------------


def test_seed_000_matching_is_by_substring_whatever_the_case(asked: Site):
    assert slugs(asked, "ЧЕРЕД") == slugs(asked, "черед") == ["concepts/Очередь"]


def test_seed_000_matching_slug_and_title_come_before_body(asked: Site):
    assert slugs(asked, "yarn") == ["concepts/windows/yarn-exec", "concepts/lost-yarn", "entities/runner"]


def test_seed_000_matching_words_may_stand_in_different_fields(asked: Site):
    assert slugs(asked, "exec windows needs") == ["concepts/windows/yarn-exec"]


def test_seed_000_matching_a_body_match_has_its_snippet_around_the_word(site: Site):
    site.publish(replace(FOO, pages={"concepts/x": "слово " * 60 + "иголка " + "слово " * 60}, titles={}))
    ((match,),) = (row["matches"] for row in ask(site, "иголка", "foo"))

    assert match["matched_in"] == "body"
    assert "иголка" in match["snippet"]
    assert len(match["snippet"]) <= 84


def test_seed_000_matching_nothing_is_an_empty_list(asked: Site):
    (row,) = ask(asked, "gradle", "foo")

    assert (row["total"], row["matches"], row.get("error"), row.get("warning")) == (0, [], None, None)


# --- Error branches ------------------------------------------------------------------------------------


def test_seed_000_error_branch_no_index_in_the_repository(asked: Site):
    (row,) = ask(asked, "yarn", "bar")

    assert row["error"] == "no wiki — repo has no .wiki/index.md"
    assert "matches" not in row


def test_seed_000_error_branch_pages_without_an_index_are_found_in_the_tree(site: Site):
    site.publish(replace(FOO, wiki_index=None))
    (row,) = ask(site, "exec()", "foo")

    assert row["warning"] == "no index — pages were found in the tree"
    assert len(row["matches"]) == 1


def test_seed_000_error_branch_an_unknown_project(asked: Site):
    assert ask(asked, "yarn", "fooo", "nobody") == [
        {"project": "fooo", "error": "unknown project — run sync first", "did_you_mean": ["foo"]},
        {"project": "nobody", "error": "unknown project — run sync first"},
    ]


def test_seed_000_error_branch_a_name_that_several_projects_have_lists_them(site: Site):
    site.publish(FOO, replace(FOO, repository="local/other/foo"))
    (row,) = ask(site, "yarn", "foo")

    assert row["error"] == 'project "foo" is one of 2: "other/foo", "team/foo"; give one of these names'


def test_seed_000_error_branch_a_fetch_that_failed_keeps_slug_and_title(asked: Site):
    (row,) = ask(asked, "lost", "foo")

    assert [(match["slug"], match["title"], match["snippet"]) for match in row["matches"]] == [
        ("concepts/lost-yarn", "concepts/lost-yarn", "(fetch failed)")
    ]


def test_seed_000_error_branch_a_malformed_index(asked: Site):
    (row,) = ask(asked, "yarn", "broken")

    assert row["error"] == "wiki index malformed: merge conflict markers (line 3)"


def test_seed_000_error_branch_a_malformed_index_is_a_warning_when_pages_were_found(site: Site):
    site.publish(replace(BROKEN, pages={"concepts/yarn": "x\n"}))
    (row,) = ask(site, "yarn", "broken")

    assert row["warning"] == "wiki index malformed: merge conflict markers (line 3)"
    assert [match["slug"] for match in row["matches"]] == ["concepts/yarn"]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("knowledge_ask_projects", {"query": "yarn", "projects": ["foo"]}),
        ("knowledge_get_from", {"project": "foo", "slug": "x"}),
    ],
)
def test_seed_000_error_branch_nothing_configured_or_synced(site: Site, tool: str, given: dict[str, object]):
    assert refusal(site, tool, **given) == (
        "nothing has been published yet; run `doit` in the projects-meta folder first"
    )


# --- Testing -------------------------------------------------------------------------------------------


def read(index: str) -> Any:
    return explain("index", index.encode())


def test_seed_000_testing_index_parser_reads_a_valid_index():
    text = "# Wiki\n\n## Entities\n- [Foo](entities/foo.md)\n\n## Concepts\n- [Bar](concepts/bar.md)\n"

    assert read(text)["entries"] == [
        {"slug": "foo", "type": "entities", "title": "Foo"},
        {"slug": "bar", "type": "concepts", "title": "Bar"},
    ]


def test_seed_000_testing_index_parser_takes_empty_sections():
    assert read("# Wiki\n\n## Entities\n\n## Concepts\n- [Bar](concepts/bar.md)\n")["entries"] == [
        {"slug": "bar", "type": "concepts", "title": "Bar"}
    ]


def test_seed_000_testing_index_parser_skips_a_broken_line_and_keeps_the_rest():
    found = read("## Concepts\n- [Broken](concepts/broken.md\n- [Bar](concepts/bar.md)\n")

    assert [entry["slug"] for entry in found["entries"]] == ["bar"]
    assert [one["line"] for one in found["diagnostics"]] == [2]


def test_seed_000_testing_index_parser_reads_nested_slugs():
    assert read("## Concepts\n- [Deep](concepts/foo/bar.md)\n")["entries"] == [
        {"slug": "foo/bar", "type": "concepts", "title": "Deep"}
    ]


def test_seed_000_testing_ask_projects_partial_success(asked: Site):
    found = ask(asked, "exec()", "broken", "nobody", "foo", "bar")

    assert [("error" in row, len(row.get("matches", ()))) for row in found] == [
        (True, 0),
        (True, 0),
        (False, 1),
        (True, 0),
    ]


def test_seed_000_testing_sync_runner_a_project_with_a_wiki_alone_is_there(asked: Site):
    assert answer(asked, "meta_projects", query="team/foo")["projects"][0]["wiki_pages"] == 5
