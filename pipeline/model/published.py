"""The top-level artifacts of a version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pipeline.model.documents import SharedPage
from pipeline.model.identity import BoardState, IndexState, RepositoryId, State, Status, Visibility


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
