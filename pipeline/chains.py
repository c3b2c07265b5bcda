"""The commits of a folder → what belongs to one page, back through all of its names.  Pure.

Commits are walked from the newest back, each page carrying the name that it has at that point.  Where a commit
renamed it, the page goes on under the old name; where it was made, it waits: if the name was in use before, what
stood there was the same page, deleted and made again.  A source tells no parents, so a history with branches is
read in the one order that git lists it in; what that cannot be true of (a page that is edited under a name which it
had left) was done on another branch, and belongs to the page all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.model import Commit, FolderHistory, RepoPath
from pipeline.renames import Matcher, Text

NEVER = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What one commit did to one page: `path` is its name after it, None if it is gone then; `before` its blob under
    its former name.
    """

    place: int
    commit: Commit
    path: RepoPath | None
    former: RepoPath | None
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """One page: its last name, every name that it had (the earliest first, none twice) and its edits, newest first.

    `nth` is 1 for the first page that began under its earliest name, 2 for the next.
    """

    path: RepoPath
    is_present: bool
    addresses: tuple[RepoPath, ...]
    edits: tuple[Edit, ...]
    nth: int


def trace(history: FolderHistory, present: Iterable[RepoPath], text: Text) -> tuple[Chain, ...]:
    """The pages of a folder: those that are `present`, in their order, then those that are no more, by last path.

    A history whose order is not known tells nothing: the present pages then have no edits and one name.
    """
    order = commits_in_order(history)
    renames = _find_renames(order, text)
    walk = _Walk(present)
    for place, commit in enumerate(order):
        walk.pass_by(place, commit, renames.get(place, {}))
    return walk.chains()


def commits_in_order(history: FolderHistory) -> list[Commit]:
    """The commits of a history, newest first; after those of its order the ones beyond its bound, by date.

    None while the order is not known; one that was not brought is passed over.
    """
    if history.order is None:
        return []
    commits = {commit.id: commit for commit in history.commits}
    ordered = [commits[one] for one in history.order if one in commits]
    named = set(history.order)
    beyond = [one for one in history.commits if one.is_beyond and one.id not in named]
    return ordered + sorted(beyond, key=lambda one: (one.committed_at, one.id), reverse=True)


def _find_renames(order: Sequence[Commit], text: Text) -> dict[int, dict[RepoPath, RepoPath]]:
    """The renames of each commit, by its place.

    The oldest commit is looked at first: if there is more to compare than we do, what a later commit adds
    takes nothing from the older ones, and no page changes its code for it.
    """
    matcher = Matcher(text)
    return {place: matcher.find(order[place].changes) for place in range(len(order) - 1, -1, -1)}


@dataclass(slots=True, eq=False)
class _Trail:
    """A page while it is followed: `path` is its name at this point; `is_there` whether the file is there before
    what was passed so far, `left_at` where another page took its name.
    """

    last: RepoPath
    path: RepoPath
    is_present: bool
    is_there: bool
    addresses: dict[RepoPath, None]
    edits: list[Edit] = field(default_factory=list)
    left_at: int | None = None

    def record(self, edit: Edit) -> None:
        self.edits.append(edit)
        self.is_there = edit.before is not None


@dataclass(slots=True)
class _Walk:
    trails: list[_Trail]
    holders: dict[RepoPath, _Trail]

    def __init__(self, present: Iterable[RepoPath]) -> None:
        self.trails = [_trail(path, is_present=True) for path in present]
        self.holders = {trail.path: trail for trail in self.trails}

    def pass_by(self, place: int, commit: Commit, renames: Mapping[RepoPath, RepoPath]) -> None:
        """Take in one commit; `renames` are its new paths → old paths."""
        moves = {new: old for new, old in renames.items() if self._may_move(commit, new, old)}
        if not commit.is_beyond:
            for edit in _edits(place, commit, moves):
                self._record(edit)
        for new, old in moves.items():
            trail = self.holders.get(new)
            if trail is not None:
                self._move(trail, old, place)

    def chains(self) -> tuple[Chain, ...]:
        """What was found."""
        nth = self._count_origins()
        present = [trail for trail in self.trails if trail.is_present]
        gone = sorted((trail for trail in self.trails if not trail.is_present), key=_by_path)
        return tuple(_chain(trail, nth[id(trail)]) for trail in (*present, *gone))

    def _may_move(self, commit: Commit, new: RepoPath, old: RepoPath) -> bool:
        """A page that is still there under the old name was not renamed: the new one is another page.

        Of what lies beyond the bound only renames are known, so there this cannot be told.
        """
        holder = self.holders.get(old)
        if holder is None or commit.is_beyond or not holder.is_there:
            return True
        return not holder.is_present or self.holders.get(new) in (None, holder)

    def _record(self, edit: Edit) -> None:
        """Give an edit to the page of its name, one that was renamed on several branches to that of its old name."""
        name = edit.path or edit.former
        trail = self.holders.get(name) if name else None
        if trail is None and edit.former and edit.former != name:
            trail = self._still_there(edit.former)
        if trail is None and name:
            trail = _trail(name, is_present=False)
            self.trails.append(trail)
            self.holders[name] = trail
        if trail is not None:
            trail.record(edit)

    def _still_there(self, path: RepoPath) -> _Trail | None:
        holder = self.holders.get(path)
        return holder if holder is not None and holder.is_there else None

    def _move(self, trail: _Trail, old: RepoPath, place: int) -> None:
        other = self.holders.pop(old, None)
        if other is not None and other is not trail:
            if other.is_there and not other.is_present and _is_one_page(trail, other):
                self._absorb(trail, other)
            else:
                other.left_at = place
        self.holders.pop(trail.path, None)
        self.holders[old] = trail
        trail.path = old
        trail.addresses.pop(old, None)
        trail.addresses[old] = None

    def _absorb(self, trail: _Trail, other: _Trail) -> None:
        """What was done on another branch under the old name belongs to the page."""
        trail.edits.extend(other.edits)
        self.trails.remove(other)

    def _count_origins(self) -> dict[int, int]:
        """By trail, its number among those that began under one name: whoever was there last has number 1."""
        nth: dict[int, int] = {}
        counted: dict[RepoPath, int] = {}
        for trail in sorted(self.trails, key=_by_age):
            counted[trail.path] = counted.get(trail.path, 0) + 1
            nth[id(trail)] = counted[trail.path]
        return nth


def _is_one_page(trail: _Trail, other: _Trail) -> bool:
    """Whether what was done to `other` was done to the page of `trail` on another branch.

    Not what got another name there and was removed under it: that was a page of its own by then.
    """
    last = min(other.edits, key=lambda edit: edit.place)
    if last.path is None and len(other.addresses) > 1:
        return False
    return {edit.place for edit in trail.edits}.isdisjoint(edit.place for edit in other.edits)


def _trail(path: RepoPath, *, is_present: bool) -> _Trail:
    return _Trail(last=path, path=path, is_present=is_present, is_there=is_present, addresses={path: None})


def _edits(place: int, commit: Commit, moves: Mapping[RepoPath, RepoPath]) -> Iterator[Edit]:
    """A commit's changes, a renamed file as one."""
    before = {change.path: change.before for change in commit.changes}
    moved = set(moves.values())
    for change in commit.changes:
        if change.path not in moved:
            former = moves.get(change.path, change.path)
            yield Edit(
                place=place,
                commit=commit,
                path=None if change.after is None else change.path,
                former=None if before[former] is None else former,
                before=before[former],
                after=change.after,
            )


def _chain(trail: _Trail, nth: int) -> Chain:
    return Chain(
        path=trail.last,
        is_present=trail.is_present,
        addresses=tuple(reversed(trail.addresses)),
        edits=tuple(sorted(trail.edits, key=lambda edit: edit.place)),
        nth=nth,
    )


def _by_path(trail: _Trail) -> tuple[RepoPath, int]:
    return trail.last, trail.edits[0].place if trail.edits else NEVER


def _by_age(trail: _Trail) -> tuple[bool, int]:
    return trail.left_at is not None, -(trail.left_at or 0)
