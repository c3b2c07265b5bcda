"""Whole tables, a span of projects at a time: every task with what its history tells."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pipeline.catalog import Catalog
from pipeline.catalog.answers import Span
from pipeline.catalog.projects import moment
from pipeline.index_history import moment_of
from pipeline.model import RepositoryId, Status

SPAN = "repository between :first and :last"
# Of each task its last change.
CHANGES = f"select repository, slug, max(at) as at from task_changes where {SPAN} group by repository, slug"
OWNED = f"select distinct repository from items where owner is not null and {SPAN}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStanding:
    """One task.  `since` is when it got its status, None where no history tells; `changed_at` its last change, where
    none is known that of its project.  `names_owners`: some task of its board has an owner.
    """

    project: RepositoryId
    slug: str
    title: str
    status: Status
    status_text: str | None
    next: str | None
    owner: str | None
    line: int
    since: datetime | None
    changed_at: datetime | None
    names_owners: bool


def last_turns(where: str = "true") -> str:
    """A SELECT of the last that is known of each task's status; a board's changes are kept the newest first."""
    return f"""select repository, slug, min(position), at, after from task_changes
        where kind <> 'next' and {where} group by repository, slug"""


def tasks_of_all(catalog: Catalog, span: Span) -> list[TaskStanding]:
    """A span of all tasks, by project and place in the board."""
    return catalog.query(
        f"""with changes as ({CHANGES}), turns as ({last_turns(SPAN)}), owned as ({OWNED})
        select i.repository, i.slug, i.title, i.status, i.status_text, i.next, i.owner, i.line,
            t.at, c.at, p.committed_at, i.repository in owned
        from items i cross join projects p on p.repository = i.repository
            left join changes c on c.repository = i.repository and c.slug = i.slug
            left join turns t on t.repository = i.repository and t.slug = i.slug and t.after = i.status
        where i.{SPAN}
        order by i.repository, i.position limit :count offset :skip""",
        asdict(span),
        _standing,
    )


def _standing(*columns: Any) -> TaskStanding:
    repository, slug, title, status, status_text, following, owner, line, turned, changed, committed, owned = columns
    return TaskStanding(
        project=repository,
        slug=slug,
        title=title,
        status=status,
        status_text=status_text,
        next=following,
        owner=owner,
        line=line,
        since=_time(turned),
        changed_at=moment(committed) if changed is None else _time(changed),
        names_owners=bool(owned),
    )


def _time(seconds: int | None) -> datetime | None:
    return None if seconds is None else moment_of(seconds)
