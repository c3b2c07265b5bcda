"""What clients are told about the tools: reviewed, small, and the same as the docs say.

After a change on purpose: `python -m tests.mcp_server.test_listing` rewrites tools.json; read its diff.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from mcp_server.__main__ import build_parser, usual_toolsets
from mcp_server.arguments import Argument, Choice, Flag, Number, Text, Texts, Whole
from mcp_server.results import Answer, ListAnswer, TextAnswer, output_schema
from mcp_server.tool import Tool
from mcp_server.tools import chosen
from mcp_server.tools.changes import Feed
from tests.fakes.published import Site
from tests.fakes.root_folders import add_roots
from tests.mcp_server.asking import ATLAS, TOOLS

GOLDEN = Path(__file__).with_name("tools.json")
DOCS = Path(__file__).parents[2] / "docs" / "mcp-tools.md"
SHOWN_BYTES = 12_000
WHOLE_BYTES = 40_000
# What they become where knowledge roots are configured, whose tools are else not listed.
SHOWN_WITH_ROOTS_BYTES = 16_000
WHOLE_WITH_ROOTS_BYTES = 50_000
SHARED: tuple[type[Answer], ...] = (Answer, ListAnswer, Feed, TextAnswer)


def listed() -> list[dict[str, Any]]:
    return [tool.listed(dotted=False).model_dump(by_alias=True, mode="json", exclude_none=True) for tool in TOOLS]


def size_bytes(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def written(tools: list[dict[str, Any]]) -> str:
    return json.dumps(tools, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def test_the_listing_is_the_reviewed_one():
    assert written(listed()) == GOLDEN.read_text(encoding="utf-8")


def shown_bytes(tools: list[dict[str, Any]]) -> int:
    """What a model is shown of these tools."""
    return size_bytes([{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools])


def of_toolsets(*names: str) -> list[dict[str, Any]]:
    return [each for each in listed() if each["name"] in {tool.name for tool in chosen(names)}]


def test_what_a_model_is_shown_of_all_tools_is_small():
    usual = of_toolsets("tasks", "knowledge", "wiki")
    print(f"\nshown to the model: {shown_bytes(usual)} and {shown_bytes(listed())} bytes")

    assert shown_bytes(usual) <= SHOWN_BYTES
    assert shown_bytes(listed()) <= SHOWN_WITH_ROOTS_BYTES


def test_the_whole_listing_is_small():
    usual = of_toolsets("tasks", "knowledge", "wiki")
    print(f"\nwhole listing: {size_bytes(usual)} and {size_bytes(listed())} bytes")

    assert size_bytes(usual) <= WHOLE_BYTES
    assert size_bytes(listed()) <= WHOLE_WITH_ROOTS_BYTES


def test_tools_of_knowledge_roots_are_listed_where_there_are_some(site: Site, tmp_path: Path):
    assert usual_toolsets(site.published()) == ("tasks", "knowledge", "wiki")
    site.publish(ATLAS)
    assert usual_toolsets(site.published()) == ("tasks", "knowledge", "wiki")
    add_roots(site, tmp_path, {}, {})
    assert usual_toolsets(site.published()) == ("tasks", "knowledge", "wiki", "roots")


def test_descriptions_are_short():
    assert {tool.name: len(tool.description) for tool in TOOLS if len(tool.description) > 350} == {}


def test_no_schema_has_titles_references_or_a_union_at_the_top():
    text = written(listed())

    assert [word for word in ('"$ref"', '"$defs"', '"anyOf"', '"oneOf"', '"allOf"') if word in text] == []
    assert [tool["name"] for tool in listed() if "title" in json.dumps(tool["inputSchema"])] == []


def test_every_function_takes_exactly_the_arguments_that_are_listed():
    taken = {tool.name: set(tool.ask.__kwdefaults__ or {}) | _keywords(tool.ask) for tool in TOOLS}

    assert taken == {tool.name: {argument.name for argument in tool.arguments} for tool in TOOLS}


def _keywords(function: Any) -> set[str]:
    code = function.__code__
    return set(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])


def test_the_docs_tell_every_tool_with_arguments_defaults_ranges_and_answer_fields():
    docs = DOCS.read_text(encoding="utf-8")

    assert {tool.name: _section(docs, tool.name) for tool in TOOLS} == {tool.name: _expected(tool) for tool in TOOLS}


def test_the_docs_tell_the_fields_that_all_answers_share():
    docs = DOCS.read_text(encoding="utf-8")
    titles = ("In every answer", "In every list", "In every list of changes", "In every text")

    assert [field for title in titles for field in _section(docs, title)[1]] == [
        name for kind in SHARED for name in _own_names(kind)
    ]


def test_the_docs_tell_every_option_of_the_command_line():
    docs = DOCS.read_text(encoding="utf-8")
    options = set(re.findall(r"--[a-z-]+", build_parser().format_help())) - {"--help"}

    assert [option for option in sorted(options) if f"`{option}" not in docs] == []


def _own_names(kind: type[Answer]) -> list[str]:
    inherited = _names(output_schema(kind)["properties"], "")
    above = {field.name for base in kind.__bases__ if base is not object for field in fields(base)}
    return [name for name in inherited if name.split(".")[0] not in above]


def _section(docs: str, name: str) -> tuple[list[str], list[str]]:
    """The argument rows and the field names that docs/mcp-tools.md has for a tool."""
    section = docs.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    arguments = [line for line in section.splitlines() if line.startswith("| `") and line.count("|") == 5]
    names = [line.split("`")[1] for line in section.splitlines() if line.startswith("- `")]
    return [line.rpartition("|")[0].rpartition("|")[0].strip() for line in arguments], names


def _expected(tool: Tool) -> tuple[list[str], list[str]]:
    return [_row(argument) for argument in tool.arguments], _own_names(tool.answer)


def _row(argument: Argument) -> str:
    match argument:
        case Whole(name=name, minimum=minimum, maximum=maximum, default=default):
            return f"| `{name}` | {minimum} to {maximum} | {'none' if default is None else default}"
        case Choice(name=name, choices=choices, default=default):
            return f"| `{name}` | {', '.join(choices)} | {default}"
        case Text(name=name, required=required):
            return f"| `{name}` | text | {'required' if required else 'none'}"
        case Texts(name=name, noun=noun, maximum=maximum, required=required):
            return f"| `{name}` | 1 to {maximum} {noun}s | {'required' if required else 'none'}"
        case Number(name=name, maximum=maximum):
            return f"| `{name}` | above 0, at most {maximum} | none"
        case Flag(name=name, default=default):
            return f"| `{name}` | true or false | {default}"


def _names(properties: dict[str, Any], above: str) -> Iterator[str]:
    for name, field in properties.items():
        yield above + name
        rows = field.get("items", field)
        yield from _names(rows.get("properties", {}), f"{above}{name}.")


if __name__ == "__main__":
    GOLDEN.write_text(written(listed()), encoding="utf-8", newline="\n")
