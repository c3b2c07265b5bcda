"""A snapshot and its bytes → one project's `Artifact` and the files beside it.  Pure, never raises.

Texts stand in the artifact as written: decoded, LF, without control and bidi letters, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline import diagnostics, text
from pipeline.artifact_files import Blobs, Shelf, file_of
from pipeline.artifact_links import Web
from pipeline.codec import SCHEMA_VERSION
from pipeline.codes import asked_code
from pipeline.folder_indexes import read_folder_indexes
from pipeline.links import Wiki
from pipeline.model import (
    Artifact,
    Attachment,
    Board,
    Diagnostic,
    IndexEntry,
    PageLink,
    RepoPath,
    SharedPage,
    SharedRules,
    SkippedEntry,
    Snapshot,
    SnapshotEntry,
    TaskFile,
    WikiIndex,
    WikiPage,
    short_name,
)
from pipeline.parse.board import parse_board
from pipeline.parse.page import PageText, parse_page, parse_shared_page, unread_page, unread_shared_page
from pipeline.parse.targets import Place, page_place
from pipeline.parse.wiki_index import malformed, parse_index
from pipeline.shared_rules import read_rules

BOARD = ".tasks/STATUS.md"
INDEX = ".wiki/index.md"
BARE_INDEX = ".wiki/_index.md"
BOARD_FILE = "STATUS.md"
SHARED_RULES = RepoPath("CLAUDE.md")
SHARED_NOT_PAGES = (SHARED_RULES, "README.md")
SKIPPED = {
    "symlink": "W501",
    "submodule": "W502",
    "unsafe_path": "W503",
    "over_file_limit": "W504",
    "over_size_limit": "W505",
}

OWN_FOLDERS = (".tasks/", ".wiki/")
UNBROUGHT = {True: "larger than 1 MiB", False: "its bytes could not be brought"}
PATH_LIMIT = 1000


def build(snapshot: Snapshot, blobs: Blobs) -> tuple[Artifact, dict[str, bytes]]:
    """Make a project's artifact and its files, by their place beside project.json.

    `blobs` gives the bytes of an object id, None when they are not there.
    """
    project = _Project(snapshot, blobs)
    board, board_file = project.read_board()
    index, index_file, entries = project.read_index()
    pages, links = project.read_pages(entries)
    shared_pages, shared_links = project.read_shared() if snapshot.shared else ((), ())
    rules = project.read_rules(shared_pages) if snapshot.shared else None
    task_files = project.read_task_files()
    project.report_skipped(snapshot.skipped)
    artifact = Artifact(
        schema_version=SCHEMA_VERSION,
        repository=snapshot.repository,
        name=short_name(snapshot.repository),
        shared=snapshot.shared,
        revision=snapshot.revision,
        board=board,
        board_file=board_file,
        index=index,
        index_file=index_file,
        pages=pages,
        links=links,
        shared_pages=shared_pages,
        shared_links=shared_links,
        rules=rules,
        task_files=task_files,
        attachments=project.list_attachments(),
        files=project.shelf.records(),
        diagnostics=diagnostics.in_order(project.shelf.found),
    )
    return artifact, project.shelf.files


def crashed(snapshot: Snapshot, found: Diagnostic) -> Artifact:
    """The artifact of a repository that our reader could not get through: nothing but the reason."""
    return Artifact(
        schema_version=SCHEMA_VERSION,
        repository=snapshot.repository,
        name=short_name(snapshot.repository),
        shared=snapshot.shared,
        revision=snapshot.revision,
        board=Board(path=None, state="absent"),
        board_file=None,
        index=WikiIndex(path=None, state="absent"),
        index_file=None,
        pages=(),
        links=(),
        shared_pages=(),
        shared_links=(),
        rules=None,
        task_files=(),
        attachments=(),
        files=(),
        diagnostics=(found,),
    )


def find_board(paths: Sequence[RepoPath]) -> tuple[RepoPath, ...]:
    """Every spelling of the board, the one to read first."""
    return _spellings(paths, BOARD)


def find_index(paths: Sequence[RepoPath]) -> tuple[RepoPath, ...]:
    """Every spelling of the index, the one to read first; `_index.md` only where there is no other."""
    return _spellings(paths, INDEX) or _spellings(paths, BARE_INDEX)[:1]


def _spellings(paths: Sequence[RepoPath], wanted: str) -> tuple[RepoPath, ...]:
    folder, name = wanted.split("/")
    found = [path for path in paths if path.startswith(f"{folder}/") and path.lower() == f"{folder}/{name.lower()}"]
    return tuple(sorted(found, key=lambda path: (path != wanted, path)))


def _is_markdown(path: str) -> bool:
    return path.lower().endswith(".md")


class _Project:
    """One repository while its artifact is made: what was found, and the files so far."""

    def __init__(self, snapshot: Snapshot, blobs: Blobs) -> None:
        self.shelf = Shelf(blobs)
        self.entries: Mapping[RepoPath, SnapshotEntry] = {entry.path: entry for entry in snapshot.entries}
        self.paths = tuple(sorted(self.entries))
        self.boards = find_board(self.paths)
        self.indexes = find_index(self.paths)
        unread = [skipped.path for skipped in snapshot.skipped]
        self.web = Web(self.shelf, ".wiki", self.paths, unread)
        self.shared_web = Web(self.shelf, "", self.paths, unread)
        self.wiki = self._claim([path for path in self._markdown(".wiki/") if path not in self.indexes[:1]], ".wiki/")

    # the parts of an artifact

    def report_skipped(self, skipped: Sequence[SkippedEntry]) -> None:
        """Tell of every path that was not copied; an odd one only in letters that can be shown."""
        for entry in skipped:
            odd = entry.reason == "unsafe_path"
            path = RepoPath(text.line(entry.path, PATH_LIMIT)) if odd else entry.path
            self.shelf.report(SKIPPED[entry.reason], path)

    def read_board(self) -> tuple[Board, str | None]:
        """The board and its file."""
        if not self.boards:
            return Board(path=None, state="absent"), None
        path, *others = self.boards
        for other in others:
            self.shelf.report("W105", other, board=path)
        entry = self.entries[path]
        raw = self.shelf.bring(entry, too_large="E104", missing="E105")
        if raw is None:
            return Board(path=path, state="empty"), None
        board, found = parse_board(path, raw)
        self.shelf.found.extend(found)
        return board, self.shelf.place(entry, BOARD_FILE, raw)

    def read_index(self) -> tuple[WikiIndex, str | None, tuple[IndexEntry, ...]]:
        """The index, its file and its entries."""
        if not self.indexes:
            return WikiIndex(path=None, state="absent"), None, ()
        path, *others = self.indexes
        for other in others:
            self.shelf.report("W203", other, index=path)
        entry = self.entries[path]
        raw = self.shelf.bring(entry)
        if raw is None:
            index, entries, found = malformed(path, UNBROUGHT[entry.state == "too_large"])
        else:
            index, entries, found = parse_index(path, raw, self.wiki)
            page, remarks = parse_page(path, "", raw)
            index = replace(index, code=asked_code(page.front_matter))
            # What else is odd about its front matter is said by the reader of indexes.
            self.shelf.found.extend(each for each in remarks if each.code == "W312")
            if index.state == "parsed":
                self.web.add(path[len(".wiki/") : -len(".md")], path, page, is_page=False)
        self.shelf.found.extend(found)
        file = None if raw is None else self.shelf.place(entry, file_of(path, ".wiki/", "wiki"), raw)
        return index, file, entries

    def read_pages(self, named: Sequence[IndexEntry]) -> tuple[tuple[WikiPage, ...], tuple[PageLink, ...]]:
        """The pages that the index names, in its order, then those that the indexes of folders do, then the tree's
        others by path; and their links.
        """
        texts = {slug: self._read_text(slug, self.entries[path]) for slug, path in self.wiki.items()}
        wiki = self.web.read_wiki()
        places = self._find_pages(named, wiki)
        placed = {**self._find_in_folders(places, texts), **places}
        order = [*places, *(slug for slug in placed if slug not in places)]
        order += [slug for slug in self.wiki if slug not in placed]
        pages = (self._make_page(slug, texts[slug], placed) for slug in order)
        return tuple(pages), self.web.connect(wiki, places)

    def read_shared(self) -> tuple[tuple[SharedPage, ...], tuple[PageLink, ...]]:
        """The shared wiki's pages by path, and their links; its rules and its README are files only."""
        paths = [path for path in self._markdown("") if not path.startswith(OWN_FOLDERS)]
        for path in paths:
            file = self.shelf.copy(self.entries[path], "", "shared") if path in SHARED_NOT_PAGES else None
            if file is not None:
                text_of = parse_page(path, "", self.shelf.files[file])[0]
                self.shared_web.add(path[: -len(".md")], path, text_of, is_page=False)
        claimed = self._claim([path for path in paths if path not in SHARED_NOT_PAGES], "")
        pages = tuple(self._read_shared_page(slug, self.entries[path]) for slug, path in claimed.items())
        return pages, self.shared_web.connect(self.shared_web.read_wiki())

    def read_rules(self, pages: Sequence[SharedPage]) -> SharedRules:
        """What the shared wiki's CLAUDE.md lists; a page whose domain it does not list is reported."""
        written = self.shelf.files.get(file_of(SHARED_RULES, "", "shared"), b"").decode("utf-8")
        rules = read_rules(written)
        known = set(map(text.fold, rules.domains))
        if not known:
            self.shelf.report("W406", SHARED_RULES)
        for page in pages:
            if known and page.domain is not None and text.fold(page.domain) not in known:
                self.shelf.report("W405", page.path, domain=page.domain, listed=", ".join(rules.domains))
        return rules

    def read_task_files(self) -> tuple[TaskFile, ...]:
        """The Markdown files under `.tasks/` beside the board, by path."""
        entries = [self.entries[path] for path in self._markdown(".tasks/") if path not in self.boards[:1]]
        return tuple(self._read_task_file(entry) for entry in entries)

    def list_attachments(self) -> tuple[Attachment, ...]:
        """The other files under `.wiki/`, by path."""
        entries = [self.entries[path] for path in self.paths if path.startswith(".wiki/") and not _is_markdown(path)]
        return tuple(Attachment(path=one.path, oid=one.oid, size_bytes=one.size_bytes) for one in entries)

    def _read_task_file(self, entry: SnapshotEntry) -> TaskFile:
        file = self.shelf.copy(entry, ".tasks/", "tasks")
        return TaskFile(path=entry.path, file=file, oid=entry.oid, size_bytes=entry.size_bytes)

    # pages

    def _markdown(self, folder: str) -> list[RepoPath]:
        return [path for path in self.paths if path.startswith(folder) and _is_markdown(path)]

    def _claim(self, paths: Sequence[RepoPath], folder: str) -> dict[str, RepoPath]:
        """Paths by the slug of their page; a path whose slug an earlier one has is reported and left out."""
        pages: dict[str, RepoPath] = {}
        for path in paths:
            first = pages.setdefault(path[len(folder) : -len(".md")], path)
            if first != path:
                self.shelf.report("W508", path, other=first)
        return pages

    def _find_pages(self, named: Sequence[IndexEntry], wiki: Wiki) -> dict[str, IndexEntry | None]:
        """The tree's pages that an index names, in its order; a name without a page is reported.

        An index without a list of pages names those that its text links to.
        """
        spelled: dict[str, list[str]] = {}
        for slug in self.wiki:
            spelled.setdefault(slug.casefold(), []).append(slug)
        places: dict[str, IndexEntry | None] = {}
        for entry in named:
            page = Place(entry.type, entry.slug).page
            close = spelled.get(page.casefold(), [])
            found = page if page in self.wiki else close[0] if len(close) == 1 else self.web.find_entry(wiki, entry)
            if found is not None:
                places.setdefault(found, entry)
            elif not self._is_other_file(page):
                self.shelf.report("W202", self.indexes[0], entry.line, page=page)
        return places or dict.fromkeys(self.web.led_to(wiki))

    def _find_in_folders(
        self, places: Mapping[str, IndexEntry | None], texts: Mapping[str, tuple[PageText, str | None]]
    ) -> dict[str, IndexEntry]:
        """The pages that the indexes of folders name, these in the order of the top index, then by path."""
        files = {slug: file for slug, (_, file) in texts.items() if file}
        in_order = [*places, *(slug for slug in self.wiki if slug not in places)]
        return read_folder_indexes(in_order, lambda slug: self.shelf.files[files[slug]] if slug in files else None)

    def _is_other_file(self, page: str) -> bool:
        """An index may name itself, and files that are no pages."""
        return f".wiki/{page}" in self.entries or f".wiki/{page}.md".casefold() == self.indexes[0].casefold()

    def _read_text(self, slug: str, entry: SnapshotEntry) -> tuple[PageText, str | None]:
        """What a page says, and the place of its text."""
        raw = self.shelf.bring(entry)
        page, found = (unread_page(slug), ()) if raw is None else parse_page(entry.path, slug, raw)
        self.shelf.found.extend(found)
        self.web.add(slug, entry.path, page)
        return page, None if raw is None else self.shelf.place(entry, file_of(entry.path, ".wiki/", "wiki"), raw)

    def _make_page(
        self, slug: str, text_of: tuple[PageText, str | None], places: Mapping[str, IndexEntry | None]
    ) -> WikiPage:
        entry, named = self.entries[self.wiki[slug]], places.get(slug)
        page, file = text_of
        return WikiPage(
            slug=slug,
            type=page_place(slug).type or "root",
            title=named.title if named and named.titled else page.title,
            description=page.summary or (named.description if named else None) or page.opening,
            path=entry.path,
            file=file,
            oid=entry.oid,
            size_bytes=entry.size_bytes,
            indexed=slug in places,
            front_matter=page.front_matter,
        )

    def _read_shared_page(self, slug: str, entry: SnapshotEntry) -> SharedPage:
        raw = self.shelf.bring(entry)
        shared, found = (unread_shared_page(slug), ()) if raw is None else parse_shared_page(entry.path, slug, raw)
        self.shelf.found.extend(found)
        self.shared_web.add(slug, entry.path, shared.page)
        return SharedPage(
            slug=slug,
            domain=shared.domain,
            title=shared.page.title,
            description=shared.page.description,
            shared_at=shared.shared_at,
            applies_to=shared.applies_to,
            source_project=shared.source_project,
            path=entry.path,
            file=None if raw is None else self.shelf.place(entry, file_of(entry.path, "", "shared"), raw),
            oid=entry.oid,
            size_bytes=entry.size_bytes,
            front_matter=shared.page.front_matter,
        )
