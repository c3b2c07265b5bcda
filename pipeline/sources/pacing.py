"""How politely one host is asked: slots, pauses, tries, and when to leave it alone.

All transports of one event loop share one `Host` per host name, so that two rows of sources.toml for
the same host cannot double what it has to bear.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from weakref import WeakKeyDictionary

from pipeline.errors import SourceUnreachable

IN_FLIGHT = 8
TRIES = 3
FIRST_PAUSE_S = 1.0
LONGEST_WAIT_S = 60.0
FAILURES = 5
REST_S = 60.0


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and chance as pacing needs them; `jitter` gives 0 ≤ x < 1."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random


def backoff_s(attempt: int, clock: Clock) -> float:
    """Seconds before the try after `attempt` (1-based): full jitter over a span that doubles."""
    return clock.jitter() * FIRST_PAUSE_S * 2.0 ** (attempt - 1)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that the host asks us to wait; None without a wish that can be read.

    A date is taken against the host's own `Date`, so that no clock of ours matters; the past is 0.
    """
    wish = headers.get("retry-after", "").strip()
    if wish.removeprefix("-").isdecimal() and wish.isascii():
        return max(0.0, float(wish[:20]))
    try:
        until, now = parsedate_to_datetime(wish), parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


class Host:
    """What we remember of one host while the event loop runs."""

    def __init__(self) -> None:
        self.slots = asyncio.Semaphore(IN_FLIGHT)
        self._quiet_until = float("-inf")
        self._shut_until = float("-inf")
        self._reason = ""
        self._failures = 0

    async def turn(self, clock: Clock) -> None:
        """Wait until the host may be asked.

        Raises:
            SourceUnreachable: it is left alone for now; the reason is that of the failure that led here.
        """
        while True:
            now = clock.monotonic()
            if now < self._shut_until:
                raise SourceUnreachable(self._reason)
            if now >= self._quiet_until:
                return
            await clock.sleep(self._quiet_until - now)

    def keep_quiet(self, seconds: float, clock: Clock) -> None:
        """Let nobody ask for so long."""
        self._quiet_until = max(self._quiet_until, clock.monotonic() + seconds)

    def leave_alone(self, seconds: float, reason: str, clock: Clock) -> None:
        """Fail every request at once for so long."""
        self._shut_until = max(self._shut_until, clock.monotonic() + seconds)
        self._reason = reason

    def count_failure(self, reason: str, clock: Clock) -> None:
        """Count a request that failed after all its tries; too many in a row and the host may rest."""
        self._failures += 1
        if self._failures >= FAILURES:
            self.leave_alone(REST_S, reason, clock)

    def count_answer(self) -> None:
        """The host works."""
        self._failures = 0


_hosts: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Host]] = WeakKeyDictionary()


def host(name: str) -> Host:
    """The one `Host` of that name in the running event loop."""
    return _hosts.setdefault(asyncio.get_running_loop(), {}).setdefault(name, Host())
