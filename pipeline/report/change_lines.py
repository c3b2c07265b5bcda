"""Commits → what lists of changes show of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pipeline import layout
from pipeline.catalog import timeline
from pipeline.catalog.timeline import CommitKey, CommitStamp, TaskTurn, WikiChange
from pipeline.index_history import moment_of
from pipeline.model import RepositoryId
from pipeline.report import lines
from pipeline.report.days import day_of, monday, week_name
from pipeline.report.page import Site
from pipeline.report.views import CommitLine, PageLine, TurnLine


def commit_lines(
    site: Site, stamps: Sequence[CommitStamp], most: int, project: RepositoryId | None = None
) -> tuple[CommitLine, ...]:
    """Commits that follow each other in time (all of `project`, if it is given), turned newest first.

    At most `most` pages and as many tasks are shown of each.
    """
    if not stamps:
        return ()
    totals = {stamp.key: stamp.wiki + stamp.tasks for stamp in stamps}
    found = timeline.changes(site.catalog, stamps[0].key, stamps[-1].key, most, project)
    return tuple(_commit_line(site, one, totals[one.key]) for one in found)


def week_href(day: int) -> str:
    """The page of the ISO week of a day: it is there when something changed in that week."""
    return f"changes/{week_name(day)}.html"


def week_of(key: CommitKey) -> int:
    """The Monday of the ISO week of a commit."""
    return monday(day_of(key.at))


def commit_anchor(key: CommitKey) -> str:
    """The anchor of a commit on the page of its week; two projects may share a commit."""
    return f"c-{commit_digest(key)[:12]}"


def commit_digest(key: CommitKey) -> str:
    """What tells a commit of a project from all others."""
    return hashlib.sha256(f"{key.project} {key.commit}".encode()).hexdigest()


def _commit_line(site: Site, found: timeline.CommitChanges, total: int) -> CommitLine:
    key = found.key
    pages = [_page_line(site, key.project, one) for one in found.wiki]
    turns = [_turn_line(key.project, one) for one in found.tasks]
    changes: tuple[PageLine | TurnLine, ...] = (*pages, *turns)
    return CommitLine(
        anchor=commit_anchor(key),
        project=lines.project_link(key.project),
        repository=key.project,
        at=moment_of(key.at),
        author=found.author,
        commit=key.commit,
        short=key.commit[: lines.SHORT_REVISION],
        changes=changes,
        more=total - len(changes),
    )


def _page_line(site: Site, project: RepositoryId, change: WikiChange) -> PageLine:
    has_page = site.has_pages and change.is_there
    return PageLine(
        deed="removed" if change.is_removal else "added" if change.is_new else "changed",
        href=layout.wiki_href(project, change.slug) if has_page else None,
        title=change.title,
        slug=change.slug,
        version=change.code,
        added=change.added,
        removed=change.removed,
    )


def _turn_line(project: RepositoryId, turn: TaskTurn) -> TurnLine:
    return TurnLine(
        deed=turn.kind,
        href=f"{layout.project_href(project)}#{layout.task_anchor(turn.slug)}" if turn.is_there else None,
        title=turn.title,
        slug=turn.slug,
        before=turn.before,
        after=turn.after,
    )
