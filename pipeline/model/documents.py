"""What is read out of one repository's Markdown, and the artifact made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.model.identity import BoardState, IndexState, RepoPath, RepositoryId, Severity, Status
from pipeline.model.listing import Revision


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
    """`.wiki/index.md` as we read it; `error` is `wiki index malformed: <reason>` when malformed.

    `code` is the page code that its front matter asks for.
    """

    path: RepoPath | None
    state: IndexState
    error: str | None = None
    code: str | None = None


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
class PageLink:
    """One page leads to another of the same wiki, both by slug; `line` is that of the first such link."""

    source: str
    target: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedRules:
    """What the shared wiki's CLAUDE.md lists, as written there: its domains, and names that no page may have."""

    domains: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


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

    `links` lead from page to page of `.wiki/`, `shared_links` from shared page to shared page; one for each
    two pages, sorted.  `rules` are None for all but the shared wiki.
    `files` names every file beside it with its SHA-256, and `history` is the SHA-256 of history.json (None: there
    is none), so the SHA-256 of project.json stands for the whole project tree.
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
    links: tuple[PageLink, ...]
    shared_pages: tuple[SharedPage, ...]
    shared_links: tuple[PageLink, ...]
    rules: SharedRules | None
    task_files: tuple[TaskFile, ...]
    attachments: tuple[Attachment, ...]
    files: tuple[ArtifactFile, ...]
    diagnostics: tuple[Diagnostic, ...]
    history: str | None = None
