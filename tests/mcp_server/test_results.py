"""The size and the shape of answers."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest

from mcp_server.results import output_schema, tokens
from mcp_server.tools.tasks import BoardText, TaskList
from tests.fakes.catalogs import Project, item
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON, answer, call, words

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

    joined = [row["slug"] for row in [*first["tasks"], *second["tasks"]]]

    assert len(first["tasks"]) < len(joined)
    assert joined == ([f"zadacha-{n}" for n in range(10)] * 2)[: len(joined)]


def test_in_a_schema_a_field_of_the_answer_may_be_null_and_a_field_of_a_row_absent():
    schema = output_schema(TaskList)
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
