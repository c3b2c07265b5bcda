"""Readers while versions are published: each answer is of one whole version, and nothing blocks."""

import threading
from pathlib import Path

import pytest

from pipeline.catalog import Published, projects, tasks
from pipeline.layout import Layout
from tests.fakes.catalogs import Project, item
from tests.fakes.published import Site

PUBLISHES = 60
READERS = 4
NAME = "forge/ann/notes"


def round_of(number: int) -> Project:
    """The project as round `number` shows it: the same word in its task, its text and its page."""
    word = f"round-{number}"
    return Project(repository=NAME, board=f"{word}\n", items=(item(word),), pages={"a": f"# {word}\n"})


def look(published: Published) -> set[str]:
    """Every word that one answer shows."""
    catalog = published.catalog()
    project = projects.find(catalog, NAME)
    (task,) = tasks.aggregate(catalog).rows
    return {task.slug, tasks.board(catalog, project).text.strip()}


def keep_looking(published: Published, ended: threading.Event, seen: list[set[str]]) -> None:
    while not ended.is_set():
        seen.append(look(published))


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_four_readers_see_sixty_publishes_and_never_a_mixture(tmp_path: Path):
    site = Site(Layout(tmp_path / "build"))
    site.publish(round_of(0))
    ended, seen = threading.Event(), [list[set[str]]() for _ in range(READERS)]
    published = site.published()
    readers = [threading.Thread(target=keep_looking, args=(published, ended, mine)) for mine in seen]
    for reader in readers:
        reader.start()
    for number in range(1, PUBLISHES + 1):
        site.publish(round_of(number))
    ended.set()
    for reader in readers:
        reader.join()

    assert [words for mine in seen for words in mine if len(words) != 1] == []
    assert min(len(mine) for mine in seen) > 10
    assert look(published) == {f"round-{PUBLISHES}"}
