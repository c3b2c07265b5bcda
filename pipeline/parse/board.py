"""STATUS.md → `Board`.  Pure, linear, never raises.

Three ways to write a task are read, mixed as people mix them: a heading with fields, a list entry
below a lane (a heading that is a status word) or with a checkbox, and a table row.  What stands in a
task's own section belongs to that task: its lists and tables are no tasks of the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline import diagnostics, text
from pipeline.model import Board, BoardState, Diagnostic, RepoPath, Status, WorkItem
from pipeline.parse import words
from pipeline.parse.board_items import NAME_LIMIT, VALUE_LIMIT, Field
from pipeline.parse.board_reader import BoardReader, Draft, Section, read_sections
from pipeline.parse.inline import plain
from pipeline.parse.markdown import Document, Refusal, read

UNREADABLE = {"encoding": "E101", "nul": "E102", "conflict": "E103", "size": "E104"}
RAW_LIMIT = 4 * VALUE_LIMIT
CLOSED = re.compile(
    r"(?<!\d )(?<!\w)(?:closed|закрыт[аоы]?|geschlossen|已关闭)(?!\w|-\w)(?=\s{0,3}(?:[.,;!?)\]—–-]|\Z))",
    re.IGNORECASE,
)


def parse_board(path: RepoPath, raw: bytes) -> tuple[Board, tuple[Diagnostic, ...]]:
    """Read the tasks of one board.

    Items keep file order and their lines increase.  States: `parsed` with at least one task; `closed`
    when the first heading says that the board is closed (a tombstone: nothing below it counts);
    `empty` for a file without tasks, and for one that cannot be read: an error diagnostic says so then.
    """
    document = read(raw)
    if isinstance(document, Refusal):
        return Board(path=path, state="empty"), (diagnostics.make(UNREADABLE[document.kind], path, document.line),)
    reader = BoardReader(path)
    sections = read_sections(document.blocks)
    for section in sections:
        reader.read(section)
    reader.leave(document.text.count("\n") + 1)
    if _is_tombstone(sections, reader.drafts):
        return Board(path=path, state="closed"), ()
    return _build(path, document, reader.drafts, reader.found)


def _build(
    path: RepoPath, document: Document, drafts: Sequence[Draft], found: Sequence[Diagnostic]
) -> tuple[Board, tuple[Diagnostic, ...]]:
    lines = document.text.split("\n")
    kept, doubled = _choose(drafts, path)
    for draft in kept:
        _trim(draft, lines)
    finished = [_finish(draft, path) for draft in kept]
    items = tuple(item for item, _ in finished)
    trouble = [*found, *doubled, *(one for _, more in finished for one in more)]
    if document.front_matter and not document.blocks:
        trouble.append(diagnostics.make("W107", path, 1))
    state: BoardState = "parsed" if items else "empty"
    return Board(path=path, state=state, items=items), tuple(sorted(trouble, key=lambda one: (one.line or 0, one.code)))


def _is_tombstone(sections: Sequence[Section], drafts: Sequence[Draft]) -> bool:
    first = next((section.heading for section in sections if section.heading), None)
    if first is None or any(draft.line == first.line for draft in drafts):
        return False
    shown = plain(first.text)
    return not words.lane(shown) and (shown.startswith("⛔") or bool(CLOSED.search(shown[: words.LONGEST_NAME])))


def _trim(draft: Draft, lines: Sequence[str]) -> None:
    """End a task at its last line that is neither blank nor a rule."""
    draft.end = min(draft.end, len(lines))
    while draft.end > draft.line and not lines[draft.end - 1].strip(" \t-*_"):
        draft.end -= 1


def _choose(drafts: Sequence[Draft], path: RepoPath) -> tuple[list[Draft], list[Diagnostic]]:
    """Of tasks with one slug the first."""
    first: dict[str, int] = {}
    kept: list[Draft] = []
    found: list[Diagnostic] = []
    for draft in drafts:
        slug = _slug(draft)
        if slug in first:
            found.append(diagnostics.make("W103", path, draft.line, slug=slug, first=first[slug]))
        else:
            first[slug] = draft.line
            kept.append(draft)
    return kept, found


def _slug(draft: Draft) -> str:
    return text.line(draft.named.slug) or f"line-{draft.line}"


def _finish(draft: Draft, path: RepoPath) -> tuple[WorkItem, tuple[Diagnostic, ...]]:
    values = [(one, _value(parts)) for one, parts in draft.fields]
    status_text = next((value for one, value in values if one.role == "status" and value), None)
    status, found = _decide(draft, status_text, path)
    item = WorkItem(
        slug=_slug(draft),
        title=text.line(draft.named.title) or _slug(draft),
        status=status,
        status_text=status_text,
        next=next((value for one, value in values if one.role == "next" and not words.is_nothing(value)), None),
        owner=next(
            (value for one, value in values if one.role == "owner" and not words.is_nothing(value)), draft.owner
        ),
        fields=tuple((text.line(one.name, NAME_LIMIT), value) for one, value in values if not one.role and value),
        line=draft.line,
        end_line=draft.end,
    )
    return item, found


def _owners(values: Sequence[tuple[Field, str]]) -> Iterator[str]:
    return (value for one, value in values if one.role == "owner" and not words.is_nothing(value))


def _value(parts: Sequence[str]) -> str:
    return text.line(plain(" ".join(parts)[:RAW_LIMIT]), VALUE_LIMIT)


def _decide(draft: Draft, value: str | None, path: RepoPath) -> tuple[Status, tuple[Diagnostic, ...]]:
    """The status: a mark, else the word, an emoji beside it, an emoji of the heading, the lane."""
    if draft.mark not in (None, " "):
        if draft.decided:
            return draft.decided, ()
        return "unknown", (diagnostics.make("W104", path, draft.line, mark=draft.mark),)
    said = (words.status_by_word(value) or words.status_by_emoji(value)) if value else None
    status = said or draft.sign or draft.lane
    if status:
        return status, ()
    if value:
        return "unknown", (diagnostics.make("W101", path, draft.line, status=value),)
    if draft.mark == " ":
        return "todo", ()
    return "unknown", (diagnostics.make("W102", path, draft.line, slug=_slug(draft)),)
