"""All repositories of one owner: pages by the server's count, never by the length of an answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pipeline.errors import AccessDenied, RepositoryNotFound, SourceError, SourceUnreachable
from pipeline.sources.answers import read_json
from pipeline.sources.gitea_api import API, REPOSITORIES, SEARCH, SETTINGS, RepositoryRow
from pipeline.sources.transport import Response, Transport, path_of

LIMIT = 50
MOST_PAGES = 10_000
EXPECTED = "a list of repositories"
SEARCH_PATH = f"{API}/repos/search"
SEARCH_BY = "search "
BY_ID = (("sort", "id"), ("order", "asc"))
NOT_THIS_WAY = frozenset({403, 404})
LINK = re.compile(r'<([^<>]{1,2000})>[ ]?;[ ]?rel="(next|last)"')
PAGE = re.compile(r"[?&]page=([0-9]{1,6})(?:&|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One answer.  `total` is the server's count before it filters, `last` the last page's number by
    its links (`next` where they only tell that); None where they are missing.
    """

    number: int
    rows: tuple[RepositoryRow, ...]
    total: int | None
    last: int | None
    next: int | None
    observed_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerListing:
    """What one owner has.  `trouble` is why it may not be all, None when it is."""

    rows: tuple[RepositoryRow, ...]
    observed_at: datetime | None
    trouble: SourceError | None


@dataclass(frozen=True, slots=True)
class Way:
    """One of the lists that hold an owner's repositories; what the server's traits call it."""

    name: str
    path: str
    query: tuple[tuple[str, str], ...] = ()


async def list_owner(transport: Transport, owner: str, traits: MutableMapping[str, str]) -> OwnerListing:
    """List one owner's repositories; a listing that contradicts itself is asked for once more.

    Never raises `SourceError`: trouble is part of the answer.
    """
    found = await _list_once(transport, owner, traits)
    if isinstance(found.trouble, _Contradiction):
        found = await _list_once(transport, owner, traits)
    return found


class _Contradiction(SourceUnreachable):
    """Pages that do not fit together, as when a repository came or went between two of them."""


async def _list_once(transport: Transport, owner: str, traits: MutableMapping[str, str]) -> OwnerListing:
    try:
        way, first = await _find_way(transport, owner, traits)
        last = await _count_pages(transport, way, first, traits)
    except SourceError as error:
        return OwnerListing(rows=(), observed_at=None, trouble=error)
    if last is None:
        pages, trouble = await _walk(transport, way, first)
    else:
        pages, trouble = await _gather(transport, way, first, last)
    rows = tuple(row for page in pages for row in page.rows if _belongs(row, owner))
    trouble = trouble or _contradiction(pages)
    return OwnerListing(rows=_unique(rows), observed_at=first.observed_at, trouble=trouble)


# --- which list


async def _find_way(transport: Transport, owner: str, traits: MutableMapping[str, str]) -> tuple[Way, Page]:
    """The list that answers, and its first page: the remembered one, else a user's, an organisation's, a search.

    A user's list serves organisations too.  A search is for tokens that may read repositories and
    nothing of accounts: it tells the owner's number, by which it can be asked for that owner alone.
    """
    trait = f"owner {owner.casefold()}"
    remembered = _way_named(traits.pop(trait, ""), owner)
    refused = False
    for way in (*remembered, *_accounts(owner)):
        answer = await _ask(transport, way, 1)
        if isinstance(answer, Page) and (not way.query or _is_of(answer, owner)):
            traits[trait] = way.name
            return way, answer
        refused = refused or answer == 403
    if not refused:
        raise RepositoryNotFound("HTTP 404")
    return await _find_by_search(transport, owner, traits)


def _accounts(owner: str) -> tuple[Way, ...]:
    return tuple(Way(kind, f"{API}/{path_of(kind, owner, 'repos')}") for kind in ("users", "orgs"))


def _way_named(name: str, owner: str) -> tuple[Way, ...]:
    if name.startswith(SEARCH_BY):
        return (Way(name, SEARCH_PATH, (("uid", name.removeprefix(SEARCH_BY)), ("exclusive", "true"), *BY_ID)),)
    return tuple(way for way in _accounts(owner) if way.name == name)


async def _find_by_search(transport: Transport, owner: str, traits: MutableMapping[str, str]) -> tuple[Way, Page]:
    """Search for the owner's name, which many may share; where that finds nothing, take all that there is."""
    way = Way("search", SEARCH_PATH, (("q", f"{owner}/"), *BY_ID))
    first = await _first_found(transport, way)
    if not first.rows:
        way = Way("search", SEARCH_PATH, BY_ID)
        first = await _first_found(transport, way)
    numbers = {row.owner.id for row in first.rows if _belongs(row, owner)} - {None}
    if not numbers:
        return way, first
    traits[f"owner {owner.casefold()}"] = name = f"{SEARCH_BY}{numbers.pop()}"
    (way,) = _way_named(name, owner)
    return way, await _page(transport, way, 1)


async def _first_found(transport: Transport, way: Way) -> Page:
    answer = await _ask(transport, way, 1)
    if isinstance(answer, Page):
        return answer
    raise AccessDenied(f"HTTP {answer}: the credentials do not allow this")


def _is_of(page: Page, owner: str) -> bool:
    """False once a number that was remembered belongs to another name, or to nobody."""
    return any(_belongs(row, owner) for row in page.rows)


def _belongs(row: RepositoryRow, owner: str) -> bool:
    return row.owner.login.casefold() == owner.casefold()


async def _ask(transport: Transport, way: Way, number: int) -> Page | int:
    """A page; 403 or 404 where this list is not for us."""
    response = await transport.get(way.path, _query(way, number), allow=NOT_THIS_WAY)
    return read_page(way, response, number) if response.status == 200 else response.status


async def _page(transport: Transport, way: Way, number: int) -> Page:
    return read_page(way, await transport.get(way.path, _query(way, number)), number)


def _query(way: Way, number: int) -> list[tuple[str, str]]:
    return [*way.query, ("limit", str(LIMIT)), ("page", str(number))]


def read_page(way: Way, response: Response, number: int) -> Page:
    """Take one answer apart: a list of repositories, or what a search found.

    Raises:
        SourceUnreachable: it is neither.
    """
    links = _links(response.headers.get("link", ""))
    return Page(
        number=number,
        rows=_rows(way, response.body),
        total=_number(response.headers.get("x-total-count", "")),
        last=links.get("last"),
        next=links.get("next"),
        observed_at=_date(response.headers),
    )


def _rows(way: Way, body: bytes) -> tuple[RepositoryRow, ...]:
    if way.path == SEARCH_PATH:
        return read_json(body, SEARCH, EXPECTED).data
    return read_json(body, REPOSITORIES, EXPECTED)


# --- how many pages


async def _count_pages(transport: Transport, way: Way, first: Page, traits: MutableMapping[str, str]) -> int | None:
    """How many pages there are; None when only their links lead from one to the next.

    The server may give fewer rows than asked for: its links know, else its settings do.

    Raises:
        SourceUnreachable: it tells neither, or what it tells is absurd.
    """
    if first.total is None:
        if first.last is None and first.next is None and len(first.rows) == LIMIT:
            await _confirm_whole(transport, way, first)
        count = first.last or (None if first.next else 1)
    else:
        limit = await _page_size(transport, traits) if _may_be_clamped(first) else LIMIT
        count = max(1, -(-first.total // limit), first.last or 1)
    if count is not None and count > MOST_PAGES:
        raise SourceUnreachable(f"a count of more than {MOST_PAGES} pages")
    return count


def _may_be_clamped(first: Page) -> bool:
    """True for a short first page of many, without links: filtered, or cut at the server's own limit?"""
    return (first.total or 0) > LIMIT > len(first.rows) and first.last is None


async def _confirm_whole(transport: Transport, way: Way, first: Page) -> None:
    """Gogs tells no count and gives everything at once: then its page 2 is the same again, or empty.

    Raises:
        SourceUnreachable: page 2 is another, so that nobody knows how many there are.
    """
    second = await _page(transport, way, 2)
    if second.rows and {row.id for row in second.rows} != {row.id for row in first.rows}:
        raise SourceUnreachable("a full page without X-Total-Count or Link; expected one of them")


async def _page_size(transport: Transport, traits: MutableMapping[str, str]) -> int:
    """How many rows the server gives at most."""
    if "items" not in traits:
        response = await transport.get(f"{API}/settings/api")
        traits["items"] = str(read_json(response.body, SETTINGS, "the server's limits").max_response_items)
    return min(LIMIT, _number(traits["items"]) or LIMIT)


async def _gather(
    transport: Transport, way: Way, first: Page, last: int
) -> tuple[tuple[Page, ...], SourceError | None]:
    """The other pages side by side; the first trouble, in their order, is told and the rest kept."""
    answers = await asyncio.gather(*(_page_or_trouble(transport, way, number) for number in range(2, last + 1)))
    pages = tuple(page for page in answers if isinstance(page, Page))
    troubles = [answer for answer in answers if not isinstance(answer, Page)]
    return (first, *pages), troubles[0] if troubles else None


async def _page_or_trouble(transport: Transport, way: Way, number: int) -> Page | SourceError:
    try:
        return await _page(transport, way, number)
    except SourceError as error:
        return error


async def _walk(transport: Transport, way: Way, first: Page) -> tuple[tuple[Page, ...], SourceError | None]:
    """Follow `next` by its page number alone; it must lead on."""
    pages = [first]
    while pages[-1].next is not None:
        if pages[-1].next <= pages[-1].number or len(pages) >= MOST_PAGES:
            return tuple(pages), SourceUnreachable("a listing whose next page does not lead on")
        answer = await _page_or_trouble(transport, way, pages[-1].next)
        if not isinstance(answer, Page):
            return tuple(pages), answer
        pages.append(answer)
    return tuple(pages), None


def _contradiction(pages: tuple[Page, ...]) -> SourceError | None:
    if len({page.total for page in pages}) > 1:
        return _Contradiction("the number of repositories changed while they were listed")
    ids = [row.id for page in pages for row in page.rows]
    if len(set(ids)) != len(ids):
        return _Contradiction("a repository was listed twice")
    total = pages[0].total
    if total is not None and len(ids) > total:
        return _Contradiction("more repositories were listed than counted")
    return None


def _unique(rows: tuple[RepositoryRow, ...]) -> tuple[RepositoryRow, ...]:
    return tuple({row.id: row for row in rows}.values())


def _links(header: str) -> dict[str, int]:
    """The page numbers of `next` and `last`; their hosts are not for us."""
    found = ((PAGE.search(url), name) for url, name in LINK.findall(header[:8000]))
    return {name: int(page.group(1)) for page, name in found if page}


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _date(headers: Mapping[str, str]) -> datetime | None:
    try:
        moment = parsedate_to_datetime(headers.get("date", ""))
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        return None
