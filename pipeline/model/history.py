"""Who changed a folder of a repository: commits as their source tells them, and what is read out of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pipeline.model.identity import RepoPath, RepositoryId, Status
from pipeline.model.listing import Revision, SnapshotEntry

TaskChangeKind = Literal["appeared", "vanished", "status", "next"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One Markdown file that a commit changed: its blob at the first parent and in the commit.

    None stands where the file is not there.  A merge changes only what differs from every one of its parents.
    """

    path: RepoPath
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit that changed a folder, as facts that its id stands for: they never change.

    `changes` are sorted by path.  `is_merge`: it has several parents.  `is_beyond` marks one that is older than
    history reaches: it is kept only for the names that it gave (it both added and removed files), never shown as a
    version.
    """

    id: str
    author: str
    email: str
    authored_at: datetime
    committed_at: datetime
    changes: tuple[FileChange, ...]
    is_merge: bool = False
    is_beyond: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderHistory:
    """The history of one folder.

    `order` are the ids of the commits that changed it, newest first, as `git log -- <folder>` lists them; None
    until all of them are known.  It is right for the commit `revision`, whose folder is the tree `tree` (None: no
    such folder).
    `commits` are sorted by id and may hold more than `order` names: what was brought is not brought twice.
    `total` is how many commits the source counted, older ones than `order` reaches included.
    """

    folder: str
    revision: str | None
    tree: str | None
    order: tuple[str, ...] | None
    total: int
    commits: tuple[Commit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """sync/history/…/history.json: what we copied of a repository's history; folders sorted by name.

    `reach` says which bounds the orders were made with; `unbrought` are blobs that commits name and whose bytes are
    not to be had (larger than 1 MiB, missing at the source), sorted.
    """

    schema_version: int
    repository: RepositoryId
    reach: str
    folders: tuple[FolderHistory, ...]
    unbrought: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryQuest:
    """What a source is asked for: the history of `folder` up to `revision`, of which our snapshot has `entries`.

    `known` is what we have of it; its order was made with the same `since` and `max_commits`, or is None.  Of the
    commits not before `since` the newest `max_commits` are brought with texts.
    `has_text` tells whether the bytes of a blob are in our store; `may_ask` is asked before each request and says no
    when enough was asked for this run.
    """

    revision: Revision
    folder: str
    tree: str | None
    entries: tuple[SnapshotEntry, ...]
    known: FolderHistory | None
    since: datetime | None
    max_commits: int
    has_text: Callable[[str], bool]
    may_ask: Callable[[], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryText:
    """The bytes of one blob, not yet verified."""

    oid: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryOrder:
    """The last word of a history: every commit of it was brought.  Fields as in `FolderHistory`."""

    order: tuple[str, ...]
    total: int


HistoryPart = Commit | HistoryText | HistoryOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKey:
    """A page that there is: `code` is what its front matter asks for, of right form or None."""

    slug: str
    path: RepoPath
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVersion:
    """One commit's change of one page: `number` of `count`, 1 is the oldest.

    `path` is what the page was called then, None where the commit removed it.  `before` is its blob at the commit's
    first parent, under its former name where the commit renamed it, and `added` and `removed` are lines against that;
    None where they cannot be counted: a text is not there, is binary, or has too many lines.  `code` is `DOCH-…`.
    """

    code: str
    number: int
    count: int
    commit: str
    author: str
    email: str
    at: datetime
    authored_at: datetime
    path: RepoPath | None
    before: str | None
    after: str | None
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHistory:
    """A page's code, other codes that mean it (those of its former addresses), and its versions, newest first.

    `slug` is None for a page that is no more; `path` is then its last one.  Its codes are made of `asked` (what its
    front matter asks for), `addresses` (every path it had, the earliest first, none twice) and `nth`: 1 for the first
    page that began at its earliest address, 2 for one that was made there after the first had moved on.
    """

    code: str
    aliases: tuple[str, ...]
    slug: str | None
    path: RepoPath
    versions: tuple[PageVersion, ...]
    asked: str | None
    addresses: tuple[RepoPath, ...]
    nth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskChange:
    """One thing that a commit changed about one task of the board.

    `before` and `after` are statuses (kind `status`), next actions (`next`), or the status beside None
    (`appeared`, `vanished`).
    """

    commit: str
    author: str
    email: str
    at: datetime
    slug: str
    title: str
    kind: TaskChangeKind
    status: Status
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectHistory:
    """history.json beside project.json.

    `pages` are sorted by slug, those that are no more last, by path; `tasks` newest first.  `wiki_is_loaded` and
    `tasks_is_loaded` say whether a folder's history is known at all: unknown is never shown as "no change".
    `board_log` is the SHA-256 of the ids of the commits that `tasks` are made of, the oldest first.
    """

    schema_version: int
    repository: RepositoryId
    wiki_is_loaded: bool
    tasks_is_loaded: bool
    pages: tuple[PageHistory, ...]
    tasks: tuple[TaskChange, ...]
    board_log: str | None = None
