"""One line of Markdown: its links, and the line reduced to plain text.  Pure, linear in the line's length.

Read here and not by a CommonMark library, because boards and indexes hold what CommonMark does not
know: wikilinks, escaped pipes inside them, a code span that is a wikilink; and because every place
in the line is needed to tell which links stand side by side.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

TARGET_LIMIT = 1000
SHORT = 120
REMEMBERED = 8192
ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
STRUCTURE = re.compile(r"\\[!-/:-@\[-`{-~]|[\[\]()]")
TICKS = re.compile(r"\\`|`+")
CODE_WIKILINK = re.compile(r"\s{0,9}\[\[[^\[\]]{1,1000}\]\]\s{0,9}\Z")
BREAK = re.compile(r"<br\s{0,3}/?>", re.IGNORECASE)
TAG = re.compile(
    r"</?(?:a|abbr|b|big|code|del|div|em|font|h[1-6]|i|img|ins|kbd|mark|p|s|small|span|strong|sub|sup|u)"
    r"(?:\s[^<>]{0,500})?/?>",
    re.IGNORECASE,
)
AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,2000})>")
TOKEN = re.compile(r"\\[!-/:-@\[-`{-~]|\*+|_+|~~+")


@dataclass(frozen=True, slots=True)
class Link:
    """`text[start:end]` is the whole link.  `label` and `target` are as written; a wikilink without an
    alias has an empty label.
    """

    kind: Literal["link", "wikilink", "image"]
    start: int
    end: int
    label: str
    target: str


def find_links(line: str) -> tuple[Link, ...]:
    r"""Every link and image of a line, in order, none inside another.

    `[t](u)`, `[t](<u>)`, `[t](u "tip")`, `[[u]]`, `[[u|t]]`, `[[u\|t]]`; a code span is text, except
    one that is exactly one wikilink.  Balanced parentheses may stand inside `u`, spaces may not.
    """
    return tuple(_Scan(line).links()) if "](" in line or "]]" in line else ()


def find_code(line: str) -> tuple[tuple[int, int, int], ...]:
    """The code spans of a line: start, end and how many backticks stand on each side."""
    if "`" not in line:
        return ()
    runs = [(run.start(), run.end()) for run in TICKS.finditer(line) if run[0] != "\\`"]
    same: dict[int, int] = {}
    closing = [-1] * len(runs)
    for place in range(len(runs) - 1, -1, -1):
        length = runs[place][1] - runs[place][0]
        closing[place] = same.get(length, -1)
        same[length] = place
    spans: list[tuple[int, int, int]] = []
    place = 0
    while place < len(runs):
        start, end = runs[place]
        if closing[place] >= 0:
            spans.append((start, runs[closing[place]][1], end - start))
            place = closing[place]
        place += 1
    return tuple(spans)


def plain(line: str) -> str:
    """The line as a reader sees it: links are their text, images are gone, no emphasis, no backticks,
    no escapes; `<br>` is a space.  Runs of space are one space.
    """
    return _plain_again(line) if len(line) <= SHORT else _plain(line)


@lru_cache(maxsize=REMEMBERED)
def _plain_again(line: str) -> str:
    """Names of fields, statuses and headings come again and again."""
    return _plain(line)


def _plain(line: str) -> str:
    if not line.isalnum():
        line = TAG.sub("", BREAK.sub(" ", line)) if "<" in line else line
        line = AUTOLINK.sub(r"\1", _without_links(line))
        line = _without_marks(line)
    return " ".join(line.split())


def unescape(written: str) -> str:
    """Drop the backslash before punctuation."""
    return ESCAPE.sub(r"\1", written) if "\\" in written else written


class _Places:
    """Where something occurs in a text; asked for the first place at or after another."""

    def __init__(self, pattern: str, line: str) -> None:
        self.found = [match.start() for match in re.finditer(pattern, line)]

    def after(self, place: int) -> int | None:
        index = bisect_left(self.found, place)
        return self.found[index] if index < len(self.found) else None


class _Scan:
    def __init__(self, line: str) -> None:
        self.line = line
        self.code = find_code(line)
        self.openers: list[int] = []
        self.closers: dict[int, int] = {}
        self._pair()

    @cached_property
    def spaces(self) -> _Places:
        return _Places(r"\s", self.line)

    @cached_property
    def angles(self) -> _Places:
        return _Places(">", self.line)

    @cached_property
    def brackets(self) -> _Places:
        return _Places(r"\[", self.line)

    @cached_property
    def ends(self) -> _Places:
        return _Places(r"\]\]", self.line)

    @cached_property
    def quotes(self) -> dict[str, _Places]:
        return {quote: _Places(quote, self.line) for quote in "\"'"}

    def _pair(self) -> None:
        """Pair brackets and parentheses outside code and escapes, each kind by itself."""
        open_places: dict[str, list[int]] = {"]": [], ")": []}
        spans = iter(self.code)
        span = next(spans, None)
        for token in STRUCTURE.finditer(self.line):
            while span and span[1] <= token.start():
                span = next(spans, None)
            if (span and span[0] <= token.start()) or token[0][0] == "\\":
                continue
            if token[0] in "[(":
                open_places["]" if token[0] == "[" else ")"].append(token.start())
                if token[0] == "[":
                    self.openers.append(token.start())
            elif open_places[token[0]]:
                self.closers[open_places[token[0]].pop()] = token.start()

    def links(self) -> Iterator[Link]:
        done = 0
        for place in sorted([*self.openers, *(span[0] for span in self.code)]):
            if place < done:
                continue
            link = self._code_wikilink(place) if self.line[place] == "`" else self._at(place)
            if link:
                done = link.end
                yield link

    def _code_wikilink(self, place: int) -> Link | None:
        start, end, ticks = self.code[bisect_left(self.code, (place, 0, 0))]
        inside = self.line[start + ticks : end - ticks]
        if len(inside) > TARGET_LIMIT + 30 or not CODE_WIKILINK.match(inside):
            return None
        return _wikilink(inside.strip()[2:-2], start, end, image=False)

    def _at(self, place: int) -> Link | None:
        image = self.line[place - 1 : place] == "!" and self.line[place - 2 : place - 1] != "\\"
        close = self.closers.get(place)
        if close is not None and self.line[close + 1 : close + 2] == "(":
            found = self._destination(close + 1)
            if found:
                label = self.line[place + 1 : close]
                return Link("image" if image else "link", place - image, found[1], label, found[0])
        if self.line.startswith("[[", place):
            end, other = self.ends.after(place + 2), self.brackets.after(place + 2)
            if end is not None and end - place <= TARGET_LIMIT and (other is None or other > end):
                return _wikilink(self.line[place + 2 : end], place - image, end + 2, image=image)
        return None

    def _destination(self, paren: int) -> tuple[str, int] | None:
        """The target behind the parenthesis at `paren`, and where the link ends."""
        start = self._skip_spaces(paren + 1)
        if self.line[start : start + 1] == "<":
            angle = self.angles.after(start)
            if angle is None or angle - start > TARGET_LIMIT:
                return None
            return self._ended(self.line[start + 1 : angle], angle + 1)
        space, close = self.spaces.after(start), self.closers.get(paren)
        stop = min(place for place in (space, close, len(self.line)) if place is not None)
        if stop == len(self.line) or stop - start > TARGET_LIMIT:
            return None
        return self._ended(self.line[start:stop], stop)

    def _ended(self, target: str, place: int) -> tuple[str, int] | None:
        """The same target, if only a tooltip stands between `place` and the closing parenthesis."""
        place = self._skip_spaces(place)
        quote = self.line[place : place + 1]
        if quote in ('"', "'"):
            closing = self.quotes[quote].after(place + 1)
            place = len(self.line) if closing is None else self._skip_spaces(closing + 1)
        elif quote == "(":
            place = self._skip_spaces(self.closers.get(place, len(self.line)) + 1)
        return (target, place + 1) if self.line[place : place + 1] == ")" else None

    def _skip_spaces(self, place: int) -> int:
        """The first letter at or after `place` that is no space; gives up after a few."""
        for step in range(9):
            if not self.line[place + step : place + step + 1].isspace():
                return place + step
        return len(self.line)


def _wikilink(inside: str, start: int, end: int, *, image: bool) -> Link:
    target, _, label = inside.partition("|")
    target = target.removesuffix("\\").strip()
    return Link("image" if image else "wikilink", start, end, label.strip(), target)


def _without_links(line: str) -> str:
    """Links reduced to their text, twice: a link's own text may hold an image or a wikilink."""
    for _ in range(2):
        links = find_links(line)
        if not links:
            break
        pieces: list[str] = []
        done = 0
        for link in links:
            pieces += [line[done : link.start], _shown(link)]
            done = link.end
        line = "".join([*pieces, line[done:]])
    return line


def _shown(link: Link) -> str:
    if link.kind == "image":
        return ""
    return link.label or (link.target if link.kind == "wikilink" else "")


@dataclass(slots=True)
class _Run:
    """A run of emphasis letters: where it stands among the pieces and how many letters are left."""

    piece: int
    letter: str
    count: int


def _without_marks(line: str) -> str:
    """Drop emphasis that is paired, escapes and the backticks of code; what is inside code stays."""
    pieces: list[str] = []
    runs: list[_Run] = []
    waiting: dict[str, list[_Run]] = {"*": [], "_": [], "~": []}
    done = 0
    for start, end, ticks in (*find_code(line), (len(line), len(line), 0)):
        for token in TOKEN.finditer(line, done, start):
            pieces.append(line[done : token.start()])
            done = token.end()
            if token[0][0] == "\\":
                pieces.append(token[0][1])
                continue
            run = _Run(len(pieces), token[0][0], len(token[0]))
            pieces.append("")
            runs.append(run)
            _pair_run(waiting[run.letter], run, *_flanks(line, token.start(), token.end()))
        pieces += [line[done:start], line[start + ticks : end - ticks].strip()]
        done = end
    for run in runs:
        pieces[run.piece] = run.letter * run.count
    return "".join(pieces)


def _pair_run(waiting: list[_Run], run: _Run, *flanks: bool) -> None:
    can_open, can_close = flanks
    while can_close and run.count and waiting:
        used = min(run.count, waiting[-1].count)
        run.count -= used
        waiting[-1].count -= used
        if not waiting[-1].count:
            waiting.pop()
    if can_open and run.count:
        waiting.append(run)


def _flanks(line: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether a run may open and may close emphasis, by CommonMark's flanking rule."""
    before = line[start - 1] if start else " "
    after = line[end] if end < len(line) else " "
    left = not after.isspace() and (after.isalnum() or not before.isalnum())
    right = not before.isspace() and (before.isalnum() or not after.isalnum())
    if line[start] == "_":
        return left and not before.isalnum(), right and not after.isalnum()
    return left, right
