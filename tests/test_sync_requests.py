"""What a sync costs a forge, in requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Self

import pytest

from pipeline import hints, sync
from pipeline.blobs import BlobStore
from pipeline.layout import Layout
from pipeline.model import Config, RepositoryId, RosterEntry, SourceConfig, SourceReading
from pipeline.snapshots import SnapshotStore
from pipeline.sources.gitea import Gitea, read_address
from pipeline.sources.transport import Transport
from pipeline.sync import SyncEvent, SyncOptions, SyncOutcome
from tests.fakes.dialects import GITEA_1_26
from tests.fakes.gitea import FakeGitea, open_fake_forge

BOARD = ".tasks/STATUS.md"


@dataclass
class Run:
    forge: FakeGitea
    layout: Layout
    audit_hours: float = 24
    our_clock_is_off: timedelta = timedelta()
    events: list[SyncEvent] = field(default_factory=list)

    def sync(self) -> SyncOutcome:
        forge = self.forge
        forge.tick(3600)
        forge.requests.clear()

        class Wired(Gitea):
            @classmethod
            def open(cls, config: SourceConfig, traits: Mapping[str, str]) -> Self:
                return cls(config, Transport(read_address(config), wire=forge.wire()), traits)

        settings = {"url": forge.url, "owners": ("ann",), "audit_hours": self.audit_hours}
        row = SourceConfig(kind="gitea", name="forge.example", settings=settings)
        config = Config(sources=(row,), origin="a test")
        options = SyncOptions(now=lambda: forge.clock + self.our_clock_is_off)
        return sync.run(self.layout, config, options, {"gitea": Wired}, self.events.append)

    def entry(self, name: str) -> RosterEntry:
        entries = {entry.listing.repository: entry for entry in sync.read_roster(self.layout).entries}
        return entries[RepositoryId(f"forge.example/ann/{name}")]

    def source(self) -> SourceReading:
        reading = sync.read_reading(self.layout)
        assert reading is not None
        return reading.sources[0]

    def texts(self, name: str) -> dict[str, bytes | None]:
        """The path of every file of a snapshot, and its bytes."""
        snapshot = SnapshotStore(self.layout).load(self.entry(name))
        assert snapshot is not None
        return {entry.path: BlobStore(self.layout).read(entry.oid) for entry in snapshot.entries}

    def cost(self) -> Counter[str]:
        """How many requests there were of each kind."""
        return Counter(kind_of(path) for path in self.forge.paths())


def kind_of(path: str) -> str:
    known = ("git/trees", "/raw/", "file-contents", "/archive/", "settings/api", "repositories/")
    return next((kind for kind in known if kind in path), path)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Sixty repositories of one owner: forty with a board, ten with code alone, ten empty."""
    forge = open_fake_forge(tmp_path)
    forge.add_user("ann")
    add(forge, range(40), {BOARD: "# Board\n"})
    add(forge, range(40, 50), {"main.py": "print()\n"})
    add(forge, range(50, 60), None)
    return Run(forge, Layout(tmp_path / "build"))


def add(forge: FakeGitea, numbers: range, files: dict[str, str] | None) -> None:
    for number in numbers:
        own = {path: f"{text}{number}\n" for path, text in files.items()} if files else None
        forge.add(f"ann/r{number:02}", own)


def test_a_first_sync_asks_once_per_repository_and_once_for_its_one_file(run: Run) -> None:
    outcome = run.sync()

    assert run.cost() == {"users/ann/repos": 2, "git/trees": 50, "/raw/": 40}
    assert (outcome.listed, outcome.probed, outcome.fetched, outcome.failed) == (60, 50, 50, ())


def test_a_wiki_of_two_hundred_pages_costs_its_tree_and_an_archive_once_archives_are_known(run: Run) -> None:
    run.forge.dialect = GITEA_1_26
    pages = {f".wiki/page {number:03}.md": f"# {number}\n" for number in range(200)}
    run.forge.add("ann/old-wiki", pages)
    run.sync()
    first = run.cost()
    run.forge.add("ann/new-wiki", {path: f"{text}new\n" for path, text in pages.items()})

    run.sync()

    assert first == {"users/ann/repos": 2, "git/trees": 51, "/raw/": 40, "/archive/": 2}
    assert run.cost() == {"users/ann/repos": 2, "git/trees": 1, "/archive/": 1}
    assert run.texts("new-wiki")[".wiki/page 199.md"] == b"# 199\nnew\n"


def test_a_sync_without_a_change_asks_for_the_listing_alone(run: Run) -> None:
    run.sync()

    outcome = run.sync()

    assert run.cost() == {"users/ann/repos": 2}
    assert (outcome.listed, outcome.probed) == (60, 0)


def test_of_five_changed_two_with_a_new_board_cost_two_requests_more(run: Run) -> None:
    run.sync()
    push(run.forge, range(3), {"main.py": "print(1)\n"})
    push(run.forge, range(3, 5), {BOARD: "# New\n"})

    outcome = run.sync()

    assert run.cost() == {"users/ann/repos": 2, "git/trees": 5, "/raw/": 2}
    assert (outcome.probed, outcome.fetched) == (5, 2)


def push(forge: FakeGitea, numbers: range, files: dict[str, str]) -> None:
    for number in numbers:
        forge.commit(f"ann/r{number:02}", {path: f"{text}{number}\n" for path, text in files.items()})


def test_a_forge_that_fails_once_is_asked_for_no_more_than_its_listing_afterwards(run: Run) -> None:
    run.sync()
    run.forge.fail("*", status=403, body='{"message": "no"}')
    failed = run.sync()
    run.forge.heal()

    healed = run.sync()

    assert len(failed.failed) == 1
    assert run.cost() == {"users/ann/repos": 2}
    assert (healed.failed, healed.probed) == ((), 0)


def test_a_deleted_repository_costs_one_question(run: Run) -> None:
    run.sync()
    run.forge.delete("ann/r00")
    run.sync()

    outcome = run.sync()

    assert run.cost() == {"users/ann/repos": 2, "repos/ann/r00": 1}
    assert outcome.removed == ("forge.example/ann/r00",)


def test_a_renamed_repository_is_known_by_its_id_and_not_asked_for(run: Run) -> None:
    run.sync()
    run.forge.rename("ann/r00", "ann/new")

    outcome = run.sync()

    assert run.cost() == {"users/ann/repos": 2}
    assert outcome.renamed == (("forge.example/ann/r00", "forge.example/ann/new"),)


def test_a_full_repository_that_the_forge_calls_empty_keeps_its_board(run: Run) -> None:
    run.sync()
    run.forge["ann/r00"].empty = True
    before = run.layout.snapshot(RepositoryId("forge.example/ann/r00")).read_bytes()

    run.sync()

    assert run.cost()["git/trees"] == 1
    assert run.layout.snapshot(RepositoryId("forge.example/ann/r00")).read_bytes() == before


# --- what the listing does not tell


def test_a_push_that_the_listing_does_not_show_is_found_by_the_daily_audit(run: Run) -> None:
    run.sync()
    run.forge.commit("ann/r00", {BOARD: "# By the disk\n"}, bump=False)
    run.sync()
    before = run.texts("r00")
    run.forge.tick(22 * 3600)

    run.sync()

    assert run.cost() == {"users/ann/repos": 2, "git/trees": 50, "/raw/": 1}
    assert (before, run.texts("r00")) == ({BOARD: b"# Board\n0\n"}, {BOARD: b"# By the disk\n"})


def test_after_an_audit_the_listing_is_believed_again_for_a_day(run: Run) -> None:
    run.sync()
    run.forge.tick(24 * 3600)
    run.sync()
    audited_at = run.source().audited_at

    run.sync()

    assert run.cost() == {"users/ann/repos": 2}
    assert run.source().audited_at == audited_at


def test_a_clock_that_was_set_back_costs_one_audit(run: Run) -> None:
    run.sync()
    run.our_clock_is_off = timedelta(days=-3650)
    run.sync()
    first = run.cost()["git/trees"]

    run.sync()

    assert (first, run.cost()["git/trees"]) == (50, 0)


def test_a_hint_makes_one_repository_be_asked_for_once(run: Run) -> None:
    run.sync()
    run.forge.commit("ann/r00", {BOARD: "# Hinted\n"}, bump=False)
    hints.add(run.layout, ["Ann/R00"], run.forge.clock)
    run.sync()
    first = run.cost()

    run.sync()

    assert first == {"users/ann/repos": 2, "git/trees": 1, "/raw/": 1}
    assert run.texts("r00") == {BOARD: b"# Hinted\n"}
    assert run.cost() == {"users/ann/repos": 2}


def test_a_hint_whose_repository_did_not_answer_is_not_lost(run: Run) -> None:
    run.sync()
    run.forge.commit("ann/r00", {BOARD: "# Hinted\n"}, bump=False)
    hints.add(run.layout, ["ann/r00"], run.forge.clock)
    run.forge.fail("*/ann/r00/*", status=403)
    run.sync()
    run.forge.heal()

    run.sync()

    assert run.texts("r00") == {BOARD: b"# Hinted\n"}


def test_a_hint_outlives_a_listing_that_failed(run: Run) -> None:
    run.sync()
    run.forge.commit("ann/r00", {BOARD: "# Hinted\n"}, bump=False)
    hints.add(run.layout, ["ann/r00"], run.forge.clock)
    run.forge.fail("*/users/ann/repos", status=403)
    run.sync()
    run.forge.heal()

    run.sync()

    assert run.texts("r00") == {BOARD: b"# Hinted\n"}


def test_what_was_learned_of_a_server_is_found_out_anew_at_an_audit(run: Run) -> None:
    run.forge.dialect = replace(run.forge.dialect, knows_batches=False)
    run.forge.add("ann/two", {".wiki/a.md": "a", ".wiki/b.md": "b"})
    run.sync()
    before = dict(run.source().traits)
    run.forge.dialect = replace(run.forge.dialect, knows_batches=True)
    run.forge.commit("ann/two", {".wiki/a.md": "A", ".wiki/b.md": "B"})
    run.forge.tick(24 * 3600)

    run.sync()

    assert (before["blobs"], run.source().traits["blobs"]) == ("raw", "file-contents")


# --- mirrors


def test_a_mirror_costs_one_request_after_each_of_its_own_syncs(run: Run) -> None:
    run.forge.add("ann/mirror", {BOARD: "# Mirror\n"}, mirror=True)
    run.sync()
    run.forge.mirror_sync("ann/mirror")
    run.sync()
    first = run.cost()["git/trees"]

    run.sync()

    assert (first, run.cost()["git/trees"]) == (1, 0)


def test_a_mirror_whose_time_goes_back_is_seen(run: Run) -> None:
    run.forge.add("ann/mirror", {BOARD: "# Mirror\n"}, mirror=True)
    run.sync()
    origin = run.forge.head("ann/mirror")
    long_ago = run.forge.clock - timedelta(days=400)
    run.forge.mirror_sync("ann/mirror", {BOARD: "# Older\n"}, parent=origin, committed_at=long_ago)

    run.sync()

    assert run.texts("mirror") == {BOARD: b"# Older\n"}


# --- evidence


def test_every_row_tells_what_it_rests_on_and_the_source_counts_it(run: Run) -> None:
    run.sync()
    push(run.forge, range(2), {"main.py": "print(1)\n"})
    push(run.forge, range(2, 3), {BOARD: "# New\n"})
    run.sync()

    reading = sync.read_reading(run.layout)
    assert reading is not None
    assert reading.sources[0].evidence == {"blobs": 1, "empty": 10, "listing": 47, "trees": 2}
    named = {name.rpartition("/")[2]: evidence for name, evidence in reading.evidence.items() if evidence != "empty"}
    assert named == {"r00": "trees", "r01": "trees", "r02": "blobs"}


def test_a_snapshot_carries_the_etag_that_gitea_would_give(run: Run) -> None:
    run.sync()

    snapshot = SnapshotStore(run.layout).load(run.entry("r00"))

    assert snapshot is not None
    assert [(entry.etag, entry.oid) for entry in snapshot.entries] == [
        ('"7e7076dc2667c12877f7eac1f429b1e8d01bace2"', "7e7076dc2667c12877f7eac1f429b1e8d01bace2")
    ]


# --- a tree that cannot be had


def test_known_files_are_still_looked_at_while_the_tree_cannot_be_had(run: Run) -> None:
    run.sync()
    push(run.forge, range(1), {BOARD: "# New\n", ".wiki/new.md": "unseen\n"})
    run.forge.fail("*/git/trees/*", status=500)

    outcome = run.sync()

    assert run.texts("r00") == {BOARD: b"# New\n0\n"}
    assert (run.entry("r00").state, run.entry("r00").evidence) == ("unreachable", "blobs")
    assert [reason for _, reason in outcome.failed] == [
        "its tree cannot be read (HTTP 500 after 3 tries); only the files known before were looked at"
    ]


def test_known_files_that_did_not_change_are_not_sent(run: Run) -> None:
    run.sync()
    push(run.forge, range(1), {"main.py": "print(1)\n"})
    run.forge.fail("*/git/trees/*", status=500)
    before = run.entry("r00").snapshot_digest

    run.sync()

    assert (run.entry("r00").evidence, run.entry("r00").snapshot_digest) == ("etags", before)


def test_a_first_board_is_found_though_the_tree_cannot_be_had(run: Run) -> None:
    run.sync()
    push(run.forge, range(40, 41), {BOARD: "# First\n"})
    run.forge.fail("*/git/trees/*", status=500)

    run.sync()

    assert run.texts("r40") == {BOARD: b"# First\n40\n"}


def test_the_tree_is_asked_for_again_though_the_head_stays(run: Run) -> None:
    run.sync()
    push(run.forge, range(1), {".wiki/new.md": "page "})
    run.forge.fail("*/git/trees/*", status=500)
    run.sync()
    run.forge.heal()

    run.sync()

    assert run.texts("r00") == {BOARD: b"# Board\n0\n", ".wiki/new.md": b"page 0\n"}
    assert (run.entry("r00").state, run.entry("r00").reason) == ("ok", None)


# --- large trees


def test_of_a_large_repository_a_changed_folder_costs_two_requests_and_the_other_none(run: Run) -> None:
    files = {f"src/{number}.py": "" for number in range(1_100)}
    run.forge.add("ann/large", {BOARD: "# Large\n", ".wiki/a.md": "a", **files})
    run.sync()
    run.forge.commit("ann/large", {".wiki/b.md": "b"})

    run.sync()

    assert run.cost() == {"users/ann/repos": 2, "git/trees": 2, "/raw/": 1}
    assert run.texts("large") == {BOARD: b"# Large\n", ".wiki/a.md": b"a", ".wiki/b.md": b"b"}
