"""How a query is read and what it matches.  Pure; the catalog and the report follow the same rules.

A query is words and quoted phrases.  Each of them, folded, must be a substring of some field of one
text (of one task, of one page); they may be spread over its fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pipeline import text
from pipeline.errors import CatalogError

QUERY_LIMIT = 400
TRIGRAM = 3
MOST_TRIGRAMS = 64
TERM = re.compile(r'"([^"]*)"|(\S+)')


def parse_query(query: str) -> tuple[str, ...]:
    """The folded terms of a query, in its order, each once.

    White space parts words; quotes at the beginning of a word keep a phrase together; a quote without
    its partner, or inside a word, is a letter.

    Raises:
        CatalogError: longer than 400 characters, a NUL inside, or nothing to look for.
    """
    if len(query) > QUERY_LIMIT:
        raise CatalogError(f"the query has {len(query)} characters; at most {QUERY_LIMIT} are accepted; shorten it")
    if "\0" in query:
        raise CatalogError("the query holds a NUL character; leave it out")
    pairs = (match.groups() for match in TERM.finditer(text.body(query)))
    terms = (text.fold(phrase if word is None else word) for phrase, word in pairs)
    found = tuple(dict.fromkeys(term for term in terms if term.strip()))
    if not found:
        raise CatalogError('the query is empty; give a word, or a phrase in quotes such as "due date"')
    return found


def matches(fields: Sequence[str], terms: Sequence[str]) -> bool:
    """True when every folded term is a substring of one of the folded fields.

    The meaning of search in one line; the catalog gives the same answer by index.
    """
    return all(any(term in one for one in fields) for term in terms)


def all_of(grams: Iterable[str]) -> str:
    """An FTS5 expression for texts that have every one of these trigrams."""
    return " AND ".join(map(_quoted, grams))


def any_of(grams: Iterable[str]) -> str:
    """An FTS5 expression for texts that have any of these trigrams."""
    return " OR ".join(map(_quoted, grams))


def _quoted(gram: str) -> str:
    return '"' + gram.replace('"', '""') + '"'


def trigrams(terms: Iterable[str]) -> tuple[str, ...]:
    """The first 64 different runs of three letters of the terms: a text without one of them does not match."""
    grams = dict.fromkeys(term[start : start + TRIGRAM] for term in terms for start in range(len(term) - TRIGRAM + 1))
    return tuple(grams)[:MOST_TRIGRAMS]


class Quality(NamedTuple):
    """Where the terms of a match stand; less is better.

    Both are of the terms' classes: the class of a term is that of the first field that holds it.
    """

    best: int
    total: int


class Rank(NamedTuple):
    """How good a match is; less is better.  `parts` counts the terms that are only part of a word in the first
    field that holds them.
    """

    quality: Quality
    parts: int


def quality(classes: Sequence[int]) -> Quality:
    """The quality of a match whose terms have these classes."""
    return Quality(min(classes), sum(classes))


def rank(fields: Sequence[str], classes: Sequence[int], terms: Sequence[str]) -> Rank:
    """Rank a text that matches: `classes[i]` says how much a hit in `fields[i]` counts, 0 most."""
    places = [next(i for i, one in enumerate(fields) if term in one) for term in terms]
    return Rank(quality([classes[place] for place in places]), parts(fields, terms))


def parts(fields: Sequence[str], terms: Sequence[str]) -> int:
    """How many terms of a text that matches are only part of a word in the first field that holds them."""
    first = (next(one for one in fields if term in one) for term in terms)
    return sum(not has_word(field, term) for field, term in zip(first, terms, strict=True))


def has_word(field: str, term: str) -> bool:
    """True when `term` stands in `field` somewhere without letters or digits at its sides."""
    return _word(term).search(field) is not None


@lru_cache(maxsize=256)
def _word(term: str) -> re.Pattern[str]:
    # The term itself comes first, so that the pattern is looked for as fast as plain text.
    literal = re.escape(term)
    return re.compile(rf"{literal}(?<!\w{literal})(?!\w)")
