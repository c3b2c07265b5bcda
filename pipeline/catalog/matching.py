"""Finds the texts that hold every term of a query, best first: the same for tasks and pages.

The trigram index proposes, `instr` decides; without the index (or with terms of one letter alone) every
text is asked.  Either way the answer is that of `search.matches`.  (`cross join` keeps SQLite
from going through every project first.)

The order is that of `search.rank`.  Which field holds a term is asked of every match; whether it stands
there as a whole word only of those that a slice may show, since that takes their texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from pipeline import search
from pipeline.catalog import Catalog
from pipeline.index_schema import Texts
from pipeline.model import RepositoryId

JUDGED_AT_ONCE = 64
PAIR = 2
MOST_BEGUN = 2_000
QUALITY = attrgetter("quality")
# The tokenizer takes these for one letter, so the index alone does not decide a term that has one.
ALIKE = frozenset("\ufffd\ufffe\uffff")


class Found(NamedTuple):
    """A text that matches: where it is, in which field first, and its rank but for whole words.

    A tuple, since a frequent word makes very many.
    """

    id: int
    repository: RepositoryId
    position: int
    matched_in: str
    quality: search.Quality


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which texts are looked at: further SQL over `t` (the text) and `joins`, with its parameters."""

    joins: str = ""
    conditions: tuple[str, ...] = ()
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the index is asked (nothing when no text can match), and the terms that its answer alone decides."""

    expression: str
    exact: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """One search: `classes` says, field by field of `texts`, how much a hit there counts, 0 most."""

    catalog: Catalog
    texts: Texts
    classes: tuple[int, ...]
    terms: tuple[str, ...]

    def find(self, scope: Scope) -> list[Found]:
        """Every match: by the fields that hold its terms, then projects that changed last, then by name and
        position.
        """
        places = ", ".join(_place(self.texts, number) for number in range(len(self.terms)))
        proposal = self._propose()
        conditions = (*scope.conditions, *self._conditions(proposal))
        found = self.catalog.query(
            f"""select t.id, t.repository, t.position, {places} from {self.texts.name} t
            cross join projects p on p.repository = t.repository {scope.joins}
            where {" and ".join(conditions)}
            order by p.committed_at is null, p.committed_at desc, t.repository, t.position""",
            {**scope.parameters, **self._parameters(proposal)},
            self._shape(),
        )
        return sorted(found, key=QUALITY)

    def best(self, found: Sequence[Found], limit: int, offset: int) -> list[Found]:
        """The slice of `found` that a list shows: among equals those with more whole words first."""
        shown: list[Found] = []
        skip = offset
        for _, group in groupby(found, key=QUALITY):
            alike = list(group)
            needed = skip + limit - len(shown)
            if skip < len(alike):
                shown += self._whole_first(alike, needed)[skip:needed]
            skip = max(0, skip - len(alike))
            if len(shown) == limit:
                break
        return shown

    def _whole_first(self, alike: Sequence[Found], needed: int) -> list[Found]:
        """Those with fewer terms that are only parts of words first; enough of them to see the first `needed`."""
        judged: list[tuple[int, Found]] = []
        whole = 0
        for start in range(0, len(alike), JUDGED_AT_ONCE):
            some = alike[start : start + JUDGED_AT_ONCE]
            parts = self._parts(some) if len(alike) > 1 else [0]
            judged += zip(parts, some, strict=True)
            whole += parts.count(0)
            if whole >= needed:
                break
        return [one for _, one in sorted(judged, key=lambda pair: pair[0])]

    def _parts(self, some: Sequence[Found]) -> list[int]:
        fields = ", ".join(self.texts.fields)
        counted = self.catalog.query(
            f"select id, {fields} from {self.texts.name} where id in (select value from json_each(:ids))",
            {"ids": json.dumps([one.id for one in some])},
            lambda id, *texts: (id, search.parts(texts, self.terms)),
        )
        by_id = dict(counted)
        return [by_id[one.id] for one in some]

    def _shape(self) -> Callable[..., Found]:
        names = self.texts.fields
        classes = self.classes
        qualities: dict[tuple[int, ...], tuple[str, search.Quality]] = {}

        def shape(id: int, repository: RepositoryId, position: int, *places: int) -> Found:
            known = qualities.get(places)
            if known is None:
                known = qualities[places] = (names[min(places)], search.quality([classes[one] for one in places]))
            return Found(id, repository, position, *known)

        return shape

    def _conditions(self, proposal: Proposal | None) -> Iterator[str]:
        if proposal and not proposal.expression:
            yield "false"
        elif proposal:
            yield f"t.id in (select rowid from {self.texts.search} where {self.texts.search} match :candidates)"
        for number, term in enumerate(self.terms):
            if proposal is None or term not in proposal.exact:
                *short, longest = self.texts.fields
                found = " or ".join(f"instr(t.{field}, :term{number}) > 0" for field in short)
                # Several times as fast as instr, which goes letter by letter where they are not ASCII.
                yield f"({found} or holds(cast(t.{longest} as blob), :bytes{number}))"

    def _parameters(self, proposal: Proposal | None) -> dict[str, str | bytes | None]:
        numbered: dict[str, str | bytes | None] = {f"term{number}": term for number, term in enumerate(self.terms)}
        numbered |= {f"bytes{number}": term.encode() for number, term in enumerate(self.terms)}
        return numbered | {"candidates": proposal.expression if proposal else None}

    def _propose(self) -> Proposal | None:
        """What the index can say; None where it can say nothing."""
        if self.catalog.store.engine != "trigram":
            return None
        if grams := search.trigrams(self.terms):
            return Proposal(search.all_of(grams), tuple(gram for gram in grams if ALIKE.isdisjoint(gram)))
        pair = next((term for term in self.terms if len(term) == PAIR and ALIKE.isdisjoint(term)), None)
        known = self._begun_by(pair) if pair else ()
        return Proposal(search.any_of(known), (pair,)) if pair and len(known) <= MOST_BEGUN else None

    def _begun_by(self, pair: str) -> Sequence[str]:
        """The trigrams that begin with two letters: every text that holds these has one, since its end is marked."""
        return self.catalog.query(
            f"select term from {self.texts.letters} where term between :pair and :pair || char(1114111)",
            {"pair": pair},
            str,
        )


def _place(texts: Texts, number: int) -> str:
    """SQL for the place of the first field that holds a term of a text that matches; the last is not read for it."""
    *short, _ = texts.fields
    tried = " ".join(f"when instr(t.{field}, :term{number}) > 0 then {place}" for place, field in enumerate(short))
    return f"case {tried} else {len(short)} end"
