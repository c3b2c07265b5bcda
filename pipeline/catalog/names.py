"""Names in messages: quoted so that a foreign name cannot forge a line, and the nearest known ones.  Pure."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence

from pipeline.text import fold, line

NEAR = 3
LISTED = 10
COMPARED_LETTERS = 100


def quoted(name: str) -> str:
    """A name in double quotes, on one line, with quotes and backslashes escaped."""
    return json.dumps(line(name), ensure_ascii=False)


def listed(names: Sequence[str]) -> str:
    """Quoted names with commas, at most ten of them and how many more there are."""
    shown = ", ".join(map(quoted, names[:LISTED]))
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED} more"


def near(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """At most three known names that look like `name`, nearest first."""
    by_fold = {fold(one)[:COMPARED_LETTERS]: one for one in known}
    found = difflib.get_close_matches(fold(name)[:COMPARED_LETTERS], by_fold, n=NEAR)
    return tuple(by_fold[one] for one in found)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean "a" or "b"?`, or nothing when no known name is near."""
    found = [quoted(one) for one in near(name, known)]
    if not found:
        return ""
    first = ", ".join(found[:-1])
    return f"; did you mean {first} or {found[-1]}?" if first else f"; did you mean {found[-1]}?"


def pick(name: str, known: Sequence[str]) -> int | None:
    """Where `name` stands among `known`: letter by letter, else folded when that fits only one."""
    if name in known:
        return known.index(name)
    folded = fold(name)
    alike = [place for place, one in enumerate(known) if fold(one) == folded]
    return alike[0] if len(alike) == 1 else None
