"""A fake forge, what we keep of it, and a plain model of what that may be.

`KeptForge` runs the real sync and compares.  Of each repository (by its number) it remembers every tree that its
default branch ever had; what we keep must be one of these, never an older one than before, and today's where the row
says that all is well.  `unseen` are those whose last change no listing tells (yet), `meanwhile` those that were
pushed to while the run was asking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self

import pygit2

from pipeline import files, hints, sync
from pipeline.blobs import BlobStore
from pipeline.layout import Layout
from pipeline.model import Config, RosterEntry, Snapshot, SourceConfig, SourceReading
from pipeline.plan import LOSS_COUNT, LOSS_SHARE, SECOND_LOOK, TOMBSTONES
from pipeline.snapshots import SnapshotStore
from pipeline.sources.credentials import Secret
from pipeline.sources.gitea import Gitea, read_address
from pipeline.sources.transport import Transport
from tests.fakes.gitea import FakeGitea
from tests.fakes.gitea_state import Repository
from tests.fakes.virtual_clock import VirtualClock

TOKEN = "canary-19c7"
OWNER = "ann"
AUDIT_HOURS = 1

Tree = Mapping[str, str]
Rows = tuple[RosterEntry, ...]


class Killed(BaseException):
    """The end of the process, in the middle of a run."""


@dataclass(slots=True)
class KeptForge:
    """The forge, our build folder, our clock, and what must be true of them."""

    forge: FakeGitea
    layout: Layout
    ahead: timedelta = timedelta()
    exclude: tuple[str, ...] = ()
    trees: dict[int, list[Tree]] = field(default_factory=dict)
    good: dict[int, int] = field(default_factory=dict)
    stored: dict[int, set[str]] = field(default_factory=dict)
    keys: dict[int, tuple[object, ...]] = field(default_factory=dict)
    unseen: set[int] = field(default_factory=set)
    late: list[tuple[datetime, int]] = field(default_factory=list)
    hinted: set[str] = field(default_factory=set)
    missing: dict[int, datetime] = field(default_factory=dict)
    meanwhile: set[int] = field(default_factory=set)
    left_over: set[Path] = field(default_factory=set)

    # --- what happens

    def note(self, full_name: str, *, told: bool | None = None, late_s: float | None = None) -> None:
        """Something happened to a repository: its listing tells so now, or in `late_s`, or not at all.

        With `told` None its row is compared, for what some servers tell and others do not.
        """
        repository = self.forge[full_name]
        key, self.keys[repository.id] = self.keys.get(repository.id), key_of(repository)
        told = key != self.keys[repository.id] if told is None else told
        tree, known = read_tree(repository), self.trees.setdefault(repository.id, [])
        if told:
            self.unseen.discard(repository.id)
        elif known and known[-1] != tree:
            self.unseen.add(repository.id)
        if late_s is not None:
            self.late.append((self.forge.clock + timedelta(seconds=late_s), repository.id))
        if not known or known[-1] != tree:
            known.append(tree)

    def tick(self, seconds: float) -> None:
        """Time goes by; what was late is told."""
        self.forge.tick(seconds)
        self.unseen -= {number for due, number in self.late if due <= self.forge.clock}
        self.late = [(due, number) for due, number in self.late if due > self.forge.clock]

    def set_our_clock(self, ahead: timedelta) -> None:
        """Our clock differs from the forge's; a hint may look older than a day by that."""
        self.ahead = ahead
        self.hinted.clear()

    def hint(self, full_name: str) -> None:
        """Somebody says that this one was pushed to."""
        hints.add(self.layout, [full_name], self.now())
        self.hinted |= {full_name} if self.layout.roster.exists() else set()

    def now(self) -> datetime:
        """Our clock."""
        return self.forge.clock + self.ahead

    # --- a run

    def sync(self, *, accept: bool = False, audit: bool = False) -> bool:
        """Run; True when it came to its end."""
        forge = self.forge

        class Wired(Gitea):
            @classmethod
            def open(cls, config: SourceConfig, traits: Mapping[str, str]) -> Self:
                address = replace(read_address(config), authorization=Secret(f"token {TOKEN}"))
                return cls(config, Transport(address, clock=VirtualClock().clock, wire=forge.wire()), traits)

        settings: dict[str, object] = {"url": forge.url, "owners": (OWNER,)}
        settings |= {"audit_hours": AUDIT_HOURS} if audit else {}
        row = SourceConfig(kind="gitea", name="forge", exclude=self.exclude, settings=settings)
        config = Config(sources=(row,), origin="a test")
        options = sync.SyncOptions(now=self.now, accept_removals=accept)
        forge.requests.clear()
        try:
            sync.run(self.layout, config, options, {"gitea": Wired}, lambda _: None)
        except Killed:
            return False
        return True

    def is_audit_due(self) -> bool:
        """Whether a run with an audit a hour will do one."""
        last = self.reading()
        if last is None or last.audited_at is None:
            return False
        return not timedelta() <= self.now() - last.audited_at < timedelta(hours=AUDIT_HOURS)

    def is_listing_whole(self) -> bool:
        """Whether the last run says that its listing was whole."""
        last = self.reading()
        return last is not None and last.state == "ok"

    def reading(self) -> SourceReading | None:
        """What the last run says of the source."""
        found = sync.read_reading(self.layout)
        return found.sources[0] if found is not None else None

    # --- what is so

    def rows(self) -> Rows:
        """The rows of living repositories."""
        return tuple(row for row in sync.read_roster(self.layout).entries if row.state not in TOMBSTONES)

    def listed(self) -> dict[int, Repository]:
        """What a whole listing has that we want, by number."""
        return {
            number: each
            for number, each in self.forge.repositories.items()
            if each.owner == OWNER and not each.private and each.name not in self.exclude
        }

    # --- what must be so

    def check_run(
        self,
        before: Rows,
        *,
        lists: frozenset[int] | None,
        accept: bool = False,
        audited: bool = False,
        exact: bool = False,
    ) -> None:
        """After a run that came to its end.

        `lists` is what its listing told, None when that was not whole; `exact`: whoever may leave must.
        """
        self._check_removals(before, accept=accept, lists=lists, exact=exact)
        for row in self.rows():
            # What is called empty is not asked, not even in an audit.
            if row.state == "ok" and audited and row.evidence != "empty":
                self.unseen.discard(number_of(row))
            self._check_row(row)
        self._check_disk()

    def check_calm(self) -> None:
        """After a run without trouble, of a forge that was quiet before it: we are equal to it."""
        rows = {number_of(row): row for row in self.rows()}
        readable = {number: each for number, each in self.listed().items() if each.pull}
        assert {number for number, row in rows.items() if row.state == "ok"} == readable.keys()
        for number, repository in readable.items():
            row = rows[number]
            assert row.listing.repository == f"forge/{repository.full_name}"
            assert row.reason is None, row
            assert row.settled or repository.empty or is_ahead(repository, self.forge), row

    def check_killed(self, before: Rows, *, lists: frozenset[int]) -> None:
        """After a run that was killed: what is kept was true once, and nothing that is listed was lost."""
        left = {number_of(row) for row in before} - {number_of(row) for row in self.rows()}
        assert left.isdisjoint(lists)
        for number in left:
            self._forget(number)
        found, named = self._snapshots()
        self.left_over |= found - named
        for row in self.rows():
            if SnapshotStore(self.layout).load(row) is not None:
                self._position(row)

    def _check_row(self, row: RosterEntry) -> None:
        number = number_of(row)
        assert row.state == "ok" or row.reason, row
        if row.snapshot_digest is None:
            assert row.state == "unreachable", row
            assert number not in self.good, f"{row.listing.repository} was kept once, and is not any more"
            return
        at, today = self._position(row), len(self.trees[number]) - 1
        answered = {name for name in self.hinted if row.state == "ok" and full_name(row).casefold() == name.casefold()}
        self.hinted -= answered
        self.unseen -= {number} if answered else set()
        if row.state == "ok" and number not in self.unseen | self.meanwhile:
            assert at == today, f"says that it is right, and is not: {row}"

    def _position(self, row: RosterEntry) -> int:
        """Which of the repository's trees we hold; no older one than before."""
        number = number_of(row)
        snapshot = SnapshotStore(self.layout).load(row)
        assert snapshot is not None, f"{row.listing.repository}: its snapshot is not there"
        assert snapshot.repository == row.listing.repository
        self._check_bytes(snapshot, row)
        held = {entry.path: entry.oid for entry in snapshot.entries}.items()
        trees = [wanted(tree, shared=snapshot.shared).items() for tree in self.trees[number]]
        # Where a server gives no tree, files that we know are looked at, and others are not.
        places = [at for at, tree in enumerate(trees) if (held <= tree if row.partial else held == tree)]
        assert places, f"{row.listing.repository} never looked like this: {dict(held)}"
        assert places[-1] >= self.good.get(number, 0), f"{row.listing.repository} went back to what it was"
        self.good[number] = max(self.good.get(number, 0), places[0] if row.partial else places[-1])
        return places[-1]

    def _check_bytes(self, snapshot: Snapshot, row: RosterEntry) -> None:
        """Stored means here; a file that was stored gives way only to one that is, or to none at the forge."""
        stored = {str(entry.path) for entry in snapshot.entries if entry.state == "stored"}
        absent = {str(entry.path) for entry in snapshot.entries} - stored
        if row.partial:
            absent |= wanted(self.trees[number_of(row)][-1], shared=snapshot.shared).keys() - stored
        assert absent.isdisjoint(self.stored.get(number_of(row), ())), f"a good copy was lost: {row}"
        self.stored[number_of(row)] = stored
        for entry in snapshot.entries:
            assert entry.state in ("stored", "failed"), entry
            assert entry.state == "failed" or BlobStore(self.layout).read(entry.oid) is not None, entry
            assert entry.state == "stored" or row.reason, row

    def _check_removals(self, before: Rows, *, accept: bool, lists: frozenset[int] | None, exact: bool) -> None:
        excluded = {number_of(row) for row in before if row.listing.repository.rsplit("/")[-1] in self.exclude}
        removed = {number_of(row) for row in before} - {number_of(row) for row in self.rows()} - excluded
        allowed = self._may_leave(before, excluded, accept=accept, lists=lists)
        assert removed <= allowed, f"left without a reason: {[row for row in before if number_of(row) in removed]}"
        assert removed == allowed or not exact, f"did not leave: {allowed - removed}"
        for number in removed | excluded:
            self._forget(number)
            self.missing.pop(number, None)

    def _forget(self, number: int) -> None:
        """Nothing of it is here any more."""
        self.good.pop(number, None)
        self.stored.pop(number, None)

    def _may_leave(self, before: Rows, excluded: set[int], *, accept: bool, lists: frozenset[int] | None) -> set[int]:
        """Those that this run may take away, by the rules of removal said once more in plain words."""
        if lists is None:
            # The copy of one whose name is another's today has no place any more, though nobody said where it went.
            return {number_of(row) for row in before if self._name_is_anothers(row)}
        names = {self.forge.repositories[number].full_name for number in lists}
        stood = [row for row in before if number_of(row) not in excluded]
        unlisted = [row for row in stood if number_of(row) not in lists]
        lost = [row for row in unlisted if full_name(row) not in names]
        many = len(lost) > LOSS_COUNT and len(lost) > LOSS_SHARE * len(stood)
        is_doubted = not accept and (many or not lists)
        leaving = {number_of(row) for row in lost if self._is_lost(number_of(row), accept) and not is_doubted}
        for row in lost:
            self.missing.setdefault(number_of(row), self._date())
        for number in lists:
            self.missing.pop(number, None)
        return leaving | {number_of(row) for row in unlisted if full_name(row) in names}

    def _name_is_anothers(self, row: RosterEntry) -> bool:
        found = self.forge.find(full_name(row))
        return found is not None and found.full_name == full_name(row) and found.id != number_of(row)

    def _is_lost(self, number: int, accept: bool) -> bool:
        """Whether it was missed before, a minute or more ago, and the forge says that there is no such."""
        is_missed = number in self.missing and self._date() - self.missing[number] >= SECOND_LOOK
        return number not in self.listed() and (accept or is_missed)

    def _check_disk(self) -> None:
        """Nothing is kept under a name that no row has, but for what a killed run may have left."""
        found, named = self._snapshots()
        assert named <= found
        assert found - named <= self.left_over

    def _snapshots(self) -> tuple[set[Path], set[Path]]:
        """Those on the disk, and those that rows name."""
        folder = self.layout.sync / "snapshots"
        named = {self.layout.snapshot(row.listing.repository) for row in self.rows() if row.snapshot_digest}
        return {folder / path for path in files.walk(folder)}, named

    def _date(self) -> datetime:
        """The forge's clock as its answers tell it."""
        return self.forge.clock.replace(microsecond=0)


def read_tree(repository: Repository) -> Tree:
    """Every file at the head of the default branch, with its object id; none without a commit."""
    git = repository.bare.open()
    ref = f"refs/heads/{repository.default_branch}"
    return dict(_walk(git.references[ref].peel(pygit2.Tree), "")) if ref in git.references else {}


def _walk(tree: pygit2.Tree, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in tree:
        if isinstance(entry, pygit2.Tree):
            yield from _walk(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", str(entry.id)


def wanted(tree: Tree, *, shared: bool) -> Tree:
    """What we keep of a tree: Markdown of the two folders, or, of the shared wiki, all Markdown."""
    places = ("",) if shared else (".tasks/", ".wiki/")
    return {path: oid for path, oid in tree.items() if path.startswith(places) and path.endswith(".md")}


def is_ahead(repository: Repository, forge: FakeGitea) -> bool:
    """Whether the row has a time that is not over yet, as a mirror of somebody with a wrong clock."""
    return repository.updated_at > forge.clock - timedelta(seconds=6)


def key_of(repository: Repository) -> tuple[object, ...]:
    """What a listing tells of a change of content."""
    times = (repository.updated_at.replace(microsecond=0), repository.mirror_updated)
    return (*times, repository.default_branch, repository.empty, repository.pull)


def number_of(row: RosterEntry) -> int:
    """The forge's number of a row's repository."""
    return int(row.listing.forge_id)


def full_name(row: RosterEntry) -> str:
    """`owner/name` of a row's repository."""
    return row.listing.repository.split("/", 1)[1]
