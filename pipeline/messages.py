"""The report's own words in one language: texts, plural forms, numbers and dates.

The words stand in `templates/report/words/<language>/*.toml`; a message is called by its table and name
(`project.gone`).  Placeholders are `{name}`; the result is plain text, never HTML.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from babel import Locale
from babel.dates import format_datetime
from babel.numbers import format_decimal

from pipeline import layout

Language = Literal["en", "ru"]

DAY = "d MMM y"
MINUTE = "d MMM y HH:mm"
LANGUAGE_SAMPLE = 2_000
# In UTF-8: the first bytes of U+0400 to U+04FF, which are the first of no other letter.
CYRILLIC = b"\xd0\xd1\xd2\xd3"
LATIN = string.ascii_letters.encode()


@dataclass(frozen=True, slots=True)
class Messages:
    """Every message of one language: `texts` by key, `counts` by key and CLDR plural form."""

    language: Language
    locale: Locale
    texts: Mapping[str, str]
    counts: Mapping[str, Mapping[str, str]]

    def text(self, key: str, **values: object) -> str:
        """The message `key` with its placeholders filled; numbers are written as the language does."""
        if not values:
            return self.texts[key]
        return self.texts[key].format_map({name: self._written(value) for name, value in values.items()})

    def count(self, key: str, number: int) -> str:
        """The message `key` in the plural form that `number` asks for; `{n}` is the number."""
        return self.counts[key][self.locale.plural_form(number)].format(n=self.number(number))

    def number(self, number: int) -> str:
        """A whole number, its thousands grouped."""
        return str(number) if 0 <= number < 1000 else format_decimal(number, locale=self.locale)

    def day(self, moment: datetime) -> str:
        """The UTC day: `30 Nov 2026`."""
        return format_datetime(moment, DAY, tzinfo=UTC, locale=self.locale)

    def minute(self, moment: datetime) -> str:
        """The UTC minute: `30 Nov 2026 10:00 UTC`."""
        return f"{format_datetime(moment, MINUTE, tzinfo=UTC, locale=self.locale)} UTC"

    def tables(self) -> tuple[str, ...]:
        """The names of all tables, sorted."""
        return tuple(sorted({key.partition(".")[0] for key in (*self.texts, *self.counts)}))

    def of_tables(self, names: Collection[str]) -> dict[str, object]:
        """The messages of some tables, keys sorted, plural forms as tables."""
        every: dict[str, object] = {**self.texts, **self.counts}
        return {key: every[key] for key in sorted(every) if key.partition(".")[0] in names}

    def _written(self, value: object) -> object:
        return self.number(value) if isinstance(value, int) else value


def load(language: Language) -> Messages:
    """Read the words of one language."""
    home = layout.bundled("templates/report/words") / language
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(home.glob("*.toml"))]
    named = {f"{table}.{name}": said for file in files for table, names in file.items() for name, said in names.items()}
    return Messages(
        language=language,
        locale=Locale(language),
        texts={key: words for key, words in named.items() if isinstance(words, str)},
        counts={key: words for key, words in named.items() if isinstance(words, dict)},
    )


def language_of(text: str, otherwise: Language) -> Language:
    """The language a reader's voice should use for a repository's text: by the share of its
    first 2,000 letters.  Without Cyrillic or Latin letters: `otherwise`.
    """
    raw = text[:LANGUAGE_SAMPLE].encode("utf-8", "replace")
    cyrillic, latin = (len(raw) - len(raw.translate(None, letters)) for letters in (CYRILLIC, LATIN))
    if not cyrillic and not latin:
        return otherwise
    return "ru" if cyrillic > latin else "en"
