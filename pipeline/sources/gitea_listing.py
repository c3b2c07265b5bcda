"""All repositories of one owner: pages by the server's count, never by the length of an answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pipeline.errors import RepositoryNotFound, SourceError, SourceUnreachable
from pipeline.sources.answers import read_json
from pipeline.sources.gitea_api import API, REPOSITORIES, SETTINGS, RepositoryRow
from pipeline.sources.transport import Response, Transport, path_of

LIMIT = 50
MOST_PAGES = 10_000
EXPECTED = "a list of repositories"
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


async def list_owner(transport: Transport, owner: str) -> OwnerListing:
    """List one owner's repositories; a listing that contradicts itself is asked for once more.

    Never raises `SourceError`: trouble is part of the answer.
    """
    found = await _list_once(transport, owner)
    if isinstance(found.trouble, _Contradiction):
        found = await _list_once(transport, owner)
    return found


class _Contradiction(SourceUnreachable):
    """Pages that do not fit together, as when a repository came or went between two of them."""


async def _list_once(transport: Transport, owner: str) -> OwnerListing:
    try:
        path, first = await _first_page(transport, owner)
        last = await _count_pages(transport, first)
    except SourceError as error:
        return OwnerListing(rows=(), observed_at=None, trouble=error)
    if last is None:
        pages, trouble = await _walk(transport, path, first)
    else:
        pages, trouble = await _gather(transport, path, first, last)
    rows = tuple(row for page in pages for row in page.rows)
    trouble = trouble or _contradiction(pages)
    return OwnerListing(rows=_unique(rows), observed_at=first.observed_at, trouble=trouble)


async def _first_page(transport: Transport, owner: str) -> tuple[str, Page]:
    """Page 1 and the path that gave it: a user's, which serves organisations too, else an organisation's."""
    try:
        path = f"{API}/{path_of('users', owner, 'repos')}"
        return path, await _page(transport, path, 1)
    except RepositoryNotFound:
        path = f"{API}/{path_of('orgs', owner, 'repos')}"
        return path, await _page(transport, path, 1)


async def _page(transport: Transport, path: str, number: int) -> Page:
    response = await transport.get(path, [("limit", str(LIMIT)), ("page", str(number))])
    return read_page(response, number)


def read_page(response: Response, number: int) -> Page:
    """Take one answer apart.

    Raises:
        SourceUnreachable: it is not a list of repositories.
    """
    links = _links(response.headers.get("link", ""))
    return Page(
        number=number,
        rows=read_json(response.body, REPOSITORIES, EXPECTED),
        total=_number(response.headers.get("x-total-count", "")),
        last=links.get("last"),
        next=links.get("next"),
        observed_at=_date(response.headers),
    )


async def _count_pages(transport: Transport, first: Page) -> int | None:
    """How many pages there are; None when only their links lead from one to the next.

    The server may give fewer rows than asked for: its links know, else its settings do.

    Raises:
        SourceUnreachable: it tells neither, or what it tells is absurd.
    """
    if first.total is None:
        if first.last is None and first.next is None and len(first.rows) >= LIMIT:
            raise SourceUnreachable("a full page without X-Total-Count or Link; expected one of them")
        count = first.last or (None if first.next else 1)
    else:
        limit = await _page_size(transport) if _may_be_clamped(first) else LIMIT
        count = max(1, -(-first.total // limit), first.last or 1)
    if count is not None and count > MOST_PAGES:
        raise SourceUnreachable(f"a count of more than {MOST_PAGES} pages")
    return count


def _may_be_clamped(first: Page) -> bool:
    """True for a short first page of many, without links: filtered, or cut at the server's own limit?"""
    return (first.total or 0) > LIMIT > len(first.rows) and first.last is None


async def _page_size(transport: Transport) -> int:
    response = await transport.get(f"{API}/settings/api")
    return min(LIMIT, read_json(response.body, SETTINGS, "the server's limits").max_response_items)


async def _gather(
    transport: Transport, path: str, first: Page, last: int
) -> tuple[tuple[Page, ...], SourceError | None]:
    """The other pages side by side; the first trouble, in their order, is told and the rest kept."""
    answers = await asyncio.gather(*(_page_or_trouble(transport, path, number) for number in range(2, last + 1)))
    pages = tuple(page for page in answers if isinstance(page, Page))
    troubles = [answer for answer in answers if not isinstance(answer, Page)]
    return (first, *pages), troubles[0] if troubles else None


async def _page_or_trouble(transport: Transport, path: str, number: int) -> Page | SourceError:
    try:
        return await _page(transport, path, number)
    except SourceError as error:
        return error


async def _walk(transport: Transport, path: str, first: Page) -> tuple[tuple[Page, ...], SourceError | None]:
    """Follow `next` by its page number alone; it must lead on."""
    pages = [first]
    while pages[-1].next is not None:
        if pages[-1].next <= pages[-1].number or len(pages) >= MOST_PAGES:
            return tuple(pages), SourceUnreachable("a listing whose next page does not lead on")
        answer = await _page_or_trouble(transport, path, pages[-1].next)
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
