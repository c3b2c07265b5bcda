"""Who changed a folder, as Gitea and Forgejo tell it.

One list of commits tells their order and, with each, the names of its files.  Their blobs are found going back from our
snapshot: of what a commit added or changed we have the later blob, of what it changed or removed its parent is asked
for the earlier one, which is the later one of the commit before.  So a commit costs one request, the oldest new one
none.  That holds as long as every commit of the log has one parent.  Behind a merge both sides are asked for.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping, MutableMapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Final

from pipeline.model import Commit, FileChange, HistoryPart, HistoryQuest
from pipeline.sources.gitea_api import LogRow
from pipeline.sources.gitea_log import Log, logged, moment, read_log
from pipeline.sources.gitea_pages import PageReader
from pipeline.sources.history import Reach, changes_of, gives_names, is_page, marked_anew, reach
from pipeline.sources.transport import Getter, Response

ADDED, MODIFIED, REMOVED = "added", "modified", "removed"
NOTHING: Final[Mapping[str, str]] = {}


class Enough(Exception):
    """No more may be asked in this run."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """Asks leave before each request."""

    getter: Getter
    quest: HistoryQuest

    async def get(
        self,
        path: str,
        query: Sequence[tuple[str, str]] = (),
        *,
        accept: str = "application/json",
        allow: frozenset[int] = frozenset(),
        etag: str | None = None,
    ) -> Response:
        """As `Transport.get`.

        Raises:
            Enough: no leave.
        """
        if not self.quest.may_ask():
            raise Enough
        return await self.getter.get(path, query, accept=accept, allow=allow, etag=etag)


@dataclass(frozen=True, slots=True)
class State:
    """The folder's Markdown files at a commit; not `is_whole` when our snapshot may have left some out."""

    pages: Mapping[str, str]
    is_whole: bool

    def changed(self, pages: Mapping[str, str | None]) -> State:
        """The same with other blobs for some files, None for one that is not there."""
        merged = {**self.pages, **pages}
        return replace(self, pages={name: oid for name, oid in merged.items() if oid is not None})


@dataclass(frozen=True, slots=True)
class Told:
    """What a commit changed, the state of its only parent if that follows, and blobs that were asked for."""

    changes: tuple[FileChange, ...]
    parent: State | None
    brought: tuple[str, ...] = ()


async def read_history(
    getter: Getter, quest: HistoryQuest, traits: MutableMapping[str, str]
) -> AsyncGenerator[HistoryPart, None]:
    """Tell the history of the quest's folder, the newest commits first.

    Raises:
        NoHistory: the server does not know how.
        SourceError: no answer.
    """
    allowed = Allowed(getter, quest)
    try:
        log = await read_log(allowed, quest)
        found = reach([logged(row) for row in log.rows], quest, log.tail)
        known = {commit.id: commit for commit in quest.known.commits} if quest.known else {}
        for commit in marked_anew(known, found):
            yield commit
        walk = Walk(quest, log, found, known, PageReader(allowed, quest, traits))
        async with aclosing(walk.parts()) as parts:
            async for part in parts:
                yield part
    except Enough:
        return
    yield replace(found.last_word(), total=log.total)


@dataclass(slots=True)
class Walk:
    """Goes back through a log, carrying the state of the folder along."""

    quest: HistoryQuest
    log: Log
    found: Reach
    known: Mapping[str, Commit]
    reader: PageReader
    _states: dict[str, State] = field(default_factory=dict)
    _given: set[str] = field(default_factory=set)

    async def parts(self) -> AsyncGenerator[HistoryPart, None]:
        """Each commit that is not known, after its texts.

        Raises:
            SourceError: no answer.
        """
        ids = [row.sha for row in self.log.rows]
        beyond, listed = set(self.found.beyond), set(ids)
        follows = True
        if ids:
            self._states[ids[0]] = State({entry.path: entry.oid for entry in self.quest.entries}, is_whole=False)
        for at, row in enumerate(self.log.rows):
            state, follows = self._states.pop(row.sha, None), follows and not is_merge(row)
            if row.sha in beyond and row.sha not in self.known and not self._may_rename(row):
                told = self._passed_over(row, state)
            elif row.sha in self.known:
                told = _gone_back(self.known[row.sha], state)
            else:
                told = await self._tell(row, state, self._earlier(at, row) if follows else None)
                async with aclosing(self._parts_of(row, told, is_beyond=row.sha in beyond)) as parts:
                    async for part in parts:
                        yield part
            parents = [parent.sha for parent in row.parents or () if parent.sha in listed]
            if told.parent is not None:
                self._states |= dict.fromkeys(ids[at + 1 : at + 2] if follows else parents, told.parent)

    async def _parts_of(self, row: LogRow, told: Told, *, is_beyond: bool) -> AsyncGenerator[HistoryPart, None]:
        is_told = not is_beyond or gives_names(told.changes)
        changed = {oid for each in told.changes for oid in (each.before, each.after) if is_told}
        wanted = [oid for oid in told.brought if oid in changed and self._lacks(oid)]
        self._given.update(wanted)
        async with aclosing(self.reader.texts(wanted)) as texts:
            async for text in texts:
                yield text
        if is_told:
            yield _commit(row, told.changes, is_beyond=is_beyond)

    def _lacks(self, oid: str) -> bool:
        return oid not in self._given and not self.quest.has_text(oid)

    # --- one commit

    async def _tell(self, row: LogRow, state: State | None, earlier: Mapping[str, str | None] | None) -> Told:
        names = _names(row, self.quest.folder)
        if names is None:
            return await self._compare(row, state)
        after, asked = await self._after(row, names, state)
        before, brought = await self._before(row, names, earlier)
        if is_merge(row):
            others = [await self._at(parent.sha, names) for parent in (row.parents or ())[1:]]
            sides = [{name: (side[name], after[name]) for name in names} for side in (before, *others)]
            return Told(changes_of(sides), None, (*brought, *asked))
        if any(
            status == MODIFIED and (before[name] is None) != (after[name] is None) for name, status in names.items()
        ):
            return await self._compare(row, None)
        changes = changes_of([{name: (before[name], after[name]) for name in names}])
        parent = state.changed(before) if state is not None else None
        return Told(changes, parent, (*brought, *asked))

    async def _after(
        self, row: LogRow, names: Mapping[str, str], state: State | None
    ) -> tuple[Mapping[str, str | None], list[str]]:
        """The blobs in the commit, and those of them that were asked for: what the state does not tell, or denies."""
        pages = state.pages if state is not None else NOTHING
        doubted = sorted(name for name, status in names.items() if (status == REMOVED) == (name in pages))
        asked = await self.reader.named(row.sha, doubted)
        told = {name: pages.get(name) for name in names} | {name: asked.get(name) for name in doubted}
        return told, list(asked.values())

    async def _before(
        self, row: LogRow, names: Mapping[str, str], earlier: Mapping[str, str | None] | None
    ) -> tuple[Mapping[str, str | None], list[str]]:
        """The blobs at the parent, and those of them that were asked for."""
        wanted = sorted(name for name, status in names.items() if status != ADDED)
        if earlier is not None and all(name in earlier for name in wanted):
            return {name: earlier[name] if name in wanted else None for name in names}, []
        asked = await self.reader.named(row.parents[0].sha, wanted) if row.parents else NOTHING
        return {name: asked.get(name) for name in names}, list(asked.values())

    async def _at(self, commit: str, names: Iterable[str]) -> Mapping[str, str | None]:
        asked = await self.reader.named(commit, sorted(names))
        return {name: asked.get(name) for name in names}

    async def _compare(self, row: LogRow, state: State | None) -> Told:
        """The same by whole trees, for what names do not tell: a file that became a link, a server without names."""
        after = state.pages if state is not None and state.is_whole else await self.reader.all(row.sha)
        befores = [await self.reader.all(parent.sha) for parent in row.parents or ()] or [NOTHING]
        sides = [_differences(before, after) for before in befores]
        changes = changes_of(sides)
        oids = [oid for each in changes for oid in (each.before, each.after) if oid is not None]
        parent = State(befores[0], is_whole=True) if not is_merge(row) else None
        return Told(changes, parent, tuple(oids))

    def _passed_over(self, row: LogRow, state: State | None) -> Told:
        """A commit that nobody asks for: the state goes on only if it cannot have changed."""
        return Told((), state if _names(row, self.quest.folder) == {} else None)

    def _may_rename(self, row: LogRow) -> bool:
        names = _names(row, self.quest.folder)
        return names is None or is_merge(row) or {ADDED, REMOVED} <= set(names.values())

    def _earlier(self, at: int, row: LogRow) -> Mapping[str, str | None]:
        """What known commits say of the commit's files before it: the next that changed one has its blob."""
        left = set(_names(row, self.quest.folder) or ())
        found: dict[str, str | None] = {}
        tail = self.log.tail.order or () if self.log.tail else ()
        for place in (*(each.sha for each in self.log.rows[at + 1 :]), *(tail if self._is_gapless() else ())):
            commit = self.known.get(place)
            if commit is None or not left:
                return found
            found |= {each.path: each.after for each in commit.changes if each.path in left}
            left -= found.keys()
            if commit.is_merge:
                return found
        return found | (dict.fromkeys(left) if self._ends_known() else {})

    def _is_gapless(self) -> bool:
        """Whether nothing before `since` was left out from among the known ones."""
        return self.quest.since is None or self._ends_known()

    def _ends_known(self) -> bool:
        """Whether the log is here to its very end."""
        tail = self.log.tail
        return len(self.log.rows) + (len(tail.order or ()) if tail else 0) == self.log.total


def is_merge(row: LogRow) -> bool:
    """Whether a commit has several parents."""
    return len(row.parents or ()) > 1


def _names(row: LogRow, folder: str) -> Mapping[str, str] | None:
    """The commit's Markdown files of the folder, with their statuses; None when the list does not tell.

    A commit of the log changed something below the folder: if nothing is named there, it is what servers leave out,
    a file that became a link or the other way round.
    """
    prefix = f"{folder}/" if folder else ""
    below = [each for each in row.files or () if each.filename.startswith(prefix)]
    told = {each.filename: each.status for each in below if each.status is not None}
    return {name: told[name] for name in told if is_page(name, folder)} if below and len(told) == len(below) else None


def _gone_back(commit: Commit, state: State | None) -> Told:
    """A known commit: the state before it, if it has one parent."""
    back = {str(each.path): each.before for each in commit.changes}
    return Told(commit.changes, state.changed(back) if state is not None and not commit.is_merge else None)


def _differences(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, tuple[str | None, str | None]]:
    names = before.keys() | after.keys()
    return {name: (before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)}


def _commit(row: LogRow, changes: tuple[FileChange, ...], *, is_beyond: bool) -> Commit:
    author = row.commit.author
    return Commit(
        id=row.sha,
        author=author.name,
        email=author.email,
        authored_at=moment(author.date),
        committed_at=moment(row.commit.committer.date),
        changes=changes,
        is_merge=is_merge(row),
        is_beyond=is_beyond,
    )
