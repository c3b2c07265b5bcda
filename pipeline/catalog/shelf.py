"""One wiki in a few questions: its pages with all that is shown around their texts; no text is read."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline import text
from pipeline.catalog import Catalog, history
from pipeline.catalog.answers import VersionRow
from pipeline.catalog.knowledge import WIKI_PAGES, Wiki
from pipeline.index_rows import END
from pipeline.model import RepositoryId

SHOWN_VERSIONS = 10
# Paths that were not looked into: a link to one is not called dead.
UNREAD = ("W501", "W502", "W503", "W504", "W505")
COLUMNS: dict[Wiki, str] = {
    "wiki": "g.indexed, null, null, '[]', null",
    "shared": "1, g.domain, g.shared_at, g.applies_to, g.source_project",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfPage:
    """A page without its text.  `names` are what a wikilink may call it, `versions` the newest ten, newest first.

    `code` and `versions` are those of wikis alone; `domain` to `source_project` those of the shared wiki's pages.
    `file` is None where the text was not brought; `oid` is that of the text.
    """

    slug: str
    title: str
    description: str | None
    path: str
    file: str | None
    oid: str
    size_bytes: int
    indexed: bool
    names: tuple[str, ...]
    parent: str | None
    code: str | None
    versions: tuple[VersionRow, ...]
    domain: str | None
    shared_at: str | None
    applies_to: tuple[str, ...]
    source_project: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A project's wiki, or (`kind`) the shared wiki: its pages in reading order, each slug once.

    `sources` are the slugs of the pages that lead to a page, sorted; `index` is the path of the wiki's index;
    `attachments` and `unread` are paths in the repository; `codes` mean pages, by every code that does.
    """

    project: RepositoryId
    kind: Wiki
    digest: str
    index: str | None
    pages: tuple[ShelfPage, ...]
    sources: Mapping[str, tuple[str, ...]]
    attachments: tuple[str, ...]
    unread: tuple[str, ...]
    codes: Mapping[str, str]
    has_history: bool

    @property
    def root(self) -> str:
        """The wiki's folder in its repository."""
        return ".wiki" if self.kind == "wiki" else ""


def read_shelf(catalog: Catalog, project: RepositoryId, kind: Wiki = "wiki") -> Shelf | None:
    """The wiki of one project; None when it has no page."""
    given = {"project": project, "kind": kind}
    rows = catalog.query(
        f"""select g.slug, g.title, g.description, g.path, g.file, g.oid, g.size_bytes, {COLUMNS[kind]},
        g.front_matter, coalesce(t.headings, '') from {WIKI_PAGES[kind]} g
        left join page_texts t on t.repository = g.repository and t.kind = :kind and t.position = g.position
        where g.repository = :project order by {"g.position" if kind == "wiki" else "g.slug, g.position"}""",
        given,
        lambda *columns: columns,
    )
    if not rows:
        return None
    ((digest, index),) = catalog.query(
        "select digest, index_path from contents where repository = :project", given, lambda *columns: columns
    )
    return Shelf(
        project=project,
        kind=kind,
        digest=digest,
        index=index if kind == "wiki" else None,
        pages=tuple(_pages(catalog, project, kind, rows)),
        sources=_sources(catalog, given),
        attachments=tuple(
            catalog.query("select path from attachments where repository = :project order by position", given, str)
        ),
        unread=_unread(catalog, project),
        codes=history.code_slugs(catalog, project) if kind == "wiki" else {},
        has_history=_has_history(catalog, project),
    )


def _pages(catalog: Catalog, project: RepositoryId, kind: Wiki, rows: Iterable[tuple[Any, ...]]) -> Iterator[ShelfPage]:
    codes = history.page_codes(catalog, project) if kind == "wiki" else {}
    versions = _versions(catalog, project) if kind == "wiki" else {}
    seen: set[str] = set()
    for row in rows:
        slug = row[0]
        if slug not in seen:
            seen.add(slug)
            yield _page(row, codes.get(slug), tuple(versions.get(slug, ())))


def _page(row: tuple[Any, ...], code: str | None, versions: tuple[VersionRow, ...]) -> ShelfPage:
    slug, title, description, path, file, oid, size, indexed, *shared, written, headings = row
    domain, shared_at, applies_to, source_project = shared
    front_matter = json.loads(written) if written != "{}" else {}
    return ShelfPage(
        slug=slug,
        title=title,
        description=description,
        path=path,
        file=file,
        oid=oid,
        size_bytes=size,
        indexed=bool(indexed),
        names=(title, *_names(front_matter, headings)),
        parent=next(_lines(front_matter.get("parent")), None),
        code=code,
        versions=versions,
        domain=domain,
        shared_at=shared_at,
        applies_to=tuple(json.loads(applies_to)) if applies_to != "[]" else (),
        source_project=source_project,
    )


def _names(front_matter: Mapping[str, object], headings: str) -> Iterator[str]:
    """Its own titles, where an index calls it otherwise, and its aliases."""
    first = headings.partition(END)[0].strip()
    if first.startswith("# "):
        yield first.strip("#").strip()
    for key in ("title", "aliases", "alias"):
        yield from _lines(front_matter.get(key))


def _lines(value: object) -> Iterator[str]:
    """The texts of a value of front matter, as single lines."""
    for one in value if isinstance(value, list) else [value]:
        said = text.line(one) if isinstance(one, str) else ""
        if said:
            yield said


def _versions(catalog: Catalog, project: RepositoryId) -> Mapping[str, list[VersionRow]]:
    found: dict[str, list[VersionRow]] = defaultdict(list)
    rows = catalog.query(
        f"""select h.slug, {history.VERSION} from page_versions v
        cross join page_histories h on h.repository = v.repository and h.position = v.position
        where v.repository = :project and h.is_gone = 0 and v.number > h.versions - {SHOWN_VERSIONS}
        order by h.slug, h.position, v.number desc""",
        {"project": project},
        lambda slug, *columns: (slug, history.version_row(*columns)),
    )
    for slug, version in rows:
        found[slug].append(version)
    return found


def _sources(catalog: Catalog, given: Mapping[str, object]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for target, source in catalog.query(
        """select target, source from links
        where repository = :project and kind = :kind and target <> source order by target, source""",
        given,
        lambda *columns: columns,
    ):
        found[target].append(source)
    return {target: tuple(sources) for target, sources in found.items()}


def _unread(catalog: Catalog, project: RepositoryId) -> tuple[str, ...]:
    return tuple(
        catalog.query(
            """select path from diagnostics where repository = :project
            and code in (select value from json_each(:codes)) order by position""",
            {"project": project, "codes": json.dumps(UNREAD)},
            str,
        )
    )


def _has_history(catalog: Catalog, project: RepositoryId) -> bool:
    found = catalog.query(
        "select wiki_is_loaded from histories where repository = :project", {"project": project}, bool
    )
    return found == [True]
