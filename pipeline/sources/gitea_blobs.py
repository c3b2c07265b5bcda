"""Bytes of one commit's files: many in one answer where the server can, else one by one.

More than sixty come in an archive of their folders, where there is such a thing (`gitea_archive`).  Of the rest
Gitea (1.24 and later) takes thirty paths, Forgejo (12 and later) fifty object ids.  Which of them a server
knows is found out by the first batch, and remembered among its traits.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from urllib.parse import quote

from pipeline.errors import RepositoryNotFound
from pipeline.model import Revision, TreeEntry
from pipeline.sources.answers import read_json
from pipeline.sources.concurrently import concurrently
from pipeline.sources.gitea_api import BLOBS, FILES, content_of, place_path, repository_path
from pipeline.sources.gitea_archive import ArchiveReader
from pipeline.sources.transport import Transport

TRAIT = "blobs"
LIMIT = "blobs at once"
BATCH_FILES = 30
BATCH_OBJECTS = 49
BATCH_QUERY_BYTES = 3_500
BATCH_BYTES = 12 * 1024 * 1024
LACKING = frozenset({404, 405})
UNFIT = frozenset({400, 413, 414, 422})

Batch = tuple[TreeEntry, ...]
Brought = tuple[TreeEntry, bytes | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a batch brought.  `missing` has no such file, `cut` is what the server left off behind the last
    of the `rows` that it gives at most; what is in none of them was too large to come along.
    """

    brought: tuple[tuple[TreeEntry, bytes], ...]
    rows: int
    cut: tuple[TreeEntry, ...]
    missing: frozenset[TreeEntry] = frozenset()


class BlobReader:
    """Reads files of one server; `traits` remembers in what way it is asked."""

    def __init__(self, transport: Transport, traits: MutableMapping[str, str]) -> None:
        self._transport = transport
        self._traits = traits
        self._finding_out = asyncio.Lock()
        self._archives = ArchiveReader(transport, traits)

    async def read(self, revision: Revision, entries: Sequence[TreeEntry]) -> AsyncGenerator[Brought, None]:
        """Bring the bytes of `entries` in any order, None where the server has no such file.

        Raises:
            SourceError: an answer failed; the rest is not brought.
        """

        async def bring(batch: Batch) -> list[Brought]:
            return await self._bring(revision, batch)

        rest = dict.fromkeys(entries)
        async with aclosing(self._archives.read(revision, entries)) as found:
            async for entry, content in found:
                del rest[entry]
                yield entry, content
        async with aclosing(concurrently(bring, plan_batches(tuple(rest), self._most()))) as answers:
            async for brought in answers:
                for each in brought:
                    yield each

    def _most(self) -> int:
        ours = BATCH_OBJECTS if self._traits.get(TRAIT) == OBJECTS else BATCH_FILES
        return min(ours, int(self._traits.get(LIMIT, ours)))

    async def _bring(self, revision: Revision, batch: Batch) -> list[Brought]:
        if len(batch) == 1:
            return await self._bring_singly(revision, batch)
        if TRAIT not in self._traits:
            async with self._finding_out:
                if TRAIT not in self._traits:
                    return await self._find_out(revision, batch)
        return await self._bring_known(revision, batch)

    async def _find_out(self, revision: Revision, batch: Batch) -> list[Brought]:
        """Ask in each way.  A refusal means "not in this way" only if the files are there."""
        for way in (_ask_files, _ask_objects):
            answer = await way(self._transport, revision, batch)
            if isinstance(answer, Answer):
                self._traits[TRAIT] = NAMES[way]
                return await self._complete(revision, batch, answer)
        brought = await self._bring_singly(revision, batch)
        if any(content is not None for _, content in brought):
            self._traits[TRAIT] = SINGLY
        return brought

    async def _bring_known(self, revision: Revision, batch: Batch) -> list[Brought]:
        way = WAYS.get(self._traits.get(TRAIT, SINGLY))
        if way is None:
            return await self._bring_singly(revision, batch)
        answer = await way(self._transport, revision, batch)
        if isinstance(answer, Answer):
            return await self._complete(revision, batch, answer)
        brought = await self._bring_singly(revision, batch)
        if answer in LACKING and any(content is not None for _, content in brought):
            # The server knew this way once, as before a move to another make: the next batch finds out anew.
            self._traits.pop(TRAIT, None)
        return brought

    async def _complete(self, revision: Revision, batch: Batch, answer: Answer) -> list[Brought]:
        """Take what came; ask again for what was cut off, and singly for what was too large to come along."""
        done = {entry for entry, _ in answer.brought} | answer.missing | set(answer.cut)
        absent: list[Brought] = [(entry, None) for entry in batch if entry in answer.missing]
        alone = await self._bring_singly(revision, [entry for entry in batch if entry not in done])
        return [*answer.brought, *absent, *alone, *await self._bring_cut(revision, answer)]

    async def _bring_cut(self, revision: Revision, answer: Answer) -> list[Brought]:
        """What a server left off that gives fewer at once than others do; its number is remembered."""
        if not answer.cut or not answer.rows:
            return await self._bring_singly(revision, answer.cut)
        self._traits[LIMIT] = str(answer.rows)
        brought = [await self._bring(revision, batch) for batch in plan_batches(answer.cut, answer.rows)]
        return [each for batch in brought for each in batch]

    async def _bring_singly(self, revision: Revision, entries: Iterable[TreeEntry]) -> list[Brought]:
        async def bring(entry: TreeEntry) -> Brought:
            return entry, await self._read_one(revision, entry)

        async with aclosing(concurrently(bring, entries)) as answers:
            return [each async for each in answers]

    async def _read_one(self, revision: Revision, entry: TreeEntry) -> bytes | None:
        try:
            response = await self._transport.get(
                place_path(revision.repository, "raw", entry.path), [("ref", revision.commit)], accept="*/*"
            )
        except RepositoryNotFound:
            return None
        return response.body


async def _ask_files(transport: Transport, revision: Revision, batch: Batch) -> Answer | int:
    """Gitea's batch by path, in its order, perhaps shorter; a status where the server does not take it."""
    response = await transport.get(
        repository_path(revision.repository, "file-contents"),
        [("ref", revision.commit), ("body", batch_body(batch))],
        allow=LACKING | UNFIT,
    )
    if response.status != 200:
        return response.status
    rows = read_json(response.body, FILES, "a list of file contents")
    by_path = {row.path: content_of(row) for row in rows if row is not None}
    missing = frozenset(entry for entry, row in zip(batch, rows, strict=False) if row is None)
    brought = tuple(_pairs(batch, by_path.get, lambda entry: entry.path))
    return Answer(brought, len(rows), batch[len(rows) :], missing)


async def _ask_objects(transport: Transport, revision: Revision, batch: Batch) -> Answer | int:
    """Forgejo's batch by object id; one unknown id refuses all of it."""
    response = await transport.get(
        repository_path(revision.repository, "git", "blobs"),
        [("shas", ",".join(sorted({entry.oid for entry in batch})))],
        allow=LACKING | UNFIT,
    )
    if response.status != 200:
        return response.status
    rows = read_json(response.body, BLOBS, "a list of blobs")
    by_oid = {row.sha: content_of(row) for row in rows}
    brought = tuple(_pairs(batch, by_oid.get, lambda entry: entry.oid))
    return Answer(brought, len(rows), tuple(entry for entry in batch if entry.oid not in by_oid))


def _pairs(
    batch: Batch, content: Callable[[str], bytes | None], key: Callable[[TreeEntry], str]
) -> Iterator[tuple[TreeEntry, bytes]]:
    for entry in batch:
        found = content(key(entry))
        if found is not None:
            yield entry, found


FILES_AT_ONCE, OBJECTS, SINGLY = "file-contents", "git/blobs", "raw"
WAYS = {FILES_AT_ONCE: _ask_files, OBJECTS: _ask_objects}
NAMES = {way: name for name, way in WAYS.items()}


def plan_batches(entries: Sequence[TreeEntry], most: int = BATCH_FILES) -> tuple[Batch, ...]:
    """Cut `entries` so that each batch, of at most `most`, fits one question and one answer."""
    batches: list[list[TreeEntry]] = []
    query = size = 0
    for entry in entries:
        weight = len(quote(json.dumps(entry.path, ensure_ascii=False), safe="")) + len("%2C")
        query, size = query + weight, size + (entry.size_bytes or 0)
        if not batches or len(batches[-1]) >= most or query > BATCH_QUERY_BYTES or size > BATCH_BYTES:
            batches.append([])
            query, size = weight, entry.size_bytes or 0
        batches[-1].append(entry)
    return tuple(tuple(batch) for batch in batches)


def batch_body(batch: Sequence[TreeEntry]) -> str:
    """The question for many files, as the server takes it in a query."""
    return json.dumps({"files": [entry.path for entry in batch]}, ensure_ascii=False, separators=(",", ":"))
