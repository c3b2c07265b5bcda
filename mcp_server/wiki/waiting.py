"""Wait for work of the hub: by time, never by the number of looks."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import anyio

FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 2.0
ENDED = ("done", "error")

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Timer:
    """How time passes; tests let it pass at once."""

    clock_s: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep


async def wait_until_ended(
    timer: Timer, limit_s: float, look: Callable[[], Awaitable[Json]], tell: Callable[[float, Json], Awaitable[None]]
) -> Json:
    """Look again and again until the work has ended or `limit_s` are over; answers what was seen last.

    `tell` hears after each look that found it unfinished how many seconds have passed.
    """
    began_s, pause_s = timer.clock_s(), FIRST_PAUSE_S
    while True:
        seen = await look()
        passed_s = timer.clock_s() - began_s
        if seen["state"] in ENDED or passed_s >= limit_s:
            return seen
        await tell(passed_s, seen)
        await timer.sleep(min(pause_s, limit_s - passed_s))
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
