"""What a person sees while sources are asked and artifacts made: a live line on a terminal, else plain lines.

doit captures the standard streams while a step runs, so everything goes to the true stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from pipeline import text
from pipeline.sync import SyncEvent

PLAIN_EVERY = 500
TOLD_FAILURES = 20


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
def watching(stream: TextIO | None = None) -> Iterator[Callable[[SyncEvent], None]]:
    """Show the events of one sync until the block ends."""
    target = _true_stderr(stream)
    if not target.isatty():
        plain = _Plain(target)
        yield plain.show
        plain.end()
        return
    with _bars(target) as bars:
        yield _Live(bars, bars.add_task("syncing", total=None, counts="")).show


@dataclass(slots=True)
class Parsing:
    """Shows how many artifacts have been made; says nothing when there is none to make."""

    stream: TextIO | None = None
    expected: int = 0
    parsed: int = 0
    bars: Progress | None = None

    def expect(self) -> None:
        """One more artifact will have to be made."""
        self.expected += 1

    def step(self) -> None:
        """One more artifact was made."""
        self.parsed += 1
        target = _true_stderr(self.stream)
        if not target.isatty():
            if self.parsed % PLAIN_EVERY == 0:
                target.write(f"{self}\n")
            return
        if self.bars is None:
            self.bars = _bars(target)
            self.bars.add_task("parsing", total=self.expected, counts="")
            self.bars.start()
        self.bars.update(self.bars.task_ids[0], completed=self.parsed, counts=str(self))

    def end(self) -> None:
        """All that had to be made is made."""
        if self.bars is not None:
            self.bars.stop()
        elif self.parsed:
            _true_stderr(self.stream).write(f"{self}\n")

    def __str__(self) -> str:
        return f"parsed {self.parsed:,}/{max(self.expected, self.parsed):,}"


def _true_stderr(stream: TextIO | None) -> TextIO:
    return stream or sys.__stderr__ or sys.stderr


def _bars(target: TextIO) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), TextColumn("{task.fields[counts]}"))
    return Progress(*columns, console=Console(file=target), transient=True)


@dataclass(slots=True)
class _Live:
    bars: Progress
    bar: TaskID
    counts: Counts = field(default_factory=Counts)

    def show(self, event: SyncEvent) -> None:
        self.counts.add(event)
        if event.kind == "failed" and self.counts.failed <= TOLD_FAILURES:
            self.bars.console.print(_failure(event), markup=False, highlight=False)
        self.bars.update(
            self.bar, total=self.counts.planned or None, completed=self.counts.probed, counts=str(self.counts)
        )


@dataclass(slots=True)
class _Plain:
    target: TextIO
    counts: Counts = field(default_factory=Counts)
    unlisted: set[str] = field(default_factory=set)

    def show(self, event: SyncEvent) -> None:
        self.counts.add(event)
        if event.kind == "failed" and event.repository is None:
            self.unlisted.add(event.source)
        if event.kind == "failed" and self.counts.failed <= TOLD_FAILURES:
            self._write(_failure(event))
        elif event.kind == "listed" and (event.count or event.source not in self.unlisted):
            listed = "1 repository" if event.count == 1 else f"{event.count:,} repositories"
            self._write(f"{text.line(event.source)}: {listed} listed")
        elif event.kind == "probed" and self.counts.probed % PLAIN_EVERY == 0:
            self._write(f"{self.counts}")

    def end(self) -> None:
        self._write(f"sync done: {self.counts}")

    def _write(self, line: str) -> None:
        self.target.write(f"{line}\n")
        self.target.flush()


def _failure(event: SyncEvent) -> str:
    return text.line(f"{event.repository or event.source}: {event.reason}", 400)
