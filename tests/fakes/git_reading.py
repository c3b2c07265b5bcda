"""What a server reads of its repositories.

Only refs move; trees and what a commit's history says of a path never do, so those are kept once read.
"""

from __future__ import annotations

import re
import subprocess
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pygit2
from pygit2.enums import FileMode, SortMode

from tests.fakes.bare import BareRepository

OPEN_AT_ONCE = 64
KINDS: dict[int, str] = {FileMode.TREE: "tree", FileMode.COMMIT: "commit"}
OBJECT_ID = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One entry below a tree; `mode` in octal, `kind` blob, tree or commit, `size` 0 for all but blobs."""

    path: str
    mode: str
    kind: str
    size: int
    sha: str


@dataclass(slots=True)
class GitReader:
    """Keeps some repositories open, and what never changes."""

    _open: OrderedDict[Path, pygit2.Repository] = field(default_factory=OrderedDict)
    _rows: dict[tuple[str, bool], tuple[TreeRow, ...]] = field(default_factory=dict)
    _touched: dict[tuple[str, str], pygit2.Commit] = field(default_factory=dict)

    def open(self, bare: BareRepository) -> pygit2.Repository:
        """The repository, opened once as long as few others are asked for."""
        found = self._open.pop(bare.path, None) or bare.open()
        self._open[bare.path] = found
        if len(self._open) > OPEN_AT_ONCE:
            self._open.popitem(last=False)
        return found

    def rows(self, tree: pygit2.Tree, *, recursive: bool) -> tuple[TreeRow, ...]:
        """Entries in git's order; a tree comes before what is in it."""
        key = (str(tree.id), recursive)
        if key not in self._rows:
            self._rows[key] = tuple(_walk(tree, "", recursive=recursive))
        return self._rows[key]

    def last_touched(self, commit: pygit2.Commit, path: str) -> pygit2.Commit:
        """The last commit up to `commit` that changed `path`."""
        key = (str(commit.id), path)
        if key not in self._touched:
            self._touched[key] = _last_touched(commit, path)
        return self._touched[key]


def is_object_id(text: str) -> bool:
    """Whether a text is a whole id, of something that may not be there."""
    return OBJECT_ID.fullmatch(text) is not None


def lookup(git: pygit2.Repository, name: str) -> pygit2.Object | None:
    """What git makes of a name: a ref, an id, `x:path`; None for what it does not know."""
    if is_object_id(name):
        return git.get(name)
    try:
        return git.revparse_single(name)
    except (KeyError, ValueError, pygit2.GitError):
        return None


def find_branch(git: pygit2.Repository, name: str) -> pygit2.Commit | None:
    """The commit of the branch that has exactly this name."""
    return _find_ref(git, f"refs/heads/{name}")


def find_tag(git: pygit2.Repository, name: str) -> pygit2.Commit | None:
    """The commit of the tag that has exactly this name."""
    return _find_ref(git, f"refs/tags/{name}")


def find_commit(git: pygit2.Repository, name: str) -> pygit2.Commit | None:
    """The commit that a name leads to."""
    found = lookup(git, name)
    try:
        return None if found is None else found.peel(pygit2.Commit)
    except (ValueError, pygit2.GitError):
        return None


def find_entry(commit: pygit2.Commit, path: str) -> pygit2.Object | None:
    """What stands at a path; the whole tree for an empty one."""
    if not path:
        return commit.tree
    try:
        return commit.tree[path]
    except (KeyError, ValueError):
        return None


def log(
    git: pygit2.Repository, start: pygit2.Commit, *, without: pygit2.Commit | None = None, path: str = ""
) -> list[pygit2.Commit]:
    """Commits from `start` back, newest first; not what `without` reaches, and of `path` what changed it.

    Of a path git itself is asked, as servers do: what it passes over behind merges is its own to say.
    """
    if path:
        ends = [str(start.id), *([f"^{without.id}"] if without is not None else [])]
        command = ["git", "-c", "safe.directory=*", "--git-dir", git.path, "rev-list", *ends, "--", path]
        told = subprocess.run(command, check=True, capture_output=True, encoding="ascii").stdout.split()
        return [git[each].peel(pygit2.Commit) for each in told]
    walker = git.walk(start.id, SortMode.TOPOLOGICAL | SortMode.TIME)
    if without is not None:
        walker.hide(without.id)
    return list(walker)


def _find_ref(git: pygit2.Repository, ref: str) -> pygit2.Commit | None:
    try:
        return git.lookup_reference(ref).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        return None


def _last_touched(commit: pygit2.Commit, path: str) -> pygit2.Commit:
    while True:
        here = _id_at(commit, path)
        same = next((parent for parent in commit.parents if _id_at(parent, path) == here), None)
        if same is None:
            return commit
        commit = same


def _id_at(commit: pygit2.Commit, path: str) -> pygit2.Oid | None:
    found = find_entry(commit, path.rstrip("/"))
    return None if found is None else found.id


def _walk(tree: pygit2.Tree, prefix: str, *, recursive: bool) -> Iterator[TreeRow]:
    for entry in tree:
        path = f"{prefix}{(entry.raw_name or b'').decode('utf-8', 'replace')}"
        mode = entry.filemode
        size = entry.size if isinstance(entry, pygit2.Blob) else 0
        yield TreeRow(path, f"{mode:06o}", KINDS.get(mode, "blob"), size, str(entry.id))
        if recursive and isinstance(entry, pygit2.Tree):
            yield from _walk(entry, f"{path}/", recursive=True)
