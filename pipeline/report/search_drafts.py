"""The texts that projects have now, before their bodies are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pipeline import layout
from pipeline.catalog import Catalog, searched
from pipeline.index_rows import without_front_matter
from pipeline.model import RepositoryId
from pipeline.report import lines
from pipeline.report.page import Site
from pipeline.report.search_numbers import KINDS, Kind, Name
from pipeline.report.search_texts import Text

MARK_LETTERS = 16


@dataclass(frozen=True, slots=True)
class Draft:
    """A text; where a file is named, its body is still to be read there (`file` of the tree `digest`)."""

    project: RepositoryId
    text: Text
    digest: str = ""
    file: str | None = None

    def written(self, catalog: Catalog, before: Text | None) -> Text:
        """The whole text; not read anew where the one before it says the same.

        Raises:
            CatalogError: it is not there any more.
        """
        if self.file is None:
            return self.text
        short = self.text.fields[:-1]
        if before is not None and before == self.text._replace(fields=(*short, before.fields[-1])):
            return before
        body = without_front_matter(catalog.read_text(self.project, self.digest, self.file))
        return self.text._replace(fields=(*short, body))


def names(catalog: Catalog, projects: Iterable[RepositoryId]) -> list[Name]:
    """What every text is called: the projects, then their texts as lists have them."""
    own = [Name(project, "project", "") for project in projects]
    return own + [Name(*one) for one in searched.names(catalog)]


def drafts(site: Site, project: RepositoryId, numbers: tuple[list[int], ...]) -> Iterator[Draft]:
    """The texts of one project, numbered as they are listed under each of KINDS."""
    for kind, own in zip(KINDS, numbers, strict=True):
        found = _drafts(site, project, kind) if own else ()
        for number, draft in zip(own, found, strict=True):
            yield replace(draft, text=draft.text._replace(number=number))


def _drafts(site: Site, project: RepositoryId, kind: Kind) -> Iterable[Draft]:
    if kind == "project":
        return [Draft(project, Text(0, kind, "", layout.project_href(project), "", (project,)))]
    if kind == "task":
        return _tasks(project, searched.tasks(site.catalog, project))
    return [_page(site, project, kind, page) for page in searched.pages(site.catalog, project, kind)]


def _tasks(project: RepositoryId, tasks: Sequence[searched.SearchedTask]) -> Iterator[Draft]:
    anchors = lines.task_anchors((task.slug, task.line) for task in tasks)
    for task, anchor in zip(tasks, anchors, strict=True):
        href = f"{layout.project_href(project)}#{anchor}"
        yield Draft(project, Text(0, "task", "", href, task.status, (task.slug, task.title, task.next, task.text)))


def _page(site: Site, project: RepositoryId, kind: Kind, page: searched.SearchedPage) -> Draft:
    mark = "" if page.file is None else page.oid[:MARK_LETTERS]
    href = layout.wiki_href(project, page.slug) if site.has_pages else layout.project_href(project)
    return Draft(project, Text(0, kind, mark, href, page.path, (page.slug, page.title, "")), page.digest, page.file)
