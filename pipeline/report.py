"""Catalog → the files of the report's folder, as (site path, bytes) pairs; and freshness.js beside the versions.

Pure given a catalog: no clock, no host name, no path of this machine, so two builds are byte-identical.
Long lists are cut into sheets and each page is made when it is asked for, so that ten thousand
repositories need no more memory than ten.  Repository text is shown as text: everything is escaped,
and a link is never made of it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from jinja2 import Environment

from pipeline import codec, messages, report_lines, report_press, report_rows
from pipeline.catalog import Catalog
from pipeline.catalog.answers import ProjectRow
from pipeline.messages import Language, Messages
from pipeline.model import RepositoryId, SyncReading, split_id
from pipeline.report_rows import Survey
from pipeline.report_sheets import Section, Sheet, cut, sheet_name, starts
from pipeline.report_views import (
    DiagnosticLine,
    HealthView,
    IndexView,
    Overview,
    ProjectLine,
    ProjectView,
    Shortlist,
    TasksView,
)

PROJECTS_ON_A_SHEET = 100
LINES_ON_A_SHEET = 500
SHORTLIST = 5
FRESHNESS_NAME = "window.PROJECTS_META_FRESHNESS"
ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
READ_OF_SOURCES = ("source", "state", "reason", "checked_at", "synced_at", "repositories")
READ_BY_PAGES = ("schema_version", "checked_at", "offline", "stale_after_hours", "sources")

Line = TypeVar("Line")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page to be rendered.  `section` is its place in the navigation."""

    path: str
    template: str
    section: str
    title: str
    view: IndexView | TasksView | HealthView | ProjectView


def render_site(
    catalog: Catalog, language: Language, standing: Container[str] = ()
) -> Iterator[tuple[str, bytes | None]]:
    """Render every file of the report; each path once, in the same order for the same catalog.

    A project's page whose path is in `standing` is right already: it is named, with None for its bytes.
    """
    words = messages.load(language)
    press = report_press.open_press(language)
    survey = report_rows.survey(catalog)
    for name in report_press.ASSETS:
        yield name, report_press.read_asset(name)
    for page in _pages(catalog, survey, words):
        yield page.path, _render(press, page)
    for row in report_rows.projects(catalog):
        path = project_page(row.project)
        yield path, None if path in standing else _render(press, _project_page(catalog, row))


def project_page(repository: RepositoryId) -> str:
    """The site path of a project's page."""
    return report_lines.project_href(repository)


def render_freshness(reading: SyncReading) -> bytes:
    """`window.PROJECTS_META_FRESHNESS = {…};`, without the machine's name.

    Per source: source, state, reason, checked_at, synced_at, repositories.
    """
    plain: dict[str, Any] = codec.to_json(reading)
    plain["sources"] = [{key: row[key] for key in READ_OF_SOURCES} for row in plain["sources"]]
    text = codec.dump_json({key: plain[key] for key in READ_BY_PAGES}).decode().rstrip("\n")
    for letter, escape in ESCAPES.items():
        text = text.replace(letter, escape)
    return f"{FRESHNESS_NAME} = {text};\n".encode()


def _render(press: Environment, page: Page) -> bytes:
    root = "../" * page.path.count("/")
    html = press.get_template(page.template).render(
        view=page.view, path=page.path, section=page.section, title=page.title, root=root
    )
    return html.encode()


def _pages(catalog: Catalog, survey: Survey, words: Messages) -> Iterator[Page]:
    yield from _index_pages(catalog, survey, words)
    yield from _task_pages(catalog, survey, words)
    yield from _health_pages(catalog, survey, words)


def _project_page(catalog: Catalog, row: ProjectRow) -> Page:
    _, owner, name = split_id(row.project)
    view = report_rows.project_view(catalog, row)
    return Page(
        path=project_page(row.project), template="project.html", section="projects", title=f"{owner}/{name}", view=view
    )


def _index_pages(catalog: Catalog, survey: Survey, words: Messages) -> Iterator[Page]:
    lines = map(report_lines.project_line, report_rows.projects(catalog))
    for sheet in cut([Section(key="projects", total=survey.projects, rows=lines)], PROJECTS_ON_A_SHEET):
        view = IndexView(
            sheet=sheet,
            pager=report_lines.pager(sheet, "index", "projects"),
            overview=_overview(catalog, survey) if sheet.number == 1 else None,
        )
        path = sheet_name("index", "projects", sheet.number)
        yield Page(path=path, template="index.html", section="projects", title=_title(words, "index", sheet), view=view)


def _task_pages(catalog: Catalog, survey: Survey, words: Messages) -> Iterator[Page]:
    sections = [
        Section(key=status, total=total, rows=map(report_lines.task_line, report_rows.tasks(catalog, status)))
        for status, total in survey.tasks.items()
    ]
    for sheet in cut(sections, LINES_ON_A_SHEET):
        view = TasksView(
            sheet=sheet,
            pager=report_lines.pager(sheet, "tasks", "tasks"),
            tiles=report_lines.tiles(survey.tasks, sheet.starts),
        )
        path = sheet_name("tasks", "tasks", sheet.number)
        yield Page(path=path, template="tasks.html", section="tasks", title=_title(words, "tasks", sheet), view=view)


def _health_pages(catalog: Catalog, survey: Survey, words: Messages) -> Iterator[Page]:
    for sheet in cut(_health_sections(catalog, survey), LINES_ON_A_SHEET):
        is_first = sheet.number == 1
        view = HealthView(
            sheet=sheet,
            pager=report_lines.pager(sheet, "health", "health"),
            sources=survey.sources if is_first else (),
            codes=report_lines.code_meanings(survey.codes) if is_first else (),
        )
        path = sheet_name("health", "health", sheet.number)
        yield Page(path=path, template="health.html", section="health", title=_title(words, "health", sheet), view=view)


def _health_sections(catalog: Catalog, survey: Survey) -> list[Section[ProjectLine | DiagnosticLine]]:
    troubled = map(report_lines.project_line, report_rows.troubled(catalog))
    sections: list[Section[ProjectLine | DiagnosticLine]] = [
        Section(key="repositories", total=survey.troubled, rows=troubled)
    ]
    for severity, total in survey.diagnostics.items():
        rows = map(report_lines.diagnostic_line, report_rows.diagnostics(catalog, severity))
        sections.append(Section(key=severity, total=total, rows=rows))
    return sections


def _overview(catalog: Catalog, survey: Survey) -> Overview:
    on_tasks = starts(survey.tasks, LINES_ON_A_SHEET)
    on_health = starts({"repositories": survey.troubled, **survey.diagnostics}, LINES_ON_A_SHEET)
    blocked = map(report_lines.task_line, report_rows.tasks(catalog, "blocked"))
    troubled = map(report_lines.project_line, report_rows.troubled(catalog))
    errors = map(report_lines.diagnostic_line, report_rows.diagnostics(catalog, "error"))
    return Overview(
        projects=survey.projects,
        tasks=sum(survey.tasks.values()),
        wiki_pages=survey.wiki_pages,
        tiles=report_lines.tiles(survey.tasks, on_tasks),
        blocked=_shortlist(blocked, survey.tasks["blocked"], report_lines.sheet_href("tasks", "blocked", on_tasks)),
        troubled=_shortlist(troubled, survey.troubled, report_lines.sheet_href("health", "repositories", on_health)),
        errors=_shortlist(errors, survey.diagnostics["error"], report_lines.sheet_href("health", "error", on_health)),
    )


def _shortlist(lines: Iterator[Line], total: int, href: str | None) -> Shortlist[Line]:
    return Shortlist(total=total, href=href, lines=tuple(islice(lines, SHORTLIST)))


def _title(words: Messages, list_name: str, sheet: Sheet[Line]) -> str:
    title = words.text(f"{list_name}.title")
    if sheet.of == 1:
        return title
    return f"{title} · {words.text('list.page', number=sheet.number, of=sheet.of)}"
