"""Read-only questions to one published version: the one door for the MCP server and the report.

`Published(layout).catalog()` is the version that current.json names at this moment; the questions are
functions of `projects`, `tasks`, `knowledge` and `status`, and their answers stand in `answers`.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import weakref
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any, Self, TypeVar

from pipeline import clock, codec, files, index_schema
from pipeline.blobs import BlobStore
from pipeline.catalog.ages import Looks, looks
from pipeline.catalog.answers import Rows
from pipeline.errors import ArtifactError, CatalogError, NothingPublished
from pipeline.layout import CATALOG, Layout
from pipeline.model import CurrentVersion, RepositoryId, SyncReading
from pipeline.text import body, decode

NOTHING_PUBLISHED = "nothing has been published yet; run `doit` in the projects-meta folder first"
REPLACED = "the published version was replaced while it was read; ask again, and if this is said again, run `doit`"
MOST_ROWS = 1 << 31
MOST_KNOWN = 1_000
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR}

Row = TypeVar("Row")
Parameters = Mapping[str, Any]
ProjectFolder = Callable[[RepositoryId, str], Path]
ReadBlob = Callable[[str], bytes | None]
# The number of a version, and the last sync's readings as written.
Mark = tuple[int, bytes | None]


def no_blobs(_: str) -> None:
    """The old versions of files, where there is no store of them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Store:
    """One opened catalog.sqlite and the project trees beside it; closed when nobody holds it any more.

    `lock` lets one thread at a time use the connection.  `read_blob` gives the bytes of an old version of a file,
    verified; None when they are not here.
    """

    connection: sqlite3.Connection
    lock: threading.Lock
    project_folder: ProjectFolder
    version: int
    engine: index_schema.Engine
    shared_wiki: RepositoryId | None
    read_blob: ReadBlob = no_blobs
    known: dict[Hashable, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.connection.create_function("holds", 2, _holds, deterministic=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """One version as seen at one moment: `reading` is the last sync's, `looks` the same for asking.

    As a context manager it closes the file, for a caller who is its only holder.
    """

    store: Store
    reading: SyncReading | None
    looks: Looks

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.connection.close()

    def query(self, sql: str, parameters: Parameters, shape: Callable[..., Row]) -> list[Row]:
        """Every row of a SELECT, each made by `shape(*columns)`; safe to call from any thread.

        Raises:
            CatalogError: the file is damaged.
        """
        try:
            with self.store.lock:
                return [shape(*columns) for columns in self.store.connection.execute(sql, parameters)]
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in DAMAGED:
                raise
            raise CatalogError(_damaged(self.store.version)) from None

    def count(self, sql: str, parameters: Parameters | None = None) -> int:
        """The one number that a SELECT answers."""
        given = parameters or {}
        return self.once((sql, *sorted(given.items(), key=str)), lambda: self.query(sql, given, int)[0])

    def once(self, question: Hashable, ask: Callable[[], Row]) -> Row:
        """What `ask` answers, asked once: a published version never changes.  For small answers."""
        known = self.store.known
        try:
            answer: Row = known[question]
        except KeyError:
            answer = ask()
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[question] = answer
        return answer

    def read_text(self, repository: RepositoryId, digest: str, file: str) -> str:
        """A file of a project tree, as written.

        Raises:
            CatalogError: it is not there any more.
        """
        raw = files.read_bytes(self.store.project_folder(repository, digest).joinpath(*file.split("/")))
        if raw is None:
            raise CatalogError(REPLACED)
        return body(decode(raw)[0])


def open_catalog(
    path: Path,
    project_folder: ProjectFolder,
    version: int,
    reading: SyncReading | None,
    now: datetime,
    read_blob: ReadBlob = no_blobs,
) -> Catalog:
    """Open one catalog.sqlite for reading only.

    Raises:
        CatalogError: the file is of another schema version, or damaged.
        FileNotFoundError: there is no such file.
    """
    store = _open_store(path, project_folder, version, read_blob)
    return Catalog(store=store, reading=reading, looks=looks(reading, now))


def open_published(layout: Layout, now: datetime) -> Catalog:
    """Open the version that current.json names.

    Raises:
        NothingPublished: there is none yet.
        CatalogError: it cannot be read.
    """
    version = _current_version(layout)
    return _seen(_open_version(layout, version), _reading(layout), now)


def open_version(layout: Layout, version: int, now: datetime) -> Catalog:
    """Open a version that is kept whole.

    Raises:
        CatalogError: it is not, or it cannot be read.
    """
    try:
        store = _open_kept(layout, version)
    except FileNotFoundError:
        raise CatalogError(f"the catalog of version {version} is not kept any more") from None
    return _seen(store, _reading(layout), now)


def open_stage(layout: Layout, version: int, now: datetime, path: Path | None = None) -> Catalog:
    """Open the version that is being made; `version` is the number it will have.

    `path` is that of its catalog when it is another than the one that will be published.

    Raises:
        CatalogError: stage has no catalog, or a damaged one.
    """

    def folder(repository: RepositoryId, _: str) -> Path:
        return layout.stage_project(repository)

    try:
        store = _open_store(path or layout.stage / CATALOG, folder, version, BlobStore(layout).read)
    except FileNotFoundError:
        raise NothingPublished("stage has no catalog yet; run `doit index`") from None
    return _seen(store, _reading(layout), now)


class Published:
    """The published version, noticed anew at each call.

    A version that was replaced stays open for those who still hold its catalog.
    """

    def __init__(self, layout: Layout, now: Callable[[], datetime] = clock.now) -> None:
        self._layout = layout
        self._now = now
        self._lock = threading.Lock()
        self._store: Store | None = None
        self._raw: bytes | None = None
        self._reading: SyncReading | None = None

    def catalog(self) -> Catalog:
        """The catalog of the version that current.json names now, with the last sync's readings.

        Raises:
            NothingPublished: there is none yet.
            CatalogError: it cannot be read.
        """
        return _seen(self._current_store(), self.reading(), self._now())

    def mark(self) -> Mark:
        """Equal for as long as `catalog` answers the same, but for ages; nothing is opened for it.

        Raises:
            NothingPublished: there is no version yet.
            CatalogError: current.json cannot be read.
        """
        return _current_version(self._layout), _raw_reading(self._layout)

    def reading(self) -> SyncReading | None:
        """The last sync's readings, also when nothing is published; the same value until they change."""
        raw = _raw_reading(self._layout)
        with self._lock:
            if raw != self._raw:
                self._raw, self._reading = raw, _read_reading(raw)
            return self._reading

    def has(self, name: str) -> bool:
        """Whether the published version has a file of that name; its catalog is not opened for it."""
        try:
            return (self._layout.version(_current_version(self._layout)) / name).is_file()
        except CatalogError:
            return False

    def folder(self, catalog: Catalog) -> Path:
        """The folder of the version that a catalog is of."""
        return self._layout.version(catalog.store.version)

    def now(self) -> datetime:
        """What ages are told by."""
        return self._now()

    def _current_store(self) -> Store:
        version = _current_version(self._layout)
        with self._lock:
            if self._store is None or self._store.version != version:
                self._store = _open_version(self._layout, version)
            return self._store


def _holds(text: bytes, term: bytes) -> bool:
    """SQL's `holds`: UTF-8 is searched byte by byte without finding a part of a letter."""
    return term in text


def sliced(rows: Sequence[Row], total: int, limit: int, offset: int) -> Rows[Row]:
    """The answer form of a slice that starts at `offset` of `total` matches."""
    end = offset + len(rows)
    return Rows(rows=tuple(rows), total=total, limit=limit, offset=offset, next_offset=end if end < total else None)


def check_slice(limit: int, offset: int) -> None:
    """Refuse a slice that SQLite would read as "everything" or not at all.

    Raises:
        CatalogError: `limit` below 1, `offset` below 0, or either beyond 2^31.
    """
    if not 1 <= limit <= MOST_ROWS:
        raise CatalogError(f"limit is {limit}; expected 1 or more")
    if not 0 <= offset <= MOST_ROWS:
        raise CatalogError(f"offset is {offset}; expected 0 or more")


def address(path: PurePath) -> str:
    """The SQLite URI that opens an absolute path for reading only, whatever letters it has.

    `immutable` lets SQLite take no lock: a published catalog is replaced, never changed.
    """
    uri = path.as_uri()
    if not uri.startswith("file:///"):
        # A network share: SQLite knows no hosts, its two slashes belong to the path.
        uri = f"file:////{uri.removeprefix('file://')}"
    return f"{uri}?mode=ro&immutable=1"


def _seen(store: Store, reading: SyncReading | None, now: datetime) -> Catalog:
    return Catalog(store=store, reading=reading, looks=looks(reading, now))


def _open_store(path: Path, project_folder: ProjectFolder, version: int, read_blob: ReadBlob) -> Store:
    if not path.is_file():
        raise FileNotFoundError(path)
    try:
        connection = sqlite3.connect(address(path.absolute()), uri=True, check_same_thread=False)
        return _read_store(connection, project_folder, version, read_blob)
    except sqlite3.DatabaseError:
        raise CatalogError(_damaged(version)) from None


def _damaged(version: int) -> str:
    return f"the catalog of version {version} is damaged; run `doit` to make it anew"


def _read_store(
    connection: sqlite3.Connection, project_folder: ProjectFolder, version: int, read_blob: ReadBlob
) -> Store:
    with contextlib.ExitStack() as undoing:
        undoing.callback(connection.close)
        meta = _read_meta(connection)
        undoing.pop_all()
    store = Store(
        connection=connection,
        lock=threading.Lock(),
        project_folder=project_folder,
        version=version,
        engine=meta["engine"],
        shared_wiki=meta["shared_wiki"],
        read_blob=read_blob,
    )
    weakref.finalize(store, connection.close)
    return store


def _read_meta(connection: sqlite3.Connection) -> dict[str, Any]:
    (found,) = connection.execute("pragma user_version").fetchone()
    if found != index_schema.SCHEMA:
        raise CatalogError(
            f"the catalog has schema version {found}, this program reads {index_schema.SCHEMA}; "
            "run `doit` with the version of projects-meta that is installed here"
        )
    meta: dict[str, Any] = dict(connection.execute("select key, value from meta"))
    if meta["engine"] == "trigram" and index_schema.best_engine(connection) != "trigram":
        return meta | {"engine": "scan"}
    return meta


def _open_kept(layout: Layout, version: int) -> Store:
    return _open_store(layout.version(version) / CATALOG, layout.object, version, BlobStore(layout).read)


def _open_version(layout: Layout, version: int) -> Store:
    """Open a version's catalog; when a build pruned it meanwhile, the one that replaced it."""
    try:
        return _open_kept(layout, version)
    except FileNotFoundError:
        newer = _current_version(layout)
    try:
        return _open_kept(layout, newer)
    except FileNotFoundError:
        raise CatalogError(f"version {newer} has no catalog; run `doit` to make it anew") from None


def _current_version(layout: Layout) -> int:
    raw = files.read_bytes(layout.current_json)
    if raw is None:
        raise NothingPublished(NOTHING_PUBLISHED)
    try:
        return codec.load(CurrentVersion, raw, "current.json").version
    except ArtifactError as error:
        raise CatalogError(str(error)) from None


def _reading(layout: Layout) -> SyncReading | None:
    return _read_reading(_raw_reading(layout))


def _raw_reading(layout: Layout) -> bytes | None:
    return files.read_bytes(layout.freshness_json) or files.read_bytes(layout.sync_json)


def _read_reading(raw: bytes | None) -> SyncReading | None:
    """The last sync's readings; None (which every answer shows as stale) when there are none to read."""
    try:
        return codec.load(SyncReading, raw, "sync.json") if raw is not None else None
    except ArtifactError:
        return None
