"""A folder of this machine: git clones (objects read, never a checkout) and plain folders below it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self, cast

from pipeline.errors import AccessDenied, ConfigError, NoHistory, RepositoryNotFound, SourceUnreachable
from pipeline.model import (
    Empty,
    Head,
    HistoryPart,
    HistoryQuest,
    LastLook,
    Listing,
    RepositoryId,
    Resolved,
    Revision,
    Selection,
    Setting,
    SnapshotEntry,
    SourceConfig,
    SourceListing,
    TreeEntry,
    repository_id,
)
from pipeline.sources import worktree
from pipeline.sources.clone import Clone, committed_at, isolate
from pipeline.sources.places import Place, PlaceKind, find_places, is_place, kind_of

WORKTREE = "worktree"
READ_LIMIT_BYTES = 1 << 20
BATCH = 50
NAMED = 3
NO_HISTORY = "a plain folder keeps no history; make it a git repository (`git init`) to have one"


class Folder:
    """One `kind = "folder"` row.

    A repository is called `<name of the row>/<folder above, or root>/<folder without .git>`; its forge
    id is its path below the searched folder.  Nothing in a listing tells of a change, so every head is
    looked at in every run: here that costs no request.
    """

    SETTINGS: ClassVar[tuple[Setting, ...]] = (
        Setting(
            name="path",
            kind="path",
            required=True,
            is_address=True,
            meaning="the folder: a repository itself, or one that holds clones or folders with .tasks/ or .wiki/",
        ),
        Setting(name="depth", kind="integer", default=2, minimum=0, meaning="how many levels below it are searched"),
        Setting(name="worktree", kind="switch", default=False, meaning="read the files on disk, not the last commit"),
        Setting(name="ref", kind="text", default="HEAD", meaning="the branch, tag or commit to read of each clone"),
    )

    def __init__(self, config: SourceConfig) -> None:
        self.config = config
        self.traits: Mapping[str, str] = {}
        self._root = _absolute(str(config.settings["path"]), config.place)
        self._depth = cast("int", config.settings.get("depth", 2))
        self._reads_disk = bool(config.settings.get("worktree", False))
        self._ref = str(config.settings.get("ref", "HEAD"))
        self._paths: dict[RepositoryId, str] = {}

    @classmethod
    def open(cls, config: SourceConfig, traits: Mapping[str, str]) -> Self:  # noqa: ARG003
        """Make a source of a checked row; looks at nothing yet.

        Raises:
            ConfigError: `path` begins with the home of a user whom this machine does not know.
        """
        isolate()
        return cls(config)

    @classmethod
    def page_address(cls, config: SourceConfig) -> str | None:  # noqa: ARG003
        """None: a folder is seen on its own machine alone."""
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._paths.clear()

    async def list_repositories(self) -> SourceListing:
        """Search the folder; `reason` also tells of folders that have no name of their own.

        Raises:
            SourceUnreachable: the folder is not there.
            AccessDenied: it may not be listed.
        """
        return await asyncio.to_thread(self._list)

    async def resolve(self, listing: Listing, selection: Selection, last: LastLook | None) -> Head:  # noqa: ARG002
        """The commit of `ref` and its trees; on disk, ids made of the files' bytes, and the files with them.

        Raises:
            SourceUnreachable: git's data cannot be read, or `ref` has no commit.
            RepositoryNotFound: the folder is no longer there.
        """
        return await asyncio.to_thread(self._resolve, listing, selection)

    async def list_tree(
        self,
        head: Resolved,
        selection: Selection,
        known: Sequence[SnapshotEntry],  # noqa: ARG002
    ) -> tuple[TreeEntry, ...]:
        """Every file, symlink and submodule below the selection's folders, sorted by path.

        Raises:
            SourceUnreachable: git's data cannot be read, or there is too much of it.
        """
        return await asyncio.to_thread(self._list_tree, head.revision, selection)

    async def read_blobs(
        self, revision: Revision, entries: Sequence[TreeEntry]
    ) -> AsyncIterator[tuple[TreeEntry, bytes | None]]:
        """Bring the bytes; None where the clone has them not, or the file on disk is no longer readable.

        Raises:
            SourceUnreachable: git's data cannot be read.
        """
        for start in range(0, len(entries), BATCH):
            batch = entries[start : start + BATCH]
            for entry, content in zip(batch, await asyncio.to_thread(self._read, revision, batch), strict=True):
                yield entry, content

    async def read_file(self, listing: Listing, revision: Revision, entry: TreeEntry, limit_bytes: int) -> bytes | None:
        """The bytes of one file; None when the clone or the folder on disk has it not, or it is too large.

        Raises:
            SourceUnreachable: git's data cannot be read.
            RepositoryNotFound: the folder is no longer there.
        """
        return await asyncio.to_thread(self._read_file, listing, revision, entry, limit_bytes)

    async def read_history(self, quest: HistoryQuest) -> AsyncIterator[HistoryPart]:
        """The log of the revision; of a clone whose files are read on disk, that of its HEAD.  `may_ask` is not asked.

        Raises:
            NoHistory: a plain folder has none.
            SourceUnreachable: git's data cannot be read.
        """
        parts = self._history(quest)
        while batch := await asyncio.to_thread(lambda: list(islice(parts, BATCH))):
            for part in batch:
                yield part

    async def find(self, listing: Listing) -> RepositoryId | None:
        """Its name; None when the folders above it can be looked into and no longer lead to a repository there.

        Raises:
            SourceUnreachable: the folder of this source is not there, or one above cannot be looked into.
        """
        with self._root_trouble():
            is_there = await asyncio.to_thread(is_place, self._root, listing.forge_id, self._depth)
        return listing.repository if is_there else None

    @contextmanager
    def _root_trouble(self) -> Iterator[None]:
        # Reasons are published, so they name the setting and not the place on this machine.
        try:
            yield
        except (FileNotFoundError, NotADirectoryError):
            raise SourceUnreachable(
                "what `path` of this source names is not a folder; mend the row, or bring the folder back"
            ) from None
        except PermissionError:
            raise AccessDenied("the folder that `path` of this source names may not be listed by this user") from None
        except OSError as error:
            raise SourceUnreachable(
                f"the folder that `path` of this source names cannot be listed: {error.strerror}"
            ) from None

    def _list(self) -> SourceListing:
        with self._root_trouble():
            found = find_places(self._root, self._depth)
        listings: dict[RepositoryId, Listing] = {}
        notes = [f"{path} may not be listed" for path in found.unreadable[:NAMED]]
        for place in found.places:
            repository = repository_id(self.config.name, place.owner, place.name)
            if not (place.owner + place.name).isprintable():
                notes.append(f"{_plain(place.path)} is left out: its name is not printable text")
            elif repository in listings:
                notes.append(f"{place.path} is left out: {listings[repository].forge_id} is {repository} already")
            else:
                listings[repository] = self._listing(place, repository)
        self._paths = {name: listing.forge_id for name, listing in listings.items()}
        return SourceListing(
            listings=tuple(listings[name] for name in sorted(listings)),
            complete=not found.unreadable,
            reason="; ".join(notes) or None,
        )

    def _listing(self, place: Place, repository: RepositoryId) -> Listing:
        branch, empty = self._branch(place)
        return Listing(
            repository=repository,
            forge_id=place.path,
            default_branch=branch,
            empty=empty,
            visibility=self.config.visibility or "private",
        )

    def _branch(self, place: Place) -> tuple[str, bool]:
        """What a listing says of the head; a clone that git cannot read says why when it is resolved."""
        if self._is_on_disk(place.kind):
            return WORKTREE, False
        try:
            clone = Clone(self._root / place.path)
            return clone.branch(self._ref), clone.is_empty()
        except SourceUnreachable:
            return self._ref, False

    def _is_on_disk(self, kind: PlaceKind | None) -> bool:
        return kind == "plain" or (kind == "clone" and self._reads_disk)

    def _resolve(self, listing: Listing, selection: Selection) -> Head:
        folder = self._root / listing.forge_id
        self._paths[listing.repository] = listing.forge_id
        if self._is_on_disk(_kind(folder)):
            return _resolve_disk(listing, folder, selection)
        clone = Clone(folder)
        if clone.is_empty():
            return Empty()
        commit = clone.commit(self._ref)
        revision = Revision(
            repository=listing.repository,
            ref=clone.branch(self._ref),
            commit=str(commit.id),
            committed_at=committed_at(commit),
        )
        return Resolved(revision=revision, trees=clone.trees(commit, selection.folders))

    def _list_tree(self, revision: Revision, selection: Selection) -> tuple[TreeEntry, ...]:
        folder = self._root / self._paths[revision.repository]
        if self._is_on_disk(_kind(folder)):
            return worktree.list_files(folder, selection.folders)
        return Clone(folder).entries(revision.commit, selection.folders)

    def _history(self, quest: HistoryQuest) -> Iterator[HistoryPart]:
        if quest.revision.repository not in self._paths:
            self._list()
        if quest.revision.repository not in self._paths:
            raise RepositoryNotFound("its folder is no longer there")
        folder = self._root / self._paths[quest.revision.repository]
        kind = _kind(folder)
        if kind == "plain":
            raise NoHistory(NO_HISTORY)
        yield from Clone(folder).history(quest, "HEAD" if self._is_on_disk(kind) else quest.revision.commit)

    def _read_file(self, listing: Listing, revision: Revision, entry: TreeEntry, limit_bytes: int) -> bytes | None:
        if listing.repository not in self._paths:
            self._list()
        if listing.repository not in self._paths:
            raise RepositoryNotFound("its folder is no longer there")
        if entry.size_bytes is not None and entry.size_bytes > limit_bytes:
            return None
        (content,) = self._read(revision, [entry], limit_bytes)
        return content if content is None or len(content) <= limit_bytes else None

    def _read(
        self, revision: Revision, entries: Sequence[TreeEntry], limit_bytes: int = READ_LIMIT_BYTES
    ) -> list[bytes | None]:
        folder = self._root / self._paths[revision.repository]
        if self._is_on_disk(_kind(folder)):
            return [worktree.read_file(folder, entry, limit_bytes) for entry in entries]
        clone = Clone(folder)
        return [clone.read(entry) for entry in entries]


def _absolute(path: str, place: str) -> Path:
    try:
        return Path(path).expanduser().absolute()
    except RuntimeError:
        raise ConfigError((f'{place}.path is "{path}"; this machine knows no such home folder',)) from None


def _resolve_disk(listing: Listing, folder: Path, selection: Selection) -> Resolved:
    entries = worktree.list_files(folder, selection.folders)
    trees = worktree.tree_ids(folder, selection.folders, entries)
    commit = worktree.digest(f"{name}\0{oid}\n" for name, oid in trees)
    revision = Revision(repository=listing.repository, ref=WORKTREE, commit=commit, committed_at=None)
    return Resolved(revision=revision, trees=trees, entries=entries)


def _kind(folder: Path) -> PlaceKind | None:
    try:
        return kind_of(folder)
    except OSError as error:
        raise RepositoryNotFound(f"its folder cannot be looked into: {error.strerror}") from None


def _plain(path: str) -> str:
    return ascii(path)[1:-1]
