"""Lines → headings, list entries, tables and plain lines.  Pure, linear, never raises.

Looser than CommonMark where boards and indexes are: list entries count at any indentation, tables
may have short rows, a pipe inside a code span or a wikilink does not end a cell.  Quotes, rules and
blank lines leave no block: what follows another line without a gap has the next line number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.parse.inline import find_code

HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)")
ITEM = re.compile(r"([ \t]*)([-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
CHECKBOX = re.compile(r"\[([^\[\]])\](?:[ \t]+|$)")
BARE_CHECKBOX = re.compile(r"([ \t]*)\[([^\[\]])\][ \t]+(?=\S)")
RULE_LETTERS = frozenset("-*_")
UNDERLINE = re.compile(r" {0,3}(={2,}|-{3,})[ \t]*\Z")
DELIMITERS = frozenset(" \t|:-")
WIKILINK = re.compile(r"\[\[[^\[\]]{1,1000}\]\]")
PIPE = re.compile(r"\\\||\|")


@dataclass(frozen=True, slots=True)
class Heading:
    """`text` is as written, without the marks.  `underlined`: a line of `---` or `===` below made it one."""

    line: int
    level: int
    text: str
    underlined: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A list entry's first line.  `mark` is what stands in its checkbox, None without one; `bullet` is
    empty for a checkbox that stands alone; `indent` counts columns.
    """

    line: int
    indent: int
    bullet: str
    mark: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A table's body row; cells are as written, trimmed, an escaped pipe a pipe; it may be short or long."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        """The cell of a column; empty past the row's end and for no column."""
        return self.cells[column] if column is not None and column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `line` is its header's."""

    line: int
    header: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """Any other line that is not blank, trimmed."""

    line: int
    indent: int
    text: str


Block = Heading | Item | Table | Text


def read_blocks(lines: Sequence[str]) -> tuple[Block, ...]:
    """The blocks of a file's lines, in order; the first line has number 1."""
    blocks: list[Block] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        if not line or line.isspace():
            place += 1
        elif _starts_table(lines, place):
            table = _read_table(lines, place)
            blocks.append(table)
            place = max(place + 1, table.rows[-1].line - 1 if table.rows else place + 1) + 1
        else:
            _add(blocks, line, place + 1)
            place += 1
    return tuple(blocks)


def _add(blocks: list[Block], line: str, number: int) -> None:
    underline = UNDERLINE.match(line)
    last = blocks[-1] if blocks else None
    if underline and isinstance(last, Text) and last.line == number - 1 and _stands_alone(blocks):
        blocks[-1] = Heading(last.line, 1 if "=" in line else 2, last.text, underlined=True)
    elif not underline and not _is_rule(line) and not line.lstrip().startswith(">"):
        blocks.append(_read_line(line, number))


def _stands_alone(blocks: list[Block]) -> bool:
    """Only a paragraph of one line is a heading: elsewhere `---` parts one task from the next."""
    return len(blocks) < 2 or isinstance(blocks[-2], Heading) or blocks[-2].line < blocks[-1].line - 1


def _is_rule(line: str) -> bool:
    bare = "".join(line.split())
    return len(bare) >= 3 and bare[0] in RULE_LETTERS and bare == bare[0] * len(bare)


def _read_line(line: str, number: int) -> Heading | Item | Text:
    heading = HEADING.match(line)
    if heading:
        return Heading(number, len(heading[1]), _without_closing_marks(line[heading.end() :]))
    item = ITEM.match(line)
    if item:
        rest = line[item.end() :].strip()
        box = CHECKBOX.match(rest)
        return Item(number, _columns(item[1]), item[2], box[1] if box else None, rest[box.end() :] if box else rest)
    bare = BARE_CHECKBOX.match(line)
    if bare:
        return Item(number, _columns(bare[1]), "", bare[2], line[bare.end() :].strip())
    text = line.strip()
    return Text(number, _columns(line[: len(line) - len(line.lstrip())]), text)


def _without_closing_marks(title: str) -> str:
    title = title.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else title


def _columns(space: str) -> int:
    return len(space.expandtabs(4))


def _starts_table(lines: Sequence[str], place: int) -> bool:
    if "|" not in lines[place] or place + 1 >= len(lines):
        return False
    below = lines[place + 1]
    return "|" in below and "-" in below and DELIMITERS.issuperset(below) and not _opens_block(lines[place])


def _opens_block(line: str) -> bool:
    return bool(HEADING.match(line) or ITEM.match(line)) or line.lstrip().startswith(">")


def _read_table(lines: Sequence[str], place: int) -> Table:
    header = split_cells(lines[place])
    fenced = lines[place].lstrip().startswith("|")
    rows: list[Row] = []
    for number in range(place + 2, len(lines)):
        line = lines[number]
        if "|" not in line or (fenced and _opens_block(line)):
            break
        if not _is_alignment(line):
            rows.append(Row(number + 1, split_cells(line, len(header))))
    return Table(place + 1, header, tuple(rows))


def _is_alignment(line: str) -> bool:
    return "--" in line and DELIMITERS.issuperset(line)


def split_cells(line: str, columns: int | None = None) -> tuple[str, ...]:
    """The cells of a table row that should have `columns`.

    A pipe inside a code span or a wikilink belongs to the cell, unless the row then has too few cells.
    """
    cells = _cut(line, _shelters(line))
    if columns and len(cells) < columns:
        bare = _cut(line, [])
        cells = bare if len(bare) <= columns else cells
    return tuple(cells)


def _shelters(line: str) -> list[tuple[int, int]]:
    code = [(start, end) for start, end, _ in find_code(line)]
    links = [match.span() for match in WIKILINK.finditer(line)] if "[[" in line else []
    return sorted(code + links)


def _cut(line: str, shelters: list[tuple[int, int]]) -> list[str]:
    line_end = len(line.rstrip())
    start = len(line) - len(line.lstrip())
    start += line.startswith("|", start)
    cells: list[str] = []
    waiting = iter(shelters)
    shelter = next(waiting, None)
    for pipe in PIPE.finditer(line, start, line_end):
        while shelter and shelter[1] <= pipe.start():
            shelter = next(waiting, None)
        if pipe[0] == "|" and not (shelter and shelter[0] < pipe.start()):
            cells.append(line[start : pipe.start()])
            start = pipe.end()
    if start < line_end:
        cells.append(line[start:line_end])
    return [cell.strip().replace("\\|", "|") for cell in cells]
