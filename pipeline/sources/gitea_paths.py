"""When a repository's tree cannot be had: the files known before, each by its path and only if it changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.errors import SourceError, SourceUnreachable
from pipeline.model import Head, LastLook, Listing, RepoPath, Resolved, Selection, SnapshotEntry, TreeEntry
from pipeline.sources.answers import read_json
from pipeline.sources.concurrently import concurrently
from pipeline.sources.gitea_api import MESSAGE, etag_of, oid_of, place_path
from pipeline.sources.gitea_branches import read_branch
from pipeline.sources.gitea_tree import by_path
from pipeline.sources.transport import Transport

ALWAYS = (".tasks/STATUS.md", ".wiki/index.md")
UNCHANGED = frozenset({304})
ABSENT = frozenset({404})
NAMED = ("listed", "too_large")


class PathReader:
    """Asks one server for single files."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def resolve(self, listing: Listing, last: LastLook | None, trouble: SourceError) -> Head:
        """The commit of the default branch; a head that is not the known one carries why it has no tree.

        Raises:
            SourceError: `trouble`, when the branch does not answer either.
        """
        try:
            revision = await read_branch(self._transport, listing)
        except SourceError:
            raise trouble from None
        if last is not None and last.revision.commit == revision.commit:
            return Resolved(revision=revision, trees=last.trees, paths=last.paths)
        reason = f"its tree cannot be read ({trouble.reason}); only the files known before were looked at"
        return Resolved(revision=revision, trees=(), trouble=reason)

    async def list_tree(
        self, head: Resolved, selection: Selection, known: Sequence[SnapshotEntry]
    ) -> tuple[TreeEntry, ...]:
        """Ask for each known file, and the board and index in any case, if it is no longer what we have.

        Raises:
            SourceError: no answer.
        """
        wanted: Mapping[RepoPath, SnapshotEntry | None] = {
            **{RepoPath(path): None for path in ALWAYS if path.startswith(_prefixes(selection))},
            **{entry.path: entry for entry in known if entry.path.startswith(_prefixes(selection))},
        }

        async def ask(question: tuple[RepoPath, SnapshotEntry | None]) -> TreeEntry | None:
            return await self._look(head, *question)

        found = [entry async for entry in concurrently(ask, wanted.items())]
        return by_path(entry for entry in found if entry is not None)

    async def _look(self, head: Resolved, path: RepoPath, known: SnapshotEntry | None) -> TreeEntry | None:
        """The file as it is at the head; None when it is no longer there.  What is only named stays named.

        Raises:
            SourceUnreachable: not the forge's own answer: a 404 without its words, bytes without their object id.
        """
        if known is not None and known.state in NAMED:
            return _known(known)
        etag = (known.etag or etag_of(known.oid)) if known is not None and known.state == "stored" else None
        response = await self._transport.get(
            place_path(head.revision.repository, "raw", path),
            [("ref", head.revision.commit)],
            accept="*/*",
            allow=ABSENT | UNCHANGED if etag else ABSENT,
            etag=etag,
        )
        if response.status == 404:
            read_json(response.body, MESSAGE, "the forge's own words for HTTP 404")
            return None
        if response.status == 304 and known is not None:
            return _known(known)
        etag = response.headers.get("etag", "")
        oid = oid_of(etag)
        if oid is None:
            raise SourceUnreachable("a file came without its object id as its ETag")
        return TreeEntry(path=path, oid=oid, size_bytes=len(response.body), etag=etag, content=response.body)


def _known(entry: SnapshotEntry) -> TreeEntry:
    return TreeEntry(path=entry.path, oid=entry.oid, size_bytes=entry.size_bytes, etag=entry.etag)


def _prefixes(selection: Selection) -> tuple[str, ...]:
    return tuple(f"{folder}/" if folder else "" for folder in selection.folders)
