"""What one heading, list entry, field or table row of a board says by itself.  Pure, never raises."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline import text
from pipeline.parse import words
from pipeline.parse.inline import plain

VALUE_LIMIT = 2000
NAME_LIMIT = 100
DASH = re.compile(r"\s[—–-]\s")
# The first thing that parts a slug from its title; a colon only where a space follows it.
SEPARATOR = re.compile(r"\s?[—–]\s?|\s-\s|:\s|：")
# A colon without a space parts them where nothing else does: `T-1:Fix it`, but neither `10:30` nor `std::map`.
TIGHT_COLON = re.compile(r"(?<!:):(?=[^\W\d_])")
ID = re.compile(
    r"\[?(#?[^\W\d_]\w{0,19}(?:[-_.]\w{1,19}){0,3}|#\w{1,20})(?:\]\s+|\]?\s?(?::|：|—|–)\s?|\]?\s-\s|-\s)(?=\S)"
)
NUMBERED = re.compile(r"[^\W\d_]{1,20}\s#?\d{1,6}\Z")
# `(owner Ann)`, `(исполнитель: Анна)` in the line of a task.
OWNER_WORDS = "owner|assignee|assigned to|assigned|agent|исполнитель|ответственный"
OWNER = re.compile(rf"\s?\((?:{OWNER_WORDS})[: ]\s?([^()]{{1,100}})\)", re.IGNORECASE)
ID_ALONE = re.compile(r"#?[^\W\d_]\w{0,19}(?:[-_.]\w{1,19}){1,3}\Z|#\w{1,20}\Z")

ID_COLUMNS = frozenset(("id", "#", "№", "task id", "ticket", "key", "slug", "номер", "ид", "任务 id", "任务id", "编号"))
TASK_COLUMNS = frozenset(("task", "tasks", "задача", "任务", "aufgabe", "작업", "태스크"))
TITLE_COLUMNS = frozenset(("title", "название", "заголовок", "наименование", "标题", "任务名称", "titel", "제목"))
ABOUT_COLUMNS = frozenset(("description", "summary", "описание", "描述"))


@dataclass(frozen=True, slots=True)
class Field:
    """`**Name:** value`; a name without bold letters is a field only if its role is known."""

    name: str
    value: str
    bold: bool

    @property
    def role(self) -> words.Role | None:
        """Status, next or owner; None for any other name."""
        return words.field_role(self.name)


@dataclass(frozen=True, slots=True)
class Named:
    """A task's names.  `has_slug`: the author wrote a slug; else it is made from the title."""

    slug: str
    title: str
    has_slug: bool


def read_field(line: str) -> Field | None:
    """The field that a line begins with, or None."""
    for marks in ("**", "__"):
        if line.startswith(marks):
            return _bold_field(line, marks)
    name, colon, value = line[: NAME_LIMIT + 1].partition(":")
    if not colon or not words.field_role(name):
        return None
    return Field(name.strip(), (value + line[NAME_LIMIT + 1 :]).strip(), bold=False)


def _bold_field(line: str, marks: str) -> Field | None:
    end = line.find(marks, 2, NAME_LIMIT + 4)
    name = line[2:end].strip() if end > 2 else ""
    rest = line[end + 2 :].lstrip()
    if not name or not (name[-1] in ":：" or rest[:1] in tuple(":：")):
        return None
    value = rest if name[-1] in ":：" else rest[1:]
    return Field(plain(name.rstrip(":：")), value.strip(), bold=True)


def without_owner(line: str) -> tuple[str, str | None]:
    """A task's line without the owner that stands in parentheses, and that owner."""
    found = OWNER.search(line) if "(" in line else None
    if found is None:
        return line, None
    return line[: found.start()] + line[found.end() :], plain(found[1]).strip() or None


def read_heading(title: str) -> Named:
    """`[emoji] slug — title` taken apart; a heading without a slug gives one made from its title.

    A slug is one word, or a word with a number (`Task 1`).
    """
    shown = words.without_leading_symbols(plain(title))
    for parted in filter(None, (SEPARATOR.search(shown), TIGHT_COLON.search(shown))):
        slug, rest = shown[: parted.start()].strip(), shown[parted.end() :].strip()
        if slug and (" " not in slug or NUMBERED.match(slug)):
            return Named(slug.strip("[]"), rest or slug, has_slug=True)
    bracketed = ID.match(shown)
    if bracketed and shown.startswith("[") and _is_id(bracketed[1]):
        return Named(bracketed[1], shown[bracketed.end() :], has_slug=True)
    return Named(words.slugify(shown), shown, has_slug=False)


def read_entry(entry: str) -> Named:
    """A lane's list entry: id and title up to a spaced dash; else its bold beginning; else its text up
    to a spaced dash.  Signs before it, and a date or a number before the dash, are passed over.
    """
    entry = words.without_leading_symbols(entry) or entry
    shown = plain(entry)
    match = ID.match(shown)
    if match and _is_id(match[1]):
        return Named(match[1], _before_dash(shown[match.end() :]), has_slug=True)
    bold = _bold_prefix(entry)
    if bold and ID_ALONE.match(bold) and _is_id(bold) and shown != bold:
        return Named(bold, _before_dash(shown.removeprefix(bold).strip(" :—–-")), has_slug=True)
    title = bold if _has_letter(bold) else _before_dash(shown)
    return Named(words.slugify(title), title, has_slug=False)


def _is_id(name: str) -> bool:
    """`T-12`, `task-001`, `#rau`: a hash, or a digit after a joint."""
    joined = re.split("[-_.]", name)[1:]
    return name.startswith("#") or any(part[:1].isdigit() or part[-1:].isdigit() for part in joined)


def _before_dash(shown: str) -> str:
    parts = DASH.split(shown)
    return next((part for part in parts if _has_letter(part)), parts[0]).strip()


def _has_letter(shown: str) -> bool:
    return any(letter.isalpha() for letter in shown)


def _bold_prefix(entry: str) -> str:
    for marks in ("***", "___", "**", "__"):
        start = len(marks)
        end = entry.find(marks, start) if entry.startswith(marks) else -1
        if end > start:
            return plain(entry[start:end]).rstrip(":：").strip()
    return ""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column of a task table holds what; None where there is none.  `others` are fields, by name."""

    ident: int | None
    task: int | None
    title: int | None
    about: int | None
    status: int | None
    next: int | None
    owner: int | None
    others: tuple[tuple[int, str], ...]

    @property
    def names_tasks(self) -> bool:
        """Whether a row can name a task at all."""
        return any(column is not None for column in (self.ident, self.task, self.title))


def read_columns(header: tuple[str, ...]) -> Columns:
    """Find a table's columns by name, in any order; the first of two with one name counts."""
    names = tuple(text.line(plain(name), NAME_LIMIT) for name in header[:NAME_LIMIT])
    folded = [text.fold(name) for name in names]
    roles = [words.field_role(name) for name in names]

    def first(known: frozenset[str]) -> int | None:
        return next((place for place, name in enumerate(folded) if name in known), None)

    def holding(role: words.Role) -> int | None:
        return roles.index(role) if role in roles else None

    ident, task, title = first(ID_COLUMNS), first(TASK_COLUMNS), first(TITLE_COLUMNS)
    known = (ident, task, title, holding("status"), holding("next"), holding("owner"))
    return Columns(
        ident=ident,
        task=task,
        title=title,
        about=first(ABOUT_COLUMNS),
        status=holding("status"),
        next=holding("next"),
        owner=holding("owner"),
        others=tuple((place, name) for place, name in enumerate(names) if name and place not in known),
    )


def name_row(ident: str, task: str, title: str, about: str) -> Named | None:
    """A table row's names from its cells; None for a placeholder row.

    `Task` holds ids beside a title, and titles beside an id or alone.
    """
    if not ident and (title or " " not in task):
        ident, task = task, ""
    if ident in words.NOTHING - {""} or words.is_placeholder(ident or task or title):
        return None
    named = title or task or (about if ident and " " not in ident else "") or ident
    return Named(ident or words.slugify(named), named, has_slug=bool(ident))
