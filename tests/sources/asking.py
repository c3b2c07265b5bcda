"""Short ways to ask a source for what most tests need."""

from __future__ import annotations

from contextlib import aclosing

from pipeline.model import Resolved, Selection
from pipeline.sources.gitea import Gitea


async def look(source: Gitea, selection: Selection, place: int = 0) -> Resolved:
    """The head of the listing's first, or another, repository."""
    listing = (await source.list_repositories()).listings[place]
    head = await source.resolve(listing, selection, None)
    assert isinstance(head, Resolved)
    return head


async def read_all(source: Gitea, head: Resolved) -> dict[str, bytes | None]:
    """The bytes of all its entries, by path."""
    async with aclosing(source.read_blobs(head.revision, head.entries or ())) as brought:
        return {entry.path: content async for entry, content in brought}
