"""Brings one file that a wiki lists by name and size alone: its bytes get into the blob store, or nothing does.

With `sync` the only thing that speaks to a source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline import files, stopping
from pipeline.blobs import BlobStore
from pipeline.errors import ConfigError, SourceError, SourceUnreachable
from pipeline.layout import Layout
from pipeline.model import Config, RepositoryId, Revision, RosterEntry, SnapshotEntry, SourceConfig, TreeEntry
from pipeline.readings import remember
from pipeline.roster import read_roster
from pipeline.snapshots import SnapshotStore
from pipeline.sources.base import Source
from pipeline.sync import read_reading
from pipeline.text import line
from pipeline.wanted import address_of

MEBIBYTE = 1 << 20
LARGEST_BYTES = 64 * MEBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Errand:
    """One file, as the last sync saw it, and the row of the configuration that it came from."""

    layout: Layout
    row: SourceConfig
    entry: RosterEntry
    revision: Revision
    file: SnapshotEntry


def fetch_blob(
    layout: Layout,
    config: Config,
    sources: Mapping[str, type[Source]],
    repository: str,
    oid: str,
    *,
    limit_bytes: int = LARGEST_BYTES,
) -> bool:
    """Bring the blob `oid` of a repository, as its snapshot names it; False when it was here already.

    Raises:
        BuildRunning: a build is running here.
        ConfigError: the snapshot has no such file, or nothing configured knows the repository.
        SourceError: the source did not give it; it is larger than `limit_bytes`; or it gave other bytes.
    """
    lock = files.lock_build(layout.lock)
    try:
        entry = _entry(layout, RepositoryId(repository))
        revision, file = _file(layout, entry, oid)
        if file.size_bytes > limit_bytes:
            raise SourceUnreachable(f"{file.path} is larger than {limit_bytes / MEBIBYTE:g} MiB; it is not brought")
        store = BlobStore(layout)
        if store.read(oid) is not None:
            return False
        row = _row(config, entry)
        errand = _Errand(layout=layout, row=row, entry=entry, revision=revision, file=file)
        if not store.add(oid, stopping.run(_bring(errand, sources[row.kind], limit_bytes))):
            raise SourceUnreachable(f"{repository}: the source gave other bytes than {file.path} has; sync first")
        return True
    finally:
        lock.release()


def _entry(layout: Layout, repository: RepositoryId) -> RosterEntry:
    for entry in read_roster(layout).entries:
        if entry.listing.repository == repository:
            return entry
    raise ConfigError((f"no sync has seen {line(repository)}; expected host/owner/name, run `doit` first",))


def _file(layout: Layout, entry: RosterEntry, oid: str) -> tuple[Revision, SnapshotEntry]:
    """The first file of the snapshot that has this id."""
    snapshot = SnapshotStore(layout).load(entry)
    found = None if snapshot is None else next((each for each in snapshot.entries if each.oid == oid), None)
    if snapshot is None or snapshot.revision is None or found is None:
        raise ConfigError((f"no file of {entry.listing.repository} has the id {line(oid)}; run `doit`, and ask again",))
    return snapshot.revision, found


def _row(config: Config, entry: RosterEntry) -> SourceConfig:
    for row in config.sources:
        if row.name == entry.source:
            return row
    raise ConfigError((f"{config.origin} has no source {entry.source}, which listed {entry.listing.repository}",))


async def _bring(errand: _Errand, kind: type[Source], limit_bytes: int) -> bytes:
    """The bytes, not yet verified."""
    repository, file = errand.entry.listing.repository, errand.file
    memory = remember(read_reading(errand.layout))
    traits = memory.traits(errand.row.name, address_of(errand.row, kind.SETTINGS))
    wanted = TreeEntry(path=file.path, oid=file.oid, size_bytes=file.size_bytes, etag=file.etag)
    try:
        async with kind.open(errand.row, traits) as source:
            content = await source.read_file(errand.entry.listing, errand.revision, wanted, limit_bytes)
    except SourceError as error:
        raise type(error)(f"{repository}: {error.reason}") from None
    if content is None:
        raise SourceUnreachable(f"{repository}: {file.path} could not be brought; sync, and try again")
    return content
