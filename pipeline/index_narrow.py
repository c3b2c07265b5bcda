"""Copies into an empty catalog what an audience may see of another.  Takes a connection and opens none.

Rows are copied, not deleted: nothing of the other repositories was ever in the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from pipeline import index, index_codes
from pipeline import index_schema as schema
from pipeline.model import Visibility

SEEN = "select repository from whole.projects where visibility in ({marks})"
SHARED_WIKI = "select min(repository) from projects where shared and state in ('ok', 'unreachable')"


def copy_seen(connection: sqlite3.Connection, whole: str, seen: Iterable[Visibility]) -> None:
    """Make the tables, without full-text indexes, and fill them from the catalog at the address `whole`; commits.

    Why a look failed is left out.

    Raises:
        sqlite3.DatabaseError: the disk refused, or `whole` is damaged.
    """
    chosen = tuple(seen)
    connection.execute("attach database ? as whole", (whole,))
    (code,) = connection.execute("select value from whole.meta where key = 'code'").fetchone()
    index.create(connection, code, "scan")
    for table in (schema.PROJECTS, *schema.OF_ONE_PROJECT):
        names, marks = ", ".join(table.names), ", ".join("?" * len(chosen))
        connection.execute(
            f"insert into {table.name} ({names}) select {names} from whole.{table.name} "
            f"where repository in ({SEEN.format(marks=marks)})",
            chosen,
        )
    index_codes.settle_codes(connection)
    connection.execute("update projects set reason = null where state <> 'ok'")
    connection.execute(f"update meta set value = ({SHARED_WIKI}) where key = 'shared_wiki'")
    connection.execute(
        "update meta set value = (select value from whole.meta where key = 'preferences') where key = 'preferences'"
    )
    connection.commit()
    connection.execute("detach database whole")
