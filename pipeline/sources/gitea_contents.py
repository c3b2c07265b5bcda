"""Heads and files of a server without recursive trees (Gogs): folder by folder, their bytes coming along."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing

from pipeline.errors import SourceUnreachable
from pipeline.model import EntryKind, Head, LastLook, Listing, RepoPath, Resolved, Revision, Selection, TreeEntry
from pipeline.sources.answers import read_json
from pipeline.sources.concurrently import concurrently
from pipeline.sources.gitea_api import (
    BLOB,
    CONTENT,
    CONTENTS,
    TREE,
    TREE_MODES,
    ContentsRow,
    TreeRow,
    content_of,
    place_path,
    repository_path,
)
from pipeline.sources.gitea_branches import read_branch
from pipeline.sources.gitea_tree import by_path, to_list, trees_of
from pipeline.sources.transport import Transport

MOST_FOLDERS = 5_000
KINDS: dict[str, EntryKind] = {"file": "file", "symlink": "symlink", "submodule": "submodule"}
FOLDER = "dir"
SUBMODULES = frozenset({"160000"})
BROKEN = frozenset({500})


class ContentsReader:
    """Asks one server for the contents of folders."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def resolve(self, listing: Listing, selection: Selection, last: LastLook | None) -> Head:
        """The commit of the default branch, then, unless it is the known one, the folders of its root.

        Raises:
            SourceError: no answer.
        """
        revision = await read_branch(self._transport, listing)
        if last is not None and last.revision.commit == revision.commit:
            return Resolved(revision=revision, trees=last.trees)
        path = repository_path(listing.repository, "git", "trees", revision.commit)
        root = read_json((await self._transport.get(path)).body, TREE, "a tree")
        return Resolved(revision=revision, trees=trees_of(root.tree or (), selection, revision.commit))

    async def list_tree(self, head: Resolved, selection: Selection) -> tuple[TreeEntry, ...]:
        """Walk the selection's folders, a level at a time.

        Raises:
            SourceUnreachable: more than 5,000 folders.
            SourceError: no answer.
        """
        level = [folder for folder, _ in to_list(head, selection)]
        entries: list[TreeEntry] = []
        seen = 0
        while level:
            seen += len(level)
            if seen > MOST_FOLDERS:
                raise SourceUnreachable(f"more than {MOST_FOLDERS:,} folders")
            rows = await self._read(head.revision, level)
            entries += [_entry(row) for row in rows if row.type in KINDS]
            level = sorted(row.path for row in rows if row.type == FOLDER)
        return by_path(entries)

    async def read(
        self, revision: Revision, entries: Sequence[TreeEntry]
    ) -> AsyncGenerator[tuple[TreeEntry, bytes | None], None]:
        """Bring what did not come along, each object by its id.

        Raises:
            SourceError: no answer.
        """

        async def ask(entry: TreeEntry) -> tuple[TreeEntry, bytes | None]:
            path = repository_path(revision.repository, "git", "blobs", entry.oid)
            response = await self._transport.get(path, allow=BROKEN)
            blob = read_json(response.body, BLOB, "a blob") if response.status == 200 else None
            return entry, content_of(blob)

        async with aclosing(concurrently(ask, entries)) as answers:
            async for answer in answers:
                yield answer

    async def _read(self, revision: Revision, folders: Iterable[str]) -> list[ContentsRow]:
        async def ask(folder: str) -> tuple[ContentsRow, ...]:
            path = place_path(revision.repository, "contents", folder)
            response = await self._transport.get(path, [("ref", revision.commit)], allow=BROKEN)
            if response.status in BROKEN:
                return await self._read_singly(revision, folder)
            return read_json(response.body, CONTENTS, "the contents of a folder")

        return [row async for rows in concurrently(ask, folders) for row in rows]

    async def _read_singly(self, revision: Revision, folder: str) -> tuple[ContentsRow, ...]:
        """Each name of a folder by itself: Gogs fails at one that holds a submodule, and at the submodule."""
        path = repository_path(revision.repository, "git", "trees", f"{revision.commit}:{folder}")
        rows = read_json((await self._transport.get(path)).body, TREE, "a tree").tree or ()

        async def ask(row: TreeRow) -> ContentsRow:
            name = f"{folder}/{row.path}" if folder else row.path
            if row.mode in SUBMODULES or row.mode in TREE_MODES:
                return ContentsRow(path=name, type=FOLDER if row.mode in TREE_MODES else "submodule", sha=row.sha)
            path = place_path(revision.repository, "contents", name)
            response = await self._transport.get(path, [("ref", revision.commit)])
            return read_json(response.body, CONTENT, "the contents of a file")

        return tuple([row async for row in concurrently(ask, rows)])


def _entry(row: ContentsRow) -> TreeEntry:
    kind = KINDS[row.type]
    content = content_of(row) if kind == "file" else None
    size_bytes = row.size if kind != "submodule" else None
    return TreeEntry(path=RepoPath(row.path), oid=row.sha, size_bytes=size_bytes, kind=kind, content=content)
