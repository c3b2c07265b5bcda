"""A slice of a text by lines.  Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Lines from `first` on, counted from 1; `following` is the next one that is not shown, None at the end.

    `is_cut`: the one line that is shown is longer than may be, and stands there only in part.
    """

    text: str
    first: int
    following: int | None
    total: int
    is_cut: bool


def cut_lines(whole: str, first: int, count: int | None, letters: int) -> Lines:
    """At most `count` lines (None: all) of at most `letters` letters together; of a longer line its beginning."""
    lines = whole.removesuffix("\n").split("\n") if whole else []
    end = len(lines) if count is None else min(len(lines), first - 1 + count)
    shown: list[str] = []
    used = 0
    for line in lines[first - 1 : end]:
        used += len(line) + 1
        if used - 1 > letters:
            break
        shown.append(line)
    is_cut = not shown and end > first - 1 and count != 0
    if is_cut:
        shown = [f"{lines[first - 1][: letters - 1]}…"]
    following = first + len(shown)
    return Lines(
        text="\n".join(shown),
        first=first,
        following=following if following <= len(lines) else None,
        total=len(lines),
        is_cut=is_cut,
    )
