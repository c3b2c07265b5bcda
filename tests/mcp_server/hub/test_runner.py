"""How packets are carried out; time passes only where the runner waits."""

import os
import sys
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mcp_server.hub.downloads import Shelf
from mcp_server.hub.queue import Blob, Packet, Queue
from mcp_server.hub.runner import BUSY, Ended, Launcher, Pace, Runner, Stopped, sentence
from pipeline.blobs import BlobStore, blob_id
from pipeline.layout import Layout

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass(slots=True)
class Clock(Pace):
    """A clock that goes on by the waits alone, and stops the hub after so many of them."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)
    most: int = 1_000

    def pause(self, seconds: float) -> None:
        if len(self.waits) == self.most:
            raise Stopped
        self.waits.append(seconds)
        self.seconds += seconds


class Bench:
    """A queue and a runner; `ends` are the statuses with which its processes end, the last one again and again."""

    def __init__(self, folder: Path, *ends: int, said: str = "") -> None:
        self.queue = Queue(folder / "queue.sqlite", lambda: NOW)
        self.ends = list(ends)
        self.said = said
        self.started: list[tuple[str, ...]] = []
        self.pace = Clock()
        self.pace.monotonic = lambda: self.pace.seconds
        self.shelf = Shelf(root=folder, layout=Layout(folder / "build"), queue=self.queue)
        self.runner = Runner(self.queue, self.launch, self.shelf, self.pace, lambda: None)

    def packet(self, number: int) -> Packet:
        packet = self.queue.get(number)
        assert packet is not None
        return packet

    def launch(self, arguments, _):
        self.started.append(tuple(arguments))
        return Ended(self.ends.pop(0) if len(self.ends) > 1 else self.ends[0], (self.said,))


def test_a_sync_is_a_run_of_doit(tmp_path):
    bench = Bench(tmp_path, 0)
    bench.queue.put_sync("A")

    assert bench.runner.step() is True
    assert bench.started == [("-m", "doit")]
    assert bench.packet(1).state == "done"
    assert bench.runner.step() is False


def test_an_attachment_is_fetched_and_given_its_name(tmp_path):
    bench = Bench(tmp_path, 0)
    oid = blob_id(b"PNG")
    BlobStore(bench.shelf.layout).add(oid, b"PNG")
    bench.queue.put_attachment("A", 7, Blob(repository="local/team/atlas", oid=oid, name="../../x.png"))
    bench.runner.step()

    assert bench.started == [("-m", "pipeline", "fetch-blob", "local/team/atlas", oid)]
    assert (tmp_path / "downloads/wiki-7/x.png").read_bytes() == b"PNG"
    assert bench.shelf.find(7, "local/team/atlas", oid) == "downloads/wiki-7/x.png"
    assert bench.shelf.find(7, "local/team/atlas", "b" * 40) is None


def test_an_attachment_whose_bytes_did_not_come_is_an_error(tmp_path):
    bench = Bench(tmp_path, 0)
    bench.queue.put_attachment("A", 7, Blob(repository="local/team/atlas", oid="a" * 40, name="x.png"))
    bench.runner.step()

    assert bench.packet(1).error == "No such file or directory"


def test_a_run_waits_for_one_by_hand_and_then_goes_on(tmp_path):
    bench = Bench(tmp_path, 75, 75, 0)
    bench.queue.put_sync("A")
    bench.runner.step()

    assert bench.packet(1).state == "done"
    assert bench.pace.waits == [5.0, 5.0]


def test_a_run_waits_ten_minutes_and_no_longer(tmp_path):
    bench = Bench(tmp_path, 75)
    bench.queue.put_sync("A")
    bench.runner.step()

    assert bench.pace.seconds == 600.0
    assert (bench.packet(1).state, bench.packet(1).error) == ("error", BUSY)


def test_a_hub_that_ends_while_a_run_waits_takes_it_up_again(tmp_path):
    bench = Bench(tmp_path, 75)
    bench.pace.most = 2
    bench.queue.put_sync("A")

    with pytest.raises(Stopped):
        bench.runner.step()
    assert bench.packet(1).state == "running"
    bench.queue.close()
    assert Bench(tmp_path, 0).packet(1).state == "queued"


def test_a_failed_run_holds_up_no_other(tmp_path):
    bench = Bench(tmp_path, 1, 0, said="no network\n")
    bench.queue.put_sync("A")
    bench.queue.put_sync("B")
    bench.runner.step()
    bench.runner.step()

    assert (bench.packet(1).error, bench.packet(2).state) == ("the run ended with status 1: no network", "done")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ((), "it said nothing"),
        (("first\n", "last\n", "\n"), "last"),
        (("a\x1b[31mb\r\n",), "a[31mb"),
        (("/home/ann/build/sync: No space left on device\n",), "sync: No space left on device"),
        (("local/team/atlas: HTTP 503\n",), "local/team/atlas: HTTP 503"),
        (("######## TaskFailed\n",), "it said nothing"),
        (("x" * 1000,), "x" * 299 + "…"),
    ],
)
def test_of_a_failed_run_the_last_sentence_is_kept_without_places_of_this_machine(said, told):
    assert sentence(Ended(1, said)) == f"the run ended with status 1: {told}"


def test_a_process_runs_in_the_project_folder_and_what_it_says_is_heard(tmp_path, capsys):
    launcher = Launcher(tmp_path, os.environ, Pace())
    ended = launcher.launch(["-c", "import os, sys; print(os.getcwd()); sys.exit(3)"], lambda: None)

    assert ended == Ended(3, (f"{tmp_path}\n",))
    assert capsys.readouterr().err == f"{tmp_path}\n"


def test_a_process_is_ended_with_the_hub(tmp_path):
    pace = Pace()
    launcher = Launcher(tmp_path, os.environ, pace)
    threading.Timer(0.3, pace.stop).start()

    with pytest.raises(Stopped):
        launcher.launch(["-c", "import time; time.sleep(60)"], lambda: None)


def test_a_process_that_never_ends_is_stopped_after_three_hours(tmp_path):
    times = iter([0.0, 1.0, 10_801.0])
    launcher = Launcher(tmp_path, os.environ, Pace(monotonic=lambda: next(times)))

    with pytest.raises(TimeoutError, match="longer than 3 hours"):
        launcher.launch(["-c", "import time; time.sleep(60)"], lambda: None)


def test_a_run_that_is_long_says_now_and_then_that_it_goes_on(tmp_path):
    times = iter([0.0, 10.0, 21.0, 30.0, *[42.0] * 100])
    beats: list[bool] = []
    launcher = Launcher(tmp_path, os.environ, Pace(monotonic=lambda: next(times)))
    launcher.launch(["-c", "import time; time.sleep(1.5)"], lambda: beats.append(True))

    assert len(beats) == 2


def test_a_runner_stops_when_it_is_told_to(tmp_path):
    bench = Bench(tmp_path, 0)
    bench.pace.stop()
    bench.runner.run()

    assert bench.queue.heartbeat() == NOW


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has classes of priority, not numbers")
def test_a_process_lets_the_readers_of_the_hub_go_first(tmp_path):
    launcher = Launcher(tmp_path, os.environ, Pace())
    own = os.getpriority(os.PRIO_PROCESS, 0)
    ended = launcher.launch(["-c", "import os; print(os.getpriority(os.PRIO_PROCESS, 0))"], lambda: None)

    assert ended.told == (f"{min(own + 10, 19)}\n",)


def test_a_packet_is_done_when_its_work_can_be_seen(tmp_path):
    bench = Bench(tmp_path, 0)
    bench.queue.put_sync("A")
    states: list[str] = []
    bench.runner = Runner(
        bench.queue, bench.launch, bench.shelf, bench.pace, lambda: states.append(bench.packet(1).state)
    )
    bench.runner.step()

    assert (states, bench.packet(1).state) == (["running"], "done")
