"""Keeps the full-text indexes of catalog.sqlite in step with the texts they stand for.

Triggers would do it too, at twice the price: each statement with one makes an index write out what it holds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from pipeline.index_schema import VOCABULARIES
from pipeline.index_texts import Texts
from pipeline.model import RepositoryId
from pipeline.search_words import MARK, tokens


def add(connection: sqlite3.Connection, texts: Texts, row_id: int, fields: Sequence[str]) -> None:
    """Index the fields of one row that was inserted."""
    for index, columns in texts.trigram_indexes:
        marks = ", ".join("?" * len(columns))
        connection.execute(
            f"insert into {index} (rowid, {', '.join(columns)}) values (?, {marks})", (row_id, *fields[: len(columns)])
        )
    connection.execute(f"insert into {texts.words} (rowid, tokens) values (?, ?)", (row_id, tokens(fields)))


def remove(connection: sqlite3.Connection, texts: Texts, repository: RepositoryId) -> None:
    """Forget the rows of one repository before they are deleted: an index needs their old texts for that."""
    for index, columns in texts.trigram_indexes:
        names = ", ".join(columns)
        connection.execute(
            f"insert into {index} ({index}, rowid, {names}) "
            f"select 'delete', id, {names} from {texts.name} where repository = ? order by id",
            (repository,),
        )
    words = texts.words
    for row_id, *fields in _rows(connection, texts, repository):
        connection.execute(
            f"insert into {words} ({words}, rowid, tokens) values ('delete', ?, ?)", (row_id, tokens(fields))
        )


def list_words(connection: sqlite3.Connection, texts: Texts) -> None:
    """List the words of the texts anew, after all of them were told."""
    found = connection.execute(
        f"select distinct term from {texts.known} where term not like :marked", {"marked": f"{MARK}%"}
    )
    words = "".join(f"{word}\n" for (word,) in found)
    connection.execute(f"insert or replace into {VOCABULARIES.name} values (?, ?)", (texts.name, words))


def check(connection: sqlite3.Connection, texts: Texts) -> None:
    """Compare the indexes with the texts they stand for.

    Raises:
        sqlite3.DatabaseError: they differ.
    """
    for index, _ in texts.trigram_indexes:
        connection.execute(f"insert into {index} ({index}, rank) values ('integrity-check', 1)")
    expected = {(row_id, token) for row_id, *fields in _rows(connection, texts) for token in tokens(fields).split()}
    words = sorted({token for _, token in expected if not token.startswith(MARK)})
    known = connection.execute(f"select words from {VOCABULARIES.name} where name = ?", (texts.name,)).fetchone()
    if set(connection.execute(f"select doc, term from {texts.held}")) != expected or known[0].split() != words:
        raise sqlite3.DatabaseError(f"{texts.words} does not hold the words of {texts.name}")


def _rows(
    connection: sqlite3.Connection, texts: Texts, repository: RepositoryId | None = None
) -> Iterator[tuple[int, *tuple[str, ...]]]:
    """The id and the fields of the rows of one repository, or of all."""
    return connection.execute(
        f"select id, {', '.join(texts.fields)} from {texts.name} where :one is null or repository = :one order by id",
        {"one": repository},
    )
