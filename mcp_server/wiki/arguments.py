"""What a tool accepts: told to clients as JSON Schema, checked in the words of the catalog.

A value is refused, never bent: no clamping, no `true` for 1, no text for a number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_server.wiki.words import Words

TEXT_LIMIT = 400
SHOWN = 60


class BadArguments(ValueError):
    """The arguments of a call are not as the tool accepts them; the text tells all mistakes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text of 1 to 400 characters."""

    name: str
    required: bool = False
    default: None = None

    def schema(self, meaning: str) -> dict[str, object]:
        """JSON Schema of the value; `meaning` tells a person what it is."""
        return {"type": "string", "description": meaning, "minLength": 1, "maxLength": TEXT_LIMIT}

    def fits(self, value: object) -> bool:
        """Whether `value` is one."""
        if not isinstance(value, str) or not value.strip() or len(value) > TEXT_LIMIT:
            return False
        return not any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in value)

    def expected(self, words: Words) -> str:
        """What it must be."""
        return words("argument.text", maximum=TEXT_LIMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A whole number of a range, both ends included."""

    name: str
    minimum: int
    maximum: int
    default: int
    required: bool = False

    def schema(self, meaning: str) -> dict[str, object]:
        """JSON Schema of the value; `meaning` tells a person what it is."""
        limits = {"minimum": self.minimum, "maximum": self.maximum, "default": self.default}
        return {"type": "integer", "description": meaning, **limits}

    def fits(self, value: object) -> bool:
        """Whether `value` is one."""
        return isinstance(value, int) and not isinstance(value, bool) and self.minimum <= value <= self.maximum

    def expected(self, words: Words) -> str:
        """What it must be."""
        return words("argument.whole", minimum=self.minimum, maximum=self.maximum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """A number of hours above zero, fractions allowed."""

    name: str
    maximum: int
    required: bool = False
    default: None = None

    def schema(self, meaning: str) -> dict[str, object]:
        """JSON Schema of the value; `meaning` tells a person what it is."""
        return {"type": "number", "description": meaning, "exclusiveMinimum": 0, "maximum": self.maximum}

    def fits(self, value: object) -> bool:
        """Whether `value` is one."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and math.isfinite(value) and 0 < value <= self.maximum  # type: ignore[arg-type,operator]

    def expected(self, words: Words) -> str:
        """What it must be."""
        return words("argument.hours", maximum=self.maximum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Yes or no."""

    name: str
    default: bool = False
    required: bool = False

    def schema(self, meaning: str) -> dict[str, object]:
        """JSON Schema of the value; `meaning` tells a person what it is."""
        return {"type": "boolean", "description": meaning, "default": self.default}

    def fits(self, value: object) -> bool:
        """Whether `value` is one."""
        return isinstance(value, bool)

    def expected(self, words: Words) -> str:
        """What it must be."""
        return words("argument.flag")


Argument = Text | Whole | Hours | Flag


def input_schema(accepted: Sequence[Argument], words: Words) -> dict[str, Any]:
    """JSON Schema of a call's arguments, in the words of the catalog; nothing else is accepted."""
    required = [argument.name for argument in accepted if argument.required]
    return {
        "type": "object",
        "properties": {argument.name: argument.schema(words(f"meaning.{argument.name}")) for argument in accepted},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def read(tool: str, accepted: Sequence[Argument], given: Mapping[str, object], words: Words) -> dict[str, Any]:
    """The checked value of every accepted argument, defaults filled in.

    Raises:
        BadArguments: tells every mistake of the call.
    """
    names = [argument.name for argument in accepted]
    mistakes = [_unknown(tool, name, names, words) for name in given if name not in names]
    for argument in accepted:
        expected = argument.expected(words)
        if argument.name not in given and argument.required:
            mistakes.append(words("argument.missing", name=argument.name, expected=expected))
        elif argument.name in given and not argument.fits(given[argument.name]):
            mistakes.append(words("argument.wrong", name=argument.name, expected=expected))
    if mistakes:
        raise BadArguments("; ".join(mistakes))
    return {argument.name: given.get(argument.name, argument.default) for argument in accepted}


def _unknown(tool: str, name: str, names: Sequence[str], words: Words) -> str:
    if not names:
        return words("argument.unknown_none", name=name[:SHOWN], tool=tool)
    return words("argument.unknown", name=name[:SHOWN], tool=tool, accepted=", ".join(names))
