"""Which file that a commit added is one that it removed under another name, as `git diff -M` says.  Pure.

The same bytes first, preferring the same base name; then base names that are unique on both sides; then whatever
is at least half alike, the most alike first.  Copies are not looked for: what stays where it was moved nowhere.

Source: git's diffcore-rename.c and diffcore-delta.c, as of 2.44 (before it, the last line of a text counted only
if it ended in a line break).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pipeline.model import FileChange, RepoPath

SCORE = 60_000
ALIKE = SCORE // 2
ALIKE_BY_NAME = ALIKE + (SCORE - ALIKE) // 2
CANDIDATES = 4
TWINS = 100
PAIRS_LIMIT = 1_000_000
EFFORT_LIMIT = 50_000_000
PAIR_EFFORT = 10
BINARY_LENGTH = 8_000
CHUNK = re.compile(rb"[^\n]{0,63}\n|[^\n]{1,64}")

Text = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class _Content:
    """A text as git compares it: its size, and how often each line, or piece of 64 bytes of one, stands in it."""

    size_bytes: int
    chunks: Counter[bytes]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """How alike an old and a new path are, of 60,000."""

    score: int
    has_same_name: bool
    old: RepoPath
    new: RepoPath


@dataclass(slots=True)
class _Moves:
    """What is not yet paired of one commit, path → blob, by path; and what is, new → old."""

    removed: dict[RepoPath, str]
    added: dict[RepoPath, str]
    found: dict[RepoPath, RepoPath] = field(default_factory=dict)

    def record(self, old: RepoPath, new: RepoPath) -> None:
        """Pair them; neither is looked at again."""
        del self.removed[old], self.added[new]
        self.found[new] = old


@dataclass(slots=True)
class Matcher:
    """Finds the renames of one commit after the other.

    `text` gives the bytes of a blob, None when they are not there: then only the same bytes are found.  `effort` is
    how many more pieces of text are compared; what comes after is only looked at for the same bytes and base names.
    """

    text: Text
    effort: int = EFFORT_LIMIT
    _contents: dict[str, _Content | None] = field(default_factory=dict)

    def find(self, changes: Sequence[FileChange]) -> dict[RepoPath, RepoPath]:
        """The new path → the old path of every rename among the changes of one commit; neither stands twice."""
        removed = {one.path: one.before for one in changes if one.before is not None and one.after is None}
        added = {one.path: one.after for one in changes if one.before is None and one.after is not None}
        if not removed or not added:
            return {}
        moves = _Moves(dict(sorted(removed.items())), dict(sorted(added.items())))
        _match_bytes(moves)
        self._match_names(moves)
        self._match_texts(moves)
        self._contents.clear()
        return moves.found

    def _match_names(self, moves: _Moves) -> None:
        targets = _by_unique_name(moves.added)
        for name, old in _by_unique_name(moves.removed).items():
            new = targets.get(name)
            if new is not None and self._score(moves.removed[old], moves.added[new]) >= ALIKE_BY_NAME:
                moves.record(old, new)

    def _match_texts(self, moves: _Moves) -> None:
        if len(moves.removed) * len(moves.added) > PAIRS_LIMIT:
            return
        found = [one for new in moves.added for one in self._candidates(moves, new)]
        for one in sorted(found, key=_rank):
            if one.old in moves.removed and one.new in moves.added:
                moves.record(one.old, one.new)

    def _candidates(self, moves: _Moves, new: RepoPath) -> list[_Candidate]:
        """The four best old names of a new one, in the places that git keeps them: an equal one displaces none."""
        best: list[_Candidate] = []
        for old, before in moves.removed.items():
            score = self._score(before, moves.added[new], self._spend)
            one = _Candidate(score, _base_name(old) == _base_name(new), old, new)
            if len(best) < CANDIDATES:
                best.append(one)
                continue
            worst = max(range(CANDIDATES), key=lambda place: _rank(best[place]))
            if _rank(one) < _rank(best[worst]):
                best[worst] = one
        return [one for one in best if one.score >= ALIKE]

    def _spend(self, effort: int) -> bool:
        self.effort -= effort
        return self.effort >= 0

    def _score(self, before: str, after: str, may_spend: Callable[[int], bool] = lambda _: True) -> int:
        """How alike two texts are, of 60,000: the bytes of what both have, by the size of the larger one."""
        old, new = self._content(before), self._content(after)
        if old is None or new is None or not old.size_bytes or not new.size_bytes:
            return 0
        larger, smaller = max(old.size_bytes, new.size_bytes), min(old.size_bytes, new.size_bytes)
        if larger * (SCORE - ALIKE) < (larger - smaller) * SCORE:
            return 0
        few, many = sorted((old.chunks, new.chunks), key=len)
        if not may_spend(PAIR_EFFORT + len(few)):
            return 0
        common = sum(len(chunk) * min(count, many[chunk]) for chunk, count in few.items() if chunk in many)
        return common * SCORE // larger

    def _content(self, oid: str) -> _Content | None:
        if oid not in self._contents:
            raw = self.text(oid)
            self._contents[oid] = None if raw is None else _Content(len(raw), Counter(CHUNK.findall(_unified(raw))))
        return self._contents[oid]


def is_binary(raw: bytes) -> bool:
    """Whether git takes bytes for no text: a NUL among the first 8,000."""
    return b"\0" in raw[:BINARY_LENGTH]


def _unified(raw: bytes) -> bytes:
    return raw if is_binary(raw) else raw.replace(b"\r\n", b"\n")


def _match_bytes(moves: _Moves) -> None:
    twins: dict[str, list[RepoPath]] = {}
    for old, oid in moves.removed.items():
        twins.setdefault(oid, []).append(old)
    for new, oid in list(moves.added.items()):
        olds = twins.get(oid, [])
        if olds:
            old = next((one for one in olds[:TWINS] if _base_name(one) == _base_name(new)), olds[0])
            olds.remove(old)
            moves.record(old, new)


def _rank(one: _Candidate) -> tuple[int, bool]:
    return -one.score, not one.has_same_name


def _by_unique_name(paths: dict[RepoPath, str]) -> dict[str, RepoPath]:
    counted = Counter(map(_base_name, paths))
    return {_base_name(path): path for path in paths if counted[_base_name(path)] == 1}


def _base_name(path: RepoPath) -> str:
    return path.rpartition("/")[2]
