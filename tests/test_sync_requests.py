"""What a sync costs a forge, in requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import pytest

from pipeline import sync
from pipeline.layout import Layout
from pipeline.model import Config, RepositoryId, SourceConfig
from pipeline.sources.gitea import Gitea, read_address
from pipeline.sources.transport import Transport
from pipeline.sync import SyncEvent, SyncOptions, SyncOutcome
from tests.fakes.gitea import FakeGitea, open_fake_forge

BOARD = ".tasks/STATUS.md"


@dataclass
class Run:
    forge: FakeGitea
    layout: Layout
    events: list[SyncEvent] = field(default_factory=list)

    def sync(self) -> SyncOutcome:
        forge = self.forge
        forge.tick(3600)
        forge.requests.clear()

        class Wired(Gitea):
            @classmethod
            def open(cls, config: SourceConfig, traits: Mapping[str, str]) -> Self:
                return cls(config, Transport(read_address(config), wire=forge.wire()), traits)

        row = SourceConfig(kind="gitea", name="forge.example", settings={"url": forge.url, "owners": ("ann",)})
        config = Config(sources=(row,), origin="a test")
        return sync.run(self.layout, config, SyncOptions(now=lambda: forge.clock), {"gitea": Wired}, self.events.append)

    def cost(self) -> Counter[str]:
        """How many requests there were of each kind."""
        return Counter(kind_of(path) for path in self.forge.paths())


def kind_of(path: str) -> str:
    known = ("git/trees", "/raw/", "file-contents", "settings/api", "repositories/")
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


def test_a_renamed_repository_is_asked_once_and_no_file_is_brought_again(run: Run) -> None:
    run.sync()
    run.forge.rename("ann/r00", "ann/new")

    outcome = run.sync()

    assert run.cost() == {"users/ann/repos": 2, "git/trees": 1}
    assert outcome.renamed == (("forge.example/ann/r00", "forge.example/ann/new"),)


def test_a_full_repository_that_the_forge_calls_empty_keeps_its_board(run: Run) -> None:
    run.sync()
    run.forge["ann/r00"].empty = True
    before = run.layout.snapshot(RepositoryId("forge.example/ann/r00")).read_bytes()

    run.sync()

    assert run.cost()["git/trees"] == 1
    assert run.layout.snapshot(RepositoryId("forge.example/ann/r00")).read_bytes() == before
