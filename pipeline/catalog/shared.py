"""Questions about the shared wiki as a whole: its domains, and what it knows."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pipeline import search as queries
from pipeline.catalog import Catalog, check_slice, sliced
from pipeline.catalog.answers import SharedHits, SharedPageHit
from pipeline.catalog.knowledge import body_snippet, matched_field, searched_pages, shared_rules, stored_shared_pages
from pipeline.catalog.matching import Found, Matches, Scope
from pipeline.catalog.names import did_you_mean, listed, quoted
from pipeline.errors import CatalogError
from pipeline.text import fold


def domains(catalog: Catalog) -> tuple[str, ...]:
    """The domains that the shared wiki's rules list, in their order, then the others that its pages have, by name."""
    return catalog.once("the domains of the shared wiki", lambda: _domains(catalog))


def _domains(catalog: Catalog) -> tuple[str, ...]:
    used = catalog.query(
        """select distinct domain from shared_pages
        where repository = :repository and domain is not null order by domain""",
        {"repository": catalog.store.shared_wiki},
        str,
    )
    return tuple(dict.fromkeys((*shared_rules(catalog).domains, *used)))


def meant_domains(catalog: Catalog, name: str) -> tuple[str, ...]:
    """The domains that `name` means, in every spelling; case does not matter.

    Raises:
        CatalogError: none; the message has the nearest, or all.
    """
    known = domains(catalog)
    found = tuple(one for one in known if fold(one) == fold(name))
    if not found:
        raise CatalogError(
            f"no domain {quoted(name)} in the shared wiki{did_you_mean(name, known)}; "
            f"expected all, or one of {listed(known) if known else 'none: no page has a domain yet'}"
        )
    return found


def search_shared(
    catalog: Catalog, query: str, within: Sequence[str] | None = None, *, limit: int = 10, offset: int = 0
) -> SharedHits:
    """Pages of the shared wiki whose slug, title and body together hold every word of `query`.

    `within` are domains, case does not matter; None: all, and pages without one.  A hit in title or slug
    first, then in a heading; a whole word before a part of one; then by slug.

    Raises:
        CatalogError: a query without a word or too long, or a slice out of range.
    """
    check_slice(limit, offset)
    terms = queries.parse_query(query)
    everywhere = find_shared(catalog, terms)
    found = everywhere if within is None else find_shared(catalog, terms, _spelled(catalog, within))
    shown = searched_pages(catalog, terms).best(found, limit, offset)
    hits = [_shared_hit(catalog, one, terms) for one in shown]
    return SharedHits(found=sliced(hits, len(found), limit, offset), outside=len(everywhere) - len(found))


def _spelled(catalog: Catalog, names: Sequence[str]) -> list[str]:
    wanted = {fold(name) for name in names}
    return [one for one in domains(catalog) if fold(one) in wanted]


def find_shared(catalog: Catalog, terms: tuple[str, ...], within: Sequence[str] | None = None) -> Matches:
    """Every match of `terms` in the shared wiki; `within` are domains as written."""
    joins, is_within = "", "true"
    if within is not None:
        joins = "cross join shared_pages g on g.repository = t.repository and g.position = t.position"
        is_within = "g.domain in (select value from json_each(:domains))"
    scope = Scope(
        joins=joins,
        conditions=("t.kind = 'shared'", "t.repository = :repository", is_within),
        parameters={"repository": catalog.store.shared_wiki, "domains": json.dumps(within)},
        kept=within is None,
    )
    return searched_pages(catalog, terms).find(scope)


def _shared_hit(catalog: Catalog, found: Found, terms: tuple[str, ...]) -> SharedPageHit:
    ((page, stored),) = stored_shared_pages(catalog, position=found.position)
    snippet = body_snippet(catalog, page.project, page.path, stored, terms)
    return SharedPageHit(page=page, matched_in=matched_field(found), snippet=snippet)
