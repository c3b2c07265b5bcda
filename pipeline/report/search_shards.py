"""The words of the search index, sorted and cut into shards.  Pure.

A shard ends after a word that its own hash chooses, so one word more or less changes the shard it stands in and
no other (now and then the one after it).  A shard has so few words at least and so many at most that no text can
make very many shards or a very long one.
"""

from __future__ import annotations

import hashlib
import zlib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline import scripts
from pipeline.report import search_postings as postings

ONE_IN = 1024
LEAST = 128
MOST = 4096
SHARDS_OF_BLOCK = 32
MOST_SHARDS = 96
NAME_LETTERS = 20
CALL = "PM_SEARCH"

Pairs = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Shard:
    """Some words in their order (`postings.words`), and the name of the file that has the entry of each."""

    name: str
    words: str

    @property
    def first(self) -> str:
        """Its first word."""
        return self.words.partition(postings.BETWEEN)[0][1:]


NOTHING = Shard("", "")


@dataclass(frozen=True, slots=True)
class Changes:
    """By word: the texts that hold it no more, or elsewhere, and the hits that are new."""

    gone: Mapping[str, Sequence[int]]
    come: Mapping[str, Sequence[int]]

    def words(self) -> list[str]:
        """All that something is said about, sorted."""
        return sorted(self.gone.keys() | self.come.keys())

    def applied(self, word: str, entry: str) -> str:
        """The entry of a word after the changes; empty when nothing is left."""
        come = self.come.get(word, ())
        if not entry:
            return postings.entry(sorted(come))
        gone = set(self.gone.get(word, ()))
        kept = [hit for hit in postings.read_entry(entry) if hit // postings.FIELDS not in gone]
        return postings.entry(sorted([*kept, *come]))


def named(kind: str, value: object, about: object = None) -> tuple[str, bytes]:
    """A file of the index that is called by what it holds, and by what it is about: its name, and the script that
    tells it.
    """
    name = f"{kind}-{hashlib.sha256(scripts.literal([value, about])).hexdigest()[:NAME_LETTERS]}"
    return name, scripts.call(CALL, name, value)


def changed(
    shards: Sequence[Shard], changes: Changes, entries: Callable[[str], str]
) -> Iterator[tuple[Shard, bytes | None]]:
    """The shards after the changes, each with the script of its entries; None: it is as before.

    `entries` gives those of a shard by its name.
    """
    affected = _affected(shards, changes.words())
    pending: Pairs = []
    for place, shard in enumerate(shards or [NOTHING]):
        words = affected.get(place)
        if words is None and not pending:
            yield from [(shard, None)] if shard.words else []
            continue
        for pair in _merged(shard, words or (), changes, entries):
            pending.append(pair)
            if _ends(pending):
                yield _made(pending)
                pending = []
    if pending:
        yield _made(pending)


def blocks(shards: Iterable[Shard]) -> Iterator[list[tuple[str, str]]]:
    """The names and words of all shards, cut where the hash of a shard's first word says."""
    block: list[tuple[str, str]] = []
    for shard in shards:
        if block and (len(block) >= MOST_SHARDS or _hash(shard.first) % SHARDS_OF_BLOCK == 0):
            yield block
            block = []
        block.append((shard.name, shard.words))
    if block:
        yield block


def _affected(shards: Sequence[Shard], words: Iterable[str]) -> dict[int, list[str]]:
    """The words, by the shard that they belong into."""
    firsts = [shard.first for shard in shards]
    found: dict[int, list[str]] = defaultdict(list)
    for word in words:
        found[max(0, bisect_right(firsts, word) - 1)].append(word)
    return found


def _merged(shard: Shard, words: Iterable[str], changes: Changes, entries: Callable[[str], str]) -> Pairs:
    """The words of a shard with their entries, after the changes of some of them."""
    merged: dict[str, str] = {}
    if shard.words:
        own = entries(shard.name).split(postings.BETWEEN)
        merged.update(zip(postings.read_words(shard.words), own, strict=True))
    for word in words:
        merged[word] = changes.applied(word, merged.get(word, ""))
    return sorted((word, entry) for word, entry in merged.items() if entry)


def _ends(pairs: Pairs) -> bool:
    count = len(pairs)
    return count >= MOST or (count >= LEAST and _hash(pairs[-1][0]) % ONE_IN == 0)


def _hash(word: str) -> int:
    return zlib.crc32(word.encode())


def _made(pairs: Pairs) -> tuple[Shard, bytes]:
    words = postings.words([word for word, _ in pairs])
    name, script = named("s", postings.BETWEEN.join(entry for _, entry in pairs), words)
    return Shard(name, words), script
