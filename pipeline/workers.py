"""Work in many like parts, on every processor: each worker process takes a share, answers come one by one.

A worker writes only beside what others look at, and whoever asked puts it in its place: so what stands is whole
whatever becomes of a worker, or of us.  Left alone, it ends at its next answer, which nobody hears.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar, cast

from pipeline.errors import PipelineError

ENOUGH = 1_000  # parts: to start a worker costs as much as some hundred of them
MOST = 3  # each holds some 80 MB

Job = TypeVar("Job")
Answer = TypeVar("Answer")
# A function of a module, or a partial of one: it is named to the worker, not carried there.
Work = Callable[[Sequence[Job]], Iterable[Answer]]
Threshold = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Crew:
    """So many workers, and how many parts are worth their while."""

    size: int
    enough: int = ENOUGH

    def is_worth(self, parts: int) -> bool:
        """Whether so many parts are sooner done by workers than by ourselves."""
        return self.size > 1 and parts >= self.enough

    def spread(self, work: Work[Job, Answer], jobs: Sequence[Job]) -> Generator[Answer, None, None]:
        """Every answer that `work` yields, in no order; each worker is given every n-th job.

        What a worker did not come to, for whatever reason, has no answer: do it yourself, and meet the reason.
        """
        with contextlib.ExitStack() as ending:
            working = set(self._start(work, jobs, ending))
            while working:
                for reader in cast("list[Connection]", wait(working)):
                    try:
                        answer = reader.recv()
                    except (EOFError, OSError):
                        working.remove(reader)
                    else:
                        yield answer

    def _start(
        self, work: Work[Job, Answer], jobs: Sequence[Job], ending: contextlib.ExitStack
    ) -> Iterator[Connection]:
        """What the workers say; all of them are gone when `ending` ends."""
        context = multiprocessing.get_context("spawn")
        for first in range(self.size):
            reader, writer = context.Pipe(duplex=False)
            share = (writer, work, jobs[first :: self.size], gc.get_threshold())
            worker = context.Process(target=_serve, args=share, daemon=True)
            with _deaf_to_interrupts():
                worker.start()
                ending.callback(_stop, reader, worker)
            writer.close()
            yield reader


def find_crew() -> Crew:
    """As many workers as there are processors that this process may use, to a limit."""
    known = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Crew(min(known or 1, MOST))


def _stop(reader: Connection, worker: BaseProcess) -> None:
    reader.close()
    worker.terminate()
    worker.join()
    worker.close()


def _serve(writer: Connection, work: Work[Any, Any], share: Sequence[Any], threshold: Threshold) -> None:
    """Do one share, in a process of its own.  Ctrl-C is heard by who started it, who then ends it.

    What cannot be done is left to who started it, too, and told there.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*threshold)
    with writer, contextlib.suppress(PipelineError, OSError):
        for answer in work(share):
            writer.send(answer)


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is started meanwhile does not hear Ctrl-C from its first moment (where that is handed down)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
