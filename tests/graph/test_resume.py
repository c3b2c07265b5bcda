"""A first sync that is stopped in the middle goes on where it was: what was finished is not asked again."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fakes.gitea import open_fake_forge
from tests.fakes.stopping import StoppingForge
from tests.graph.conftest import HOME, Workspace, make_workspace

REPOSITORIES = 300
PAGES, FIRST_RUN = 6, 6 + 2 * REPOSITORIES
ONE_BATCH = 8
AGAIN = PAGES + 2 * ONE_BATCH
BOARD = "# Task Board\n\n## 🔴 ship — Ship number {}\n**Status:** active\n"
needs_signals = pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to stop another process by")


@dataclass(slots=True)
class Forge:
    """A forge of 300 repositories that have been quiet for an hour, and where it is."""

    stopping: StoppingForge
    url: str

    def run(self, workspace: Workspace) -> list[str]:
        """One undisturbed sync; answers the paths asked for."""
        requests = self.stopping.forge.requests
        requests.clear()
        assert workspace.doit("sync").status == 0
        return self.stopping.forge.paths()

    def stop_run(self, workspace: Workspace, at: int, by: signal.Signals, before: str = "") -> tuple[int, list[str]]:
        """A sync that gets a signal when it asks for the `at`-th time: its status, and the paths asked for.

        `before` is what its shell does first.
        """
        self.stopping.forge.requests.clear()
        command = ["sh", "-c", f"{before} exec '{sys.executable}' -m doit sync"]
        started = subprocess.Popen(command, cwd=HOME, env=workspace.environment, stdout=-3, stderr=-3)
        self.stopping.stop(started, at, by)
        status = started.wait(timeout=100)
        self.stopping.client = None
        return status, self.stopping.forge.paths()


@pytest.fixture(scope="module")
def forge(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forge")
    found = open_fake_forge(folder)
    for number in range(REPOSITORIES):
        found.add(f"ann/project-{number:03d}", {".tasks/STATUS.md": BOARD.format(number)})
    found.tick(3600)
    stopping = StoppingForge(found)
    with stopping.serve() as url:
        yield Forge(stopping, url)


@pytest.fixture
def workspace(tmp_path, forge):
    return connected(tmp_path, forge)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, forge):
    """What one whole run leaves, and what it asks for."""
    workspace = connected(tmp_path_factory.mktemp("undisturbed"), forge)
    return forge.run(workspace), kept(workspace)


def connected(root: Path, forge: Forge) -> Workspace:
    found = make_workspace(root)
    found.configure(f'[[source]]\nkind = "gitea"\nname = "forge"\nurl = "{forge.url}"\nowners = ["ann"]\n')
    return found


def kept(workspace: Workspace) -> list[tuple[object, ...]]:
    """What is known of each repository, but for the evidence of the very last look."""
    rows = workspace.json("sync/roster.json")["entries"]
    return [(row["listing"]["repository"], row["head"], row["snapshot_digest"], row["settled"]) for row in rows]


def looked_at(paths: list[str]) -> set[str]:
    """The repositories whose tree was asked for."""
    return {path.split("/")[2] for path in paths if "/git/trees/" in path}


@needs_signals
@pytest.mark.parametrize("moments", [[5], [306], [590], [150, 306]], ids=str)
def test_a_killed_sync_asks_again_for_no_more_than_was_in_flight(workspace, forge, undisturbed, moments):
    killed = [forge.stop_run(workspace, at, signal.SIGKILL) for at in moments]
    after = forge.run(workspace)

    assert len(undisturbed[0]) == FIRST_RUN
    assert {status for status, _ in killed} == {-signal.SIGKILL}
    assert len(looked_at(killed[-1][1]) & looked_at(after)) <= ONE_BATCH
    assert sum(len(asked) for _, asked in killed) + len(after) <= FIRST_RUN + len(moments) * AGAIN
    assert kept(workspace) == undisturbed[1]


@needs_signals
def test_a_sync_that_a_person_stops_goes_on_as_well(workspace, forge, undisturbed):
    # As a shell starts what it runs in the background; what follows is then the same as after Ctrl-C.
    status, before = forge.stop_run(workspace, 306, signal.SIGTERM, before="trap '' INT;")
    after = forge.run(workspace)

    assert status == -signal.SIGINT
    assert len(before) + len(after) <= FIRST_RUN + AGAIN
    assert kept(workspace) == undisturbed[1]


@needs_signals
def test_a_journal_torn_in_its_last_row_costs_that_repository_alone(workspace, forge, undisturbed):
    before = forge.stop_run(workspace, 306, signal.SIGKILL)[1]
    journal = workspace.build / "sync" / "roster.journal"
    journal.write_bytes(journal.read_bytes()[:-30])
    after = forge.run(workspace)

    assert len(looked_at(before) & looked_at(after)) <= ONE_BATCH + 1
    assert kept(workspace) == undisturbed[1]
