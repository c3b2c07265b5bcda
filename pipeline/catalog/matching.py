"""Finds the texts that hold every term of a query, best first: the same for tasks and pages.

The order is that of `search.rank`.  Which field is the first to hold a term, and whether the term is a whole
word there, is asked of the indexes for all matches at once.  What they cannot tell (a phrase, signs, any
term without indexes) is read from the texts of those alone that a slice may show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import groupby
from typing import NamedTuple

from pipeline import search
from pipeline.catalog import Catalog
from pipeline.catalog.holding import Holding, Places
from pipeline.catalog.listing import Listing, Scope, listed
from pipeline.index_texts import Texts
from pipeline.model import RepositoryId

__all__ = ["Found", "Matches", "Scope", "Searched"]

JUDGED_AT_ONCE = 64


class Found(NamedTuple):
    """A text that matches: where it is, and the first field that holds any of the terms."""

    repository: RepositoryId
    position: int
    matched_in: str


@dataclass(frozen=True, slots=True)
class Matches:
    """Every text that matches, by the fields that hold its terms: the best first."""

    listing: Listing
    groups: tuple[tuple[search.Quality, Places], ...]

    def __len__(self) -> int:
        return sum(len(places) for _, places in self.groups)

    def by_project(self) -> Iterator[tuple[search.Quality, RepositoryId, list[int]]]:
        """The places of each project's texts of each quality, in the order of lists but for whole words."""
        for quality, places in self.groups:
            for project, own in groupby(sorted(places), key=self.listing.project):
                yield quality, project, list(own)


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """One search: `classes` says, field by field of `texts`, how much a hit there counts, 0 most; it grows."""

    catalog: Catalog
    texts: Texts
    classes: tuple[int, ...]
    terms: tuple[str, ...]

    def find(self, scope: Scope) -> Matches:
        """Every match."""
        listing = listed(self.catalog, self.texts, scope)
        holding = self._holding(listing)
        matches = holding.every(self.terms)
        groups = {search.Quality(self.classes[-1], 0): matches}
        for term in self.terms:
            groups = _graded(groups, self._by_class(holding, term, matches))
        return Matches(listing, tuple(sorted((one for one in groups.items() if one[1]), key=lambda one: one[0])))

    def best(self, found: Matches, limit: int, offset: int) -> list[Found]:
        """The slice of `found` that a list shows: among equals those with more whole words first, then those of
        projects that changed last, then by name and position.
        """
        places: list[int] = []
        skip = offset
        for _, alike in found.groups:
            needed = skip + limit - len(places)
            if skip < len(alike):
                places += self._whole_first(self._holding(found.listing), alike, needed)[skip:needed]
            skip = max(0, skip - len(alike))
            if len(places) == limit:
                break
        return self.shown(found.listing, places)

    def shown(self, listing: Listing, places: Sequence[int]) -> list[Found]:
        """What stands at these places of a listing."""
        first = ", ".join(_first_field(self.texts, number) for number in range(len(self.terms)))
        found = self.catalog.query(
            f"""select t.id, t.repository, t.position, {first} from {self.texts.name} t
            where t.id in (select value from json_each(:ids)) order by t.id""",
            {"ids": self._holding(listing).ids(places), **{f"term{n}": term for n, term in enumerate(self.terms)}},
            lambda id, repository, position, *first: (id, Found(repository, position, self.texts.fields[min(first)])),
        )
        by_id = dict(found)
        return [by_id[listing.ids[place]] for place in places]

    def _holding(self, listing: Listing) -> Holding:
        return Holding(catalog=self.catalog, texts=self.texts, listing=listing)

    def _by_class(self, holding: Holding, term: str, matches: Places) -> list[tuple[int, Places]]:
        """The matches by the class of one term, which is that of the first field that holds it."""
        split = []
        left = matches
        for kind, fields in groupby(range(len(self.classes)), key=self.classes.__getitem__):
            found = left if kind == self.classes[-1] else holding.above(term, tuple(fields), left)
            split.append((kind, found))
            left = left - found
        return split

    def _whole_first(self, holding: Holding, alike: Places, needed: int) -> list[int]:
        """The first `needed` of them: those with fewer terms that are only parts of words, then by place."""
        if len(alike) == 1:
            return list(alike)
        levels, unsure = [alike], []
        for term in self.terms:
            whole = holding.whole(term)
            if whole is None:
                unsure.append(term)
            else:
                levels = _parted(levels, whole)
        if unsure:
            return _judged(holding, levels, unsure, needed)
        first: list[int] = []
        for level in levels:
            first += nsmallest(needed - len(first), level)
        return first


def _graded(
    groups: Mapping[search.Quality, Places], by_class: Sequence[tuple[int, Places]]
) -> dict[search.Quality, Places]:
    """The groups with one term more, whose class is told."""
    graded: dict[search.Quality, Places] = defaultdict(set)
    for (best, total), places in groups.items():
        for kind, found in by_class:
            if both := places & found:
                graded[search.Quality(min(best, kind), total + kind)] |= both
    return graded


def _parted(levels: Sequence[Places], whole: Places) -> list[Places]:
    """Texts by how many terms are parts of words there, with one term more, which is `whole` in some."""
    parted: list[Places] = [set() for _ in range(len(levels) + 1)]
    for parts, places in enumerate(levels):
        parted[parts] |= places & whole
        parted[parts + 1] |= places - whole
    return parted


def _judged(holding: Holding, levels: Sequence[Places], unsure: Sequence[str], needed: int) -> list[int]:
    """The first `needed` texts when further terms are looked for in the texts: those of level n have n parts or more.

    Ever more are read at once, so that what was read is counted few times.
    """
    ranked: list[tuple[int, int]] = []
    for parts, level in enumerate(levels):
        places, start, size = sorted(level), 0, JUDGED_AT_ONCE
        while start < len(places):
            if sum(one < (parts, places[start]) for one in ranked) >= needed:
                break
            some = places[start : start + size]
            ranked += zip((parts + more for more in holding.parts(some, unsure)), some, strict=True)
            start, size = start + size, size * 2
    return [place for _, place in sorted(ranked)[:needed]]


def _first_field(texts: Texts, number: int) -> str:
    """SQL for the place of the first field that holds a term of a text that matches; the last is not read for it."""
    *short, _ = texts.fields
    tried = " ".join(f"when instr(t.{field}, :term{number}) > 0 then {place}" for place, field in enumerate(short))
    return f"case {tried} else {len(short)} end"
