"""The shapes of Gitea's and Forgejo's answers, as far as we read them, and the paths of its API.

Unknown fields are passed over; a known field of another type is a reason not to believe the answer.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AwareDatetime, Field, StringConstraints

from pipeline.errors import SourceUnreachable
from pipeline.model import EntryKind, Listing, RepoPath, TreeEntry, Visibility, repository_id
from pipeline.sources.answers import Shape, read_json
from pipeline.sources.transport import path_of

API = "api/v1"
ENTRY_KINDS: dict[str, EntryKind] = {"120000": "symlink", "160000": "submodule"}
TREE_MODES = frozenset({"040000", "40000"})
YEARS = range(1971, 9999)

Name = Annotated[str, StringConstraints(pattern=r"^[^/\x00-\x20]{1,255}$")]
OBJECT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
ObjectId = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]
Path = Annotated[str, StringConstraints(min_length=1)]


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """The account that a repository belongs to."""

    login: Name
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Permissions:
    """What our credentials may do; without `pull` the contents are refused."""

    pull: bool


@dataclass(frozen=True, slots=True)
class RepositoryRow:
    """One repository of a listing.  What is not said to be public counts as private."""

    id: Annotated[int, Field(ge=1)]
    name: Name
    owner: OwnerRow
    default_branch: str = ""
    empty: bool = False
    private: bool = True
    internal: bool = False
    archived: bool = False
    updated_at: AwareDatetime | None = None
    mirror_updated: AwareDatetime | None = None
    permissions: Permissions | None = None


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """One page of a search among all that the account may see."""

    data: tuple[RepositoryRow, ...]


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One path of a tree; `mode` is git's, in octal."""

    path: Path
    mode: str
    sha: ObjectId
    size: int | None = None


@dataclass(frozen=True, slots=True)
class TreeAnswer:
    """One page of a tree.

    `sha` is the commit when a branch or commit was asked for; Gogs gives back the question's own word.
    `tree` is None past the end; `total_count` counts all of its pages.
    """

    sha: str
    tree: tuple[TreeRow, ...] | None = None
    truncated: bool = False
    total_count: int | None = None

    @property
    def names_a_commit(self) -> bool:
        """False for a server that says nothing of the commit."""
        return OBJECT_ID.fullmatch(self.sha) is not None


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file of a batch; `content` is base64, None for what is too large to send along."""

    path: str
    sha: ObjectId
    content: str | None = None
    encoding: str | None = None
    size: int | None = None
    type: str | None = None


@dataclass(frozen=True, slots=True)
class BlobRow:
    """One object of a batch of objects."""

    sha: ObjectId
    content: str | None = None
    encoding: str | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True)
class ContentsRow:
    """One name in a folder; Gogs sends the bytes of every file along."""

    path: Path
    type: str
    sha: ObjectId
    size: int | None = None
    content: str | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class Commit:
    """The commit of a branch."""

    id: ObjectId


@dataclass(frozen=True, slots=True)
class BranchAnswer:
    """A branch and where it is."""

    commit: Commit


@dataclass(frozen=True, slots=True)
class SignatureRow:
    """Who signed a commit, and when, as the server writes times."""

    name: str
    email: str
    date: str


@dataclass(frozen=True, slots=True)
class SignedRow:
    """What a commit says of itself; its `tree` is not read, for the id there is the commit's own."""

    author: SignatureRow
    committer: SignatureRow


@dataclass(frozen=True, slots=True)
class ParentRow:
    """A parent of a commit."""

    sha: ObjectId


@dataclass(frozen=True, slots=True)
class AffectedRow:
    """A file that a commit changed: `status` is added, modified or removed, and on old servers not told.

    What changed its type, from a file to a link, is left out.
    """

    filename: str
    status: str | None = None


@dataclass(frozen=True, slots=True)
class LogRow:
    """One commit of a log.  `files` are those of the whole commit, against its first parent; old servers tell none."""

    sha: ObjectId
    commit: SignedRow
    parents: tuple[ParentRow, ...] | None = None
    files: tuple[AffectedRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Limits that the server sets."""

    max_response_items: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class Message:
    """How the API itself words a refusal; a proxy before it words it otherwise."""

    message: str


REPOSITORY: Shape[RepositoryRow] = Shape(RepositoryRow)
REPOSITORIES: Shape[tuple[RepositoryRow, ...]] = Shape(tuple[RepositoryRow, ...])
SEARCH: Shape[SearchAnswer] = Shape(SearchAnswer)
TREE: Shape[TreeAnswer] = Shape(TreeAnswer)
FILES: Shape[tuple[FileRow | None, ...]] = Shape(tuple[FileRow | None, ...])
BLOB: Shape[BlobRow] = Shape(BlobRow)
BLOBS: Shape[tuple[BlobRow, ...]] = Shape(tuple[BlobRow, ...])
CONTENT: Shape[ContentsRow] = Shape(ContentsRow)
CONTENTS: Shape[tuple[ContentsRow, ...]] = Shape(tuple[ContentsRow, ...])
LOG: Shape[tuple[LogRow, ...]] = Shape(tuple[LogRow, ...])
BRANCH: Shape[BranchAnswer] = Shape(BranchAnswer)
SETTINGS: Shape[ServerSettings] = Shape(ServerSettings)
MESSAGE: Shape[Message] = Shape(Message)


def words_of(body: bytes) -> str | None:
    """The forge's own words of a refusal; None where it has none: a proxy's page, or a route that it does not know."""
    try:
        return read_json(body, MESSAGE, "the forge's own words").message
    except SourceUnreachable:
        return None


def repository_path(listing_id: str, *rest: str) -> str:
    """The path of one repository's endpoint; `listing_id` is its RepositoryId."""
    owner, name = listing_id.split("/")[1:]
    return f"{API}/{path_of('repos', owner, name, *rest)}"


def place_path(listing_id: str, endpoint: str, place: str) -> str:
    """The path of an endpoint for one place in a repository, whose slashes stay; "" is its root."""
    path = repository_path(listing_id, endpoint)
    return f"{path}/{path_of(*place.split('/'))}" if place else path


def to_listing(row: RepositoryRow, host: str, visibility: Visibility | None) -> Listing:
    """What a row says, in our words; `visibility` is the operator's, and wins."""
    return Listing(
        repository=repository_id(host, row.owner.login, row.name),
        forge_id=str(row.id),
        default_branch=row.default_branch,
        updated_at=_instant(row.updated_at),
        mirror_updated=_instant(row.mirror_updated),
        empty=row.empty,
        readable=row.permissions is None or row.permissions.pull,
        archived=row.archived,
        visibility=visibility or _visibility(row),
    )


def to_entry(row: TreeRow, folder: str = "") -> TreeEntry:
    """A blob, symlink or submodule of a tree, whose paths begin at `folder`."""
    kind = ENTRY_KINDS.get(row.mode, "file")
    return TreeEntry(
        path=RepoPath(f"{folder}/{row.path}" if folder else row.path),
        oid=row.sha,
        size_bytes=row.size if kind != "submodule" else None,
        kind=kind,
        etag=etag_of(row.sha) if kind == "file" else None,
    )


def etag_of(oid: str) -> str:
    """The ETag that Gitea and Forgejo give a file: its blob's object id, in quotes."""
    return f'"{oid}"'


def oid_of(etag: str) -> str | None:
    """The object id that an ETag is, weak or strong; None for an ETag of another make."""
    found = etag.removeprefix("W/").strip('"')
    return found if OBJECT_ID.fullmatch(found) else None


def content_of(row: FileRow | BlobRow | ContentsRow | None) -> bytes | None:
    """The bytes that a row carries; None when it carries none, or not all."""
    if row is None or row.content is None or row.encoding != "base64":
        return None
    try:
        content = b64decode(row.content, validate=True)
    except binascii.Error:
        return None
    return content if row.size in (None, len(content)) else None


def _visibility(row: RepositoryRow) -> Visibility:
    if row.private:
        return "private"
    return "internal" if row.internal else "public"


def _instant(written: datetime | None) -> datetime | None:
    """The instant in UTC, whatever zone the server writes; its year 1 means "never"."""
    return written.astimezone(UTC) if written is not None and written.year in YEARS else None
