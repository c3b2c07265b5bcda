"""The texts of the search index: what each is called and says, and the runs of letters in it.  Pure.

A *run* is what stands between two blanks of a folded text: each word of a query lies inside one run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pipeline.index_rows import headings
from pipeline.report.search_postings import BODY, FIELDS
from pipeline.text import fold

LONGEST_RUN = 200
HEADINGS = 2
# By the letters that a long run has: those of a query must be among them.
LETTERS = (
    (1, re.compile("[a-z]")),
    (2, re.compile("[0-9]")),
    (4, re.compile("[\u0400-\u04ff]")),
    (8, re.compile("[^\x00-\x7f\u0400-\u04ff]")),
)


class Text(NamedTuple):
    """One text as results show it.

    `mark` is equal only for the same body; `note` is a page's path or a task's status; `fields` as written, the
    first counts most, the last is the body.  Between them a page has its headings, which stand in its body.
    """

    number: int
    kind: str
    mark: str
    href: str
    note: str
    fields: tuple[str, ...]

    @property
    def plain(self) -> list[object]:
        """As files of the index have it."""
        return [self.number, self.kind, self.mark, self.href, self.note, *self.fields]

    @property
    def size(self) -> int:
        """About how many letters it takes in a file."""
        return sum(map(len, self.fields))


def read_text(plain: Sequence[object]) -> Text:
    """What `Text.plain` is of."""
    number, kind, mark, href, note, *fields = plain
    return Text(int(str(number)), str(kind), str(mark), str(href), str(note), tuple(map(str, fields)))


def runs(text: Text) -> dict[str, int]:
    """Every run of a text with the first of the four fields that has it."""
    found: dict[str, int] = {}
    for field, written in reversed(list(_fields(text))):
        found.update(dict.fromkeys(fold(written).split(), field))
    return found


def _fields(text: Text) -> Iterator[tuple[int, str]]:
    """The four fields of a task (slug, title, next, text) or a page (slug, title, headings, body); of a project one."""
    *short, body = text.fields
    yield from enumerate(short)
    if text.kind in ("wiki", "shared"):
        for heading in headings(body):
            yield HEADINGS, heading
    yield (BODY if short else 0), body


def letters(run: str) -> int:
    """Which kinds of letters a run has."""
    return sum(bit for bit, some in LETTERS if some.search(run))


class Hits(NamedTuple):
    """The hits of one text by run, the long ones apart."""

    words: Mapping[str, int]
    long: Mapping[str, int]


def hits(text: Text) -> Hits:
    """The field of each run, split."""
    found = runs(text)
    if max(map(len, found), default=0) <= LONGEST_RUN:
        return Hits(found, {})
    long = {run: field for run, field in found.items() if len(run) > LONGEST_RUN}
    return Hits({run: field for run, field in found.items() if run not in long}, long)


def hit(number: int, field: int) -> int:
    """The hit of a text in a field."""
    return number * FIELDS + field
