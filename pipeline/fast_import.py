"""Reads a small part of git's fast-import format: repositories as text that people can review.  Pure.

    stream  = "feature date-format=rfc2822" { commit }
    commit  = "commit " ref, "mark :" n, [ "author " who ], "committer " who, data,
              [ "from :" n ], { "merge :" n }, { change }, [ blank line ]
    change  = "M " mode " inline " path, data | "M 160000 " oid " " path | "R " path " " path | "D " path
    data    = "data <<" WORD, lines, WORD | "data " size in bytes, bytes        [ blank line ]
    who     = name " <" e-mail "> " date as in RFC 2822, such as "Mon, 12 Jan 2026 09:30:00 +0300"

Lines that begin with `#` between commands are comments.  `git fast-import` takes every stream that is
read here and makes the same commits of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import NoReturn

from pipeline.errors import PipelineError

FEATURE = "feature date-format=rfc2822"
WHO = re.compile(r"([^<>]{1,200}) <([^<> ]{1,200})> ([^<>]{1,60})")
WRITE = re.compile(r"M (100644|100755|120000) inline (.+)")
SUBMODULE = re.compile(r"M 160000 ([0-9a-f]{40}) (.+)")
RENAME = re.compile(r"R ([^ ]+) ([^ ]+)")
COUNTED = re.compile(r"data ([0-9]{1,9})")
DELIMITED = re.compile(r"data <<([A-Z]{1,20})")


class StreamError(PipelineError):
    """A stream is not in the form above; the text names file and line."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who, and when: seconds since 1970 and minutes east of UTC."""

    name: str
    email: str
    seconds: int
    offset_minutes: int


@dataclass(frozen=True, slots=True)
class File:
    """A file, or a symlink when `mode` is 0o120000; the content is then its target."""

    mode: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Submodule:
    """The commit of another repository."""

    oid: str


Tree = Mapping[str, File | Submodule]


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit with the whole tree that it shows; `parents` are marks."""

    mark: int
    ref: str
    author: Person
    committer: Person
    message: bytes
    parents: tuple[int, ...]
    tree: Tree


def parse(raw: bytes, name: str) -> tuple[Commit, ...]:
    """Read a stream; commits keep their order, parents first.  A commit without `from` goes on from the
    last one of its ref.

    Raises:
        StreamError: `raw` is not in the form above; `name` and the 1-based line stand in its text.
    """
    lines = _Lines(raw, name)
    lines.expect(FEATURE)
    commits: dict[int, Commit] = {}
    tips: dict[str, int] = {}
    while lines.peek() is not None:
        commit = _commit(lines, commits, tips)
        commits[commit.mark] = commit
        tips[commit.ref] = commit.mark
    return tuple(commits.values())


class _Lines:
    """The bytes of a stream and how far they are read."""

    def __init__(self, raw: bytes, name: str) -> None:
        self.raw, self.name, self.at, self.line = raw, name, 0, 1

    def peek(self) -> str | None:
        """The next command; comments before it are passed over; None at the end."""
        while self.raw.startswith(b"#", self.at):
            self._next()
        if self.at >= len(self.raw):
            return None
        end = self.raw.find(b"\n", self.at)
        try:
            return self.raw[self.at : end if end >= 0 else None].decode()
        except UnicodeDecodeError:
            self.refuse("text in UTF-8")

    def here(self) -> int:
        """The line of the next command."""
        self.peek()
        return self.line

    def take(self) -> None:
        """Pass over the next command."""
        self.peek()
        self._next()

    def expect(self, text: str) -> None:
        """Take the next command, which must be `text`."""
        if self.peek() != text:
            self.refuse(f'"{text}"')
        self.take()

    def after(self, word: str) -> str | None:
        """The rest of the next command when it begins with `word` and a space; the command is taken."""
        command = self.peek()
        if command is None or not command.startswith(f"{word} "):
            return None
        self.take()
        return command[len(word) + 1 :]

    def content(self) -> bytes:
        """The bytes of a `data` command; one blank line after them belongs to it."""
        command = self.peek() or ""
        if counted := COUNTED.fullmatch(command):
            found = self._counted(int(counted[1]))
        elif delimited := DELIMITED.fullmatch(command):
            found = self._delimited(delimited[1].encode())
        else:
            self.refuse('"data <<WORD" or "data " and a number of bytes')
        if self.raw.startswith(b"\n", self.at):
            self._next()
        return found

    def refuse(self, expected: str) -> NoReturn:
        here = self.raw[self.at : self.at + 80].split(b"\n", 1)[0].decode(errors="replace")
        found = f"found {here!r}" if self.at < len(self.raw) else "the text ends"
        self.blame(self.line, f"{found}; expected {expected}")

    def blame(self, line: int, fact: str) -> NoReturn:
        raise StreamError(f"{self.name}:{line}: {fact}")

    def _counted(self, size: int) -> bytes:
        line = self.line
        self.take()
        found = self.raw[self.at : self.at + size]
        if len(found) < size:
            self.blame(line, f"data of {size} bytes, but the text ends after {len(found)}; count them anew")
        self._advance(size)
        return found

    def _delimited(self, word: bytes) -> bytes:
        line = self.line
        self.take()
        end = self.raw.find(b"\n" + word + b"\n", self.at - 1)
        if end < 0:
            self.blame(line, f"no line {word.decode()} ends this data; add one")
        found = self.raw[self.at : end + 1]
        self._advance(len(found) + len(word) + 1)
        return found

    def _next(self) -> None:
        end = self.raw.find(b"\n", self.at)
        self._advance((end if end >= 0 else len(self.raw) - 1) + 1 - self.at)

    def _advance(self, size: int) -> None:
        self.line += self.raw.count(b"\n", self.at, self.at + size)
        self.at += size


def _commit(lines: _Lines, commits: Mapping[int, Commit], tips: Mapping[str, int]) -> Commit:
    ref = lines.after("commit")
    if ref is None or not ref.startswith("refs/heads/"):
        lines.refuse('"commit refs/heads/" and a branch')
    mark = _new_mark(lines, commits)
    author, committer = _who(lines, "author"), _who(lines, "committer")
    if committer is None:
        lines.refuse('"committer", a name, <an e-mail> and a date as in RFC 2822')
    message = lines.content()
    parents = _parents(lines, commits, tips.get(ref))
    tree = dict(commits[parents[0]].tree) if parents else {}
    while _change(lines, tree):
        pass
    if lines.peek() == "":
        lines.take()
    return Commit(
        mark=mark, ref=ref, author=author or committer, committer=committer, message=message, parents=parents, tree=tree
    )


def _new_mark(lines: _Lines, commits: Mapping[int, Commit]) -> int:
    line, text = lines.here(), lines.after("mark") or ""
    if not re.fullmatch(r":[1-9][0-9]{0,6}", text) or int(text[1:]) in commits:
        lines.blame(line, f'found mark "{text}"; expected "mark :" and a number that no commit above has')
    return int(text[1:])


def _who(lines: _Lines, role: str) -> Person | None:
    line, text = lines.here(), lines.after(role)
    if text is None:
        return None
    found = WHO.fullmatch(text)
    if not found:
        lines.blame(line, f'found {role} "{text[:80]}"; expected a name, <an e-mail> and a date')
    try:
        when = parsedate_to_datetime(found[3])
        offset = when.utcoffset()
    except ValueError:
        offset = None
    if offset is None:
        lines.blame(line, f'found the date "{found[3]}"; expected one like "Mon, 12 Jan 2026 09:30:00 +0300"')
    return Person(found[1], found[2], int(when.timestamp()), int(offset.total_seconds()) // 60)


def _parents(lines: _Lines, commits: Mapping[int, Commit], tip: int | None) -> tuple[int, ...]:
    first = _parent(lines, "from", commits) or tip
    found = [first] if first else []
    while other := _parent(lines, "merge", commits):
        found.append(other)
    return tuple(found)


def _parent(lines: _Lines, word: str, commits: Mapping[int, Commit]) -> int | None:
    line, text = lines.here(), lines.after(word)
    if text is None:
        return None
    if not re.fullmatch(r":[1-9][0-9]{0,6}", text) or int(text[1:]) not in commits:
        lines.blame(line, f'found {word} "{text}"; expected the mark of a commit above')
    return int(text[1:])


def _change(lines: _Lines, tree: dict[str, File | Submodule]) -> bool:
    """Apply the next change to `tree`; False when the commit's changes are over."""
    command = lines.peek()
    if not command or command.startswith("commit "):
        return False
    line = lines.line
    if write := WRITE.fullmatch(command):
        lines.take()
        tree[_path(lines, line, write[2])] = File(int(write[1], 8), lines.content())
    elif submodule := SUBMODULE.fullmatch(command):
        lines.take()
        tree[_path(lines, line, submodule[2])] = Submodule(submodule[1])
    elif rename := RENAME.fullmatch(command):
        tree[_path(lines, line, rename[2])] = _drop(lines, tree, rename[1])
    elif command.startswith("D "):
        _drop(lines, tree, command[2:])
    else:
        lines.refuse('a change ("M", "R", "D"), a blank line or the next commit')
    return True


def _drop(lines: _Lines, tree: dict[str, File | Submodule], path: str) -> File | Submodule:
    if path not in tree:
        lines.refuse(f'a file of this commit; "{path}" is none')
    lines.take()
    return tree.pop(path)


def _path(lines: _Lines, line: int, path: str) -> str:
    if path.startswith('"') or any(part in ("", ".", "..") for part in path.split("/")):
        lines.blame(line, f"found the path {path!r}; expected one without quotes, empty parts or dots")
    return path
