"""Makes stage/catalog.sqlite: a changed copy of itself, or a fresh one, renamed into place.

`write_narrowed` copies the part of it that a report for others may show.

The staged file is shared with a version by hard links and is never opened for writing.
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Callable, Mapping, Set
from pathlib import Path

from pipeline import files, index
from pipeline.audience import seen_by
from pipeline.catalog import address
from pipeline.errors import ArtifactError
from pipeline.index_narrow import copy_seen
from pipeline.layout import CATALOG, Layout
from pipeline.model import Artifact, Preferences, RepositoriesFile, RepositoryId, Visibility

Artifacts = Mapping[RepositoryId, tuple[Artifact, str]]
Texts = Callable[[RepositoryId, str], str]
NONE_SET = Preferences()


def write_catalog(
    place: Layout,
    code: str,
    records: RepositoriesFile,
    artifacts: Artifacts,
    texts: Texts,
    preferences: Preferences = NONE_SET,
) -> None:
    """Make a fresh staged catalog that shows `records`.

    Raises:
        ArtifactError: the disk refused; what is published stays.
    """
    temporary = _temporary(place)
    files.remove_tree(temporary)
    try:
        with contextlib.closing(sqlite3.connect(temporary)) as connection:
            index.create(connection, code)
            _fill(connection, (records, frozenset()), artifacts, texts)
            _prefer(connection, preferences)
    except sqlite3.OperationalError as error:
        raise ArtifactError(
            f"{CATALOG} cannot be written: {error}; is the disk full? What is published stays"
        ) from None
    files.replace(temporary, place.stage / CATALOG)


def update_catalog(
    place: Layout,
    code: str,
    shown: tuple[RepositoriesFile, Set[RepositoryId]],
    artifacts: Artifacts,
    texts: Texts,
    preferences: Preferences = NONE_SET,
) -> bool:
    """Make the staged catalog show other records; only the rows of changed repositories are written.

    `shown` are the records that may have changed, and the repositories whose rows are right as they stand.
    False, and nothing changed, when the catalog proves to be damaged, or made by other code: make a fresh one.
    """
    temporary = _temporary(place)
    files.copy(place.stage / CATALOG, temporary)
    try:
        with contextlib.closing(sqlite3.connect(temporary)) as connection:
            if not index.is_usable(connection, code):
                return False
            _fill(connection, shown, artifacts, texts)
            _prefer(connection, preferences)
    except sqlite3.DatabaseError:
        return False
    files.replace(temporary, place.stage / CATALOG)
    return True


def write_narrowed(place: Layout, audience: Visibility) -> Path:
    """Make a catalog of what `audience` may see of the staged one, without full-text indexes; its place.

    It answers every question as one that was made without the other repositories; reasons of failed looks are left out.

    Raises:
        ArtifactError: the disk refused; what is published stays.
    """
    target = place.narrowed_catalog
    files.remove_tree(target)
    try:
        with contextlib.closing(sqlite3.connect(target, uri=True)) as connection:
            copy_seen(connection, address((place.stage / CATALOG).absolute()), seen_by(audience))
    except sqlite3.OperationalError as error:
        raise ArtifactError(f"{target.name} cannot be written: {error}; is the disk full?") from None
    return target


def _fill(
    connection: sqlite3.Connection,
    shown: tuple[RepositoriesFile, Set[RepositoryId]],
    artifacts: Artifacts,
    texts: Texts,
) -> None:
    records, kept = shown
    names = index.outdated(connection, records, kept)
    changed = ((*artifacts[name], functools.partial(texts, name)) for name in names)
    index.update(connection, records, changed, kept)
    connection.commit()


def _prefer(connection: sqlite3.Connection, preferences: Preferences) -> None:
    index.prefer(connection, preferences)
    connection.commit()


def _temporary(place: Layout) -> Path:
    return place.stage / f"{files.TEMPORARY}{CATALOG}"
