"""projects.html: all projects."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.report import tables
from pipeline.report.listing import list_pages
from pipeline.report.page import File, Page, Site
from pipeline.report.views import ProjectsView


def pages(site: Site) -> Iterator[Page | File]:
    """The list and its sheets, and the data beside them."""
    listed = site.lists.projects
    heading = site.words.text("projects.all")
    yield from list_pages(site, "projects", listed, lambda: _view(site), lambda _: heading)
    yield from tables.project_table(site).files()


def _view(site: Site) -> ProjectsView:
    return ProjectsView(parts=site.lists.projects.opening(), rows=tables.project_table(site).scripts())
