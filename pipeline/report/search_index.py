"""The search index of the report: what stands in its files, and how they follow the catalog.

    a/search-index.js   the projects, whose texts have which numbers, and the names of all files below
    a/s/v-….js          the runs of letters of some shards: what a query looks through
    a/s/s-….js          one shard: the texts of each of its runs
    a/s/l-….js          runs that are too long for that; they are looked through as they stand
    a/s/t-….js          texts as written, for what a result shows and for phrases

All but the first are called by what they hold, so a page that was opened before a rebuild never mixes two indexes.
The index that stands is all the memory there is: of texts that changed, the old ones are read from it, and only
shards with runs that came or went are made anew.  Which file holds what follows from the texts alone
(`search_numbers`, `search_shards`), so an index that was kept up to date is the same as a new one, byte for byte.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from pipeline.model import RepositoryId
from pipeline.report.search_postings import FIELDS, numbers, read_numbers
from pipeline.report.search_shards import CALL, Changes, named
from pipeline.report.search_texts import Hits, Text, hit, hits, letters, read_text

GROUP = 64
TEXT_LETTERS = 1 << 16
LONG_GROUP = 512
MARK_LETTERS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project in the index: a mark of its row, when it changed, and the numbers of its texts by kind."""

    mark: str
    changed_at: str | None
    numbers: tuple[list[int], ...]

    def is_like(self, other: Project) -> bool:
        """True when each of its texts has the number and the row of before."""
        return (self.mark, self.numbers) == (other.mark, other.numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """What a/search-index.js says.

    `projects` as lists show them; `texts` by the first number in each file; `long` by the group of their numbers and
    their letters; `words`: the blocks of the vocabulary; `files`: how many there are beside this one.
    """

    files: int = 0
    places: int = 0
    projects: Mapping[RepositoryId, Project] = field(default_factory=dict)
    texts: Mapping[int, str] = field(default_factory=dict)
    words: Sequence[str] = ()
    long: Mapping[tuple[int, int], str] = field(default_factory=dict)

    @property
    def plain(self) -> dict[str, Any]:
        """As it is written."""
        return {
            "files": self.files,
            "places": self.places,
            "projects": [
                [name, one.mark, one.changed_at, *map(numbers, one.numbers)] for name, one in self.projects.items()
            ],
            "texts": sorted(self.texts.items()),
            "words": self.words,
            "long": [[*key, name] for key, name in sorted(self.long.items())],
        }


def read_index(plain: Mapping[str, Any]) -> Index:
    """What `Index.plain` is of."""
    return Index(
        files=plain["files"],
        places=plain["places"],
        projects={
            RepositoryId(name): Project(mark=mark, changed_at=at, numbers=tuple(list(read_numbers(one)) for one in own))
            for name, mark, at, *own in plain["projects"]
        },
        texts=dict(plain["texts"]),
        words=plain["words"],
        long={(group, kinds): name for group, kinds, name in plain["long"]},
    )


def told(script: bytes) -> Any:
    """The value that a file of the index tells."""
    return orjson.loads(b"[%s]" % script[len(CALL) + 1 : -len(b");\n")])[-1]


def text_files(texts: Sequence[Text]) -> Iterator[tuple[int, str, bytes]]:
    """The texts of one group, in as many files as they fill: the first number, name and script of each."""
    some: list[Text] = []
    size = 0
    for text in texts:
        if some and size + text.size > TEXT_LETTERS:
            yield _text_file(some)
            some, size = [], 0
        some.append(text)
        size += text.size
    if some:
        yield _text_file(some)


def _text_file(texts: Sequence[Text]) -> tuple[int, str, bytes]:
    return texts[0].number, *named("t", [text.plain for text in texts])


def texts_of(scripts: Iterable[bytes]) -> dict[int, Text]:
    """What `text_files` wrote, by number."""
    found = [read_text(plain) for script in scripts for plain in told(script)]
    return {text.number: text for text in found}


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different in some texts: their hits, and all long runs that each of them has now."""

    gone: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    come: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    long: dict[int, Mapping[str, int]] = field(default_factory=dict)

    @property
    def changes(self) -> Changes:
        """Of the words."""
        return Changes(self.gone, self.come)

    def note(self, number: int, before: Text | None, after: Text | None) -> None:
        """One text is another now; None: there is none."""
        old, new = _hits(before), _hits(after)
        self.long[number] = new.long
        coded = [hit(number, place) for place in range(FIELDS)]
        come = new.words.items() - old.words.items() if old.words else new.words.items()
        for run, place in come:
            self.come[run].append(coded[place])
        for run, _ in old.words.items() - new.words.items():
            self.gone[run].append(number)


def _hits(text: Text | None) -> Hits:
    return Hits({}, {}) if text is None else hits(text)


LongRuns = list[tuple[int, int, str]]
Key = tuple[int, int]


def long_runs(before: Mapping[Key, LongRuns], now: Mapping[int, Mapping[str, int]]) -> dict[Key, LongRuns]:
    """Number, field and letters of the long runs, by group and kinds of letters, when those of some texts changed."""
    found: dict[Key, LongRuns] = defaultdict(list)
    for key, known in before.items():
        found[key] += [one for one in known if one[0] not in now]
    for number, runs in now.items():
        for run, place in runs.items():
            found[number // LONG_GROUP, letters(run)].append((number, place, run))
    return {key: sorted(every) for key, every in found.items() if every}
