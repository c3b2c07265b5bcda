"""search.html, and the search index: made anew only as far as texts changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pipeline import scripts
from pipeline.report.page import File, Page, Site
from pipeline.report.search_index import Index, read_index, told
from pipeline.report.search_shards import CALL
from pipeline.report.search_update import Update

INDEX = "a/search-index.js"
FOLDER = "a/s/"


def pages(site: Site) -> Iterator[Page | File]:
    """The page, the files of its index, and the one that names them."""
    title = site.words.text("search.title")
    yield Page(
        path="search.html", template="search.html", section="search", title=title, made_of="search", view=lambda: None
    )
    paths = [path for path in site.standing.marks if path.startswith(FOLDER)]
    index = _index(site, paths, lambda: _read(site, INDEX))
    if site.standing.marks.get(INDEX) == index.mark:
        yield from (_kept(site, path) for path in paths)
        yield index
    else:
        yield from _update(site, frozenset(paths))


def _update(site: Site, paths: frozenset[str]) -> Iterator[File]:
    update = Update(site, _standing(site, paths), lambda name: _read(site, _path(name)))
    made = []
    for name, script in update.files():
        path = _path(name)
        made.append(path)
        yield _kept(site, path) if script is None else _new(path, script)
    yield _index(site, made, lambda: scripts.call(CALL, "index", update.index.plain))


def _index(site: Site, paths: Iterable[str], content: Callable[[], bytes]) -> File:
    """The file that names all others; right only together with them."""
    made_of = [[stamp.mark for stamp in site.stamps], site.catalog.store.shared_wiki, site.has_pages, sorted(paths)]
    return File(path=INDEX, made_of=made_of, content=content)


def _standing(site: Site, paths: frozenset[str]) -> Index:
    """The index that is there; an empty one when it is not, or not whole."""
    if site.standing.read is None or INDEX not in site.standing.marks:
        return Index()
    index = read_index(told(site.standing.read(INDEX)))
    return index if index.files == len(paths) else Index()


def _read(site: Site, path: str) -> bytes:
    if site.standing.read is None:
        raise FileNotFoundError(path)
    return site.standing.read(path)


def _path(name: str) -> str:
    return f"{FOLDER}{name}.js"


def _kept(site: Site, path: str) -> File:
    return File(path=path, made_of=path, content=lambda: _read(site, path))


def _new(path: str, script: bytes) -> File:
    return File(path=path, made_of=path, content=lambda: script)
