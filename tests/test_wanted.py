from __future__ import annotations

import pytest

from pipeline.model import RepositoryId, SourceConfig
from pipeline.wanted import is_shared, is_wanted

NOTES = RepositoryId("host/Ann/Notes")


def row(**settings: object) -> SourceConfig:
    return SourceConfig(kind="gitea", name="host", settings=settings)


@pytest.mark.parametrize(
    ("include", "exclude", "wanted"),
    [
        (("*",), (), True),
        (("notes",), (), True),
        (("no*",), (), True),
        (("ann/*",), (), True),
        (("bob/*",), (), False),
        (("ann",), (), False),
        (("*",), ("notes",), False),
        (("*",), ("ann/n*",), False),
        (("*",), ("*-archive",), True),
        ((), (), False),
    ],
)
def test_patterns_match_the_name_or_with_a_slash_owner_and_name(
    include: tuple[str, ...], exclude: tuple[str, ...], wanted: bool
) -> None:
    source = SourceConfig(kind="folder", name="host", include=include, exclude=exclude)

    assert is_wanted(NOTES, source) is wanted


def test_an_owner_that_the_row_does_not_name_is_not_wanted() -> None:
    assert is_wanted(NOTES, row(owners=("ANN",)))
    assert not is_wanted(NOTES, row(owners=("bob",)))
    assert is_wanted(NOTES, row())


@pytest.mark.parametrize(
    ("name", "shared"),
    [("Notes", True), ("Ann/Notes", True), ("host/Ann/Notes", True), ("otes", False), ("Bob/Notes", False)],
)
def test_the_shared_wiki_is_named_short_or_in_full(name: str, shared: bool) -> None:
    assert is_shared(NOTES, name) is shared
