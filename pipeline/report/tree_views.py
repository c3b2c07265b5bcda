"""A wiki as its project's page shows it, as typed values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLine:
    """A page in the tree of its wiki.  Before it, `closes` lists end; with `opens` a list begins inside the page above.

    `orphan`: nothing leads to it; `dead`: how many of its links lead nowhere.
    """

    slug: str
    title: str
    description: str | None
    domain: str | None
    href: str | None
    opens: bool
    closes: int
    indexed: bool
    available: bool
    orphan: bool
    dead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeView:
    """A wiki as a tree.  `closes` lists are open after the last line; `more` pages are not shown."""

    lines: tuple[TreeLine, ...]
    closes: int
    total: int
    more: int
    orphans: int
    dead: int
