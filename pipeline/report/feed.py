"""Changes for machines: an Atom feed (RFC 4287), and rows as JSON.  Pure."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import orjson

from pipeline.index_history import EPOCH
from pipeline.messages import Messages
from pipeline.report.days import iso
from pipeline.report.views import CommitLine, PageLine, TurnLine
from pipeline.text import line as one_line

ATOM = "http://www.w3.org/2005/Atom"
# Ids of entries are made of the project and the commit: they stay whatever the report is called or moved to.
IDS = uuid.UUID("5f0a1f0e-6d0c-5a68-9d1f-3c2b7b0f9a11")
# What XML 1.0 has no way to write.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def atom(words: Messages, entries: Sequence[tuple[CommitLine, str]]) -> bytes:
    """The feed of commits, the newest first, each with the page that it stands on; links are relative to the feed."""
    root = Element("feed", {"xmlns": ATOM, "xml:lang": words.language})
    _text(root, "id", f"urn:uuid:{uuid.uuid5(IDS, 'changes')}")
    _text(root, "title", words.text("changes.feed"))
    _text(root, "updated", iso(entries[0][0].at if entries else EPOCH))
    SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": "feed.xml"})
    SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": "changes.html"})
    for line, page in entries:
        _entry(root, words, line, page)
    indent(root, space="")
    written: str = tostring(root, encoding="unicode")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + written.encode() + b"\n"


def rows(week: str, commits: Iterable[CommitLine]) -> bytes:
    """A week's commits, or a part of them, the newest first; `more` changes of a commit are left out."""
    return _json({"week": week, "commits": [_commit(line) for line in commits]})


def index(weeks: Sequence[object]) -> bytes:
    """All weeks, the oldest first: which page shows them, and which file has their rows."""
    return _json({"weeks": weeks})


def said(words: Messages, change: PageLine | TurnLine) -> str:
    """One change as one line of text."""
    if isinstance(change, PageLine):
        counted = "" if change.added is None or change.removed is None else f" (+{change.added} −{change.removed})"
        return f"{words.text(f'changes.page_{change.deed}')}: {change.title}{counted}"
    if change.deed == "next":
        return f"{words.text('changes.task_next')}: {change.title}: {change.before or '–'} → {change.after or '–'}"
    sides = [words.text(f"status.{side}") for side in (change.before, change.after) if side is not None]
    return f"{words.text(f'changes.task_{change.deed}')}: {change.title}: {' → '.join(sides)}"


def _entry(root: Element, words: Messages, line: CommitLine, page: str) -> None:
    told = [said(words, change) for change in line.changes]
    more = [words.count("count.more_changes", line.more)] if line.more else []
    others = len(told) - 1 + line.more
    entry = SubElement(root, "entry")
    _text(entry, "id", f"urn:uuid:{uuid.uuid5(IDS, f'{line.repository} {line.commit}')}")
    _text(entry, "title", f"{one_line(f'{line.project.text}: {told[0]}')}{f' (+{others})' if others else ''}")
    _text(entry, "updated", iso(line.at))
    _text(SubElement(entry, "author"), "name", line.author or "–")
    SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": f"{page}#{line.anchor}"})
    _text(entry, "content", "\n".join([*told, *more]))


def _text(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = UNWRITABLE.sub("\ufffd", text)


def _commit(line: CommitLine) -> dict[str, object]:
    return {
        "at": iso(line.at),
        "author": line.author,
        "commit": line.commit,
        "project": line.repository,
        "wiki": [_page(change) for change in line.changes if isinstance(change, PageLine)],
        "tasks": [_turn(change) for change in line.changes if isinstance(change, TurnLine)],
        "more": line.more,
    }


def _page(change: PageLine) -> dict[str, object]:
    return {
        "slug": change.slug,
        "title": change.title,
        "change": change.deed,
        "version": change.version,
        "added": change.added,
        "removed": change.removed,
        "href": change.href,
    }


def _turn(change: TurnLine) -> dict[str, object]:
    return {
        "slug": change.slug,
        "title": change.title,
        "change": change.deed,
        "before": change.before,
        "after": change.after,
        "href": change.href,
    }


def _json(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
