"""Bodies of answers: what is too slow, too large or cut off."""

import asyncio
import itertools
from collections.abc import AsyncIterator

import pytest

from pipeline.errors import SourceUnreachable
from pipeline.sources.bodies import CutOff, read_body


async def chunks(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def read(*pieces: bytes, seconds_each: float = 0.0, announced: int | None = None, enough: int | None = None) -> bytes:
    seconds = itertools.count(step=seconds_each)
    return asyncio.run(read_body(chunks(*pieces), "", announced, lambda: next(seconds), enough_bytes=enough))


def test_a_body_is_read_whole():
    assert read(b"one ", b"two", announced=7) == b"one two"


def test_a_body_that_comes_slower_than_a_kilobyte_a_second_is_given_up_after_ten_seconds():
    with pytest.raises(SourceUnreachable, match="slower than 1000 bytes per second"):
        read(*[b"x" * 10] * 20, seconds_each=1.0)


def test_a_slow_body_is_patiently_read_for_ten_seconds():
    assert len(read(*[b"x" * 10] * 10, seconds_each=1.0)) == 100


def test_a_large_body_may_take_its_time():
    assert len(read(*[b"x" * 5000] * 30, seconds_each=2.0)) == 150_000


def test_a_body_shorter_than_announced_is_cut_off():
    with pytest.raises(CutOff):
        read(b"one", announced=7)


@pytest.mark.parametrize(("enough", "body"), [(2, b"on"), (5, b"one t"), (6, b"one tw"), (7, b"one two")])
def test_of_a_body_only_what_is_enough_comes(enough: int, body: bytes):
    assert read(b"one ", b"two", announced=7, enough=enough) == body


def test_what_is_more_than_enough_is_not_read():
    pieces = iter([b"x" * 1000] * 100)

    async def bring() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    asyncio.run(read_body(bring(), "", None, enough_bytes=2500))

    assert len(list(pieces)) == 97
