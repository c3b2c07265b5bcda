"""The report's script folds as the catalog does; `python -m tests.report.test_fold_script` writes its table anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import normalize

from pipeline import layout

SCRIPT = layout.bundled("templates/report/js/report/15-fold.js")
TABLE = re.compile(r'(?<=const TABLE = ")[^"]*')
LETTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]


def table() -> str:
    """Small letters whose fold is another, in hex: `from:to.to`, or `first-last:to` for those in a row."""
    folds = {small: small.casefold() for letter in LETTERS for small in normalize("NFC", letter).lower()}
    odd = {letter: fold for letter, fold in folds.items() if normalize("NFC", fold) != letter}
    return " ".join(map(_row, _runs(sorted(odd.items()))))


def _runs(folds: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    run: list[tuple[str, str]] = []
    for letter, fold in folds:
        if run and (ord(letter), fold) != (ord(run[-1][0]) + 1, _after(run[-1][1])):
            yield run
            run = []
        run.append((letter, fold))
    yield run


def _after(fold: str) -> str | None:
    return chr(ord(fold) + 1) if len(fold) == 1 else None


def _row(run: list[tuple[str, str]]) -> str:
    letters = f"{ord(run[0][0]):x}" + (f"-{ord(run[-1][0]):x}" if len(run) > 1 else "")
    return f"{letters}:{'.'.join(f'{ord(letter):x}' for letter in run[0][1])}"


def test_the_table_of_the_script_is_that_of_python():
    assert TABLE.findall(SCRIPT.read_text(encoding="utf-8")) == [table()]


if __name__ == "__main__":
    SCRIPT.write_text(TABLE.sub(table(), SCRIPT.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
