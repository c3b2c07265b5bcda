"""Catalog → the files of the report's folder, as (site path, mark, bytes).

Pure given a catalog: no clock, no host name, no path of this machine, so two builds are byte-identical.
Long lists are cut into sheets and each page is made when it is asked for, so that ten thousand
repositories need no more memory than ten.  What a page shows is known by its mark before it is made, so
that one change makes few pages.  Repository text is shown as text: everything is escaped, and a link is
never made of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from pipeline.report_sheets import Outline, Section, cut, sheet_name, starts
from pipeline.report_views import (
    DiagnosticLine,
    HealthView,
    IndexView,
    Overview,
    ProjectLine,
    ProjectView,
    Shortlist,
    TaskLine,
    TasksView,
)

PROJECTS_ON_A_SHEET = 100
LINES_ON_A_SHEET = 500
SHORTLIST = 5

Line = TypeVar("Line")


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
    view: Callable[[], IndexView | TasksView | HealthView | ProjectView]

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
    yield from _index_pages(catalog, (lists, survey), words)
    yield from _task_pages(lists, survey, words)
    yield from _health_pages(lists, survey, words)
    # A repository that is shared shows the pages of the one shared wiki, which may be another.
    wiki = [stamp.mark for stamp in known if stamp.project == catalog.store.shared_wiki]
    for stamp in known:
        yield _project_page(catalog, stamp, [stamp.mark, *wiki] if stamp.shared else stamp.mark)


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


def _index_pages(catalog: Catalog, shown: tuple[Lists, Survey], words: Messages) -> Iterator[Page]:
    lists, survey = shown

    def view(outline: Outline[ProjectLine]) -> IndexView:
        return IndexView(
            sheet=outline.sheet(),
            pager=report_lines.pager(outline, "index", "projects"),
            overview=_overview(catalog, lists, survey) if outline.number == 1 else None,
        )

    for outline in cut([lists.projects], PROJECTS_ON_A_SHEET):
        path = sheet_name("index", "projects", outline.number)
        yield _list_page(path, ("index", "projects"), words, outline, view)


def _task_pages(lists: Lists, survey: Survey, words: Messages) -> Iterator[Page]:
    def view(outline: Outline[TaskLine]) -> TasksView:
        return TasksView(
            sheet=outline.sheet(),
            pager=report_lines.pager(outline, "tasks", "tasks"),
            tiles=report_lines.tiles(survey.tasks, outline.starts),
        )

    for outline in cut(list(lists.tasks.values()), LINES_ON_A_SHEET):
        path = sheet_name("tasks", "tasks", outline.number)
        yield _list_page(path, ("tasks", "tasks"), words, outline, view)


def _health_pages(lists: Lists, survey: Survey, words: Messages) -> Iterator[Page]:
    def view(outline: Outline[ProjectLine | DiagnosticLine]) -> HealthView:
        is_first = outline.number == 1
        return HealthView(
            sheet=outline.sheet(),
            pager=report_lines.pager(outline, "health", "health"),
            sources=survey.sources if is_first else (),
            codes=report_lines.code_meanings(survey.codes) if is_first else (),
        )

    sections: Sequence[Section[Any]] = (lists.troubled, *lists.diagnostics.values())
    for outline in cut(sections, LINES_ON_A_SHEET):
        path = sheet_name("health", "health", outline.number)
        yield _list_page(path, ("health", "health"), words, outline, view)


def _list_page(
    path: str,
    place: tuple[str, str],
    words: Messages,
    outline: Outline[Line],
    view: Callable[[Outline[Line]], IndexView | TasksView | HealthView],
) -> Page:
    """One sheet of a list; the first one has more than its rows, so it is always made."""
    template, section = place
    return Page(
        path=path,
        template=f"{template}.html",
        section=section,
        title=_title(words, template, outline),
        made_of=outline.made_of() if outline.number > 1 else None,
        view=lambda: view(outline),
    )


def _overview(catalog: Catalog, lists: Lists, survey: Survey) -> Overview:
    on_tasks = starts(survey.tasks, LINES_ON_A_SHEET)
    on_health = starts({"repositories": survey.troubled, **survey.diagnostics}, LINES_ON_A_SHEET)
    blocked = report_rows.latest_tasks(catalog, "blocked", SHORTLIST)
    troubled = report_rows.first_rows(lists.troubled, SHORTLIST)
    errors = report_rows.first_rows(lists.diagnostics["error"], SHORTLIST)
    return Overview(
        projects=survey.projects,
        tasks=sum(survey.tasks.values()),
        wiki_pages=survey.wiki_pages,
        tiles=report_lines.tiles(survey.tasks, on_tasks),
        blocked=Shortlist(
            total=survey.tasks["blocked"],
            href=report_lines.sheet_href("tasks", "blocked", on_tasks),
            lines=blocked,
        ),
        troubled=Shortlist(
            total=survey.troubled,
            href=report_lines.sheet_href("health", "repositories", on_health),
            lines=troubled,
        ),
        errors=Shortlist(
            total=survey.diagnostics["error"],
            href=report_lines.sheet_href("health", "error", on_health),
            lines=errors,
        ),
    )


def _title(words: Messages, list_name: str, outline: Outline[Line]) -> str:
    title = words.text(f"{list_name}.title")
    if outline.of == 1:
        return title
    return f"{title} · {words.text('list.page', number=outline.number, of=outline.of)}"
