"""Wikis that grow by chance, the same for the same seed: edits, renames, deletions, branches and merges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pygit2

from tests.fakes.histories import ANN, Past

BOB = ("Боб", "bob@example.org")
FOLDERS = ("", "concepts/", "заметки/")


@dataclass
class RandomWiki:
    """A wiki in a repository of its own, and the chance that it grows by.

    New pages have words of their own, so that none is like another; `is_wild` makes copies and uses names again.
    """

    past: Past
    chance: Random
    is_wild: bool = False
    heads: list[str] = field(default_factory=list)
    made: int = 0
    lost: list[str] = field(default_factory=list)

    def grow(self, commits: int, *, branches: int = 1) -> str:
        """Add commits on at most so many branches at once, merge what is open, and tell the last one's id."""
        self.heads = [self._commit()]
        for _ in range(commits):
            if len(self.heads) < branches and self.chance.random() < 0.3:
                self.heads.append(self.chance.choice(self.heads))
            if len(self.heads) > 1 and self.chance.random() < 0.3:
                self._merge()
            place = self.chance.randrange(len(self.heads))
            self.heads[place] = self._commit(self.heads[place])
        while len(self.heads) > 1:
            self._merge()
        return self._publish()

    def _publish(self) -> str:
        return self.past.commit({"README.md": "# Wiki\n"}, self.heads[0])

    def _commit(self, *parents: str) -> str:
        files = dict(self.past.files[parents[0]]) if parents else {}
        changes: dict[str, str | None] = {}
        for _ in range(self.chance.choice((1, 1, 1, 2, 3))):
            self._change(files, changes)
        changes[f"code/{len(self.past.files)}.py"] = "pass\n"
        return self.past.commit(changes, *parents, author=self.chance.choice((ANN, BOB)))

    def _change(self, files: dict[str, str], changes: dict[str, str | None]) -> None:
        pages = [path for path in sorted(files) if path.startswith(".wiki/") and path not in changes]
        kinds = [self._add] if len(pages) < 2 else [self._add, self._edit, self._edit, self._rename, self._delete]
        more = [self._copy, self._revive] if self.is_wild and pages else []
        kind: Callable[..., None] = self.chance.choice([*kinds, *more])
        kind(files, changes, self.chance.choice(pages) if pages else "")

    def _add(self, _files: dict[str, str], changes: dict[str, str | None], _path: str) -> None:
        lines = self.chance.randrange(4, 40)
        changes[self._name()] = "".join(f"{self._words()}\n" for _ in range(lines)) + self.chance.choice(("", "\n"))

    def _edit(self, files: dict[str, str], changes: dict[str, str | None], path: str) -> None:
        changes[path] = self._edited(files[path])

    def _rename(self, files: dict[str, str], changes: dict[str, str | None], path: str) -> None:
        changes[path] = None
        kept = self.chance.random() < 0.5
        changes[self._name()] = files[path] if kept else self._edited(files[path])

    def _delete(self, _files: dict[str, str], changes: dict[str, str | None], path: str) -> None:
        changes[path] = None
        self.lost.append(path)

    def _copy(self, files: dict[str, str], changes: dict[str, str | None], path: str) -> None:
        changes[self._name()] = self._edited(files[path])

    def _revive(self, files: dict[str, str], changes: dict[str, str | None], path: str) -> None:
        again = self.chance.choice([*self.lost, self._name()])
        if again not in files and again not in changes:
            changes[again] = self._edited(files[path])

    def _edited(self, text: str) -> str:
        """The text with one line in five removed, added or replaced."""
        lines = text.splitlines(keepends=True)
        for _ in range(max(1, len(lines) // 5)):
            place = self.chance.randrange(len(lines) + 1)
            lines[place : place + self.chance.choice((0, 1))] = [f"{self._words()}\n"] * self.chance.choice((0, 1, 1))
        return "".join(lines)

    def _words(self) -> str:
        return " ".join(f"{self.chance.randrange(1 << 24):x}" for _ in range(self.chance.randrange(1, 12)))

    def _name(self) -> str:
        self.made += 1
        folder = self.chance.choice(FOLDERS)
        base = self.chance.choice(("page", f"page-{self.made}")) if self.is_wild else f"page-{self.made}"
        return f".wiki/{folder}{base}.md"

    def _merge(self) -> None:
        """Join two branches as git would; of what is in conflict one side is taken, or one after the other."""
        theirs = self.heads.pop(self.chance.randrange(1, len(self.heads)))
        ours = self.heads[0]
        git = pygit2.Repository(str(self.past.path))
        index = git.merge_commits(pygit2.Oid(hex=ours), pygit2.Oid(hex=theirs))
        merged: dict[str, str | None] = dict.fromkeys(self.past.files[ours])
        merged |= {entry.path: _text(git, entry.id) for entry in index if entry.path not in _in_conflict(index)}
        for _, here, there in list(index.conflicts or ()):
            sides = [(one.path, _text(git, one.id)) for one in (here, there) if one is not None]
            path, text = self.chance.choice(sides) if sides else ("", "")
            merged |= {path: text if self.chance.random() < 0.7 else "".join(one for _, one in sides)} if path else {}
        self.heads[0] = self.past.commit(merged, ours, theirs)


def _in_conflict(index: pygit2.Index) -> set[str]:
    return {one.path for sides in index.conflicts or () for one in sides if one is not None}


def _text(git: pygit2.Repository, oid: pygit2.Oid) -> str:
    found = git[oid]
    assert isinstance(found, pygit2.Blob)
    return found.data.decode("utf-8")
