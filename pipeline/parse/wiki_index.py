"""index.md → its entries, in order, or `wiki index malformed: <reason>`.  Pure, linear, never raises.

An entry is a list entry or a table row that holds a link to a page of this wiki.  Few things make an
index malformed, all of them for a person to repair; everything else odd is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from pipeline import diagnostics, text
from pipeline.model import Diagnostic, IndexEntry, RepoPath, WikiIndex
from pipeline.parse.blocks import Block, Heading, Item, Row, Table, Text
from pipeline.parse.inline import Link, find_code, find_links, plain
from pipeline.parse.markdown import Document, Refusal, read
from pipeline.parse.names import lead
from pipeline.parse.targets import Place, Tree, link_place, page_place, path_place, read_tree, type_named

BETWEEN = frozenset(" \t·,;|&/*_")
LEADING = " \t—–-:|·.,;"
DATE = re.compile(r"[\d\s.:/TZ+-]*\Z")
PATH_COLUMNS = frozenset(("path", "file", "путь", "файл", "路径", "文件"))
TITLE_COLUMNS = (
    ("title", "название", "заголовок", "标题"),
    ("page", "страница", "页面"),
    ("name", "имя", "名称"),
    ("slug",),
)

Read = tuple[WikiIndex, tuple[IndexEntry, ...], tuple[Diagnostic, ...]]


def parse_index(path: RepoPath, raw: bytes, pages: Collection[str] = ()) -> Read:
    """Read the entries of an index; `pages` are the slugs that the repository's tree has.

    A bare `[[slug]]` takes its type from the nearest heading that names one, else from the tree; what
    neither can place has the type None.  Of two entries for one page the first counts.
    """
    document = read(raw)
    if isinstance(document, Refusal):
        return malformed(path, document.reason, document.line)
    reader = _Reader(path, read_tree(pages))
    for block in document.blocks:
        reader.read(block)
    if not document.blank and not any(document.headings) and not reader.entries and not _has_page_link(document):
        return malformed(path, "no headings and no page links")
    return WikiIndex(path=path, state="parsed"), tuple(reader.entries.values()), tuple(reader.found)


def malformed(path: RepoPath, reason: str, line: int | None = None) -> Read:
    """An index that is rejected, for a reason in words."""
    error = f"wiki index malformed: {reason}"
    index = WikiIndex(path=path, state="malformed", error=error)
    return index, (), (diagnostics.make("E201", path, line, error=error),)


def _has_page_link(document: Document) -> bool:
    lines = chain((quote.text for quote in document.quotes), *map(_texts, document.blocks))
    return any(link_place(link) for line in lines for link in find_links(line))


def _texts(block: Block) -> Iterator[str]:
    if isinstance(block, Table):
        yield from (cell for cells in (block.header, *(row.cells for row in block.rows)) for cell in cells)
    else:
        yield block.text


@dataclass(slots=True)
class _Reader:
    """Walks an index from top to bottom, knowing the headings above."""

    path: RepoPath
    tree: Tree
    entries: dict[tuple[str | None, str], IndexEntry] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)
    headings: list[tuple[int, str | None]] = field(default_factory=list)

    def read(self, block: Block) -> None:
        match block:
            case Heading(level=level, text=title):
                while self.headings and self.headings[-1][0] >= level:
                    self.headings.pop()
                self.headings.append((level, type_named(plain(title), self.tree.folders)))
            case Item(bullet=bullet, text=entry, line=line) if bullet:
                self._read_entry(entry, line)
            case Table(header=header, rows=rows):
                self._read_table(header, rows)
            case Item() | Text():
                pass

    def _read_entry(self, entry: str, line: int) -> None:
        links = _side_by_side(entry)
        about = _about(entry[links[-1].end :]) if links else None
        for link in links:
            self._add_link(link, about, line)
        if not links and not self._add_named(entry, line):
            self._report_broken(entry, line)

    def _read_table(self, header: Sequence[str], rows: Sequence[Row]) -> None:
        names = [text.fold(plain(name)) for name in header]
        path = next((place for place, name in enumerate(names) if name in PATH_COLUMNS), None)
        titles = [place for known in TITLE_COLUMNS for place, name in enumerate(names) if name in known]
        for row in rows:
            linked = next(((place, links) for place, links in _linked_cells(row) if links), None)
            if linked:
                about = _about_row(row, linked[0])
                for link in linked[1]:
                    self._add_link(link, about, row.line)
            elif path is not None and plain(row.cell(path)).lower().endswith(".md"):
                self._add_path(row, plain(row.cell(path)), titles)
            elif not any(self._add_called(plain(row.cell(column)), row.line) for column in titles):
                self._report_broken(" ".join(row.cells), row.line)
            self._add_whole_paths(row)

    def _add_path(self, row: Row, path: str, titles: Sequence[int]) -> None:
        """A path that names another folder of the repository is no page of this wiki."""
        place = path_place(path)
        if place and self.tree.folders and ".wiki/" not in path and place.type not in ("root", *self.tree.folders):
            return
        title = next((shown for shown in (plain(row.cell(column)) for column in titles) if shown), "")
        if place:
            self._add(place, title, None, row.line)

    def _add_whole_paths(self, row: Row) -> None:
        """Cells that are a page's whole path, in whatever column: a row may name a source and what came of it."""
        for cell in row.cells:
            place = path_place(plain(cell)) if ".wiki/" in cell and cell.rstrip(" `*").lower().endswith(".md") else None
            if place and place.page in self.tree.pages:
                self._add(place, "", None, row.line)

    def _add_named(self, entry: str, line: int) -> bool:
        """An entry without a link that begins with the path of a page, or with its name in code or bold."""
        first = lead(entry)
        place = path_place(first.name) if first.name.lower().endswith(".md") else None
        if place and place.page in self.tree.pages:
            self._add(place, "", _about(plain(entry).partition(first.name)[2]), line)
            return True
        return first.marked and self._add_called(first.name, line, _about(plain(entry).partition(first.name)[2]))

    def _add_called(self, name: str, line: int, about: str | None = None) -> bool:
        """The one page of the tree with that name."""
        found = self.tree.find(Place(None, name)) if name and "/" not in name else None
        if found:
            self._add(page_place(found), name, about, line)
        return found is not None

    def _add_link(self, link: Link, about: str | None, line: int) -> None:
        place = link_place(link)
        if place:
            self._add(self._placed(place), plain(link.label), about, line)

    def _placed(self, place: Place) -> Place:
        """A bare name below a heading or in the tree; the tree wins where the heading's page is not there."""
        if place.type is not None:
            return place
        named = next((name for _, name in reversed(self.headings) if name), None)
        below = Place(named, place.slug)
        if named and below.page in self.tree.pages:
            return below
        found = self.tree.find(place)
        return page_place(found) if found else below

    def _add(self, place: Place, title: str, about: str | None, line: int) -> None:
        entry = IndexEntry(
            slug=place.slug,
            type=place.type,
            title=text.line(title) or text.line(place.last),
            description=about,
            line=line,
            titled=_is_title(title, place),
        )
        self.entries.setdefault((place.type, place.slug), entry)

    def _report_broken(self, entry: str, line: int) -> None:
        bare = _without_code(entry) if "](" in entry or "[[" in entry else ""
        if ("](" in bare or "[[" in bare) and not find_links(entry):
            self.found.append(diagnostics.make("W201", self.path, line))


def _linked_cells(row: Row) -> Iterator[tuple[int, Sequence[Link]]]:
    return ((place, _side_by_side(cell)) for place, cell in enumerate(row.cells))


def _side_by_side(entry: str) -> Sequence[Link]:
    """The first link of a line and those that follow it with nothing but separators between."""
    together: list[Link] = []
    for link in find_links(entry):
        if link.kind == "image":
            continue
        between = entry[together[-1].end : link.start] if together else ""
        if not BETWEEN.issuperset(between.replace("~~", "")):
            break
        together.append(link)
    return together


def _without_code(entry: str) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, _ in find_code(entry):
        pieces.append(entry[done:start])
        done = end
    return "".join([*pieces, entry[done:]])


def _about(rest: str) -> str | None:
    return text.line(plain(rest).strip(LEADING + "*_~")) or None


def _about_row(row: Row, place: int) -> str | None:
    """The cell behind the link's, unless it is a date or a number."""
    beside = plain(row.cell(place + 1))
    return None if DATE.match(beside) else text.line(beside) or None


def _is_title(title: str, place: Place) -> bool:
    """False when a link's text is only the page's path or name."""
    bare = title.strip().lower().removeprefix("./").removeprefix(".wiki/").removesuffix(".md")
    return bare not in ("", place.page.lower(), place.slug.lower(), place.last.lower())
