"""Habits of real indexes: headings in two languages."""

import pytest

from pipeline.model import RepoPath
from pipeline.parse.wiki_index import parse_index


def entries(text: str) -> list[tuple[str, str | None]]:
    _, found, _ = parse_index(RepoPath(".wiki/index.md"), text.encode("utf-8"))
    return [(entry.slug, entry.type) for entry in found]


@pytest.mark.parametrize(
    "heading",
    ["### Concepts | கோட்பாடுகள்", "## Концепции / Concepts", "## 💡 Concepts (3) | Концепции", "## 概念/Begriffe"],
)
def test_a_heading_in_two_languages_names_a_type(heading):
    assert entries(f"{heading}\n- [[double-entry]] — text\n") == [("double-entry", "concepts")]


@pytest.mark.parametrize("heading", ["## Notes / Concepts", "## Conceptual / Sources of power"])
def test_only_the_first_part_of_a_heading_names_a_type(heading):
    assert entries(f"{heading}\n- [[double-entry]] — text\n") == [("double-entry", None)]
