"""The pages of one wiki as a tree.  Pure.

A page's parent is the page whose code its front matter names (`parent:`), else the page of the folder it lies
in, else the wiki itself, which is the page of the index.  A name that leads nowhere, or in a circle, is reported
and not followed: such a page stands where its folder puts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.text import fold

# What a folder's own page may be called inside it, the first that is there.
HOMES = ("index", "readme")

TroubleKind = Literal["cycle", "orphan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TreePage:
    """A page to be placed: `parent` is the code that its front matter names, `place` its place in the index."""

    slug: str
    code: str
    title: str
    parent: str | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A page whose front matter names a parent that is no page of this wiki, or that leads back to itself."""

    kind: TroubleKind
    slug: str
    parent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """One wiki: `root` is its own page; `parents` and `children` are slugs, children in reading order.

    `troubles` are sorted by slug.
    """

    root: str
    pages: Mapping[str, TreePage]
    parents: Mapping[str, str]
    children: Mapping[str, tuple[str, ...]]
    homes: Mapping[str, str]
    troubles: tuple[Trouble, ...]

    def below(self, top: str, depth: int | None = None) -> Iterator[tuple[TreePage, int]]:
        """`top` at level 0 and the pages below it, parents first, down to level `depth`."""
        pending = [(top, 0)]
        while pending:
            slug, level = pending.pop()
            yield self.pages[slug], level
            if depth is None or level < depth:
                pending.extend((child, level + 1) for child in reversed(self.children.get(slug, ())))

    def line_to(self, slug: str) -> tuple[str, ...]:
        """The slugs from the wiki itself down to `slug`, both included."""
        line = [slug]
        while (parent := self.parents.get(line[-1])) is not None:
            line.append(parent)
        return tuple(reversed(line))

    def page_of(self, path: str) -> str:
        """The slug of the page that a file of this path (below the wiki's folder) belongs to."""
        return _home(self.homes, path) or self.root


def build_tree(root: TreePage, pages: Sequence[TreePage], codes: Mapping[str, str] | None = None) -> Tree:
    """Place `pages` below `root`; `codes` are further codes by which a page may be named, with its slug."""
    homes = _homes(page.slug for page in pages)
    folders = {page.slug: _home(homes, page.slug) or root.slug for page in pages}
    slugs = {**(codes or {}), **{page.code: page.slug for page in (*reversed(pages), root)}}
    named = {page.slug: slugs[page.parent] for page in pages if page.parent in slugs}
    circular = _circular(named, folders)
    parents = {slug: folder if slug in circular else named.get(slug, folder) for slug, folder in folders.items()}
    return Tree(
        root=root.slug,
        pages={page.slug: page for page in (root, *pages)},
        parents=parents,
        children=_children(parents, sorted(pages, key=_order)),
        homes=homes,
        troubles=tuple(_troubles(sorted(pages, key=lambda page: page.slug), named, circular)),
    )


def _order(page: TreePage) -> tuple[bool, int, str, str]:
    return page.place is None, page.place or 0, fold(page.title), page.slug


def _children(parents: Mapping[str, str], pages: Iterable[TreePage]) -> dict[str, tuple[str, ...]]:
    children: dict[str, list[str]] = {}
    for page in pages:
        children.setdefault(parents[page.slug], []).append(page.slug)
    return {slug: tuple(found) for slug, found in children.items()}


def _troubles(pages: Iterable[TreePage], named: Mapping[str, str], circular: set[str]) -> Iterator[Trouble]:
    for page in pages:
        if page.parent is not None and page.slug not in named:
            yield Trouble(kind="orphan", slug=page.slug, parent=page.parent)
        elif page.parent is not None and page.slug in circular:
            yield Trouble(kind="cycle", slug=page.slug, parent=page.parent)


def _homes(slugs: Iterable[str]) -> dict[str, str]:
    """The page of each folder: `x` for `x/…`, else `x/index`, else `x/README`."""
    ranked: dict[str, tuple[int, str]] = {}
    for slug in slugs:
        folder, _, name = slug.rpartition("/")
        candidates = [(slug, 0)]
        if folder and name.casefold() in HOMES:
            candidates.append((folder, 1 + HOMES.index(name.casefold())))
        for key, rank in candidates:
            ranked[key] = min(ranked.get(key, (rank, slug)), (rank, slug))
    return {folder: slug for folder, (_, slug) in ranked.items()}


def _home(homes: Mapping[str, str], path: str) -> str | None:
    """The page of the nearest folder above `path` that has one other than `path` itself."""
    folder = path.rpartition("/")[0]
    while folder:
        home = homes.get(folder)
        if home is not None and home != path:
            return home
        folder = folder.rpartition("/")[0]
    return None


def _circular(named: Mapping[str, str], folders: Mapping[str, str]) -> set[str]:
    """The pages whose named parents are not followed since they lead in a circle.

    A page that is put back to its folder may close another circle, through a page that it is then below.
    Folders alone make none, so this ends.
    """
    dropped: set[str] = set()
    pending: Iterable[str] = named
    while pending:
        parents = {slug: folder if slug in dropped else named.get(slug, folder) for slug, folder in folders.items()}
        pending = (_on_circles(pending, parents) & named.keys()) - dropped
        dropped |= pending
    return dropped


def _on_circles(starts: Iterable[str], parents: Mapping[str, str]) -> set[str]:
    """The slugs on circles that one comes to from `starts`."""
    found: set[str] = set()
    seen: set[str] = set()
    for start in starts:
        walk: dict[str, int] = {}
        slug: str | None = start
        while slug is not None and slug not in seen:
            seen.add(slug)
            walk[slug] = len(walk)
            slug = parents.get(slug)
        if slug in walk:
            found.update(one for one, step in walk.items() if step >= walk[slug])
    return found
