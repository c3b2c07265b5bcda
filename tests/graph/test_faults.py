"""Old or new, never half: a fault at each single file operation of a publish, a purge and a collection."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
REFUSED = 3
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the sweep forks; versions.py is the same everywhere")


def sweep(folder: Path, fault: str, scene: str = "publish") -> list[list]:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.fakes.fault_sweep", str(folder), fault, scene],
        cwd=HOME,
        capture_output=True,
        check=True,
    )
    tries: list[list] = json.loads(ended.stdout)
    return tries


@needs_fork
@pytest.mark.parametrize("fault", ["kill", "full"])
def test_readers_find_the_old_version_or_the_new_one_whatever_operation_fails(tmp_path, fault):
    tries = sweep(tmp_path, fault)

    assert len(tries) >= 30
    assert {first for _, _, first, _ in tries} == {"old", "new"}
    assert [row for row in tries if row[3] != "new"] == []


@needs_fork
def test_a_full_disk_is_never_called_success_while_readers_find_the_old_version(tmp_path):
    endings = {(ended == REFUSED, first) for _, ended, first, _ in sweep(tmp_path, "full")}

    assert endings == {(True, "old"), (True, "new"), (False, "new")}


@needs_fork
@pytest.mark.parametrize("fault", ["kill", "full"])
def test_a_purge_that_fails_at_any_operation_leaves_readers_whole_and_is_finished_by_the_next_build(tmp_path, fault):
    tries = sweep(tmp_path, fault, "purge")

    assert len(tries) >= 50
    assert {first for _, _, first, _ in tries} == {"old", "new, not yet forgotten", "new"}
    assert [row for row in tries if row[3] != "new"] == []


@needs_fork
@pytest.mark.parametrize("fault", ["kill", "full"])
def test_a_collection_that_fails_at_any_operation_removes_nothing_that_has_a_name(tmp_path, fault):
    tries = sweep(tmp_path, fault, "garbage")

    assert len(tries) >= 5
    assert {first for _, _, first, _ in tries} == {"old", "new"}
    assert [row for row in tries if row[3] != "new"] == []
