"""`doit purge=<repository>`: forgets repositories on this machine at once, texts of old versions included.

What is to be forgotten is written down first (sync/purge.json) and crossed out last, so that whatever
kills a purge, the next build finishes it:

    begin    before the sync: snapshot, history, rows, readings, log, what is staged
    finish   after the publish: every other version, its project trees, the blobs that nothing names now

In between readers see the old version, as whole as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pipeline import codec, files, garbage, stage_record, versions
from pipeline.errors import ArtifactError, ConfigError
from pipeline.history_store import HistoryStore
from pipeline.layout import CATALOG, Layout, repository_path
from pipeline.model import Manifest, RepositoryId, Roster, RosterEntry, SourceConfig, split_id
from pipeline.plan import TOMBSTONES
from pipeline.roster import make_roster, read_roster, write_roster
from pipeline.snapshots import SnapshotStore
from pipeline.sync import read_reading
from pipeline.synclog import forget_in_log
from pipeline.text import fold
from pipeline.wanted import is_wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Purge:
    """purge.json: what is being forgotten, sorted."""

    schema_version: int = codec.SCHEMA_VERSION
    repositories: tuple[RepositoryId, ...] = ()


def choose(asked: str, known: Iterable[RepositoryId]) -> tuple[RepositoryId, ...]:
    """Which repositories `asked` means: names, `owner/name` or whole ids, several with commas.

    Raises:
        ConfigError: a name fits none, or several; all such mistakes at once.
    """
    names = sorted(set(known))
    whole = _meant(asked, names)  # a folder's name may hold a comma
    parts = [asked] if whole else [part.strip() for part in asked.split(",")]
    meant = {part: _meant(part, names) for part in parts}
    mistakes = tuple(_mistake(part, found, names) for part, found in meant.items() if len(found) != 1)
    if mistakes:
        raise ConfigError(mistakes)
    return tuple(sorted({found[0] for found in meant.values()}))


def known_repositories(layout: Layout) -> set[RepositoryId]:
    """Every repository that this machine still has something of.

    Raises:
        ConfigError: purge.json is damaged.
        OSError: a file cannot be read.
    """
    reading = read_reading(layout)
    return {
        *pending(layout),
        *(entry.listing.repository for entry in read_roster(layout).entries),
        *(row.repository for row in (reading.repositories if reading else ())),
        *stage_record.read(layout.parsed),
        *(name for manifest in _manifests(layout) for name in manifest.projects),
    }


def pending(layout: Layout) -> tuple[RepositoryId, ...]:
    """What a purge that was begun has still to forget.

    Raises:
        ConfigError: purge.json is damaged.
    """
    raw = files.read_bytes(layout.purge)
    try:
        return () if raw is None else codec.load(Purge, raw, layout.purge.name).repositories
    except ArtifactError:
        told = f"{layout.purge} is not as we write it; delete it and run `doit purge=…` again"
        raise ConfigError((told,)) from None


def begin(layout: Layout, asked: Sequence[RepositoryId]) -> None:
    """Forget what was asked, and what an earlier purge left, in all that only the pipeline reads.

    Raises:
        OSError: the disk refused; the next build goes on.
    """
    wanted = {*asked, *pending(layout)}
    if not wanted:
        return
    entries = read_roster(layout).entries
    doomed = wanted | _other_names(entries, wanted)
    files.write_atomic(layout.purge, codec.dump(Purge(repositories=tuple(sorted(doomed)))), durable=True)
    # A changed copy of the last catalog would keep removed texts on its unused pages.
    files.remove_tree(layout.stage / CATALOG)
    for repository in sorted(doomed):
        SnapshotStore(layout).remove(repository)
        HistoryStore(layout).remove(repository)
        files.remove_tree(layout.stage_project(repository))
    made = stage_record.read(layout.parsed)
    stage_record.write(layout.parsed, {name: row for name, row in made.items() if name not in doomed})
    _forget_readings(layout, doomed)
    forget_in_log(layout, doomed)
    write_roster(layout, make_roster(entry for entry in entries if entry.listing.repository not in doomed))
    files.sweep(layout.sync)


def finish(layout: Layout, current: int, roster: Roster, now: datetime) -> garbage.Collected:
    """Forget in what was published before `current`, then the bytes; `doubt` says what must wait.

    Raises:
        OSError: the disk refused; the next build goes on.
    """
    purged = pending(layout)
    versions.drop_others(layout, current)
    held = _held(layout, current, purged)
    found = garbage.collect(layout, roster, now, at_once=True)
    if held and not found.doubt:
        found = replace(found, doubt=held)
    if not found.doubt:
        files.remove_tree(layout.purge)
    return found


def returning(
    purged: Sequence[RepositoryId], roster: Roster, sources: Sequence[SourceConfig], *, offline: bool
) -> tuple[RepositoryId, ...]:
    """Those that the configuration still asks for: they are here again, or come with the next look."""
    here = {entry.listing.repository for entry in roster.entries if entry.state not in TOMBSTONES}
    return tuple(name for name in purged if name in here or (offline and _is_asked_for(name, sources)))


def _is_asked_for(repository: RepositoryId, sources: Sequence[SourceConfig]) -> bool:
    host = split_id(repository)[0]
    return any(source.name == host and is_wanted(repository, source) for source in sources)


def _meant(part: str, names: Sequence[RepositoryId]) -> list[RepositoryId]:
    """Those that a name means: letter by letter, else by folded letters."""
    exact = [name for name in names if name == part] or [name for name in names if name.endswith(f"/{part}")]
    return exact or [name for name in names if f"/{fold(name)}".endswith(f"/{fold(part)}")]


def _mistake(part: str, found: Sequence[RepositoryId], names: Sequence[RepositoryId]) -> str:
    # With the readers' words comes all that readers need: too much for every idle run.
    from pipeline.catalog.names import did_you_mean, listed, quoted

    if found:
        return f"purge={part[:80]}: {len(found)} repositories have this name: {listed(found)}; give one of these"
    if not part:
        return "purge= names no repository; expected host/owner/name, owner/name or name"
    depth = min(part.count("/"), 2)
    near = did_you_mean(part, ("/".join(name.split("/", 2)[2 - depth :]) for name in names))
    return f"purge={part[:80]}: nothing is here of a repository {quoted(part)}{near}"


def _manifests(layout: Layout) -> Iterable[Manifest]:
    for number in versions.numbers(layout):
        try:
            yield versions.read_manifest(layout, number)
        except ArtifactError:
            # It cannot tell what it holds; a purge of anything removes it.
            continue


def _other_names(entries: Iterable[RosterEntry], wanted: set[RepositoryId]) -> set[RepositoryId]:
    """What the same repositories were called before a rename."""
    entries = tuple(entries)
    meant = {_identity(entry) for entry in entries if entry.listing.repository in wanted}
    return {entry.listing.repository for entry in entries if _identity(entry) in meant}


def _identity(entry: RosterEntry) -> tuple[str, str]:
    return entry.source, entry.listing.forge_id


def _forget_readings(layout: Layout, doomed: set[RepositoryId]) -> None:
    reading = read_reading(layout)
    if reading is not None:
        rows = tuple(row for row in reading.repositories if row.repository not in doomed)
        evidence = {name: found for name, found in reading.evidence.items() if name not in doomed}
        histories = tuple(row for row in reading.histories if row.repository not in doomed)
        kept = replace(reading, repositories=rows, evidence=evidence, histories=histories)
        files.write_atomic(layout.sync_json, codec.dump(kept))


def _held(layout: Layout, current: int, purged: Sequence[RepositoryId]) -> str | None:
    """What a reader (Windows) still has open."""
    others = [number for number in versions.numbers(layout) if number != current]
    shown = versions.read_manifest(layout, current).projects
    trees = [
        tree
        for repository in purged
        for tree in files.folders(layout.objects / repository_path(repository))
        if tree.name != shown.get(repository)
    ]
    if not others and not trees:
        return None
    return "a reader has a version from before open; end it"
