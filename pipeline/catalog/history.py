"""Questions about history: who changed which page and which task, when, and what exactly; and codes of pages.

What was never brought is never shown as "no change": `history_of` and `coverage` tell it.  Periods are aware
times, `since` inclusive, `until` exclusive, None for no bound; `author` is a part of a name, or a whole e-mail.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from pipeline.catalog import Catalog, check_slice, projects, sliced
from pipeline.catalog.ages import Looks
from pipeline.catalog.answers import (
    ChangeRow,
    Coverage,
    HistoryState,
    Origin,
    PageDiff,
    PagePlace,
    ProjectRow,
    Rows,
    TaskChangeRow,
    VersionRow,
)
from pipeline.catalog.names import did_you_mean, quoted
from pipeline.codes import version_code
from pipeline.errors import CatalogError, UnknownPage
from pipeline.index_history import CLAIMED, EPOCH, moment_of
from pipeline.index_schema import PAGE_VERSIONS, TASK_CHANGES, Table
from pipeline.model import RepoPath, RepositoryId
from pipeline.text import body, fold

Kind = Literal["wiki", "tasks"]

# What a page has instead of its own code where pages of other repositories have a claim to that, too.
SETTLED = "(select s.code from settled_pages s where s.repository = h.repository and s.position = h.position)"
CODE = f"coalesce({SETTLED}, h.code)"
VERSION = f"""{SETTLED}, v.code, v.number, h.versions, v.commit_id, v.author, v.at, v.authored_at, v.path,
    v.added, v.removed"""
PLACE = f"h.repository, h.position, h.slug, h.path, h.title, {CODE}, h.versions, h.is_gone"
MEANT = """select repository, position from settled_codes where code = :code
    union all select c.repository, c.position from page_codes c where c.code = :code and c.rank < :claimed
    and not exists (select 1 from settled_pages s where s.repository = c.repository and s.position = c.position)"""
POSITIONS = """select position from page_histories
    where repository = :project and slug in (select value from json_each(:slugs))"""
PROJECT = "p.state, p.reason, p.source"
HAS = {"wiki": "(p.wiki_pages > 0 or p.index_state <> 'absent')", "tasks": "p.board <> 'absent'"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Which changes a list is about, as its callers give it."""

    since: datetime | None = None
    until: datetime | None = None
    author: str | None = None
    project: RepositoryId | None = None
    slugs: Collection[str] | None = None

    def where(self, table: str) -> str:
        """The SQL condition on the rows of `table`, in a form that its indexes serve."""
        conditions = (
            (self.since, f"{table}.at >= :since"),
            (self.until, f"{table}.at < :until"),
            (self.author, f"(instr({table}.author_folded, :author) > 0 or {table}.email_folded = :author)"),
            (self.project, f"{table}.repository = :project"),
            (self.slugs, f"{table}.position in ({POSITIONS})"),
        )
        return " and ".join(condition for value, condition in conditions if value is not None) or "true"

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of `where`."""
        return {
            "since": None if self.since is None else _seconds(self.since),
            "until": None if self.until is None else _seconds(self.until),
            "author": None if self.author is None else _author(self.author),
            "project": self.project,
            "slugs": json.dumps(sorted(self.slugs or ())),
        }


def wiki_changes(
    catalog: Catalog,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    author: str | None = None,
    project: RepositoryId | None = None,
    slugs: Collection[str] | None = None,
    limit: int = 50,
    offset: int = 0,
) -> Rows[ChangeRow]:
    """Versions of the wiki pages of all projects, or of one, newest first; `slugs` narrows to some pages of that one.

    Raises:
        CatalogError: an empty author, or a slice out of range.
    """
    period = Period(since=since, until=until, author=author, project=project, slugs=slugs)
    found = _Changes(catalog, PAGE_VERSIONS, period, limit, offset)
    return found.rows(
        f"v.repository, {CODE}, h.slug, h.title, h.is_gone, {PROJECT}, {VERSION}",
        "cross join page_histories h on h.repository = v.repository and h.position = v.position",
        _change_row(catalog.looks),
    )


def task_changes(
    catalog: Catalog,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    author: str | None = None,
    project: RepositoryId | None = None,
    limit: int = 50,
    offset: int = 0,
) -> Rows[TaskChangeRow]:
    """What commits changed about the tasks of all projects, or of one, newest first.

    Raises:
        CatalogError: an empty author, or a slice out of range.
    """
    period = Period(since=since, until=until, author=author, project=project)
    found = _Changes(catalog, TASK_CHANGES, period, limit, offset)
    return found.rows(
        f"v.repository, {PROJECT}, v.slug, v.title, v.kind, v.status, v.before, v.after, v.commit_id, v.author, v.at",
        "",
        _task_change_row(catalog.looks),
    )


def page_versions(catalog: Catalog, project: RepositoryId, slug: str) -> tuple[VersionRow, ...]:
    """The versions of one page, newest first; none while its history is not loaded.

    Raises:
        UnknownPage: no such page.
    """
    return _versions(catalog, find_slug(catalog, project, slug))


def page_of_code(catalog: Catalog, code: str) -> tuple[RepositoryId, str] | None:
    """The project and slug of the page that a code means, a former code included; None: no page has it.

    A page that is gone has its last slug.
    """
    place = find_code(catalog, code)
    return None if place is None else (place.project, place.slug)


def code_of(catalog: Catalog, project: RepositoryId, slug: str) -> str:
    """The code that a page is shown with.

    Raises:
        UnknownPage: no such page.
    """
    return find_slug(catalog, project, slug).code


def page_codes(catalog: Catalog, project: RepositoryId) -> Mapping[str, str]:
    """The codes that a wiki's pages are shown with, by slug; those that are gone have none."""
    return dict(
        catalog.query(
            f"select h.slug, {CODE} from page_histories h where h.repository = :project and h.is_gone = 0",
            {"project": project},
            lambda *columns: columns,
        )
    )


def settled(catalog: Catalog) -> Mapping[RepositoryId, Sequence[tuple[int, str]]]:
    """The codes, by their pages' positions, that projects' pages have because other projects claim theirs, too."""
    found: dict[RepositoryId, list[tuple[int, str]]] = defaultdict(list)
    for repository, position, code in catalog.query(
        "select repository, position, code from settled_pages order by repository, position",
        {},
        lambda *columns: columns,
    ):
        found[repository].append((position, code))
    return found


def code_slugs(catalog: Catalog, project: RepositoryId) -> Mapping[str, str]:
    """The slugs of a wiki's pages by every code that means them within it, former ones included."""
    return dict(
        catalog.query(
            """select c.code, h.slug from page_codes c
            cross join page_histories h on h.repository = c.repository and h.position = c.position
            where c.repository = :project and c.rank < :claimed and h.is_gone = 0
            order by c.rank desc, c.position desc""",
            {"project": project, "claimed": CLAIMED},
            lambda *columns: columns,
        )
    )


def gone_slugs(catalog: Catalog, project: RepositoryId) -> tuple[str, ...]:
    """What the pages that a wiki has no more were called last, sorted."""
    return tuple(
        catalog.query(
            "select distinct slug from page_histories where repository = :project and is_gone = 1 order by slug",
            {"project": project},
            str,
        )
    )


def find_code(catalog: Catalog, code: str) -> PagePlace | None:
    """The page that a code means, a former code included; None: no page has it."""
    found = catalog.query(
        f"""select {PLACE} from ({MEANT}) c
        cross join page_histories h on h.repository = c.repository and h.position = c.position""",
        {"code": code.strip(), "claimed": CLAIMED},
        _place,
    )
    return found[0] if found else None


def find_slug(catalog: Catalog, project: RepositoryId, slug: str) -> PagePlace:
    """The page of a slug, one that is gone if there is no other.

    Raises:
        UnknownPage: no such page; the message has the nearest slugs.
    """
    found = catalog.query(
        f"""select {PLACE} from page_histories h where h.repository = :project and h.slug = :slug
        order by h.is_gone, h.position limit 1""",
        {"project": project, "slug": slug},
        _place,
    )
    if not found:
        known = catalog.query("select slug from page_histories where repository = :project", {"project": project}, str)
        raise UnknownPage(f"no page {quoted(slug)} in the wiki of {project}{did_you_mean(slug, known)}")
    return found[0]


def wiki_diff(catalog: Catalog, project: RepositoryId, slug: str, version: str | None = None) -> PageDiff:
    """What one version of a page changed, as git's unified diff of the whole file; without `version` the last one.

    `version` is a code (`DOCH-…`) or a number.  The texts come from the pipeline's store of bytes, verified.

    Raises:
        UnknownPage: no such page.
        CatalogError: no such version, no history, or a text that is not here.
    """
    return diff_of(catalog, find_slug(catalog, project, slug), version)


def diff_of(catalog: Catalog, page: PagePlace, version: str | None = None) -> PageDiff:
    """`wiki_diff` of a page that was found.

    Raises:
        CatalogError: no such version, no history, or a text that is not here.
    """
    versions = _versions(catalog, page)
    if not versions:
        raise CatalogError(_no_versions(history_of(catalog, page.project), page))
    chosen = _chosen(page, versions, version)
    previous = next((one for one in versions if one.number == chosen.number - 1), None)
    return PageDiff(
        page=page,
        version=chosen,
        previous=previous,
        diff=_diff(catalog, page, chosen, previous),
        origin=Origin(project=page.project, path=chosen.path or page.path, revision=chosen.commit),
    )


def history_of(catalog: Catalog, project: RepositoryId) -> HistoryState:
    """Whether the history of a project is here, and how old it is.

    Raises:
        UnknownRepository: no such project.
    """
    return histories_of(catalog, [projects.project(catalog, project)])[0]


def histories_of(catalog: Catalog, rows: Sequence[ProjectRow]) -> tuple[HistoryState, ...]:
    """The same of several projects, in their order."""
    loaded = {
        repository: (bool(wiki), bool(tasks))
        for repository, wiki, tasks in catalog.query(
            """select repository, wiki_is_loaded, tasks_is_loaded from histories
            where repository in (select value from json_each(:projects))""",
            {"projects": json.dumps([row.project for row in rows])},
            lambda *columns: columns,
        )
    }
    return tuple(_state(catalog.looks, row, *loaded.get(row.project, (False, False))) for row in rows)


def coverage(catalog: Catalog, kind: Kind, project: RepositoryId | None = None) -> Coverage:
    """How much of the wikis' or boards' history is here; only projects that have one, or had one, count."""
    where = f"p.state <> 'gone' and {'true' if project is None else 'p.repository = :project'}"
    counted = f"""select count(*) from projects p left join histories h on h.repository = p.repository
        where {where} and coalesce(h.{kind}_is_loaded, 0)"""
    has_none = f"{counted} = 0 and {HAS[kind]}"
    behind = f"{counted} = 1 and p.repository in (select value from json_each(:behind))"
    given = {"project": project}
    return Coverage(
        loaded=catalog.count(f"{counted} = 1", given),
        missing=catalog.count(has_none, given),
        behind=catalog.count(behind, {**given, "behind": json.dumps(sorted(catalog.looks.histories))}),
    )


@dataclass(frozen=True, slots=True)
class _Changes:
    """One list of changes, newest first: counted, then a slice of it chosen by an index alone, then that read."""

    catalog: Catalog
    table: Table
    period: Period
    limit: int
    offset: int

    def rows(self, columns: str, joins: str, shape: Callable[..., Any]) -> Rows[Any]:
        """The slice: rows of the table (`v`), of what `joins` adds, and of their projects (`p`)."""
        check_slice(self.limit, self.offset)
        where, given = self.period.where("v"), self.period.parameters
        total = self.catalog.query(f"select count(*) from {self.table.name} v where {where}", given, int)[0]
        keys = [name.split(" ", 1)[0] for name in self.table.key]
        order = ", ".join(f"v.{key} desc" if key == "number" else f"v.{key}" for key in ("at desc", *keys))
        same = " and ".join(f"v.{key} = k.{key}" for key in keys)
        found = self.catalog.query(
            f"""select {columns} from (
                select {", ".join(f"v.{key}" for key in keys)} from {self.table.name} v where {where}
                order by {order} limit :limit offset :offset
            ) k cross join {self.table.name} v on {same} {joins}
            cross join projects p on p.repository = v.repository order by {order}""",
            {**given, "limit": self.limit, "offset": self.offset},
            shape,
        )
        return sliced(found, total, self.limit, self.offset)


def _seconds(moment: datetime) -> float:
    return (moment - EPOCH) / timedelta(seconds=1)


def _author(author: str) -> str:
    if not author.strip():
        raise CatalogError("author is empty; expected a part of a name, or an e-mail address")
    return fold(" ".join(author.split()))


def _change_row(last_looks: Looks) -> Callable[..., ChangeRow]:
    def shape(*columns: Any) -> ChangeRow:
        repository, code, slug, title, is_gone, state, reason, source, *version = columns
        return ChangeRow(
            project=repository,
            page_code=code,
            slug=slug,
            title=title,
            is_gone=bool(is_gone),
            version=version_row(*version),
            state=state,
            reason=reason,
            stale=last_looks.is_stale(state, repository, source),
        )

    return shape


def _task_change_row(last_looks: Looks) -> Callable[..., TaskChangeRow]:
    def shape(*columns: Any) -> TaskChangeRow:
        repository, state, reason, source, slug, title, kind, status, before, after, commit, author, at = columns
        return TaskChangeRow(
            project=repository,
            slug=slug,
            title=title,
            kind=kind,
            status=status,
            before=before,
            after=after,
            commit=commit,
            author=author,
            at=moment_of(at),
            state=state,
            reason=reason,
            stale=last_looks.is_stale(state, repository, source),
        )

    return shape


def version_row(*columns: Any) -> VersionRow:
    """The columns of `VERSION` as a value."""
    settled, code, number, count, commit, author, at, authored_at, path, added, removed = columns
    return VersionRow(
        version=code if settled is None else version_code(settled, commit),
        number=number,
        count=count,
        commit=commit,
        author=author,
        at=moment_of(at),
        authored_at=moment_of(authored_at),
        path=path,
        added=added,
        removed=removed,
    )


def _place(*columns: Any) -> PagePlace:
    repository, position, slug, path, title, code, versions, is_gone = columns
    return PagePlace(
        project=repository,
        position=position,
        slug=slug,
        path=path,
        title=title,
        code=code,
        versions=versions,
        is_gone=bool(is_gone),
    )


def _versions(catalog: Catalog, page: PagePlace) -> tuple[VersionRow, ...]:
    return tuple(
        catalog.query(
            f"""select {VERSION} from page_versions v
            cross join page_histories h on h.repository = v.repository and h.position = v.position
            where v.repository = :project and v.position = :position order by v.number desc""",
            {"project": page.project, "position": page.position},
            version_row,
        )
    )


def _chosen(page: PagePlace, versions: Sequence[VersionRow], asked: str | None) -> VersionRow:
    if asked is None:
        return versions[0]
    named = asked.strip()
    for version in versions:
        if named in (version.version, str(version.number)):
            return version
    raise CatalogError(
        f"no version {quoted(asked)} of {page.code}; expected a number from 1 to {len(versions)}, "
        f"or a code such as {versions[0].version}"
    )


def _no_versions(state: HistoryState, page: PagePlace) -> str:
    if state.wiki_is_loaded:
        return f"history does not reach back to any change of {page.code}; `[history]` in sources.toml bounds it"
    why = f" ({state.reason})" if state.reason else ""
    return f"the history of {page.project} is not loaded yet{why}; `doit` brings it"


def _diff(catalog: Catalog, page: PagePlace, version: VersionRow, previous: VersionRow | None) -> str:
    ((before, after),) = catalog.query(
        "select before, after from page_versions where repository = :project and position = :position "
        "and number = :number",
        {"project": page.project, "position": page.position, "number": version.number},
        lambda *columns: columns,
    )
    texts = [None if oid is None else catalog.store.read_blob(oid) for oid in (before, after)]
    if [text is None for text in texts] != [oid is None for oid in (before, after)]:
        raise CatalogError(
            f"a text of {version.version} is not here: larger than 1 MiB, or lost; `doit` brings what is lost"
        )
    # libgit2 is needed for this one answer: who never asks for a diff never loads it.
    from pipeline.differences import unified_diff

    former = previous.path if previous is not None and before is not None else None
    path = version.path or former or page.path
    return body(unified_diff(texts[0], texts[1], RepoPath(former or path), RepoPath(path)))


def _state(last_looks: Looks, row: ProjectRow, wiki: bool, tasks: bool) -> HistoryState:
    behind = last_looks.histories.get(row.project)
    at = last_looks.history_at(row.project, row.source) if wiki or tasks else None
    return HistoryState(
        project=row.project,
        wiki_is_loaded=wiki,
        tasks_is_loaded=tasks,
        at=at,
        reason=None if behind is None else behind.reason,
    )
