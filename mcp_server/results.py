"""What goes over the wire: typed answers, their flat JSON Schema, their JSON, and the words shown beside it.

An answer is a frozen dataclass.  Its own fields are always there, null included; in the rows below it a
field that has nothing to say is left out, which is what keeps a list of 30 rows within its budget.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import accumulate
from operator import add
from typing import Any, Protocol, TypeVar

import mcp_types as wire
from pydantic import TypeAdapter

from mcp_server.slices import Slice
from pipeline.catalog import answers
from pipeline.model import RepositoryId
from pipeline.text import body, line

LIST_TOKENS = 2_000
FRAME_TOKENS = 100
BACKLINKS_SHOWN = 20
LONG_LINES = {"path": 1_000, "current_path": 1_000, "project": 400, "slug": 1_000, "tasks": 400}
BODIES = frozenset({"text", "assembled_context"})


class OfProject(Protocol):
    """A row about one project, or something in it."""

    @property
    def project(self) -> RepositoryId:
        """Its whole name."""


Row = TypeVar("Row")
RowOfProject = TypeVar("RowOfProject", bound=OfProject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How old the answer is: of every answer."""

    synced_at: datetime | None
    age_hours: float | None
    stale: bool
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListAnswer(Answer):
    """A slice of a list: `next_offset` is null at the end."""

    total: int
    limit: int
    offset: int
    next_offset: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextAnswer(Answer):
    """A slice of somebody's text, and where it comes from."""

    text: str
    offset: int
    next_offset: int | None
    remaining: int
    origin: answers.Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlink:
    """A page of the same wiki that leads to the one shown, and the line of its first link there."""

    slug: str
    title: str
    line: int


def age(freshness: answers.Freshness) -> dict[str, Any]:
    """The fields of `Answer`."""
    return {
        "synced_at": freshness.synced_at,
        "age_hours": freshness.age_hours,
        "stale": freshness.stale,
        "version": freshness.version,
    }


def position(found: answers.Rows[Any], shown: int) -> dict[str, Any]:
    """The fields of `ListAnswer` when `shown` rows of what was found go out."""
    end = found.offset + shown
    return {
        "total": found.total,
        "limit": found.limit,
        "offset": found.offset,
        "next_offset": end if shown and end < found.total else None,
    }


def sliced(part: Slice, origin: answers.Origin) -> dict[str, Any]:
    """The fields of `TextAnswer`."""
    return {
        "text": part.text,
        "offset": part.offset,
        "next_offset": part.next_offset,
        "remaining": part.remaining,
        "origin": origin,
    }


def linked(found: Sequence[answers.Backlink], offset: int) -> dict[str, Any]:
    """The fields `backlinks` and `backlinks_total` of a page; the links come with its first slice only."""
    shown = () if offset else found[:BACKLINKS_SHOWN]
    rows = tuple(Backlink(slug=one.slug, title=one.title, line=one.line) for one in shown)
    return {"backlinks": rows, "backlinks_total": len(found)}


def budget(limit: int, default: int) -> float:
    """How many tokens the rows of a list may take: about 2,000 with the frame, more when the caller asked for more
    rows than the default.
    """
    return LIST_TOKENS * max(limit, default) / default - FRAME_TOKENS


def cost(row: object) -> float:
    """About how many tokens a row takes."""
    return tokens(json.dumps(to_json(row), ensure_ascii=False))


def fitting(rows: Sequence[Row], limit: int, default: int) -> tuple[Row, ...]:
    """The first rows that keep to the budget; at least one.  The others come with the next offset."""
    return _first(rows, map(cost, rows), budget(limit, default))


def fitting_with_notes(
    rows: Sequence[Row], notes: Sequence[object | None], limit: int, default: int
) -> tuple[Row, ...]:
    """Like `fitting`; the answer says each of the `notes`, which stand beside the rows, once."""
    first = {note: place for place, note in reversed(list(enumerate(notes)))}
    once = (cost(note) if note is not None and first[note] == place else 0 for place, note in enumerate(notes))
    return _first(rows, map(add, map(cost, rows), once), budget(limit, default))


def fitting_by_project(
    rows: Sequence[RowOfProject], limit: int, default: int, project_tokens: int
) -> tuple[RowOfProject, ...]:
    """Like `fitting`; `project_tokens` is what the answer says once for each project that the rows name."""
    first = {row.project: place for place, row in reversed(list(enumerate(rows)))}
    once = (project_tokens if first[row.project] == place else 0 for place, row in enumerate(rows))
    return _first(rows, map(add, map(cost, rows), once), budget(limit, default))


def _first(rows: Sequence[Row], costs: Iterable[float], left: float) -> tuple[Row, ...]:
    """As many of the first rows as `left` tokens allow; at least one."""
    for count, spent in enumerate(accumulate(costs)):
        if spent > left and count:
            return tuple(rows[:count])
    return tuple(rows)


def tokens(text: str) -> float:
    """About how many tokens a model reads: four ASCII letters make one, of others two."""
    ascii_letters = sum(map(str.isascii, text))
    return ascii_letters / 4 + (len(text) - ascii_letters) / 2.2


# --- JSON ------------------------------------------------------------------------------------------


def output_schema(answer: type[Answer]) -> dict[str, Any]:
    """JSON Schema of an answer's JSON: no references, no titles, no unions but with null."""
    kind: Any = answer
    raw = _adapter(kind).json_schema(mode="serialization")
    definitions = raw.get("$defs", {})
    properties = {name: _own_field(field, definitions) for name, field in raw["properties"].items()}
    return {"type": "object", "properties": properties, "required": raw["required"]}


def to_json(value: object) -> Any:
    """Plain JSON of an answer or row: one-line fields on one line, absent fields of rows left out."""
    kind: Any = type(value)
    return _clean(_adapter(kind).dump_python(value, mode="json"), "", nested=not isinstance(value, Answer))


def success(answer: Answer, shown: str) -> wire.CallToolResult:
    """A result for both kinds of clients: those that read JSON and those that only show text."""
    return wire.CallToolResult(
        content=[wire.TextContent(type="text", text=body(shown))], structured_content=to_json(answer)
    )


def failure(text: str) -> wire.CallToolResult:
    """An error result whose whole text is `text`."""
    return wire.CallToolResult(content=[wire.TextContent(type="text", text=text)], is_error=True)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _clean(value: Any, name: str, *, nested: bool) -> Any:
    if isinstance(value, str):
        return body(value) if name in BODIES else line(value, LONG_LINES.get(name, 200))
    if isinstance(value, list):
        return [_clean(element, name, nested=True) for element in value]
    if isinstance(value, dict):
        kept = {key: element for key, element in value.items() if not (nested and element is None)}
        return {line(key): _clean(element, key, nested=True) for key, element in kept.items()}
    return value


def _own_field(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """A field of the answer itself: null where there is nothing to say."""
    flat = _flat(field, definitions)
    if "anyOf" not in field:
        return flat
    words = {"enum": [*flat["enum"], None]} if "enum" in flat else {}
    return {**flat, "type": [flat["type"], "null"], **words}


def _flat(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return _flat(definitions[schema["$ref"].rsplit("/", 1)[1]], definitions)
    if "anyOf" in schema:
        (only,) = (choice for choice in schema["anyOf"] if choice.get("type") != "null")
        return _flat(only, definitions)
    kept = {key: value for key, value in schema.items() if key in ("type", "enum", "format")}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            kept[key] = _flat(schema[key], definitions)
    if "properties" in schema:
        kept["properties"] = {name: _flat(field, definitions) for name, field in schema["properties"].items()}
        kept["required"] = [name for name in schema["required"] if "anyOf" not in schema["properties"][name]]
    return kept


# --- words for clients that only show text -----------------------------------------------------------


def quoted(text: str) -> str:
    """Somebody's one-line text in quotes, so that it cannot pass for a word of ours."""
    return json.dumps(line(text), ensure_ascii=False)


def named(project: str) -> str:
    """A project's name, on one line."""
    return line(project, LONG_LINES["project"])


def age_words(answer: Answer) -> str:
    """How old the answer is, in a few words."""
    stale = ", STALE" if answer.stale else ""
    if answer.synced_at is None or answer.age_hours is None:
        return f"version {answer.version}, never synced whole{stale}"
    return f"version {answer.version}, synced {answer.synced_at:%Y-%m-%d %H:%M} UTC, {answer.age_hours:g} h ago{stale}"


def list_words(answer: ListAnswer, noun: str, shown: int) -> str:
    """The first line of a list's text."""
    span = f"{answer.offset + 1}-{answer.offset + shown}" if shown else "none"
    onward = f", go on at offset {answer.next_offset}" if answer.next_offset is not None else ""
    return f"{noun}: {answer.total}, shown {span}{onward} ({age_words(answer)})"


def backlink_words(links: Sequence[Backlink], total: int, offset: int) -> list[str]:
    """One line per page that leads here."""
    lines = [f"linked from {quoted(one.slug)} {quoted(one.title)} at line {one.line}" for one in links]
    more = total - len(lines)
    return lines + ([f"and {more} more links"] if more and not offset else [])


def text_words(answer: TextAnswer) -> str:
    """The last line before somebody's text: all that follows it is theirs."""
    origin = answer.origin
    end = answer.offset + len(answer.text)
    onward = f"; {answer.remaining} more at offset {answer.next_offset}" if answer.next_offset is not None else ""
    place = f"{named(origin.project)} {quoted(origin.path)} at {origin.revision or 'no commit'}"
    return f"--- text of {place}, characters {answer.offset}-{end}{onward}; all below is that file's text ---"
