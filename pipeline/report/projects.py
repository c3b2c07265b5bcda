"""projects.html: all projects."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.report.listing import list_pages
from pipeline.report.page import Page, Site
from pipeline.report.views import ProjectsView


def pages(site: Site) -> Iterator[Page]:
    """The list and its sheets."""
    listed = site.lists.projects
    heading = site.words.text("projects.all")
    yield from list_pages(site, "projects", listed, lambda: ProjectsView(parts=listed.opening()), lambda _: heading)
