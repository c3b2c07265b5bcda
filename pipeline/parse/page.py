"""A wiki page, a page of the shared wiki → what lists and searches show of it.  Pure, never raises.

A page stays listed whatever is wrong with it: trouble is a diagnostic beside what could be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from pipeline import diagnostics, text
from pipeline.codes import asked_code
from pipeline.model import Diagnostic, RepoPath
from pipeline.parse.blocks import Block, Text
from pipeline.parse.front_matter import read_front_matter
from pipeline.parse.inline import plain
from pipeline.parse.links import Reference, read_references
from pipeline.parse.markdown import Document, Refusal, inspect, is_lfs_pointer

TROUBLE = {"encoding": "E301", "size": "E302", "conflict": "W308", "nul": "W309"}
SUMMARY_KEYS = ("description", "summary")
PARAGRAPH_LINES = 40
DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What a page says of itself.  `summary` is its front matter's, `opening` its first paragraph; `references`
    are its links as written, one more than the limit when there are more.
    """

    title: str
    summary: str | None
    opening: str | None
    front_matter: Mapping[str, object]
    aliases: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()

    @property
    def description(self) -> str | None:
        """One line about the page."""
        return self.summary or self.opening


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedText:
    """What a page of the shared wiki says of itself; `shared_at` is an ISO date or time where it is one."""

    page: PageText
    domain: str | None
    shared_at: str | None
    applies_to: tuple[str, ...]
    source_project: str | None


def parse_page(path: RepoPath, slug: str, raw: bytes) -> tuple[PageText, tuple[Diagnostic, ...]]:
    """Read one page.  Title: front matter, else the first H1, else the last part of `slug`."""
    if is_lfs_pointer(raw):
        return unread_page(slug), ()
    document, refusals = inspect(raw)
    plain_data, found = read_front_matter(path, document.front_matter)
    page = PageText(
        title=_line_of(plain_data, "title") or document.title or unread_page(slug).title,
        summary=next((value for value in (_line_of(plain_data, key) for key in SUMMARY_KEYS) if value), None),
        opening=_opening(document),
        front_matter=plain_data,
        aliases=(*_lines_of(plain_data, "aliases"), *_lines_of(plain_data, "alias")),
        references=read_references(document),
    )
    trouble = (_trouble(path, refusal) for refusal in refusals)
    return page, (*trouble, *_unclosed(path, document), *found, *_odd_code(path, plain_data))


def unread_page(slug: str) -> PageText:
    """What is known of a page whose text is not there: its name."""
    title = text.line(slug.rsplit("/", 1)[-1]) or "?"
    return PageText(title=title, summary=None, opening=None, front_matter={})


def parse_shared_page(path: RepoPath, slug: str, raw: bytes) -> tuple[SharedText, tuple[Diagnostic, ...]]:
    """Read one page of the shared wiki.  Domain: front matter, else the first folder of its path."""
    page, found = parse_page(path, slug, raw)
    domain, more = _domain(path, slug, _line_of(page.front_matter, "domain"))
    shared_at, odd = _shared_at(path, _line_of(page.front_matter, "shared_at"))
    shared = SharedText(
        page=page,
        domain=domain,
        shared_at=shared_at,
        applies_to=_lines_of(page.front_matter, "applies_to"),
        source_project=_line_of(page.front_matter, "source_project"),
    )
    return shared, (*found, *more, *odd)


def unread_shared_page(slug: str) -> SharedText:
    """What is known of a shared page whose text is not there: its name and the folder it stands in."""
    page = unread_page(slug)
    return SharedText(page=page, domain=_folder(slug), shared_at=None, applies_to=(), source_project=None)


def _folder(slug: str) -> str | None:
    folder, slash, _ = slug.partition("/")
    return folder if slash else None


def _domain(path: RepoPath, slug: str, named: str | None) -> tuple[str | None, tuple[Diagnostic, ...]]:
    folder = _folder(slug)
    if named is None:
        found = diagnostics.make("W401", path, domain=folder) if folder else diagnostics.make("W403", path)
        return folder, (found,)
    if folder is not None and text.fold(folder) != text.fold(named):
        return named, (diagnostics.make("W402", path, domain=named, folder=folder),)
    return named, ()


def _shared_at(path: RepoPath, written: str | None) -> tuple[str | None, tuple[Diagnostic, ...]]:
    if written is None:
        return None, ()
    try:
        return _iso(written), ()
    except ValueError:
        return written, (diagnostics.make("W404", path, value=written),)


def _iso(written: str) -> str:
    """A date or a time in ISO form.

    Raises:
        ValueError: it is neither.
    """
    day = DATE.match(written)
    if day:
        return date(int(day[1]), int(day[2]), int(day[3])).isoformat()
    return datetime.fromisoformat(written).isoformat()


def _trouble(path: RepoPath, refusal: Refusal) -> Diagnostic:
    return diagnostics.make(TROUBLE[refusal.kind], path, refusal.line)


def _unclosed(path: RepoPath, document: Document) -> tuple[Diagnostic, ...]:
    return (diagnostics.make("W307", path, 1),) if document.unclosed else ()


def _odd_code(path: RepoPath, plain_data: Mapping[str, object]) -> tuple[Diagnostic, ...]:
    written = plain_data.get("code")
    if not written or asked_code(plain_data) is not None:
        return ()
    return (diagnostics.make("W312", path, 1, written=written),)


def _line_of(plain_data: Mapping[str, object], key: str) -> str | None:
    """A text value as one line; None for anything else and for an empty one."""
    value = plain_data.get(key)
    return (text.line(value) or None) if isinstance(value, str) else None


def _lines_of(plain_data: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = plain_data.get(key)
    values = value if isinstance(value, list) else [value]
    shown = (text.line(one) for one in values if isinstance(one, str))
    return tuple(one for one in shown if one)


def _opening(document: Document) -> str | None:
    """The first paragraph with text in it, as one line."""
    paragraphs = (text.line(plain(" ".join(lines))) for lines in _paragraphs(document.blocks))
    return next((paragraph for paragraph in paragraphs if paragraph), None)


def _paragraphs(blocks: tuple[Block, ...]) -> Iterator[list[str]]:
    lines: list[str] = []
    last = -1
    for block in blocks:
        if not isinstance(block, Text):
            continue
        if lines and block.line != last + 1:
            yield lines
            lines = []
        if len(lines) < PARAGRAPH_LINES:
            lines.append(block.text)
        last = block.line
    if lines:
        yield lines
