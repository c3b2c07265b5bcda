"""What `repos/search` asks for: read once from the query, then held against each repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from tests.fakes.gitea_access import is_visible
from tests.fakes.gitea_http import Refusal, Request

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea
    from tests.fakes.gitea_state import Account, Owner, Repository

Key = Callable[["Repository"], Any]
MODES = ("", "source", "fork", "mirror", "collaborative")
IS_MIRROR = {"source": False, "mirror": True, "collaborative": False}
SORTS: Mapping[str, Key] = {
    "alpha": lambda each: (each.owner.casefold(), each.name.casefold()),
    "created": lambda each: each.id,
    "updated": lambda each: each.updated_at,
    "size": lambda _: 0,
    "id": lambda each: each.id,
}
LATER_SORTS: Mapping[str, Key] = {name: lambda _: 0 for name in ("git_size", "lfs_size", "stars", "forks")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A question; None is what it does not ask for."""

    owner_number: int
    owner: Owner | None
    exclusive: bool
    owner_words: str
    words: str
    archived: bool | None
    is_private: bool | None
    mirror: bool | None
    forks_alone: bool

    @classmethod
    def read(cls, forge: FakeGitea, request: Request) -> Self:
        """What a query asks for."""
        mode, words = request.first("mode"), request.first("q").casefold()
        if mode not in MODES:
            raise Refusal(422, f'Invalid search mode: "{mode}"')
        # One slash makes the words parts of an owner's and of a repository's name.
        splits = words.count("/") == 1 and forge.dialect.searches_owners
        return cls(
            owner_number=request.number("uid"), owner=forge.owner_by_id(request.number("uid")),
            exclusive=request.truth("exclusive") is True, owner_words=words.partition("/")[0] if splits else "",
            words=words.partition("/")[2] if splits else words, archived=request.truth("archived"),
            is_private=request.truth("is_private"), mirror=IS_MIRROR.get(mode), forks_alone=mode == "fork",
        )  # fmt: skip

    def find(self, forge: FakeGitea, account: Account | None) -> list[Repository]:
        """All that fits and that the account may see, in no order."""
        if self.owner_number > 0 and self.owner is None:
            return []
        alone = self.owner is not None and self.exclusive
        among = forge.owned_by(self.owner.login) if self.owner and alone else forge.all_repositories()
        hidden = account is not None and account.public_only
        return [
            each
            for each in among
            if is_visible(each, account) and not (hidden and each.private) and (alone or self._is_of(each))
            if self._fits(each)
        ]

    def _is_of(self, repository: Repository) -> bool:
        """Without `exclusive` an owner's number brings what the owner may work on, too."""
        if self.owner is None:
            return True
        login = self.owner.login.casefold()
        return repository.owner.casefold() == login or login in repository.collaborators

    def _fits(self, repository: Repository) -> bool:
        return (
            not self.forks_alone
            and (not self.words or self.words in repository.name.casefold())
            and (not self.owner_words or self.owner_words in repository.owner.casefold())
            and self.archived in (None, repository.archived)
            and self.is_private in (None, repository.private)
            and self.mirror in (None, repository.mirror)
        )


@dataclass(frozen=True, slots=True)
class Order:
    """What to sort by, and which way."""

    by: str
    descending: bool

    @classmethod
    def read(cls, forge: FakeGitea, request: Request) -> Self:
        """What a query wants, refused where the server knows no such order."""
        sort, order = request.first("sort"), request.first("order") or "asc"
        known = {*SORTS, *(LATER_SORTS if forge.dialect.sorts_by_size_of_git else ())}
        if sort and order not in ("asc", "desc"):
            raise Refusal(422, f'Invalid sort order: "{order}"')
        if sort and sort not in known:
            raise Refusal(422, f'Invalid sort mode: "{sort}"')
        return cls(sort or "alpha", bool(sort) and order == "desc")

    def sort(self, found: list[Repository]) -> list[Repository]:
        """In this order."""
        return sorted(found, key={**SORTS, **LATER_SORTS}[self.by], reverse=self.descending)
