"""A build folder with something to forget: two repositories, two versions, blobs with and without a name."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pipeline import codec, files, garbage, purge, stage_record, versions
from pipeline.blobs import BlobStore, blob_id
from pipeline.history_store import HistoryStore
from pipeline.layout import Layout
from pipeline.model import (
    Commit,
    Empty,
    FileChange,
    FolderHistory,
    History,
    HistoryReading,
    Listing,
    RepoPath,
    RepositoryId,
    RepositoryReading,
    RosterEntry,
    Snapshot,
    SnapshotEntry,
    SyncReading,
)
from pipeline.roster import make_roster, read_roster, write_roster
from pipeline.snapshots import SnapshotStore
from pipeline.stage_record import Made
from tests.fakes import fault_sweep
from tests.fakes.staged import ANN, BEN, stage, write

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CANARY = b"ann's canary"
SHARED = b"a text that both have"
OTHERS = b"ben's text"
OLD = CANARY + b", as it was"


def row(repository: RepositoryId, digest: str | None = None) -> RosterEntry:
    """A live row."""
    listing = Listing(repository=repository, forge_id=repository, default_branch="main")
    return RosterEntry(
        source="local", listing=listing, head=Empty(), state="ok", reason=None, settled=True, shared=False,
        trees=(), evidence="blobs", snapshot_digest=digest,
    )  # fmt: skip


def reading(*repositories: RepositoryId) -> SyncReading:
    """The readings of a run that had something to say of each of these."""
    rows = tuple(RepositoryReading(repository=name, good_at=NOW) for name in repositories)
    return SyncReading(
        schema_version=codec.SCHEMA_VERSION, machine="m", checked_at=NOW, offline=False, stale_after_hours=24,
        sources=(), repositories=rows, evidence=dict.fromkeys(repositories, "blobs"),
        histories=tuple(HistoryReading(repository=name, at=None, reason="HTTP 503") for name in repositories),
    )  # fmt: skip


def snapshot(layout: Layout, repository: RepositoryId, *contents: bytes) -> RosterEntry:
    """Copy files of a repository, as a sync does; answers its row."""
    for content in contents:
        BlobStore(layout).add(blob_id(content), content)
    entries = tuple(
        SnapshotEntry(path=RepoPath(f".wiki/{n}.md"), oid=blob_id(content), size_bytes=4, etag=None, state="stored")
        for n, content in enumerate(contents)
    )
    made = Snapshot(
        schema_version=codec.SCHEMA_VERSION, repository=repository, shared=False, revision=None, entries=entries
    )
    return row(repository, SnapshotStore(layout).write(made))


def past(layout: Layout, entry: RosterEntry, old: bytes) -> RosterEntry:
    """Bring a commit that changed a page whose text was `old`; answers the row with it."""
    BlobStore(layout).add(blob_id(old), old)
    change = FileChange(path=RepoPath(".wiki/0.md"), before=None, after=blob_id(old))
    commit = Commit(
        id="1" * 40, author="Ann", email="a@example.org", authored_at=NOW, committed_at=NOW, changes=(change,)
    )
    folder = FolderHistory(
        folder=".wiki", revision=commit.id, tree="2" * 40, order=(commit.id,), total=1, commits=(commit,)
    )
    held = History(
        schema_version=codec.SCHEMA_VERSION, repository=entry.listing.repository, reach="5000", folders=(folder,)
    )
    return replace(entry, history_digest=HistoryStore(layout).write(held))


def publish(layout: Layout, page: bytes, *repositories: RepositoryId) -> int | None:
    """Stage and publish a version that shows `page` and has these repositories."""
    projects = {name: stage(layout, name, CANARY + page if name == ANN else OTHERS) for name in repositories}
    write(layout.stage / "repos.json", page)
    write(layout.stage / "report" / "index.html", CANARY if ANN in repositories else b"")
    write(layout.stage / "catalog.sqlite", b"rows of " + page + (CANARY if ANN in repositories else b""))
    return versions.publish(layout, projects, 5)


def furnish(layout: Layout) -> None:
    """Make all of it; `ann` has one blob of its own and one that `ben` has too."""
    rows = (past(layout, snapshot(layout, ANN, CANARY, SHARED), OLD), snapshot(layout, BEN, OTHERS, SHARED))
    write_roster(layout, make_roster(rows))
    for name in (ANN, BEN):
        stage_record.append(layout.parsed, Made(repository=name, snapshot="s", code="c", artifact="a"))
    files.write_atomic(layout.sync_json, codec.dump(reading(ANN, BEN)))
    told = f"head\n  {ANN}: HTTP 503\n  {BEN}: HTTP 503\n".encode()
    files.append(layout.sync_log, told)
    for page in (b"page 2", b"page 3"):
        publish(layout, page, ANN, BEN)


def purge_ann(root: Path) -> None:
    """What a build does of `doit offline=1 purge=ann/notes`."""
    layout = Layout(root)
    known = purge.known_repositories(layout)
    purge.begin(layout, (ANN,) if ANN in known else ())
    publish(layout, b"page 4", BEN)
    number = versions.read_current(layout)
    if purge.pending(layout) and number is not None:
        purge.finish(layout, number, read_roster(layout), NOW)


def holding(layout: Layout, text: bytes) -> list[str]:
    """The files that hold `text`, and those that are named so."""
    found = (path for path in layout.root.rglob("*") if path.is_file())
    return [path.relative_to(layout.root).as_posix() for path in found if text in path.read_bytes()]


def seen_by_a_reader(root: Path) -> str:
    """The old version whole, or the new one with nothing left of `ann`; else what is wrong."""
    layout = Layout(root)
    number = versions.read_current(layout) or 0
    troubles = versions.verify(layout, number)
    page = (layout.version(number) / "repos.json").read_bytes()
    if troubles or page not in (b"page 3", b"page 4"):
        return f"torn: {troubles} {page!r}"
    left = holding(layout, CANARY) + holding(layout, ANN.encode())
    if page == b"page 4" and left:
        return f"left: {left}" if not layout.purge.exists() else "new, not yet forgotten"
    return "new" if page == b"page 4" else "old"


def collect_at_once(root: Path) -> None:
    """Remove every blob without a name."""
    layout = Layout(root)
    garbage.collect(layout, read_roster(layout), NOW, at_once=True)


def leave_garbage(root: Path) -> None:
    """Three blobs that nothing names, one of them remembered, beside those that something does."""
    layout = Layout(root)
    furnish(layout)
    for content in (b"one", b"two", b"three"):
        BlobStore(layout).add(blob_id(content), content)
    remembered = garbage.Unnamed(looked_at=NOW, counted_s=9, first_seen_s={blob_id(b"two"): 5})
    files.write_atomic(layout.unnamed, codec.dump(replace(remembered, shown={"local:x": "public"})))


def blobs_seen(root: Path) -> str:
    """ "new" when what has no name is gone, "old" while it is not; what has a name must be there."""
    layout = Layout(root)
    store = BlobStore(layout)
    if any(store.read(blob_id(content)) != content for content in (CANARY, SHARED, OTHERS, OLD)):
        return "torn: a blob with a name is gone"
    codec.load(garbage.Unnamed, layout.unnamed.read_bytes(), "unnamed.json")
    return "new" if len(set(store.oids())) == len((CANARY, SHARED, OTHERS, OLD)) else "old"


PURGE = fault_sweep.Scene(prepare=lambda root: furnish(Layout(root)), act=purge_ann, state=seen_by_a_reader)
GARBAGE = fault_sweep.Scene(prepare=leave_garbage, act=collect_at_once, state=blobs_seen)
