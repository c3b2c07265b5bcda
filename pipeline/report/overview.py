"""index.html: how fresh, what needs attention, how much there is."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.report import lines, rows
from pipeline.report.page import Page, Site
from pipeline.report.views import Overview, Shortlist

SHORTLIST = 5


def pages(site: Site) -> Iterator[Page]:
    """The one page; its numbers are known only when it is made."""
    title = site.words.text("index.title")
    yield Page(
        path="index.html",
        template="index.html",
        section="overview",
        title=title,
        made_of=None,
        view=lambda: _overview(site),
    )


def _overview(site: Site) -> Overview:
    lists, survey = site.lists, site.survey
    task_places, health_places = lists.tasks.places(), lists.health.places()
    return Overview(
        projects=survey.projects,
        tasks=sum(survey.tasks.values()),
        wiki_pages=survey.wiki_pages,
        tiles=lines.tiles(survey.tasks, task_places),
        blocked=Shortlist(
            total=survey.tasks["blocked"],
            href=task_places.get("blocked"),
            lines=rows.latest_tasks(site.catalog, "blocked", SHORTLIST),
        ),
        troubled=Shortlist(
            total=lists.troubled.total,
            href=health_places.get("repositories"),
            lines=lists.troubled.first_rows(SHORTLIST),
        ),
        errors=Shortlist(
            total=lists.errors.total,
            href=health_places.get("error"),
            lines=lists.errors.first_rows(SHORTLIST),
        ),
    )
