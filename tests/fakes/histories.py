"""Histories made commit by commit, what git itself says of them, and what a source tells."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path

import pygit2
from hypothesis import strategies as st
from pygit2.enums import FileMode

from pipeline.blobs import blob_id
from pipeline.model import (
    Commit,
    FileChange,
    FolderHistory,
    HistoryOrder,
    HistoryPart,
    HistoryQuest,
    HistoryText,
    RepoPath,
    Revision,
    SnapshotEntry,
)
from pipeline.sources.base import Source

ANN = ("Ann", "ann@example.org")
FOLDER = ".wiki"
FIRST_SECOND = 1_772_366_400

Tree = Mapping[str, str | None]


@dataclass
class Past:
    """A bare repository that grows commit by commit; each is called by its id, `files` are whole trees."""

    path: Path
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    modes: dict[str, FileMode] = field(default_factory=dict)
    seconds: int = FIRST_SECOND

    def __post_init__(self) -> None:
        pygit2.init_repository(str(self.path), bare=True, initial_head="main")

    def commit(
        self,
        changes: Tree,
        *parents: str,
        at: int | None = None,
        author: tuple[str, str] = ANN,
        authored_at: int | None = None,
        branch: str | None = "main",
    ) -> str:
        """Add a commit: the first parent's tree with `changes` (None removes), a minute after the last one."""
        self.seconds += 60
        files = {**(self.files[parents[0]] if parents else {}), **changes}
        left = {path: text for path, text in files.items() if text is not None}
        git = pygit2.Repository(str(self.path))
        when = at if at is not None else self.seconds
        made = git.create_commit(
            None,
            pygit2.Signature(*author, authored_at if authored_at is not None else when, 0),
            pygit2.Signature("Committer", "committer@example.org", when, 0),
            "Work",
            self._tree(git, left),
            [pygit2.Oid(hex=parent) for parent in parents],
        )
        self.files[str(made)] = left
        if branch is not None:
            git.references.create(f"refs/heads/{branch}", made, force=True)
        return str(made)

    def _tree(self, git: pygit2.Repository, files: Mapping[str, str]) -> pygit2.Oid:
        index = pygit2.Index()
        for path, text in files.items():
            mode = self.modes.get(path, FileMode.BLOB)
            oid = pygit2.Oid(hex=text) if mode == FileMode.COMMIT else git.create_blob(text.encode())
            index.add(pygit2.IndexEntry(path, oid, mode))
        return index.write_tree(git)

    def chain(self, *trees: Tree, parents: Sequence[str] = ()) -> list[str]:
        """One commit after the other."""
        made: list[str] = []
        for tree in trees:
            made.append(self.commit(tree, *(made[-1:] or parents)))
        return made

    def forget_unreachable(self) -> None:
        """Drop what no branch leads to, as a forge does some time after a forced push."""
        git(self.path, "reflog", "expire", "--expire=now", "--all")
        git(self.path, "gc", "--quiet", "--prune=now")


def git(path: Path, *arguments: str) -> str:
    """What git itself says."""
    command = ["git", "-C", str(path), "-c", "core.quotePath=false", "-c", "safe.directory=*", *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def logged(path: Path, head: str, folder: str = FOLDER) -> list[str]:
    """The commits that git lists for the folder."""
    return git(path, "log", "--format=%H", head, "--", folder or ".").split()


@cache
def pages(path: Path, commit: str, folder: str = FOLDER) -> dict[str, str]:
    """The Markdown files of a commit by git: path to blob."""
    rows = git(path, "ls-tree", "-r", "-z", commit, "--", folder or ".").split("\0")
    told = [(*row.partition("\t")[0].split(), row.partition("\t")[2]) for row in rows if row]
    return {name: oid for mode, _, oid, name in told if mode.startswith("100") and name.lower().endswith(".md")}


def changed(path: Path, commit: str, folder: str = FOLDER) -> tuple[FileChange, ...]:
    """What a commit changed by git: of a merge, what differs from every parent."""
    here = pages(path, commit, folder)
    befores = [pages(path, parent, folder) for parent in git(path, "log", "-1", "--format=%P", commit).split()] or [{}]
    names = {name for before in befores for name in before.keys() | here.keys()}
    return tuple(
        FileChange(path=RepoPath(name), before=befores[0].get(name), after=here.get(name))
        for name in sorted(names)
        if all(before.get(name) != here.get(name) for before in befores)
    )


@dataclass
class Brought:
    """What is kept of a history: each commit once, texts by their id, the order and how many there are."""

    commits: dict[str, Commit] = field(default_factory=dict)
    texts: dict[str, bytes] = field(default_factory=dict)
    order: tuple[str, ...] | None = None
    total: int = 0

    def known(self, folder: str = FOLDER) -> FolderHistory:
        """The same, as the next run is told of it."""
        commits = tuple(self.commits[each] for each in sorted(self.commits))
        return FolderHistory(
            folder=folder, revision=None, tree=None, order=self.order, total=self.total, commits=commits
        )

    def changes(self) -> list[tuple[FileChange, ...]]:
        """The changes of the log, newest first."""
        return [self.commits[each].changes for each in self.order or ()]

    def shown(self) -> list[Commit]:
        """The commits of the log, newest first."""
        return [self.commits[each] for each in self.order or ()]


async def bring(
    source: Source,
    quest: HistoryQuest,
    into: Brought | None = None,
) -> Brought:
    """Ask a source and add what it tells; the order stays None where it stopped."""
    kept = into or Brought()
    kept.order = None
    async for part in source.read_history(quest):
        keep(part, kept)
    return kept


def keep(part: HistoryPart, kept: Brought) -> None:
    """Add one part, believing texts only when they are what their ids say."""
    match part:
        case HistoryText(oid=oid, content=content):
            assert blob_id(content) == oid
            kept.texts[oid] = content
        case Commit(id=number):
            kept.commits[number] = part
        case HistoryOrder(order=order, total=total):
            kept.order, kept.total = order, total


def quest(
    repository: str,
    path: Path,
    head: str,
    kept: Brought | None = None,
    *,
    folder: str = FOLDER,
    since: datetime | None = None,
    max_commits: int = 5_000,
    may_ask: Callable[[], bool] = lambda: True,
) -> HistoryQuest:
    """Ask for the history of a folder; the snapshot and the store are those of a sync that went well."""
    here = pages(path, head, folder)
    kept = kept or Brought()
    texts = kept.texts.keys() | here.values()
    return HistoryQuest(
        revision=Revision(repository=repository, ref="main", commit=head, committed_at=None),  # type: ignore[arg-type]  # a plain name
        folder=folder,
        tree="t" * 40 if here else None,
        entries=tuple(entry(name, oid) for name, oid in sorted(here.items())),
        known=kept.known(folder) if kept.commits else None,
        since=since,
        max_commits=max_commits,
        has_text=lambda oid: oid in texts,
        may_ask=may_ask,
    )


def entry(path: str, oid: str) -> SnapshotEntry:
    """A file of a snapshot."""
    return SnapshotEntry(path=RepoPath(path), oid=oid, size_bytes=0, etag=None, state="stored")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A commit to be made: how far back its parents are (0: the last one), what it changes, when."""

    parents: tuple[int, ...]
    changes: Tree
    seconds: int


def drawn_histories(most: int = 12) -> st.SearchStrategy[list[Drawn]]:
    """Histories with forks and merges of every kind, dates that are equal and dates that go backwards."""
    paths = st.sampled_from([".wiki/a.md", ".wiki/b.md", ".wiki/заметки/в.md", ".wiki/a.png", "code.py"])
    changes = st.dictionaries(paths, st.sampled_from([None, "1", "2", "3"]), max_size=2)
    parents = st.lists(st.integers(0, 3), min_size=0, max_size=3, unique=True).map(tuple) | st.just((0,))
    commits = st.builds(Drawn, parents, changes, st.integers(0, 3) | st.integers(0, 900))
    return st.lists(commits, min_size=1, max_size=most)


def make(past: Past, drawn: Sequence[Drawn]) -> list[str]:
    """Make the commits; the first has no parents."""
    made: list[str] = []
    for number, each in enumerate(drawn):
        parents = [made[number - 1 - back] for back in each.parents if back < number]
        made.append(past.commit(each.changes, *parents, at=FIRST_SECOND + each.seconds))
    return made
