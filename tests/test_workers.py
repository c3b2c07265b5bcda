"""Workers: every part is answered or left to whoever asked, and nobody stays behind."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.workers import MOST, Crew, find_crew
from tests.fakes import shares


@pytest.mark.parametrize("size", [1, 2, 3])
def test_however_many_workers_there_are_every_part_is_answered_once(size: int) -> None:
    assert sorted(Crew(size).spread(shares.doubled, range(10))) == [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]


def test_a_worker_without_a_part_says_nothing() -> None:
    assert list(Crew(2).spread(shares.doubled, [7])) == [14]


def test_what_a_worker_that_died_did_not_come_to_has_no_answer() -> None:
    assert sorted(Crew(2).spread(shares.ended_at_two, range(8))) == [0, 1, 3, 5, 7]


def test_what_the_disk_refuses_a_worker_has_no_answer_and_no_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    answers = sorted(Crew(2).spread(shares.refused_at_two, range(6)))

    assert answers == [0, 1, 3, 5]
    assert capfd.readouterr().err == ""


def test_a_worker_leaves_ctrl_c_to_who_started_it() -> None:
    assert sorted(Crew(2).spread(shares.interrupted, range(4))) == [0, 1, 2, 3]


def test_we_hear_ctrl_c_while_workers_are_at_work() -> None:
    answers = Crew(2).spread(shares.without_end, [1, 2])
    next(answers)

    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_whoever_has_enough_answers_leaves_no_worker_behind() -> None:
    answers = Crew(2).spread(shares.without_end, [1, 2])
    next(answers)
    answers.close()

    assert multiprocessing.active_children() == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only POSIX kills so")
def test_no_worker_outlives_whoever_is_killed() -> None:
    """The workers hold its output open, so that this would not end before the last of them."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.fakes.shares"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        timeout=30,
    )

    assert ended.returncode == -signal.SIGKILL


@pytest.mark.parametrize(("size", "parts", "expected"), [(2, 1000, True), (2, 999, False), (1, 5000, False)])
def test_few_parts_or_one_processor_are_not_worth_a_worker(size: int, parts: int, expected: bool) -> None:
    assert Crew(size).is_worth(parts) is expected


def test_a_crew_has_a_limit_whatever_the_machine() -> None:
    assert 1 <= find_crew().size <= MOST
