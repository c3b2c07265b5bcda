"""Last roster + what a source lists today → what to do about each repository (pure).

    Probe       ask for its head                       Unseen   not listed, but the listing is not whole
    Keep        its listing says nothing changed       Missing  not listed, though the listing is whole
    Blank       it has no commit: nothing to ask       Renamed  its forge id now has another name
    Unreadable  the account may not read its content   Rest     left earlier; its row stays for 30 days
                                                       Forget   the configuration no longer asks for it

A failed, short or empty listing removes nothing: removal needs two whole listings and a plain "there
is no such" (`Missing.ask`), and a loss that looks like an accident needs a person's word (`Plan.doubt`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from pipeline.model import Listing, RepositoryId, RosterEntry, SourceConfig, SourceListing
from pipeline.wanted import is_named, is_shared, is_wanted

QUIET = timedelta(seconds=5)
SECOND_LOOK = timedelta(seconds=60)
TOMBSTONE_LIFE = timedelta(days=30)
LOSS_COUNT = 2
LOSS_SHARE = 0.2
TOMBSTONES = ("gone", "renamed")

UNREADABLE = "the account may not read its content; give it the right to read code"
UNLISTED = "no longer listed; the last copy stays until a second look agrees"

Why = Literal["new", "changed", "unsettled", "no_snapshot", "selection", "said_empty", "hint", "audit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that decides.  `entries` are this source's rows of the last roster; `missing_since` and
    `gone_since` are what sync.json remembers; `now` is our clock, used where the source has none.

    `hinted` are repositories of which somebody said that they changed, by `name`, `owner/name` or id;
    `audit` means that no listing key shall be believed in this run.
    """

    source: SourceConfig
    shared_wiki: str
    roots: frozenset[str] = frozenset()
    entries: tuple[RosterEntry, ...]
    answer: SourceListing
    now: datetime
    accept_removals: bool = False
    audit: bool = False
    hinted: frozenset[str] = frozenset()
    missing_since: Mapping[RepositoryId, datetime] = field(default_factory=dict)
    gone_since: Mapping[RepositoryId, datetime] = field(default_factory=dict)

    @property
    def observed_at(self) -> datetime:
        """When the source answered."""
        return self.answer.observed_at or self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """Ask for the head.  `entry` is what we carry over (perhaps under another name), None for a new one."""

    listing: Listing
    entry: RosterEntry | None
    shared: bool
    settled: bool
    why: Why
    is_root: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """The listing key is equal and was settled: no request."""

    listing: Listing
    entry: RosterEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """A repository without a commit, and nothing of it to lose."""

    listing: Listing
    entry: RosterEntry | None
    shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """Listed, but its content would be refused."""

    listing: Listing
    entry: RosterEntry | None
    shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """Not listed by an answer that is not whole; `since` is kept from an earlier look."""

    entry: RosterEntry
    reason: str
    since: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Not listed since `since`.  `ask`: ask the source whether it is gone, and believe a plain yes."""

    entry: RosterEntry
    reason: str
    since: datetime
    ask: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """The old name of a repository that is listed as `to`."""

    entry: RosterEntry
    to: RepositoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """Gone or renamed earlier: the row stays as it is."""

    entry: RosterEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """The row and its snapshot leave at once."""

    entry: RosterEntry
    why: Literal["configuration", "expired"]


Step = Probe | Keep | Blank | Unreadable | Unseen | Missing | Renamed | Rest | Forget


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One step per repository, sorted by id.  `doubt` says why a loss is not believed."""

    steps: tuple[Step, ...]
    doubt: str | None = None


def make_plan(situation: Situation) -> Plan:
    """Decide about every repository that was or is listed."""
    source = situation.source
    listed = {each.repository: each for each in situation.answer.listings if is_wanted(each.repository, source)}
    wanted, unwanted = _parted(situation.entries, lambda entry: is_wanted(entry.listing.repository, source))
    tombstones, live = _parted(wanted, lambda entry: entry.state in TOMBSTONES)
    names = {listing.forge_id: listing.repository for listing in listed.values()}
    unlisted = [entry for entry in live if entry.listing.repository not in listed]
    renamed, lost = _parted(unlisted, lambda entry: entry.listing.forge_id in names)
    doubt = _doubt(situation, live=len(live), lost=len(lost), listed=len(listed))
    steps: list[Step] = [
        *_listed_steps(situation, listed, live),
        *(_lost_step(situation, entry, doubt) for entry in lost),
        *(Renamed(entry=entry, to=names[entry.listing.forge_id]) for entry in renamed),
        *(_old_step(situation, entry) for entry in tombstones if entry.listing.repository not in listed),
        *(Forget(entry=entry, why="configuration") for entry in unwanted),
    ]
    return Plan(steps=tuple(sorted(steps, key=repository_of)), doubt=doubt)


def repository_of(step: Step) -> RepositoryId:
    """Which repository a step is about, under today's name."""
    match step:
        case Probe() | Keep() | Blank() | Unreadable():
            return step.listing.repository
        case _:
            return step.entry.listing.repository


def same_key(one: Listing, other: Listing) -> bool:
    """Equal in all that tells of a change of content.

    Visibility and archiving are facts of the listing alone: they are taken over without a request.
    Times are compared as instants, so that another time zone of the source's answer is no change.
    """
    return _key(one) == _key(other)


def is_settled(listing: Listing, observed_at: datetime | None) -> bool:
    """Whether the key may be believed next time: by the source's own clock nothing was touched in the
    5 s before the listing, so that no second push can hide in the same second or in a queue.
    """
    if listing.updated_at is None or observed_at is None:
        return False
    touched = [moment for moment in (listing.updated_at, listing.mirror_updated) if moment is not None]
    return all(observed_at - moment >= QUIET for moment in touched)


def _key(listing: Listing) -> tuple[object, ...]:
    return (
        listing.forge_id,
        listing.default_branch,
        listing.empty,
        listing.readable,
        listing.updated_at,
        listing.mirror_updated,
    )


def _listed_steps(
    situation: Situation, listed: Mapping[RepositoryId, Listing], live: Sequence[RosterEntry]
) -> Iterator[Step]:
    by_name = {entry.listing.repository: entry for entry in live}
    by_forge_id = {entry.listing.forge_id: entry for entry in live}
    for listing in listed.values():
        entry = by_name.get(listing.repository)
        if entry is None or entry.listing.forge_id != listing.forge_id:
            entry = by_forge_id.get(listing.forge_id)
        yield _listed_step(situation, listing, entry)


def _listed_step(situation: Situation, listing: Listing, entry: RosterEntry | None) -> Step:
    shared = is_shared(listing.repository, situation.shared_wiki)
    is_root = is_named(listing.repository, situation.roots)
    if not listing.readable:
        return Unreadable(listing=listing, entry=entry, shared=shared)
    # A forge calls a repository empty until its queue has seen the first push: a hint knows better.
    is_hinted = is_named(listing.repository, situation.hinted)
    if listing.empty and (entry is None or not entry.trees) and not is_hinted:
        return Blank(listing=listing, entry=entry, shared=shared)
    why = _why_probe(listing, entry, (shared, is_root), is_hinted=is_hinted, is_audit=situation.audit)
    if entry is not None and why is None:
        return Keep(listing=listing, entry=entry)
    settled = is_settled(listing, situation.answer.observed_at)
    return Probe(listing=listing, entry=entry, shared=shared, settled=settled, why=why or "new", is_root=is_root)


def _why_probe(
    listing: Listing, entry: RosterEntry | None, wanted: tuple[bool, bool], *, is_hinted: bool, is_audit: bool
) -> Why | None:
    """None: no need to.  An entry whose last probe failed was stored as not settled.

    `wanted` is whether it is the shared wiki, and whether it is a knowledge root.
    """
    if entry is None:
        return "new"
    if listing.empty:
        return "said_empty"
    if entry.snapshot_digest is None:
        return "no_snapshot"
    if (entry.shared, entry.is_root) != wanted:
        return "selection"
    if not same_key(entry.listing, listing):
        return "changed"
    if not entry.settled:
        return "unsettled"
    if is_hinted:
        return "hint"
    return "audit" if is_audit else None


def _doubt(situation: Situation, *, live: int, lost: int, listed: int) -> str | None:
    if not situation.answer.complete or situation.accept_removals or not lost:
        return None
    if listed and not (lost > LOSS_COUNT and lost > LOSS_SHARE * live):
        return None
    return (
        f"{situation.source.name} no longer lists {lost} of {live} repositories; nothing is removed: "
        "look at the source and its account's rights, then run `doit accept_removals=1` if that is right"
    )


def _lost_step(situation: Situation, entry: RosterEntry, doubt: str | None) -> Step:
    since = situation.missing_since.get(entry.listing.repository)
    if not situation.answer.complete:
        reason = situation.answer.reason or "the listing is not whole"
        return Unseen(entry=entry, reason=reason, since=since)
    if since is None or since > situation.observed_at:
        since, seconds_look = situation.observed_at, False
    else:
        # A source without a clock is a folder here: two runs are enough for it.
        is_local = situation.answer.observed_at is None
        seconds_look = is_local or situation.observed_at - since >= SECOND_LOOK
    ask = doubt is None and (seconds_look or situation.accept_removals)
    return Missing(entry=entry, reason=doubt or UNLISTED, since=since, ask=ask)


def _old_step(situation: Situation, entry: RosterEntry) -> Step:
    since = situation.gone_since.get(entry.listing.repository, situation.now)
    if situation.now - since > TOMBSTONE_LIFE:
        return Forget(entry=entry, why="expired")
    return Rest(entry=entry)


def _parted(
    entries: Iterable[RosterEntry], test: Callable[[RosterEntry], bool]
) -> tuple[list[RosterEntry], list[RosterEntry]]:
    """Those that pass, and those that do not."""
    passed: list[RosterEntry] = []
    others: list[RosterEntry] = []
    for entry in entries:
        (passed if test(entry) else others).append(entry)
    return passed, others
