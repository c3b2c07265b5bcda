"""Answers in JSON, believed only when whole, unambiguous and of the expected shape."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any, Generic, NoReturn, TypeVar

from pydantic import TypeAdapter, ValidationError

from pipeline.errors import SourceUnreachable

Value = TypeVar("Value")


class Shape(Generic[Value]):
    """What an answer must be.  Its reader is made at the first answer: a run needs few of many."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    @cached_property
    def reader(self) -> TypeAdapter[Value]:
        """Reads JSON of this shape and no other."""
        return TypeAdapter(self._kind)


def read_json(body: bytes, shape: Shape[Value], expected: str) -> Value:
    """Read `body` as a value of `shape`; fields that `shape` does not name are passed over.

    `expected` says in words what was asked for.

    Raises:
        SourceUnreachable: HTML, half a text, NaN, a key twice, another shape.
    """
    _refuse_odd(body, expected)
    try:
        return shape.reader.validate_json(body, strict=True)
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors(include_url=False, include_input=False)[0]["loc"])
        raise _unexpected(expected, f"JSON of another shape at {place or 'its top'}") from None


def _refuse_odd(body: bytes, expected: str) -> None:
    start = body[:200].lstrip().lower()
    if not start:
        raise _unexpected(expected, "an empty answer")
    if start.startswith(b"<"):
        raise _unexpected(expected, "a page of HTML or XML")
    try:
        json.loads(body, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise _unexpected(expected, "no whole, plain JSON") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _unexpected(expected: str, found: str) -> SourceUnreachable:
    return SourceUnreachable(f"expected {expected}, got {found}")
