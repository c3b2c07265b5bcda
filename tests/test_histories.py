"""How histories are brought: with their files where that is free or little, else after everything else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from pipeline import history_run, sync
from pipeline.blobs import BlobStore, blob_id
from pipeline.errors import NoHistory, SourceUnreachable
from pipeline.history_store import HistoryStore
from pipeline.layout import Layout
from pipeline.model import (
    Config,
    FolderHistory,
    HistoryReading,
    HistorySettings,
    HistoryText,
    RepositoryId,
    RosterEntry,
)
from pipeline.roster import update_roster
from pipeline.sync import SyncOptions
from tests.fakes.memory import Memory, MemorySource

NOTES = RepositoryId("memory/ann/notes")
APP = RepositoryId("memory/ann/app")
BOARD = ".tasks/STATUS.md"
PAGE = ".wiki/a.md"


@dataclass
class Workspace:
    """A build folder and one source in memory, an hour older at every run."""

    layout: Layout
    memory: Memory = field(default_factory=Memory)
    settings: HistorySettings = field(default_factory=HistorySettings)
    trouble: Exception | None = None
    forged: bool = False
    texts_last: bool = False

    @property
    def config(self) -> Config:
        return replace(self.memory.config(), history=self.settings)

    @property
    def sources(self) -> dict[str, type[MemorySource]]:
        (kind,) = self.memory.sources()
        workspace = self

        class Telling(self.memory.sources()[kind]):  # type: ignore[misc]  # a class made for each memory
            async def read_history(self, quest):
                if workspace.trouble is not None:
                    raise workspace.trouble
                parts = [part async for part in super().read_history(quest)]
                for part in sorted(parts, key=lambda one: workspace.texts_last and isinstance(one, HistoryText)):
                    if not quest.may_ask():
                        return
                    forged = workspace.forged and isinstance(part, HistoryText)
                    yield replace(part, content=b"forged") if forged else part

        return {kind: Telling}

    def sync(self) -> sync.SyncOutcome:
        self.memory.tick(3600)
        self.memory.asked.clear()
        return sync.run(self.layout, self.config, SyncOptions(now=self.memory.now), self.sources, lambda _: None)

    def bring(self, tried: frozenset[RepositoryId] = frozenset()) -> history_run.HistoryOutcome:
        rows = history_run.due(sync.read_roster(self.layout), self.settings, tried)
        return history_run.run(self.layout, self.config, rows, self.sources, self.memory.now())

    def push(self, name: str, path: str, *texts: str) -> None:
        for text in texts:
            self.memory.tick(60)
            files = self.memory.repositories[name].files if name in self.memory.repositories else {}
            self.memory[name] = {**files, path: text}

    def entry(self, name: RepositoryId = NOTES) -> RosterEntry:
        return {row.listing.repository: row for row in sync.read_roster(self.layout).entries}[name]

    def folder(self, name: RepositoryId = NOTES, folder: str = ".wiki") -> FolderHistory:
        held = HistoryStore(self.layout).load(name)
        assert held is not None
        return next(each for each in held.folders if each.folder == folder)

    def readings(self) -> tuple[HistoryReading, ...]:
        reading = sync.read_reading(self.layout)
        assert reading is not None
        return reading.histories

    def asked(self) -> list[str]:
        return [word for word in self.memory.asked if word.startswith("history")]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """One repository whose page was pushed three times."""
    found = Workspace(Layout(tmp_path / "build"))
    found.push("ann/notes", PAGE, "one\n", "two\n", "three\n")
    return found


@pytest.fixture
def loaded(workspace: Workspace) -> Workspace:
    """The same with its history, as two runs leave it."""
    workspace.sync()
    workspace.bring()
    return workspace


# --- a first history


def test_a_first_sync_of_a_forge_brings_no_history(workspace):
    workspace.sync()

    assert (workspace.asked(), workspace.entry().history_digest) == ([], None)


def test_a_first_history_comes_later_with_its_texts(workspace):
    workspace.sync()
    outcome = workspace.bring()

    assert (outcome.brought, outcome.waiting, outcome.failed) == ((NOTES,), 0, ())
    assert (len(workspace.folder().order), workspace.folder().total) == (3, 3)
    assert BlobStore(workspace.layout).read(blob_id(b"one\n")) == b"one\n"
    assert (workspace.entry().history_reach, workspace.readings()) == ("5000", ())


def test_a_local_source_brings_it_with_the_files(workspace):
    workspace.memory.has_clock = False
    workspace.sync()

    assert len(workspace.folder().order) == 3
    assert workspace.entry().history_reach == "5000"


def test_a_history_that_is_here_is_not_asked_for_again(loaded):
    loaded.sync()

    assert (loaded.asked(), history_run.due(sync.read_roster(loaded.layout), loaded.settings)) == ([], ())


def test_only_as_many_requests_as_allowed_are_made_and_the_next_run_goes_on(workspace):
    workspace.settings = HistorySettings(requests_per_run=3)
    workspace.sync()
    first = workspace.bring()
    half = len(workspace.folder().commits), workspace.folder().order
    workspace.settings = HistorySettings(requests_per_run=5)
    workspace.bring()

    assert (first.waiting, half) == (1, (1, None))
    assert len(workspace.folder().order) == 3


def test_a_commit_whose_text_did_not_come_is_brought_again(workspace):
    workspace.texts_last = True
    workspace.settings = HistorySettings(requests_per_run=2)
    workspace.sync()
    workspace.bring()
    workspace.texts_last = False
    workspace.settings = HistorySettings()
    workspace.bring()

    assert len(workspace.folder().order) == 3
    assert BlobStore(workspace.layout).read(blob_id(b"one\n")) == b"one\n"


def test_without_any_request_nothing_is_brought(workspace):
    workspace.settings = HistorySettings(requests_per_run=0)
    workspace.sync()

    assert (workspace.bring().brought, workspace.asked()) == ((), [])


def test_what_a_killed_run_brought_is_not_brought_twice(workspace):
    workspace.sync()
    workspace.bring()
    known = sync.read_roster(workspace.layout)
    bare = replace(workspace.entry(), history_digest=None, history_reach=None)
    update_roster(workspace.layout, replace(known, entries=(bare,)), ())
    BlobStore(workspace.layout).remove(blob_id(b"one\n"))
    workspace.bring()

    assert len(workspace.folder().order) == 3
    assert not BlobStore(workspace.layout).has(blob_id(b"one\n"), None)


def test_those_that_failed_before_come_after_the_others(workspace):
    workspace.push("ann/app", PAGE, "one\n")
    workspace.sync()
    row = replace(workspace.entry(APP), history_reason="HTTP 503")
    roster = replace(sync.read_roster(workspace.layout), entries=(row, workspace.entry(NOTES)))

    assert [one.listing.repository for one in history_run.due(roster, workspace.settings)] == [NOTES, APP]
    assert [one.listing.repository for one in history_run.due(roster, workspace.settings, {NOTES})] == [APP]


# --- what changes


def test_a_push_brings_its_history_with_its_files(loaded):
    loaded.push("ann/notes", PAGE, "four\n")
    loaded.sync()

    assert (len(loaded.folder().order), loaded.entry().history_reach) == (4, "5000")
    assert loaded.asked() == ["history ann/notes .wiki"]


def test_a_push_elsewhere_asks_for_no_history(loaded):
    loaded.push("ann/notes", "main.py", "print()\n")
    loaded.sync()

    assert loaded.asked() == []


def test_a_folder_that_came_later_has_its_own_history(loaded):
    loaded.push("ann/notes", BOARD, "# Board\n")
    loaded.sync()

    assert len(loaded.folder(folder=".tasks").order) == 1
    assert loaded.asked() == ["history ann/notes .tasks"]


def test_a_folder_that_is_gone_keeps_its_history_with_its_end(loaded):
    loaded.push("ann/notes", BOARD, "# Board\n")
    loaded.sync()
    loaded.memory["ann/notes"] = {BOARD: "# Board\n"}
    loaded.sync()

    assert (len(loaded.folder().order), loaded.folder().tree) == (4, None)


def test_other_bounds_make_histories_anew(loaded):
    loaded.settings = HistorySettings(max_commits=2)
    loaded.sync()
    loaded.bring()

    assert loaded.entry().history_reach == "2"
    assert history_run.due(sync.read_roster(loaded.layout), HistorySettings())


def test_after_a_forced_push_the_log_is_the_new_one_alone(loaded):
    old = loaded.folder().order
    remembered = loaded.memory.repositories["ann/notes"]
    remembered.pushes.clear()
    loaded.push("ann/notes", PAGE, "other\n")
    loaded.sync()

    assert len(loaded.folder().order) == 1
    assert set(old).isdisjoint(commit.id for commit in loaded.folder().commits)


def test_a_renamed_repository_keeps_its_history(loaded):
    loaded.memory.rename("ann/notes", "ann/diary")
    loaded.sync()

    assert len(loaded.folder(RepositoryId("memory/ann/diary")).order) == 3
    assert not loaded.layout.history(NOTES).exists()


def test_of_a_repository_that_is_no_longer_wanted_no_history_stays(loaded):
    config = loaded.config
    row = replace(config.sources[0], exclude=("notes",))
    sync.run(loaded.layout, replace(config, sources=(row,)), SyncOptions(now=loaded.memory.now), loaded.sources, print)

    assert not loaded.layout.history(NOTES).parent.exists()


# --- trouble


def test_a_history_that_fails_leaves_the_new_files_and_says_why(loaded):
    loaded.push("ann/notes", PAGE, "four\n")
    loaded.trouble = SourceUnreachable("HTTP 503")
    before = loaded.memory.now()
    outcome = loaded.sync()

    assert (loaded.entry().state, loaded.entry().evidence, len(loaded.folder().order)) == ("ok", "blobs", 3)
    assert (loaded.entry().history_reason, loaded.entry().history_reach) == ("HTTP 503", None)
    assert loaded.readings() == (HistoryReading(repository=NOTES, at=before - timedelta(minutes=1), reason="HTTP 503"),)
    assert outcome.tried == {NOTES}


def test_a_history_that_failed_comes_with_the_next_run(loaded):
    loaded.push("ann/notes", PAGE, "four\n")
    loaded.trouble = SourceUnreachable("HTTP 503")
    loaded.sync()
    loaded.trouble = None
    loaded.sync()
    outcome = loaded.bring()

    assert (outcome.brought, len(loaded.folder().order), loaded.readings()) == ((NOTES,), 4, ())


def test_a_source_that_tells_no_history_is_not_asked_again_before_something_changes(workspace):
    workspace.trouble = NoHistory("this server does not tell the history of a folder")
    workspace.sync()
    workspace.bring()
    due = history_run.due(sync.read_roster(workspace.layout), workspace.settings)

    assert due == ()
    assert [(row.at, row.reason) for row in workspace.readings()] == [(None, str(workspace.trouble))]


def test_a_text_with_other_bytes_than_its_id_names_is_not_kept(workspace):
    workspace.forged = True
    workspace.sync()
    workspace.bring()

    assert "other bytes than its id" in str(workspace.entry().history_reason)
    assert workspace.entry().history_digest is None
