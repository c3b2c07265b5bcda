"""queue.sqlite: packets of pipeline work, carried out one at a time, and what of them outlives the hub.

Fair: a packet joins the round after that of its project's last waiting one, so that a project with many waits
for itself; rounds are carried out one after another, each in the order of asking.  Where every project has but
one packet, as with sync, that is plain first in, first out.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pipeline.errors import ConfigError

Kind = Literal["sync", "attachment"]
PacketState = Literal["queued", "running", "done", "error"]

SCHEMA = 1
KEPT = 10_000
LARGEST_ID = 2**63 - 1
DEFINITIONS = """
create table packets (
    id integer primary key autoincrement, kind text not null, project text not null, subject text not null,
    repository text not null, oid text not null, name text not null, state text not null, round integer not null,
    asked_at text not null, finished_at text, error text
);
create unique index one_at_a_time on packets (kind, subject) where state in ('queued', 'running');
create index packets_in_turn on packets (round, id) where state = 'queued';
create index packets_of_project on packets (project, kind, id);
create index packets_of_subject on packets (kind, subject, id);
create table downloads (
    attachment text primary key, repository text not null, oid text not null, path text not null
) without rowid;
create table heartbeat (only integer primary key check (only = 1), at text not null);
create table turns (only integer primary key check (only = 1), round integer not null);
insert into turns values (1, 0);
"""
AT_WORK = "state in ('queued', 'running')"
COLUMNS = "id, kind, project, subject, repository, oid, name, state, finished_at, error"
ROUND = """max((select round from turns), coalesce(
    (select max(round) + 1 from packets where project = :project and state in ('queued', 'running')), 0))"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """The bytes of a repository's file, and what it is called."""

    repository: str
    oid: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is asked for; fields as in `Packet`."""

    kind: Kind
    project: str
    subject: str
    repository: str = ""
    oid: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """One piece of pipeline work.

    `subject` is what waits at most once: a project's label for a sync, an attachment's id for an attachment, whose
    `repository`, `oid` and file `name` are then told, too.
    """

    id: int
    kind: Kind
    project: str
    subject: str
    repository: str
    oid: str
    name: str
    state: PacketState
    finished_at: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file that was brought: the bytes named by `oid` lie at `path` below the state folder."""

    repository: str
    oid: str
    path: str


class Queue:
    """The packets of one state folder; safe to use from any thread of the one hub that has it."""

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        """Open the file, or make it; the packet that was running when a hub died waits again, before all others.

        Raises:
            ConfigError: the file is damaged, or of another version of projects-meta.
        """
        self._now = now
        self._lock = threading.Lock()
        self._connection = _open(path)
        with self._changing() as connection:
            connection.execute("update packets set state = 'queued', round = -1 where state = 'running'")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def put_sync(self, project: str) -> tuple[Packet, bool]:
        """Have a sync done; answers the packet, and False when one of this project waits or runs already."""
        return self._put(Work(kind="sync", project=project, subject=project))

    def put_attachment(self, project: str, attachment: int, file: Blob) -> tuple[Packet, bool]:
        """Have an attachment brought; answers the packet, and False when one for it waits or runs already."""
        return self._put(Work(kind="attachment", project=project, subject=str(attachment), **asdict(file)))

    def _put(self, work: Work) -> tuple[Packet, bool]:
        given = asdict(work)
        with self._changing() as connection:
            waiting = _first(connection, f"kind = :kind and subject = :subject and {AT_WORK}", given)
            if waiting is not None:
                return waiting, False
            cursor = connection.execute(
                f"""insert into packets (kind, project, subject, repository, oid, name, state, round, asked_at)
                values (:kind, :project, :subject, :repository, :oid, :name, 'queued', {ROUND}, :now)""",
                {**given, "now": self._now().isoformat()},
            )
            connection.execute(
                "delete from packets where id <= ? and state in ('done', 'error')", ((cursor.lastrowid or 0) - KEPT,)
            )
            made = _first(connection, "id = :id", {"id": cursor.lastrowid})
        assert made is not None
        return made, True

    def take(self) -> Packet | None:
        """The packet whose turn it is, from now on running; None when none waits."""
        with self._changing() as connection:
            packet = _first(connection, "state = 'queued'", {}, "round, id")
            if packet is None:
                return None
            connection.execute(
                "update turns set round = max(round, (select round from packets where id = ?))", (packet.id,)
            )
            connection.execute("update packets set state = 'running' where id = ?", (packet.id,))
        return replace(packet, state="running")

    def finish(self, packet_id: int, error: str | None = None) -> None:
        """Remember how a running packet ended."""
        given = ("done" if error is None else "error", self._now().isoformat(), error, packet_id)
        with self._changing() as connection:
            connection.execute("update packets set state = ?, finished_at = ?, error = ? where id = ?", given)

    def get(self, packet_id: int) -> Packet | None:
        """One packet; None for one that never was, or was so long ago that it is forgotten."""
        return self._find("id = :id", {"id": packet_id}) if packet_id <= LARGEST_ID else None

    def last(self, kind: Kind, subject: str) -> Packet | None:
        """The newest packet for a subject."""
        return self._find("kind = :kind and subject = :subject", {"kind": kind, "subject": subject})

    def at_work(self, project: str) -> Packet | None:
        """The packet of a project that runs, else the first that waits."""
        where = f"project = :project and {AT_WORK}"
        return self._find(where, {"project": project}, "state = 'queued', round, id")

    # what was brought

    def remember(self, attachment: str, brought: Download) -> None:
        """Remember where an attachment lies."""
        given = (attachment, brought.repository, brought.oid, brought.path)
        with self._changing() as connection:
            connection.execute("insert or replace into downloads values (?, ?, ?, ?)", given)

    def download(self, attachment: str) -> Download | None:
        """Where an attachment lies; None when it was never brought."""
        rows = self._ask("select repository, oid, path from downloads where attachment = ?", (attachment,))
        return next((Download(repository=one, oid=oid, path=path) for one, oid, path in rows), None)

    # who carries packets out

    def beat(self) -> None:
        """Say that somebody is here to carry packets out."""
        with self._changing() as connection:
            connection.execute("insert or replace into heartbeat values (1, ?)", (self._now().isoformat(),))

    def heartbeat(self) -> datetime | None:
        """When that was said last."""
        return next((datetime.fromisoformat(at) for (at,) in self._ask("select at from heartbeat", ())), None)

    def _find(self, where: str, given: dict[str, Any], order: str = "id desc") -> Packet | None:
        with self._lock:
            return _first(self._connection, where, given, order)

    def _ask(self, sql: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(sql, given).fetchall()

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """All of a change or none of it, on the disk when it is over."""
        with self._lock, self._connection:
            self._connection.execute("begin immediate")
            yield self._connection


def _open(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        (found,) = connection.execute("pragma user_version").fetchone()
        if found == 0:
            connection.executescript(f"begin; {DEFINITIONS} pragma user_version = {SCHEMA}; commit;")
        elif found != SCHEMA:
            connection.close()
            raise ConfigError((f"{path} is of another version of projects-meta ({found}, not {SCHEMA}); move it away",))
    except sqlite3.DatabaseError as error:
        raise ConfigError((f"{path} cannot be used: {error}; move it away, and the hub makes a new one",)) from None
    return connection


def _first(connection: sqlite3.Connection, where: str, given: dict[str, Any], order: str = "id desc") -> Packet | None:
    row = connection.execute(f"select {COLUMNS} from packets where {where} order by {order} limit 1", given).fetchone()
    if row is None:
        return None
    number, kind, project, subject, repository, oid, name, state, finished_at, error = row
    return Packet(
        id=number,
        kind=kind,
        project=project,
        subject=subject,
        repository=repository,
        oid=oid,
        name=name,
        state=state,
        finished_at=datetime.fromisoformat(finished_at) if finished_at else None,
        error=error,
    )
