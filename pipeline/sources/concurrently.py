"""Ask many questions, never more at a time than the host has slots."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from itertools import islice
from typing import TypeVar

from pipeline.sources.pacing import IN_FLIGHT

Question = TypeVar("Question")
Reply = TypeVar("Reply")


async def concurrently(
    ask: Callable[[Question], Awaitable[Reply]], questions: Iterable[Question]
) -> AsyncGenerator[Reply, None]:
    """Give the replies as they come; the first error ends it, and leaving early cancels the rest."""
    waiting = iter(questions)
    running: set[asyncio.Future[Reply]] = set()
    done: set[asyncio.Future[Reply]] = set()
    try:
        while True:
            running |= {asyncio.ensure_future(ask(each)) for each in islice(waiting, IN_FLIGHT - len(running))}
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, *done, return_exceptions=True)
