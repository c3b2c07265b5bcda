"""Which texts hold a term: an index proposes, `instr` decides where the index alone does not.

Without indexes every text is asked.  Either way the answer is that of `search.matches`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pipeline import search, search_words
from pipeline.catalog import Catalog
from pipeline.catalog.listing import Listing
from pipeline.index_schema import VOCABULARIES
from pipeline.index_texts import Texts

LETTER = 1
PAIR = 2
MOST_BEGUN = 2_000
MOST_WORDS = 2_000
# As many texts are read as soon as all words are looked through.
FEW = 64
# The tokenizer takes these for one letter, so the index alone does not decide a term that has one.
ALIKE = frozenset("\ufffd\ufffe\uffff")

Places = set[int]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an index is asked about a term (None: it has nothing to say), and whether that decides."""

    expression: str | None
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Questions about the texts of one listing."""

    catalog: Catalog
    texts: Texts
    listing: Listing

    def every(self, terms: Sequence[str]) -> Places:
        """Those that hold every term somewhere."""
        proposals = {term: self._propose(term) for term in terms}
        letters = [one.expression for term, one in proposals.items() if len(term) == LETTER and one.expression]
        longer = [one.expression for term, one in proposals.items() if len(term) != LETTER and one.expression]
        found = [
            self._match(index, " AND ".join(f"({one})" for one in asked))
            for index, asked in ((self.texts.search, longer), (self.texts.words, letters))
            if asked
        ]
        among = set.intersection(*found) if found else set(range(len(self.listing)))
        for term in terms:
            if not proposals[term].exact:
                among = self._holding(term, among)
        return among

    def above(self, term: str, fields: Sequence[int], among: Places) -> Places:
        """Those of `among`, in which no field before has the term, that hold it in one of these fields (by number),
        all above the last.
        """
        if not among:
            return set()
        if self._is_indexed and len(term) == LETTER:
            return among & self._match(self.texts.words, search_words.first_in(term, fields))
        names = [self.texts.fields[number] for number in fields]
        proposal = self._propose(term)
        if proposal.expression:
            among = among & self._match(self.texts.heads, f"{{{' '.join(names)}}} : ({proposal.expression})")
        return among if proposal.exact else self._verified([term], names, among)

    def whole(self, term: str) -> Places | None:
        """Those that have a term whole in the first field that holds it; None where no index tells."""
        if not self._is_indexed or not search_words.tells_whole(term):
            return None
        return self._match(self.texts.words, search_words.whole(term))

    def parts(self, places: Sequence[int], terms: Sequence[str]) -> list[int]:
        """How many of the terms are only parts of words there, text by text."""
        counted = self.catalog.query(
            f"""select id, {", ".join(self.texts.fields)} from {self.texts.name}
            where id in (select value from json_each(:ids))""",
            {"ids": self.ids(places)},
            lambda id, *fields: (id, search.parts(fields, terms)),
        )
        by_id = dict(counted)
        return [by_id[self.listing.ids[place]] for place in places]

    @property
    def _is_indexed(self) -> bool:
        return self.catalog.store.engine == "trigram"

    def _propose(self, term: str) -> Proposal:
        if not self._is_indexed:
            return Proposal(None, exact=False)
        if len(term) == LETTER:
            return Proposal(search_words.first_in(term, range(len(self.texts.fields))), exact=True)
        if len(term) > PAIR:
            exact = len(term) == search.TRIGRAM and ALIKE.isdisjoint(term)
            return Proposal(search.all_of(search.trigrams((term,))), exact)
        begun = self._begun_by(term) if ALIKE.isdisjoint(term) else None
        return Proposal(None, exact=False) if begun is None else Proposal(begun, exact=True)

    def _begun_by(self, pair: str) -> str | None:
        """An expression for the trigrams that begin with two letters: every text that holds these has one, since
        its end is marked.  None: too many.
        """

        def ask() -> str | None:
            known = self.catalog.query(
                f"select term from {self.texts.letters} where term between :pair and :pair || char(1114111)",
                {"pair": pair},
                str,
            )
            # With none, any trigram that begins so is in no text.
            return search.any_of(known or [f"{pair} "]) if len(known) <= MOST_BEGUN else None

        return self.catalog.once((self.texts.letters, pair), ask)

    def _holding(self, term: str, among: Places) -> Places:
        """Those of `among` that hold a term somewhere."""
        words = self._words_with(term) if len(among) > FEW else None
        if words is None:
            return self._verified([term], self.texts.fields, among)
        listed = self._places(
            f"""select json_group_array(doc) from {self.texts.held}
            where term in (select value from json_each(:words)) and doc between :first and :last""",
            {"words": json.dumps(words), "first": self.listing.first, "last": self.listing.last},
        )
        others = among & self._match(self.texts.words, search.any_of([search_words.OTHERS])) - listed
        return among & listed | self._verified([term], self.texts.fields, others)

    def _words_with(self, term: str) -> Sequence[str] | None:
        """The listed words that have a term in them; None where these do not tell, or are too many."""
        if not self._is_indexed or not search_words.is_listed(term):
            return None
        found = tuple(islice(search_words.words_with(self._words(), term), MOST_WORDS + 1))
        return found if len(found) <= MOST_WORDS else None

    def _words(self) -> bytes:
        def ask() -> bytes:
            (words,) = self.catalog.query(
                f"select cast(words as blob) from {VOCABULARIES.name} where name = :name",
                {"name": self.texts.name},
                bytes,
            )
            return words

        return self.catalog.once((VOCABULARIES.name, self.texts.name), ask)

    def _match(self, index: str, expression: str) -> Places:
        return self._places(
            f"""select json_group_array(rowid) from {index}
            where {index} match :expression and rowid between :first and :last""",
            {"expression": expression, "first": self.listing.first, "last": self.listing.last},
        )

    def _verified(self, terms: Sequence[str], fields: Sequence[str], among: Places) -> Places:
        """Those of `among` that hold every term in one of `fields`."""
        if not terms or not among:
            return among
        conditions = " and ".join(f"({' or '.join(self._holds(fields, number))})" for number in range(len(terms)))
        numbered: dict[str, str | bytes] = {f"term{number}": term for number, term in enumerate(terms)}
        numbered |= {f"bytes{number}": term.encode() for number, term in enumerate(terms)}
        return self._places(
            f"""select json_group_array(t.id) from {self.texts.name} t
            where t.id in (select value from json_each(:ids)) and {conditions}""",
            {**numbered, "ids": self.ids(among)},
        )

    def _holds(self, fields: Sequence[str], number: int) -> Iterator[str]:
        for field in fields:
            if field == self.texts.fields[-1]:
                # Several times as fast as instr, which goes letter by letter where they are not ASCII.
                yield f"holds(cast(t.{field} as blob), :bytes{number})"
            else:
                yield f"instr(t.{field}, :term{number}) > 0"

    def ids(self, places: Sequence[int] | Places) -> str:
        """The ids at these places, in JSON."""
        return json.dumps([self.listing.ids[place] for place in places])

    def _places(self, sql: str, parameters: dict[str, str | bytes | int]) -> Places:
        (ids,) = self.catalog.query(sql, parameters, json.loads)
        return self.listing.at(ids)
