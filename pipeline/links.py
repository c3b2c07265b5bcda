"""Where the links of a wiki's pages lead: to another page, to nothing, or where we cannot see.  Pure.

A target is only a name: it is looked up in the repository's tree and never opened.  Links are read as people
write them: relative to the page, as Markdown has it, or from the wiki's top; `[[wikilinks]]` by path, by name
alone or by title.  Nothing is called dead that may be right: only a link to a page inside the wiki can be.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from pipeline import diagnostics
from pipeline.model import Diagnostic, PageLink, RepoPath
from pipeline.parse.links import Reference
from pipeline.parse.words import slugify
from pipeline.text import fold

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:|//")
NO_NAME = re.compile(r"[\"'$*<>={};()!&^:`~%]|\A-|\A[\W\d_]*\Z")
FILE_NAME = re.compile(r"\.[A-Za-z0-9]{1,8}\Z")
FOLDER_PAGES = ("readme", "index", "_index")
ENTRANCES = frozenset((*FOLDER_PAGES, "claude", "agents", "schema", "log", "changelog"))
# What people write when they speak of the notation itself.
EXAMPLES = frozenset((
    "wikilink", "wikilinks", "wiki-link", "wiki-links", "link", "links", "slug", "target", "page", "page-name",
    "page-title", "title", "name", "foo", "bar", "страница", "ссылка", "название", "имя",
))  # fmt: skip
ENDING_PARTS = 4
NEAR_LIMIT = 50
NEAR = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A text with links: a page, or (`page` False) the index or another entrance.  `names` are its title
    and what else a wikilink may call it.
    """

    slug: str
    path: RepoPath
    references: tuple[Reference, ...]
    names: tuple[str, ...] = ()
    page: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """`links` are sorted by both ends; `linked` are the pages that any text leads to; `found` the dead links."""

    links: tuple[PageLink, ...]
    linked: frozenset[str]
    found: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Dead:
    """A link to a page that is not there: the path that it means, and the name that it has for the page."""

    meant: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiki:
    """The pages of a wiki, ordered by all that a link may call them.

    `root` is the wiki's folder in its repository, empty for a repository that is one.  `files` are the paths
    below it of everything that is there; `unread` those of what was not looked into.  `spelled` gives a page by
    its folded slug, `ending` by the end of its path, at most four parts of it, `beside` by its folder and name.
    """

    root: str
    pages: frozenset[str]
    spelled: Mapping[str, str]
    named: Mapping[str, str]
    ending: Mapping[str, str]
    beside: Mapping[tuple[str, str], str]
    titled: Mapping[str, str]
    files: frozenset[str]
    folders: frozenset[str]
    unread: frozenset[str]
    near: dict[str, str | None] = field(default_factory=dict)

    def resolve(self, source: str, reference: Reference) -> str | Dead | None:
        """The page that a link on the page `source` leads to; None for everything else that may be right."""
        folder = source.rpartition("/")[0]
        is_path = reference.kind == "link" or (reference.kind == "mention" and reference.target.endswith(".md"))
        target = reference.target.partition("#")[0].replace("\\", "/").strip()
        if not target or SCHEME.match(target):
            return None
        if is_path:
            found = self._follow(folder, target)
        else:
            # A name may hold the mark that begins a part of a page: `[[C# notes]]`.
            found = self._look_up(folder, target, (reference.target, reference.label))
        return None if reference.kind == "mention" and isinstance(found, Dead) else found

    def place(self, source: str, target: str) -> str | None:
        """The path below the root that a Markdown link on the page `source` means; None when it leaves the root."""
        path = unquote(target.partition("#")[0].partition("?")[0])
        return None if not path or SCHEME.match(path) else self._below(source.rpartition("/")[0], path)

    def nearest(self, name: str) -> str | None:
        """The page with that last name elsewhere, else the one whose name looks most like it."""
        key = _key(name)
        if key not in self.near:
            close = [key] if key in self.named else []
            if not close and len(self.near) < NEAR_LIMIT:
                close = difflib.get_close_matches(key, self.named, 1, NEAR)
            self.near[key] = self.named[close[0]] if close else None
        return self.near[key]

    def pages_below(self, source: str, reference: Reference) -> tuple[str, ...]:
        """The pages below the folder that a link leads to; none when it leads to no folder of pages."""
        target = unquote(reference.target.partition("#")[0])
        path = None if not target or SCHEME.match(target) else self._below(source.rpartition("/")[0], target)
        above = f"{fold(path)}/" if path else ""
        return tuple(self.spelled[page] for page in self.spelled if above and page.startswith(above))

    # Markdown links

    def _follow(self, folder: str, written: str) -> str | Dead | None:
        spellings = dict.fromkeys((written.partition("?")[0], unquote(written.partition("?")[0])))
        for base in ("",) if written.startswith("/") else (folder, ""):
            for spelling in spellings:
                found = self._page_at(self._below(base, spelling))
                if found:
                    return found
        path = self._below(folder, list(spellings)[-1])
        if path is None or written.startswith("/") or self._is_there(path) or not self._is_page(path, written):
            return None
        return Dead(self._whole(path), _bare(path))

    def _below(self, folder: str, target: str) -> str | None:
        """The path below the root that a target written in a folder means; None when it leaves the root."""
        top = [self.root] if self.root else []
        base = [*top, *folder.split("/")] if folder else [*top]
        parts = target.split("/")
        if self.root and self.root in parts:
            base, parts = [*top], parts[parts.index(self.root) + 1 :]
        for part in parts:
            if part == "..":
                if not base:
                    return None
                base.pop()
            elif part not in ("", "."):
                base.append(part)
        return "/".join(base[len(top) :]) if base[: len(top)] == top else None

    def _page_at(self, path: str | None) -> str | None:
        if not path:
            return None
        bare = _bare(path)
        if bare in self.pages:
            return bare
        folded = fold(path.rstrip("/"))
        if folded not in self.folders:
            return self.spelled.get(fold(bare))
        places = (fold(bare), *(f"{folded}/{name}" for name in FOLDER_PAGES))
        return next((self.spelled[place] for place in places if place in self.spelled), None)

    def _is_there(self, path: str) -> bool:
        """Whether the path is a file or a folder, or lies where we did not look."""
        folded = fold(path.rstrip("/"))
        if not folded or folded in self.folders or {folded, f"{folded}.md"} & self.files:
            return True
        return any(above in self.unread for above in _and_above(folded))

    def _is_page(self, path: str, written: str) -> bool:
        """Whether a path that is not there must be a page's: others may well be meant from elsewhere."""
        folder, _, last = path.rpartition("/")
        if last.lower().endswith(".md"):
            return True
        if "." in last or written.endswith("/") or NO_NAME.search(last):
            return False
        return written.startswith(("./", "../")) or fold(folder) in self.folders

    def _whole(self, path: str) -> str:
        return f"{self.root}/{_bare(path)}.md".lstrip("/")

    # wikilinks

    def _look_up(self, folder: str, written: str, others: tuple[str, ...]) -> str | Dead | None:
        for name in (written, *others):
            found = self._named(folder, name) if name else None
            if found:
                return found
        path = self._below("", written) or ""
        last = written.rstrip("/").rpartition("/")[2]
        is_file = FILE_NAME.search(last) and not last.lower().endswith(".md")
        if (
            is_file
            or _key(written) in EXAMPLES
            or written.startswith("/")
            or NO_NAME.search(written)
            or not path
            or self._is_there(path)
        ):
            return None
        return Dead(self._whole(path) if "/" in path else f"{_bare(last)}.md", _bare(written))

    def _named(self, folder: str, written: str) -> str | None:
        """The page of a wikilink: at that path from the top or from here, with that name, or with that title."""
        is_near = "/" not in written or written.startswith(".")
        places = (self._below(base, written) for base in ((folder, "") if is_near else ("", folder)))
        found = next((page for page in map(self._page_at, places) if page), None)
        return found or self._called(folder, written) or self.titled.get(_key(_bare(written)))

    def _called(self, folder: str, written: str) -> str | None:
        """The page whose path ends so; of several the one beside, else the one least deep."""
        parts = [_key(part) for part in _bare(written).split("/") if part.strip(".")]
        beside = self.beside.get((folder, parts[0])) if len(parts) == 1 else None
        return beside or self.ending.get("/".join(parts))


def read_wiki(root: str, sources: Iterable[Source], files: Iterable[str], unread: Iterable[str] = ()) -> Wiki:
    """Order what is there: texts with their names, and the paths below `root` of all files."""
    pages = {source.slug: source.names for source in sources if source.page}
    spelled: dict[str, str] = {}
    named: dict[str, str] = {}
    ending: dict[str, str] = {}
    beside: dict[tuple[str, str], str] = {}
    titled: dict[str, str] = {}
    for slug in sorted(pages, key=lambda slug: (slug.count("/"), slug)):
        folder, _, last = slug.rpartition("/")
        spelled.setdefault(fold(slug), slug)
        named.setdefault(_key(last), slug)
        beside.setdefault((folder, _key(last)), slug)
        for name in pages[slug]:
            titled.setdefault(_key(name), slug)
        parts = list(map(_key, slug.rsplit("/", ENDING_PARTS)[-ENDING_PARTS:]))
        for start in range(len(parts)):
            ending.setdefault("/".join(parts[start:]), slug)
    for names in (named, titled, ending):
        names.pop("", None)
    paths = frozenset(map(fold, files))
    folders = frozenset(above for path in {*paths, *spelled} for above in list(_and_above(path))[1:])
    return Wiki(
        root=root,
        pages=frozenset(pages),
        spelled=spelled,
        named=named,
        ending=ending,
        beside=beside,
        titled=titled,
        files=paths,
        folders=folders,
        unread=frozenset(map(fold, unread)),
    )


def connect(wiki: Wiki, sources: Sequence[Source]) -> Connected:
    """Follow every link; a page's links to itself count for nothing.  An index may lead to a whole folder."""
    lines: dict[tuple[str, str], int] = {}
    linked: set[str] = set()
    found: list[Diagnostic] = []
    for source in sources:
        for reference in source.references:
            end = wiki.resolve(source.slug, reference)
            if isinstance(end, Dead):
                found.append(_tell(wiki, source, reference, end))
            elif end is None and not source.page and reference.kind == "link":
                linked.update(wiki.pages_below(source.slug, reference))
            elif end is not None and (end != source.slug or not source.page):
                linked.add(end)
                if source.page:
                    lines.setdefault((source.slug, end), reference.line)
    links = tuple(PageLink(source=ends[0], target=ends[1], line=lines[ends]) for ends in sorted(lines))
    return Connected(links=links, linked=frozenset(linked), found=tuple(found))


def find_orphans(sources: Iterable[Source], linked: Collection[str]) -> tuple[Diagnostic, ...]:
    """The pages that nothing leads to; those where people begin to read by themselves are none."""
    return tuple(
        diagnostics.make("N301", source.path, 1)
        for source in sources
        if source.page and source.slug not in linked and not _is_begun_with(source.slug)
    )


def _is_begun_with(slug: str) -> bool:
    """An entrance, or below a hidden folder, where people put things away."""
    return fold(slug.rpartition("/")[2]) in ENTRANCES or "/." in f"/{slug}"


def _tell(wiki: Wiki, source: Source, reference: Reference, dead: Dead) -> Diagnostic:
    nearest = wiki.nearest(dead.name.rpartition("/")[2])
    near = f"; the nearest page is {f'{wiki.root}/{nearest}.md'.lstrip('/')}" if nearest else ""
    return diagnostics.make("W310", source.path, reference.line, target=reference.target, meant=dead.meant, near=near)


def _and_above(path: str) -> Iterator[str]:
    """A path and every folder above it."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _bare(path: str) -> str:
    return path[: -len(".md")] if path.lower().endswith(".md") else path


def _key(name: str) -> str:
    """A name as links may spell it: without regard to capitals, spaces, hyphens and underscores."""
    return slugify(fold(name).replace("_", "-"))
