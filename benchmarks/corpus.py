"""Made-up wiki pages: 3,000 letters each, four in ten Russian, the same ones for the same size.

Words are made of syllables and come as often as words do (the n-th in about 1/n of the cases); some pages
name addresses and tools with signs in them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.fakes.catalogs import Project

LETTERS = 3_000
WORDS = 20_000
PAGES_OF_A_PROJECT = 100
RUSSIAN_PAGES = 0.4
SIGNED = 0.05
# Beginnings, vowels and ends of syllables.
ENGLISH = (
    "b c d f g h l m n p r s t v w br ch cl dr fl gr pl pr qu sc sh sp st str th tr",
    "a e i o u ai ea ee ou y",
    "n r s t l m d ck ng nt rd st",
)
RUSSIAN = (
    "б в г д ж з к л м н п р с т ф х ц ч ш бр вр гл гр др кл кр пл пр ск сл ст стр тр",
    "а е и о у ы ю я ё",
    "н р с т л м в й к ть ст нн",
)
SIGNS = (
    "github.com/", "c++", "node.js", "c#", "a->b", "foo_bar", "x=1", "v2.3.0", "--force", "user@host",
    "/etc/hosts", ".gitignore", "std::move", "f(x)", "100%",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Language:
    """Its words, the most frequent first."""

    words: tuple[str, ...]
    weights: tuple[float, ...] = field(repr=False)


def language(sounds: Sequence[str], chance: random.Random) -> Language:
    """Invent one; what is said often is short."""
    beginnings, vowels, ends = (part.split() for part in sounds)
    made: dict[str, None] = {}
    while len(made) < WORDS:
        syllables = 1 + min(len(made), 200) // 100 + chance.randrange(2)
        made["".join(chance.choice(part) for _ in range(syllables) for part in (beginnings, vowels, ["", *ends]))] = (
            None
        )
    weights = itertools.accumulate(1 / (place + 3) for place in range(WORDS))
    return Language(tuple(made), tuple(weights))


def languages() -> tuple[Language, Language]:
    """English and Russian, as all corpora have them."""
    chance = random.Random(1)
    return language(ENGLISH, chance), language(RUSSIAN, chance)


def projects(pages: int) -> Iterator[Project]:
    """As many pages, in projects of a hundred."""
    english, russian = languages()
    for first in range(0, pages, PAGES_OF_A_PROJECT):
        chance = random.Random(f"project {first}")
        written: dict[str, str] = {}
        titles: dict[str, str] = {}
        for number in range(first, min(first + PAGES_OF_A_PROJECT, pages)):
            chosen = russian if chance.random() < RUSSIAN_PAGES else english
            title = " ".join(_words(chosen, chance, 4)).capitalize()
            slug = f"concepts/{number}-{_words(english, chance, 1)[0]}"
            titles[slug] = title
            written[slug] = _page(title, chosen, chance)
        yield Project(repository=f"forge.example/team/p{first:06}", pages=written, titles=titles)


def texts(pages: int, letters: int) -> Iterator[str]:
    """So many pages of so many letters, their titles as first headings."""
    english, russian = languages()
    chance = random.Random("texts")
    for _ in range(pages):
        chosen = russian if chance.random() < RUSSIAN_PAGES else english
        yield _page(" ".join(_words(chosen, chance, 4)).capitalize(), chosen, chance, letters)


def _page(title: str, chosen: Language, chance: random.Random, letters: int = LETTERS) -> str:
    parts = [f"# {title}"]
    while sum(map(len, parts)) < letters:
        parts.append("## " + " ".join(_words(chosen, chance, 3)).capitalize())
        parts += [_sentences(chosen, chance) for _ in range(2)]
    return "\n\n".join(parts)[: letters - 1] + "\n"


def _sentences(chosen: Language, chance: random.Random) -> str:
    words = _words(chosen, chance, 60)
    if chance.random() < SIGNED:
        words[chance.randrange(60)] = chance.choice(SIGNS)
    return " ".join(" ".join(words[start : start + 12]).capitalize() + "." for start in range(0, 60, 12))


def _words(chosen: Language, chance: random.Random, count: int) -> list[str]:
    return chance.choices(chosen.words, cum_weights=chosen.weights, k=count)
