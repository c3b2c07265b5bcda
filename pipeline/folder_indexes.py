"""Indexes of a wiki's folders (`concepts/_index.md`): order, titles and descriptions for what the top one leaves out.

They are pages as well, so what is wrong with them is what is wrong with a page.  Pure, never raises.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from pipeline.model import IndexEntry, RepoPath
from pipeline.parse.targets import Place
from pipeline.parse.wiki_index import parse_index

NAMES = ("index", "_index")
# A page lies below at most so many of them, so that folders in folders cost no more than their pages.
DEEPEST = 4


def read_folder_indexes(slugs: Sequence[str], raw_of: Callable[[str], bytes | None]) -> dict[str, IndexEntry]:
    """The pages that the indexes of their folders name, by index in the order of `slugs`, then in the index's order.

    `slugs` are all pages; `raw_of` gives the bytes of one, None when they are not there.  Of two names for one page
    the first counts.
    """
    indexes = _find_indexes(slugs)
    below: dict[str, list[str]] = defaultdict(list)
    for slug in slugs:
        for folder in _folders(slug):
            below[folder].append(slug)
    named: dict[str, IndexEntry] = {}
    for folder, index in indexes.items():
        for slug, entry in _read(index, raw_of(index) or b"", below[folder]):
            named.setdefault(slug, entry)
    return named


def _find_indexes(slugs: Sequence[str]) -> dict[str, str]:
    """The index of each folder that has one, in the order given; `index` before `_index`."""
    found: dict[str, str] = {}
    for slug in slugs:
        folder, _, last = slug.rpartition("/")
        if folder and last.lower() in NAMES and folder.count("/") < DEEPEST:
            is_better = last.lower() == NAMES[0] and found.get(folder, "").rpartition("/")[2].lower() != NAMES[0]
            if folder not in found or is_better:
                found[folder] = slug
    return found


def _folders(slug: str) -> Iterator[str]:
    """The uppermost folders that a page is in."""
    parts = slug.split("/")[: DEEPEST + 1]
    return ("/".join(parts[:count]) for count in range(1, min(len(parts), DEEPEST + 1)))


def _read(index: str, raw: bytes, below: Sequence[str]) -> Iterator[tuple[str, IndexEntry]]:
    """The entries for pages of the folder; a target is read from there, else from the wiki's top."""
    above = index[: index.rindex("/") + 1]
    pages = frozenset(below)
    _, entries, _ = parse_index(RepoPath(index), raw, [slug[len(above) :] for slug in below])
    for entry in entries:
        page = Place(entry.type, entry.slug).page
        whole = above + page if above + page in pages else page
        if whole in pages and whole != index:
            yield whole, entry
