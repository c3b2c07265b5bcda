"""The Markdown files of a folder at any commit, as Gitea and Forgejo tell them: which, and their bytes.

Gitea (1.24 and later) is asked for named files, and their bytes come along.  Others, and for what no name is known
of, tell a commit's tree, and bytes by their object ids: Forgejo (12 and later) many at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterable, Mapping, MutableMapping, Sequence

from pipeline.errors import SourceUnreachable
from pipeline.model import HistoryQuest, HistoryText, RepoPath, TreeEntry
from pipeline.sources.answers import read_json
from pipeline.sources.bodies import TooLarge
from pipeline.sources.gitea_api import (
    BLOB,
    BLOBS,
    FILES,
    TREE_MODES,
    BlobRow,
    FileRow,
    content_of,
    repository_path,
    to_entry,
    words_of,
)
from pipeline.sources.gitea_blobs import BATCH_FILES, FILES_AT_ONCE, LIMIT, OBJECTS, TRAIT, batch_body, plan_batches
from pipeline.sources.gitea_heads import TreeReader
from pipeline.sources.history import TEXT_LIMIT_BYTES, is_page
from pipeline.sources.transport import Getter, Response

LACKING = frozenset({400, 404, 405, 413, 414, 422})
TREES_KEPT = 8
GONE = "a commit of its history is no longer there"

Pages = Mapping[str, str]


class PageReader:
    """Asks one server for the Markdown files of one folder; `traits` tell in what ways it can be asked."""

    def __init__(self, getter: Getter, quest: HistoryQuest, traits: MutableMapping[str, str]) -> None:
        self._getter = getter
        self._quest = quest
        self._traits = traits
        self._takes_names = traits.get(TRAIT, FILES_AT_ONCE) == FILES_AT_ONCE
        self._contents: dict[str, bytes] = {}
        self._sizes: dict[str, int] = {}
        self._trees: OrderedDict[str, Pages] = OrderedDict()

    async def named(self, commit: str, names: Sequence[str]) -> Pages:
        """Those of the named files that are there, with their blobs.

        Raises:
            SourceError: no answer.
        """
        found: dict[str, str] = {}
        rest = list(names)
        while rest and self._takes_names:
            batch = rest[: self._most(rest)]
            rows = await self._files(commit, batch)
            if rows is None:
                break
            found |= self._taken(rows)
            rest = rest[len(rows) :]
        if rest:
            whole = await self.all(commit)
            found |= {name: whole[name] for name in rest if name in whole}
        return found

    async def all(self, commit: str) -> Pages:
        """Every Markdown file of the folder, with its blob.

        Raises:
            SourceError: no answer, or the commit is no longer there.
        """
        if commit not in self._trees:
            self._trees[commit] = await self._tree(commit)
            while len(self._trees) > TREES_KEPT:
                self._trees.popitem(last=False)
        return self._trees[commit]

    async def texts(self, oids: Iterable[str]) -> AsyncGenerator[HistoryText, None]:
        """The bytes of what was found; too large ones are left out.

        Raises:
            SourceError: no answer.
        """
        rest: list[str] = []
        for oid in dict.fromkeys(oids):
            content = self._contents.pop(oid, None)
            if content is not None and len(content) <= TEXT_LIMIT_BYTES:
                yield HistoryText(oid=oid, content=content)
            elif content is None and self._sizes.get(oid, TEXT_LIMIT_BYTES + 1) <= TEXT_LIMIT_BYTES:
                rest.append(oid)
        for row in await self._objects(rest):
            content = content_of(row)
            if content is not None:
                yield HistoryText(oid=row.sha, content=content)
        self._contents.clear()

    # --- by name

    def _most(self, names: Sequence[str]) -> int:
        most = min(BATCH_FILES, int(self._traits.get(LIMIT, BATCH_FILES)))
        entries = [TreeEntry(path=RepoPath(name), oid="", size_bytes=None) for name in names[:most]]
        return len(plan_batches(entries, most)[0])

    async def _files(self, commit: str, names: Sequence[str]) -> tuple[FileRow | None, ...] | None:
        """The first of the named files, at least one; None where they cannot be had so."""
        try:
            response = await self._ask_files(commit, names)
        except TooLarge:
            return None if len(names) == 1 else await self._files(commit, names[: len(names) // 2])
        if response.status != 200:
            self._takes_names = not _is_unknown(response)
            return None
        rows = read_json(response.body, FILES, "a list of file contents")[: len(names)]
        self._traits[TRAIT] = FILES_AT_ONCE
        return rows or None

    async def _ask_files(self, commit: str, names: Sequence[str]) -> Response:
        entries = [TreeEntry(path=RepoPath(name), oid="", size_bytes=None) for name in names]
        return await self._getter.get(
            repository_path(self._quest.revision.repository, "file-contents"),
            [("ref", commit), ("body", batch_body(entries))],
            allow=LACKING,
        )

    def _taken(self, rows: Iterable[FileRow | None]) -> Pages:
        files = [row for row in rows if row is not None and row.type in (None, "file")]
        for row in files:
            content = content_of(row)
            if content is not None:
                self._contents[row.sha] = content
        return {row.path: row.sha for row in files}

    # --- by tree

    async def _tree(self, commit: str) -> Pages:
        repository, folder = self._quest.revision.repository, self._quest.folder
        trees = TreeReader(self._getter)
        rows = await trees.rows_at(repository, f"{commit}:{folder}" if folder else commit)
        if rows is None:
            await self._confirm_absent(trees, commit)
            return {}
        entries = [to_entry(row, folder) for row in rows if row.mode not in TREE_MODES]
        self._sizes |= {entry.oid: entry.size_bytes for entry in entries if entry.size_bytes is not None}
        return {entry.path: entry.oid for entry in entries if entry.kind == "file" and is_page(entry.path, folder)}

    async def _confirm_absent(self, trees: TreeReader, commit: str) -> None:
        """The server says the same of a folder that is not there and of a commit that is no more."""
        rows = await trees.rows_at(self._quest.revision.repository, commit, recursive=False)
        if rows is None or any(row.path == self._quest.folder and row.mode in TREE_MODES for row in rows):
            raise SourceUnreachable(GONE)

    async def _objects(self, oids: Sequence[str]) -> list[BlobRow]:
        path = repository_path(self._quest.revision.repository, "git", "blobs")
        entries = [TreeEntry(path=RepoPath(oid), oid=oid, size_bytes=self._sizes[oid]) for oid in oids]
        found: list[BlobRow] = []
        if self._traits.get(TRAIT) == OBJECTS:
            for batch in plan_batches(entries):
                shas = ",".join(entry.oid for entry in batch)
                response = await self._getter.get(path, [("shas", shas)])
                rows = read_json(response.body, BLOBS, "a list of blobs")
                found += rows
            return found
        for oid in oids:
            found.append(read_json((await self._getter.get(f"{path}/{oid}")).body, BLOB, "a blob"))
        return found


def _is_unknown(response: Response) -> bool:
    """Whether the server knows no such question; if it does, its refusal is worded."""
    return response.status in (404, 405) and words_of(response.body) is None
