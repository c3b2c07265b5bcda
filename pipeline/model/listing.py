"""What a source says of its repositories, and what we remember and copied of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pipeline.model.identity import BlobState, EntryKind, Evidence, RepoPath, RepositoryId, State, Visibility


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
    """One path of a revision.  `size_bytes` and `etag` are None where the source does not tell them.

    `etag` is what a conditional request for this path would carry; `content` is there when the same
    answer already brought the bytes (never stored here).
    """

    path: RepoPath
    oid: str
    size_bytes: int | None
    kind: EntryKind = "file"
    etag: str | None = None
    content: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The head of a repository: `trees` gives, per folder of the selection that exists, its tree id,
    sorted by folder.  `entries` are there when the same answer already told them (never stored).

    `paths` counts the whole tree where the answer tells it.  `trouble` says why the tree could not be
    had: then nothing but the files known before can be looked at, and `trees` is empty.
    """

    revision: Revision
    trees: tuple[tuple[str, str], ...]
    entries: tuple[TreeEntry, ...] | None = None
    paths: int | None = None
    trouble: str | None = None
    kind: Literal["resolved"] = "resolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class LastLook:
    """What a source may rest on: the newest head that our snapshot is right for, and what was found there."""

    revision: Revision
    trees: tuple[tuple[str, str], ...]
    paths: int | None = None


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
    `paths` counts the paths of the whole tree when that was last told.  `partial`: its tree could not
    be had when the snapshot was made, so that no head is believed before it can.

    `is_root`: it is a knowledge root, so its knowledge/ is copied as well.
    `history_digest` is the SHA-256 of its history.json, None while nothing of its history is here.
    `history_reach` says with which bounds the history is whole for `trees`, None while it is not;
    `history_reason` why the last try failed.
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
    paths: int | None = None
    partial: bool = False
    is_root: bool = False
    history_digest: str | None = None
    history_reach: str | None = None
    history_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Every repository we know, sorted by id."""

    schema_version: int
    entries: tuple[RosterEntry, ...]
