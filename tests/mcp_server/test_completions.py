"""Names completed while a person types."""

from __future__ import annotations

from dataclasses import replace

import mcp_types as wire
from mcp import Client

from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, SHARED, server, talk

PROJECT = wire.ResourceTemplateReference(type="ref/resource", uri="project://{project}/tasks/{+path}")
SHARED_PAGE = wire.ResourceTemplateReference(type="ref/resource", uri="shared://{+slug}")
PROMPT = wire.PromptReference(type="ref/prompt", name="who_knows")
Reference = wire.ResourceTemplateReference | wire.PromptReference


def completion(site: Site, name: str, start: str, reference: Reference = PROJECT, **given: str) -> wire.Completion:
    async def ask(client: Client) -> wire.Completion:
        found = await client.complete(reference, {"name": name, "value": start}, context_arguments=given)
        return found.completion

    return talk(server(site), ask)


def completed(site: Site, name: str, start: str, reference: Reference = PROJECT, **given: str) -> list[str]:
    return completion(site, name, start, reference, **given).values


def test_project_names_are_completed_by_what_they_hold(library: Site):
    assert completed(library, "project", "") == ["atlas", "beacon"]
    assert completed(library, "project", "EAC") == ["beacon"]


def test_paths_and_slugs_are_completed_for_the_project_already_chosen(library: Site):
    assert completed(library, "path", "plan", project="atlas") == ["offline-maps/plan.md"]
    assert completed(library, "slug", "til", project="atlas") == ["concepts/tiles"]


def test_names_that_begin_with_what_was_typed_come_first(library: Site):
    assert completed(library, "path", "o", project="atlas") == ["offline-maps/plan.md", "import/notes.md"]


def test_statuses_are_completed_before_the_first_sync_too(site: Site):
    assert completed(site, "status", "pa") == ["paused"]


def test_what_cannot_be_completed_is_an_empty_list(site: Site):
    assert completed(site, "project", "") == []
    assert completed(site, "colour", "") == []


def test_slugs_of_the_shared_wiki_are_completed_in_its_addresses(site: Site):
    site.publish(ATLAS, SHARED)

    assert completed(site, "slug", "", SHARED_PAGE) == ["cross/Кеш", "node/yarn"]
    assert completed(site, "slug", "КЕШ", SHARED_PAGE) == ["cross/Кеш"]


def test_a_slug_without_a_project_is_not_guessed(site: Site):
    site.publish(ATLAS, SHARED)

    assert completed(site, "slug", "", PROJECT) == []
    assert completed(site, "slug", "", PROJECT, project="nobody") == []


def test_domains_are_completed_with_all_as_the_last(site: Site):
    site.publish(ATLAS, SHARED)

    assert completed(site, "domain", "") == ["cross", "node", "all"]
    assert completed(site, "domain", "no", PROMPT) == ["node"]


def test_a_topic_is_not_completed(site: Site):
    site.publish(ATLAS, SHARED)

    assert completed(site, "topic", "", PROMPT) == []


def test_of_many_names_a_hundred_are_shown_and_all_are_counted(site: Site):
    site.publish(replace(ATLAS, pages={f"concepts/page-{n:03}": "x" for n in range(130)}))
    found = completion(site, "slug", "", project="atlas")

    assert (len(found.values), found.total, found.has_more) == (100, 130, True)
