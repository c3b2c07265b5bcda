"""Everything about knowledge over two pipes, as clients do it: both eras, good, wrong and hostile arguments."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any

import mcp_types as wire
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from pipeline.layout import Layout
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON, SHARED, TOOLS, Era, talk, words
from tests.mcp_server.test_stdio import ROOT, environment

ERAS: tuple[Era, ...] = ("auto", "legacy")
HOSTILE = "x'; drop table pages; -- \u202e\x1b[2J\u2028 %_*\"()^ AND OR NEAR"
CLIMB = "../../../../etc/passwd"
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]")
PAGE = "project://{project}/wiki/{+slug}"
SHARED_PAGE = "shared://{+slug}"

# What is asked for, with the beginning of the words that are heard.
CALLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "search": ("knowledge_search", {"query": "EXEC"}, "pages of the shared wiki found: 1, shown 1-1"),
    "search a domain": ("knowledge_search", {"query": "е", "domain": "cross"}, "pages of the shared wiki found: 1"),
    "search all": ("knowledge_search", {"query": "e", "domain": "all", "limit": 20}, "pages of the shared wiki found"),
    "search dotted": ("knowledge.search", {"query": "exec"}, "pages of the shared wiki found: 1"),
    "get": ("knowledge_get", {"slug": "node/yarn"}, '"node/yarn" of local/team/projects-wiki, changed'),
    "ask": ("knowledge_ask_projects", {"query": "tiles", "projects": ["atlas", "beacon"]}, "asked 2 projects"),
    "get from": ("knowledge_get_from", {"project": "atlas", "slug": "concepts/tiles"}, '"concepts/tiles" '),
    "who knows": ("knowledge_who_knows", {"query": "tiles"}, "projects that know: 1, shown 1-1"),
    "suggest": ("knowledge_suggest_promote", {"limit": 1}, "pages worth sharing: 1, shown 1-1"),
    "audit": ("meta_audit_shared", {"months": 120}, "shared pages to look at: "),
    "hostile search": ("knowledge_search", {"query": HOSTILE}, "pages of the shared wiki found: 0, shown none"),
    "hostile ask": (
        "knowledge_ask_projects",
        {"query": HOSTILE, "projects": [HOSTILE, CLIMB, "atlas"], "types": [HOSTILE]},
        "asked 3 projects",
    ),
    "hostile who knows": ("knowledge_who_knows", {"query": HOSTILE * 5}, "projects that know: 0"),
}
REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no query": ("knowledge_search", {}, "query is missing; expected words"),
    "empty query": ("knowledge_who_knows", {"query": '""'}, "the query is empty; "),
    "unknown domain": ("knowledge_search", {"query": "x", "domain": "nod"}, 'no domain "nod" in the shared wiki; did'),
    "unknown argument": (
        "knowledge_search",
        {"query": "x", "domian": "all"},
        'unknown argument "domian"; did you mean',
    ),
    "limit": ("knowledge_search", {"query": "x", "limit": 21}, "limit is 21; expected a whole number from 1 to 20"),
    "offset": ("knowledge_get", {"slug": "node/yarn", "offset": 10_000}, "offset is 10000; expected at most "),
    "projects": ("knowledge_ask_projects", {"query": "x", "projects": "atlas"}, 'projects is "atlas"; expected a list'),
    "no page": (
        "knowledge_get_from",
        {"project": "atlas", "slug": "concepts/tile"},
        "page not found: local/team/atlas",
    ),
    "no project": (
        "knowledge_get_from",
        {"project": "atlass", "slug": "x"},
        'no project "atlass"; did you mean "atlas"',
    ),
    "hostile slug": ("knowledge_get", {"slug": CLIMB}, 'no page "../../../../etc/passwd" in the shared wiki'),
    "hostile page": ("knowledge_get_from", {"project": "atlas", "slug": HOSTILE}, "page not found: local/team/atlas"),
    "hostile domain": ("knowledge_search", {"query": "x", "domain": HOSTILE}, "no domain "),
    "months": ("meta.audit_shared", {"months": 0}, "months is 0; expected a whole number from 1 to 120"),
    "a path": ("knowledge_suggest_promote", {"path": CLIMB}, 'unknown argument "path"; '),
    "null": ("knowledge_ask_projects", {"query": "x", "projects": [None]}, "projects[0] is null; expected text"),
}
TEXTS = {
    "project://atlas/wiki/concepts/tiles": "# Tiles\n",
    "shared://node/yarn": "---\ndomain: node\n---\nUse exec.\n",
    "shared://cross/%D0%9A%D0%B5%D1%88": "Кеш\n",
}
NO_TEXTS = {
    "shared://node/%00": "no page ",
    f"shared://{CLIMB}": "no page ",
    f"project://atlas/wiki/{CLIMB}": "page not found: local/team/atlas/.wiki/",
    "shared:node/yarn": "no resource ",
}
COMPLETIONS: dict[str, tuple[str, str, str, dict[str, str], list[str]]] = {
    "project": (PAGE, "project", "be", {}, ["beacon"]),
    "slug": (PAGE, "slug", "", {"project": "atlas"}, ["concepts/tiles"]),
    "shared slug": (SHARED_PAGE, "slug", "ya", {}, ["node/yarn"]),
    "domain": (SHARED_PAGE, "domain", "", {}, ["cross", "node", "all"]),
    "status": (PAGE, "status", "bl", {}, ["blocked"]),
    "hostile": (SHARED_PAGE, "slug", HOSTILE, {"project": HOSTILE}, []),
    "hostile project": (PAGE, "slug", "", {"project": CLIMB}, []),
}


@dataclass(frozen=True, kw_only=True)
class Heard:
    """All that one client heard."""

    calls: dict[str, wire.CallToolResult]
    texts: dict[str, str]
    completions: dict[str, list[str]]
    prompts: dict[str, str]
    prompt_names: list[str]


@pytest.fixture(scope="module", params=ERAS)
def heard(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """One conversation with one server process, in one of the two eras of the protocol."""
    site = Site(Layout(tmp_path_factory.mktemp("stdio") / "build"))
    site.publish(ATLAS, BEACON, SHARED)
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / ".wiki" / "concepts").mkdir(parents=True)
    (folder / ".wiki" / "concepts" / "dns.md").write_text("# Names in Docker\n", encoding="utf-8")
    arguments = ["-m", "mcp_server", "--cwd", str(folder)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment(site), cwd=ROOT)
    era: Era = request.param
    return talk(server, _everything, era)


async def _everything(client: Client) -> Heard:
    asked = CALLS | REFUSED
    return Heard(
        calls={name: await client.call_tool(tool, given) for name, (tool, given, _) in asked.items()},
        texts={uri: await _text(client, uri) for uri in TEXTS | NO_TEXTS},
        completions={name: await _completed(client, *question[:4]) for name, question in COMPLETIONS.items()},
        prompts={name: await _prompt(client, name, **given) for name, given in PROMPTS.items()},
        prompt_names=[prompt.name for prompt in (await client.list_prompts()).prompts],
    )


async def _text(client: Client, uri: str) -> str:
    try:
        (contents,) = (await client.read_resource(uri)).contents
    except MCPError as error:
        return error.error.message
    assert isinstance(contents, wire.TextResourceContents)
    return contents.text


async def _completed(client: Client, uri: str, name: str, start: str, given: dict[str, str]) -> list[str]:
    reference = wire.ResourceTemplateReference(type="ref/resource", uri=uri)
    found = await client.complete(reference, {"name": name, "value": start}, context_arguments=given)
    return found.completion.values


PROMPTS = {"who_knows": {"topic": HOSTILE}, "morning": {}, "evening": {}}


async def _prompt(client: Client, name: str, **given: str) -> str:
    try:
        (message,) = (await client.get_prompt(name, given)).messages
    except MCPError as error:
        return error.error.message
    assert isinstance(message.content, wire.TextContent)
    return message.content.text


def test_every_tool_about_knowledge_is_called():
    named = {tool.name for tool in TOOLS if tool.name.startswith("knowledge_")}

    assert named <= {tool for tool, _, _ in CALLS.values()}


@pytest.mark.parametrize("name", CALLS)
def test_a_question_is_answered_with_words_and_structure(heard: Heard, name: str):
    result = heard.calls[name]

    assert words(result).startswith(CALLS[name][2])
    assert not result.is_error
    assert result.structured_content["version"] == 1


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_question_is_refused_in_one_line_of_ours(heard: Heard, name: str):
    result = heard.calls[name]

    assert words(result).startswith(REFUSED[name][2])
    assert (result.is_error, result.structured_content) == (True, None)
    assert "\n" not in words(result)


@pytest.mark.parametrize("name", [*CALLS, *REFUSED])
def test_no_answer_holds_a_control_letter_or_a_path_of_this_machine(heard: Heard, name: str):
    told = words(heard.calls[name])

    assert not FORBIDDEN.search(told)
    assert str(ROOT) not in told


@pytest.mark.parametrize("uri", TEXTS)
def test_an_address_gives_its_text(heard: Heard, uri: str):
    assert heard.texts[uri] == TEXTS[uri]


@pytest.mark.parametrize("uri", NO_TEXTS)
def test_an_address_that_leads_nowhere_is_refused_in_our_words(heard: Heard, uri: str):
    assert heard.texts[uri].startswith(NO_TEXTS[uri])
    assert not FORBIDDEN.search(heard.texts[uri])


@pytest.mark.parametrize("name", COMPLETIONS)
def test_names_are_completed(heard: Heard, name: str):
    assert heard.completions[name] == COMPLETIONS[name][4]


def test_prompts_are_listed_and_given(heard: Heard):
    assert heard.prompt_names == ["who_knows", "morning"]
    assert heard.prompts["morning"].startswith("Tell me what matters in my projects. I last looked: yesterday.")
    assert heard.prompts["who_knows"].startswith("Find out which of my projects know about \"x'; drop table pages;")
    assert not FORBIDDEN.search(heard.prompts["who_knows"])
    assert heard.prompts["evening"] == 'no prompt "evening"; this server has who_knows, morning'
