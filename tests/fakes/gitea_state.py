"""What a fake forge holds: accounts, tokens, repositories, its clock and its limits."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import ClassVar, Literal

import orjson

from tests.fakes.bare import BareRepository
from tests.fakes.dialects import GITEA_1_25, Dialect

URL = "https://forge.example"
START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Owner:
    """A user or an organisation."""

    id: int
    login: str
    kind: Literal["user", "organisation"]


@dataclass(frozen=True, slots=True)
class Account:
    """Who stands behind a token: whose private repositories it sees, and what it may do."""

    owners: frozenset[str]
    scopes: tuple[str, ...]
    login: str = ""

    def may(self, need: str) -> bool:
        """Whether the scopes cover a need; to write includes to read."""
        return not {"all", need, need.replace("read:", "write:")}.isdisjoint(self.scopes)

    @property
    def public_only(self) -> bool:
        return "public-only" in self.scopes


@dataclass(slots=True, kw_only=True)
class Repository:
    """One repository and what its row in a listing says."""

    id: int
    owner: str
    name: str
    bare: BareRepository
    default_branch: str
    private: bool = False
    internal: bool = False
    archived: bool = False
    mirror: bool = False
    pull: bool = True
    empty: bool = True
    updated_at: datetime
    mirror_updated: datetime | None = None
    collaborators: frozenset[str] = frozenset()
    # Counts every change of any repository, so that what was found among them can be kept until the next.
    changes: ClassVar[int] = 0

    def __setattr__(self, name: str, value: object) -> None:
        Repository.changes += 1
        object.__setattr__(self, name, value)

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"

    def told(self) -> tuple[object, ...]:
        """All that its row in a listing says."""
        return (
            self.owner, self.name, self.default_branch, self.private, self.internal, self.archived, self.mirror,
            self.pull, self.empty, self.updated_at, self.mirror_updated,
        )  # fmt: skip


@dataclass(slots=True)
class Limits:
    """What the server gives at most in one answer."""

    items: int = 50
    default_items: int = 30
    tree_entries: int = 1000
    blob_bytes: int = 10 * 1024 * 1024
    response_bytes: int = 100 * 1024 * 1024
    commits: int = 50

    def all(self) -> tuple[int, ...]:
        """Every one of them."""
        return (
            self.items, self.default_items, self.tree_entries, self.blob_bytes, self.response_bytes, self.commits,
        )  # fmt: skip

    @property
    def batch_files(self) -> int:
        """How many files come at once: as many as rows of a listing when nobody says how many."""
        return self.default_items

    @batch_files.setter
    def batch_files(self, files: int) -> None:
        self.default_items = files


@dataclass(slots=True)
class ForgeState:
    """All of it, and how it is found."""

    folder: Path
    url: str = URL
    root_url: str = "http://gitea.internal:3000"
    clock: datetime = START
    utc_offset_hours: int = 0
    require_signin: bool = False
    dialect: Dialect = GITEA_1_25
    limits: Limits = field(default_factory=Limits)
    repositories: dict[int, Repository] = field(default_factory=dict)
    owners: dict[str, Owner] = field(default_factory=dict)
    former_names: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, Account] = field(default_factory=dict)
    kept_rows: dict[int, tuple[tuple[object, ...], orjson.Fragment]] = field(default_factory=dict)
    _names: dict[str, int] = field(default_factory=dict)
    _owned: dict[str, dict[int, Repository]] = field(default_factory=dict)
    _found: dict[tuple[object, ...], list[Repository]] = field(default_factory=dict)
    _found_at: int = -1
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _owner_ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __getitem__(self, full_name: str) -> Repository:
        found = self.find(full_name)
        if found is None:
            raise KeyError(full_name)
        return found

    def find(self, full_name: str) -> Repository | None:
        """The repository that has this name today."""
        return self.repositories.get(self._names.get(full_name.casefold(), 0))

    def owned_by(self, login: str) -> list[Repository]:
        """What an account owns, by id."""
        return list(self._owned.get(login.casefold(), {}).values())

    def found(self, question: tuple[object, ...], find: Callable[[], list[Repository]]) -> list[Repository]:
        """What a question finds, found once until any repository changes."""
        if self._found_at != Repository.changes:
            self._found.clear()
            self._found_at = Repository.changes
        if question not in self._found:
            self._found[question] = find()
        return self._found[question]

    def all_repositories(self) -> tuple[Repository, ...]:
        """All of them, even while another thread adds more."""
        return tuple(self.repositories.values())

    def find_former(self, full_name: str) -> Repository | None:
        """The repository that once had this name."""
        return self.repositories.get(self.former_names.get(full_name.casefold(), 0))

    def owner(self, login: str, kind: Literal["user", "organisation"] = "user") -> Owner:
        """The account of this name, made when there is none."""
        known = self.owners.get(login.casefold())
        if known is None:
            known = self.owners[login.casefold()] = Owner(next(self._owner_ids), login, kind)
        return known

    def owner_by_id(self, number: int) -> Owner | None:
        """The account with this number."""
        return next((each for each in self.owners.values() if each.id == number), None)

    def head(self, full_name: str) -> str:
        """The commit of its default branch."""
        repository = self[full_name]
        return repository.bare.head(repository.default_branch)

    def written(self, moment: datetime) -> str:
        """A time as the forge writes it: whole seconds, in the zone of its settings."""
        zone = timezone(timedelta(hours=self.utc_offset_hours)) if self.utc_offset_hours else UTC
        return moment.replace(microsecond=0).astimezone(zone).isoformat().replace("+00:00", "Z")

    # --- single traits of the dialect, to be turned by name

    @property
    def version(self) -> str:
        return self.dialect.version or ""

    @version.setter
    def version(self, text: str) -> None:
        self.dialect = replace(self.dialect, version=text)

    @property
    def knows_batches(self) -> bool:
        return self.dialect.knows_batches

    @knows_batches.setter
    def knows_batches(self, known: bool) -> None:
        self.dialect = replace(self.dialect, knows_batches=known)

    @property
    def sends_total(self) -> bool:
        return self.dialect.sends_total

    @sends_total.setter
    def sends_total(self, sent: bool) -> None:
        self.dialect = replace(self.dialect, sends_total=sent)

    @property
    def sends_links(self) -> bool:
        return self.dialect.sends_links

    @sends_links.setter
    def sends_links(self, sent: bool) -> None:
        self.dialect = replace(self.dialect, sends_links=sent)
