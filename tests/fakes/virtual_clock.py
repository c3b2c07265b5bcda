"""Time that passes only when somebody sleeps."""

from __future__ import annotations

import asyncio

from pipeline.sources.pacing import Clock


class VirtualClock:
    """Give `clock` to what shall sleep here; `slept` tells each pause, in seconds."""

    def __init__(self, jitter: float = 0.5) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []
        self.clock = Clock(monotonic=lambda: self.seconds, sleep=self._sleep, jitter=lambda: jitter)

    async def _sleep(self, seconds: float) -> None:
        until = self.seconds + seconds
        self.slept.append(seconds)
        await asyncio.sleep(0)
        self.seconds = max(self.seconds, until)
