"""The index that stands, and the catalog → the files of the index now; those without a change are not made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field, replace
from itertools import repeat

from pipeline.catalog import searched
from pipeline.catalog.survey import Stamp
from pipeline.model import RepositoryId
from pipeline.report import search_drafts, search_index
from pipeline.report.page import Site
from pipeline.report.search_drafts import Draft
from pipeline.report.search_index import GROUP, LONG_GROUP, Difference, Index, Key, LongRuns, Project, told
from pipeline.report.search_numbers import Numbers, numbered
from pipeline.report.search_shards import Shard, blocks, changed, named
from pipeline.report.search_texts import Text

# The name of a file of the index and its script; None: it is there already.
Made = tuple[str, bytes | None]


@dataclass(slots=True)
class Update:
    """One update; `script` reads a file of the index that stands.  `index` is whole when all `files` were taken."""

    site: Site
    before: Index
    script: Callable[[str], bytes]
    index: Index = field(default_factory=Index)

    def files(self) -> Iterator[Made]:
        """Every file of the index but the one that names them.

        Raises:
            CatalogError: a text is not there any more.
            OSError: a file of the index that stands cannot be read.
        """
        places, numbers = numbered(search_drafts.names(self.site.catalog, (one.project for one in self.site.stamps)))
        if self.before.places != places:
            self.before = Index()
        self.index = Index(places=places, projects=self._projects(numbers))
        difference = Difference()
        count = 0
        for part in (self._texts(difference), self._long(difference), self._words(difference)):
            for made in part:
                count += 1
                yield made
        self.index = replace(self.index, files=count)

    def _projects(self, numbers: Numbers) -> dict[RepositoryId, Project]:
        """In the order of lists."""
        stamps = {stamp.project: stamp for stamp in self.site.stamps}
        return {
            name: self._project(stamps[name], numbers[name])
            for name in searched.by_freshness(self.site.catalog)
            if name in stamps
        }

    def _project(self, stamp: Stamp, numbers: tuple[list[int], ...]) -> Project:
        # What its texts lead to stands in the index, too.
        mark = stamp.mark[: search_index.MARK_LETTERS] + ("" if self.site.has_pages else "-")
        return Project(mark=mark, changed_at=stamp.changed_at, numbers=numbers)

    def _drafts(self) -> tuple[Set[int], dict[int, Draft]]:
        """The numbers that were or are of projects that changed, and the texts that they are now."""
        before, now = self.before.projects, self.index.projects
        same = {name for name, one in now.items() if name in before and before[name].is_like(one)}
        numbers = {
            number
            for projects in (before, now)
            for name, project in projects.items()
            if name not in same
            for own in project.numbers
            for number in own
        }
        drafts = (
            draft
            for name, project in now.items()
            if name not in same
            for draft in search_drafts.drafts(self.site, name, project.numbers)
        )
        return numbers, {draft.text.number: draft for draft in drafts}

    def _texts(self, difference: Difference) -> Iterator[Made]:
        """The texts as written; notes all that is different in them."""
        numbers, drafts = self._drafts()
        by_group: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for first in self.before.texts:
            by_group[first // GROUP][0].append(first)
        for number in numbers:
            by_group[number // GROUP][1].append(number)
        texts: dict[int, str] = {}
        for _, (firsts, own) in sorted(by_group.items()):
            for first, name, script in self._group(firsts, own, drafts, difference):
                texts[first] = name
                yield name, script
        self.index = replace(self.index, texts=texts)

    def _group(
        self, firsts: list[int], numbers: list[int], drafts: dict[int, Draft], difference: Difference
    ) -> Iterator[tuple[int, str, bytes | None]]:
        """The files of one group of texts, those that begin with `firsts`, when the texts of some numbers changed."""
        names = [self.before.texts[first] for first in firsts]
        before = search_index.texts_of(map(self.script, names)) if numbers else {}
        now = dict(before)
        for number in sorted(numbers):
            old, draft = before.get(number), drafts.get(number)
            new = draft.written(self.site.catalog, old) if draft else None
            if new != old:
                difference.note(number, old, new)
            _set(now, number, new)
        if now == before:
            yield from zip(firsts, names, repeat(None))
        else:
            yield from search_index.text_files([text for _, text in sorted(now.items())])

    def _long(self, difference: Difference) -> Iterator[Made]:
        """The long runs."""
        groups = {number // LONG_GROUP for number in difference.long}
        kept = {key: name for key, name in self.before.long.items() if key[0] not in groups}
        old: dict[Key, LongRuns] = {
            key: [tuple(one) for one in told(self.script(name))]
            for key, name in self.before.long.items()
            if key[0] in groups
        }
        yield from ((name, None) for name in kept.values())
        made = {key: named("l", runs) for key, runs in search_index.long_runs(old, difference.long).items()}
        yield from made.values()
        self.index = replace(self.index, long={**kept, **{key: name for key, (name, _) in made.items()}})

    def _words(self, difference: Difference) -> Iterator[Made]:
        """The shards, and their words."""
        before = [Shard(*one) for name in self.before.words for one in told(self.script(name))]
        shards = []
        for shard, script in changed(before, difference.changes, lambda name: str(told(self.script(name)))):
            shards.append(shard)
            yield shard.name, script
        made = [named("v", block) for block in blocks(shards)]
        yield from made
        self.index = replace(self.index, words=[name for name, _ in made])


def _set(texts: dict[int, Text], number: int, text: Text | None) -> None:
    if text is None:
        texts.pop(number, None)
    else:
        texts[number] = text
