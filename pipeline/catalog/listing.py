"""The texts that a search looks at, numbered in the order in which lists show them.

Searches work with these numbers (*places*) alone: a set of them is small, and sorting them is ranking.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from pipeline.catalog import Catalog
from pipeline.index_texts import Texts
from pipeline.model import RepositoryId

OUTSIDE = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which texts are looked at: further SQL over `t` (the text) and `joins`, with its parameters.

    `kept`: the same for many questions, so its listing is made once per version.
    """

    joins: str = ""
    conditions: tuple[str, ...] = ()
    parameters: Mapping[str, Any]
    kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Texts of projects that changed last first, then by name and position.

    `ids` by place; `places` by id, from `first` on, `OUTSIDE` for what is not listed; `starts` are the
    places where the texts of each of `projects` begin.
    """

    ids: array[int]
    first: int
    places: array[int]
    projects: Sequence[RepositoryId]
    starts: Sequence[int]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def last(self) -> int:
        """The largest id that `places` has."""
        return self.first + len(self.places) - 1

    def at(self, ids: Iterable[int]) -> set[int]:
        """The places of those ids that are listed; each is between `first` and `last`."""
        first, places = self.first, self.places
        found = {places[id - first] for id in ids}
        found.discard(OUTSIDE)
        return found

    def project(self, place: int) -> RepositoryId:
        """Whose text it is."""
        return self.projects[bisect_right(self.starts, place) - 1]


def listed(catalog: Catalog, texts: Texts, scope: Scope) -> Listing:
    """The texts of a scope."""
    if not scope.kept:
        return _listed(catalog, texts, scope)
    question = (texts.name, scope.joins, scope.conditions, *sorted(scope.parameters.items()))
    return catalog.once(question, lambda: _listed(catalog, texts, scope))


def _listed(catalog: Catalog, texts: Texts, scope: Scope) -> Listing:
    known = catalog.query(
        f"""select t.repository, t.id from {texts.name} t {scope.joins}
        where {" and ".join(scope.conditions)} order by t.repository, t.position""",
        scope.parameters,
        lambda *columns: columns,
    )
    by_project = {project: [id for _, id in rows] for project, rows in groupby(known, key=itemgetter(0))}
    projects = [project for project in by_freshness(catalog) if project in by_project]
    return _numbered({project: by_project[project] for project in projects})


def by_freshness(catalog: Catalog) -> Sequence[RepositoryId]:
    """All projects, those that changed last first, then by name."""
    return catalog.once(
        "projects by freshness",
        lambda: catalog.query(
            "select repository from projects order by committed_at is null, committed_at desc, repository",
            {},
            RepositoryId,
        ),
    )


def _numbered(by_project: Mapping[RepositoryId, Sequence[int]]) -> Listing:
    ids = array("q")
    starts = []
    for own in by_project.values():
        starts.append(len(ids))
        ids.extend(own)
    first = min(ids, default=0)
    places = array("i", [OUTSIDE]) * (max(ids, default=-1) - first + 1)
    for place, id in enumerate(ids):
        places[id - first] = place
    return Listing(ids=ids, first=first, places=places, projects=tuple(by_project), starts=tuple(starts))
