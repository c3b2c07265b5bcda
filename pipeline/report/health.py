"""health.html: every source, what could not be read, and what is wrong in texts."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.report import lines
from pipeline.report.listing import list_pages
from pipeline.report.page import Page, Site
from pipeline.report.views import HealthView


def pages(site: Site) -> Iterator[Page]:
    """The page and the sheets of its lists."""
    yield from list_pages(site, "health", site.lists.health, lambda: _view(site), lambda key: _heading(site, key))


def _heading(site: Site, key: str) -> str:
    named = "health.repositories_troubled" if key == "repositories" else f"severity.{key}"
    return site.words.text(named)


def _view(site: Site) -> HealthView:
    return HealthView(
        parts=site.lists.health.opening(),
        sources=site.survey.sources,
        codes=lines.code_meanings(site.survey.codes),
    )
