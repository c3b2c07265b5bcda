"""Slices of a long text, joined, are the text again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.errors import BadArgument
from mcp_server.slices import Slice, cut
from pipeline.text import body


def test_a_short_text_is_one_slice_with_nothing_left():
    assert cut("ship it", 0) == Slice(text="ship it", offset=0, next_offset=None, remaining=0)


def test_a_long_text_is_cut_at_eight_thousand_characters_and_says_what_is_left():
    assert cut("я" * 20_000, 8_000) == Slice(text="я" * 8_000, offset=8_000, next_offset=16_000, remaining=4_000)


def test_the_end_itself_is_an_empty_slice():
    assert cut("abc", 3) == Slice(text="", offset=3, next_offset=None, remaining=0)


def test_an_offset_behind_the_end_is_refused_with_the_length():
    with pytest.raises(BadArgument, match=r"^offset is 4; expected at most 3, the length of this text$"):
        cut("abc", 4)


def test_a_joined_emoji_is_not_cut_apart():
    assert cut("ab👩\u200d💻c", 0, 3).text == "ab"


def test_a_joined_letter_longer_than_the_slice_goes_out_whole():
    assert cut("👩\u200d💻c", 0, 1) == Slice(text="👩\u200d💻", offset=0, next_offset=3, remaining=1)


def test_a_letter_without_end_is_cut_like_text():
    assert cut("e" + "\u0301" * 1_000_000, 0).next_offset == 8_000


def joined(whole: str, limit: int) -> str:
    part = cut(whole, 0, limit)
    texts = [part.text]
    while part.next_offset is not None:
        part = cut(whole, part.next_offset, limit)
        texts.append(part.text)
    return "".join(body(text) for text in texts)


@given(st.text(alphabet="aя\n 👩💻\u0301\u200d\u200c\ufe0f❤", max_size=60), st.integers(1, 9))
def test_slices_joined_are_the_text(raw: str, limit: int):
    assert joined(body(raw), limit) == body(raw)
