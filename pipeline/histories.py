"""Brings the history of repositories: commits and old texts, folder by folder, a piece at a time.

What was brought is kept whatever stops it: commits and texts are facts by their ids, so the next run goes on.  An old
history stays as it was until the new one is told whole: never a mix.  Trouble becomes the row's reason and touches
neither its snapshot nor another repository.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from pipeline import roster_rows
from pipeline.blobs import BlobStore
from pipeline.choice import FILE_LIMIT_BYTES
from pipeline.errors import NoHistory, SourceError, SourceUnreachable
from pipeline.history_store import HistoryStore, empty_history, folder_of, oids_of, only_of, with_folder, within_reach
from pipeline.layout import Layout
from pipeline.model import (
    Commit,
    Empty,
    FolderHistory,
    History,
    HistoryOrder,
    HistoryQuest,
    HistorySettings,
    HistoryText,
    RosterEntry,
    Snapshot,
)
from pipeline.snapshots import SnapshotStore
from pipeline.sources.base import Source

FOLDERS = (".tasks", ".wiki")
SAVED_AGAIN = 1.1  # times as many commits as at the last time: a kill costs no more than a tenth of them
INCREMENT_LIMIT = 100  # requests


@dataclass(slots=True)
class Budget:
    """How many requests may still be made; each call takes one."""

    left: int

    def __call__(self) -> bool:
        """Whether one more may be made."""
        self.left -= 1
        return self.left >= 0


def is_due(entry: RosterEntry, settings: HistorySettings) -> bool:
    """Whether the row's history is not that of its snapshot, or not with these bounds."""
    if entry.state != "ok" or entry.partial or entry.snapshot_digest is None:
        return False
    return entry.history_reach != settings.reach and bool(entry.trees or entry.history_digest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Historian:
    """One source, and the places where its histories go."""

    source: Source
    settings: HistorySettings
    blobs: BlobStore
    snapshots: SnapshotStore
    histories: HistoryStore

    @classmethod
    def of(cls, source: Source, settings: HistorySettings, layout: Layout) -> Self:
        """The historian of a source over a build folder."""
        return cls(
            source=source,
            settings=settings,
            blobs=BlobStore(layout),
            snapshots=SnapshotStore(layout),
            histories=HistoryStore(layout),
        )

    async def keep_up(self, entry: RosterEntry, is_late: Callable[[], bool], *, is_free: bool) -> RosterEntry:
        """The row of a repository that was just looked at, with the history of what is new there.

        All of it where histories are `is_free` (no request); else a little one, where the rest is here and files were
        brought.  What is left is for later (`history_run`).

        Raises:
            OSError: the disk refused.
        """
        if not is_due(entry, self.settings):
            return entry
        if is_free:
            return await self.bring(entry, lambda: True)
        if entry.evidence != "blobs" or not self._has_order(entry):
            return entry
        budget = Budget(INCREMENT_LIMIT)
        return await self.bring(entry, lambda: not is_late() and budget())

    def _has_order(self, entry: RosterEntry) -> bool:
        """Whether a history was once told whole: what is missing is then little."""
        held = self.histories.load(entry.listing.repository) if entry.history_digest is not None else None
        return held is not None and any(folder.order is not None for folder in held.folders)

    async def bring(self, entry: RosterEntry, may_ask: Callable[[], bool]) -> RosterEntry:
        """The row after as much of its history was brought as `may_ask` allows.

        Raises:
            OSError: the disk refused.
        """
        snapshot = self.snapshots.load(entry)
        if snapshot is None:
            return entry
        held = self._held(entry)
        try:
            for folder in FOLDERS:
                held = await self._follow(held, folder, entry, snapshot, may_ask)
        except NoHistory as error:
            return self._row(entry, is_whole=True, reason=error.reason)
        except SourceError as error:
            return self._row(entry, is_whole=False, reason=error.reason)
        is_whole = all(_is_whole(held, folder, entry, snapshot) for folder in FOLDERS)
        return self._row(entry, is_whole=is_whole and not _has_uncommitted(held, snapshot))

    def _held(self, entry: RosterEntry) -> History:
        """What is here of it.  A file that no row names may be of another repository: a log of another commit than
        the one that is shown does not count, facts do.
        """
        repository, reach = entry.listing.repository, self.settings.reach
        held = self.histories.load(repository) or empty_history(repository, reach)
        if isinstance(entry.head, Empty):
            return empty_history(repository, reach)
        if entry.history_digest is None:
            held = only_of(held, roster_rows.last_revision(entry))
        return within_reach(held, reach)

    async def _follow(
        self, held: History, folder: str, entry: RosterEntry, snapshot: Snapshot, may_ask: Callable[[], bool]
    ) -> History:
        revision = roster_rows.last_revision(entry)
        if revision is None or _is_whole(held, folder, entry, snapshot):
            self.histories.write(held)
            return held
        quest = HistoryQuest(
            revision=revision,
            folder=folder,
            tree=_tree(folder, entry, snapshot),
            entries=tuple(each for each in snapshot.entries if each.path.startswith(f"{folder}/")),
            known=folder_of(held, folder),
            since=self.settings.since,
            max_commits=self.settings.max_commits,
            has_text=lambda oid: self.blobs.has(oid, None) or oid in held.unbrought,
            may_ask=may_ask,
        )
        found = await self._ask(held, quest)
        known = folder_of(found, folder)
        if known is not None and known.order is not None and _has_strays(quest.known, known):
            # The known log is gone: names that only it gave must not mix with those of the new one.
            anew = replace(known, order=None, commits=_of_order(known))
            return await self._ask(with_folder(found, anew), replace(quest, known=anew))
        return found

    async def _ask(self, held: History, quest: HistoryQuest) -> History:
        growing = _Growing(quest, held, self.blobs)
        try:
            async for part in self.source.read_history(quest):
                match part:
                    case HistoryText(oid=oid, content=content):
                        self._keep(oid, content)
                    case Commit():
                        growing.add(part)
                    case HistoryOrder():
                        growing.order = part
                if len(growing.fresh) > growing.saved * SAVED_AGAIN:
                    growing.saved = len(growing.fresh)
                    self.histories.write(growing.history())
        finally:
            found = growing.history()
            self.histories.write(found)
        return found

    def _keep(self, oid: str, content: bytes) -> None:
        if len(content) <= FILE_LIMIT_BYTES and not self.blobs.add(oid, content):
            raise SourceUnreachable(f"an old text came with other bytes than its id {oid[:12]} names")

    def _row(self, entry: RosterEntry, *, is_whole: bool, reason: str | None = None) -> RosterEntry:
        held = self.histories.load(entry.listing.repository)
        return replace(
            entry,
            history_digest=None if held is None or not held.folders else self.histories.write(held),
            history_reach=self.settings.reach if is_whole else None,
            history_reason=reason,
        )


@dataclass(slots=True)
class _Growing:
    """A folder's history while it comes."""

    quest: HistoryQuest
    held: History
    blobs: BlobStore
    fresh: dict[str, Commit] = field(default_factory=dict)
    order: HistoryOrder | None = None
    saved: int = 0

    def add(self, commit: Commit) -> None:
        """A commit came."""
        self.fresh[commit.id] = commit

    def history(self) -> History:
        """What there is so far: without the last word, new commits count only when their texts are here."""
        if self.order is not None:
            missing = {oid for oids in map(oids_of, self.fresh.values()) for oid in oids if not self._has(oid)}
            unbrought = tuple(sorted({*self.held.unbrought, *missing}))
            return replace(with_folder(self.held, self._whole(self.order)), unbrought=unbrought)
        complete = {key: commit for key, commit in self.fresh.items() if all(map(self._has, oids_of(commit)))}
        return with_folder(self.held, self._partial(complete)) if complete or self.quest.known else self.held

    def _has(self, oid: str) -> bool:
        return self.quest.has_text(oid)

    def _commits(self, fresh: Mapping[str, Commit]) -> dict[str, Commit]:
        known = self.quest.known.commits if self.quest.known else ()
        return {**{commit.id: commit for commit in known}, **fresh}

    def _whole(self, told: HistoryOrder) -> FolderHistory:
        commits = self._commits(self.fresh)
        named = frozenset(told.order)
        return FolderHistory(
            folder=self.quest.folder,
            revision=self.quest.revision.commit,
            tree=self.quest.tree,
            order=told.order,
            total=told.total,
            commits=tuple(commits[key] for key in sorted(commits) if key in named or commits[key].is_beyond),
        )

    def _partial(self, fresh: Mapping[str, Commit]) -> FolderHistory:
        commits = self._commits(fresh)
        kept = tuple(commits[key] for key in sorted(commits))
        if self.quest.known is not None:
            return replace(self.quest.known, commits=kept)
        return FolderHistory(
            folder=self.quest.folder, revision=None, tree=None, order=None, total=len(kept), commits=kept
        )


def _tree(folder: str, entry: RosterEntry, snapshot: Snapshot) -> str | None:
    """The folder's tree id; where only the whole tree's is known, that, if the folder is there."""
    trees = dict(entry.trees)
    if folder in trees or "" not in trees:
        return trees.get(folder)
    return trees[""] if any(each.path.startswith(f"{folder}/") for each in snapshot.entries) else None


def _is_whole(held: History, folder: str, entry: RosterEntry, snapshot: Snapshot) -> bool:
    known, tree = folder_of(held, folder), _tree(folder, entry, snapshot)
    if known is None:
        return tree is None
    return known.order is not None and known.tree == tree


def _has_uncommitted(held: History, snapshot: Snapshot) -> bool:
    """Whether files that were read on disk are not as the last commit has them: the next one is waited for."""
    if snapshot.revision is None or snapshot.revision.committed_at is not None:
        return False
    shown: dict[str, str] = {entry.path: entry.oid for entry in snapshot.entries}
    return any(shown.get(path) != oid for folder in held.folders for path, oid in _newest(folder).items())


def _newest(folder: FolderHistory) -> dict[str, str | None]:
    """What the newest of its commits made of each file."""
    commits = {commit.id: commit for commit in folder.commits}
    oldest_first = (commits[key] for key in reversed(folder.order or ()) if key in commits)
    return {change.path: change.after for commit in oldest_first for change in commit.changes}


def _has_strays(before: FolderHistory | None, after: FolderHistory) -> bool:
    """Whether the old log's newest commit is in the new one no more, while old names are still kept."""
    if before is None or not before.order:
        return False
    return before.order[0] not in set(after.order or ()) and any(commit.is_beyond for commit in before.commits)


def _of_order(known: FolderHistory) -> tuple[Commit, ...]:
    named = frozenset(known.order or ())
    return tuple(commit for commit in known.commits if commit.id in named)
