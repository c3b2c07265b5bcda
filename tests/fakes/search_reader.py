"""Reads a report's search index as the search page does, in Python: what is found, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pipeline import search
from pipeline.index_rows import END, headings
from pipeline.report.search_index import Index, read_index, texts_of, told
from pipeline.report.search_numbers import KINDS
from pipeline.report.search_postings import FIELDS, read_entry, read_words
from pipeline.report.search_texts import Text, letters
from pipeline.text import fold

CLASSES = (0, 0, 1, 2)

Ranks = dict[int, tuple[int, int]]
Found = tuple[str, str, str]


@dataclass
class SearchReader:
    """An index by the paths of its files."""

    files: Mapping[str, bytes]

    @cached_property
    def index(self) -> Index:
        return read_index(told(self.files["a/search-index.js"]))

    @cached_property
    def texts(self) -> dict[int, Text]:
        return texts_of(map(self._script, self.index.texts.values()))

    @cached_property
    def names(self) -> dict[int, tuple[int, Found]]:
        """The place in lists and the name of each text."""
        listed = [
            (number, name, kind)
            for name, project in self.index.projects.items()
            for kind, numbers in zip(KINDS, project.numbers, strict=True)
            for number in numbers
        ]
        return {
            number: (place, (name, kind, self.texts[number].fields[0]))
            for place, (number, name, kind) in enumerate(listed)
        }

    @cached_property
    def words(self) -> list[tuple[str, list[int]]]:
        """Every word with its hits."""
        shards = [shard for name in self.index.words for shard in told(self._script(name))]
        return [
            (word, read_entry(entry))
            for name, words in shards
            for word, entry in zip(read_words(words), told(self._script(name)).split(" "), strict=True)
        ]

    def find(self, query: str, kind: str) -> list[Found]:
        """The names of the texts of one kind that hold every term."""
        terms = search.parse_query(query)
        every = [self._ranks(term) for term in terms]
        both = set.intersection(*(set(ranks) for ranks in every))
        ranked = sorted((self._key([ranks[number] for ranks in every], number), number) for number in both)
        return [self.names[number][1] for _, number in ranked if self.names[number][1][1] == kind]

    def _script(self, name: str) -> bytes:
        return self.files[f"a/s/{name}.js"]

    def _key(self, ranks: Iterable[tuple[int, int]], number: int) -> tuple[int, int, int, int]:
        classes = [CLASSES[field] for field, _ in ranks]
        return min(classes), sum(classes), sum(part for _, part in ranks), self.names[number][0]

    def _ranks(self, term: str) -> Ranks:
        """The first field that has the term, and 1 where it is only a part of a word there."""
        parts = term.split()
        if parts != [term]:
            return self._phrase(term)
        found: Ranks = {}
        for number, field, run in self._runs(lambda run: term in run, letters(term)):
            rank = field, int(not search.has_word(run, term))
            found[number] = min(rank, found.get(number, rank))
        return found

    def _runs(self, holds: Callable[[str], bool], kinds: int) -> Iterator[tuple[int, int, str]]:
        for word, hits in self.words:
            if holds(word):
                yield from ((hit // FIELDS, hit % FIELDS, word) for hit in hits)
        for (_, own), name in self.index.long.items():
            if kinds & ~own == 0:
                yield from ((number, field, run) for number, field, run in told(self._script(name)) if holds(run))

    def _phrase(self, phrase: str) -> Ranks:
        found: Ranks = {}
        for number, text in self.texts.items():
            fields = [fold(field) for field in _fields(text)]
            place = next((place for place, field in enumerate(fields) if phrase in field), None)
            if place is not None:
                found[number] = place, int(not search.has_word(fields[place], phrase))
        return found


def _fields(text: Text) -> tuple[str, ...]:
    if text.kind in ("wiki", "shared"):
        slug, title, body = text.fields
        return slug, title, END.join(headings(body)), body
    return text.fields
