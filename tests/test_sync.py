from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from pipeline import sync
from pipeline.blobs import BlobStore
from pipeline.codec import dump_line
from pipeline.errors import ConfigError
from pipeline.layout import Layout
from pipeline.model import (
    Config,
    RepositoryId,
    RepositoryReading,
    Resolved,
    RosterEntry,
    SourceConfig,
    SourceReading,
    Unreachable,
)
from pipeline.snapshots import SnapshotStore
from pipeline.sources import SOURCES
from pipeline.sync import SyncEvent, SyncOptions, SyncOutcome
from tests.fakes.bare import BareRepository, Link
from tests.fakes.memory import START, Memory, MemorySource

NOTES = RepositoryId("memory/ann/notes")
APP = RepositoryId("memory/ann/app")
HOME = Path(__file__).parent.parent
BOARD = ".tasks/STATUS.md"
STILL_THERE = "no longer listed, though it is still there; has the account lost its right to it?"
DEAD = Unreachable(reason="HTTP 503", last=None)


@dataclass
class Workspace:
    """A build folder and one source in memory, an hour older at every run."""

    layout: Layout
    memory: Memory = field(default_factory=Memory)
    row: Mapping[str, object] = field(default_factory=dict)
    shared_wiki: str = "projects-wiki"
    events: list[SyncEvent] = field(default_factory=list)

    @property
    def config(self) -> Config:
        return replace(self.memory.config(**self.row), shared_wiki=self.shared_wiki)

    def run(
        self, *, seconds: float = 3600, offline: bool = False, accept_removals: bool = False, limit_s: float = 3600
    ) -> SyncOutcome:
        self.memory.tick(seconds)
        self.memory.asked.clear()
        self.events.clear()
        options = SyncOptions(now=self.memory.now, offline=offline, accept_removals=accept_removals, limit_s=limit_s)
        return sync.run(self.layout, self.config, options, self.memory.sources(), self.events.append)

    def entry(self, repository: str) -> RosterEntry:
        return self.entries()[RepositoryId(repository)]

    def entries(self) -> dict[RepositoryId, RosterEntry]:
        return {entry.listing.repository: entry for entry in sync.read_roster(self.layout).entries}

    def states(self) -> dict[str, str]:
        return {entry.listing.repository: entry.state for entry in self.entries().values()}

    def texts(self, repository: str) -> dict[str, str | None]:
        """The path of every stored file, and its text."""
        snapshot = SnapshotStore(self.layout).load(self.entry(repository))
        assert snapshot is not None
        found = {entry.path: BlobStore(self.layout).read(entry.oid) for entry in snapshot.entries}
        return {path: content.decode() if content is not None else None for path, content in found.items()}

    def kept(self) -> dict[str, bytes]:
        """All that a run may not change for nothing."""
        files = [path for path in self.layout.sync.rglob("*") if path.is_file()]
        clocks = (self.layout.sync_json, self.layout.sync_log)
        return {
            path.relative_to(self.layout.sync).as_posix(): path.read_bytes() for path in files if path not in clocks
        }

    def source(self) -> SourceReading:
        reading = sync.read_reading(self.layout)
        assert reading is not None
        (source,) = reading.sources
        return source

    def readings(self) -> tuple[RepositoryReading, ...]:
        reading = sync.read_reading(self.layout)
        assert reading is not None
        return reading.repositories


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(Layout(tmp_path / "build"))


@pytest.fixture
def synced(workspace: Workspace) -> Workspace:
    """Two repositories, brought once."""
    workspace.memory["ann/notes"] = {BOARD: "# Notes\n", ".wiki/index.md": "# Index\n"}
    workspace.memory["ann/app"] = {BOARD: "# App\n", "main.py": "print()\n"}
    workspace.run()
    return workspace


# --- what is asked and brought


def test_a_first_run_brings_the_wanted_files(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {BOARD: "# Notes\n", ".wiki/Ёж.md": "ёж\n", "main.py": "print()\n"}

    outcome = workspace.run()

    assert workspace.texts(NOTES) == {BOARD: "# Notes\n", ".wiki/Ёж.md": "ёж\n"}
    assert outcome == SyncOutcome(listed=1, probed=1, fetched=1, blobs=2, blob_bytes=13)
    assert (workspace.entry(NOTES).state, workspace.entry(NOTES).evidence) == ("ok", "blobs")


def test_an_idle_run_asks_for_the_listing_alone_and_changes_no_file(synced: Workspace) -> None:
    synced.run()
    before = synced.kept()

    outcome = synced.run()

    assert synced.memory.asked == ["list"]
    assert synced.kept() == before
    assert outcome == SyncOutcome(listed=2)


def test_a_change_of_code_costs_one_question_and_no_snapshot(synced: Workspace) -> None:
    before = synced.entry(APP)
    synced.memory["ann/app"] = {BOARD: "# App\n", "main.py": "print(1)\n"}

    outcome = synced.run()

    assert synced.memory.asked == ["list", "resolve ann/app"]
    assert (synced.entry(APP).evidence, outcome.fetched) == ("trees", 0)
    assert synced.entry(APP).snapshot_digest == before.snapshot_digest
    assert synced.entry(APP).head != before.head


def test_a_push_that_changed_nothing_is_known_by_its_head(synced: Workspace) -> None:
    synced.memory["ann/app"] = {BOARD: "# App\n", "main.py": "print()\n"}
    before = synced.entry(APP).head

    synced.run()

    assert synced.entry(APP).evidence == "head"
    assert synced.entry(APP).head == before


def test_only_blobs_that_are_not_here_are_brought(synced: Workspace) -> None:
    synced.memory["ann/notes"] = {BOARD: "# Notes 2\n", ".wiki/index.md": "# Index\n", ".wiki/copy.md": "# App\n"}

    outcome = synced.run()

    assert synced.memory.asked == ["list", "resolve ann/notes", "tree ann/notes", f"blob ann/notes {BOARD}"]
    assert synced.texts(NOTES) == {BOARD: "# Notes 2\n", ".wiki/index.md": "# Index\n", ".wiki/copy.md": "# App\n"}
    assert (outcome.fetched, outcome.blobs) == (1, 1)


def test_a_repository_that_was_touched_a_moment_ago_is_asked_again(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {BOARD: "one"}
    workspace.run(seconds=4)
    workspace.memory["ann/notes"].files = {BOARD: "two, in the same second"}

    workspace.run()

    assert workspace.texts(NOTES) == {BOARD: "two, in the same second"}


def test_a_source_without_times_is_asked_every_time(workspace: Workspace) -> None:
    workspace.memory.has_clock = False
    workspace.memory["ann/notes"] = {BOARD: "one"}
    workspace.run()
    workspace.run()

    assert workspace.memory.asked == ["list", "resolve ann/notes"]


def test_the_shared_wiki_is_copied_whole(workspace: Workspace) -> None:
    workspace.shared_wiki = "ann/notes"
    workspace.memory["ann/notes"] = {"node/yarn.md": "yarn", "logo.png": b"\x89", "deep/er/x.MD": "x"}

    workspace.run()

    assert workspace.texts(NOTES) == {"node/yarn.md": "yarn", "deep/er/x.MD": "x"}
    assert workspace.entry(NOTES).shared


def test_a_repository_that_becomes_the_shared_wiki_is_copied_anew(synced: Workspace) -> None:
    synced.memory["ann/app"] = {BOARD: "# App\n", "README.md": "hello"}
    synced.run()
    synced.shared_wiki = "app"

    synced.run()

    assert synced.texts(APP) == {BOARD: "# App\n", "README.md": "hello"}


def test_links_stay_out_and_attachments_are_named(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {".wiki/a.png": b"\x89PNG", ".wiki/link.md": Link("/etc/passwd")}

    workspace.run()

    snapshot = SnapshotStore(workspace.layout).load(workspace.entry(NOTES))
    assert snapshot is not None
    assert [(entry.path, entry.state, entry.size_bytes) for entry in snapshot.entries] == [(".wiki/a.png", "listed", 4)]
    assert [(entry.path, entry.reason) for entry in snapshot.skipped] == [(".wiki/link.md", "symlink")]


def test_an_empty_repository_is_not_asked_and_has_an_empty_snapshot(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {}

    workspace.run()

    assert workspace.memory.asked == ["list"]
    assert workspace.texts(NOTES) == {}
    assert (workspace.entry(NOTES).state, workspace.entry(NOTES).evidence) == ("ok", "empty")


def test_a_listing_that_calls_a_full_repository_empty_is_checked(synced: Workspace) -> None:
    synced.memory["ann/notes"] = {}

    synced.run()

    assert "resolve ann/notes" in synced.memory.asked
    assert synced.texts(NOTES) == {}


# --- what goes wrong


def test_a_dead_repository_keeps_its_last_snapshot_and_says_why(synced: Workspace) -> None:
    synced.memory["ann/notes"] = {BOARD: "# New\n"}
    synced.memory["ann/notes"] = DEAD

    outcome = synced.run()

    assert synced.texts(NOTES) == {BOARD: "# Notes\n", ".wiki/index.md": "# Index\n"}
    assert (synced.entry(NOTES).state, synced.entry(NOTES).reason) == ("unreachable", "HTTP 503")
    assert outcome.failed == ((NOTES, "HTTP 503"),)
    assert synced.states()[APP] == "ok"


def test_a_repository_that_comes_back_is_asked_though_its_listing_did_not_move(synced: Workspace) -> None:
    synced.memory["ann/notes"] = {BOARD: "# New\n"}
    synced.memory["ann/notes"] = DEAD
    synced.run()
    synced.memory["ann/notes"].trouble = None

    synced.run()

    assert synced.texts(NOTES) == {BOARD: "# New\n"}
    assert (synced.entry(NOTES).state, synced.entry(NOTES).reason) == ("ok", None)


def test_a_dead_source_keeps_everything(synced: Workspace) -> None:
    before = synced.source().synced_at
    synced.memory.trouble = "no answer in 30 s"

    outcome = synced.run()

    assert synced.states() == {APP: "unreachable", NOTES: "unreachable"}
    assert synced.texts(APP) == {BOARD: "# App\n"}
    assert outcome.failed == (("memory", "no answer in 30 s"),)
    assert (synced.source().state, synced.source().synced_at) == ("unreachable", before)
    assert outcome.anything_readable


def test_a_source_that_comes_back_costs_no_more_than_its_listing(synced: Workspace) -> None:
    good = synced.entry(APP)
    synced.memory.trouble = "no answer in 30 s"
    synced.run()
    synced.memory.trouble = None

    synced.run()

    assert synced.memory.asked == ["list"]
    assert synced.states() == {APP: "ok", NOTES: "ok"}
    assert (synced.entry(APP).head, synced.entry(APP).reason) == (good.head, None)


def test_a_first_run_that_reads_nothing_says_so(workspace: Workspace) -> None:
    workspace.memory.trouble = "no answer in 30 s"

    assert not workspace.run().anything_readable


def test_a_short_listing_removes_nothing(synced: Workspace) -> None:
    synced.memory["ann/app"].listed = False
    synced.memory.partial = "owner bob: HTTP 503"

    synced.run()
    synced.run()

    assert synced.states() == {APP: "unreachable", NOTES: "ok"}
    assert synced.entry(APP).reason == "owner bob: HTTP 503"
    assert "find ann/app" not in synced.memory.asked


def test_a_file_whose_bytes_are_others_is_not_stored_and_told(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {BOARD: "# Notes\n", ".wiki/a.md": "true"}
    workspace.memory.forged_paths.add(".wiki/a.md")

    outcome = workspace.run()

    assert workspace.texts(NOTES) == {BOARD: "# Notes\n", ".wiki/a.md": None}
    assert outcome.failed == ((NOTES, "1 of 2 files could not be brought: .wiki/a.md"),)
    assert workspace.entry(NOTES).state == "ok"


def test_a_file_that_could_not_be_brought_is_tried_again(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {BOARD: "# Notes\n", ".wiki/a.md": "true"}
    workspace.memory.lost_paths.add(".wiki/a.md")
    workspace.run()
    workspace.memory.lost_paths.clear()

    workspace.run()

    assert workspace.texts(NOTES) == {BOARD: "# Notes\n", ".wiki/a.md": "true"}
    assert workspace.entry(NOTES).reason is None


def test_content_that_may_not_be_read_is_not_asked_for(synced: Workspace) -> None:
    synced.memory["ann/notes"].readable = False

    outcome = synced.run()

    assert synced.memory.asked == ["list"]
    assert (synced.entry(NOTES).state, synced.entry(NOTES).evidence) == ("unreachable", "unreadable")
    assert outcome.failed == ((NOTES, "the account may not read its content; give it the right to read code"),)


def test_a_mistake_of_every_source_is_told_before_anything_is_asked(workspace: Workspace) -> None:
    class Locked(MemorySource):
        @classmethod
        def open(cls, config: SourceConfig, traits: Mapping[str, str]) -> Locked:  # noqa: ARG003
            raise ConfigError((f"{config.name}: no token",))

    rows = (SourceConfig(kind="locked", name="one"), SourceConfig(kind="locked", name="two"))
    config = Config(sources=rows, origin="a test")

    with pytest.raises(ConfigError) as caught:
        sync.run(workspace.layout, config, SyncOptions(now=lambda: START), {"locked": Locked}, ignore)

    assert caught.value.mistakes == ("one: no token", "two: no token")


def test_a_fault_of_a_source_s_own_code_is_a_crash_of_its_own_name(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {BOARD: "one"}

    class Broken(workspace.memory.sources()["memory"]):  # type: ignore[misc]  # a class made at run time
        async def list_tree(self, *_: object) -> tuple[()]:
            raise ZeroDivisionError("our mistake")

    with pytest.raises(ZeroDivisionError, match="our mistake"):
        sync.run(workspace.layout, workspace.config, SyncOptions(now=workspace.memory.now), {"memory": Broken}, ignore)


def test_a_folder_inside_another_that_did_not_change_is_not_listed_twice(workspace: Workspace) -> None:
    wiki = RepositoryId("memory/ann/projects-wiki")
    workspace.memory["ann/projects-wiki"] = {"a.md": "a", ".wiki/b.md": "b"}
    workspace.run()
    workspace.memory["ann/projects-wiki"] = {"a.md": "A", ".wiki/b.md": "b"}
    workspace.run()

    snapshot = SnapshotStore(workspace.layout).load(workspace.entry(wiki))

    assert snapshot is not None
    assert [entry.path for entry in snapshot.entries] == [".wiki/b.md", "a.md"]


def test_a_folder_of_which_something_was_left_out_is_listed_again(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {BOARD: "one", ".wiki/link.md": Link("x"), ".wiki/a.md": "a"}
    workspace.run()
    workspace.memory["ann/notes"] = {BOARD: "two", ".wiki/link.md": Link("x"), ".wiki/a.md": "a"}
    workspace.run()

    snapshot = SnapshotStore(workspace.layout).load(workspace.entry(NOTES))

    assert snapshot is not None
    assert [each.path for each in snapshot.skipped] == [".wiki/link.md"]


# --- what leaves


def test_a_deleted_repository_is_gone_at_the_second_look(synced: Workspace) -> None:
    del synced.memory["ann/app"]
    synced.run()
    first = synced.states()[APP]

    outcome = synced.run()

    assert (first, synced.states()[APP]) == ("unreachable", "gone")
    assert (outcome.removed, outcome.failed) == ((APP,), ())
    assert not synced.layout.snapshot(APP).exists()


def test_a_repository_that_is_only_hidden_is_never_removed(synced: Workspace) -> None:
    synced.memory["ann/app"].listed = False

    synced.run()
    synced.run()

    assert synced.memory.asked == ["list", "find ann/app"]
    assert synced.texts(APP) == {BOARD: "# App\n"}
    assert (
        synced.entry(APP).reason == "no longer listed, though it is still there; has the account lost its right to it?"
    )


def test_a_repository_that_moved_to_an_owner_whom_nobody_asks_for_leaves_as_renamed(workspace: Workspace) -> None:
    workspace.row = {"include": ("ann/*",)}
    workspace.memory["ann/app"] = {BOARD: "# App\n"}
    workspace.memory["ann/notes"] = {BOARD: "# Notes\n"}
    workspace.run()
    workspace.memory.rename("ann/app", "bob/app")

    workspace.run()
    first = workspace.states()[APP]
    workspace.run()

    assert (first, workspace.states()[APP]) == ("unreachable", "renamed")
    assert workspace.entry(APP).reason == "now memory/bob/app, which this source does not ask for"
    assert not workspace.layout.snapshot(APP).exists()


def test_the_row_of_a_gone_repository_leaves_after_thirty_days(synced: Workspace) -> None:
    del synced.memory["ann/app"]
    synced.run()
    synced.run()
    gone_at = synced.memory.clock
    synced.run(seconds=30 * 86_400)
    assert synced.readings() == (RepositoryReading(repository=APP, good_at=START.replace(hour=13), gone_since=gone_at),)

    synced.run(seconds=1)

    assert synced.states() == {NOTES: "ok"}


def test_an_empty_answer_removes_nothing_until_a_person_says_so(synced: Workspace) -> None:
    del synced.memory["ann/app"]
    del synced.memory["ann/notes"]

    doubted = [synced.run(), synced.run()]
    states = synced.states()
    accepted = synced.run(accept_removals=True)

    assert [(len(outcome.doubts), outcome.failed) for outcome in doubted] == [(1, ()), (1, ())]
    assert states == {APP: "unreachable", NOTES: "unreachable"}
    assert (accepted.doubts, accepted.removed) == ((), (APP, NOTES))


def test_what_the_configuration_no_longer_wants_leaves_at_once(synced: Workspace) -> None:
    synced.row = {"exclude": ("app",)}

    outcome = synced.run()

    assert synced.states() == {NOTES: "ok"}
    assert outcome.removed == (APP,)
    assert not synced.layout.snapshot(APP).exists()


def test_a_source_that_is_no_longer_there_leaves_with_all_it_had(synced: Workspace) -> None:
    synced.row = {"name": "other"}

    outcome = synced.run()

    assert synced.states() == {"other/ann/app": "ok", "other/ann/notes": "ok"}
    assert outcome.removed == (APP, NOTES)


def test_a_renamed_repository_carries_its_snapshot_and_leaves_a_sign(synced: Workspace) -> None:
    synced.memory.rename("ann/app", "bob/new")

    outcome = synced.run()

    assert synced.memory.asked == ["list"]
    assert synced.texts("memory/bob/new") == {BOARD: "# App\n"}
    assert (synced.entry(APP).state, synced.entry(APP).reason) == ("renamed", "now memory/bob/new")
    assert outcome.renamed == ((APP, "memory/bob/new"),)
    assert not synced.layout.snapshot(APP).exists()


def test_a_renamed_snapshot_speaks_of_its_new_name(synced: Workspace) -> None:
    synced.memory.rename("ann/app", "bob/new")
    synced.run()

    snapshot = SnapshotStore(synced.layout).load(synced.entry("memory/bob/new"))
    head = synced.entry("memory/bob/new").head

    assert isinstance(head, Resolved)
    assert snapshot is not None
    assert snapshot.revision is not None
    assert {snapshot.repository, snapshot.revision.repository, head.revision.repository} == {"memory/bob/new"}


def test_two_repositories_may_swap_their_names(synced: Workspace) -> None:
    synced.memory.rename("ann/app", "ann/x")
    synced.memory.rename("ann/notes", "ann/app")
    synced.memory.rename("ann/x", "ann/notes")

    synced.run()

    assert synced.texts(NOTES) == {BOARD: "# App\n"}
    assert synced.texts(APP) == {BOARD: "# Notes\n", ".wiki/index.md": "# Index\n"}


def test_a_name_that_another_repository_took_does_not_show_the_old_content(synced: Workspace) -> None:
    del synced.memory["ann/app"]
    synced.memory["ann/app"] = {BOARD: "# Another\n"}
    synced.memory["ann/app"] = DEAD

    synced.run()

    assert (synced.entry(APP).state, synced.entry(APP).snapshot_digest) == ("unreachable", None)
    assert not synced.layout.snapshot(APP).exists()


# --- offline, kills, damage


def test_offline_asks_nothing_and_changes_nothing(synced: Workspace) -> None:
    before, read_at = synced.kept(), synced.source().synced_at

    outcome = synced.run(offline=True)

    reading = sync.read_reading(synced.layout)
    assert synced.memory.asked == []
    assert synced.kept() == before
    assert reading is not None
    assert (reading.offline, synced.source().synced_at, outcome.anything_readable) == (True, read_at, True)


def test_offline_before_any_sync_has_nothing_to_show(workspace: Workspace) -> None:
    outcome = workspace.run(offline=True)

    assert (outcome.anything_readable, sync.read_roster(workspace.layout).entries) == (False, ())


def test_a_killed_run_goes_on_where_it_was(synced: Workspace) -> None:
    finished = dump_line(synced.entry(APP))
    synced.layout.roster.unlink()
    synced.layout.journal.write_bytes(finished + finished[:100])

    synced.run()

    assert synced.memory.asked == ["list", "resolve ann/notes", "tree ann/notes"]
    assert synced.states() == {APP: "ok", NOTES: "ok"}
    assert not synced.layout.journal.exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from pipeline import clock, sync
from pipeline.layout import Layout
from pipeline.model import Config, SourceConfig
from pipeline.sources import SOURCES

row = SourceConfig(kind="folder", name="local", settings={"path": sys.argv[1]})
finished = []

def kill(event):
    finished.extend([event] if event.kind == "probed" else [])
    len(finished) == 30 and os.kill(os.getpid(), signal.SIGKILL)

options = sync.SyncOptions(now=clock.now)
sync.run(Layout(Path(sys.argv[2])), Config(sources=(row,), origin="a test"), options, SOURCES, kill)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_run_that_is_killed_at_its_thirtieth_repository_leaves_ten_to_the_next(tmp_path: Path) -> None:
    make_clones(tmp_path / "src", 40)
    place = Layout(tmp_path / "build")
    row = SourceConfig(kind="folder", name="local", settings={"path": str(tmp_path / "src")})

    killed = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "src", place.root], cwd=HOME, check=False)
    outcome = sync.run(place, Config(sources=(row,), origin="a test"), SyncOptions(now=lambda: START), SOURCES, ignore)

    assert killed.returncode == -signal.SIGKILL
    assert (outcome.listed, outcome.fetched) == (40, 10)


def ignore(_: SyncEvent) -> None:
    """Nobody watches."""


def make_clones(folder: Path, count: int) -> None:
    for number in range(count):
        repository = BareRepository.create(folder / f"r{number:02}.git", "main")
        repository.commit("main", {BOARD: f"# {number}\n"}, when=START)


def test_no_more_than_eight_questions_are_asked_at_a_time(workspace: Workspace) -> None:
    workspace.memory = Memory({f"ann/r{number}": {BOARD: f"# {number}\n"} for number in range(50)})

    workspace.run()

    assert workspace.memory.most_in_flight == 8


@pytest.mark.parametrize("damage", [b"", b"{", b'{"entries": [], "schema_version": 0}'])
def test_a_damaged_roster_is_made_anew_without_bringing_blobs_again(synced: Workspace, damage: bytes) -> None:
    synced.layout.roster.write_bytes(damage)

    outcome = synced.run()

    assert (outcome.probed, outcome.blobs) == (2, 0)
    assert synced.states() == {APP: "ok", NOTES: "ok"}


@pytest.mark.parametrize("damage", [None, b"{}"])
def test_a_lost_or_damaged_snapshot_is_made_anew_when_it_is_next_looked_at(
    synced: Workspace, damage: bytes | None
) -> None:
    place = synced.layout.snapshot(NOTES)
    place.unlink() if damage is None else place.write_bytes(damage)
    synced.memory["ann/notes"].updated_at = synced.memory.clock

    synced.run()

    assert synced.texts(NOTES) == {BOARD: "# Notes\n", ".wiki/index.md": "# Index\n"}


def test_a_lost_snapshot_is_missed_though_nothing_changed(synced: Workspace) -> None:
    synced.layout.snapshot(NOTES).unlink()

    synced.run()

    assert synced.texts(NOTES) == {BOARD: "# Notes\n", ".wiki/index.md": "# Index\n"}


def test_a_blob_that_was_cut_short_is_brought_again(synced: Workspace) -> None:
    snapshot = SnapshotStore(synced.layout).load(synced.entry(APP))
    assert snapshot is not None
    synced.layout.blob(snapshot.entries[0].oid).write_bytes(b"# A")
    synced.memory["ann/app"] = {BOARD: "# App\n", ".tasks/more.md": "more"}

    synced.run()

    assert synced.texts(APP) == {BOARD: "# App\n", ".tasks/more.md": "more"}


def test_a_renamed_repository_whose_snapshot_is_damaged_is_made_anew(synced: Workspace) -> None:
    synced.layout.snapshot(APP).write_bytes(b"{}")
    synced.memory.rename("ann/app", "bob/new")

    synced.run()

    assert synced.texts("memory/bob/new") == {BOARD: "# App\n"}


def test_a_damaged_blob_is_not_read(synced: Workspace) -> None:
    snapshot = SnapshotStore(synced.layout).load(synced.entry(APP))
    assert snapshot is not None
    synced.layout.blob(snapshot.entries[0].oid).write_bytes(b"# XYZ\n")

    assert synced.texts(APP) == {BOARD: None}


# --- clocks and words


def test_two_machines_that_sync_the_same_source_have_the_same_files(synced: Workspace, tmp_path: Path) -> None:
    other = Workspace(Layout(tmp_path / "other"), synced.memory)

    other.run(seconds=10 * 86_400)

    assert other.kept() == synced.kept()


@pytest.mark.parametrize("years", [-10, 10])
def test_a_clock_that_jumps_asks_no_more_than_before(synced: Workspace, years: int) -> None:
    synced.run(seconds=years * 365 * 86_400)
    synced.run(seconds=-years * 365 * 86_400)

    assert synced.memory.asked == ["list"]
    assert synced.states() == {APP: "ok", NOTES: "ok"}


def test_a_repository_tells_when_it_was_last_good(synced: Workspace) -> None:
    good_at = synced.memory.clock
    synced.memory["ann/notes"] = {BOARD: "# New\n"}
    synced.memory["ann/notes"] = DEAD

    synced.run()
    synced.run()

    assert synced.readings() == (RepositoryReading(repository=NOTES, good_at=good_at),)
    assert synced.source().synced_at == synced.memory.clock


def test_while_the_whole_source_fails_a_repository_still_tells_when_it_was_good(synced: Workspace) -> None:
    good_at = synced.memory.clock
    synced.memory["ann/notes"] = {BOARD: "# New\n"}
    synced.memory["ann/notes"] = DEAD
    synced.run()
    synced.memory.trouble = "no answer in 30 s"

    synced.run()

    assert synced.readings() == (RepositoryReading(repository=NOTES, good_at=good_at),)


def test_a_missing_repository_tells_since_when(synced: Workspace) -> None:
    good_at = synced.memory.clock
    synced.memory["ann/app"].listed = False
    synced.run()
    missing_at = synced.memory.clock

    synced.run()

    assert synced.readings() == (RepositoryReading(repository=APP, good_at=good_at, missing_since=missing_at),)


def test_a_display_hears_what_happens(synced: Workspace) -> None:
    synced.memory["ann/notes"] = {BOARD: "# Notes 2\n"}
    synced.memory["ann/app"] = {BOARD: "# App 2\n"}
    synced.memory["ann/app"] = DEAD

    synced.run()

    assert [(event.kind, event.repository, event.count) for event in synced.events] == [
        ("listed", None, 2),
        ("planned", None, 2),
        ("probed", APP, 1),
        ("failed", APP, 1),
        ("probed", NOTES, 1),
        ("fetched", NOTES, 1),
    ]


def test_the_log_tells_every_run_on_plain_lines(synced: Workspace) -> None:
    synced.memory["ann/app"] = {BOARD: "# App 2\n"}
    synced.memory["ann/app"] = Unreachable(reason="HTTP 503\n\x1b[31mforged", last=None)

    synced.run()

    assert synced.layout.sync_log.read_text(encoding="utf-8") == (
        "2026-03-01T13:00:00Z listed 2, probed 2, fetched 2 (3 blobs, 22 bytes), failed 0, removed 0, renamed 0\n"
        "2026-03-01T14:00:00Z listed 2, probed 1, fetched 0 (0 blobs, 0 bytes), failed 1, removed 0, renamed 0\n"
        "  memory/ann/app: HTTP 503 [31mforged\n"
    )


def test_the_log_stays_below_a_mebibyte_and_keeps_the_newest(synced: Workspace) -> None:
    synced.layout.sync_log.write_bytes(b"an old run\n" * 100_000)

    synced.run()

    lines = synced.layout.sync_log.read_bytes().splitlines()
    assert synced.layout.sync_log.stat().st_size <= 1 << 19
    assert (lines[0], lines[-1][:33]) == (b"an old run", b"2026-03-01T14:00:00Z listed 2, pr")


def test_a_roster_holds_no_clock_of_ours_and_no_path_of_this_machine(synced: Workspace) -> None:
    text = json.dumps(json.loads(synced.layout.roster.read_bytes()))

    assert str(synced.layout.root) not in text
    assert synced.memory.clock.strftime("%Y-%m-%dT%H") not in text


def test_a_run_that_comes_to_its_limit_keeps_what_it_had_and_the_next_one_goes_on(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {BOARD: "- [ ] one\n"}
    workspace.run()
    workspace.memory["ann/notes"] = {BOARD: "- [ ] two\n"}

    late = workspace.run(limit_s=0)
    kept = workspace.texts("memory/ann/notes")
    workspace.run()

    assert late.failed == ((NOTES, sync.LATE),)
    assert kept == {BOARD: "- [ ] one\n"}
    assert workspace.texts("memory/ann/notes") == {BOARD: "- [ ] two\n"}


def test_a_changed_file_that_cannot_be_brought_keeps_the_good_copy_of_before(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {BOARD: "- [ ] one\n", ".wiki/a.md": "true"}
    workspace.run()
    workspace.memory["ann/notes"] = {BOARD: "- [ ] two\n", ".wiki/a.md": "true", ".wiki/b.md": "new"}
    workspace.memory.lost_paths.add(BOARD)

    workspace.run()

    assert workspace.texts(NOTES) == {BOARD: "- [ ] one\n", ".wiki/a.md": "true"}
    assert workspace.entry(NOTES).state == "unreachable"
    assert workspace.entry(NOTES).reason == f"1 of 3 files could not be brought: {BOARD}"


def test_a_new_file_that_cannot_be_brought_does_not_hold_up_the_others(workspace: Workspace) -> None:
    workspace.memory["ann/notes"] = {BOARD: "- [ ] one\n"}
    workspace.run()
    workspace.memory["ann/notes"] = {BOARD: "- [ ] two\n", ".wiki/b.md": "new"}
    workspace.memory.lost_paths.add(".wiki/b.md")

    workspace.run()

    assert workspace.texts(NOTES) == {BOARD: "- [ ] two\n", ".wiki/b.md": None}
    assert workspace.entry(NOTES).state == "ok"
