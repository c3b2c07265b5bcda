"""From one roster row to the next: what is kept of a repository when it fails, moves or leaves (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, assert_never

from pipeline.model import (
    Empty,
    Evidence,
    Head,
    LastLook,
    Listing,
    RepositoryId,
    Resolved,
    Revision,
    RosterEntry,
    Unreachable,
)
from pipeline.text import line
from pipeline.wanted import KNOWLEDGE

LAST_LOOKS: Mapping[Evidence, str] = {
    "listing": "not asked: its listing says that nothing changed",
    "head": "not fetched: its head is the commit that is here",
    "trees": "not fetched: its .tasks and .wiki are those that are here",
    "etags": "not fetched: its known files are those that are here",
    "blobs": "fetched: what was not here yet was brought",
    "empty": "nothing to fetch: it has no commit",
    "unreadable": "not fetched",
    "none": "not fetched",
}


def last_look(entry: RosterEntry) -> str:
    """Whether the last run fetched anything of a repository and why, and how its history stands, on one line."""
    reason = f": {line(entry.reason)}" if entry.reason else ""
    return f"{LAST_LOOKS[entry.evidence]}{reason}{_history_words(entry)}"


def _history_words(entry: RosterEntry) -> str:
    if entry.history_reason is not None:
        return f"; its history could not be brought: {line(entry.history_reason)}"
    if entry.history_reach is not None:
        return "; its history is here"
    if not entry.trees:
        return ""
    return "; its history is behind" if entry.history_digest is not None else "; its history is not here yet"


def last_revision(entry: RosterEntry) -> Revision | None:
    """The newest head by which the row's trees were found right; None when it never had one."""
    match entry.head:
        case Resolved(revision=revision):
            return revision
        case Unreachable(last=last):
            return last
        case Empty():
            return None
        case _:
            assert_never(entry.head)


def last_look_at(entry: RosterEntry) -> LastLook | None:
    """What a source may rest on when it looks again; nothing where not all could be seen."""
    revision = last_revision(entry)
    if revision is None or entry.partial:
        return None
    return LastLook(revision=revision, trees=entry.trees, paths=entry.paths)


def unchanged(entry: RosterEntry, listing: Listing) -> RosterEntry:
    """The listing says that nothing changed.  A row that was stale for its source's sake is good again."""
    head = entry.head
    if isinstance(head, Unreachable) and head.last is not None:
        head = Resolved(revision=head.last, trees=entry.trees)
    row = replace(entry, listing=listing, head=head, state="ok", reason=None, evidence="listing")
    # The very same object where nothing differs: an idle run over many repositories holds each row once.
    return entry if row == entry else row


def unseen(entry: RosterEntry, reason: str) -> RosterEntry:
    """Not looked at, for a reason that is not its own: its key stays the one that its snapshot was made by."""
    return replace(
        entry,
        head=Unreachable(reason=reason, last=last_revision(entry)),
        state="unreachable",
        reason=reason,
        evidence="none",
    )


def failed(source: str, listing: Listing, entry: RosterEntry | None, shared: bool, reason: str) -> RosterEntry:
    """Its own look failed: what we had stays, and `settled` False makes the next run ask again."""
    evidence: Literal["none", "unreadable"] = "none" if listing.readable else "unreadable"
    if entry is not None:
        return replace(unseen(entry, reason), listing=listing, settled=False, evidence=evidence)
    return RosterEntry(
        source=source,
        listing=listing,
        head=Unreachable(reason=reason, last=None),
        state="unreachable",
        reason=reason,
        settled=False,
        shared=shared,
        trees=(),
        snapshot_digest=None,
        evidence=evidence,
    )


def tombstone(entry: RosterEntry, state: Literal["gone", "renamed"], reason: str) -> RosterEntry:
    """The row of a repository that left: nothing of it is shown but its name and why."""
    row = replace(unseen(entry, reason), state=state, settled=False, trees=(), snapshot_digest=None)
    return without_history(row)


def moved(entry: RosterEntry, name: RepositoryId, digest: str | None, history: str | None) -> RosterEntry:
    """The row under its new name, before it is looked at; `shared` still tells how its snapshot was made.

    `digest` and `history` are of what could come along of its snapshot and its history.
    """
    row = replace(
        entry,
        listing=replace(entry.listing, repository=name),
        head=_moved_head(entry.head, name),
        snapshot_digest=digest,
    )
    return replace(row, history_digest=history) if history is not None else without_history(row)


def without_history(entry: RosterEntry) -> RosterEntry:
    """The row when nothing of its history is here."""
    return replace(entry, history_digest=None, history_reach=None, history_reason=None)


def with_history(entry: RosterEntry, before: RosterEntry | None) -> RosterEntry:
    """A new row with the history of the one before it: whole only if the same trees are shown."""
    if before is None:
        return entry
    is_same = _with_history(entry.trees) == _with_history(before.trees)
    return replace(
        entry,
        history_digest=before.history_digest,
        history_reach=before.history_reach if is_same else None,
        history_reason=before.history_reason if is_same else None,
    )


def _with_history(trees: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """The trees whose history is told: not that of a knowledge root's texts."""
    return [each for each in trees if each[0] != KNOWLEDGE]


def _moved_head(head: Head, name: RepositoryId) -> Head:
    match head:
        case Resolved(revision=revision):
            return replace(head, revision=replace(revision, repository=name))
        case Unreachable(last=Revision() as last):
            return replace(head, last=replace(last, repository=name))
        case _:
            return head
