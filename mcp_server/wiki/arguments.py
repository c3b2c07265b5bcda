"""What a tool accepts, in the words of the catalog: the kinds are those of the other server, the sentences are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mcp_server import arguments
from mcp_server.arguments import TEXT_LIMIT, Flag, Number, Text, Whole
from mcp_server.wiki.words import Words

SHOWN = 60

Argument = Text | Whole | Number | Flag


class BadArguments(ValueError):
    """The arguments of a call are not as the tool accepts them; the text tells all mistakes."""


def input_schema(accepted: Sequence[Argument], words: Words) -> dict[str, Any]:
    """JSON Schema of a call's arguments; nothing else is accepted."""
    return arguments.input_schema([replace(one, meaning=words(f"meaning.{one.name}")) for one in accepted])


def read(tool: str, accepted: Sequence[Argument], given: Mapping[str, object], words: Words) -> dict[str, Any]:
    """The checked value of every accepted argument, defaults filled in.

    Raises:
        BadArguments: tells every mistake of the call.
    """
    names = [argument.name for argument in accepted]
    mistakes = [_unknown(tool, name, names, words) for name in given if name not in names]
    for argument in accepted:
        expected = _expected(argument, words)
        if argument.name not in given and argument.required:
            mistakes.append(words("argument.missing", name=argument.name, expected=expected))
        elif argument.name in given and argument.mistake(given[argument.name]) is not None:
            mistakes.append(words("argument.wrong", name=argument.name, expected=expected))
    if mistakes:
        raise BadArguments("; ".join(mistakes))
    return {argument.name: given.get(argument.name, argument.default) for argument in accepted}


def _expected(argument: Argument, words: Words) -> str:
    match argument:
        case Text():
            return words("argument.text", maximum=TEXT_LIMIT)
        case Whole(minimum=minimum, maximum=maximum):
            return words("argument.whole", minimum=minimum, maximum=maximum)
        case Number(maximum=maximum):
            return words("argument.hours", maximum=maximum)
        case Flag():
            return words("argument.flag")


def _unknown(tool: str, name: str, names: Sequence[str], words: Words) -> str:
    if not names:
        return words("argument.unknown_none", name=name[:SHOWN], tool=tool)
    return words("argument.unknown", name=name[:SHOWN], tool=tool, accepted=", ".join(names))
