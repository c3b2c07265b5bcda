"""Finds the texts that hold every term of a query, best first: the same for tasks and pages.

The trigram index proposes, `instr` decides; without the index (or without a term that has a trigram)
every text is asked.  Either way the answer is that of `search.matches`.  (`cross join` keeps SQLite
from going through every project first.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline import search
from pipeline.catalog import Catalog
from pipeline.index_schema import Texts
from pipeline.model import RepositoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A text that matches: where it is, how good, and in which field first."""

    repository: RepositoryId
    position: int
    matched_in: str
    rank: search.Rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which texts are looked at: further SQL over `t` (the text) and `joins`, with its parameters."""

    joins: str = ""
    conditions: tuple[str, ...] = ()
    parameters: Mapping[str, Any]


def find(catalog: Catalog, texts: Texts, classes: Sequence[int], terms: tuple[str, ...], scope: Scope) -> list[Found]:
    """Every match of `terms`: by rank, then projects that changed last, then by name and position.

    `classes` says, field by field of `texts`, how much a hit there counts, 0 most.
    """
    conditions = (*scope.conditions, *_conditions(catalog, texts, terms))
    fields = ", ".join(f"t.{field}" for field in texts.fields)
    found = catalog.query(
        f"""select t.repository, t.position, {fields} from {texts.name} t
        cross join projects p on p.repository = t.repository {scope.joins}
        where {" and ".join(conditions)}
        order by p.committed_at is null, p.committed_at desc, t.repository, t.position""",
        {**scope.parameters, **_parameters(terms)},
        _ranked(texts, classes, terms),
    )
    return sorted(found, key=lambda one: one.rank)


def _ranked(texts: Texts, classes: Sequence[int], terms: tuple[str, ...]) -> Callable[..., Found]:
    def shape(repository: RepositoryId, position: int, *fields: str) -> Found:
        return Found(
            repository=repository,
            position=position,
            matched_in=texts.fields[search.first_field(fields, terms)],
            rank=search.rank(fields, classes, terms),
        )

    return shape


def _conditions(catalog: Catalog, texts: Texts, terms: tuple[str, ...]) -> Iterator[str]:
    if catalog.store.engine == "trigram" and search.candidates(terms):
        yield f"t.id in (select rowid from {texts.search} where {texts.search} match :candidates)"
    for number in range(len(terms)):
        yield "(" + " or ".join(f"instr(t.{field}, :term{number}) > 0" for field in texts.fields) + ")"


def _parameters(terms: tuple[str, ...]) -> dict[str, str | None]:
    numbered: dict[str, str | None] = {f"term{number}": term for number, term in enumerate(terms)}
    return numbered | {"candidates": search.candidates(terms)}
