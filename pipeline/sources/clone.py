"""Reads the objects of one git repository on this machine: never a checkout, a hook or a subprocess.

The user's and the system's git configuration are not read, and nobody's ownership is asked for: we
read objects and run nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pygit2
from pygit2.enums import ConfigLevel, FileMode, RepositoryOpenFlag

from pipeline.errors import SourceUnreachable
from pipeline.model import EntryKind, HistoryPart, HistoryQuest, RepoPath, TreeEntry
from pipeline.sources import git_history
from pipeline.sources.git_folder import refuse_endless_files

PATH_LIMIT = 4_096
ENTRIES_LIMIT = 100_000
KINDS: dict[int, EntryKind] = {FileMode.LINK: "symlink", FileMode.COMMIT: "submodule"}


def isolate() -> None:
    """Make libgit2 blind to configuration outside a repository and to who owns its files."""
    pygit2.settings.owner_validation = False
    for level in (ConfigLevel.PROGRAMDATA, ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
        pygit2.settings.search_path[level] = ""


class Clone:
    """One repository, bare or not, a linked worktree or one behind a `.git` file.

    Raises:
        SourceUnreachable: by every method: git's data is damaged, or of a form that is not known here.
    """

    def __init__(self, folder: Path) -> None:
        refuse_endless_files(folder)
        with _git_trouble():
            self._git = pygit2.Repository(str(folder), RepositoryOpenFlag.NO_SEARCH)

    def branch(self, ref: str) -> str:
        """The name of what `ref` stands for: HEAD's branch, or `ref` itself when it is another or detached."""
        with _git_trouble():
            if ref != "HEAD" or self._git.head_is_detached:
                return ref
            return str(self._git.lookup_reference("HEAD").target).removeprefix("refs/heads/")

    def is_empty(self) -> bool:
        """Whether no ref of it has a commit."""
        with _git_trouble():
            return self._git.head_is_unborn and next(iter(self._git.references), None) is None

    def commit(self, ref: str) -> pygit2.Commit:
        """The commit that `ref` stands for now."""
        with _git_trouble():
            if ref == "HEAD" and self._git.head_is_unborn:
                raise SourceUnreachable(f"HEAD is on {self.branch(ref)}, which has no commit yet")
            try:
                found = self._git.revparse_single(ref)
            except KeyError:
                if ref == "HEAD":
                    raise SourceUnreachable("the commit of HEAD is not in it; is the repository damaged?") from None
                raise SourceUnreachable(f'there is no "{ref}" in it; see `ref` of this source') from None
            return found.peel(pygit2.Commit)

    def trees(self, commit: pygit2.Commit, folders: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """The id of what stands at each of `folders`, sorted by folder: a tree, or a link that is told of later."""
        with _git_trouble():
            found = {folder: _at(commit, folder) for folder in folders}
            return tuple((name, str(each.id)) for name, each in sorted(found.items()) if each is not None)

    def entries(self, oid: str, folders: Sequence[str]) -> tuple[TreeEntry, ...]:
        """Every file, symlink and submodule of commit `oid` below `folders`, sorted by path.

        A folder that is itself a symlink or a submodule is one entry.
        """
        with _git_trouble():
            commit = self._git[oid].peel(pygit2.Commit)
            found: dict[str, TreeEntry] = {}
            for folder in folders:
                for entry in self._below(_at(commit, folder), folder):
                    found[entry.path] = entry
                    refuse_over(len(found), ENTRIES_LIMIT, "entries")
            return tuple(found[path] for path in sorted(found))

    def read(self, entry: TreeEntry) -> bytes | None:
        """The bytes of a file; None when this repository has them not (a partial clone)."""
        with _git_trouble():
            found = self._git.get(entry.oid)
            return bytes(found.data) if isinstance(found, pygit2.Blob) else None

    def history(self, quest: HistoryQuest, ref: str) -> Iterator[HistoryPart]:
        """Who changed the quest's folder up to the commit that `ref` stands for; in an empty repository nobody."""
        start = None if self.is_empty() else self.commit(ref)
        with _git_trouble():
            yield from git_history.read_history(self._git, start, quest)

    def _below(self, top: pygit2.Object | None, folder: str) -> Iterator[TreeEntry]:
        if top is None:
            return
        if not isinstance(top, pygit2.Tree):
            yield self._entry(top, folder)
            return
        trees = [(f"{folder}/" if folder else "", top)]
        visited = 0
        while trees:
            prefix, tree = trees.pop()
            visited += 1
            refuse_over(len(prefix), PATH_LIMIT, "letters in a path")
            refuse_over(visited + len(trees), ENTRIES_LIMIT, "folders")
            for each in tree:
                path = prefix + _spell(each)
                if isinstance(each, pygit2.Tree):
                    trees.append((f"{path}/", each))
                else:
                    yield self._entry(each, path)

    def _entry(self, found: pygit2.Object, path: str) -> TreeEntry:
        kind = KINDS.get(found.filemode or 0, "file")
        return TreeEntry(path=RepoPath(path), oid=str(found.id), size_bytes=self._size(found), kind=kind)

    def _size(self, found: pygit2.Object) -> int | None:
        """The length of a blob, without reading it; None for what is not here."""
        if not isinstance(found, pygit2.Blob) or found.id not in self._git.odb:
            return None
        return int(self._git.odb.read_header(found.id)[1])


def committed_at(commit: pygit2.Commit) -> datetime | None:
    """The committer's time in UTC; None for one that no calendar has."""
    try:
        return datetime.fromtimestamp(commit.commit_time, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def refuse_over(count: int, limit: int, what: str) -> None:
    """Stop at a tree that is made to be endless.

    Raises:
        SourceUnreachable: there are more than `limit`.
    """
    if count > limit:
        raise SourceUnreachable(f"over {limit:,} {what} in the folders that we read; is that meant?")


def _at(commit: pygit2.Commit, folder: str) -> pygit2.Object | None:
    if not folder:
        return commit.tree
    return commit.tree / folder if folder in commit.tree else None


def _spell(found: pygit2.Object) -> str:
    r"""The name as text; bytes that are not UTF-8 become `\xe9`, and no such path counts as safe."""
    return (found.raw_name or b"").decode("utf-8", "backslashreplace")


@contextmanager
def _git_trouble() -> Iterator[None]:
    """Turn what libgit2 raises into a reason; it names paths of this machine, so its own words stay out."""
    try:
        yield
    except (pygit2.GitError, KeyError, ValueError, OSError) as error:
        detail = str(error).rpartition(": ")[2]
        known = f" ({detail})" if detail and "/" not in detail and "\\" not in detail else ""
        raise SourceUnreachable(f"git's data cannot be read{known}; try `git fsck` in it") from None
