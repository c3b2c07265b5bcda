"""What doit is taught, where a person meets it: a build folder that is not ours, and a stop."""

import json
import subprocess
import sys

import pytest
from doit.dependency import JSONCodec
from doit.exceptions import InvalidCommand

from pipeline.doit_plugins import StateFile

STOPPED_IN_A_TASK = """
import asyncio, signal, sys
from pipeline import stopping
from pipeline.doit_plugins import Reporter

async def look():
    signal.raise_signal(signal.SIGTERM)
    await asyncio.sleep(60)

async def looks():
    async with asyncio.TaskGroup() as group:
        group.create_task(look())
        group.create_task(asyncio.sleep(60))

signal.signal(signal.SIGINT, {"heard": signal.default_int_handler, "ignored": signal.SIG_IGN}[sys.argv[1]])
Reporter(sys.stdout, {}).initialize({}, [])
stopping.run(looks())
"""


def test_a_folder_that_somebody_else_filled_is_refused_and_left_as_it_is(tmp_path):
    (tmp_path / "thesis.txt").write_text("years", encoding="utf-8")

    with pytest.raises(InvalidCommand, match="holds files of somebody else; set PROJECTS_META_BUILD to a new folder"):
        StateFile(str(tmp_path / "doit.json"), JSONCodec())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("mark", ["doit.json", "build.lock", "current.json"])
def test_a_folder_that_a_build_left_is_taken_whatever_else_is_in_it(tmp_path, mark):
    (tmp_path / mark).write_text("{}", encoding="utf-8")
    (tmp_path / "cron.log").write_text("", encoding="utf-8")

    StateFile(str(tmp_path / "doit.json"), JSONCodec()).dump()

    assert (tmp_path / "doit.json").read_text(encoding="utf-8") == "{}"


def test_a_build_folder_below_a_file_is_one_sentence(tmp_path):
    (tmp_path / "notes").write_text("", encoding="utf-8")

    with pytest.raises(InvalidCommand, match="is not a folder; move it away or set PROJECTS_META_BUILD"):
        StateFile(str(tmp_path / "notes" / "build" / "doit.json"), JSONCodec())


@pytest.mark.parametrize("ctrl_c", ["heard", "ignored"])
def test_sigterm_inside_a_running_sync_ends_with_one_sentence(ctrl_c):
    command = [sys.executable, "-c", STOPPED_IN_A_TASK, ctrl_c]

    ended = subprocess.run(command, capture_output=True, timeout=30, check=False)

    assert ended.stderr.decode().splitlines() == ["stopped; what was brought so far is kept, `doit` goes on from there"]


def test_the_state_of_doit_names_no_repository_but_those_that_a_person_set_aside(tmp_path):
    state = StateFile(str(tmp_path / "doit.json"), JSONCodec())
    state.set("sync", "deps:", [])
    state.set("parse:forge/ann/notes", "deps:", [])
    state.set("parse:forge/ann/roof", "ignore:", "1")
    state.dump()

    assert sorted(json.loads((tmp_path / "doit.json").read_bytes())) == ["parse:forge/ann/roof", "sync"]
