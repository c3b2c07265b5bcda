"""Where a branch is: the commit alone, for servers or repositories whose trees do not tell it."""

from __future__ import annotations

from pipeline.errors import RepositoryNotFound, SourceUnreachable
from pipeline.model import Listing, Revision
from pipeline.sources.answers import read_json
from pipeline.sources.gitea_api import BRANCH, repository_path
from pipeline.sources.transport import Transport


async def read_branch(transport: Transport, listing: Listing) -> Revision:
    """The revision of the default branch.

    Raises:
        SourceUnreachable: there is no such branch.
        SourceError: no answer.
    """
    path = repository_path(listing.repository, "branches", listing.default_branch)
    try:
        response = await transport.get(path)
    except RepositoryNotFound:
        raise SourceUnreachable(f"its default branch {listing.default_branch!r} is not there") from None
    return Revision(
        repository=listing.repository,
        ref=listing.default_branch,
        commit=read_json(response.body, BRANCH, "a branch").commit.id,
        committed_at=listing.updated_at,
    )
