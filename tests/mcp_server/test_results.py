"""The size and the shape of answers."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest

from mcp_server.results import output_schema, tokens
from mcp_server.tools.tasks import BoardText, FoundTasks
from tests.fakes.catalogs import Project, item
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON, answer, call, lines, words

WORDY = "Проверить, что карта открывается без сети и помнит место "


def big(number: int) -> Project:
    """A project of ten tasks in Russian, each with all that a row can hold."""
    tasks = tuple(
        item(f"zadacha-{n}", WORDY * 2, status_text="в работе, ждём ответа", next=WORDY * 3) for n in range(10)
    )
    board = ("- [ ] " + WORDY + "\n") * 400
    return Project(repository=f"local/team/project-{number:02}", board=board, items=tasks, reason=WORDY)


@pytest.fixture
def full(site: Site) -> Site:
    """Sixty projects, six hundred tasks."""
    site.publish(*(replace(big(number), state="unreachable") for number in range(60)))
    return site


@pytest.mark.parametrize(
    ("name", "given"), [("tasks_aggregate", {}), ("tasks_search", {"query": "карта"}), ("meta_projects", {})]
)
def test_a_default_list_stays_within_two_thousand_tokens(full: Site, name: str, given: dict[str, object]):
    result = call(full, name, **given)
    sizes = [tokens(json.dumps(result.structured_content, ensure_ascii=False)), tokens(words(result))]
    print(f"\n{name}: about {sizes[0]:.0f} tokens as JSON, {sizes[1]:.0f} as text")

    assert max(sizes) <= 2_000
    assert result.structured_content["next_offset"] > 5


def test_a_default_slice_of_russian_text_stays_within_four_thousand_tokens(full: Site):
    found = answer(full, "tasks_get", project="project-07")

    assert len(found["text"]) == 8_000
    assert tokens(found["text"]) <= 4_000


def test_short_rows_fill_the_whole_default_list(site: Site):
    tasks = tuple(item(f"task-{n:02}", f"Task {n}", status_text="active", next="do it") for n in range(40))
    site.publish(Project(repository="local/team/short", board="-\n", items=tasks))
    found = answer(site, "tasks_aggregate")

    assert (len(found["tasks"]), found["next_offset"]) == (30, 30)


def test_a_caller_who_asks_for_more_rows_gets_more(full: Site):
    default, asked = (answer(full, "tasks_aggregate", **given)["tasks"] for given in ({}, {"limit": 100}))

    assert len(asked) > 2 * len(default)


def test_the_pages_of_an_early_ended_list_join_without_a_gap(site: Site):
    site.publish(big(1), big(2))
    first = answer(site, "tasks_aggregate")
    second = answer(site, "tasks_aggregate", offset=first["next_offset"])

    joined = [row["slug"] for row in [*lines(first), *lines(second)]]

    assert len(first["tasks"]) < len(joined)
    assert joined == ([f"zadacha-{n}" for n in range(10)] * 2)[: len(joined)]


KNOWN = {f"concepts/stranitsa-{n:02}": WORDY * 40 for n in range(30)}


def known(number: int) -> Project:
    """A wiki of thirty pages in Russian."""
    titles = dict.fromkeys(KNOWN, WORDY * 2)
    return Project(repository=f"local/team/wiki-{number:02}", wiki_index="# W\n", pages=KNOWN, titles=titles)


@pytest.fixture
def knowing(site: Site) -> Site:
    """Ten such wikis, and a shared one."""
    shared = Project(repository="local/team/projects-wiki", shared_pages=KNOWN, titles=dict.fromkeys(KNOWN, WORDY))
    site.publish(shared, *map(known, range(10)))
    return site


TEN = [f"wiki-{number:02}" for number in range(10)]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("knowledge_search", {"query": "карта"}),
        ("knowledge_who_knows", {"query": "карта"}),
        ("knowledge_ask_projects", {"query": "карта", "projects": TEN}),
        ("knowledge_ask_projects", {"query": "карта", "projects": TEN[:2]}),
        ("knowledge_ask_projects", {"query": "карта", "projects": [f"nobody {number}" for number in range(20)]}),
    ],
)
def test_a_default_answer_about_knowledge_stays_within_two_thousand_tokens(
    knowing: Site, name: str, given: dict[str, object]
):
    result = call(knowing, name, **given)
    sizes = [tokens(json.dumps(result.structured_content, ensure_ascii=False)), tokens(words(result))]
    print(f"\n{name}: about {sizes[0]:.0f} tokens as JSON, {sizes[1]:.0f} as text")

    assert max(sizes) <= 2_000


def test_matches_are_dealt_out_in_turn_so_that_no_project_is_left_out(knowing: Site):
    shown = [
        len(row["matches"]) for row in answer(knowing, "knowledge_ask_projects", query="карта", projects=TEN)["results"]
    ]

    assert (min(shown), max(shown) - min(shown)) >= (1, 0)
    assert max(shown) - min(shown) <= 1


def test_of_many_projects_each_has_its_first_match(knowing: Site):
    names = [
        f"{prefix}wiki-{number:02}"
        for number in range(10)
        for prefix in ("", "team/", "local/team/", "TEAM/", "Local/Team/")
    ]
    found = answer(knowing, "knowledge_ask_projects", query="карта", projects=names)["results"]

    assert [len(row["matches"]) for row in found] == [1] * 50
    assert {row["total"] for row in found} == {30}


LINKED = Project(
    repository="local/team/linked",
    pages={"a": "x", **{f"from-{n:02}": "x" for n in range(23)}},
    links=tuple((f"from-{n:02}", "a", n + 1) for n in range(23)),
)


def test_a_page_tells_who_leads_to_it_with_its_first_slice_and_how_many_more_there_are(site: Site):
    site.publish(LINKED)
    first = answer(site, "knowledge_get_from", project="linked", slug="a")
    shown = words(call(site, "knowledge_get_from", project="linked", slug="a")).splitlines()

    assert first["backlinks"][0] == {"slug": "from-00", "title": "from-00", "line": 1}
    assert (len(first["backlinks"]), first["backlinks_total"]) == (20, 23)
    assert shown[1] == 'linked from "from-00" "from-00" at line 1'
    assert shown[21] == "and 3 more links"


def test_a_later_slice_of_a_page_repeats_no_links(site: Site):
    site.publish(LINKED)
    later = answer(site, "knowledge_get_from", project="linked", slug="a", offset=1)

    assert (later["backlinks"], later["backlinks_total"]) == ([], 23)
    assert "more links" not in words(call(site, "knowledge_get_from", project="linked", slug="a", offset=1))


def test_in_a_schema_a_field_of_the_answer_may_be_null_and_a_field_of_a_row_absent():
    schema = output_schema(FoundTasks)
    row = schema["properties"]["tasks"]["items"]

    assert schema["properties"]["synced_at"] == {"type": ["string", "null"], "format": "date-time"}
    assert "synced_at" in schema["required"]
    assert row["properties"]["next"] == {"type": "string"}
    assert "next" not in row["required"]


def test_every_answer_keeps_to_its_schema(site: Site):
    site.publish(ATLAS, BEACON)
    jsonschema.validate(answer(site, "tasks_get", project="atlas", slug="import"), output_schema(BoardText))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**answer(site, "tasks_get", project="atlas"), "board": "lost"}, output_schema(BoardText))
