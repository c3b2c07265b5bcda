"""A source made of a dictionary: `Memory({"ann/notes": {".tasks/STATUS.md": "…"}})`.

Assign new files, or an `Unreachable`, to a name; rename, delete, hide; ask `asked` what was asked of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import ClassVar, Self

from pipeline.blobs import blob_id
from pipeline.errors import SourceUnreachable
from pipeline.model import (
    Commit,
    Config,
    Empty,
    EntryKind,
    FileChange,
    Head,
    HistoryOrder,
    HistoryPart,
    HistoryQuest,
    HistoryText,
    LastLook,
    Listing,
    RepoPath,
    RepositoryId,
    Resolved,
    Revision,
    Selection,
    Setting,
    SnapshotEntry,
    SourceConfig,
    SourceListing,
    TreeEntry,
    Unreachable,
    repository_id,
)
from pipeline.sources.base import Source
from tests.fakes.bare import Content, Link, Submodule

START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
HOST = "memory"

Files = Mapping[str, Content]


@dataclass(slots=True)
class Remembered:
    """One repository: no files is an empty one; `trouble` makes every question about it fail."""

    forge_id: str
    files: Files
    updated_at: datetime
    trouble: str | None = None
    readable: bool = True
    listed: bool = True
    pushes: list[Push] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Push:
    """One state of a repository: the commit of these files, by whom and when."""

    commit: str
    files: Files
    at: datetime
    author: str


@dataclass(slots=True)
class Memory:
    """The remote side.  Its clock stands still until `tick`."""

    initial: Mapping[str, Files] = field(default_factory=dict)
    repositories: dict[str, Remembered] = field(default_factory=dict)
    clock: datetime = START
    has_clock: bool = True
    trouble: str | None = None
    partial: str | None = None
    author: str = "Ann"
    lost_paths: set[str] = field(default_factory=set)
    forged_paths: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        for name, files in self.initial.items():
            self[name] = files

    def __setitem__(self, name: str, content: Files | Unreachable) -> None:
        """Push files as a whole, make a repository of them, or make its questions fail."""
        if isinstance(content, Unreachable):
            self.repositories[name].trouble = content.reason
            return
        known = self.repositories.get(name)
        forge_id = known.forge_id if known else str(next(self._ids))
        pushes = known.pushes if known else []
        if content:
            pushes = [*pushes, Push(_commit(forge_id, content), dict(content), self.clock, self.author)]
        self.repositories[name] = Remembered(forge_id, dict(content), self.clock, pushes=pushes)

    def __delitem__(self, name: str) -> None:
        del self.repositories[name]

    def __getitem__(self, name: str) -> Remembered:
        return self.repositories[name]

    def rename(self, name: str, to: str) -> None:
        """Another name for the same repository."""
        self.repositories[to] = self.repositories.pop(name)

    def tick(self, seconds: float = 60) -> None:
        """Let time go by."""
        self.clock += timedelta(seconds=seconds)

    def now(self) -> datetime:
        """The clock, for a run."""
        return self.clock

    def config(self, **changes: object) -> Config:
        """One row that asks for all of it; `changes` are of the row."""
        row = SourceConfig(kind="memory", name=HOST)
        return Config(sources=(replace(row, **changes),), origin="a test")  # type: ignore[arg-type]  # fields by name

    def sources(self) -> dict[str, type[Source]]:
        """What a registry of kinds would hold: one kind that opens this memory."""

        class Opened(MemorySource):
            memory = self

        return {"memory": Opened}


class MemorySource:
    """A `Source` over one `Memory`."""

    SETTINGS: ClassVar[tuple[Setting, ...]] = ()
    memory: ClassVar[Memory]

    def __init__(self, config: SourceConfig, traits: Mapping[str, str]) -> None:
        self.config = config
        self.traits = dict(traits)

    @classmethod
    def open(cls, config: SourceConfig, traits: Mapping[str, str]) -> Self:
        return cls(config, traits)

    @classmethod
    def page_address(cls, config: SourceConfig) -> str | None:  # noqa: ARG003
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        return None

    async def list_repositories(self) -> SourceListing:
        memory = self.memory
        memory.asked.append("list")
        if memory.trouble is not None:
            raise SourceUnreachable(memory.trouble)
        listings = (self._listing(name, each) for name, each in sorted(memory.repositories.items()) if each.listed)
        return SourceListing(
            listings=tuple(listings),
            complete=memory.partial is None,
            reason=memory.partial,
            observed_at=memory.clock if memory.has_clock else None,
        )

    async def resolve(self, listing: Listing, selection: Selection, last: LastLook | None) -> Head:  # noqa: ARG002
        found = self._ask("resolve", listing)
        await self._wait()
        if not found.files:
            return Empty()
        commit = _commit(found.forge_id, found.files)
        trees = tuple((folder, tree) for folder in selection.folders if (tree := _tree(found.files, folder)))
        revision = Revision(repository=listing.repository, ref="main", commit=commit, committed_at=found.updated_at)
        return Resolved(revision=revision, trees=trees)

    async def list_tree(
        self,
        head: Resolved,
        selection: Selection,
        known: Sequence[SnapshotEntry],  # noqa: ARG002
    ) -> tuple[TreeEntry, ...]:
        name = _full_name(head.revision.repository)
        self.memory.asked.append(f"tree {name}")
        files = self.memory[name].files
        wanted = {path for folder in selection.folders for path in files if _is_below(path, folder)}
        return tuple(_entry(path, files[path]) for path in sorted(wanted))

    async def read_blobs(
        self, revision: Revision, entries: Sequence[TreeEntry]
    ) -> AsyncIterator[tuple[TreeEntry, bytes | None]]:
        files = self.memory[_full_name(revision.repository)].files
        for entry in entries:
            self.memory.asked.append(f"blob {_full_name(revision.repository)} {entry.path}")
            lost = entry.path in self.memory.lost_paths
            forged = b"forged" if entry.path in self.memory.forged_paths else _bytes(files[entry.path])
            yield entry, None if lost else forged

    async def read_history(self, quest: HistoryQuest) -> AsyncIterator[HistoryPart]:
        """Each push that changed the folder is a commit."""
        name = _full_name(quest.revision.repository)
        self.memory.asked.append(f"history {name} {quest.folder}")
        known = {commit.id for commit in quest.known.commits} if quest.known else set()
        order: list[str] = []
        before: Files = {}
        for push in self.memory[name].pushes:
            changes = _changes(before, push.files, quest.folder)
            if _tree(before, quest.folder) != _tree(push.files, quest.folder):
                order.insert(0, push.commit)
                texts = {_oid(push.files[each.path]): push.files[each.path] for each in changes if each.after}
                for oid in () if push.commit in known else sorted(texts):
                    yield HistoryText(oid=oid, content=_bytes(texts[oid]))
                if push.commit not in known:
                    yield _told(push, changes)
            before = push.files
        yield HistoryOrder(order=tuple(order), total=len(order))

    async def read_file(self, listing: Listing, revision: Revision, entry: TreeEntry, limit_bytes: int) -> bytes | None:
        files = self._ask(f"file {entry.path} of {revision.ref} of", listing).files
        if entry.path not in files or entry.path in self.memory.lost_paths:
            return None
        content = b"forged" if entry.path in self.memory.forged_paths else _bytes(files[entry.path])
        return content if len(content) <= limit_bytes else None

    async def find(self, listing: Listing) -> RepositoryId | None:
        self.memory.asked.append(f"find {_full_name(listing.repository)}")
        names = {each.forge_id: name for name, each in self.memory.repositories.items()}
        name = names.get(listing.forge_id)
        return None if name is None else repository_id(self.config.name, *name.split("/"))

    async def _wait(self) -> None:
        """Be one question among others that are asked meanwhile."""
        self.memory.in_flight += 1
        self.memory.most_in_flight = max(self.memory.most_in_flight, self.memory.in_flight)
        await asyncio.sleep(0)
        self.memory.in_flight -= 1

    def _listing(self, name: str, found: Remembered) -> Listing:
        owner, short = name.split("/")
        return Listing(
            repository=repository_id(self.config.name, owner, short),
            forge_id=found.forge_id,
            default_branch="main",
            updated_at=found.updated_at if self.memory.has_clock else None,
            empty=not found.files,
            readable=found.readable,
        )

    def _ask(self, what: str, listing: Listing) -> Remembered:
        name = _full_name(listing.repository)
        self.memory.asked.append(f"{what} {name}")
        found = self.memory[name]
        if found.trouble is not None:
            raise SourceUnreachable(found.trouble)
        return found


def _commit(forge_id: str, files: Files) -> str:
    return _digest(forge_id, *(f"{path} {_oid(content)}" for path, content in sorted(files.items())))


def _changes(before: Files, after: Files, folder: str) -> tuple[FileChange, ...]:
    paths = [path for path in sorted({*before, *after}) if _is_below(path, folder) and path.endswith(".md")]
    old, new = ({path: _oid(files[path]) for path in paths if path in files} for files in (before, after))
    return tuple(
        FileChange(path=RepoPath(path), before=old.get(path), after=new.get(path))
        for path in paths
        if old.get(path) != new.get(path)
    )


def _told(push: Push, changes: tuple[FileChange, ...]) -> Commit:
    return Commit(
        id=push.commit, author=push.author, email=f"{push.author.lower()}@example.org",
        authored_at=push.at, committed_at=push.at, changes=changes,
    )  # fmt: skip


def _full_name(repository: str) -> str:
    return repository.split("/", 1)[1]


def _is_below(path: str, folder: str) -> bool:
    return folder == "" or path.startswith(f"{folder}/")


def _tree(files: Files, folder: str) -> str | None:
    rows = [f"{path} {_oid(content)}" for path, content in sorted(files.items()) if _is_below(path, folder)]
    return _digest(*rows) if rows else None


def _digest(*rows: str) -> str:
    return hashlib.sha1("\n".join(rows).encode(), usedforsecurity=False).hexdigest()


def _entry(path: str, content: Content) -> TreeEntry:
    kinds: dict[type, EntryKind] = {Link: "symlink", Submodule: "submodule"}
    size_bytes = None if isinstance(content, Submodule) else len(_bytes(content))
    return TreeEntry(
        path=RepoPath(path), oid=_oid(content), size_bytes=size_bytes, kind=kinds.get(type(content), "file")
    )


def _oid(content: Content) -> str:
    return content.commit if isinstance(content, Submodule) else blob_id(_bytes(content))


def _bytes(content: Content) -> bytes:
    match content:
        case bytes():
            return content
        case str():
            return content.encode()
        case Link(target):
            return target.encode()
        case Submodule():
            raise TypeError("a submodule has no bytes")
