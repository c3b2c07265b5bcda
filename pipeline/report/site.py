"""Catalog → the files of the report's folder, as (site path, mark, bytes).

Pure given a catalog: no clock, no host name, no path of this machine, so two builds are byte-identical.
Long lists are cut into sheets and each page is made when it is asked for, so that ten thousand
repositories need no more memory than ten.  What a page shows is known by its mark before it is made, so
that one change makes few pages.  Repository text is shown as text: everything is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import replace
from types import MappingProxyType

from jinja2 import Environment

from pipeline import messages
from pipeline.catalog import Catalog
from pipeline.catalog.survey import stamps
from pipeline.messages import Language
from pipeline.model import RepositoryId, RootsFile
from pipeline.report import (
    about,
    changes,
    health,
    knowledge_roots,
    lines,
    overview,
    press,
    project,
    projects,
    rows,
    search,
    tasks,
    wiki,
)
from pipeline.report.page import File, Kept, Page, Site, Standing, is_same

# Each answers the pages and files of its part of the report, in an order of its own.
PARTS = (
    overview.pages,
    projects.pages,
    tasks.pages,
    changes.pages,
    health.pages,
    about.pages,
    knowledge_roots.pages,
    project.pages,
    wiki.pages,
    search.pages,
)
# Of these the pages of a project show what its own rows say, whatever other projects there are.
OF_PROJECTS = (project.pages, wiki.pages)
NAVIGATION = (
    ("overview", "index.html"),
    ("projects", "projects.html"),
    ("tasks", "tasks.html"),
    ("changes", "changes.html"),
    ("health", "health.html"),
    ("search", "search.html"),
)
ROOTS_PLACE = ("roots", "roots.html")


def render_site(
    catalog: Catalog,
    language: Language,
    standing: Mapping[str, str] = MappingProxyType({}),
    *,
    read: Callable[[str], bytes] | None = None,
    has_pages: bool = True,
    roots: RootsFile | None = None,
    made: Set[str] = frozenset(),
) -> Iterator[tuple[str, str | None, bytes | None]]:
    """Render every file of the report; each path once, in the same order for the same catalog.

    `standing` tells with which mark, in this language and by this code, pages were made that are there: one
    whose mark is still the same is right, and None stands for its bytes.  A mark of None: always made.
    `read` gives the bytes of a file that is there, for what is kept up to date instead of being made anew.
    `has_pages` False leaves out the pages of wiki pages, and all links to them.  `made` are the paths of those that
    `render_projects` has made of this very catalog.
    """
    printer = _open_press(language, has_roots=roots is not None)
    for name, asset in press.assets(language):
        yield name, None, asset
    for entry in _entries(survey(catalog, language, Standing(standing, read), has_pages=has_pages, roots=roots)):
        if isinstance(entry, Kept) or entry.path in made or is_same(standing.get(entry.path), entry.mark):
            yield entry.path, entry.mark, None
        else:
            yield entry.path, entry.mark, _made(printer, entry)


def render_projects(
    catalog: Catalog, language: Language, chosen: Set[RepositoryId], *, has_pages: bool, roots: RootsFile | None
) -> Iterator[tuple[str, bytes]]:
    """Render the pages of some projects and of their wikis, as `render_site` would."""
    printer = _open_press(language, has_roots=roots is not None)
    whole = survey(catalog, language, Standing(), has_pages=has_pages, roots=roots)
    some = replace(whole, stamps=tuple(stamp for stamp in whole.stamps if stamp.project in chosen))
    for part in OF_PROJECTS:
        for entry in part(some):
            if isinstance(entry, Page):
                yield entry.path, _made(printer, entry)


def survey(
    catalog: Catalog, language: Language, standing: Standing, *, has_pages: bool, roots: RootsFile | None
) -> Site:
    """What every part of the report may ask."""
    known = stamps(catalog)
    lists = rows.lists(catalog, known)
    return Site(
        catalog=catalog,
        words=messages.load(language),
        stamps=known,
        lists=lists,
        survey=rows.survey(catalog, known, lists),
        has_pages=has_pages,
        standing=standing,
        roots=roots,
    )


def _entries(site: Site) -> Iterator[Page | File | Kept]:
    for part in PARTS:
        yield from part(site)


def _open_press(language: Language, *, has_roots: bool) -> Environment:
    """The templates with the columns of the lists."""
    printer = press.open_press(language)
    printer.globals.update(
        navigation=(*NAVIGATION, ROOTS_PLACE) if has_roots else NAVIGATION,
        columns=lines.COLUMNS,
        wide_columns=lines.WIDE_COLUMNS,
        folded=lines.FOLDED,
    )
    return printer


def _made(printer: Environment, entry: Page | File) -> bytes:
    if isinstance(entry, File):
        return entry.content()
    root = "../" * entry.path.count("/")
    html = printer.get_template(entry.template).render(
        view=entry.view(), path=entry.path, section=entry.section, title=entry.title, root=root
    )
    return html.encode()
