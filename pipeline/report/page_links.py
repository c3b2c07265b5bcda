"""Where the links of a wiki page lead in the report: the same ends that the wiki itself gives them.  Pure."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from pipeline import layout, links
from pipeline.catalog.shelf import Shelf
from pipeline.model import RepoPath
from pipeline.parse.links import Reference
from pipeline.report.anchors import fragment
from pipeline.report.destinations import DEAD, PLAIN, Destination, Resolve, host_of, outside

# The path of a file in its repository → where its source shows it.
Address = Callable[[str], str | None]


def follower(shelf: Shelf) -> Callable[[str, str, Address], Resolve]:
    """What gives each page of a wiki, by its slug, the folder of the report as seen from it, and the addresses of
    files, its `Resolve`.  The wiki is looked through when a first link is followed.
    """
    wiki = cache(lambda: _wiki(shelf))
    attachments = cache(lambda: frozenset(shelf.attachments))

    def of_page(slug: str, root: str, address: Address) -> Resolve:
        def resolve(target: str, is_wikilink: bool, label: str) -> Destination:
            place = outside(target)
            if place is not None:
                return place
            end = wiki().resolve(slug, Reference("wikilink" if is_wikilink else "link", target, label, 0))
            if isinstance(end, links.Dead):
                return DEAD
            if end is not None:
                part = target.partition("#")[2]
                href = f"{root}{layout.wiki_href(shelf.project, end)}"
                return Destination("page", f"{href}#{fragment(part)}" if part else href)
            path = wiki().place(slug, target)
            return PLAIN if path is None else _beside(shelf, attachments(), path, root, address)

        return resolve

    return of_page


def _beside(shelf: Shelf, attachments: frozenset[str], path: str, root: str, address: Address) -> Destination:
    """What is no page of the wiki: its index, which the project's page shows, or a file of it."""
    whole = f"{shelf.root}/{path}".lstrip("/")
    if shelf.index in (whole, f"{whole}.md"):
        return Destination("page", f"{root}{layout.project_href(shelf.project)}#wiki")
    if whole not in attachments:
        return PLAIN
    href = address(whole) or ""
    return Destination("file", href, host_of(href))


def _wiki(shelf: Shelf) -> links.Wiki:
    """The wiki as the links of its pages see it."""
    start = len(f"{shelf.root}/") if shelf.root else 0
    sources = (
        links.Source(slug=page.slug, path=RepoPath(page.path), references=(), names=page.names) for page in shelf.pages
    )
    paths = [*(page.path for page in shelf.pages), *shelf.attachments, *([shelf.index] if shelf.index else [])]
    return links.read_wiki(
        shelf.root,
        sources,
        [path[start:] for path in paths],
        [path[start:] for path in shelf.unread if not shelf.root or path.startswith(f"{shelf.root}/")],
    )
