"""The pages of a long list: its first one, and its sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from pipeline.report import lines
from pipeline.report.page import Page, Site
from pipeline.report.sheets import LongList, Sheet
from pipeline.report.views import Link, SheetView

Line = TypeVar("Line")


def list_pages(
    site: Site, name: str, listed: LongList[Line], view: Callable[[], object], heading: Callable[[str], str]
) -> Iterator[Page]:
    """The first page of a list, always made since more than its rows stands on it, and its sheets."""
    title = site.words.text(f"{name}.title")
    yield Page(path=listed.file, template=f"{name}.html", section=name, title=title, made_of=None, view=view)
    home = Link(href=listed.file, text=title)
    for sheet in listed.sheets():
        yield _sheet_page(sheet, name, home, heading(sheet.section.key))


def _sheet_page(sheet: Sheet[Line], section: str, home: Link, heading: str) -> Page:
    pager = lines.pager(sheet)
    return Page(
        path=sheet.file,
        template="sheet.html",
        section=section,
        title=f"{heading} · {pager.first} – {pager.last}",
        made_of=sheet.made_of(),
        view=lambda: SheetView(home=home, key=sheet.section.key, heading=heading, pager=pager, rows=sheet.rows()),
    )
