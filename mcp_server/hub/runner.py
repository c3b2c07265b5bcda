"""Carries packets out, one at a time, each by a process of its own: `doit`, or `python -m pipeline fetch-blob`.

What such a process says goes to the hub's log; of a failure its last sentence is kept for people.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from mcp_server.hub.downloads import Shelf
from mcp_server.hub.queue import Packet, Queue
from pipeline import files
from pipeline.text import line

logger = logging.getLogger(__name__)

BEAT_S = 20.0
RETRY_S = 5.0
PATIENCE_S = 600.0
RUN_LIMIT_S = 3 * 3600.0
GOODBYE_S = 20.0
KEPT_LINES = 50
ERROR_LETTERS = 300
DOIT = ("-m", "doit")
FETCH = ("-m", "pipeline", "fetch-blob")
BUSY = "a `doit` run by hand has been building for 10 minutes; wait for it, then sync again"
ENDLESS = "the run was stopped: it took longer than 3 hours"
NICER = 10
PATH = re.compile(r"(?<![^\s'\"(=])(?:[A-Za-z]:)?[/\\][^\s:;,'\"]*[/\\]")

if sys.platform == "win32":
    BELOW_NORMAL = subprocess.BELOW_NORMAL_PRIORITY_CLASS
else:
    BELOW_NORMAL = 0


class Stopped(Exception):
    """The hub ends; the packet is taken up again at its next start."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended, and the last lines that it said."""

    status: int
    told: tuple[str, ...] = ()


@dataclass(slots=True)
class Pace:
    """Waiting, and how long it took; `stopping` ends every wait."""

    stopping: threading.Event = field(default_factory=threading.Event)
    woken: threading.Event = field(default_factory=threading.Event)
    monotonic: Callable[[], float] = time.monotonic

    def pause(self, seconds: float) -> None:
        """Wait.

        Raises:
            Stopped: the hub ends.
        """
        if self.stopping.wait(seconds):
            raise Stopped

    def idle(self, seconds: float) -> None:
        """Wait, at most until something is put into the queue.

        Raises:
            Stopped: the hub ends.
        """
        self.woken.wait(seconds)
        self.woken.clear()
        if self.stopping.is_set():
            raise Stopped

    def stop(self) -> None:
        """End every wait."""
        self.stopping.set()
        self.woken.set()


class Launcher:
    """Starts Python in the project folder and stays by it; readers of the hub come before what it does."""

    def __init__(self, folder: Path, environment: Mapping[str, str], pace: Pace) -> None:
        self._folder = folder
        self._environment = environment
        self._pace = pace

    def launch(self, arguments: Sequence[str], beat: Callable[[], None]) -> Ended:
        """Run `python <arguments>` to its end, calling `beat` now and then.

        Raises:
            Stopped: the hub ends; the process was ended in order, or killed where it did not listen.
        """
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self._folder,
            env=dict(self._environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            creationflags=BELOW_NORMAL,
        )
        _let_others_go_first(process)
        assert process.stdout is not None
        told: deque[str] = deque(maxlen=KEPT_LINES)
        listener = threading.Thread(target=_listen, args=(process.stdout, told), daemon=True)
        listener.start()
        try:
            status = self._wait(process, beat)
        finally:
            _end(process)
            listener.join(GOODBYE_S)
        return Ended(status, tuple(told))

    def _wait(self, process: subprocess.Popen[str], beat: Callable[[], None]) -> int:
        """Its exit status; None of it is lost to a hub that ends, or to a process that does not."""
        began = beaten = self._pace.monotonic()
        while True:
            try:
                return process.wait(0.2)
            except subprocess.TimeoutExpired:
                now = self._pace.monotonic()
            if self._pace.stopping.is_set():
                raise Stopped
            if now - began > RUN_LIMIT_S:
                raise TimeoutError(ENDLESS)
            if now - beaten > BEAT_S:
                beat()
                beaten = now


class Runner:
    """Takes packets from the queue until it is stopped."""

    def __init__(
        self,
        queue: Queue,
        launch: Callable[[Sequence[str], Callable[[], None]], Ended],
        shelf: Shelf,
        pace: Pace,
        show: Callable[[], None],
    ) -> None:
        """`show` makes the hub show what a run has published: a packet is done when its work can be seen."""
        self._show = show
        self._queue = queue
        self._launch = launch
        self._shelf = shelf
        self._pace = pace

    def run(self) -> None:
        """Carry out packets as they come."""
        try:
            while True:
                self._queue.beat()
                if not self.step():
                    self._pace.idle(BEAT_S)
        except Stopped:
            return

    def step(self) -> bool:
        """Carry out the packet whose turn it is; False when none waits.

        Raises:
            Stopped: the hub ends; the packet stays as running.
        """
        packet = self._queue.take()
        if packet is None:
            return False
        try:
            error = self._carry_out(packet)
        except OSError as trouble:
            error = trouble.strerror or str(trouble)
        if error is not None:
            logger.warning("packet %d (%s of %s): %s", packet.id, packet.kind, packet.project, error)
        self._queue.finish(packet.id, error)
        return True

    def _carry_out(self, packet: Packet) -> str | None:
        """What went wrong, in one sentence; None when nothing did."""
        arguments = DOIT if packet.kind == "sync" else (*FETCH, packet.repository, packet.oid)
        ended = self._patiently(arguments)
        if ended.status == files.LOCKED:
            return BUSY
        if ended.status != 0:
            return sentence(ended)
        if packet.kind == "attachment":
            self._shelf.place(packet)
        else:
            self._show()
        return None

    def _patiently(self, arguments: Sequence[str]) -> Ended:
        """Run it, again and again for ten minutes while another build has the lock."""
        refused_at: float | None = None
        while True:
            ended = self._launch(arguments, self._queue.beat)
            now = self._pace.monotonic()
            refused_at = now if refused_at is None else refused_at
            if ended.status != files.LOCKED or now - refused_at >= PATIENCE_S:
                return ended
            self._queue.beat()
            self._pace.pause(RETRY_S)


def sentence(ended: Ended) -> str:
    """Why a process failed, as far as it said; paths of this machine are cut to their last part."""
    said = [each for each in (line(one, ERROR_LETTERS) for one in ended.told) if each and not each.startswith("####")]
    last = PATH.sub("", said[-1]) if said else "it said nothing"
    return f"the run ended with status {ended.status}: {last}"


def _listen(output: IO[str], told: deque[str]) -> None:
    with output:
        for said in output:
            told.append(said)
            sys.stderr.write(said)


def _let_others_go_first(process: subprocess.Popen[str]) -> None:
    """Lower its priority, where that is not done as it starts."""
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICER)


def _end(process: subprocess.Popen[str]) -> None:
    """In order, as by Ctrl-C; what does not listen is killed."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(GOODBYE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
