"""Many files of one commit in one answer: an archive of the folders they are in (Gitea 1.26 and later).

Whether a server can make one of some folders alone is asked with a question that packs nothing anywhere: a
bundle of a folder, of a ref that git could never have.  A server that knows of folders refuses the two
together; any other looks for the ref first.  So no server packs a whole repository for us, and those that
keep what they packed on their disk are never asked to.

An archive is no proof: attributes leave files out of it and change others.  Only bytes that have the id of
their object are taken; the rest is asked for in another way.
"""

from __future__ import annotations

import asyncio
import hashlib
import posixpath
import re
from collections.abc import AsyncGenerator, Iterator, MutableMapping, Sequence
from itertools import groupby
from urllib.parse import quote

from pipeline.errors import SourceError
from pipeline.model import Revision, TreeEntry
from pipeline.sources.gitea_api import repository_path, words_of
from pipeline.sources.tarball import read_files
from pipeline.sources.transport import Response, Transport

TRAIT = "archives"
BY_PATH, NONE = "by path", "none"
MORE_THAN_FILES = 60
NO_REF = "no such ref.bundle"
REFUSALS = frozenset({400, 403, 404, 405, 413, 414, 422, 500, 501})
QUERY_BYTES = 3_500
SPARE_BYTES = 256 * 1024
LARGEST_BYTES = 16 * 1024 * 1024
LARGEST_FILE_BYTES = 1024 * 1024
AT_ONCE_BYTES = 1024 * 1024
# What git would take for a pattern, an order of its own, or an option.
ODD = re.compile(r"^[:-]|[*?\[\\]")

Found = tuple[TreeEntry, bytes]


class _Unasked(Exception):
    """A file of another folder: the server does not know of folders after all."""


class ArchiveReader:
    """Asks one server for archives; `traits` remembers whether it makes them of folders."""

    def __init__(self, transport: Transport, traits: MutableMapping[str, str]) -> None:
        self._transport = transport
        self._traits = traits
        self._finding_out = asyncio.Lock()

    async def read(self, revision: Revision, entries: Sequence[TreeEntry]) -> AsyncGenerator[Found, None]:
        """Bring those of more than sixty `entries` that an archive has, verified.

        Brings less, or nothing, whatever goes wrong: who asks for the rest learns what it was.
        """
        paths = archive_paths(entries) if len(entries) > MORE_THAN_FILES else ()
        packed = await self._ask(revision, entries, paths) if paths else b""
        if not packed:
            return
        found = _pick(packed, {entry.path: entry for entry in entries}, paths)
        try:
            # Unpacking takes longer than others can wait: in a thread, a part at a time.
            while part := await asyncio.to_thread(_part, found):
                for each in part:
                    yield each
        except _Unasked:
            self._traits[TRAIT] = NONE

    async def _ask(self, revision: Revision, entries: Sequence[TreeEntry], paths: Sequence[str]) -> bytes:
        """The archive, as much of it as the files are worth; b"" when there is none."""
        enough = min(sum(entry.size_bytes or 0 for entry in entries) + SPARE_BYTES, LARGEST_BYTES)
        try:
            if not await self._knows_folders(revision, paths[0]):
                return b""
            response = await self._get(revision, f"{revision.commit}.tar.gz", paths, enough)
        except SourceError:
            return b""
        return response.body if response.status == 200 else b""

    async def _knows_folders(self, revision: Revision, path: str) -> bool:
        if TRAIT not in self._traits:
            async with self._finding_out:
                if TRAIT not in self._traits:
                    answer = await self._get(revision, NO_REF, [path])
                    self._traits[TRAIT] = BY_PATH if _refuses_the_path(answer) else NONE
        return self._traits[TRAIT] == BY_PATH

    async def _get(
        self, revision: Revision, file: str, paths: Sequence[str], enough_bytes: int | None = None
    ) -> Response:
        return await self._transport.get(
            repository_path(revision.repository, "archive", file),
            [("path", path) for path in paths],
            accept="*/*",
            allow=REFUSALS,
            enough_bytes=enough_bytes,
        )


def archive_paths(entries: Sequence[TreeEntry]) -> tuple[str, ...]:
    """Per top folder the deepest one that holds all its `entries`; () where they cannot be asked for."""
    by_top = groupby(sorted(entry.path for entry in entries), key=lambda path: path.partition("/")[0])
    paths = tuple(_plain(posixpath.commonpath(list(group))) for _, group in by_top)
    is_short = sum(len(f"path={quote(path, safe='')}&") for path in paths) <= QUERY_BYTES
    return paths if is_short and all(paths) else ()


def _plain(path: str) -> str:
    """As much of a path as git reads letter by letter."""
    plain: list[str] = []
    for name in path.split("/"):
        if ODD.search(name):
            break
        plain.append(name)
    return "/".join(plain)


def _refuses_the_path(answer: Response) -> bool:
    return answer.status == 400 and "path" in (words_of(answer.body) or "")


def _pick(packed: bytes, wanted: dict[str, TreeEntry], paths: Sequence[str]) -> Iterator[Found]:
    """The wanted files of an archive whose bytes are right, each once; its first folder is the repository's."""

    def entry_at(name: str) -> TreeEntry | None:
        return wanted.get(name.partition("/")[2]) or wanted.get(name)

    def is_wanted(name: str, size_bytes: int) -> bool:
        entry = entry_at(name)
        return entry is not None and entry.size_bytes in (None, size_bytes) and size_bytes <= LARGEST_FILE_BYTES

    for name, content in read_files(packed, is_wanted):
        entry = entry_at(name)
        if entry is not None and content is not None and _is_of(entry.oid, content):
            yield wanted.pop(entry.path), content
        elif not _is_within(name, paths):
            raise _Unasked


def _is_within(name: str, paths: Sequence[str]) -> bool:
    places = f"{name}/", f"{name.partition('/')[2]}/"
    return any(place.startswith(f"{path}/") for place in places for path in paths)


def _is_of(oid: str, content: bytes) -> bool:
    """Whether these are the bytes of the object."""
    digest = hashlib.sha256() if len(oid) == 64 else hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % len(content))
    digest.update(content)
    return digest.hexdigest() == oid


def _part(found: Iterator[Found]) -> list[Found]:
    """Some of what is found, not much over a mebibyte; nothing at the end."""
    part: list[Found] = []
    size = 0
    for each in found:
        part.append(each)
        size += len(each[1])
        if size >= AT_ONCE_BYTES:
            break
    return part
