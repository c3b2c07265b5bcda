from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from pipeline.sources.concurrently import concurrently

pytestmark = pytest.mark.anyio


class Counter:
    """Answers with the square, and counts how many questions are open at once."""

    def __init__(self) -> None:
        self.now = self.most = self.asked = 0

    async def square(self, number: int) -> int:
        self.asked += 1
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        return number * number


async def refuse(number: int) -> int:
    raise ValueError(number)


async def test_every_question_is_answered_and_eight_are_open_at_most() -> None:
    counter = Counter()

    answers = [answer async for answer in concurrently(counter.square, range(100))]

    assert (sorted(answers), counter.most) == ([number * number for number in range(100)], 8)


async def test_who_leaves_early_asks_no_more() -> None:
    counter = Counter()

    async with aclosing(concurrently(counter.square, range(100))) as answers:
        first = await anext(answers)

    assert (first in {number * number for number in range(8)}, counter.asked, counter.now) == (True, 8, 0)


async def test_the_first_error_ends_it() -> None:
    with pytest.raises(ValueError, match=r"^\d$"):
        _ = [answer async for answer in concurrently(refuse, range(100))]
