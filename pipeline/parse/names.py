"""The name that a list entry begins with.  Pure, never raises."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline import text
from pipeline.parse.inline import find_code, plain

BOLD = ("**", "__")
AROUND = "\"'«»“”„().,:;!?—–- "
NAME_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Lead:
    """`name` is on one line and without the marks around it; `marked`: it is set in code or bold."""

    name: str
    marked: bool


def lead(entry: str) -> Lead:
    """The code span or bold text that an entry begins with, else its first word; it may be empty."""
    shown = entry.lstrip()
    code = find_code(shown)
    if code and code[0][0] == 0:
        start, end, ticks = code[0]
        return Lead(_bare(shown[start + ticks : end - ticks]), marked=True)
    mark = next((mark for mark in BOLD if shown.startswith(mark)), None)
    bold, closed, _ = shown[2:].partition(mark) if mark else ("", "", "")
    if closed and bold.strip():
        return Lead(_bare(plain(bold)), marked=True)
    return Lead(_bare(next(iter(plain(shown).split()), "")), marked=False)


def _bare(name: str) -> str:
    return text.line(name, NAME_LIMIT).strip(AROUND)
