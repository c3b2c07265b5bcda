"""Gitea and Forgejo, and Gogs as far as it goes (Codeberg is a row of sources.toml, not a class).

Requests, in ordinary times: a listing costs one per 50 repositories and owner, a look at a repository
one (of a tree over 1,000 paths one more per changed folder), bytes one per 30 files, or one for all in an archive;
a history one per 50 commits of its list and one per new commit but one.

What one server can is found out by asking, never by its version, and remembered as a trait:
`trees` = contents (no recursive trees: Gogs), `blobs` = file-contents, git/blobs or raw, `archives` = by path or
none, and per owner the way that lists its repositories.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self, cast

from pipeline.errors import AccessDenied, ConfigError, NoHistory, RepositoryNotFound, SourceError, SourceUnreachable
from pipeline.model import (
    Empty,
    Head,
    HistoryPart,
    HistoryQuest,
    LastLook,
    Listing,
    RepositoryId,
    Resolved,
    Revision,
    Selection,
    Setting,
    SnapshotEntry,
    SourceConfig,
    SourceListing,
    TreeEntry,
)
from pipeline.sources.answers import read_json
from pipeline.sources.credentials import Secret, token_of_file, token_of_variable
from pipeline.sources.gitea_api import REPOSITORY, place_path, repository_path, to_listing, words_of
from pipeline.sources.gitea_blobs import BlobReader
from pipeline.sources.gitea_contents import ContentsReader
from pipeline.sources.gitea_heads import NoCommitNamed, TreeReader, id_path
from pipeline.sources.gitea_history import read_history
from pipeline.sources.gitea_listing import OwnerListing, list_owner
from pipeline.sources.gitea_log import UNTOLD
from pipeline.sources.gitea_paths import PathReader
from pipeline.sources.transport import Address, Response, Transport

TREES, CONTENTS = "trees", "contents"
ABSENT = frozenset({404})
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
        Setting(
            name="audit_hours",
            kind="number",
            default=24,
            minimum=1,
            meaning="how often every repository is looked at though its listing says that nothing changed, hours",
        ),
        Setting(name="timeout_s", kind="number", default=30, minimum=1, meaning="longest a request may take, seconds"),
    )  # fmt: skip

    def __init__(self, config: SourceConfig, transport: Transport, traits: Mapping[str, str]) -> None:
        self.config = config
        self.traits = dict(traits)
        self._transport = transport
        self._trees = TreeReader(transport)
        self._contents = ContentsReader(transport)
        self._paths = PathReader(transport)
        self._blobs = BlobReader(transport, self.traits)

    @classmethod
    def open(cls, config: SourceConfig, traits: Mapping[str, str]) -> Self:
        """Make a source of a checked row; reads its token, asks nothing.

        Raises:
            ConfigError: no owner, a bad address, or a token that is missing or exposed.
        """
        if not config.settings.get("owners"):
            raise ConfigError((f"{_place(config, 'owners')} is empty; expected at least one user or organisation",))
        return cls(config, Transport(read_address(config)), traits)

    @classmethod
    def page_address(cls, config: SourceConfig) -> str | None:
        """The forge's own view of a file as of a commit; none below an address that holds a password."""
        url = str(config.settings.get("url", "")).strip().rstrip("/")
        return None if "@" in url else f"{url}/{{repository}}/src/commit/{{revision}}/{{path}}"

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
        answers = await asyncio.gather(*(list_owner(self._transport, owner, self.traits) for owner in owners))
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

    async def resolve(self, listing: Listing, selection: Selection, last: LastLook | None) -> Head:
        """Ask for the default branch's tree: one answer tells head, tree ids and entries.

        A server whose trees name no commit is asked as Gogs is, now and next time.  Where a tree cannot
        be had and the branch can, the head says so, and only known files can be looked at.

        Raises:
            SourceError: no answer; keep the last snapshot.
        """
        if listing.empty:
            return Empty()
        if self._has_trees:
            try:
                return await self._trees.resolve(listing, selection, last)
            except NoCommitNamed:
                self.traits[TREES] = CONTENTS
            except SourceUnreachable as trouble:
                return await self._paths.resolve(listing, last, trouble)
        return await self._contents.resolve(listing, selection, last)

    async def list_tree(
        self, head: Resolved, selection: Selection, known: Sequence[SnapshotEntry]
    ) -> tuple[TreeEntry, ...]:
        """Every blob, symlink and submodule below the selection's folders; asks only if `head` does not tell.

        Raises:
            SourceError: no answer; keep the last snapshot.
        """
        if head.entries is not None:
            return head.entries
        if head.trouble is not None:
            return await self._paths.list_tree(head, selection, known)
        return await (self._trees if self._has_trees else self._contents).list_tree(head, selection)

    async def read_blobs(
        self, revision: Revision, entries: Sequence[TreeEntry]
    ) -> AsyncGenerator[tuple[TreeEntry, bytes | None], None]:
        """Bring the bytes of `entries` as of the commit, in any order; None where there is no such file.

        Raises:
            SourceError: the rest could not be brought either.
        """
        for entry in entries:
            if entry.content is not None:
                yield entry, entry.content
        rest = [entry for entry in entries if entry.content is None]
        reader = self._blobs if self._has_trees else self._contents
        async with aclosing(reader.read(revision, rest)) as brought:
            async for each in brought:
                yield each

    async def read_history(self, quest: HistoryQuest) -> AsyncGenerator[HistoryPart, None]:
        """Tell who changed the folder: a list of commits, and for each but one a question for its files.

        Raises:
            NoHistory: Gogs, which lists no commits of a folder.
            SourceError: no answer; what came before is good.
        """
        if not self._has_trees:
            raise NoHistory(UNTOLD)
        async with aclosing(read_history(self._transport, quest, self.traits)) as parts:
            async for part in parts:
                yield part

    async def read_file(self, listing: Listing, revision: Revision, entry: TreeEntry, limit_bytes: int) -> bytes | None:
        """The bytes of one file as of the commit, else by its id: Gogs has another `raw`, and history may be rewritten.

        By its id a file comes in JSON, so at most some 24 MiB of it.

        Raises:
            SourceError: no answer, or one of more than `limit_bytes`.
        """
        path = place_path(listing.repository, "raw", entry.path)
        try:
            return (await self._transport.get_file(path, [("ref", revision.commit)], limit_bytes)).body
        except RepositoryNotFound:
            async with aclosing(self._contents.read(revision, [entry])) as brought:
                (content,) = [content async for _, content in brought]
            return content if content is None or len(content) <= limit_bytes else None

    async def find(self, listing: Listing) -> RepositoryId | None:
        """Ask for the repository by its id; by its name where the server lets nobody ask so.

        Gitea answers ids only to those who have a token, Gogs to nobody, and says nothing in its 404.
        A name that is another repository's today is no longer this one's.

        Raises:
            SourceError: no answer, or a 404 that is a proxy's.
        """
        if self._has_trees and self._transport.has_token:
            response = await self._transport.get(id_path(listing), allow=ABSENT)
            if response.status == 200 or words_of(response.body) is not None:
                return self._name_today(listing, response)
        return self._name_today(listing, await self._transport.get(repository_path(listing.repository), allow=ABSENT))

    def _name_today(self, listing: Listing, response: Response) -> RepositoryId | None:
        if response.status == 200:
            row = read_json(response.body, REPOSITORY, "a repository")
            found = to_listing(row, self.config.name, None)
            return found.repository if found.forge_id == listing.forge_id else None
        if response.body.strip() and words_of(response.body) is None:
            raise SourceUnreachable("HTTP 404 that is not the forge's own")
        return None

    @property
    def _has_trees(self) -> bool:
        return self.traits.get(TREES) != CONTENTS


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


def _owner_trouble(owner: str, answer: OwnerListing) -> SourceError:
    """The owner's trouble with its name and, where one helps, the next step."""
    trouble = answer.trouble
    assert trouble is not None
    if isinstance(trouble, RepositoryNotFound):
        return SourceUnreachable(f'owner "{owner}": HTTP 404: no such user or organisation, or not for this token')
    if isinstance(trouble, AccessDenied):
        return AccessDenied(f'owner "{owner}": {trouble.reason}; {SCOPES}')
    return SourceUnreachable(f'owner "{owner}": {trouble.reason}')
