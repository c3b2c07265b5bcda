"""Where the pages of a report lead, read from their files."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.browser.sites import Built


@dataclass(frozen=True, slots=True)
class Contents:
    """The ids and the addresses of one page."""

    ids: Counter[str] = field(default_factory=Counter)
    addresses: list[str] = field(default_factory=list)


class _Reading(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found = Contents()

    def handle_starttag(self, _: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.found.ids.update([given["id"]] if "id" in given else [])
        self.found.addresses.extend(given[name] for name in ("href", "src") if name in given)


@cache
def contents(page: Path) -> Contents:
    """What stands on a page."""
    reading = _Reading()
    reading.feed(page.read_text(encoding="utf-8"))
    return reading.found


def ids_twice(built: Built) -> list[str]:
    """Ids that stand more than once on their page."""
    found = ((page, contents(built.report / page).ids) for page in built.pages)
    return [f"{page}#{name}" for page, ids in found for name, times in ids.items() if times > 1]


def broken_links(built: Built) -> list[str]:
    """Links inside the report that lead to no file or to no place on a page; state for scripts (`#a=b`) is no place."""
    return [f"{page}: {address}" for page in built.pages for address in _lost(built.report, page)]


def _lost(report: Path, page: str) -> Iterator[str]:
    for address in dict.fromkeys(contents(report / page).addresses):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path))) if parts.path else page
        target, place = report / path, unquote(parts.fragment)
        is_place = place and "=" not in place and target.suffix == ".html"
        if path.startswith("../") or not target.is_file() or (is_place and place not in contents(target).ids):
            yield address
