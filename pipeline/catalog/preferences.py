"""What a person set for those who ask: further domains and words, and where people see pages."""

from __future__ import annotations

from urllib.parse import quote

from pipeline import codec
from pipeline.catalog import Catalog
from pipeline.catalog.answers import ProjectRow
from pipeline.model import Preferences, RepositoryId, owned_name


def preferences(catalog: Catalog) -> Preferences:
    """The configuration's `domains` and `promote_words`, as they were when this version was made, and where its
    sources show files.
    """
    written = catalog.query("select value from meta where key = 'preferences' and value is not null", {}, str)
    return codec.load(Preferences, written[0].encode(), "the catalog's preferences") if written else Preferences()


def page_url(catalog: Catalog, project: ProjectRow, path: str) -> str | None:
    """Where people see a file of a project as it was when this version was made; None where they see none."""
    return file_url(catalog, project.source, project.project, project.revision, path)


def file_pattern(catalog: Catalog, source: str) -> str | None:
    """The address of a file where people see those of this source, with `{repository}`, `{revision}` and `{path}`."""
    return catalog.once("page addresses", lambda: _patterns(catalog)).get(source)


def file_url(catalog: Catalog, source: str, project: RepositoryId, revision: str | None, path: str) -> str | None:
    """Where people see a file as it was in a commit; None where they see none, or no commit is known."""
    pattern = file_pattern(catalog, source)
    if pattern is None or revision is None:
        return None
    named = (("{repository}", owned_name(project)), ("{revision}", revision), ("{path}", path))
    for name, value in named:
        pattern = pattern.replace(name, quote(value), 1)
    return pattern


def _patterns(catalog: Catalog) -> dict[str, str]:
    return {each.source: each.pattern for each in preferences(catalog).page_addresses}
