"""What the report is made of: pages that a template shows, and files that are made as bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

from pipeline.catalog import Catalog
from pipeline.catalog.survey import Stamp
from pipeline.messages import Messages
from pipeline.model import RootsFile
from pipeline.report.rows import Lists, Survey

DIGEST_LETTERS = 32


@dataclass(frozen=True, slots=True)
class Standing:
    """The report that is there: the mark of each file that is still as this code left it, in this language.

    `read` gives the bytes of such a file; None where only marks are known.
    """

    marks: Mapping[str, str] = field(default_factory=dict)
    read: Callable[[str], bytes] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What every part of the report may ask: the catalog, our words, each project's mark, lists and totals.

    `has_pages`: wiki pages have pages of their own; without them nothing leads to one.  `standing`: the report that
    is there.  `roots`: what is told of knowledge roots, None
    where there are none or the report is for others.
    """

    catalog: Catalog
    words: Messages
    stamps: Sequence[Stamp]
    lists: Lists
    survey: Survey
    has_pages: bool = True
    standing: Standing = field(default_factory=Standing)
    roots: RootsFile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page before it is rendered.  `section` is its place in the navigation; `view` makes what it shows.

    `made_of` is plain data, equal only for pages that look the same; None where that is known only when
    the page is made: it is then always made.  `family` stands for all that it and others like it are made of.
    """

    path: str
    template: str
    section: str
    title: str
    made_of: object | None
    view: Callable[[], object]
    family: str = ""

    @property
    def mark(self) -> str | None:
        """A digest of what it is made of, behind that of its family."""
        return None if self.made_of is None else self.family + digest(orjson.dumps([self.title, self.made_of]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A page that is there and right, as is known of its whole family: what it shows was not even asked."""

    path: str
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file that no template shows: data, a script, a style.  `made_of` as in `Page`."""

    path: str
    made_of: object | None
    content: Callable[[], bytes]

    @property
    def mark(self) -> str | None:
        """A digest of what it is made of."""
        return None if self.made_of is None else digest(orjson.dumps(self.made_of))


def is_same(one: str | None, other: str | None) -> bool:
    """Whether two marks are of pages that look the same, whatever became of their families."""
    return one is not None and other is not None and one[-DIGEST_LETTERS:] == other[-DIGEST_LETTERS:]


def digest(raw: bytes) -> str:
    """A short name for these bytes."""
    return hashlib.sha256(raw).hexdigest()[:DIGEST_LETTERS]
