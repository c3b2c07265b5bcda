"""Every type that two modules share.  Frozen values only; imports nothing of ours.

A repository is called by its `RepositoryId`, the text `host/owner/name`.  Times are aware
datetimes in UTC.  Paths inside a repository (`RepoPath`) are POSIX, relative to its root, exactly
as git spells them.  Lines are 1-based.  An `oid` is git's full hex object id (40 or 64 letters).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NewType

RepositoryId = NewType("RepositoryId", str)
RepoPath = NewType("RepoPath", str)

Visibility = Literal["public", "internal", "private"]
State = Literal["ok", "unreachable", "renamed", "gone"]
Status = Literal["active", "todo", "blocked", "paused", "done", "cancelled", "unknown"]
BoardState = Literal["absent", "empty", "closed", "parsed"]
IndexState = Literal["absent", "parsed", "malformed"]
Severity = Literal["error", "warning", "note"]
EntryKind = Literal["file", "symlink", "submodule"]
BlobState = Literal["stored", "listed", "too_large", "failed"]
Evidence = Literal["listing", "head", "trees", "blobs", "empty", "unreadable", "none"]


def repository_id(host: str, owner: str, name: str) -> RepositoryId:
    """Join the three parts; none of them holds a slash."""
    return RepositoryId(f"{host}/{owner}/{name}")


def split_id(repository: RepositoryId) -> tuple[str, str, str]:
    """Take host, owner and name apart."""
    host, owner, name = repository.split("/", 2)
    return host, owner, name


def short_name(repository: RepositoryId) -> str:
    """The name alone, as people say it; two repositories may share it."""
    return repository.rsplit("/", 1)[1]


# --- configuration -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One key that a table of sources.toml accepts; `default` None means it may be absent."""

    name: str
    kind: Literal["text", "integer", "number", "switch", "texts", "path"]
    default: str | int | float | bool | tuple[str, ...] | None = None
    required: bool = False
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceConfig:
    """One `[[source]]` row.  `settings` holds the keys of its kind, checked; never a token."""

    kind: str
    name: str
    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()
    visibility: Visibility | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    place: str = "sources.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All that a person can set.  `origin` says where it came from, for messages."""

    sources: tuple[SourceConfig, ...]
    origin: str
    shared_wiki: str = "projects-wiki"
    stale_after_hours: float = 24
    language: Literal["en", "ru"] = "en"
    keep_versions: int = 5
    is_example: bool = False


# --- what a source says ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One repository as its source lists it today.

    `updated_at` and `mirror_updated` are the source's own words (None where it has none): equal or
    different is all that may be asked of them.  `readable` False means the content endpoints would
    refuse us.
    """

    repository: RepositoryId
    forge_id: str
    default_branch: str
    updated_at: datetime | None = None
    mirror_updated: datetime | None = None
    empty: bool = False
    readable: bool = True
    archived: bool = False
    visibility: Visibility = "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceListing:
    """A source's whole answer.

    `complete` is False when any page or owner is missing or doubtful; `reason` then says why.
    `observed_at` is the source's own clock (the forge's `Date`) at the first page, or None.
    """

    listings: tuple[Listing, ...]
    complete: bool
    reason: str | None = None
    observed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is wanted of a repository: folders from its root; the empty text means all of it.

    Below `text_folders` Markdown is copied; below `list_folders` other files are listed by name and size.
    """

    text_folders: tuple[str, ...]
    list_folders: tuple[str, ...] = ()

    @property
    def folders(self) -> tuple[str, ...]:
        """Every folder to look at, sorted."""
        return tuple(sorted({*self.text_folders, *self.list_folders}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A ref, fixed.  `committed_at` is the commit's time, or, where the tree answer does not tell
    it, the source's `updated_at` when this revision was first seen.
    """

    repository: RepositoryId
    ref: str
    commit: str
    committed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeEntry:
    """One path of a revision.  `size_bytes` is None where the source does not tell it."""

    path: RepoPath
    oid: str
    size_bytes: int | None
    kind: EntryKind = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The head of a repository: `trees` gives, per folder of the selection that exists, its tree id,
    sorted by folder.  `entries` are there when the same answer already told them (never stored).
    """

    revision: Revision
    trees: tuple[tuple[str, str], ...]
    entries: tuple[TreeEntry, ...] | None = None
    kind: Literal["resolved"] = "resolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty:
    """A repository without a commit."""

    kind: Literal["empty"] = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable:
    """The last look failed; `last` is what we still show.  `reason` holds no clock and no token."""

    reason: str
    last: Revision | None
    kind: Literal["unreachable"] = "unreachable"


Head = Resolved | Empty | Unreachable


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotEntry:
    """One copied or listed file.  `state`: stored (bytes in the blob store), listed (name and size
    only), too_large (over the limit), failed (the tree has it, its bytes could not be brought).
    """

    path: RepoPath
    oid: str
    size_bytes: int
    etag: str | None
    state: BlobState


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedEntry:
    """A path that we do not copy, and why."""

    path: RepoPath
    reason: Literal["symlink", "submodule", "unsafe_path", "over_file_limit", "over_size_limit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What we copied of one repository at one revision; entries and skipped sorted by path.

    `revision` is None for an empty repository.
    """

    schema_version: int
    repository: RepositoryId
    shared: bool
    revision: Revision | None
    entries: tuple[SnapshotEntry, ...]
    skipped: tuple[SkippedEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterEntry:
    """Memory of one repository.  No clock of ours.

    `settled`: the listing key may be believed next time (the repository was quiet for 5 s when it
    was listed).  `trees` are those of the snapshot named by `snapshot_digest` (SHA-256 of
    snapshot.json, None before the first good look).  `evidence` says by what it was validated.
    """

    source: str
    listing: Listing
    head: Head
    state: State
    reason: str | None
    settled: bool
    shared: bool
    trees: tuple[tuple[str, str], ...]
    snapshot_digest: str | None
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Every repository we know, sorted by id."""

    schema_version: int
    entries: tuple[RosterEntry, ...]


# --- readings of a run (sync.json): the only clocks ----------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReading:
    """How the last look at one source went.  `synced_at` is its last *good* listing."""

    source: str
    state: Literal["ok", "unreachable"]
    reason: str | None
    checked_at: datetime
    synced_at: datetime | None
    repositories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryReading:
    """A repository whose last good look is older than its source's, or that is on its way out."""

    repository: RepositoryId
    good_at: datetime | None
    missing_since: datetime | None = None
    gone_since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReading:
    """sync.json: when and where we looked last, and what went wrong."""

    schema_version: int
    machine: str
    checked_at: datetime
    offline: bool
    stale_after_hours: float
    sources: tuple[SourceReading, ...]
    repositories: tuple[RepositoryReading, ...]


# --- what is read out of Markdown ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """Trouble in *their* text, as data.  `path` is a RepoPath; `line` None means the whole file."""

    code: str
    severity: Severity
    path: RepoPath
    line: int | None
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """One task of a board.  `line`..`end_line` (inclusive) is the task's own text in the board.

    `status_text` is the status as written, with its tail (None where a lane or mark decided);
    `fields` are all other named fields, in file order, names as written.
    """

    slug: str
    title: str
    status: Status
    status_text: str | None
    next: str | None
    owner: str | None
    fields: tuple[tuple[str, str], ...]
    line: int
    end_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """`.tasks/STATUS.md` as we read it.  `path` is None when absent."""

    path: RepoPath | None
    state: BoardState
    items: tuple[WorkItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """One page named by an index, in its order.  `type` is the first folder, `root`, or None for a
    bare `[[slug]]` that only the tree can place.  `titled` is False when the title is only the slug
    or path.
    """

    slug: str
    type: str | None
    title: str
    description: str | None
    line: int
    titled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiIndex:
    """`.wiki/index.md` as we read it; `error` is `wiki index malformed: <reason>` when malformed."""

    path: RepoPath | None
    state: IndexState
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiPage:
    """One page of `.wiki/`, in reading order: the index's, then the tree's.

    `slug` is its path under `.wiki/` without `.md` (`concepts/x`); `type` its first folder or `root`.
    `file` is the text's place in the project artifact, None when the bytes could not be brought.
    """

    slug: str
    type: str
    title: str
    description: str | None
    path: RepoPath
    file: str | None
    oid: str
    size_bytes: int
    indexed: bool
    front_matter: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPage:
    """One page of the shared wiki; `slug` is its path there without `.md`."""

    slug: str
    domain: str | None
    title: str
    description: str | None
    shared_at: str | None
    applies_to: tuple[str, ...]
    source_project: str | None
    path: RepoPath
    file: str | None
    oid: str
    size_bytes: int
    front_matter: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFile:
    """A Markdown file under `.tasks/` that is not the board."""

    path: RepoPath
    file: str | None
    oid: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """Another file under `.wiki/`: name and size, never its bytes."""

    path: RepoPath
    oid: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactFile:
    """A file beside project.json: `file` is its place there, `path` where it stands in the repository."""

    file: str
    path: RepoPath
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """project.json: all that we promise about one repository.  No clock of ours inside.

    `files` names every file beside it with its SHA-256, so the SHA-256 of project.json stands for
    the whole project tree.
    """

    schema_version: int
    repository: RepositoryId
    name: str
    shared: bool
    revision: Revision | None
    board: Board
    board_file: str | None
    index: WikiIndex
    index_file: str | None
    pages: tuple[WikiPage, ...]
    shared_pages: tuple[SharedPage, ...]
    task_files: tuple[TaskFile, ...]
    attachments: tuple[Attachment, ...]
    files: tuple[ArtifactFile, ...]
    diagnostics: tuple[Diagnostic, ...]


# --- the top-level artifacts -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryRecord:
    """One row of repos.json.  `digest` names the project object, None when nothing was ever copied."""

    repository: RepositoryId
    name: str
    source: str
    visibility: Visibility
    archived: bool
    state: State
    reason: str | None
    shared: bool
    default_branch: str
    revision: str | None
    committed_at: datetime | None
    digest: str | None
    board: BoardState
    tasks: Mapping[str, int]
    index: IndexState
    wiki_pages: int
    shared_pages: int
    errors: int
    warnings: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoriesFile:
    """repos.json: every repository we know, sorted by id."""

    schema_version: int
    shared_wiki: RepositoryId | None
    repositories: tuple[RepositoryRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveTask:
    """A task that is neither done nor cancelled."""

    slug: str
    title: str
    status: Status
    status_text: str | None
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectTasks:
    """One project of tasks.json, in the words agents already know."""

    name: str
    full_name: RepositoryId
    default_branch: str
    revision: str | None
    active_tasks: tuple[ActiveTask, ...]
    all_tasks_count: int
    raw: str | None
    wiki_index: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectError:
    """A project whose last look failed, and why."""

    project: RepositoryId
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TasksFile:
    """tasks.json: every project that has a board or a wiki, sorted by id."""

    schema_version: int
    projects: tuple[ProjectTasks, ...]
    errors: tuple[ProjectError, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTitle:
    """A wiki page in a list."""

    slug: str
    type: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectWiki:
    """One project's wiki in knowledge.json."""

    project: RepositoryId
    index: IndexState
    error: str | None
    pages: tuple[PageTitle, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeFile:
    """knowledge.json: the shared wiki's pages, then every project's wiki, sorted."""

    schema_version: int
    shared_wiki: RepositoryId | None
    shared: tuple[SharedPage, ...]
    wikis: tuple[ProjectWiki, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileHash:
    """What a version's file must be."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """manifest.json: every file of a version, and the project objects that belong to it."""

    schema_version: int
    version: int
    files: Mapping[str, FileHash]
    projects: Mapping[RepositoryId, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentVersion:
    """current.json: which version readers shall open."""

    schema_version: int
    version: int
