"""Blobs that nothing names any more: remembered for thirty days, then removed.

What is named is what a snapshot, a history or a kept version names (`named_oids`); when that cannot be told, nothing
is removed.  All of it is read at most once a day, and at once, with no wait for what is unnamed, when a
repository became less visible or a person asked (`doit purge=…`).

Days are counted here, not read off the clock: the time from look to look counts as it is up to five
weeks, a longer one (a holiday, or a clock that jumped) as one day, and one backwards as nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from pipeline import codec, files, versions
from pipeline.audience import OPENNESS
from pipeline.blobs import BlobStore
from pipeline.errors import ArtifactError
from pipeline.history_store import oids_of
from pipeline.layout import HISTORY, PROJECT, SNAPSHOT, Layout
from pipeline.model import Artifact, History, ProjectHistory, Roster, Snapshot, Visibility
from pipeline.plan import TOMBSTONES

LIFE = timedelta(days=30)
EVERY = timedelta(days=1)
LONGEST_PAUSE = timedelta(days=35)
MEND_SNAPSHOT = "`doit` brings a snapshot anew when its file is not there"
MEND_HISTORY = "`doit purge=<repository>` forgets it and brings it anew"
MEND_VERSION = "`python -m pipeline verify --all` tells how to mend it"

Shape = TypeVar("Shape")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unnamed:
    """unnamed.json.  `first_seen_s` says at which second of counted time each blob was first seen
    without a name; `counted_s` is that time at `looked_at`, the wall clock of the last look (None: there
    was none).  `shown` are the repositories (source and forge id) that were not private.

    A file that is lost or damaged makes blobs wait anew, and no more.
    """

    schema_version: int = codec.SCHEMA_VERSION
    looked_at: datetime | None = None
    counted_s: int = 0
    first_seen_s: Mapping[str, int] = field(default_factory=dict)
    shown: Mapping[str, Visibility] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """How many blobs were removed; `doubt` says why some or all could not be."""

    removed: int = 0
    doubt: str | None = None


def is_due(before: Unnamed, now: datetime) -> bool:
    """Whether a day went by since the last look; a last look in the future is none."""
    return before.looked_at is None or not timedelta(0) <= now - before.looked_at < EVERY


def counted(before: Unnamed, now: datetime) -> int:
    """The counted time at `now`, in seconds."""
    passed = timedelta(0) if before.looked_at is None else now - before.looked_at
    believed = EVERY if passed > LONGEST_PAUSE else max(passed, timedelta(0))
    return before.counted_s + int(believed.total_seconds())


def is_hidden(before: Unnamed, visible: Mapping[str, Visibility]) -> bool:
    """Whether a repository that is still there may now be read by fewer people."""
    return any(
        OPENNESS.index(visible[key]) < OPENNESS.index(openness)
        for key, openness in before.shown.items()
        if key in visible
    )


def sort_out(
    before: Unnamed, unnamed: frozenset[str], now: datetime, *, at_once: bool
) -> tuple[frozenset[str], Unnamed]:
    """Which of the blobs without a name are to be removed, and what is remembered of the others."""
    time_s = counted(before, now)
    first_seen_s = {oid: before.first_seen_s.get(oid, time_s) for oid in sorted(unnamed)}
    waited = {oid for oid, seen_s in first_seen_s.items() if time_s - seen_s >= LIFE.total_seconds()}
    doomed = unnamed if at_once else frozenset(waited)
    kept = {oid: seen_s for oid, seen_s in first_seen_s.items() if oid not in doomed}
    return doomed, replace(before, looked_at=now, counted_s=time_s, first_seen_s=kept)


def named_oids(layout: Layout, roster: Roster) -> Iterator[str]:
    """Every blob id that something kept names, again and again; what else keeps blobs adds its line here.

    Raises:
        ArtifactError: a snapshot, a history, a manifest or a project object cannot be read.
    """
    yield from _of_snapshots(layout, roster)
    yield from _of_histories(layout, roster)
    yield from _of_versions(layout)


def collect(layout: Layout, roster: Roster, now: datetime, *, at_once: bool = False) -> Collected:
    """Remove what was unnamed for long; with `at_once`, or when a repository was hidden, all that is.

    To be called under the build's lock, when the version that readers see is whole.  A kill at any
    moment leaves a state from which the next call goes on.

    Raises:
        OSError: the disk refused.
    """
    before = _read(layout)
    visible = _visible(roster)
    shown = {key: openness for key, openness in visible.items() if openness != "private"}
    at_once = at_once or is_hidden(before, visible)
    if not at_once and (before.looked_at is None or not is_due(before, now)):
        # Before the first look there is nothing to look for: the time begins to count.
        _write(layout, replace(before, looked_at=before.looked_at or now, shown=shown))
        return Collected()
    found, after = _look(layout, roster, before, now, at_once=at_once)
    # What was hidden stays in mind until its blobs are gone.
    _write(layout, after if found.doubt else replace(after, shown=shown))
    return found


def _look(
    layout: Layout, roster: Roster, before: Unnamed, now: datetime, *, at_once: bool
) -> tuple[Collected, Unnamed]:
    store = BlobStore(layout)
    try:
        named = frozenset(named_oids(layout, roster))
    except ArtifactError as error:
        # The time of a look that saw nothing is not counted.
        return Collected(doubt=str(error)), replace(before, looked_at=now)
    doomed, after = sort_out(before, frozenset(store.oids()) - named, now, at_once=at_once)
    store.sweep()
    for oid in sorted(doomed):
        store.remove(oid)
    held = sum(store.size_bytes(oid) is not None for oid in doomed)
    doubt = f"{held} files under sync/blobs are open in another program" if held else None
    return Collected(removed=len(doomed) - held, doubt=doubt), after


def _visible(roster: Roster) -> dict[str, Visibility]:
    """How visible each repository is, by what it keeps when it is renamed."""
    live = (entry for entry in roster.entries if entry.state not in TOMBSTONES)
    return {f"{entry.source}:{entry.listing.forge_id}": entry.listing.visibility for entry in live}


def _of_snapshots(layout: Layout, roster: Roster) -> Iterator[str]:
    found = [layout.snapshots / path for path in files.walk(layout.snapshots) if path.endswith(f"/{SNAPSHOT}")]
    known = (layout.snapshot(entry.listing.repository) for entry in roster.entries if entry.snapshot_digest)
    for path in sorted({*found, *known}):
        yield from (entry.oid for entry in _load(Snapshot, layout, path, MEND_SNAPSHOT).entries)


def _of_histories(layout: Layout, roster: Roster) -> Iterator[str]:
    found = [layout.histories / path for path in files.walk(layout.histories) if path.endswith(f"/{HISTORY}")]
    known = (layout.history(entry.listing.repository) for entry in roster.entries if entry.history_digest)
    for path in sorted({*found, *known}):
        for folder in _load(History, layout, path, MEND_HISTORY).folders:
            for commit in folder.commits:
                yield from oids_of(commit)


def _of_versions(layout: Layout) -> Iterator[str]:
    manifests = [versions.read_manifest(layout, number) for number in versions.numbers(layout)]
    projects = sorted({project for manifest in manifests for project in manifest.projects.items()})
    for project in projects:
        made = _load(Artifact, layout, layout.object(*project) / PROJECT, MEND_VERSION)
        for rows in (made.pages, made.shared_pages, made.task_files, made.attachments):
            yield from (row.oid for row in rows)
        if made.history is not None:
            yield from _of_history(_load(ProjectHistory, layout, layout.object(*project) / HISTORY, MEND_VERSION))


def _of_history(history: ProjectHistory) -> Iterator[str]:
    versions = (version for page in history.pages for version in page.versions)
    yield from (oid for version in versions for oid in (version.before, version.after) if oid is not None)


def _load(kind: type[Shape], layout: Layout, path: Path, advice: str) -> Shape:
    name = path.relative_to(layout.root).as_posix()
    raw = files.read_bytes(path)
    if raw is None:
        raise ArtifactError(f"{name} is not there; {advice}")
    try:
        return codec.load(kind, raw, name)
    except ArtifactError:
        raise ArtifactError(f"{name} is not as we write it; {advice}") from None


def _read(layout: Layout) -> Unnamed:
    raw = files.read_bytes(layout.unnamed)
    try:
        return Unnamed() if raw is None else codec.load(Unnamed, raw, layout.unnamed.name)
    except ArtifactError:
        return Unnamed()


def _write(layout: Layout, memory: Unnamed) -> None:
    files.write_atomic(layout.unnamed, codec.dump(memory))
