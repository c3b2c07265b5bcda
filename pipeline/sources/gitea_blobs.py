"""Bytes of one commit's files: thirty in one answer where the server can, else one by one.

Another way to ask for many (other forges have other batches) is another function beside `_ask_batch`,
chosen in `BlobReader.read`.
"""

from __future__ import annotations

import asyncio
import binascii
import json
from base64 import b64decode
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from urllib.parse import quote

from pipeline.errors import RepositoryNotFound
from pipeline.model import Revision, TreeEntry
from pipeline.sources.answers import read_json
from pipeline.sources.concurrently import concurrently
from pipeline.sources.gitea_api import FILES, FileRow, repository_path
from pipeline.sources.transport import Transport, path_of

BATCH_FILES = 30
BATCH_QUERY_BYTES = 3_500
BATCH_BYTES = 12 * 1024 * 1024
LACKING = frozenset({404, 405})
UNFIT = frozenset({400, 413, 414, 422})

Batch = tuple[TreeEntry, ...]
Brought = tuple[TreeEntry, bytes | None]


class BlobReader:
    """Reads files of one server, and remembers whether it knows batches."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._batches: bool | None = None
        self._finding_out = asyncio.Lock()

    async def read(self, revision: Revision, entries: Sequence[TreeEntry]) -> AsyncGenerator[Brought, None]:
        """Bring the bytes of `entries` in any order, None where the server has no such file.

        Raises:
            SourceError: an answer failed; the rest is not brought.
        """

        async def bring(batch: Batch) -> list[Brought]:
            return await self._bring(revision, batch)

        async with aclosing(concurrently(bring, plan_batches(entries))) as answers:
            async for brought in answers:
                for each in brought:
                    yield each

    async def _bring(self, revision: Revision, batch: Batch) -> list[Brought]:
        if len(batch) == 1 or self._batches is False:
            return await self._bring_singly(revision, batch)
        if self._batches:
            return await self._bring_batch(revision, batch)
        async with self._finding_out:
            if self._batches is None:
                return await self._find_out(revision, batch)
        return await self._bring(revision, batch)

    async def _find_out(self, revision: Revision, batch: Batch) -> list[Brought]:
        """Ask for the first batch.  A 404 means "no batches here" only if the files are there."""
        rows = await self._ask_batch(revision, batch)
        if rows is not None:
            self._batches = True
            return await self._complete(revision, batch, rows)
        brought = await self._bring_singly(revision, batch)
        if any(content is not None for _, content in brought):
            self._batches = False
        return brought

    async def _bring_batch(self, revision: Revision, batch: Batch) -> list[Brought]:
        rows = await self._ask_batch(revision, batch)
        return await (self._bring_singly(revision, batch) if rows is None else self._complete(revision, batch, rows))

    async def _ask_batch(self, revision: Revision, batch: Batch) -> tuple[FileRow | None, ...] | None:
        """The answer for `batch`, in its order, perhaps shorter; None where the server does not take it."""
        response = await self._transport.get(
            repository_path(revision.repository, "file-contents"),
            [("ref", revision.commit), ("body", batch_body(batch))],
            allow=LACKING | UNFIT,
        )
        return read_json(response.body, FILES, "a list of file contents") if response.status == 200 else None

    async def _complete(self, revision: Revision, batch: Batch, rows: tuple[FileRow | None, ...]) -> list[Brought]:
        """Take what came; ask singly for what was cut off or too large to come along."""
        by_path = {row.path: row for row in rows if row is not None}
        missing = {entry.path for entry, row in zip(batch, rows, strict=False) if row is None}
        came = {entry: content_of(by_path.get(entry.path)) for entry in batch}
        brought: list[Brought] = [(entry, None) for entry in batch if entry.path in missing]
        brought += [(entry, content) for entry, content in came.items() if content is not None]
        rest = [entry for entry, content in came.items() if content is None and entry.path not in missing]
        return brought + await self._bring_singly(revision, rest)

    async def _bring_singly(self, revision: Revision, entries: Iterable[TreeEntry]) -> list[Brought]:
        async def bring(entry: TreeEntry) -> Brought:
            return entry, await self._read_one(revision, entry)

        async with aclosing(concurrently(bring, entries)) as answers:
            return [each async for each in answers]

    async def _read_one(self, revision: Revision, entry: TreeEntry) -> bytes | None:
        path = f"{repository_path(revision.repository, 'raw')}/{path_of(*entry.path.split('/'))}"
        try:
            response = await self._transport.get(path, [("ref", revision.commit)], accept="*/*")
        except RepositoryNotFound:
            return None
        return response.body


def plan_batches(entries: Sequence[TreeEntry]) -> tuple[Batch, ...]:
    """Cut `entries` so that each batch fits one question and one answer."""
    batches: list[list[TreeEntry]] = []
    query = size = 0
    for entry in entries:
        weight = len(quote(json.dumps(entry.path, ensure_ascii=False), safe="")) + len("%2C")
        query, size = query + weight, size + (entry.size_bytes or 0)
        if not batches or len(batches[-1]) >= BATCH_FILES or query > BATCH_QUERY_BYTES or size > BATCH_BYTES:
            batches.append([])
            query, size = weight, entry.size_bytes or 0
        batches[-1].append(entry)
    return tuple(tuple(batch) for batch in batches)


def batch_body(batch: Sequence[TreeEntry]) -> str:
    """The question for many files, as the server takes it in a query."""
    return json.dumps({"files": [entry.path for entry in batch]}, ensure_ascii=False, separators=(",", ":"))


def content_of(row: FileRow | None) -> bytes | None:
    """The bytes that a row carries; None when it carries none."""
    if row is None or row.content is None or row.encoding != "base64":
        return None
    try:
        return b64decode(row.content, validate=True)
    except binascii.Error:
        return None
