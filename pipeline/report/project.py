"""One page per repository."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.catalog.survey import Stamp
from pipeline.model import split_id
from pipeline.report import lines, rows
from pipeline.report.page import Page, Site


def pages(site: Site) -> Iterator[Page]:
    """In the order of the catalog."""
    # A repository that is shared shows the pages of the one shared wiki, which may be another.
    wiki = [stamp.mark for stamp in site.stamps if stamp.project == site.catalog.store.shared_wiki]
    for stamp in site.stamps:
        yield _page(site, stamp, [stamp.mark, *wiki] if stamp.shared else stamp.mark)


def _page(site: Site, stamp: Stamp, made_of: object) -> Page:
    _, owner, name = split_id(stamp.project)
    return Page(
        path=lines.project_href(stamp.project),
        template="project.html",
        section="projects",
        title=f"{owner}/{name}",
        made_of=made_of,
        view=lambda: rows.project_view(site.catalog, rows.project(site.catalog, stamp.project)),
    )
