"""The texts of the answers in one language, and the rule for foreign values inside a line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pipeline import layout, text

Language = Literal["ru", "en"]
LANGUAGES: tuple[Language, ...] = ("ru", "en")

BREAK = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Words:
    """Every text by `table.name`."""

    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """The text `key`; every value that is put into it is on one line."""
        return self.texts[key].format_map({name: one_line(value) for name, value in values.items()})


def load(language: Language) -> Words:
    """Read the texts of one language."""
    tables = tomllib.loads((layout.bundled("templates") / "wiki" / f"{language}.toml").read_text(encoding="utf-8"))
    return Words({f"{table}.{name}": words for table, names in tables.items() for name, words in names.items()})


def one_line(value: object) -> str:
    """A value on one line: each break of whatever kind, with the blanks around it, is one space.

    Letters that nobody sees but that move or hide others are left out.
    """
    pieces = (piece.strip() for piece in BREAK.split(str(value)))
    return text.body(" ".join(piece for piece in pieces if piece))
