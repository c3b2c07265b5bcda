"""Markdown bytes → `Document`, or the reason why they cannot be read.  Pure, linear, never raises.

A document's lines are those of the text as written (`text.body`), 1-based; front matter, fenced code
and HTML comments are blanked, so that nothing in them is mistaken for content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline import text
from pipeline.parse.blocks import Block, Heading, Text, read_blocks
from pipeline.parse.inline import find_code, plain

SIZE_LIMIT = 1 << 20
FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)\Z")
KEY = re.compile(r"[\w-]{1,60}:")
LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The block between `---` on line 1 and the next `---` or `...`; its first line has number 2."""

    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file is not read (or, for a page, what is wrong with it), in words; `line` if it has one."""

    kind: Literal["size", "encoding", "nul", "conflict"]
    reason: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One file.  `text` is as written; `blocks` are what it holds outside code and comments.

    `unclosed` tells that line 1 opens a front matter which nothing closes; it is read as text then.
    `blank`: nothing but space is left.  `quotes` are the quoted lines, which leave no block.
    """

    text: str
    front_matter: FrontMatter | None
    unclosed: bool
    blank: bool
    blocks: tuple[Block, ...]
    quotes: tuple[Text, ...]

    @property
    def headings(self) -> Iterator[Heading]:
        """Every heading, in order."""
        return (block for block in self.blocks if isinstance(block, Heading))

    @property
    def title(self) -> str | None:
        """The first H1 that has text, as one line; None without one."""
        titles = (text.line(plain(heading.text)) for heading in self.headings if heading.level == 1)
        return next((title for title in titles if title), None)


def read(raw: bytes) -> Document | Refusal:
    """Read a board or an index: all of it or nothing."""
    document, refusals = inspect(raw)
    return refusals[0] if refusals else document


def inspect(raw: bytes) -> tuple[Document, tuple[Refusal, ...]]:
    """Read what can be read of a page, and say all that is wrong with it.

    Over the limit nothing is read; bytes that are not UTF-8 are replaced, NUL letters dropped.
    """
    if len(raw) > SIZE_LIMIT:
        return _read_text("")[0], (Refusal("size", "larger than 1 MiB"),)
    decoded, exact = text.decode(raw)
    document, conflict = _read_text(text.body(decoded))
    refusals = [] if exact else [Refusal("encoding", "not UTF-8")]
    if "\0" in decoded:
        refusals.append(Refusal("nul", "NUL byte"))
    if conflict:
        refusals.append(Refusal("conflict", f"merge conflict markers (line {conflict})", conflict))
    return document, tuple(refusals)


def is_lfs_pointer(raw: bytes) -> bool:
    """True when the bytes only say where Git LFS keeps the file."""
    return raw.startswith(LFS_POINTER)


def _read_text(written: str) -> tuple[Document, int | None]:
    lines = written.split("\n")
    end = _front_matter_end(lines)
    content = [""] * end + lines[end:]
    blanked = without_comments_and_code(content)
    conflict = _conflict_line([*lines[:end], *blanked[end:]])
    document = Document(
        text=written,
        front_matter=FrontMatter("\n".join(lines[1 : end - 1])) if end else None,
        unclosed=not end and _opens_front_matter(lines) and len(lines) > 1 and bool(KEY.match(lines[1])),
        blank=not any(line.strip() for line in blanked),
        blocks=read_blocks(blanked),
        quotes=tuple(Text(n, 0, line) for n, line in enumerate(blanked, start=1) if line.lstrip().startswith(">")),
    )
    return document, conflict


def _opens_front_matter(lines: Sequence[str]) -> bool:
    return lines[0].rstrip() == "---"


def _front_matter_end(lines: Sequence[str]) -> int:
    """How many lines the front matter takes with both its marks; 0 without one."""
    if not _opens_front_matter(lines):
        return 0
    closing = (place for place in range(1, len(lines)) if lines[place].rstrip() in ("---", "..."))
    return next(closing, -1) + 1


def without_comments_and_code(lines: Sequence[str]) -> list[str]:
    """The same lines, empty where fenced code or an HTML comment stands; unclosed ones go to the end."""
    blanked: list[str] = []
    fence: str | None = None
    comment = False
    for line in lines:
        if fence:
            fence = None if _closes(fence, line) else fence
            blanked.append("")
            continue
        fence = None if comment else _opened_fence(line)
        if fence:
            blanked.append("")
            continue
        kept, comment = _without_comments(line, comment)
        blanked.append(kept)
    return blanked


def _opened_fence(line: str) -> str | None:
    match = FENCE.match(line) if "```" in line or "~~~" in line else None
    return None if match is None or (match[1][0] == "`" and "`" in match[2]) else match[1]


def _closes(fence: str, line: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and bare == fence[0] * len(bare)


def _without_comments(line: str, inside: bool) -> tuple[str, bool]:
    """The line without its comments, and whether one goes on; a mark inside a code span is text."""
    if not inside and "<!--" not in line:
        return line, False
    kept: list[str] = []
    place = 0
    code = iter(find_code(line) if not inside else ())
    span = next(code, None)
    while place < len(line):
        if inside:
            end = line.find("-->", place)
            if end < 0:
                return "".join(kept), True
            place, inside = end + 3, False
            continue
        start = line.find("<!--", place)
        while span and start >= 0 and span[1] <= start:
            span = next(code, None)
        if start >= 0 and span and span[0] < start:
            kept.append(line[place : span[1]])
            place = span[1]
            continue
        kept.append(line[place : start if start >= 0 else len(line)])
        place, inside = (start + 2, True) if start >= 0 else (len(line), False)
    return "".join(kept), inside


def _conflict_line(lines: Sequence[str]) -> int | None:
    """The first line of a merge that was never finished; an underline or a quote alone is none."""
    parted = False
    for number, line in enumerate(lines, start=1):
        if line.startswith("<<<<<<<") and line[7:8] in ("", " "):
            return number
        if parted and line.startswith(">>>>>>>") and line[7:8] in ("", " "):
            return number
        parted = parted or line.rstrip() == "======="
    return None
