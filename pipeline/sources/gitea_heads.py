"""The head of a repository by its git trees: one answer tells commit, tree ids and entries.

A tree of up to 1,000 paths is asked for whole.  Of a larger one, once that is known, the root alone is
asked for, and then the trees of those folders that changed.
"""

from __future__ import annotations

from pipeline.errors import SourceError, SourceUnreachable
from pipeline.model import Empty, Head, LastLook, Listing, Resolved, Revision, Selection, TreeEntry
from pipeline.sources.answers import read_json
from pipeline.sources.concurrently import concurrently
from pipeline.sources.gitea_api import API, REPOSITORY, TREE, TreeAnswer, TreeRow, repository_path
from pipeline.sources.gitea_tree import by_path, entries_below, entries_of, is_past, to_list, trees_of
from pipeline.sources.transport import Getter, path_of

TREE_LIMIT = 1000
MOST_TREE_PAGES = 1000
NO_SUCH_TREE = frozenset({400, 404, 409})
SCATTERED = "a tree whose pages do not belong together"


class NoCommitNamed(SourceError):
    """The server's trees say nothing of the commit that they are of, as those of Gogs do."""


class TreeReader:
    """Asks one server for trees."""

    def __init__(self, transport: Getter) -> None:
        self._transport = transport

    async def resolve(self, listing: Listing, selection: Selection, last: LastLook | None) -> Head:
        """Ask for the default branch's tree.

        Raises:
            NoCommitNamed: this server has another dialect.
            SourceError: no answer.
        """
        whole = "" in selection.folders or last is None or (last.paths or 0) <= TREE_LIMIT
        first = await self._page(listing.repository, listing.default_branch or "HEAD", 1, recursive=whole)
        if first is None:
            return await self._confirm_empty(listing)
        if not first.names_a_commit:
            raise NoCommitNamed("its trees name no commit")
        revision = Revision(
            repository=listing.repository,
            ref=listing.default_branch,
            commit=first.sha,
            committed_at=listing.updated_at,
        )
        if last is not None and last.revision.commit == first.sha:
            return Resolved(revision=revision, trees=last.trees, paths=last.paths)
        rows = await self._rest(revision.repository, first, selection, recursive=whole)
        return Resolved(
            revision=revision,
            trees=trees_of(rows, selection, first.sha),
            entries=entries_of(rows, selection) if whole else None,
            paths=first.total_count if whole or last is None else last.paths,
        )

    async def list_tree(self, head: Resolved, selection: Selection) -> tuple[TreeEntry, ...]:
        """Ask for the tree of each folder.

        Raises:
            SourceError: no answer.
        """

        async def ask(question: tuple[str, str]) -> tuple[TreeEntry, ...]:
            folder, tree = question
            first = await self._page(head.revision.repository, tree, 1, recursive=True)
            if first is None:
                raise SourceUnreachable("a tree that was just named is no longer there; its branch was moved")
            return entries_below(await self._rest(head.revision.repository, first, None, recursive=True), folder)

        return by_path([entry async for entries in concurrently(ask, to_list(head, selection)) for entry in entries])

    async def rows_at(self, repository: str, name: str, *, recursive: bool = True) -> tuple[TreeRow, ...] | None:
        """All rows of the tree that `name` leads to (`commit:folder`, too); None where the server knows none.

        Raises:
            SourceError: no answer.
        """
        first = await self._page(repository, name, 1, recursive=recursive)
        return None if first is None else await self._rest(repository, first, None, recursive=recursive)

    async def _confirm_empty(self, listing: Listing) -> Empty:
        """No tree: is the repository empty, gone, or only its branch wrong?"""
        response = await self._transport.get(repository_path(listing.repository))
        if read_json(response.body, REPOSITORY, "a repository").empty:
            return Empty()
        raise SourceUnreachable(f"its default branch {listing.default_branch!r} is not there")

    async def _rest(
        self, repository: str, first: TreeAnswer, selection: Selection | None, *, recursive: bool
    ) -> tuple[TreeRow, ...]:
        """Add pages, pinned to the first one's object, until nothing wanted can follow.

        Forgejo calls its last page truncated, too: the count knows better.
        """
        page, number = first, 1
        rows = list(first.tree or ())
        while page.truncated and page.tree and len(rows) != first.total_count and not is_past(rows, selection):
            number += 1
            answer = await self._page(repository, first.sha, number, recursive=recursive)
            if answer is None or answer.sha != first.sha or number > MOST_TREE_PAGES:
                raise SourceUnreachable(SCATTERED)
            page = answer
            rows += page.tree or ()
        return tuple(rows)

    async def _page(self, repository: str, ref: str, number: int, *, recursive: bool) -> TreeAnswer | None:
        """One page of the tree at `ref`; None where the server knows no such tree."""
        query = [("recursive", "1")] if recursive else []
        query += [("per_page", str(TREE_LIMIT))]
        query += [("page", str(number))] if number > 1 else []
        response = await self._transport.get(
            repository_path(repository, "git", "trees", ref), query, allow=NO_SUCH_TREE
        )
        return read_json(response.body, TREE, "a tree") if response.status == 200 else None


def id_path(listing: Listing) -> str:
    """The path that finds a repository whatever it is called today."""
    return f"{API}/{path_of('repositories', listing.forge_id)}"
