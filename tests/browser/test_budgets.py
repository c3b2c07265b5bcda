"""What a page may weigh.  Bytes are those of the files, as they lie on the disk."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.browser import looks
from tests.browser.chromium import Reader
from tests.browser.conftest import Open
from tests.browser.sites import Built
from tests.fakes.report_samples import Repository, page, task, trouble

KB = 1_000
# Beside what every page has: the search, its index and the words of it.
MOST_REQUESTS = {"search.html": 7}
ELEMENTS = "document.querySelectorAll('*').length"


def asked_by(reader: Reader, path: str) -> list[Path]:
    """The files that a page asks for, itself included."""
    before = len(reader.watch.requests)
    reader.settled(path)
    return [Path(unquote(urlsplit(url).path)) for url in reader.watch.requests[before:]]


def weight(files: list[Path]) -> int:
    return sum(file.stat().st_size for file in files)


def too_many_requests(reader: Reader, pages: tuple[str, ...]) -> list[str]:
    asked = {path: [file.name for file in asked_by(reader, path)] for path in pages}
    return [f"{path}: {names}" for path, names in asked.items() if len(names) > MOST_REQUESTS.get(path, 6)]


def repositories(number: int) -> list[Repository]:
    """So many repositories, each with tasks of every kind, pages and something wrong."""
    return [
        Repository(
            id=f"git.example.org/team-{each % 7}/project-{each}",
            board="parsed",
            board_text="# Board\n",
            items=[task(f"t-{each}-{status}", status) for status in ("active", "blocked", "paused", "todo", "done")],
            index="parsed",
            pages=[page(f"concepts/{each}", f"Page {each}")],
            diagnostics=[trouble("E101", "not UTF-8", severity="error")],
        )
        for each in range(number)
    ]


def test_the_overview_of_the_example_is_at_most_60_kb_and_loads_at_most_100(opened: Open, example: Built):
    assert (example.report / "index.html").stat().st_size <= 60 * KB
    assert weight(asked_by(opened(example), "index.html")) <= 100 * KB


def test_style_and_scripts_of_every_page_are_at_most_40_kb_together(example: Built):
    assert weight([example.report / "a" / "report.css", example.report / "a" / "report.js"]) <= 40 * KB


def test_no_page_asks_for_more_than_six_files_and_the_search_for_one_more(opened: Open, example: Built):
    assert too_many_requests(opened(example), looks.kinds(example)) == []


def test_nineteen_of_twenty_project_pages_are_at_most_60_kb(example: Built):
    sizes = sorted((example.report / path).stat().st_size for path in example.pages if path.startswith("p/"))

    assert sizes[len(sizes) * 95 // 100] <= 60 * KB


@pytest.fixture
def overview_of(opened: Open, site_files):
    """Elements and bytes of the overview of so many repositories."""

    def measure(number: int) -> tuple[int, int]:
        built = site_files(*repositories(number))
        elements = opened(built).settled("index.html").evaluate(ELEMENTS)
        return elements, (built.report / "index.html").stat().st_size

    return measure


def test_the_overview_does_not_grow_with_the_number_of_projects(overview_of):
    elements, size = overview_of(50)
    more_elements, more_size = overview_of(400)

    assert more_elements == elements
    assert more_size - size < 200
