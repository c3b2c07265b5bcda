"""What each page of the report shows, as typed values.

Every link in a view is made of our own file names and anchors and is relative to the report's folder;
a repository's text is only ever shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar

from pipeline.catalog.answers import FileRow
from pipeline.catalog.attention import Reason
from pipeline.catalog.written import ExcerptLine
from pipeline.model import BoardState, IndexState, RepositoryId, Severity, State, Status, TaskChangeKind
from pipeline.report.charts import AgeChart, FlowChart, HeatMap, Spark, StatusBars
from pipeline.report.remedies import Remedy
from pipeline.report.sheets import Part
from pipeline.report.tree_views import TreeView

Line = TypeVar("Line")
LateKind = Literal["page_new", "page_changed", "page_gone", "appeared", "vanished", "status", "next"]
WhyHidden = Literal["gone", "unread"]
WhyUnknown = Literal["no_board"] | WhyHidden


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number, or why there is none: no board, a repository never copied, or one that is gone."""

    number: int | None
    why: WhyUnknown | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A place in the report, relative to the report's folder."""

    href: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectLine:
    """A project in a list.  `figures` follow the columns of the table; `wiki_href` leads to what `wiki` counts."""

    href: str
    name: str
    owner: str
    state: State
    reason: str | None
    shared: bool
    archived: bool
    remedy: Remedy | None
    figures: tuple[Figure, ...]
    wiki: Figure
    wiki_href: str
    changed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskLine:
    """A task in a list; `written` is its status in the author's words, None where it adds nothing."""

    href: str
    anchor: str
    project: Link
    title: str
    slug: str | None
    status: Status
    written: str | None
    next: str | None
    owner: str | None
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnosticLine:
    """Trouble in a text; `code_href` leads to what the code means."""

    repository: RepositoryId
    project: Link
    code: str
    code_href: str
    severity: Severity
    path: str
    line: int | None
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """How many tasks have a status, and where all of them stand (None when there are none)."""

    status: Status
    total: int
    href: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pager:
    """The neighbours of a sheet, None at the ends, and the projects from `first` to `last` that it shows."""

    previous: str | None
    next: str | None
    first: str
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeTile:
    """A number of the first screen, where its rows stand, and how it came to be where history tells that.

    `on` is the day that it is told of, None for the version's own.
    """

    key: str
    status: Status
    number: int
    href: str | None
    spark: Spark | None = None
    on: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """How many things ask for attention for one reason, and where they stand."""

    reason: Reason
    total: int
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcernLine:
    """One thing that asks for attention: where it stands, what it is, why, and since when (None: not known)."""

    reason: Reason
    href: str
    what: str
    project: Link
    place: str | None
    detail: str | None
    since: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LateChange:
    """A change of a board or a wiki: `kind` says what happened, `before` and `after` are statuses or None."""

    kind: LateKind
    href: str
    what: str
    project: Link
    before: Status | None
    after: Status | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A number of tasks that depends on the day of the newest change, and the page that lists them."""

    key: Literal["finished", "stale"]
    number: int
    href: str
    on: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewTrends:
    """The charts of index.html.  `sparks` are by status, and of tasks that became done under "finished"."""

    flow: FlowChart | None
    heat: HeatMap | None
    bars: StatusBars | None
    sparks: Mapping[str, Spark]
    tallies: tuple[Tally, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """index.html.  `current` counts the projects whose last look went well."""

    projects: int
    current: int
    tasks: int
    wiki_pages: int
    home_tiles: tuple[HomeTile, ...]
    tiles: tuple[Tile, ...]
    calls: tuple[Call, ...]
    concerns: tuple[ConcernLine, ...]
    changes: tuple[LateChange, ...]
    trends: OverviewTrends


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectsView:
    """projects.html.  `rows` are the files of its rows for the script."""

    parts: tuple[Part[ProjectLine], ...]
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TasksView:
    """tasks.html.  `rows` are the files of its rows for the script."""

    parts: tuple[Part[TaskLine], ...]
    tiles: tuple[Tile, ...]
    rows: tuple[str, ...]
    ages: AgeChart | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A source and how its repositories stand."""

    source: str
    repositories: int
    troubled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeMeaning:
    """What a diagnostic code means, and what the text's author can do."""

    code: str
    anchor: str
    severity: Severity
    meaning: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthView:
    """health.html.  `excerpts` has the lines around the first errors, as written."""

    parts: tuple[Part[ProjectLine | DiagnosticLine], ...]
    sources: tuple[SourceLine, ...]
    codes: tuple[CodeMeaning, ...]
    excerpts: Mapping[DiagnosticLine, tuple[ExcerptLine, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView(Generic[Line]):
    """One page of a section (`key`) of a list that begins at `home`."""

    home: Link
    key: str
    heading: str
    pager: Pager
    rows: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskGroup:
    """The tasks of one status on a project's page: whole ones, short ones, and how many stand in the list alone."""

    status: Status
    folded: bool
    total: int
    lines: tuple[TaskLine, ...]
    brief: tuple[TaskLine, ...]
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenText:
    """A file as written, or its beginning.  `href` is where its forge shows it, None where people see it nowhere."""

    text: str
    is_cut: bool
    size: int
    path: str
    revision: str | None
    href: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something is wrong, and what; `href` as in `WrittenText`."""

    path: str
    line: int | None
    message: str
    href: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """All places of one project that have the same code, and what to do about them."""

    code: str
    code_href: str
    severity: Severity
    remedy: str
    total: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLine:
    """What a commit did to a page; `href` leads to it, None where it has no page.  Lines None: not counted."""

    kind: Literal["wiki"] = "wiki"
    deed: Literal["added", "changed", "removed"]
    href: str | None
    title: str
    slug: str
    version: str
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """What a commit did to a task; `href` leads to it, None where no task of its slug is on the board now."""

    kind: Literal["tasks"] = "tasks"
    deed: TaskChangeKind
    href: str | None
    title: str
    slug: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitLine:
    """A commit and the first of its changes, those of pages before those of tasks; `more` are not shown."""

    anchor: str
    project: Link
    repository: RepositoryId
    at: datetime
    author: str
    commit: str
    short: str
    changes: tuple[PageLine | TurnLine, ...]
    more: int

    @property
    def kinds(self) -> str:
        """Which kinds of change it shows, in one word each."""
        return " ".join(sorted({change.kind for change in self.changes}))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectTrends:
    """One project's past.  `spark` is of its open tasks, of which there are `open` now; `recent` are the newest of its
    `commits`.
    """

    heat: HeatMap | None
    spark: Spark | None
    open: int | None
    recent: tuple[CommitLine, ...]
    commits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectView:
    """One repository's page.  `hidden` says why none of its texts is shown, None when they are.

    `source_href` leads to the repository at the shown revision, None where people see it nowhere.
    """

    line: ProjectLine
    repository: RepositoryId
    source: str
    branch: str
    visibility: str
    revision: str | None
    source_href: str | None
    hidden: WhyHidden | None
    board_state: BoardState
    board: WrittenText | None
    board_files: tuple[FileRow, ...]
    board_trouble: str | None
    tasks: int
    groups: tuple[TaskGroup, ...]
    index: IndexState
    index_error: str | None
    index_text: WrittenText | None
    wiki: TreeView | None
    shared_wiki: TreeView | None
    faults: tuple[Fault, ...]
    past: ProjectTrends


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutView:
    """about.html: the program's version, and the numbers of the forms that it writes."""

    program: str
    artifacts_schema: int
    catalog_schema: int
