"""The history of a folder as the git binary tells it: what a source brings, and git's own word on each page."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pygit2

from pipeline.model import Commit, FileChange, FolderHistory, RepoPath

FORMAT = "%x02%H%x00%an%x00%ae%x00%at%x00%ct%x00"
NOBODY = "0" * 40


@dataclass(frozen=True, slots=True)
class Told:
    """One version of one page as `git log --follow -M --numstat` tells it."""

    commit: str
    author: str
    at: datetime
    authored_at: datetime
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True)
class GitHistory:
    """One repository, asked through the git binary."""

    path: Path

    def run(self, *words: str) -> str:
        asked = ["git", "-C", str(self.path), "-c", "core.quotePath=false", *words]
        return subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout.decode("utf-8", "surrogateescape")

    def folder(self, folder: str, ref: str = "HEAD") -> FolderHistory:
        """What a source tells of a folder."""
        shape = ("--raw", "-z", "-c", "--no-renames", "--no-abbrev", f"--format={FORMAT}")
        told = [_commit(one) for one in self.run("log", *shape, ref, "--", folder).split("\2")[1:]]
        return FolderHistory(
            folder=folder,
            revision=self.run("rev-parse", ref).strip(),
            tree=None,
            order=tuple(one.id for one in told),
            total=len(told),
            commits=tuple(sorted(told, key=lambda one: one.id)),
        )

    def pages(self, folder: str, ref: str = "HEAD") -> tuple[RepoPath, ...]:
        """The Markdown files that are there now."""
        listed = self.run("ls-tree", "-r", "-z", "--name-only", ref, "--", f"{folder}/").split("\0")
        return tuple(RepoPath(path) for path in listed if path.lower().endswith(".md"))

    def follow(self, path: str, ref: str = "HEAD") -> tuple[Told, ...]:
        """The versions of one page, newest first, in git's own words."""
        printed = self.run("log", "--follow", "-M", "--numstat", "-z", f"--format={FORMAT}", ref, "--", path)
        return tuple(_told(one) for one in printed.split("\2")[1:])

    def follow_renames(self, path: str, folder: str, ref: str = "HEAD") -> tuple[Told, ...]:
        """The same by the renames that git tells of every commit: where `--follow` goes on through a copy, this ends.

        Of a merge git tells nothing here.
        """
        printed = self.run("log", "-M", "--numstat", "-z", f"--format={FORMAT}", ref, "--", folder)
        found: list[Told] = []
        for one in printed.split("\2")[1:]:
            for numbers, old, new in _numbers(iter(one.split("\0")[5:])):
                if new == path:
                    found.append(_version(one, numbers))
                    path = old
                    break
        return tuple(found)

    def renames(self, commit: str) -> dict[str, str]:
        """The new path → the old path of each rename of a commit."""
        words = self.run("diff-tree", "-r", "-M", "--root", "-z", "--name-status", "--no-commit-id", commit).split("\0")
        return dict(_renames(iter(words)))

    def numstat(self, before: str, after: str) -> tuple[int, int] | None:
        """Lines added and removed between two blobs; None for binary ones."""
        words = self.run("diff", "--numstat", before, after).split("\t")
        return (int(words[0]), int(words[1])) if words[0].isdecimal() else None

    def diff(self, before: str, after: str) -> str:
        """What `git diff` prints for two blobs."""
        return self.run("diff", before, after)

    def texts(self) -> _Texts:
        """The bytes of its blobs."""
        return _Texts(pygit2.Repository(str(self.path)))


@dataclass(frozen=True, slots=True)
class _Texts:
    git: pygit2.Repository

    def __call__(self, oid: str) -> bytes | None:
        found = self.git.get(oid)
        return found.data if isinstance(found, pygit2.Blob) else None


def _renames(words: Iterator[str]) -> Iterator[tuple[str, str]]:
    for status in words:
        if status.startswith("R"):
            old, new = next(words), next(words)
            yield new, old
        elif status:
            next(words)


def _commit(told: str) -> Commit:
    identity, author, email, authored, committed, *rows = told.split("\0")
    return Commit(
        id=identity,
        author=author,
        email=email,
        authored_at=_moment(authored),
        committed_at=_moment(committed),
        changes=tuple(sorted(_changes(rows), key=lambda change: change.path)),
    )


def _changes(rows: list[str]) -> Iterator[FileChange]:
    words = iter([row.lstrip("\n") for row in rows])
    for facts in words:
        if facts.startswith(":"):
            path = RepoPath(next(words))
            parents = len(facts) - len(facts.lstrip(":"))
            oids = facts.split(" ")[parents + 1 :]
            if path.lower().endswith(".md"):
                yield FileChange(path=path, before=_oid(oids[0]), after=_oid(oids[parents]))


def _told(told: str) -> Told:
    numbers = [numbers for numbers, _, _ in _numbers(iter(told.split("\0")[5:]))]
    return _version(told, numbers[0] if numbers else (None, None))


def _version(told: str, numbers: tuple[int | None, int | None]) -> Told:
    identity, author, _, authored, committed, *_ = told.split("\0")
    return Told(identity, author, _moment(committed), _moment(authored), *numbers)


def _numbers(words: Iterator[str]) -> Iterator[tuple[tuple[int | None, int | None], str, str]]:
    """Lines added and removed, the old path and the new one, of each file."""
    for row in words:
        if "\t" in row:
            added, removed, path = row.lstrip("\n").split("\t", 2)
            old, new = (path, path) if path else (next(words), next(words))
            yield (_count(added), _count(removed)), old, new


def _count(printed: str) -> int | None:
    return int(printed) if printed.isdecimal() else None


def _oid(oid: str) -> str | None:
    return None if oid == NOBODY else oid


@cache
def _moment(seconds: str) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)
