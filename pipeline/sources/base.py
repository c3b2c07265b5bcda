"""What every source answers.  A new kind of source is one file beside this one and one row in `SOURCES`.

A source speaks the facts of its origin and decides nothing: what to probe, keep, fetch or forget is
`pipeline.plan`'s.  All methods may be called concurrently.  They raise `SourceError` and nothing else
for trouble of the remote; a reason holds no clock, no token and no path of this machine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import ClassVar, Protocol, Self

from pipeline.model import (
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
)


class Source(Protocol):
    """One row of sources.toml, opened."""

    SETTINGS: ClassVar[tuple[Setting, ...]]
    config: SourceConfig

    @property
    def traits(self) -> Mapping[str, str]:
        """What it knows of its server beyond the row, in words of its own, given back to `open` next
        time so that nothing is found out twice.  Losing them costs requests, never an answer.
        """
        ...

    @classmethod
    def open(cls, config: SourceConfig, traits: Mapping[str, str]) -> Self:
        """Make a source of a checked row; reads its token, asks nothing.

        Raises:
            ConfigError: the token's file or variable is missing or readable by others.
        """
        ...

    @classmethod
    def page_address(cls, config: SourceConfig) -> str | None:
        """Where people see a file of a repository, as `PageAddress.pattern`; None where they see none."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    async def list_repositories(self) -> SourceListing:
        """List every repository of this row, sorted by id, before include/exclude.

        An answer of which a part failed is `complete=False` with its reason, never short in silence.

        Raises:
            SourceUnreachable, AccessDenied: nothing could be listed.
        """
        ...

    async def resolve(self, listing: Listing, selection: Selection, last: LastLook | None) -> Head:
        """Say where the repository's head is now and the tree ids of the selection's folders.

        `last` is what our snapshot stands for: a source may answer without `entries` when the head
        or the trees are still those.  Answers `Resolved` or `Empty`.

        Raises:
            SourceError: no answer; keep the last snapshot.
        """
        ...

    async def list_tree(
        self, head: Resolved, selection: Selection, known: Sequence[SnapshotEntry]
    ) -> tuple[TreeEntry, ...]:
        """List every blob, symlink and submodule below the selection's folders, sorted by path.

        Trees are not followed into symlinks or submodules.  `known` are the files of our snapshot, for
        a source that has no tree and must ask for each by its path.

        Raises:
            SourceError: no answer; keep the last snapshot.
        """
        ...

    def read_blobs(
        self, revision: Revision, entries: Sequence[TreeEntry]
    ) -> AsyncIterator[tuple[TreeEntry, bytes | None]]:
        """Bring the bytes of `entries`, in any order; None for one that could not be brought.

        The bytes are not yet verified: whoever stores them does that, by `oid`.

        Raises:
            SourceError: the rest could not be brought either.
        """
        ...

    async def read_file(self, listing: Listing, revision: Revision, entry: TreeEntry, limit_bytes: int) -> bytes | None:
        """Bring the bytes of one file of any kind; None when it is not there, or larger than `limit_bytes`.

        Nothing need have been listed before.  The bytes are not yet verified.

        Raises:
            SourceError: no answer.
        """
        ...

    async def find(self, listing: Listing) -> RepositoryId | None:
        """Ask for one repository by its forge id, else its name: what it is called today.

        None only for a plain "there is no such".

        Raises:
            SourceError: no answer; doubt deletes nothing.
        """
        ...

    def read_history(self, quest: HistoryQuest) -> AsyncIterator[HistoryPart]:
        """Tell who changed a folder, and what its Markdown files were before and after.

        The commits, and their order, are those of `git log -- <folder>`: by commit date, a merge only if it differs
        from every parent.  Texts that the store has not, and commits that are not known, come in any order; a commit
        comes again only where `is_beyond` has changed.  The last part is the `HistoryOrder`.  Without one
        `may_ask` said no: what came is good, and the next run goes on from there.

        Raises:
            NoHistory: this origin keeps none, or cannot tell it.
            SourceError: no answer; what came before is good.
        """
        ...
