"""Makes stage/catalog.sqlite: a changed copy of the published one, or a fresh one, renamed into place.

The published file is shared by hard links and is never opened for writing.
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from pipeline import files, index, versions
from pipeline.errors import ArtifactError
from pipeline.layout import CATALOG, Layout
from pipeline.model import Artifact, RepositoriesFile, RepositoryId

Artifacts = Mapping[RepositoryId, tuple[Artifact, str]]
Texts = Callable[[RepositoryId, str], str]


def write_catalog(
    place: Layout,
    code: str,
    records: RepositoriesFile,
    artifacts: Artifacts,
    texts: Texts,
    *,
    afresh: bool = False,
) -> None:
    """Make the staged catalog show `records`; only the rows of changed repositories are written.

    A published catalog that is damaged, or made by other code, is not gone on from; with `afresh` none is,
    for removed rows stay readable on the unused pages of a file that was gone on from.

    Raises:
        ArtifactError: the disk refused; what is published stays.
    """
    target = place.stage / CATALOG
    temporary = target.with_name(f"{files.TEMPORARY}{CATALOG}")
    published = None if afresh else _published(place)
    fill = functools.partial(_fill, temporary, code, records, artifacts, texts)
    if published is None or not _go_on(fill, temporary, published, code):
        files.remove_tree(temporary)
        _fill_fresh(fill)
    files.replace(temporary, target)


def _go_on(fill: Callable[..., None], temporary: Path, published: Path, code: str) -> bool:
    files.copy(published, temporary)
    try:
        with contextlib.closing(sqlite3.connect(temporary)) as connection:
            usable = index.is_usable(connection, code)
        if usable:
            fill(is_fresh=False)
    except sqlite3.DatabaseError:
        return False
    return usable


def _fill_fresh(fill: Callable[..., None]) -> None:
    try:
        fill(is_fresh=True)
    except sqlite3.OperationalError as error:
        raise ArtifactError(
            f"{CATALOG} cannot be written: {error}; is the disk full? What is published stays"
        ) from None


def _fill(
    path: Path, code: str, records: RepositoriesFile, artifacts: Artifacts, texts: Texts, *, is_fresh: bool
) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        if is_fresh:
            index.create(connection, code)
        names = index.outdated(connection, records)
        index.update(connection, records, ((*artifacts[name], functools.partial(texts, name)) for name in names))
        connection.commit()


def _published(place: Layout) -> Path | None:
    """The published catalog, unless it is no longer what was published."""
    last = versions.last_manifest(place)
    known = last.files.get(CATALOG) if last else None
    path = place.version(last.version) / CATALOG if last else place.versions
    return path if known and path.is_file() and files.sha256(path) == known.sha256 else None
