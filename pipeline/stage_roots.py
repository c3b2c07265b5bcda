"""The roots step: knowledge roots → roots.json and, for each root, roots/<id>.json and roots/<id>.pack in stage.

Only files that changed are read.  What was known of the others counts only while stage is as this code left it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from pipeline import codec, files, stage
from pipeline.blobs import BlobStore
from pipeline.layout import ROOTS, ROOTS_FILE, Layout, root_file
from pipeline.model import KnowledgeSettings, RepositoryId, Roster
from pipeline.model.roots import (
    Registry,
    RootConfig,
    RootListing,
    RootRow,
    RootsFile,
    RootState,
    ScopeMaps,
)
from pipeline.roots import hot, registry, scope_maps
from pipeline.roots.gathering import Gathered, of_folder, of_snapshot
from pipeline.roots.packing import Kept, Packed, gathered_files, pack_root
from pipeline.roots.sections import HOT_FILE
from pipeline.snapshots import SnapshotStore
from pipeline.wanted import names_of

EMPTY = Gathered(files=(), problems=())
NOTHING = Kept(seals={}, files={}, pack=b"")
GONE = "no repository that the sources bring has this name"
SEVERAL = "several repositories have this name; write host/owner/name"
NO_FOLDER = "its folder is not there"
UNBROUGHT = "nothing of it was brought yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a root's files are to be found now, and how it stands."""

    gathered: Gathered
    state: RootState = "ok"
    reason: str | None = None
    repository: RepositoryId | None = None
    commit: str | None = None

    @property
    def inputs(self) -> tuple[object, ...]:
        """All that an artifact is made of, as plain data; no file is read for it."""
        found = [(each.path, each.seal) for each in self.gathered.files]
        troubles = [(each.path, each.reason) for each in self.gathered.problems]
        return self.state, self.reason, self.repository, self.commit, found, troubles


def write_roots(place: Layout, code: str, settings: KnowledgeSettings | None, roster: Roster) -> int:
    """Make stage show the roots; answers how many files were read.

    Raises:
        OSError: the disk refused; what is published stays.
    """
    if settings is None:
        files.remove_file(place.stage, ROOTS_FILE)
        stage.write_tree(place.stage / ROOTS, ())
        return 0
    standings = {root.id: _stand(place, root, roster) for root in settings.roots}
    mark = stage.mark_of(asdict(settings), [each.inputs for each in standings.values()])
    memory = _memory(place, code)
    if memory.get("mark") == mark:
        return 0
    packed = {
        root.id: pack_root(root.id, standings[root.id].gathered, _kept(place, root.id, memory))
        for root in settings.roots
    }
    rows = [_row(root, standings[root.id], packed[root.id]) for root in settings.roots]
    stage.write_tree(place.stage / ROOTS, _outputs(packed))
    files.write_atomic(place.stage / ROOTS_FILE, codec.dump(_told(settings, rows, packed)))
    seals = {name: dict(each.seals) for name, each in packed.items()}
    kept = {"by": _by(place, code), "mark": mark, "seals": seals}
    files.write_atomic(place.roots_json, orjson.dumps(kept, option=orjson.OPT_SORT_KEYS))
    return sum(each.read for each in packed.values())


def _by(place: Layout, code: str) -> str:
    """Who made the files and how they stand: another code, or a hand on one of them, makes another mark."""
    return stage.mark_of(code, stage.seal(place, "roots"))


def _memory(place: Layout, code: str) -> Mapping[str, Any]:
    """What was written down after the last run; nothing when stage is not as this code left it."""
    memory = stage.recall(place.roots_json)
    return memory if memory.get("by") == _by(place, code) else {}


def _kept(place: Layout, name: str, memory: Mapping[str, Any]) -> Kept:
    seals = memory.get("seals", {}).get(name)
    if seals is None:
        return NOTHING
    raw = (place.stage / ROOTS / root_file(name, "json")).read_bytes()
    listing = codec.load(RootListing, raw, f"roots/{name}.json")
    return Kept(
        seals=seals,
        files=gathered_files(listing),
        pack=(place.stage / ROOTS / root_file(name, "pack")).read_bytes(),
    )


def _outputs(packed: Mapping[str, Packed]) -> Iterator[tuple[str, bytes | None]]:
    for name, each in packed.items():
        yield root_file(name, "json"), codec.dump(each.listing)
        yield root_file(name, "pack"), each.pack


# --- where the files are -----------------------------------------------------------------------------


def _stand(place: Layout, root: RootConfig, roster: Roster) -> Standing:
    if root.path is not None:
        folder = Path(root.path)
        if not folder.is_dir():
            return Standing(gathered=EMPTY, state="missing", reason=NO_FOLDER)
        return Standing(gathered=of_folder(folder))
    named = [row for row in roster.entries if root.repo in names_of(row.listing.repository) and row.state != "gone"]
    if len(named) != 1:
        reason = SEVERAL if named else GONE
        return Standing(gathered=EMPTY, state="missing", reason=reason)
    row = named[0]
    snapshot = SnapshotStore(place).load(row)
    if snapshot is None:
        return Standing(
            gathered=EMPTY, state="missing", reason=row.reason or UNBROUGHT, repository=row.listing.repository
        )
    gathered = of_snapshot(snapshot.entries, BlobStore(place).read)
    is_stale = row.state != "ok"
    return Standing(
        gathered=gathered,
        state="stale" if is_stale else "ok",
        reason=row.reason if is_stale else None,
        repository=snapshot.repository,
        commit=snapshot.revision.commit if snapshot.revision is not None else None,
    )


def _row(root: RootConfig, standing: Standing, packed: Packed) -> RootRow:
    listing = packed.listing
    return RootRow(
        id=root.id,
        kind="path" if root.path is not None else "repo",
        is_read_only=root.is_read_only,
        repository=standing.repository,
        state=standing.state,
        reason=standing.reason,
        revision=standing.commit or _digest(listing),
        files=len(listing.files),
        texts=sum(file.length is not None for file in listing.files),
        size_bytes=sum(file.size_bytes for file in listing.files),
        problems=packed.problems,
    )


def _digest(listing: RootListing) -> str | None:
    """What stands for a folder's commit: a digest of all its files."""
    known = [(file.path, file.size_bytes, file.sha256) for file in listing.files]
    hot_digest = listing.hot.sha256 if listing.hot is not None else None
    if not known and hot_digest is None:
        return None
    return hashlib.sha256(orjson.dumps([hot_digest, known])).hexdigest()[:40]


# --- what the primary root says ------------------------------------------------------------------------


def _told(settings: KnowledgeSettings, rows: list[RootRow], packed: Mapping[str, Packed]) -> RootsFile:
    primary = packed.get(settings.primary)
    read_only = [root.id for root in settings.roots if root.is_read_only]
    texts = Texts(primary)
    sections = hot.read_hot(texts.of(HOT_FILE, is_hot=True), texts.of)
    hints = registry.read_registry(texts.of(registry.INDEX) or "", read_only) if primary else Registry()
    return RootsFile(
        schema_version=codec.SCHEMA_VERSION,
        primary=settings.primary or None,
        default_scope=settings.default_scope,
        roots=tuple(rows),
        registry=hints,
        lost=tuple(_lost(hints, packed)),
        hot=sections.file,
        maps=scope_maps.read_maps(
            texts.of(settings.scope_map),
            texts.of(settings.scope_aliases),
            texts.of(scope_maps.CONTOUR),
            sections.sections,
        )
        if primary
        else ScopeMaps(),
    )


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one packed root."""

    packed: Packed | None

    def of(self, path: str, *, is_hot: bool = False) -> str | None:
        """A text below knowledge/, or the hot file; None where there is none."""
        if self.packed is None:
            return None
        listing = self.packed.listing
        known = (listing.hot,) if is_hot else listing.files
        for file in known:
            if file is not None and file.path == path and file.start is not None and file.length is not None:
                return self.packed.pack[file.start : file.start + file.length].decode()
        return None


def _lost(hints: Registry, packed: Mapping[str, Packed]) -> Iterator[int]:
    """The lines of hints that lead to no file of their root."""
    known = {name.casefold(): [file.path for file in each.listing.files] for name, each in packed.items()}
    for entry in hints.entries:
        paths = known.get(entry.root.casefold(), [])
        below = f"{entry.path}/" if entry.path else ""
        if not any(path.startswith(below) if entry.is_prefix else path == entry.path for path in paths):
            yield entry.line
