"""Catalog → the files of the report's folder, as (site path, mark, bytes).

Pure given a catalog: no clock, no host name, no path of this machine, so two builds are byte-identical.
Long lists are cut into sheets and each page is made when it is asked for, so that ten thousand
repositories need no more memory than ten.  What a page shows is known by its mark before it is made, so
that one change makes few pages.  Repository text is shown as text: everything is escaped, and a link is
never made of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

import orjson
from jinja2 import Environment

from pipeline import messages, report_lines, report_press, report_rows
from pipeline.catalog import Catalog
from pipeline.catalog.survey import Stamp, stamps
from pipeline.messages import Language, Messages
from pipeline.model import RepositoryId, split_id
from pipeline.report_rows import Lists, Survey
from pipeline.report_sheets import LongList, Sheet
from pipeline.report_views import (
    HealthView,
    IndexView,
    Link,
    Overview,
    ProjectView,
    SheetView,
    Shortlist,
    TasksView,
)

SHORTLIST = 5

Line = TypeVar("Line")
ListView = IndexView | TasksView | HealthView


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page before it is rendered.  `section` is its place in the navigation.

    `made_of` is plain data, equal only for pages that look the same; None where that is known only when
    the page is made.
    """

    path: str
    template: str
    section: str
    title: str
    made_of: object | None
    view: Callable[[], ListView | SheetView[Any] | ProjectView]

    @property
    def mark(self) -> str | None:
        """A digest of what it is made of."""
        return None if self.made_of is None else _digest(orjson.dumps([self.title, self.made_of]))


def render_site(
    catalog: Catalog, language: Language, standing: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[str, str | None, bytes | None]]:
    """Render every file of the report; each path once, in the same order for the same catalog.

    `standing` tells with which mark, in this language and by this code, pages were made that are there: one
    whose mark is still the same is right, and None stands for its bytes.  A mark of None: always made.
    """
    words = messages.load(language)
    press = _open_press(language)
    for name in report_press.ASSETS:
        yield name, None, report_press.read_asset(name)
    for page in _pages(catalog, words):
        mark = page.mark
        is_right = mark is not None and standing.get(page.path) == mark
        yield page.path, mark, None if is_right else _render(press, page)


def project_page(repository: RepositoryId) -> str:
    """The site path of a project's page."""
    return report_lines.project_href(repository)


def _open_press(language: Language) -> Environment:
    """The templates with the columns of the lists."""
    press = report_press.open_press(language)
    press.globals.update(
        columns=report_lines.COLUMNS, wide_columns=report_lines.WIDE_COLUMNS, folded=report_lines.FOLDED
    )
    return press


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:32]


def _render(press: Environment, page: Page) -> bytes:
    root = "../" * page.path.count("/")
    html = press.get_template(page.template).render(
        view=page.view(), path=page.path, section=page.section, title=page.title, root=root
    )
    return html.encode()


def _pages(catalog: Catalog, words: Messages) -> Iterator[Page]:
    known = stamps(catalog)
    lists = report_rows.lists(catalog, known)
    survey = report_rows.survey(catalog, known, lists)
    yield from _list_pages("index", lists.projects, lambda: _index(catalog, lists, survey), words)
    yield from _list_pages("tasks", lists.tasks, lambda: _tasks(lists, survey), words)
    yield from _list_pages("health", lists.health, lambda: _health(lists, survey), words)
    # A repository that is shared shows the pages of the one shared wiki, which may be another.
    wiki = [stamp.mark for stamp in known if stamp.project == catalog.store.shared_wiki]
    for stamp in known:
        yield _project_page(catalog, stamp, [stamp.mark, *wiki] if stamp.shared else stamp.mark)


def _index(catalog: Catalog, lists: Lists, survey: Survey) -> IndexView:
    return IndexView(overview=_overview(catalog, lists, survey), parts=lists.projects.opening())


def _tasks(lists: Lists, survey: Survey) -> TasksView:
    return TasksView(parts=lists.tasks.opening(), tiles=report_lines.tiles(survey.tasks, lists.tasks.places()))


def _health(lists: Lists, survey: Survey) -> HealthView:
    return HealthView(
        parts=lists.health.opening(), sources=survey.sources, codes=report_lines.code_meanings(survey.codes)
    )


def _project_page(catalog: Catalog, stamp: Stamp, made_of: object) -> Page:
    _, owner, name = split_id(stamp.project)
    return Page(
        path=project_page(stamp.project),
        template="project.html",
        section="projects",
        title=f"{owner}/{name}",
        made_of=made_of,
        view=lambda: report_rows.project_view(catalog, report_rows.project(catalog, stamp.project)),
    )


def _list_pages(name: str, rows: LongList[Line], view: Callable[[], ListView], words: Messages) -> Iterator[Page]:
    """The first page of a list and its sheets; the first one has more than its rows, so it is always made."""
    title = words.text(f"{name}.title")
    place = "projects" if name == "index" else name
    yield Page(path=rows.file, template=f"{name}.html", section=place, title=title, made_of=None, view=view)
    home = Link(href=rows.file, text=title)
    for sheet in rows.sheets():
        yield _sheet_page(sheet, place, home, _heading(words, name, sheet.section.key))


def _sheet_page(sheet: Sheet[Line], place: str, home: Link, heading: str) -> Page:
    pager = report_lines.pager(sheet)
    return Page(
        path=sheet.file,
        template="sheet.html",
        section=place,
        title=f"{heading} · {pager.first} – {pager.last}",
        made_of=sheet.made_of(),
        view=lambda: SheetView(home=home, key=sheet.section.key, heading=heading, pager=pager, rows=sheet.rows()),
    )


def _heading(words: Messages, name: str, key: str) -> str:
    """What a section of a list is called."""
    if name == "tasks":
        return words.text(f"status.{key}")
    named = {"all": "index.table", "repositories": "health.repositories_troubled"}
    return words.text(named.get(key, f"severity.{key}"))


def _overview(catalog: Catalog, lists: Lists, survey: Survey) -> Overview:
    task_places, health_places = lists.tasks.places(), lists.health.places()
    return Overview(
        projects=survey.projects,
        tasks=sum(survey.tasks.values()),
        wiki_pages=survey.wiki_pages,
        tiles=report_lines.tiles(survey.tasks, task_places),
        blocked=Shortlist(
            total=survey.tasks["blocked"],
            href=task_places.get("blocked"),
            lines=report_rows.latest_tasks(catalog, "blocked", SHORTLIST),
        ),
        troubled=Shortlist(
            total=lists.troubled.total,
            href=health_places.get("repositories"),
            lines=lists.troubled.first_rows(SHORTLIST),
        ),
        errors=Shortlist(
            total=lists.errors.total,
            href=health_places.get("error"),
            lines=lists.errors.first_rows(SHORTLIST),
        ),
    )
