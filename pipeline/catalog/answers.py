"""What the catalog answers.  Projections: made for one question, never stored.

`project` is always a whole RepositoryId.  Lists are `Rows`: `total` counts every match,
`next_offset` is None at the end.  One-line texts have passed `text.line`, long ones `text.body`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar

from pipeline.model import (
    BoardState,
    Evidence,
    IndexState,
    RepositoryId,
    Severity,
    State,
    Status,
    TaskChangeKind,
    Visibility,
)

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """`count` rows of a list by project, of those from the project `first` to `last` without the first `skip`."""

    first: RepositoryId
    last: RepositoryId
    skip: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows(Generic[Row]):
    """A slice of a list."""

    rows: tuple[Row, ...]
    total: int
    limit: int
    offset: int
    next_offset: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """How old the answer is.  `synced_at` is the oldest last good look among the sources, None if a
    source never had one; `stale`: older than the limit, or a source is unreachable; `age_hours` is
    never negative and has one decimal.  In an answer about one project all of it is that project's.
    """

    synced_at: datetime | None
    age_hours: float | None
    stale: bool
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a free text comes from."""

    project: RepositoryId
    path: str
    revision: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """One source in meta_status; `evidence` counts its repositories by what the last look rested on."""

    source: str
    state: Literal["ok", "unreachable"]
    reason: str | None
    synced_at: datetime | None
    age_hours: float | None
    stale: bool
    repositories: int
    evidence: Mapping[Evidence, int]
    audited_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRow:
    """One project.  `tasks` counts by status; `changed_at` is the time of `revision`; `evidence` is what
    the last look rested on, None where no look is on record; `since` tells when its source was first seen
    without it, None while it is listed.
    """

    project: RepositoryId
    name: str
    source: str
    state: State
    reason: str | None
    since: datetime | None
    stale: bool
    synced_at: datetime | None
    evidence: Evidence | None
    visibility: Visibility
    archived: bool
    shared: bool
    default_branch: str
    revision: str | None
    changed_at: datetime | None
    board: BoardState
    tasks: Mapping[Status, int]
    index: IndexState
    index_error: str | None
    wiki_pages: int
    shared_pages: int
    errors: int
    warnings: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    """One task in a list, without its text.  `state`, `reason` and `stale` are its project's."""

    project: RepositoryId
    slug: str
    title: str
    status: Status
    status_text: str | None
    next: str | None
    owner: str | None
    line: int
    state: State
    reason: str | None
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskHit:
    """A task found; `matched_in` names the first field, in the order slug, title, next, text, that
    holds a word of the query.
    """

    task: TaskRow
    matched_in: Literal["slug", "title", "next", "text"]
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """A file that can be asked for by name."""

    path: str
    size_bytes: int
    available: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosticRow:
    """Trouble found in a project's text."""

    project: RepositoryId
    code: str
    severity: Severity
    path: str
    line: int | None
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardText:
    """A board, or one task's own section of it (`task` set), as written."""

    project: ProjectRow
    board: BoardState
    task: TaskRow | None
    fields: tuple[tuple[str, str], ...]
    text: str
    origin: Origin
    changed_at: datetime | None
    files: tuple[FileRow, ...]
    diagnostics: tuple[DiagnosticRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow:
    """One wiki page in a list; `slug` includes its folders (`concepts/x`)."""

    project: RepositoryId
    slug: str
    type: str
    title: str
    description: str | None
    path: str
    size_bytes: int
    available: bool
    indexed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPageRow:
    """One page of the shared wiki in a list; `slug` is its path there without `.md`."""

    project: RepositoryId
    slug: str
    domain: str | None
    title: str
    description: str | None
    shared_at: str | None
    applies_to: tuple[str, ...]
    source_project: str | None
    path: str
    size_bytes: int
    available: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlink:
    """A page that leads to another; `line` is that of its first such link."""

    project: RepositoryId
    slug: str
    title: str
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHit:
    """A wiki page found; `matched_in` names the first field, in the order slug, title, body, that
    holds a word of the query.
    """

    page: PageRow
    matched_in: Literal["slug", "title", "body"]
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPageHit:
    """A page of the shared wiki found; `snippet` is of its body."""

    page: SharedPageRow
    matched_in: Literal["slug", "title", "body"]
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedHits:
    """Pages of the shared wiki found in some domains; `outside` counts the matches in all others."""

    found: Rows[SharedPageHit]
    outside: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiReply:
    """What the wiki of one asked project has.

    `asked` is the name as given; `project` is None when it means no project, `near` are then names like it.
    With `error` there are no matches; with `warning` there may be more than those shown.  `total` counts
    every match, `snippet` of a match is of its body.
    """

    asked: str
    project: ProjectRow | None = None
    near: tuple[str, ...] = ()
    error: str | None = None
    warning: str | None = None
    matches: tuple[PageHit, ...] = ()
    total: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Knower:
    """A project to ask: how many of its pages match, and the slug and title of the best."""

    project: ProjectRow
    pages: int
    best_slug: str
    best_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """One wiki page; `text` is the file as written, front matter included."""

    page: PageRow
    front_matter: Mapping[str, object]
    text: str
    origin: Origin
    changed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPageText:
    """One page of the shared wiki; `text` is the file as written, front matter included."""

    page: SharedPageRow
    front_matter: Mapping[str, object]
    text: str
    origin: Origin
    changed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """One file beside the board, as written."""

    file: FileRow
    text: str
    origin: Origin
    changed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryState:
    """Whether the history of a project's wiki and board is here.  `at` is when it was last found right, None while
    neither is; `reason` says why it is not, or is behind what is shown.
    """

    project: RepositoryId
    wiki_is_loaded: bool
    tasks_is_loaded: bool
    at: datetime | None
    reason: str | None

    @property
    def wiki_at(self) -> datetime | None:
        """When the wiki's history was last found right; None: it is not loaded."""
        return self.at if self.wiki_is_loaded else None

    @property
    def tasks_at(self) -> datetime | None:
        """The same of the board's."""
        return self.at if self.tasks_is_loaded else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Of how many projects the history of one folder is here, of how many it is not, and how many are behind."""

    loaded: int
    missing: int
    behind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePlace:
    """A page that history knows.  `slug` and `path` of a page that is gone are its last ones."""

    project: RepositoryId
    position: int
    slug: str
    path: str
    title: str
    code: str
    versions: int
    is_gone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """One commit's change of one page, version `number` of `count`, 1 is the oldest.

    `at` is when it came into this history (the committer's time), `path` what the page was called then, None where
    the commit removed it; `added` and `removed` are lines, None where a text is not here.
    """

    version: str
    number: int
    count: int
    commit: str
    author: str
    at: datetime
    authored_at: datetime
    path: str | None
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """One version of a page, in a list over all pages.  `state`, `reason` and `stale` are its project's."""

    project: RepositoryId
    page_code: str
    slug: str
    title: str
    is_gone: bool
    version: VersionRow
    state: State
    reason: str | None
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDiff:
    """What one version changed: `diff` is git's unified text, `previous` the version before it."""

    page: PagePlace
    version: VersionRow
    previous: VersionRow | None
    diff: str
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskChangeRow:
    """One thing that a commit changed about one task of a board.

    `before` and `after` are statuses (kind `status`), next actions (`next`), or the status beside None (`appeared`,
    `vanished`); `status` is the task's after the commit.  `state`, `reason` and `stale` are its project's.
    """

    project: RepositoryId
    slug: str
    title: str
    kind: TaskChangeKind
    status: Status
    before: str | None
    after: str | None
    commit: str
    author: str
    at: datetime
    state: State
    reason: str | None
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAnswer:
    """meta_status: how things stand, and what to do."""

    freshness: Freshness
    checked_at: datetime | None
    machine: str | None
    stale_after_hours: float
    sources: tuple[SourceRow, ...]
    projects: int
    boards: int
    tasks: Mapping[Status, int]
    wiki_pages: int
    shared_pages: int
    projects_by_state: Mapping[State, int]
    diagnostics: Mapping[Severity, int]
    diagnostics_by_code: Mapping[str, int]
    wiki_histories: Coverage
    board_histories: Coverage
    advice: tuple[str, ...]
