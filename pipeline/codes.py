"""Codes of pages and of their versions: the same on every machine and after every rebuild.  Pure.

A page's code is what its front matter asks for, else a number made of its earliest address; a code that two pages
would have, neither gets.  So no table has to be kept, and a code never leads to a page that it did not mean before.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline import diagnostics
from pipeline.model import Diagnostic, PageHistory, RepoPath, RepositoryId

CODE = re.compile(r"DOC-[0-9]{1,20}\Z", re.ASCII)
SHORT_BITS = 48
LONG_BITS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class PageClaim:
    """What the code of one page is made of; fields as in `PageHistory`."""

    repository: RepositoryId
    slug: str | None
    path: RepoPath
    asked: str | None
    addresses: tuple[RepoPath, ...]
    nth: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """The code that a page gets, other codes that mean it, and what its author should know of that."""

    code: str
    aliases: tuple[str, ...]
    diagnostic: Diagnostic | None = None


def number_of(repository: RepositoryId, path: RepoPath, bits: int = SHORT_BITS) -> int:
    """The number that is made of an address, for a page's code or another file's id."""
    return _number(f"{repository}:{path}", bits)


def page_code(repository: RepositoryId, path: RepoPath) -> str:
    """The code of the page that began at an address."""
    return f"DOC-{number_of(repository, path)}"


def version_code(code: str, commit: str) -> str:
    """The code of what a commit made of the page that has `code`."""
    return f"DOCH-{_number(f'{code}{commit}', SHORT_BITS)}"


def asked_code(front_matter: Mapping[str, object]) -> str | None:
    """What a page's `code:` asks for, as written; None without one, and for one that is no code of a page."""
    written = front_matter.get("code")
    return written if isinstance(written, str) and CODE.match(written) else None


def claim_of(repository: RepositoryId, page: PageHistory) -> PageClaim:
    """What the code of a page is made of."""
    return PageClaim(
        repository=repository,
        slug=page.slug,
        path=page.path,
        asked=page.asked,
        addresses=page.addresses,
        nth=page.nth,
    )


def with_code(page: PageHistory, grant: Grant) -> PageHistory:
    """The page with another code, and with its versions' codes made of that."""
    if page.code == grant.code:
        return page if page.aliases == grant.aliases else replace(page, aliases=grant.aliases)
    versions = tuple(replace(one, code=version_code(grant.code, one.commit)) for one in page.versions)
    return replace(page, code=grant.code, aliases=grant.aliases, versions=versions)


def rights(claim: PageClaim) -> frozenset[str]:
    """Every code that a page has some claim to."""
    asked = () if claim.asked is None else (claim.asked,)
    return frozenset((*asked, _long_code(claim), *(page_code(claim.repository, path) for path in claim.addresses)))


def settle(claims: Sequence[PageClaim]) -> tuple[Grant, ...]:
    """Give every page its code, in the order of `claims`; no two get the same.

    Of pages that ask for one code the first by repository and slug gets it, unless it is made of another page's
    address and not of its own.  A made code that two pages would have (the second began where the first had begun, or
    was asked for by another page) goes to neither: both get one of 64 bits.  A page that is no more counts as one,
    but cannot keep what a page's front matter asks for.  Aliases are the codes of all addresses, as far as no other
    page has a right to them.
    """
    made = [page_code(claim.repository, claim.addresses[0]) for claim in claims]
    long = [_long_code(claim) for claim in claims]
    asked = _grant_asked(claims, made, long)
    taken = Counter(made) + Counter(code for place, code in asked.items() if code != made[place])
    codes = [
        asked.get(place) or (made[place] if taken[made[place]] == 1 else long[place]) for place in range(len(made))
    ]
    aliases = _aliases(claims, made, codes)
    return tuple(
        Grant(code=code, aliases=also, diagnostic=_explain(claim, code, of_address))
        for claim, code, also, of_address in zip(claims, codes, aliases, made, strict=True)
    )


def _grant_asked(claims: Sequence[PageClaim], made: Sequence[str], long: Sequence[str]) -> dict[int, str]:
    """The places of the pages that get what they ask for."""
    owners: dict[str, set[int]] = {}
    for place, claim in enumerate(claims):
        for code in (long[place],) if claim.slug is None else (long[place], made[place]):
            owners.setdefault(code, set()).add(place)
    granted: dict[str, int] = {}
    asking = [(one.repository, one.slug, place) for place, one in enumerate(claims) if one.slug is not None]
    for _, _, place in sorted(asking):
        wanted = claims[place].asked
        if wanted is not None and place in owners.get(wanted, {place}):
            granted.setdefault(wanted, place)
    return {place: code for code, place in granted.items()}


def _aliases(claims: Sequence[PageClaim], made: Sequence[str], codes: Sequence[str]) -> list[tuple[str, ...]]:
    """For each page the codes of its addresses that nobody else has a right to."""
    rights = [
        {code, of_address, *(page_code(claim.repository, path) for path in claim.addresses)}
        for claim, code, of_address in zip(claims, codes, made, strict=True)
    ]
    counted = Counter(code for of_page in rights for code in of_page)
    return [
        tuple(sorted(one for one in of_page if one != code and counted[one] == 1))
        for of_page, code in zip(rights, codes, strict=True)
    ]


def _explain(claim: PageClaim, code: str, of_address: str) -> Diagnostic | None:
    if claim.slug is None:
        return None
    if claim.asked not in (None, code):
        return diagnostics.make("W313", claim.path, 1, asked=claim.asked, got=code)
    if code not in (claim.asked, of_address):
        return diagnostics.make("W314", claim.path, shared=of_address, got=code)
    return None


def _long_code(claim: PageClaim) -> str:
    nth = "" if claim.nth == 1 else f"\n{claim.nth}"
    return f"DOC-{number_of(claim.repository, RepoPath(f'{claim.addresses[0]}{nth}'), LONG_BITS)}"


def _number(text: str, bits: int) -> int:
    digest = hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).digest()
    return int.from_bytes(digest[: bits // 8], "big")
