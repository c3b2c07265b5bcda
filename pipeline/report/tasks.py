"""tasks.html: all tasks by status."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.report import lines, tables, trends
from pipeline.report.listing import list_pages
from pipeline.report.page import File, Page, Site
from pipeline.report.views import TasksView


def pages(site: Site) -> Iterator[Page | File]:
    """The list and its sheets, and the data beside them."""
    yield from list_pages(
        site, "tasks", site.lists.tasks, lambda: _view(site), lambda status: site.words.text(f"status.{status}")
    )
    yield from tables.task_table(site).files()


def _view(site: Site) -> TasksView:
    listed = site.lists.tasks
    return TasksView(
        parts=listed.opening(),
        tiles=lines.tiles(site.survey.tasks, listed.anchors()),
        rows=tables.task_table(site).scripts(),
        ages=trends.open_ages(site.catalog, site.words),
    )
