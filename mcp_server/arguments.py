"""What a tool accepts: told to clients as JSON Schema, checked in our own words.

A value is refused, never bent: no clamping, no `true` for 1, no text for a number.  Every mistake of a
call is told at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from mcp_server.errors import BadArgument
from pipeline.text import line

TEXT_LIMIT = 400
OFFSET_LIMIT = 10_000_000

Value = str | float | tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text of 1 to 400 characters; None when it is not required and not given."""

    name: str
    meaning: str = ""
    required: bool = False

    @property
    def default(self) -> str | None:
        """Absent means None."""
        return None

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        return {"type": "string", **_described(self.meaning), "minLength": 1, "maxLength": TEXT_LIMIT}

    def mistake(self, value: object) -> str | None:
        """What is wrong with `value`, or None."""
        if not isinstance(value, str):
            return f"{self.name} is {_shown(value)}; expected text"
        if len(value) > TEXT_LIMIT:
            return f"{self.name} is {len(value)} characters long; expected at most {TEXT_LIMIT}"
        if not value.strip():
            return f"{self.name} is empty; expected at least one letter"
        if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in value):
            return f"{self.name} holds a NUL or half a character; expected text without them"
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One word of a few."""

    name: str
    choices: tuple[str, ...]
    default: str
    meaning: str = ""
    required: bool = False

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        return {"type": "string", **_described(self.meaning), "enum": list(self.choices), "default": self.default}

    def mistake(self, value: object) -> str | None:
        """What is wrong with `value`, or None."""
        if isinstance(value, str) and value in self.choices:
            return None
        return f"{self.name} is {_shown(value)}; expected one of {', '.join(self.choices)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A whole number of a range, both ends included; None when it has no default and is not given."""

    name: str
    minimum: int
    maximum: int
    default: int | None
    meaning: str = ""
    required: bool = False

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        default = {} if self.default is None else {"default": self.default}
        return {
            "type": "integer",
            **_described(self.meaning),
            "minimum": self.minimum,
            "maximum": self.maximum,
            **default,
        }

    def mistake(self, value: object) -> str | None:
        """What is wrong with `value`, or None; a truth value is not a number."""
        if isinstance(value, int) and not isinstance(value, bool) and self.minimum <= value <= self.maximum:
            return None
        return f"{self.name} is {_shown(value)}; expected a whole number from {self.minimum} to {self.maximum}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """A list of texts; None when it is not required and not given.  `noun` is what one of them is."""

    name: str
    noun: str
    maximum: int
    meaning: str = ""
    required: bool = False

    @property
    def default(self) -> None:
        """Absent means None."""
        return

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        one = {"type": "string", "minLength": 1, "maxLength": TEXT_LIMIT}
        limits = {"minItems": 1, "maxItems": self.maximum}
        return {"type": "array", **_described(self.meaning), "items": one, **limits}

    def mistake(self, value: object) -> str | None:
        """What is wrong with `value`, or None; of several wrong texts the first is told."""
        expected = f"expected a list of 1 to {self.maximum} {self.noun}s"
        if not isinstance(value, list):
            return f"{self.name} is {_shown(value)}; {expected}"
        if not 1 <= len(value) <= self.maximum:
            return f"{self.name} has {len(value)} {self.noun}s; {expected}"
        texts = (Text(name=f"{self.name}[{place}]").mistake(one) for place, one in enumerate(value))
        return next((mistake for mistake in texts if mistake), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number above zero, fractions allowed; None when it is not given."""

    name: str
    maximum: int
    meaning: str = ""
    required: bool = False

    @property
    def default(self) -> None:
        """Absent means None."""
        return

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        return {"type": "number", **_described(self.meaning), "exclusiveMinimum": 0, "maximum": self.maximum}

    def mistake(self, value: object) -> str | None:
        """What is wrong with `value`, or None; a truth value is not a number."""
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= self.maximum:
            return None
        return f"{self.name} is {_shown(value)}; expected a number above 0 and at most {self.maximum}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Yes or no."""

    name: str
    default: bool = False
    meaning: str = ""
    required: bool = False

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        return {"type": "boolean", **_described(self.meaning), "default": self.default}

    def mistake(self, value: object) -> str | None:
        """What is wrong with `value`, or None."""
        return None if isinstance(value, bool) else f"{self.name} is {_shown(value)}; expected true or false"


Argument = Text | Choice | Whole | Texts | Number | Flag

PROJECT = Text(name="project", meaning="name, owner/name or host/owner/name")
OFFSET = Whole(name="offset", minimum=0, maximum=OFFSET_LIMIT, default=0)


def rows(default: int, maximum: int = 100) -> Whole:
    """The `limit` of a list."""
    return Whole(name="limit", minimum=1, maximum=maximum, default=default)


def input_schema(accepted: Sequence[Argument]) -> dict[str, object]:
    """JSON Schema of a call's arguments; nothing else is accepted."""
    required = [argument.name for argument in accepted if argument.required]
    return {
        "type": "object",
        "properties": {argument.name: argument.schema() for argument in accepted},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def read(tool: str, accepted: Sequence[Argument], given: Mapping[str, object]) -> dict[str, Value]:
    """The checked value of every accepted argument, defaults filled in.

    Raises:
        BadArgument: an argument is unknown, missing, of another type or out of range; tells all of them.
    """
    names = [argument.name for argument in accepted]
    mistakes = [_unknown(tool, name, names) for name in given if name not in names]
    values: dict[str, Value] = {}
    for argument in accepted:
        mistake, values[argument.name] = _one(argument, given)
        mistakes.extend([mistake] if mistake else [])
    if mistakes:
        raise BadArgument(". ".join(mistakes))
    return values


def _one(argument: Argument, given: Mapping[str, object]) -> tuple[str | None, Value]:
    if argument.name not in given:
        missing = f"{argument.name} is missing; expected {argument.meaning or 'text'}"
        return (missing if argument.required else None), argument.default
    value = given[argument.name]
    mistake = argument.mistake(value)
    return mistake, None if mistake else _kept(value)


def _kept(value: object) -> Value:
    """A value without mistake, as tools take it: no longer to be changed."""
    if isinstance(value, list):
        return tuple(value)
    return value if isinstance(value, (str, int, float)) else None


def _unknown(tool: str, name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name[:TEXT_LIMIT], names, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    accepted = f"accepts {', '.join(names)}" if names else "accepts no arguments"
    return f"unknown argument {_shown(name)}{hint}; {tool} {accepted}"


def _shown(value: object) -> str:
    return line(json.dumps(value, ensure_ascii=False, default=repr), 60)


def _described(meaning: str) -> dict[str, object]:
    return {"description": meaning} if meaning else {}
