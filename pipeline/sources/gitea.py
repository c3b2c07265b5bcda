"""Gitea and Forgejo (Codeberg is a row of sources.toml, not a class).

Requests, in ordinary times: a listing costs one per 50 repositories and owner, a look at a repository
one per 1,000 paths up to the wanted folders, bytes one per 30 files.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self, cast

from pipeline.errors import AccessDenied, ConfigError, RepositoryNotFound, SourceError, SourceUnreachable
from pipeline.model import (
    Empty,
    Head,
    Listing,
    Resolved,
    Revision,
    Selection,
    Setting,
    SourceConfig,
    SourceListing,
    TreeEntry,
)
from pipeline.sources.answers import read_json
from pipeline.sources.credentials import Secret, token_of_file, token_of_variable
from pipeline.sources.gitea_api import API, MESSAGE, REPOSITORY, TREE, TreeAnswer, TreeRow, repository_path, to_listing
from pipeline.sources.gitea_blobs import BlobReader
from pipeline.sources.gitea_listing import OwnerListing, list_owner
from pipeline.sources.gitea_tree import entries_of, is_past, trees_of
from pipeline.sources.transport import Address, Transport, path_of

TREE_LIMIT = 1000
MOST_TREE_PAGES = 1000
NO_SUCH_TREE = frozenset({400, 404, 409})
SCOPES = "the token needs read:repository, and read:user for listing"


class Gitea:
    """One Gitea or Forgejo server, seen with one token or none."""

    SETTINGS: ClassVar[tuple[Setting, ...]] = (
        Setting(name="url", kind="address", required=True, is_address=True, meaning="address of the server, https://host"),
        Setting(name="owners", kind="texts", required=True, meaning="users or organisations, at least one"),
        Setting(name="token_env", kind="text", meaning="environment variable that holds the token"),
        Setting(name="auth", kind="path", meaning="auth.toml with gitea_token, readable by you alone"),
        Setting(name="ca_file", kind="path", meaning="PEM file of further certificate authorities to trust"),
        Setting(name="proxy", kind="text", meaning="address of an HTTP proxy; the environment is not read"),
        Setting(name="timeout_s", kind="number", default=30, minimum=1, meaning="longest a request may take, seconds"),
    )  # fmt: skip

    def __init__(self, config: SourceConfig, transport: Transport) -> None:
        self.config = config
        self._transport = transport
        self._blobs = BlobReader(transport)

    @classmethod
    def open(cls, config: SourceConfig) -> Self:
        """Make a source of a checked row; reads its token, asks nothing.

        Raises:
            ConfigError: no owner, a bad address, or a token that is missing or exposed.
        """
        if not config.settings.get("owners"):
            raise ConfigError((f"{_place(config, 'owners')} is empty; expected at least one user or organisation",))
        return cls(config, Transport(read_address(config)))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        await self._transport.aclose()

    async def list_repositories(self) -> SourceListing:
        """List every repository of the owners, sorted by id.

        An owner that fails makes the answer incomplete; the others' repositories still come.
        `observed_at` is the earliest `Date` of the first pages.

        Raises:
            SourceUnreachable, AccessDenied: no owner could be listed.
        """
        owners = tuple(
            {owner.casefold(): owner for owner in cast("tuple[str, ...]", self.config.settings["owners"])}.values()
        )
        answers = await asyncio.gather(*(list_owner(self._transport, owner) for owner in owners))
        troubles = tuple(_owner_trouble(*pair) for pair in zip(owners, answers, strict=True) if pair[1].trouble)
        if len(troubles) == len(owners) and not any(answer.rows for answer in answers):
            raise troubles[0]
        rows = {row.id: row for answer in answers for row in answer.rows}
        listings = (to_listing(row, self.config.name, self.config.visibility) for row in rows.values())
        return SourceListing(
            listings=tuple(sorted(listings, key=lambda listing: listing.repository)),
            complete=not troubles,
            reason="; ".join(trouble.reason for trouble in troubles) or None,
            observed_at=min((answer.observed_at for answer in answers if answer.observed_at), default=None),
        )

    async def resolve(self, listing: Listing, selection: Selection, last: Revision | None) -> Head:
        """Ask for the default branch's tree: one answer tells head, tree ids and entries.

        Raises:
            SourceError: no answer; keep the last snapshot.
        """
        if listing.empty:
            return Empty()
        first = await self._tree_page(listing.repository, listing.default_branch or "HEAD", 1)
        if first is None:
            return await self._confirm_empty(listing)
        revision = Revision(
            repository=listing.repository,
            ref=listing.default_branch,
            commit=first.sha,
            committed_at=listing.updated_at,
        )
        is_known = last is not None and last.commit == first.sha and selection.folders == ("",)
        if is_known:
            return Resolved(revision=revision, trees=(("", first.sha),))
        rows = await self._rest_of_tree(revision, first, selection)
        return Resolved(
            revision=revision,
            trees=trees_of(rows, selection, first.sha),
            entries=entries_of(rows, selection),
        )

    async def list_tree(self, head: Resolved, selection: Selection) -> tuple[TreeEntry, ...]:
        """Every blob, symlink and submodule below the selection's folders; asks only if `head` does not tell.

        Raises:
            SourceError: no answer; keep the last snapshot.
        """
        if head.entries is not None:
            return head.entries
        first = await self._tree_page(head.revision.repository, head.revision.commit, 1)
        if first is None:
            raise SourceUnreachable("the commit is no longer there; its branch was moved")
        return entries_of(await self._rest_of_tree(head.revision, first, selection), selection)

    def read_blobs(
        self, revision: Revision, entries: Sequence[TreeEntry]
    ) -> AsyncGenerator[tuple[TreeEntry, bytes | None], None]:
        """Bring the bytes of `entries` as of the commit, in any order; None where there is no such file.

        Raises:
            SourceError: the rest could not be brought either.
        """
        return self._blobs.read(revision, entries)

    async def is_gone(self, listing: Listing) -> bool:
        """Ask for the repository by its id: True only when the server itself says that there is no such.

        Raises:
            SourceError: no answer, or a 404 that is a proxy's.
        """
        response = await self._transport.get(_by_id(listing), allow=frozenset({404}))
        if response.status == 404:
            read_json(response.body, MESSAGE, "the forge's own words for HTTP 404")
            return True
        read_json(response.body, REPOSITORY, "a repository")
        return False

    async def _confirm_empty(self, listing: Listing) -> Empty:
        """No tree: is the repository empty, gone, or only its branch wrong?"""
        response = await self._transport.get(_by_id(listing))
        if read_json(response.body, REPOSITORY, "a repository").empty:
            return Empty()
        raise SourceUnreachable(f"no tree of its default branch {listing.default_branch!r}")

    async def _rest_of_tree(self, revision: Revision, first: TreeAnswer, selection: Selection) -> tuple[TreeRow, ...]:
        """Add pages, pinned to the commit, until nothing wanted can follow."""
        page, number = first, 1
        rows = list(first.tree or ())
        while page.truncated and page.tree and not is_past(rows, selection):
            number += 1
            answer = await self._tree_page(revision.repository, revision.commit, number)
            if answer is None or answer.sha != revision.commit or number > MOST_TREE_PAGES:
                raise SourceUnreachable("a tree whose pages do not belong together")
            page = answer
            rows += page.tree or ()
        return tuple(rows)

    async def _tree_page(self, repository: str, ref: str, number: int) -> TreeAnswer | None:
        """One page of the whole tree at `ref`; None where the server knows no such tree."""
        query = [("recursive", "1"), ("per_page", str(TREE_LIMIT))]
        query += [("page", str(number))] if number > 1 else []
        response = await self._transport.get(
            repository_path(repository, "git", "trees", ref), query, allow=NO_SUCH_TREE
        )
        return read_json(response.body, TREE, "a tree") if response.status == 200 else None


def read_address(config: SourceConfig) -> Address:
    """Where and how the row's server is reached, its token read.

    Raises:
        ConfigError: the token is missing or exposed.
    """
    settings = config.settings
    token = _read_token(config)
    return Address(
        url=str(settings["url"]),
        authorization=Secret(f"token {token.reveal()}") if token else None,
        timeout_s=float(cast("float", settings.get("timeout_s") or 30)),
        ca_file=_path(settings.get("ca_file")),
        proxy=cast("str | None", settings.get("proxy")),
        place=config.place,
    )


def _read_token(config: SourceConfig) -> Secret | None:
    variable, path = config.settings.get("token_env"), _path(config.settings.get("auth"))
    if variable:
        return token_of_variable(str(variable), _place(config, "token_env"))
    return token_of_file(path, "gitea_token", _place(config, "auth")) if path else None


def _path(written: object) -> Path | None:
    return Path(str(written)).expanduser() if written else None


def _place(config: SourceConfig, key: str) -> str:
    return f"{config.place}.{key}" if config.place else key


def _by_id(listing: Listing) -> str:
    return f"{API}/{path_of('repositories', listing.forge_id)}"


def _owner_trouble(owner: str, answer: OwnerListing) -> SourceError:
    """The owner's trouble with its name and, where one helps, the next step."""
    trouble = answer.trouble
    assert trouble is not None
    if isinstance(trouble, RepositoryNotFound):
        return SourceUnreachable(f'owner "{owner}": HTTP 404: no such user or organisation, or not for this token')
    if isinstance(trouble, AccessDenied):
        return AccessDenied(f'owner "{owner}": {trouble.reason}; {SCOPES}')
    return SourceUnreachable(f'owner "{owner}": {trouble.reason}')
