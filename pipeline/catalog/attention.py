"""What somebody should look at, and since when: read off boards, their history, and what is wrong in texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pipeline.catalog import Catalog
from pipeline.catalog.tables import last_turns
from pipeline.index_history import moment_of
from pipeline.index_schema import STATUSES
from pipeline.model import RepositoryId

Reason = Literal["unread", "unreadable", "blocked", "paused", "no_next", "dead_link"]
REASONS: tuple[Reason, ...] = ("unread", "unreadable", "blocked", "paused", "no_next", "dead_link")
DEAD_LINK = "W310"

OF_TASKS = f"""case when i.rank = {STATUSES.index("blocked")} then 'blocked'
    when i.rank = {STATUSES.index("paused")} then 'paused'
    when i.rank = {STATUSES.index("active")} and coalesce(i.next, '') = '' then 'no_next' end"""
OF_TEXTS = f"case when d.severity = 'error' then 'unreadable' when d.code = '{DEAD_LINK}' then 'dead_link' end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """One thing to look at.

    `slug` and `title` are a task's, `path` and `line` a file's; `detail` is what went wrong, in words.  `since` is
    when the task came to this status, None where its board's history does not tell, and for all that is no task.
    """

    reason: Reason
    project: RepositoryId
    slug: str | None = None
    title: str | None = None
    path: str | None = None
    line: int | None = None
    code: str | None = None
    detail: str | None = None
    since: datetime | None = None


def totals(catalog: Catalog) -> Mapping[Reason, int]:
    """How many concerns there are of each reason; those without any are left out."""
    found = catalog.query(
        f"""select 'unread' as reason, count(*) from projects where state = 'unreachable' group by state
        union all select {OF_TASKS} as reason, count(*) from items i where reason is not null group by reason
        union all select {OF_TEXTS} as reason, count(*) from diagnostics d where reason is not null group by reason""",
        {},
        lambda *columns: columns,
    )
    return dict(found)


def first(catalog: Catalog, most: int) -> Mapping[Reason, tuple[Concern, ...]]:
    """Of each reason the `most` first: tasks that have waited longest, all else by project and place."""
    found: dict[Reason, list[Concern]] = {}
    for concern in (*_unread(catalog, most), *_texts(catalog, most), *_tasks(catalog, most)):
        found.setdefault(concern.reason, []).append(concern)
    return {reason: tuple(found[reason]) for reason in REASONS if reason in found}


def _unread(catalog: Catalog, most: int) -> list[Concern]:
    return catalog.query(
        "select repository, reason from projects where state = 'unreachable' order by repository limit :most",
        {"most": most},
        lambda repository, detail: Concern(reason="unread", project=repository, detail=detail),
    )


def _texts(catalog: Catalog, most: int) -> list[Concern]:
    return catalog.query(
        f"""select reason, repository, path, line, code, message from (
            select {OF_TEXTS} as reason, d.*,
            row_number() over (partition by {OF_TEXTS} order by d.repository, d.path, d.line, d.position) as place
            from diagnostics d where d.severity = 'error' or d.code = '{DEAD_LINK}'
        ) where place <= :most order by place""",
        {"most": most},
        lambda reason, repository, path, line, code, message: Concern(
            reason=reason, project=repository, path=path, line=line, code=code, detail=message
        ),
    )


def _tasks(catalog: Catalog, most: int) -> list[Concern]:
    return catalog.query(
        f"""select reason, repository, slug, title, since from (
            select *, row_number() over (
                partition by reason order by since is null, since, repository, position
            ) as place from (
                select {OF_TASKS} as reason, i.repository, i.position, i.slug, i.title,
                case when t.after = i.status then t.at end as since
                from items i left join ({last_turns()}) t on t.repository = i.repository and t.slug = i.slug
                where {OF_TASKS} is not null
            )
        ) where place <= :most order by place""",
        {"most": most},
        _task,
    )


def _task(reason: Any, repository: str, slug: str, title: str, since: int | None) -> Concern:
    return Concern(
        reason=reason,
        project=RepositoryId(repository),
        slug=slug,
        title=title,
        since=None if since is None else moment_of(since),
    )
