"""A board read from top to bottom → its tasks as drafts.  Pure; knows the lane and the task it is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pipeline import diagnostics
from pipeline.model import Diagnostic, RepoPath, Status
from pipeline.parse import words
from pipeline.parse.blocks import Block, Heading, Item, Row, Table, Text
from pipeline.parse.board_items import (
    Columns,
    Field,
    Named,
    name_row,
    read_columns,
    read_entry,
    read_field,
    read_heading,
    without_owner,
)
from pipeline.parse.inline import plain


@dataclass(slots=True)
class Draft:
    """A task while it is read.  `sign` is what an emoji of its heading says; `decided` what its
    checkbox says; `lane` stands when nothing else does.  `owner` is named in its line, in parentheses.
    """

    named: Named
    line: int
    end: int
    lane: Status | None = None
    sign: Status | None = None
    decided: Status | None = None
    mark: str | None = None
    owner: str | None = None
    fields: list[tuple[Field, list[str]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what follows it up to the next heading; `below` is that one, if it stands deeper."""

    heading: Heading | None
    blocks: tuple[Block, ...]
    below: Heading | None = None


def read_sections(blocks: Sequence[Block]) -> tuple[Section, ...]:
    """A board's sections in order; the first has no heading."""
    return tuple(_sections(_settle(blocks)))


def _settle(blocks: Sequence[Block]) -> Iterator[Block]:
    """Take a line above `---` for a heading only where it is a lane: elsewhere the rule parts tasks."""
    for block in blocks:
        if isinstance(block, Heading) and block.underlined and block.level == 2 and not words.lane(plain(block.text)):
            yield Text(block.line, 0, block.text)
        else:
            yield block


def _sections(blocks: Iterator[Block]) -> Iterator[Section]:
    heading: Heading | None = None
    below: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading):
            deeper = heading is not None and block.level > heading.level
            yield Section(heading, tuple(below), block if deeper else None)
            heading, below = block, []
        else:
            below.append(block)
    yield Section(heading, tuple(below))


class BoardReader:
    """Walks a board from top to bottom: in which lane and in which task are we?"""

    def __init__(self, path: RepoPath) -> None:
        self.path = path
        self.drafts: list[Draft] = []
        self.found: list[Diagnostic] = []
        self.lanes: list[tuple[int, Status]] = []
        self.task: Draft | None = None
        self.task_level = 0
        self.entry: Draft | None = None
        self.entry_indent = 0
        self.open_value: list[str] | None = None
        self.last_line = 0

    @property
    def lane(self) -> Status | None:
        """The nearest lane above, if any."""
        return self.lanes[-1][1] if self.lanes else None

    def read(self, section: Section) -> None:
        """Read the next section."""
        self.entry = self.open_value = None
        if section.heading:
            self._enter(section.heading, section)
        for block in section.blocks:
            if isinstance(block, Item):
                self._read_item(block)
            elif isinstance(block, Text):
                self._read_text(block)
            elif isinstance(block, Table):
                self._read_table(block)

    # headings

    def _enter(self, heading: Heading, section: Section) -> None:
        inside = self.task is not None and heading.level > self.task_level
        shown = plain(heading.text)
        lane = None if inside else words.lane(shown)
        if not inside:
            self.leave(heading.line - 1)
            while self.lanes and self.lanes[-1][0] >= heading.level:
                self.lanes.pop()
        if lane:
            self.lanes.append((heading.level, lane))
        elif heading.level > 1 and self._is_task(heading, section, inside):
            self._open_task(heading, shown)

    def leave(self, last_line: int) -> None:
        """End the open task, if any, at a line."""
        if self.task:
            self.task.end = last_line
        self.task = None

    def _is_task(self, heading: Heading, section: Section, inside: bool) -> bool:
        named = read_heading(without_owner(heading.text)[0])
        own = [found for found in map(_field_of, section.blocks) if found and found.role in ("status", "next")]
        if named.has_slug:
            under_lane = self.lane is not None and not inside
            return under_lane or any(one.bold or _knows_status(one) for one in own)
        if any(_knows_status(one) for one in own if one.bold):
            return bool(named.title)
        if any(one.bold and one.role == "status" for one in own):
            self.found.append(diagnostics.make("W106", self.path, heading.line, heading=plain(heading.text)))
            return False
        return self.lane is not None and not inside and not self._groups(section) and bool(named.title)

    def _groups(self, section: Section) -> bool:
        """Whether a heading below a lane only orders the tasks below it, or says that there are none.

        Headings alone below it may be a task's own ("Plan"), unless one names a task or the lane is an H1.
        """
        first = next(iter(section.blocks), None)
        if isinstance(first, Text):
            return words.is_placeholder(plain(first.text))
        if first is None and section.below:
            return self.lanes[-1][0] == 1 or read_heading(section.below.text).has_slug
        return isinstance(first, (Item, Table))

    def _open_task(self, heading: Heading, shown: str) -> None:
        said, owner = without_owner(heading.text)
        named = read_heading(said)
        sign = words.status_by_emoji(shown)
        self.leave(heading.line - 1)
        self.task = Draft(named, heading.line, heading.line, lane=self.lane, sign=sign, owner=owner)
        self.task_level = heading.level
        self.drafts.append(self.task)

    # fields and their continuation

    def _read_text(self, block: Text) -> None:
        follows = block.line == self.last_line + 1
        if self.entry and not follows and block.indent <= self.entry_indent:
            self.entry = self.open_value = None
        found = read_field(block.text)
        if found:
            self._add_field(found)
        elif self.open_value is not None and follows:
            self.open_value.append(block.text)
        else:
            self.open_value = None
        self._reach(block.line)

    def _add_field(self, found: Field) -> None:
        owner = self.entry or self.task
        self.open_value = [found.value]
        if owner:
            owner.fields.append((found, self.open_value))

    def _reach(self, line: int) -> None:
        self.last_line = line
        if self.entry:
            self.entry.end = line

    # list entries

    def _read_item(self, block: Item) -> None:
        self.open_value = None
        nested = self.entry is not None and block.indent >= self.entry_indent + 2
        found = read_field(block.text) if nested or self.task else None
        if found and (nested or block.indent < 4):
            self._add_field(found)
        if not nested and self.task is None:
            self._open_entry(block)
        self._reach(block.line)

    def _open_entry(self, block: Item) -> None:
        self.entry = None
        is_task = block.mark is not None or (self.lane is not None and block.bullet)
        if not is_task or words.is_placeholder(plain(block.text)):
            return
        said, owner = without_owner(block.text)
        named = read_entry(said)
        if not named.title:
            return
        decided = words.MARKS.get(block.mark or "")
        self.entry = Draft(named, block.line, block.line, lane=self.lane, decided=decided, mark=block.mark, owner=owner)
        self.entry_indent = block.indent
        self.drafts.append(self.entry)

    # tables

    def _read_table(self, table: Table) -> None:
        self.entry = self.open_value = None
        columns = read_columns(table.header)
        if self.task or not columns.names_tasks or (columns.status is None and self.lane is None):
            return
        for row in table.rows:
            self._read_row(columns, row)

    def _read_row(self, columns: Columns, row: Row) -> None:
        cells = (columns.ident, columns.task, columns.title, columns.about)
        named = name_row(*(plain(row.cell(column)) for column in cells))
        if not named:
            return
        draft = Draft(named, row.line, row.line, lane=self.lane)
        for role, column in (("Status", columns.status), ("Next", columns.next), ("Owner", columns.owner)):
            draft.fields.append((Field(role, "", bold=True), [row.cell(column)]))
        for place, name in columns.others:
            if place >= len(row.cells):
                break
            draft.fields.append((Field(name, "", bold=True), [row.cells[place]]))
        self.drafts.append(draft)


def _field_of(block: Block) -> Field | None:
    if isinstance(block, Text) or (isinstance(block, Item) and block.indent < 4):
        return read_field(block.text)
    return None


def _knows_status(found: Field) -> bool:
    value = plain(found.value)
    return found.role == "status" and bool(words.status_by_word(value) or words.status_by_emoji(value))
