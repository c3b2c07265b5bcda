"""Texts by address, and completions."""

from __future__ import annotations

import mcp_types as wire
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, Era, server, talk


def text_at(site: Site, uri: str, era: Era = "auto") -> wire.TextResourceContents:
    read = talk(server(site), lambda client: client.read_resource(uri), era)
    (contents,) = read.contents
    assert isinstance(contents, wire.TextResourceContents)
    return contents


def error_at(site: Site, uri: str) -> wire.ErrorData:
    async def ask(client: Client) -> wire.ErrorData:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(uri)
        return refused.value.error

    return talk(server(site), ask)


def completed(site: Site, name: str, start: str, **given: str) -> list[str]:
    reference = wire.ResourceTemplateReference(type="ref/resource", uri="project://{project}/tasks/{+path}")

    async def ask(client: Client) -> list[str]:
        found = await client.complete(reference, {"name": name, "value": start}, context_arguments=given)
        return found.completion.values

    return talk(server(site), ask)


def test_three_kinds_of_addresses_are_told(site: Site):
    listed = talk(server(site), lambda client: client.list_resource_templates())

    assert [template.uri_template for template in listed.resource_templates] == [
        "project://{project}/status",
        "project://{project}/tasks/{+path}",
        "project://{project}/wiki/{+slug}",
    ]


@pytest.mark.parametrize("era", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("project://atlas/status", ATLAS.board),
        ("project://local%2Fteam%2Fatlas/status", ATLAS.board),
        ("project://atlas/tasks/offline-maps/plan.md", "# Plan\nDraw it.\n"),
        ("project://atlas/wiki/concepts/tiles", "# Tiles\n"),
    ],
)
def test_a_text_is_read_by_its_address(library: Site, uri: str, text: str, era: Era):
    assert text_at(library, uri, era).text == text


def test_a_text_comes_with_its_origin_and_age(library: Site):
    beside = text_at(library, "project://atlas/wiki/concepts/tiles").meta

    assert beside is not None
    assert beside["origin"]["path"] == ".wiki/concepts/tiles.md"
    assert (beside["version"], beside["age_hours"], beside["stale"]) == (1, 1.0, False)


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("project://atlass/status", 'no project "atlass"; did you mean "atlas"?'),
        ("project://atlas/tasks/../../../etc/passwd", "no file "),
        ("project://atlas/wiki/%2e%2e%2fsecret", "page not found: "),
        ("file:///etc/passwd", 'no resource "file:///etc/passwd"; expected one of project://{project}/status'),
    ],
)
def test_an_address_that_leads_nowhere_is_told_in_our_words(library: Site, uri: str, said: str):
    error = error_at(library, uri)

    assert error.message.startswith(said)
    assert error.data == {"uri": uri}


def test_an_owner_in_an_address_is_told_to_be_written_with_an_escaped_slash(library: Site):
    assert error_at(library, "project://team/atlas/status").message.endswith("; write / in a project as %2F")
    assert text_at(library, "project://team%2Fatlas/status").text == ATLAS.board


def test_before_the_first_sync_an_address_tells_what_to_run(site: Site):
    assert error_at(site, "project://atlas/status").message == (
        "nothing has been published yet; run `doit` in the projects-meta folder first"
    )


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
