"""Texts of a project as written: a whole file, or the lines around one."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.catalog import Catalog
from pipeline.errors import CatalogError
from pipeline.model import RepositoryId

AROUND = 2
LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """One line of a file by its number; `is_meant`: it is the one that was asked for."""

    number: int
    text: str
    is_meant: bool


def index_path(catalog: Catalog, project: RepositoryId) -> str | None:
    """Where the index of a project's wiki stands; None: it has none whose text is here."""
    found = catalog.query(
        "select index_path from contents where repository = :project and index_file is not null",
        {"project": project},
        str,
    )
    return found[0] if found else None


def text_of(catalog: Catalog, project: RepositoryId, path: str) -> str | None:
    """A file that is a board, an index, a page or a file beside the board; None: it, or its text, is not here."""
    found = catalog.query(
        """select c.digest, coalesce(
            case when c.board_path = :path then c.board_file end,
            case when c.index_path = :path then c.index_file end,
            (select file from pages where repository = :project and path = :path),
            (select file from shared_pages where repository = :project and path = :path),
            (select file from task_files where repository = :project and path = :path)
        ) from contents c where c.repository = :project""",
        {"project": project, "path": path},
        lambda digest, file: (digest, file),
    )
    if not found or found[0][1] is None:
        return None
    try:
        return catalog.read_text(project, *found[0])
    except CatalogError:
        return None  # replaced meanwhile: the page that shows it is about to be replaced, too


def excerpt(catalog: Catalog, project: RepositoryId, path: str, line: int) -> tuple[ExcerptLine, ...]:
    """The line of a file with two before and after it, long ones cut; none where its text is not here."""
    written = text_of(catalog, project, path)
    if written is None:
        return ()
    numbered = enumerate(written.split("\n")[max(0, line - 1 - AROUND) : line + AROUND], max(1, line - AROUND))
    return tuple(ExcerptLine(number, text[:LONGEST_LINE], number == line) for number, text in numbered)
