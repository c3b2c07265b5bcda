"""What a page's document holds that no page of ours may hold, whoever put it there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.browser.chromium import Reader

FAULTS = (Path(__file__).parent / "faults.js").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with one page."""

    page: str
    what: str


def faults(reader: Reader, pages: Iterable[str]) -> list[Fault]:
    """Open each page and look through its document."""
    return [Fault(path, what) for path in pages for what in reader.open(path).evaluate(FAULTS)]
