"""Drives the real server over stdio: every tool, resource, completion and prompt; good, bad and hostile arguments.

    python -m tests.mcp_server.driving BUILD [--cwd DIR] [--era auto|legacy]

prints the 95th percentile of the time of each over a published version, such as the bundled example's.  Bad arguments
are made from the schemas that the server lists, so a new tool or argument is driven without a word here.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any, Literal

import mcp_types as wire
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate

from tests.mcp_server.asking import Era, talk, words

ROOT = Path(__file__).parents[2]
Kind = Literal["good", "bad", "hostile"]
Given = dict[str, Any]

WORDS = ("а", "the", "next", "воды", "test", "house", "sensor", "кеш", "git", "zzzz")
HOSTILE = (
    "x'; drop table pages; -- \u202e\x1b[2J\u2028 %_*\"()^ AND OR NEAR",
    "../../../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "/etc/passwd",
    "file:///etc/passwd",
    '{"jsonrpc": "2.0", "method": "exit"}\n{"id": 1}',
    "%00%2e%2e%2f",
    "a" * 400,
    "е" + "\u0301" * 399,
    "\U000e0041\u200b\ufeff",
    "%s {0} {project} $(id) `id` ${HOME}",
    "\ud7ff\ue000\uffff\ufdd0",
    '"',
    "* OR *",
    "NEAR(a b)",
)
WRONG: dict[str, tuple[object, ...]] = {
    "string": (7, True, None, ["a"], {"a": 1}, "", " ", "\0", "a" * 401),
    "integer": ("1", True, None, 1.5, [1], -1, 10**12),
    "array": ("atlas", [], [7], [""], ["a"] * 51, {"a": 1}, None, ["a" * 401]),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One question and what was heard: `refused` by the server in `text`, else answered with it."""

    kind: Kind
    name: str
    given: object
    refused: bool
    text: str
    ms: float


@dataclass(slots=True)
class Log:
    """All that one client asked and heard, and what the server said that it has."""

    told: list[Told] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)

    def of(self, kind: Kind) -> list[Told]:
        """The questions of one kind."""
        return [one for one in self.told if one.kind == kind]


def drive(build: Path, cwd: Path, era: Era) -> Log:
    """Everything, by one client of one server process."""
    environment = {**os.environ, "PROJECTS_META_BUILD": str(build), "PYTHONPATH": str(ROOT)}
    arguments = ["-m", "mcp_server", "--cwd", str(cwd)]
    return talk(StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=ROOT), _drive, era)


async def _drive(client: Client) -> Log:
    log = Log()
    known = await _look_round(client)
    await _drive_tools(client, log, known)
    await _drive_resources(client, log, known)
    await _drive_prompts(client, log)
    return log


# --- what there is ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Names that are there: projects, those with a board, pages by project, slugs of the shared wiki, task files, and
    codes of pages that were edited.
    """

    projects: Sequence[str]
    boards: Sequence[str]
    pages: Sequence[tuple[str, str]]
    shared: Sequence[str]
    files: Sequence[tuple[str, str]]
    codes: Sequence[str]


async def _look_round(client: Client) -> Known:
    listed = (await client.call_tool("meta_projects", {"limit": 100})).structured_content["projects"]
    projects = [row["project"] for row in listed]
    boards = [row["project"] for row in listed if row["board"] != "absent"]
    asked = [{"query": letter, "projects": projects[:50], "limit": 20} for letter in ("а", "e")]
    heard = [(await client.call_tool("knowledge_ask_projects", given)).structured_content for given in asked]
    replies = [row for one in heard for row in one["results"]]
    shared = (
        await client.call_tool("knowledge_search", {"query": "e", "domain": "all", "limit": 20})
    ).structured_content
    read = [(await client.call_tool("tasks_get", {"project": name})).structured_content for name in boards]
    edited = (await client.call_tool("wiki_changes", {"since": "2000-01-01", "limit": 200})).structured_content["pages"]
    return Known(
        projects=projects,
        boards=boards,
        pages=[(row["project"], match["slug"]) for row in replies for match in row.get("matches", ())],
        shared=[page["slug"] for page in shared["pages"]],
        files=[(board["project"], row["path"]) for board in read for row in board["files"]],
        codes=[page["code"] for page in edited],
    )


# --- tools ---------------------------------------------------------------------------------------------


async def _drive_tools(client: Client, log: Log, known: Known) -> None:
    good = _good_arguments(known)
    for tool in (await client.list_tools()).tools:
        log.listed.add(tool.name)
        fine: Given = good[tool.name][0]
        asked: list[tuple[Kind, Given]] = [("good", given) for given in good[tool.name]]
        asked += [("bad", given) for given in _bad_arguments(tool.input_schema, fine)]
        asked += [("hostile", given) for given in _hostile_arguments(tool.input_schema, fine)]
        for kind, given in asked:
            await _ask(log, kind, tool.name, given, _called(client, tool.name, given))


def _called(client: Client, name: str, given: Given) -> Callable[[], Awaitable[tuple[bool, str]]]:
    async def ask() -> tuple[bool, str]:
        result = await client.call_tool(name, given)
        return bool(result.is_error), words(result)

    return ask


def _good_arguments(known: Known) -> dict[str, list[Given]]:
    by_word: list[Given] = [{"query": word} for word in WORDS]
    periods: list[Given] = [{}, {"hours": 24}, {"since": "2000-01-01"}, {"until": "2100-01-01T00:00+03:00"}]
    periods += [{"since": "2000-01-01", "project": name} for name in known.projects]
    return {
        "tasks_aggregate": [{}, *({"project": name, "status": "all"} for name in known.projects)],
        "tasks_search": by_word,
        "tasks_get": [{"project": name} for name in known.boards],
        "tasks_changes": periods,
        "wiki_changes": periods,
        "wiki_diff": [{"page": code} for code in known.codes],
        "knowledge_search": [*by_word, *({"query": word, "domain": "all"} for word in WORDS)],
        "knowledge_get": [{"slug": slug} for slug in known.shared],
        "knowledge_ask_projects": [{"query": word, "projects": list(known.projects)} for word in WORDS],
        "knowledge_get_from": [{"project": name, "slug": slug} for name, slug in known.pages],
        "knowledge_who_knows": by_word,
        "knowledge_suggest_promote": [{"limit": limit} for limit in range(1, 11)],
        "meta_status": [{}] * 10,
        "meta_projects": [{}, *by_word],
        "meta_audit_shared": [{"months": months} for months in range(1, 11)],
    }


def _bad_arguments(schema: Mapping[str, Any], fine: Given) -> Iterator[Given]:
    """Each argument in turn missing, of another type, out of its range, misspelt."""
    yield {**fine, "unheard_of": 1}
    for name in schema.get("required", ()):
        yield {key: value for key, value in fine.items() if key != name}
    for name, accepted in schema["properties"].items():
        for wrong in WRONG[accepted["type"]]:
            yield {**fine, name: wrong}
        if "maximum" in accepted:
            yield {**fine, name: accepted["maximum"] + 1}


def _hostile_arguments(schema: Mapping[str, Any], fine: Given) -> Iterator[Given]:
    yield from ({**fine, evil: evil} for evil in HOSTILE)
    for name, accepted in schema["properties"].items():
        for evil in HOSTILE if accepted["type"] in ("string", "array") else ():
            yield {**fine, name: evil if accepted["type"] == "string" else [evil, *HOSTILE[:3]]}


# --- resources and completions ---------------------------------------------------------------------------


async def _drive_resources(client: Client, log: Log, known: Known) -> None:
    good: dict[str, list[dict[str, str]]] = {
        "project://{project}/status": [{"project": name} for name in known.boards],
        "project://{project}/tasks/{+path}": [
            {"project": name, "path": path.removeprefix(".tasks/")} for name, path in known.files
        ],
        "project://{project}/wiki/{+slug}": [{"project": name, "slug": slug} for name, slug in known.pages],
        "shared://{+slug}": [{"slug": slug} for slug in known.shared],
    }
    for listed in (await client.list_resource_templates()).resource_templates:
        template = UriTemplate.parse(listed.uri_template)
        log.listed.add(listed.uri_template)
        fine = good[listed.uri_template][0]
        asked: list[tuple[Kind, dict[str, str]]] = [("good", given) for given in good[listed.uri_template]]
        asked += [("bad", {**fine, name: "no such"}) for name in fine]
        asked += [("hostile", {**fine, name: evil}) for name in fine for evil in HOSTILE]
        for kind, given in asked:
            await _ask(log, kind, listed.uri_template, given, _read(client, template.expand(given)))
        await _drive_completions(client, log, listed.uri_template, fine)


def _read(client: Client, uri: str) -> Callable[[], Awaitable[tuple[bool, str]]]:
    async def ask() -> tuple[bool, str]:
        (contents,) = (await client.read_resource(uri)).contents
        assert isinstance(contents, wire.TextResourceContents)
        return False, contents.text

    return ask


async def _drive_completions(client: Client, log: Log, uri: str, fine: dict[str, str]) -> None:
    reference = wire.ResourceTemplateReference(type="ref/resource", uri=uri)
    for name in (*fine, "domain", "status"):
        told = f"completion of {name} in {uri}"
        log.listed.add(told)
        asked: list[tuple[Kind, str]] = [("good", start) for start in ("", "a", "г", "ca", "o")]
        asked += [("hostile", evil) for evil in HOSTILE]
        for kind, start in asked:
            await _ask(log, kind, told, start, _completed(client, reference, name, start, fine))
        await _ask(log, "hostile", told, fine, _completed(client, reference, name, "", dict.fromkeys(fine, HOSTILE[0])))


def _completed(
    client: Client, reference: wire.ResourceTemplateReference, name: str, start: str, given: dict[str, str]
) -> Callable[[], Awaitable[tuple[bool, str]]]:
    async def ask() -> tuple[bool, str]:
        found = await client.complete(reference, {"name": name, "value": start}, context_arguments=given)
        return False, " | ".join(found.completion.values)

    return ask


# --- prompts ---------------------------------------------------------------------------------------------


async def _drive_prompts(client: Client, log: Log) -> None:
    for prompt in (await client.list_prompts()).prompts:
        log.listed.add(f"prompt {prompt.name}")
        argument = (prompt.arguments or [])[0]
        asked: list[tuple[Kind, Given]] = [("good", {argument.name: word}) for word in WORDS]
        asked += [("bad", {argument.name: ""}), ("bad", {argument.name: "a" * 401}), ("bad", {"unheard_of": "1"})]
        asked += [("hostile", {argument.name: evil}) for evil in HOSTILE]
        for kind, given in asked:
            await _ask(log, kind, f"prompt {prompt.name}", given, _prompted(client, prompt.name, given))


def _prompted(client: Client, name: str, given: Given) -> Callable[[], Awaitable[tuple[bool, str]]]:
    async def ask() -> tuple[bool, str]:
        (message,) = (await client.get_prompt(name, given)).messages
        assert isinstance(message.content, wire.TextContent)
        return False, message.content.text

    return ask


# --- one question ------------------------------------------------------------------------------------------


async def _ask(log: Log, kind: Kind, name: str, given: object, ask: Callable[[], Awaitable[tuple[bool, str]]]) -> None:
    begun = perf_counter()
    try:
        refused, text = await ask()
    except MCPError as error:
        refused, text = True, error.error.message
    ms = (perf_counter() - begun) * 1000
    log.told.append(Told(kind=kind, name=name, given=given, refused=refused, text=text, ms=ms))


def percentiles(log: Log) -> dict[str, tuple[float, int]]:
    """By what was asked: the 95th percentile of the good questions' milliseconds, and how many they were."""
    times: dict[str, list[float]] = defaultdict(list)
    for one in log.of("good"):
        times[one.name].append(one.ms)
    return {
        name: (quantiles([*spent, *spent], n=20, method="inclusive")[-1], len(spent)) for name, spent in times.items()
    }


def table(log: Log) -> str:
    """One line for each tool, resource, completion and prompt."""
    told = percentiles(log).items()
    return "\n".join(f"p95 {spent:6.1f} ms of {count:3} answers: {name}" for name, (spent, count) in told)


def main() -> None:
    """Drive a published version and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--cwd", type=Path, default=Path())
    parser.add_argument("--era", choices=("auto", "legacy"), default="auto")
    given = parser.parse_args()
    log = drive(given.build.resolve(), given.cwd.resolve(), given.era)
    print(table(log))
    print({kind: len(log.of(kind)) for kind in ("good", "bad", "hostile")})


if __name__ == "__main__":
    main()
