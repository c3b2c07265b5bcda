"""Writes news.js when a version was published."""

from __future__ import annotations

from pipeline import catalog, clock, files, news
from pipeline.errors import CatalogError
from pipeline.layout import Layout
from pipeline.model import ReportSettings
from pipeline.news import News


def write_news(
    place: Layout, before: int | None, version: int, settings: ReportSettings, earlier: News | None = None
) -> News:
    """Tell what `version` changed against `before`; None: there is nothing to compare it with.

    `earlier` is what this run told already: when nothing was added to it, as when only histories came, it stays news.

    Raises:
        OSError: the disk refused.
    """
    made = _compared(place, before, version, settings)
    if earlier is not None and not made.total:
        made = news.go_on(earlier, version)
    files.write_atomic(place.news_js, news.render_news(made))
    return made


def _compared(place: Layout, before: int | None, version: int, settings: ReportSettings) -> News:
    if before is None:
        return news.nothing(version)
    now = clock.now()
    try:
        with catalog.open_version(place, before, now) as old, catalog.open_version(place, version, now) as new:
            return news.compare(old, new, settings.audience, has_pages=settings.pages)
    except CatalogError:
        return news.nothing(version)  # the one before was made by other code, or is not kept any more
