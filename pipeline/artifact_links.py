"""The links of one artifact while it is made: what each text leads to, dead links, orphans.  Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pipeline.artifact_files import Shelf
from pipeline.links import FOLDER_PAGES, Source, Wiki, connect, find_orphans, read_wiki
from pipeline.model import IndexEntry, PageLink, RepoPath
from pipeline.parse.links import REFERENCE_LIMIT, Reference
from pipeline.parse.page import PageText
from pipeline.text import fold

REFERENCES_OF_ALL = 200_000


class Web:
    """One wiki's texts, and what they lead to; `root` is its folder, empty for a repository that is one.

    `paths` are those of the repository's files, `unread` those of it that were not looked into.
    """

    def __init__(self, shelf: Shelf, root: str, paths: Iterable[RepoPath], unread: Iterable[RepoPath]) -> None:
        self.shelf = shelf
        self.root = root
        self.files = self._below(paths)
        self.unread = self._below(unread)
        self.sources: list[Source] = []
        self.named: dict[tuple[int, str], Reference] = {}
        self.room = REFERENCES_OF_ALL
        self.is_whole = True

    def add(self, slug: str, path: RepoPath, text: PageText, *, is_page: bool = True) -> None:
        """Take a page's links, or (`is_page` False) those of an index, of rules or of a README."""
        kept = text.references[: min(REFERENCE_LIMIT, self.room)]
        self.room -= len(kept)
        if len(kept) < len(text.references):
            self.is_whole = False
            self.shelf.report("W311", path, count=len(kept))
        for reference in kept if not is_page else ():
            if reference.kind == "wikilink":
                self.named.setdefault(
                    (reference.line, reference.target.partition("#")[0].rpartition("/")[2]), reference
                )
        names = (text.title, *text.aliases)
        self.sources.append(Source(slug=slug, path=path, references=kept, names=names, page=is_page))

    def read_wiki(self) -> Wiki:
        """The pages that were added, by all that a link may call them."""
        return read_wiki(self.root, self.sources, self.files, self.unread)

    def find_entry(self, wiki: Wiki, entry: IndexEntry) -> str | None:
        """The page that a wikilink of an index leads to, for an entry that is no page's path: by its title."""
        reference = self.named.get((entry.line, entry.slug.rpartition("/")[2]))
        end = None if reference is None else wiki.resolve("", reference)
        return end if isinstance(end, str) else None

    def led_to(self, wiki: Wiki) -> list[str]:
        """The pages that an index leads to, in its order."""
        indexes = (source for source in self.sources if not source.page)
        ends = (wiki.resolve("", reference) for source in indexes for reference in source.references)
        return [end for end in ends if isinstance(end, str)]

    def connect(self, wiki: Wiki, indexed: Collection[str] = ()) -> tuple[PageLink, ...]:
        """The links from page to page; dead ones are reported, and pages to which nothing leads.

        `indexed` are the pages that an index names.  Of a wiki whose index, or README, leads nowhere no page
        is an orphan; nor of one with more links than are followed.
        """
        connected = connect(wiki, self.sources)
        told = {(one.path, one.line) for one in self.shelf.found if one.code == "W202"}
        self.shelf.found.extend(one for one in connected.found if (one.path, one.line) not in told)
        if self.is_whole and (indexed or connect(wiki, self._entrances()).linked):
            self.shelf.found.extend(find_orphans(self.sources, connected.linked | set(indexed)))
        return connected.links

    def _entrances(self) -> Sequence[Source]:
        return [source for source in self.sources if fold(source.slug) in FOLDER_PAGES]

    def _below(self, paths: Iterable[RepoPath]) -> list[str]:
        folder = f"{self.root}/" if self.root else ""
        return [path[len(folder) :] for path in paths if path.startswith(folder)]
