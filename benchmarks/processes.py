"""Run a whole process and say what it took."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
MB = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """Seconds by the wall and of a processor, peak memory in MB (None where the platform does not tell), and at
    which second each line of stderr came.
    """

    seconds: float
    cpu_s: float | None
    peak_mb: float | None
    told: tuple[tuple[float, str], ...]

    def second_of(self, start: str) -> float | None:
        """When the last line that starts so came."""
        return next((second for second, line in reversed(self.told) if line.startswith(start)), None)


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> Ran:
    """Run `python …` in the checkout to its end.

    Raises:
        SystemExit: it failed; with what it said.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=HOME,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stderr is not None
    told = tuple((time.perf_counter() - start, line.rstrip("\n")) for line in process.stderr)
    cpu_s, peak_mb = _wait(process)
    if process.returncode:
        said = "\n".join(line for _, line in told[-20:])
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}:\n{said}")
    return Ran(seconds=time.perf_counter() - start, cpu_s=cpu_s, peak_mb=peak_mb, told=told)


def _wait(process: subprocess.Popen[str]) -> tuple[float | None, float | None]:
    """Processor seconds and peak memory of the ended process."""
    if sys.platform == "win32":
        process.wait()
        return None, None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / MB
