"""What a person sees while sources are asked and artifacts made: a live line on a terminal, else plain lines.

Plain lines come every 500 repositories and at least every ten seconds, in silence too; a short run has
its listings and one line at its end.  doit captures the standard streams while a step runs, so
everything goes to the true stderr.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from pipeline import text
from pipeline.pace import Pace, render_pace
from pipeline.sync import SyncEvent

if TYPE_CHECKING:
    from rich.progress import Progress

PLAIN_EVERY = 500
PLAIN_AFTER_S = 10.0
TICK_S = 1.0
TOLD_FAILURES = 20

Monotonic = Callable[[], float]


@dataclass(slots=True)
class Counts:
    """The events so far, in numbers."""

    listed: int = 0
    planned: int = 0
    probed: int = 0
    fetched: int = 0
    failed: int = 0

    def add(self, event: SyncEvent) -> None:
        """Count one event."""
        setattr(self, event.kind, getattr(self, event.kind) + event.count)

    def __str__(self) -> str:
        numbers = f"listed {self.listed:,}  probed {self.probed:,}/{self.planned:,}  fetched {self.fetched:,}"
        return f"{numbers}  errors {self.failed:,}" if self.failed else numbers


@contextmanager
def watching(
    stream: TextIO | None = None, monotonic: Monotonic = time.monotonic
) -> Iterator[Callable[[SyncEvent], None]]:
    """Show the events of one sync until the block ends; `monotonic` is in seconds."""
    target = _true_stderr(stream)
    if target.isatty():
        live = _Live(Counts(), Pace(monotonic()), monotonic)
        with _bars(target, live.words) as live.bars:
            live.bars.add_task("syncing", total=None)
            yield live.show
        return
    plain = Plain(target, monotonic)
    with _ticking(plain.tick):
        yield plain.show
    plain.end()


@dataclass(slots=True)
class Parsing:
    """Shows how many artifacts have been made; says nothing when there is none to make."""

    stream: TextIO | None = None
    expected: int = 0
    parsed: int = 0
    monotonic: Monotonic = time.monotonic
    bars: Progress | None = None
    pace: Pace | None = None
    written_s: float = 0.0

    def expect(self, more: int = 1) -> None:
        """So many more artifacts will have to be made."""
        self.expected += more

    def step(self) -> None:
        """One more artifact was made."""
        target, now_s = _true_stderr(self.stream), self.monotonic()
        if self.pace is None:
            self._begin(target, now_s)
        self.parsed += 1
        if self.pace is not None:
            self.pace.note(now_s, self.parsed)
        if self.bars is not None:
            self.bars.update(self.bars.task_ids[0], completed=self.parsed)
        elif self.parsed % PLAIN_EVERY == 0 or now_s - self.written_s >= PLAIN_AFTER_S:
            self.written_s = now_s
            target.write(f"{self.words()}\n")
            target.flush()

    def end(self) -> None:
        """All that had to be made is made."""
        if self.bars is not None:
            self.bars.stop()
        elif self.parsed:
            _true_stderr(self.stream).write(f"{self}\n")

    def words(self) -> str:
        """The numbers and the pace."""
        pace = render_pace(self.pace, self.monotonic(), self.parsed, self.expected) if self.pace else ""
        return f"{self}  {pace}" if pace else f"{self}"

    def _begin(self, target: TextIO, now_s: float) -> None:
        self.pace, self.written_s = Pace(now_s), now_s
        self.pace.note(now_s, self.parsed)
        if target.isatty():
            self.bars = _bars(target, self.words)
            self.bars.add_task("parsing", total=self.expected)
            self.bars.start()

    def __str__(self) -> str:
        return f"parsed {self.parsed:,}/{max(self.expected, self.parsed):,}"


@dataclass(slots=True)
class Plain:
    """Lines for a log.  `tick` may come from another thread than the events do."""

    target: TextIO
    monotonic: Monotonic
    counts: Counts = field(default_factory=Counts)
    unlisted: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    written_s: float = field(init=False)
    pace: Pace = field(init=False)

    def __post_init__(self) -> None:
        self.written_s = self.monotonic()
        self.pace = Pace(self.written_s)

    def show(self, event: SyncEvent) -> None:
        """One thing happened."""
        with self.lock:
            self.counts.add(event)
            self.pace.note(self.monotonic(), self.counts.probed)
            for line in self._lines(event):
                self._write(line)

    def tick(self) -> None:
        """Time goes by."""
        with self.lock:
            if self.monotonic() - self.written_s >= PLAIN_AFTER_S:
                self._write(self._words())

    def end(self) -> None:
        """Nothing more will happen."""
        self._write(f"sync done: {self.counts}")

    def _lines(self, event: SyncEvent) -> Iterator[str]:
        if event.kind == "failed" and event.repository is None:
            self.unlisted.add(event.source)
        if event.kind == "failed" and self.counts.failed <= TOLD_FAILURES:
            yield _failure(event)
        elif event.kind == "listed" and (event.count or event.source not in self.unlisted):
            listed = "1 repository" if event.count == 1 else f"{event.count:,} repositories"
            yield f"{text.line(event.source)}: {listed} listed"
        elif event.kind == "probed" and self.counts.probed % PLAIN_EVERY == 0:
            yield self._words()

    def _words(self) -> str:
        return _words(self.counts, self.pace, self.monotonic())

    def _write(self, line: str) -> None:
        self.written_s = self.monotonic()
        self.target.write(f"{line}\n")
        self.target.flush()


@dataclass(slots=True)
class _Live:
    counts: Counts
    pace: Pace
    monotonic: Monotonic
    bars: Progress = field(init=False)

    def show(self, event: SyncEvent) -> None:
        self.counts.add(event)
        self.pace.note(self.monotonic(), self.counts.probed)
        if event.kind == "failed" and self.counts.failed <= TOLD_FAILURES:
            self.bars.console.print(_failure(event), markup=False, highlight=False)
        bar = self.bars.task_ids[0]
        self.bars.update(bar, total=self.counts.planned or None, completed=self.counts.probed)

    def words(self) -> str:
        return _words(self.counts, self.pace, self.monotonic())


def _words(counts: Counts, pace: Pace, now_s: float) -> str:
    told = render_pace(pace, now_s, counts.probed, counts.planned)
    return f"{counts}  {told}" if told else f"{counts}"


@contextmanager
def _ticking(tick: Callable[[], None]) -> Iterator[None]:
    """Call `tick` every second from a thread of its own: a sync may be silent in its own."""
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(TICK_S):
            tick()

    thread = threading.Thread(target=go_on, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _true_stderr(stream: TextIO | None) -> TextIO:
    return stream or sys.__stderr__ or sys.stderr


def _bars(target: TextIO, words: Callable[[], str]) -> Progress:
    from pipeline.progress_bars import open_bars

    return open_bars(target, words)


def _failure(event: SyncEvent) -> str:
    return text.line(f"{event.repository or event.source}: {event.reason}", 400)
