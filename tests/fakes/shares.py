"""What workers are given in tests: functions that another process can find by their names."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator, Mapping

from pipeline import stage_parse
from pipeline.model import Artifact
from pipeline.stage_parse import Inputs
from pipeline.workers import Crew


def doubled(share: Iterable[int]) -> Iterator[int]:
    return (2 * number for number in share)


def ended_at_two(share: Iterable[int]) -> Iterator[int]:
    """Dies, as by the hand of somebody else, when it comes to 2."""
    for number in share:
        if number == 2:
            os._exit(9)
        yield number


def refused_at_two(share: Iterable[int]) -> Iterator[int]:
    for number in share:
        if number == 2:
            raise OSError("disk full")
        yield number


def interrupted(share: Iterable[int]) -> Iterator[int]:
    """Hears Ctrl-C before each answer, as every process of a terminal does."""
    for number in share:
        signal.raise_signal(signal.SIGINT)
        yield number


def without_end(share: Iterable[int]) -> Iterator[int]:
    while True:
        yield from share


def crash_at_b(inputs: Inputs) -> tuple[Artifact, Mapping[str, bytes]]:
    if inputs.snapshot.repository.endswith("/b"):
        raise ZeroDivisionError
    return stage_parse.build(inputs)


def die_at_first_answer() -> None:
    """Be killed while two workers are at work."""
    for _ in Crew(2).spread(without_end, (1, 2)):
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    die_at_first_answer()
