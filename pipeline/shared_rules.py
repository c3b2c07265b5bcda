"""The shared wiki's CLAUDE.md → its domains and its black list.  Pure, never raises.

Domains are the entries of lists below a heading with "domain" or "домен"; names that no shared page may have
those below a heading with "black list", "blacklist", "never", "чёрный" or "никогда", which counts first: what
a wiki never speaks of may be "business domains".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pipeline import text
from pipeline.model import SharedRules
from pipeline.parse.blocks import Block, Heading, Item
from pipeline.parse.inline import plain
from pipeline.parse.markdown import inspect
from pipeline.parse.names import lead

DOMAINS = ("domain", "домен")
NEVER = ("black list", "blacklist", "black-list", "never", "черный", "никогда")
MOST_NAMES = 1_000

Kind = Literal["domains", "never"]


def read_rules(written: str) -> SharedRules:
    """Read the text of a CLAUDE.md; lists keep its order and words, of names that fold alike the first.

    An entry's name is the code span or bold text that it begins with, else its first word.  Entries of a
    list within a list say more about the one above, and are no names.
    """
    names: dict[Kind, dict[str, str]] = {"domains": {}, "never": {}}
    for kind, entry in _entries(inspect(written.encode("utf-8", "replace"))[0].blocks):
        # A folder is called without its slash.
        name = lead(entry).name.rstrip("/")
        if name and len(names[kind]) < MOST_NAMES:
            names[kind].setdefault(text.fold(name), name)
    return SharedRules(domains=tuple(names["domains"].values()), never=tuple(names["never"].values()))


def _entries(blocks: Iterable[Block]) -> Iterator[tuple[Kind, str]]:
    """The entries of the outermost lists, with what the nearest heading above that says so makes them."""
    headings: list[tuple[int, Kind | None]] = []
    outermost: int | None = None
    for block in blocks:
        if isinstance(block, Heading):
            while headings and headings[-1][0] >= block.level:
                headings.pop()
            headings.append((block.level, _kind(block.text)))
            outermost = None
        elif isinstance(block, Item):
            outermost = block.indent if outermost is None else min(outermost, block.indent)
            kind = next((kind for _, kind in reversed(headings) if kind), None)
            if kind and block.indent == outermost:
                yield kind, block.text


def _kind(heading: str) -> Kind | None:
    folded = text.fold(plain(heading))
    if any(word in folded for word in NEVER):
        return "never"
    return "domains" if any(word in folded for word in DOMAINS) else None
