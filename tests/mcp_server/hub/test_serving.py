"""`sdlc-hub serve` as a process of its own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from mcp_server.hub.queue import Queue
from pipeline import clock
from tests.fakes.published import Site
from tests.fakes.wikis import publish

# What stands in for the pipeline: it says that it began, and ends when it may.
DODO = """
import pathlib, time
def run():
    here = pathlib.Path({folder!r})
    with (here / "began").open("a") as told:
        told.write("x")
    while not (here / "may-end").exists():
        time.sleep(0.02)
def task_publish():
    return {{"actions": [run], "uptodate": [False]}}
DOIT_CONFIG = {{"dep_file": str(pathlib.Path({folder!r}) / "doit.db")}}
"""


@dataclass
class Machine:
    """A build folder, a project folder and a state folder."""

    root: Path
    environment: dict[str, str]

    def command(self, *words: str) -> list[str]:
        folders = ["--state", str(self.root / "state"), "--project-dir", str(self.root)]
        return [sys.executable, "-m", "mcp_server.sdlc", "serve", *folders, "--port", "0", *words]

    def refused(self, *words: str) -> tuple[int, str]:
        """How a hub ends that cannot begin."""
        ended = subprocess.run(self.command(*words), env=self.environment, capture_output=True, timeout=60)
        return ended.returncode, ended.stderr.decode()

    @contextmanager
    def serving(self, *words: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
        """A hub that serves, and a client that has its token."""
        process = subprocess.Popen(self.command(*words), env=self.environment, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            url = process.stdout.readline().removeprefix("sdlc-hub listens on ").strip()
            token = (self.root / "state" / "token").read_text().strip()
            with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, trust_env=False) as client:
                yield process, client
        finally:
            process.kill()
            process.communicate()

    def began(self) -> str:
        path = self.root / "began"
        return path.read_text() if path.exists() else ""


@pytest.fixture
def machine(tmp_path: Path, site: Site) -> Iterator[Machine]:
    """A machine on which no run outlives the test, not even one whose hub was killed."""
    publish(site)
    (tmp_path / "dodo.py").write_text(DODO.format(folder=str(tmp_path)), encoding="utf-8")
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    here = str(Path(__file__).parent.parent.parent.parent)
    yield Machine(
        tmp_path, {**kept, "PROJECTS_META_BUILD": str(site.layout.root), "PYTHONPATH": here, "HOME": str(tmp_path)}
    )
    (tmp_path / "may-end").touch()


def wait_for(happened) -> None:
    """Give what happens elsewhere the time that it needs."""
    import time

    end = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_packet_that_ran_when_the_hub_was_killed_runs_again_at_the_next_start(machine: Machine):
    with machine.serving() as (process, client):
        client.post("/projects", json={"label": "A", "name": "A", "wiki_root": "DOC-3", "author": "x"})
        client.post("/projects", json={"label": "B", "name": "B", "wiki_root": "DOC-3", "author": "x"})
        wait_for(lambda: machine.began() == "x")
        assert [client.get(f"/packets/{number}").json()["state"] for number in (1, 2)] == ["running", "queued"]
        process.send_signal(signal.SIGKILL)
        process.wait()

    (machine.root / "may-end").touch()
    with machine.serving() as (_, client):
        wait_for(lambda: client.get("/packets/2").json()["state"] == "done")
        assert client.get("/packets/1").json()["state"] == "done"
    assert machine.began() == "xxx"


def test_a_hub_that_is_stopped_ends_its_run_and_takes_it_up_again(machine: Machine):
    with machine.serving() as (process, client):
        client.post("/projects", json={"label": "A", "name": "A", "wiki_root": "DOC-3", "author": "x"})
        wait_for(lambda: machine.began() == "x")
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0

    packet = Queue(machine.root / "state" / "queue.sqlite", clock.now).get(1)
    assert packet is not None
    assert packet.state == "queued"


def test_reads_go_on_while_a_sync_runs(machine: Machine):
    with machine.serving() as (_, client):
        client.post("/projects", json={"label": "A", "name": "A", "wiki_root": "DOC-3", "author": "x"})
        wait_for(lambda: machine.began() == "x")

        assert client.get("/wiki/tree", params={"project": "A"}).json()["nodes"][0]["code"] == "DOC-3"
        assert client.get("/wiki/status", params={"project": "A"}).json()["packet"]["state"] == "running"


def test_two_hubs_on_one_state_folder_refuse_each_other(machine: Machine):
    with machine.serving():
        status, told = machine.refused()

    assert status == 2
    assert told == (
        f"another sdlc-hub serves the state folder {machine.root / 'state'}; "
        "stop it, or give this one another --state\n"
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_a_host_that_others_can_reach_is_refused(machine: Machine, host):
    status, told = machine.refused("--host", host)

    assert status == 2
    assert told.startswith(f"--host is {host}, which other machines can reach; expected a loopback address")
    assert not (machine.root / "state").exists()


def test_a_host_that_others_can_reach_is_taken_when_that_is_meant(machine: Machine):
    with machine.serving("--host", "0.0.0.0", "--allow-remote") as (_, client):
        assert client.get("/projects").status_code == 200


def test_a_port_that_is_taken_is_told(machine: Machine):
    with machine.serving() as (_, client):
        status, told = machine.refused("--port", str(client.base_url.port), "--state", str(machine.root / "other"))

    assert (status, told.partition(":")[0].split(" port")[0]) == (2, "cannot listen on 127.0.0.1")


def test_a_project_folder_without_dodo_is_told(machine: Machine, tmp_path):
    (tmp_path / "dodo.py").unlink()

    assert machine.refused() == (
        2, f"{tmp_path} has no dodo.py; give --project-dir the folder in which you run `doit`\n"
    )  # fmt: skip


def test_a_broken_registry_is_told_and_left_alone(machine: Machine):
    (machine.root / "state").mkdir(mode=0o700)
    (machine.root / "state" / "projects.toml").write_text("[[project]]\nlabel = 1\n", encoding="utf-8")
    status, told = machine.refused()

    assert status == 2
    assert told.splitlines()[0].startswith("projects.toml: project 1: label is 1; expected one line")
    assert (machine.root / "state" / "projects.toml").read_text(encoding="utf-8") == "[[project]]\nlabel = 1\n"


def test_a_time_in_the_environment_that_is_none_is_told(machine: Machine):
    machine.environment["PROJECTS_META_NOW"] = "noon"

    assert machine.refused()[0] == 2


def test_the_description_of_the_routes_is_json(machine: Machine):
    with machine.serving() as (_, client):
        assert json.loads(client.get("/openapi.json").content)["info"]["title"] == "sdlc-hub"
