"""Settles, in a catalog, the codes that pages of several repositories have a claim to.

Within a repository codes are settled with its artifact.  What is left is rare: two made codes that are equal, or front
matter that asks for a code of another repository.  It is settled anew whenever the catalog changes, and from its rows
alone: the artifact of one repository never depends on another.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter

from pipeline import index_schema as schema
from pipeline.codes import Grant, PageClaim, rights, settle
from pipeline.model import Diagnostic, RepoPath, RepositoryId

Place = tuple[RepositoryId, int]
Claims = Mapping[Place, PageClaim]
Grants = Mapping[Place, Grant]

# What is told here stands behind all that a repository's own artifact tells.
FIRST = 1 << 40
DISPUTED = "select code from page_codes group by code having min(repository) <> max(repository)"
CLAIMS = """select distinct c.repository, c.position, h.slug, h.path, h.is_gone, h.claim
    from page_codes c cross join page_histories h on h.repository = c.repository and h.position = c.position
    where c.code in (select value from json_each(?))"""


def settle_codes(connection: sqlite3.Connection) -> None:
    """Make the settled rows those that the histories of all repositories call for; the caller commits."""
    _forget(connection)
    claims = _disputes(connection)
    if not claims:
        return
    grants = _settled(claims)
    _keep(connection, grants)
    for repository, told in groupby(_told(claims, grants), key=lambda one: one[0][0]):
        _tell(connection, repository, [diagnostic for _, diagnostic in told])


def _forget(connection: sqlite3.Connection) -> None:
    for table in (schema.SETTLED_PAGES, schema.SETTLED_CODES):
        connection.execute(f"delete from {table.name}")
    connection.execute(f"delete from {schema.DIAGNOSTICS.name} where position >= ?", (FIRST,))
    connection.execute("update projects set settled = null where settled is not null")


def _disputes(connection: sqlite3.Connection) -> Claims:
    """The pages with a claim to a code that pages of several repositories have a claim to, and their rivals for any
    other code, and so on: nobody else has to do with what is settled among them.
    """
    codes = {code for (code,) in connection.execute(DISPUTED)}
    claims: dict[Place, PageClaim] = {}
    asked: set[str] = set()
    while codes:
        found = {place: claim for place, claim in _claims_to(connection, codes) if place not in claims}
        claims |= found
        asked |= codes
        codes = {code for claim in found.values() for code in rights(claim)} - asked
    return {place: claims[place] for place in sorted(claims)}


def _claims_to(connection: sqlite3.Connection, codes: set[str]) -> Iterator[tuple[Place, PageClaim]]:
    for repository, position, slug, path, is_gone, claim in connection.execute(CLAIMS, (json.dumps(sorted(codes)),)):
        asked, addresses, nth = json.loads(claim)
        yield (
            (repository, position),
            PageClaim(
                repository=repository,
                slug=None if is_gone else slug,
                path=path,
                asked=asked,
                addresses=tuple(map(RepoPath, addresses)),
                nth=nth,
            ),
        )


def _settled(claims: Claims) -> Grants:
    return dict(zip(claims, settle(tuple(claims.values())), strict=True))


def _keep(connection: sqlite3.Connection, grants: Grants) -> None:
    connection.executemany(
        f"insert into {schema.SETTLED_PAGES.name} values (?, ?, ?)",
        [(*place, grant.code) for place, grant in grants.items()],
    )
    connection.executemany(
        f"insert into {schema.SETTLED_CODES.name} values (?, ?, ?)",
        [(code, *place) for place, grant in grants.items() for code in (grant.code, *grant.aliases)],
    )


def _told(claims: Claims, grants: Grants) -> Iterator[tuple[Place, Diagnostic]]:
    """What the artifact of a page's own repository does not say already, by place."""
    for _, own in groupby(claims.items(), key=lambda one: one[0][0]):
        for place, alone in _settled(dict(own)).items():
            diagnostic = grants[place].diagnostic
            if diagnostic is not None and diagnostic != alone.diagnostic:
                yield place, diagnostic


def _tell(connection: sqlite3.Connection, repository: RepositoryId, told: list[Diagnostic]) -> None:
    rows = [(one.code, one.severity, one.path, one.line, one.message) for one in sorted(told, key=attrgetter("path"))]
    connection.executemany(
        f"insert into {schema.DIAGNOSTICS.name} values (?, ?, ?, ?, ?, ?, ?)",
        [(repository, FIRST + number, *row) for number, row in enumerate(rows)],
    )
    said = json.dumps(rows, ensure_ascii=False)
    connection.execute("update projects set settled = ? where repository = ?", (said, repository))
