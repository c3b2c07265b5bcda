"""health.html: every source, what could not be read, and what is wrong in texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline.catalog.written import ExcerptLine, excerpt
from pipeline.report import lines
from pipeline.report.listing import list_pages
from pipeline.report.page import Page, Site
from pipeline.report.views import DiagnosticLine, HealthView

EXCERPTS = 20


def pages(site: Site) -> Iterator[Page]:
    """The page and the sheets of its lists."""
    yield from list_pages(site, "health", site.lists.health, lambda: _view(site), lambda key: _heading(site, key))


def _heading(site: Site, key: str) -> str:
    named = "health.repositories_troubled" if key == "repositories" else f"severity.{key}"
    return site.words.text(named)


def _excerpts(site: Site) -> Mapping[DiagnosticLine, tuple[ExcerptLine, ...]]:
    """What stands around the first errors: what could not be read is seen without opening the repository."""
    errors = ((each, each.line) for each in site.lists.errors.first_rows(EXCERPTS))
    return {each: excerpt(site.catalog, each.repository, each.path, line) for each, line in errors if line is not None}


def _view(site: Site) -> HealthView:
    return HealthView(
        parts=site.lists.health.opening(),
        sources=site.survey.sources,
        codes=lines.code_meanings(site.survey.codes),
        excerpts=_excerpts(site),
    )
