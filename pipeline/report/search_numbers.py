"""Gives each searched text its number.  Pure.

A number must not change when other texts come and go, or every shard of the index would change with them; yet
numbers must be small.  So each text has a place of its own in a table about twice as long as needed, told by the
hash of what it is called, or the next place that is free: a new text moves a neighbour or two.  The table
grows by doubling, and only then all is numbered anew.  The numbers follow from the names alone, whatever was there
before: an index that was kept up to date is the same as a new one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pipeline.model import RepositoryId

Kind = Literal["project", "task", "wiki", "shared"]

KINDS: tuple[Kind, ...] = ("project", "task", "wiki", "shared")
HASH_BITS = 64
LEAST_BITS = 6


class Name(NamedTuple):
    """What a text is called."""

    project: RepositoryId
    kind: Kind
    slug: str


Numbers = dict[RepositoryId, tuple[list[int], ...]]


def numbered(names: Sequence[Name]) -> tuple[int, Numbers]:
    """How many places the table has, and each project's numbers: for each of KINDS, in the order of `names`."""
    bits = max(LEAST_BITS, (len(names) * 3 // 2).bit_length())
    places = _places(names, bits)
    found: Numbers = {}
    kinds = {kind: place for place, kind in enumerate(KINDS)}
    for name, place in zip(names, places, strict=True):
        if name.project not in found:
            found[name.project] = tuple([] for _ in KINDS)
        found[name.project][kinds[name.kind]].append(place)
    return 1 << bits, found


def _places(names: Sequence[Name], bits: int) -> list[int]:
    # Those that are called the same stand in their order.
    hashed = sorted((digest, order) for order, digest in enumerate(_digests(names)))
    places = [0] * len(names)
    last = -1
    for digest, order in hashed:
        last = max(last + 1, int.from_bytes(digest[: HASH_BITS // 8]) >> (HASH_BITS - bits))
        places[order] = last
    return places


def _digests(names: Iterable[Name]) -> Iterable[bytes]:
    return (hashlib.blake2b("\0".join(name).encode(), digest_size=16).digest() for name in names)
