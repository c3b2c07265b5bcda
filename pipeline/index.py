"""Roster + artifacts → repos.json, tasks.json, knowledge.json and the rows of catalog.sqlite.

Takes a connection and opens none; holds no clock.  The catalog is changed only in a copy of the last
published one: its caller copies, connects, asks `is_usable` (else begins an empty file with `create`),
feeds `update` with what `outdated` names, commits, closes and renames.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Set

from pipeline import codec, index_search
from pipeline import index_schema as schema
from pipeline.index_codes import settle_codes
from pipeline.index_files import build_knowledge, build_record, build_repositories, build_tasks
from pipeline.index_rows import ReadText, Row, content_rows, project_row
from pipeline.index_texts import Texts
from pipeline.model import Artifact, Preferences, RepositoriesFile, RepositoryId

__all__ = [
    "Changed",
    "build_knowledge",
    "build_record",
    "build_repositories",
    "build_tasks",
    "check_search",
    "create",
    "dump",
    "is_usable",
    "outdated",
    "prefer",
    "update",
]

Changed = tuple[Artifact, str, ReadText]


def create(connection: sqlite3.Connection, code: str, engine: schema.Engine | None = None) -> None:
    """Make the tables of an empty catalog and commit.

    `code` is the digest of the code that makes it.  `engine` None takes the best this SQLite has.
    """
    connection.execute(f"pragma page_size = {schema.PAGE_SIZE_BYTES}")
    connection.execute("pragma encoding = 'UTF-8'")
    connection.execute("pragma auto_vacuum = none")
    _configure(connection)
    chosen = engine or schema.best_engine(connection)
    connection.execute("begin")
    for statement in schema.definitions(chosen):
        connection.execute(statement)
    for row in (("code", code), ("engine", chosen), ("preferences", None), ("shared_wiki", None)):
        _insert(connection, schema.META, row)
    prefer(connection, Preferences())
    for texts in schema.indexed(chosen):
        index_search.list_words(connection, texts)
    connection.execute(f"pragma user_version = {schema.SCHEMA}")
    connection.commit()


def prefer(connection: sqlite3.Connection, preferences: Preferences) -> None:
    """Note what a person set for those who ask; the caller commits."""
    written = codec.dump_line(preferences).decode()
    connection.execute("update meta set value = ? where key = 'preferences'", (written,))


def is_usable(connection: sqlite3.Connection, code: str) -> bool:
    """True when `update` may go on from this catalog: ours, of this schema and code, and not damaged.

    A page that only shows its damage when it is read raises sqlite3.DatabaseError in `update`: begin
    an empty file then too.
    """
    try:
        if connection.execute("pragma user_version").fetchone() != (schema.SCHEMA,):
            return False
        meta = dict(connection.execute("select key, value from meta"))
        engine_is_here = meta.get("engine") == schema.best_engine(connection)
        whole = connection.execute("pragma quick_check(1)").fetchone() == ("ok",)
    except sqlite3.DatabaseError:
        return False
    return meta.get("code") == code and engine_is_here and whole


def outdated(
    connection: sqlite3.Connection, records: RepositoriesFile, kept: Set[RepositoryId] = frozenset()
) -> tuple[RepositoryId, ...]:
    """The repositories whose artifacts `update` must be given, sorted."""
    present = _present(connection, kept)
    wanted = _wanted(records)
    return tuple(repository for repository in sorted(wanted) if present.get(repository) != wanted[repository])


def update(
    connection: sqlite3.Connection,
    records: RepositoriesFile,
    changed: Iterable[Changed],
    kept: Set[RepositoryId] = frozenset(),
) -> None:
    """Make the catalog show `records`, and what it has of `kept`, which is not looked at; the caller commits.

    `changed` gives (artifact, digest, read_text) of every repository that `outdated` names, sorted by
    id; others in it are passed over.  What `records` no longer has, or has as gone, loses its rows.

    Raises:
        ValueError: an outdated repository was not given.
        sqlite3.DatabaseError: the catalog is damaged; begin an empty one.
    """
    _configure(connection)
    connection.execute("update meta set value = ? where key = 'shared_wiki'", (records.shared_wiki,))
    _update_projects(connection, records, kept)
    wanted = _wanted(records)
    indexed = schema.indexed(_engine(connection))
    left = [name for name, digest in sorted(_present(connection, kept).items()) if wanted.get(name) != digest]
    for repository in left:
        _remove_contents(connection, indexed, repository)
    missing = dict.fromkeys(outdated(connection, records, kept))
    is_other = bool(left or missing)
    for artifact, digest, read_text in changed:
        if artifact.repository in missing and wanted[artifact.repository] == digest:
            del missing[artifact.repository]
            _insert_contents(connection, indexed, (artifact, digest, read_text))
    if missing:
        raise ValueError(f"no artifact was given for {', '.join(list(missing)[:3])}")
    settle_codes(connection)
    for texts in indexed if is_other else ():
        index_search.list_words(connection, texts)


def dump(connection: sqlite3.Connection) -> dict[str, list[Row]]:
    """Every row of every table in canonical order, without row ids: equal for equal catalogs."""
    return {
        table.name: connection.execute(
            f"select {', '.join(table.names)} from {table.name} order by {', '.join(table.names)}"
        ).fetchall()
        for table in schema.EVERY
    }


def check_search(connection: sqlite3.Connection) -> None:
    """Compare the full-text indexes with the texts they stand for.

    Raises:
        sqlite3.DatabaseError: they differ.
    """
    for texts in schema.indexed(_engine(connection)):
        index_search.check(connection, texts)


def _engine(connection: sqlite3.Connection) -> schema.Engine:
    (engine,) = connection.execute("select value from meta where key = 'engine'").fetchone()
    chosen: schema.Engine = engine
    return chosen


def _configure(connection: sqlite3.Connection) -> None:
    """No file beside the catalog, no waiting for the disk: a killed update only loses the copy."""
    connection.execute("pragma journal_mode = memory")
    connection.execute("pragma synchronous = off")


def _wanted(records: RepositoriesFile) -> dict[RepositoryId, str]:
    return {
        record.repository: record.digest
        for record in records.repositories
        if record.digest is not None and record.state != "gone"
    }


def _present(connection: sqlite3.Connection, kept: Set[RepositoryId]) -> dict[RepositoryId, str]:
    found = connection.execute("select repository, digest from contents")
    return {repository: digest for repository, digest in found if repository not in kept}


def _update_projects(connection: sqlite3.Connection, records: RepositoriesFile, kept: Set[RepositoryId]) -> None:
    names = ", ".join(schema.PROJECTS.names)
    old = {row[0]: row for row in connection.execute(f"select {names} from projects") if row[0] not in kept}
    new = {row[0]: row for row in map(project_row, records.repositories)}
    for repository in sorted(old):
        if new.get(repository) != old[repository]:
            connection.execute("delete from projects where repository = ?", (repository,))
    for repository in sorted(new):
        if new[repository] != old.get(repository):
            _insert(connection, schema.PROJECTS, new[repository])


def _insert_contents(connection: sqlite3.Connection, indexed: tuple[Texts, ...], changed: Changed) -> None:
    for table, row in content_rows(*changed):
        row_id = _insert(connection, table, row)
        if table in indexed:
            index_search.add(connection, table, row_id, row[len(table.key) :])


def _remove_contents(connection: sqlite3.Connection, indexed: tuple[Texts, ...], repository: RepositoryId) -> None:
    for texts in indexed:
        index_search.remove(connection, texts, repository)
    for table in schema.OF_ONE_PROJECT:
        connection.execute(f"delete from {table.name} where repository = ?", (repository,))


def _insert(connection: sqlite3.Connection, table: schema.Table | Texts, row: Row) -> int:
    """Answers the row's id, where the table has ids."""
    marks = ", ".join("?" * len(row))
    made = connection.execute(f"insert into {table.name} ({', '.join(table.names)}) values ({marks})", row)
    return made.lastrowid or 0
