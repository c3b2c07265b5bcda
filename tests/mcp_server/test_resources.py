"""Texts by address."""

from __future__ import annotations

from pathlib import Path

import mcp_types as wire
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from mcp_server.resources import TEMPLATES
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, SHARED, Era, server, talk

DOCS = Path(__file__).parents[2] / "docs" / "mcp-tools.md"


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


def test_four_kinds_of_addresses_are_told(site: Site):
    listed = talk(server(site), lambda client: client.list_resource_templates())

    assert [template.uri_template for template in listed.resource_templates] == [
        "project://{project}/status",
        "project://{project}/tasks/{+path}",
        "project://{project}/wiki/{+slug}",
        "shared://{+slug}",
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


@pytest.mark.parametrize("era", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("shared://node/yarn", "---\ndomain: node\n---\nUse exec.\n"),
        ("shared://cross/%D0%9A%D0%B5%D1%88", "Кеш\n"),
    ],
)
def test_a_page_of_the_shared_wiki_is_read_by_its_address(site: Site, uri: str, text: str, era: Era):
    site.publish(ATLAS, SHARED)

    assert text_at(site, uri, era).text == text


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("shared://node/yarm", 'no page "node/yarm" in the shared wiki; did you mean "node/yarn"?'),
        ("shared://../../etc/passwd", 'no page "../../etc/passwd" in the shared wiki'),
        ("shared://", 'no page "" in the shared wiki'),
    ],
)
def test_an_unknown_page_of_the_shared_wiki_is_told_in_our_words(site: Site, uri: str, said: str):
    site.publish(ATLAS, SHARED)

    assert error_at(site, uri).message.startswith(said)


def test_without_a_shared_wiki_its_addresses_say_so(library: Site):
    assert error_at(library, "shared://node/yarn").message.startswith("there is no shared wiki: ")


def test_the_docs_tell_every_address():
    docs = DOCS.read_text(encoding="utf-8")

    assert [str(one.address) for one in TEMPLATES if f"| `{one.address}` |" not in docs] == []


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
