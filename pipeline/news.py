"""news.js beside the versions: what the newest version changed against the one before it.

Only projects whose artifact or state differs are looked into.  A purge, and a first version, have no news.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal

from pipeline import scripts
from pipeline.audience import seen_by
from pipeline.catalog import Catalog
from pipeline.layout import project_href, task_anchor, wiki_href
from pipeline.model import RepositoryId, Visibility, owned_name

NEWS_NAME = "PROJECTS_META_NEWS"
MOST = 50

PlaceOf = Callable[[RepositoryId, str], str]
Kind = Literal["state", "came", "left", "status", "task_new", "task_gone", "page_new", "page_changed", "page_gone"]
KINDS: tuple[Kind, ...] = (
    "state", "came", "left", "status", "task_new", "task_gone", "page_new", "page_changed", "page_gone",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One thing that changed.  `what` is a task's or a page's title, None for a project; `before` and `after` are
    states or statuses; `href` is relative to the report's folder, None where nothing stands there any more.
    """

    kind: Kind
    project: str
    what: str | None = None
    href: str | None = None
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """The first pieces of `total`; `version` is what they tell of, `before` with what it was compared."""

    before: int | None
    version: int
    total: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class _Standing:
    digest: str | None
    state: str


@dataclass(frozen=True, slots=True)
class _Thing:
    """A task or a page: its title, its status or the id of its bytes, and its place."""

    title: str
    value: str
    href: str | None


def nothing(version: int) -> News:
    """The news of a version that is compared with none."""
    return News(before=None, version=version, total=0, pieces=())


def compare(old: Catalog, new: Catalog, audience: Visibility, *, has_pages: bool) -> News:
    """What `new` changed against `old`, of all that the audience may see in both.

    States first, then tasks, then pages, each by project and title.

    Raises:
        CatalogError: one of the two is damaged.
    """
    found = sorted(
        _pieces(old, new, audience, has_pages=has_pages),
        key=lambda piece: (KINDS.index(piece.kind), piece.project, piece.what or "", piece.href or ""),
    )
    return News(before=old.store.version, version=new.store.version, total=len(found), pieces=tuple(found[:MOST]))


def go_on(news: News, version: int) -> News:
    """The same news, of a later version that added nothing to it."""
    return replace(news, version=version)


def render_news(news: News) -> bytes:
    """`window.PROJECTS_META_NEWS = {…};`"""
    return scripts.assignment(NEWS_NAME, asdict(news))


def _pieces(old: Catalog, new: Catalog, audience: Visibility, *, has_pages: bool) -> Iterator[Piece]:
    hidden = _hidden(old, audience) | _hidden(new, audience)
    was, now = _standings(old), _standings(new)
    names = sorted(name for name in was.keys() | now.keys() if name not in hidden and was.get(name) != now.get(name))
    for name in names:
        yield from _of_project(name, was.get(name), now.get(name))
    # A project that came or left is one piece, not one for each of its tasks.
    both = [name for name in names if _has_texts(was.get(name)) and _has_texts(now.get(name))]
    for name, before, after in _in_both(_tasks(old, both), _tasks(new, both)):
        yield from _of_tasks(name, before, after)
    for name, before, after in _in_both(_pages(old, both, has_pages), _pages(new, both, has_pages)):
        yield from _of_pages(name, before, after)


def _hidden(catalog: Catalog, audience: Visibility) -> frozenset[str]:
    seen = json.dumps(seen_by(audience))
    return frozenset(
        catalog.query(
            "select repository from projects where visibility not in (select value from json_each(:seen))",
            {"seen": seen},
            str,
        )
    )


def _standings(catalog: Catalog) -> dict[str, _Standing]:
    rows = catalog.query("select repository, digest, state from projects", {}, lambda *columns: columns)
    return {repository: _Standing(digest, state) for repository, digest, state in rows}


def _has_texts(standing: _Standing | None) -> bool:
    return standing is not None and standing.digest is not None and standing.state != "gone"


def _of_project(name: str, before: _Standing | None, after: _Standing | None) -> Iterator[Piece]:
    project, href = owned_name(RepositoryId(name)), project_href(RepositoryId(name))
    if before is None and after is not None:
        yield Piece(kind="came", project=project, href=href, after=after.state)
    elif after is None and before is not None:
        yield Piece(kind="left", project=project, before=before.state)
    elif before is not None and after is not None and before.state != after.state:
        yield Piece(kind="state", project=project, href=href, before=before.state, after=after.state)


def _tasks(catalog: Catalog, names: Iterable[str]) -> Mapping[str, dict[str, _Thing]]:
    """The tasks of some projects by slug; of equal slugs the first counts."""
    return _things(
        catalog,
        "select repository, slug, title, status from items where {where} order by repository, position desc",
        names,
        lambda name, slug: f"{project_href(name)}#{task_anchor(slug)}",
    )


def _pages(catalog: Catalog, names: Iterable[str], has_pages: bool) -> Mapping[str, dict[str, _Thing]]:
    return _things(
        catalog,
        """select repository, slug, title, oid from pages where {where} union all
        select repository, slug, title, oid from shared_pages where {where}""",
        names,
        wiki_href if has_pages else lambda name, _: project_href(name),
    )


def _things(
    catalog: Catalog, sql: str, names: Iterable[str], place: Callable[[RepositoryId, str], str]
) -> Mapping[str, dict[str, _Thing]]:
    found: dict[str, dict[str, _Thing]] = {}
    where = "repository in (select value from json_each(:names))"
    for name, slug, title, value in catalog.query(
        sql.replace("{where}", where), {"names": json.dumps(list(names))}, lambda *columns: columns
    ):
        found.setdefault(name, {})[slug] = _Thing(title, value, place(RepositoryId(name), slug))
    return found


def _in_both(
    old: Mapping[str, dict[str, _Thing]], new: Mapping[str, dict[str, _Thing]]
) -> Iterator[tuple[str, dict[str, _Thing], dict[str, _Thing]]]:
    for name in sorted(old.keys() | new.keys()):
        yield name, old.get(name, {}), new.get(name, {})


def _of_tasks(name: str, before: Mapping[str, _Thing], after: Mapping[str, _Thing]) -> Iterator[Piece]:
    project = owned_name(RepositoryId(name))
    for slug in before.keys() | after.keys():
        old, new = before.get(slug), after.get(slug)
        if new is None and old is not None:
            yield Piece(kind="task_gone", project=project, what=old.title, before=old.value)
        elif new is not None and old is None:
            yield Piece(kind="task_new", project=project, what=new.title, href=new.href, after=new.value)
        elif new is not None and old is not None and new.value != old.value:
            changed = {"before": old.value, "after": new.value}
            yield Piece(kind="status", project=project, what=new.title, href=new.href, **changed)


def _of_pages(name: str, before: Mapping[str, _Thing], after: Mapping[str, _Thing]) -> Iterator[Piece]:
    project = owned_name(RepositoryId(name))
    for slug in before.keys() | after.keys():
        old, new = before.get(slug), after.get(slug)
        if new is None and old is not None:
            yield Piece(kind="page_gone", project=project, what=old.title)
        elif new is not None and old is None:
            yield Piece(kind="page_new", project=project, what=new.title, href=new.href)
        elif new is not None and old is not None and new.value != old.value:
            yield Piece(kind="page_changed", project=project, what=new.title, href=new.href)
