"""A fake forge in a process of its own, so that it takes no time from the program that asks it.

    with open_served_forge(folder) as (url, forge):
        forge.add_many("ann", 10_000, files_of)     # `files_of` must stand in a module: it is sent by its name
        forge.turn(latency_s=0.02)
        …
        print(forge.count(), forge.cpu_s())

Every public method of a forge may be called; its arguments and results travel, it stays.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing.managers import BaseManager
from pathlib import Path
from typing import Any, cast

from tests.fakes import loopback
from tests.fakes.dialects import DIALECTS
from tests.fakes.gitea import FakeGitea


@dataclass(slots=True)
class ServedForge(FakeGitea):
    """A forge that is told from afar what else it is told by its fields."""

    _served: ExitStack = field(default_factory=ExitStack)

    def listen(self) -> str:
        """Serve on a port of this machine until the process ends, and give the address."""
        return self._served.enter_context(loopback.serve(self))

    def turn(self, **settings: Any) -> None:
        """Set fields by their names: `latency_s`, `utc_offset_hours`, `require_signin`, …"""
        for name, value in settings.items():
            setattr(self, name, value)

    def turn_limits(self, **limits: int) -> None:
        """Set limits by their names."""
        for name, value in limits.items():
            setattr(self.limits, name, value)

    def count(self) -> int:
        """How many requests there were since they were last forgotten."""
        return len(self.requests)

    def count_by(self, kind_of: Callable[[str], str]) -> Counter[str]:
        """How many there were of each kind, told by their paths."""
        return Counter(kind_of(path) for path in self.paths())

    def forget_requests(self) -> None:
        """Begin to count anew."""
        self.requests.clear()

    def cpu_s(self) -> float:
        """Seconds of a processor that the whole process has used."""
        return time.process_time()


class _Manager(BaseManager):
    pass


def _open(folder: str, dialect: str) -> ServedForge:
    home = Path(folder) / "forge"
    home.mkdir(parents=True)
    return ServedForge(home, dialect=DIALECTS[dialect])


_Manager.register("open", callable=_open)


@contextmanager
def open_served_forge(folder: Path, dialect: str = "gitea-1.25") -> Iterator[tuple[str, ServedForge]]:
    """A forge without repositories, in another process until the block ends: its address and itself."""
    # The same everywhere: a new interpreter, which inherits no thread and no open file.
    with _Manager(ctx=multiprocessing.get_context("spawn")) as manager:
        forge = cast(ServedForge, manager.open(str(folder), dialect))  # type: ignore[attr-defined]  # made by register
        yield forge.listen(), forge
