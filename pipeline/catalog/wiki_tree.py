"""Questions to one wiki as a tree: where its pages stand, how long they are, and whose its other files are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline import text
from pipeline.catalog import Catalog, history, projects
from pipeline.catalog.knowledge import stored_pages, stored_text
from pipeline.codes import LONG_BITS, number_of
from pipeline.errors import UnknownPage
from pipeline.index_rows import headings, without_front_matter
from pipeline.model import RepoPath, RepositoryId
from pipeline.wiki_tree import Tree, TreePage, build_tree

FOLDER = ".wiki/"
INDEX = "index"
SEPARATOR = " / "
# A path of more titles shows its first and last ones: a page may have as many pages above it as its wiki has.
LONGEST_PATH, HEAD = 12, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiFile:
    """A file of a wiki that is no page; `page` is the slug of the one that it belongs to."""

    id: int
    path: str
    name: str
    size_bytes: int
    oid: str
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiki:
    """One repository's wiki.  `files` are by id; `places` tell where the text of each page is stored.

    It is what `digest` (of the project's artifact) and `codes` make of it; `sizes` are those asked for so far.
    """

    project: RepositoryId
    digest: str | None
    codes: Mapping[str, str]
    tree: Tree
    paths: Mapping[str, str]
    places: Mapping[str, tuple[str | None, str, str]]
    files: Mapping[int, WikiFile]
    sizes: dict[str, int] = field(default_factory=dict)

    def below(self, top: str) -> frozenset[str]:
        """The slugs of `top` and of all pages below it."""
        return frozenset(page.slug for page, _ in self.tree.below(top))

    def path(self, slug: str, top: str) -> str:
        """The titles from `top` down to the page, ` / ` between them."""
        line = self.tree.line_to(slug)
        shown = line[line.index(top) :] if top in line else line
        titles = [self.tree.pages[one].title for one in shown]
        if len(titles) > LONGEST_PATH:
            titles = [*titles[:HEAD], "…", *titles[HEAD - LONGEST_PATH :]]
        return SEPARATOR.join(titles)


def read_wiki(catalog: Catalog, project: RepositoryId, last: Wiki | None = None) -> Wiki:
    """The wiki of one project; `last`, as another version had it, is answered where nothing of it has changed.

    Raises:
        UnknownRepository: no such project.
        UnknownPage: it has no wiki.
    """
    digest = _digest(catalog, project)
    codes = history.page_codes(catalog, project)
    if last is not None and (last.project, last.digest, last.codes) == (project, digest, codes):
        return last
    return _read_wiki(catalog, project, digest, codes)


def read_body(catalog: Catalog, wiki: Wiki, slug: str) -> str:
    """The text of a page without its front matter; empty for a wiki without an index.

    Raises:
        CatalogError: its text was not brought, or is not there any more.
    """
    if slug == wiki.tree.root and slug not in wiki.places:
        return ""
    written = stored_text(catalog, wiki.project, wiki.paths[slug], wiki.places[slug])
    return without_front_matter(written)


def size_letters(catalog: Catalog, wiki: Wiki, slug: str) -> int:
    """How many letters `read_body` has, 0 where the text was not brought; looked at once."""
    if slug not in wiki.sizes:
        wiki.sizes[slug] = _size(catalog, wiki, slug)
    return wiki.sizes[slug]


def _size(catalog: Catalog, wiki: Wiki, slug: str) -> int:
    if slug in wiki.places and wiki.places[slug][0] is None:
        return 0
    return len(read_body(catalog, wiki, slug))


def _digest(catalog: Catalog, project: RepositoryId) -> str | None:
    found = catalog.query("select digest from contents where repository = :project", {"project": project}, str)
    return found[0] if found else None


def _read_wiki(catalog: Catalog, project: RepositoryId, digest: str | None, codes: Mapping[str, str]) -> Wiki:
    row = projects.project(catalog, project)
    stored = stored_pages(catalog, project)
    path, place = _index(catalog, project)
    if not stored and path is None:
        raise UnknownPage(f"{project} has no wiki: no page and no index in its .wiki/")
    slug = INDEX if path is None else path[len(FOLDER) : -len(".md")]
    root = TreePage(slug=slug, code=codes[slug], title=_root_title(catalog, project, path, place) or row.name)
    pages = [
        TreePage(
            slug=page.slug,
            code=codes[page.slug],
            title=page.title,
            parent=_parent(json.loads(where[1])),
            place=number if page.indexed else None,
        )
        for number, (page, where) in enumerate(stored)
    ]
    tree = build_tree(root, pages, history.code_slugs(catalog, project))
    own = {} if place is None else {slug: place}
    return Wiki(
        project=project,
        digest=digest,
        codes=codes,
        tree=tree,
        paths={slug: path or f"{FOLDER}{INDEX}.md", **{page.slug: page.path for page, _ in stored}},
        places={**own, **{page.slug: where for page, where in stored}},
        files={file.id: file for file in _files(catalog, project, tree)},
    )


def _parent(front_matter: Mapping[str, object]) -> str | None:
    named = front_matter.get("parent")
    return (text.line(named) or None) if isinstance(named, str) else None


def _index(catalog: Catalog, project: RepositoryId) -> tuple[str | None, tuple[str | None, str, str] | None]:
    """The path of a wiki's index, and where its text is stored; None and None without an index."""

    def shape(path: str | None, file: str | None, digest: str) -> Any:
        return path, None if path is None else (file, "{}", digest)

    found = catalog.query(
        "select index_path, index_file, digest from contents where repository = :repository",
        {"repository": project},
        shape,
    )
    return found[0] if found else (None, None)


def _root_title(
    catalog: Catalog, project: RepositoryId, path: str | None, place: tuple[str | None, str, str] | None
) -> str:
    """The first heading of the index; nothing without one."""
    if path is None or place is None or place[0] is None:
        return ""
    written = without_front_matter(stored_text(catalog, project, path, place))
    first = next((heading for heading in headings(written) if heading.lstrip().startswith("# ")), "")
    return text.line(first.strip().strip("#"))


def _files(catalog: Catalog, project: RepositoryId, tree: Tree) -> list[WikiFile]:
    """The wiki's other files by path; two whose short ids meet both get long ones."""
    rows = catalog.query(
        "select path, oid, size_bytes from attachments where repository = :repository order by position",
        {"repository": project},
        lambda *columns: columns,
    )
    counted = Counter(number_of(project, path) for path, _, _ in rows)
    return [
        WikiFile(
            id=_id(project, path, counted),
            path=path,
            name=path.rpartition("/")[2],
            size_bytes=size,
            oid=oid,
            page=tree.page_of(path.removeprefix(FOLDER)),
        )
        for path, oid, size in rows
    ]


def _id(project: RepositoryId, path: RepoPath, counted: Mapping[int, int]) -> int:
    short = number_of(project, path)
    return short if counted[short] == 1 else number_of(project, path, LONG_BITS)
