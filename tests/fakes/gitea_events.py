"""What happens on a forge: pushes of every kind, mirrors, names, rights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from tests.fakes.bare import BareRepository, Stored
from tests.fakes.gitea_state import Account, ForgeState, Repository
from tests.fakes.packing import Pack, write_borrower


@dataclass(slots=True)
class ForgeEvents(ForgeState):
    """The forge, and what one can do to it."""

    _late: list[tuple[datetime, int]] = field(default_factory=list)

    # --- repositories

    def add(
        self,
        full_name: str,
        files: Mapping[str, Stored] | None = None,
        *,
        branch: str = "main",
        private: bool = False,
        internal: bool = False,
        archived: bool = False,
        mirror: bool = False,
        pull: bool = True,
    ) -> str:
        """Make a repository and give its head commit; without files it is empty, and the commit ""."""
        number = next(self._ids)
        self._register(Repository(
            id=number, owner=full_name.split("/")[0], name=full_name.split("/")[1], default_branch=branch,
            bare=BareRepository.create(self.folder / f"{number}.git", branch),
            private=private, internal=internal, archived=archived, mirror=mirror, pull=pull,
            updated_at=self.clock, mirror_updated=self.clock if mirror else None,
        ))  # fmt: skip
        return self.commit(full_name, files) if files is not None else ""

    def adopt(self, full_name: str, path: Path) -> None:
        """Show a bare repository that is there already, and grows by other hands."""
        owner, name = full_name.split("/")
        self._register(Repository(
            id=next(self._ids), owner=owner, name=name, default_branch="main", bare=BareRepository(path), empty=False,
            updated_at=self.clock,
        ))  # fmt: skip

    def _register(self, repository: Repository) -> None:
        owner = self.owner(repository.owner)
        self.repositories[repository.id] = repository
        owned = self._owned.setdefault(owner.login.casefold(), {})
        is_last = not owned or repository.id > next(reversed(owned))
        owned[repository.id] = repository
        if not is_last:
            self._owned[owner.login.casefold()] = dict(sorted(owned.items()))
        self._names[repository.full_name.casefold()] = repository.id
        self.former_names.pop(repository.full_name.casefold(), None)

    def _unregister(self, repository: Repository) -> None:
        Repository.changes += 1
        del self._names[repository.full_name.casefold()]
        del self._owned[repository.owner.casefold()][repository.id]

    def add_many(
        self,
        owner: str,
        count: int,
        files_of: Callable[[int], Mapping[str, str | bytes] | None],
        *,
        prefix: str = "r",
        private: bool = False,
    ) -> tuple[str, ...]:
        """Make `count` repositories (r00000, r00001, …) with one commit each, and give their heads.

        `files_of` tells a repository's files by its number; None makes an empty one.  Their objects stand in one
        pack that all borrow from, so that ten thousand take seconds; pushes to them are pushes as to any other.
        """
        pack = Pack()
        told = [files_of(number) for number in range(count)]
        heads = [pack.commit(files, self.clock) if files is not None else "" for files in told]
        lender = self.folder / f"{owner}-{prefix}-{next(self._ids)}.shared"
        pack.write(lender / "objects")
        for number, head in enumerate(heads):
            self._add_borrower(f"{owner}/{prefix}{number:05}", lender, head, private=private)
        return tuple(heads)

    def _add_borrower(self, full_name: str, lender: Path, head: str, *, private: bool) -> None:
        if not head:
            self.add(full_name, private=private)
            return
        number = next(self._ids)
        owner, name = full_name.split("/")
        self._register(Repository(
            id=number, owner=owner, name=name, default_branch="main", private=private, empty=False,
            bare=write_borrower(self.folder / f"{number}.git", lender, "main", head), updated_at=self.clock,
        ))  # fmt: skip

    def rename(self, full_name: str, new_full_name: str) -> None:
        """Give it a new name or owner; the old name redirects until it is taken again."""
        repository = self[full_name]
        self._unregister(repository)
        self.former_names[full_name.casefold()] = repository.id
        repository.owner, repository.name = new_full_name.split("/")
        self._touch(repository)
        self._register(repository)

    def delete(self, full_name: str) -> None:
        """Take it away; the names that led to it lead nowhere."""
        self._unregister(self.repositories.pop(self[full_name].id))

    def archive(self, full_name: str, archived: bool = True) -> None:
        """Make it read-only, or give that up."""
        self[full_name].archived = archived
        self._touch(self[full_name])

    def set_default_branch(self, full_name: str, branch: str) -> None:
        """Let another branch be the default."""
        self[full_name].default_branch = branch
        self[full_name].bare.set_head(branch)
        self._touch(self[full_name])

    def _touch(self, repository: Repository) -> None:
        """Settings are no push: they move the time of a row on older servers only."""
        if self.dialect.settings_move_the_time:
            repository.updated_at = self.clock

    # --- pushes

    def commit(
        self,
        full_name: str,
        files: Mapping[str, Stored],
        *,
        remove: Iterable[str] = (),
        branch: str | None = None,
        bump: bool = True,
        bump_after: float | None = None,
        committed_at: datetime | None = None,
    ) -> str:
        """Push one commit and give its id.

        With `bump=False` the listing does not move, as when the push goes by the disk; with `bump_after` it
        moves only after so many seconds, as when the queue is long.
        """
        repository = self[full_name]
        self._bump(repository, bump=bump, after_s=bump_after)
        onto = branch or repository.default_branch
        return repository.bare.commit(onto, files, remove=remove, when=committed_at or self.clock)

    def force_push(
        self,
        full_name: str,
        files: Mapping[str, Stored],
        *,
        parent: str | None = None,
        branch: str | None = None,
        bump: bool = True,
    ) -> str:
        """Put a new commit in the branch's place: on `parent`, adding to its files, or on nothing."""
        repository = self[full_name]
        self._bump(repository, bump=bump)
        parents = [parent] if parent else []
        return repository.bare.replace(branch or repository.default_branch, files, parents=parents, when=self.clock)

    def tag(self, full_name: str, name: str, *, commit: str | None = None, message: str | None = None) -> str:
        """Push a tag, annotated with a message: no file changes, but the time moves."""
        repository = self[full_name]
        self._bump(repository)
        return repository.bare.tag(name, commit or self.head(full_name), when=self.clock, message=message)

    def delete_branch(self, full_name: str, branch: str) -> None:
        """Push the end of a branch."""
        self._bump(self[full_name])
        self[full_name].bare.delete_branch(branch)

    def mirror_sync(
        self,
        full_name: str,
        files: Mapping[str, Stored] | None = None,
        *,
        parent: str | None = None,
        committed_at: datetime | None = None,
        fails: bool = False,
    ) -> str:
        """Let a mirror look at its origin and give its head.

        With files the origin had a commit of `committed_at`, on `parent` if it was forced.  The time of the
        row is that of the newest commit that a branch names, so it may stay or go back; `mirror_updated` moves
        either way, even when the origin does not answer (`fails`).
        """
        repository = self[full_name]
        branch, when = repository.default_branch, committed_at or self.clock
        repository.mirror_updated = self.clock
        if fails:
            return self.head(full_name)
        if files is not None and parent is not None:
            repository.bare.replace(branch, files, parents=[parent], when=when)
        elif files is not None:
            repository.bare.commit(branch, files, when=when)
        newest = repository.bare.newest_commit_at()
        repository.empty = newest is None
        if newest is not None:
            repository.updated_at = datetime.fromtimestamp(newest, UTC)
        return "" if newest is None else self.head(full_name)

    def _bump(self, repository: Repository, *, bump: bool = True, after_s: float | None = None) -> None:
        if after_s is not None:
            # Until the queue has run, a first push leaves the repository "empty", whatever git has.
            self._late.append((self.clock + timedelta(seconds=after_s), repository.id))
            return
        repository.empty = False
        if bump:
            repository.updated_at = self.clock

    def tick(self, seconds: float = 60) -> None:
        """Let time go by, and the queue with it."""
        self.clock += timedelta(seconds=seconds)
        for due, number in sorted(self._late):
            if due <= self.clock and number in self.repositories:
                self.repositories[number].updated_at = due
                self.repositories[number].empty = False
        self._late = [(due, number) for due, number in self._late if due > self.clock]

    # --- people and rights

    def add_organisation(self, name: str) -> None:
        """Make an organisation, which may have no repository yet."""
        self.owners[name.casefold()] = replace(self.owner(name, "organisation"), kind="organisation")

    def add_user(self, name: str) -> None:
        """Make a user, who may have no repository yet."""
        self.owner(name)

    def token(
        self,
        text: str,
        *,
        owners: Iterable[str] = (),
        scopes: Sequence[str] | None = None,
        login: str | None = None,
    ) -> str:
        """Let `text` be a token that sees the private repositories of `owners`; the first is its own account."""
        seen = [owner.casefold() for owner in owners]
        own = login.casefold() if login else next(iter(seen), "")
        granted = self.dialect.read_scopes if scopes is None else tuple(scopes)
        self.tokens[text] = Account(frozenset(seen), granted, own)
        return text

    def revoke(self, token: str) -> None:
        """Let a token be none any more."""
        del self.tokens[token]

    def withdraw(self, full_name: str) -> None:
        """Take the right to the code away: still listed, with `pull` false."""
        self[full_name].pull = False

    def make_private(self, full_name: str, *, private: bool = True) -> None:
        """Hide it from all but who may see its owner's private repositories, or show it again."""
        self[full_name].private = private
        self._touch(self[full_name])

    def collaborate(self, full_name: str, login: str) -> None:
        """Let another account work on it."""
        self[full_name].collaborators |= {login.casefold()}

    def kind_of(self, name: str) -> Literal["user", "organisation"]:
        """What an account is."""
        return self.owners[name.casefold()].kind
