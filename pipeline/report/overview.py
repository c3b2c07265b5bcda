"""index.html: how fresh, what needs attention, what changed, how much there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pipeline import layout
from pipeline.catalog import Catalog, attention, history
from pipeline.catalog.answers import ChangeRow, TaskChangeRow
from pipeline.catalog.attention import Concern, Reason
from pipeline.index_schema import STATUSES
from pipeline.model import Status
from pipeline.report import lines, trends
from pipeline.report.page import Page, Site
from pipeline.report.views import Call, ConcernLine, HomeTile, LateChange, LateKind, Overview, OverviewTrends

CONCERNS = 10
CHANGES = 10
# Where all that asks for attention for one reason stands.
PLACES: Mapping[Reason, str] = {
    "unread": "health.html#repositories",
    "unreadable": "health.html#error",
    "blocked": "tasks.html#blocked",
    "paused": "tasks.html#paused",
    "no_next": "tasks.html#active",
    "dead_link": "health.html#warning",
}
TALLIED: Mapping[str, Status] = {"finished": "done", "stale": "paused"}


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
    survey, places = site.survey, site.lists.tasks.places()
    totals = attention.totals(site.catalog)
    told = trends.overview(site.catalog, site.stamps, site.words)
    return Overview(
        projects=survey.projects,
        current=sum(stamp.state == "ok" for stamp in site.stamps),
        tasks=sum(survey.tasks.values()),
        wiki_pages=survey.wiki_pages,
        home_tiles=_home_tiles(survey.tasks, places, told),
        tiles=lines.tiles(survey.tasks, places),
        calls=tuple(
            Call(reason=reason, total=totals[reason], href=PLACES[reason])
            for reason in attention.REASONS
            if reason in totals
        ),
        concerns=tuple(map(_concern_line, share(attention.first(site.catalog, CONCERNS), CONCERNS))),
        changes=late_changes(site.catalog, CHANGES),
        trends=told,
    )


def share(found: Mapping[Reason, Sequence[Concern]], most: int) -> list[Concern]:
    """At most `most` concerns in the order of the reasons: each reason gives one in turn, so none hides the others."""
    taken = dict.fromkeys(found, 0)
    turns = sorted((turn, order, reason) for order, reason in enumerate(found) for turn in range(len(found[reason])))
    for _, _, reason in turns[:most]:
        taken[reason] += 1
    return [concern for reason, count in taken.items() for concern in found[reason][:count]]


def _home_tiles(tasks: Mapping[Status, int], places: Mapping[str, str], told: OverviewTrends) -> tuple[HomeTile, ...]:
    shown: tuple[Status, ...] = ("blocked", "active")
    now = [
        HomeTile(
            key=status,
            status=status,
            number=tasks.get(status, 0),
            href=places.get(status),
            spark=told.sparks.get(status),
        )
        for status in shown
    ]
    tallied = [
        HomeTile(
            key=tally.key,
            status=TALLIED[tally.key],
            number=tally.number,
            href=tally.href if tally.number else None,
            spark=told.sparks.get(tally.key),
            on=tally.on,
        )
        for tally in told.tallies
    ]
    return (*now, *tallied)


def _concern_line(concern: Concern) -> ConcernLine:
    page = layout.project_href(concern.project)
    anchor = "diagnostics" if concern.slug is None else layout.task_anchor(concern.slug)
    project = lines.project_link(concern.project)
    return ConcernLine(
        reason=concern.reason,
        href=page if concern.reason == "unread" else f"{page}#{anchor}",
        what=concern.title or concern.path or project.text,
        project=project,
        place=None if concern.line is None else f"{concern.line}",
        detail=concern.detail,
        since=concern.since,
    )


def late_changes(catalog: Catalog, most: int) -> tuple[LateChange, ...]:
    """The newest changes of wikis and boards."""
    wiki = map(_page_change, history.wiki_changes(catalog, limit=most).rows)
    tasks = map(_task_change, history.task_changes(catalog, limit=most).rows)
    return tuple(sorted((*wiki, *tasks), key=lambda change: change.at, reverse=True)[:most])


def _page_change(row: ChangeRow) -> LateChange:
    kind: LateKind = "page_changed"
    if row.version.path is None:
        kind = "page_gone"
    elif row.version.number == 1:
        kind = "page_new"
    return LateChange(
        kind=kind,
        href=layout.project_href(row.project),
        what=row.title,
        project=lines.project_link(row.project),
        before=None,
        after=None,
        at=row.version.at,
    )


def _task_change(row: TaskChangeRow) -> LateChange:
    return LateChange(
        kind=row.kind,
        href=f"{layout.project_href(row.project)}#tasks",
        what=row.title,
        project=lines.project_link(row.project),
        before=None if row.kind == "next" else _status(row.before),
        after=None if row.kind == "next" else _status(row.after),
        at=row.at,
    )


def _status(written: str | None) -> Status | None:
    return next((status for status in STATUSES if status == written), None)
