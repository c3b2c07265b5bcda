"""A catalog for others is that of a build without what they may not see."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from pipeline import index
from pipeline.audience import seen_by
from pipeline.index_narrow import copy_seen
from tests.fakes.catalogs import Project, create, item
from tests.fakes.page_histories import history, page

API = Project(
    repository="forge/ann/api",
    visibility="public",
    board="## ship\n",
    items=(item("ship"),),
    pages={"a": "A\n", "b": "B\n"},
    links=(("a", "b", 1),),
)
WIKI = Project(repository="forge/zoe/wiki", visibility="internal", shared_pages={"css": "C\n"})
SECRET = Project(
    repository="forge/bob/canary",
    board="## canary\n",
    items=(item("canary"),),
    pages={"canary": "canary\n"},
    shared_pages={"canary": "canary\n"},
)


@pytest.fixture
def narrowed(tmp_path):
    """Every row of the catalog of some projects that an audience sees, and its bytes."""

    def make(audience, *projects):
        whole, narrow = tmp_path / f"{audience}-whole.sqlite", tmp_path / f"{audience}.sqlite"
        create(whole, projects).close()
        with closing(sqlite3.connect(narrow, uri=True)) as connection:
            copy_seen(connection, f"{whole.as_uri()}?mode=ro", seen_by(audience))
            return index.dump(connection), narrow.read_bytes()

    return make


def rows_of(*projects):
    with closing(create(":memory:", projects, "scan")) as connection:
        return index.dump(connection)


def test_it_has_the_rows_of_a_catalog_that_never_knew_the_others(narrowed):
    assert narrowed("internal", API, SECRET, WIKI)[0] == rows_of(API, WIKI)
    assert narrowed("public", API, SECRET, WIKI)[0] == rows_of(API)


def test_not_a_byte_of_the_others_is_in_the_file(narrowed):
    assert b"canary" not in narrowed("internal", API, SECRET, WIKI)[1]


def test_why_a_look_failed_is_left_out(narrowed):
    lost = replace(API, state="unreachable", reason="21 of 300 are gone")

    assert narrowed("public", lost)[0] == rows_of(replace(lost, reason=None))


def test_a_code_that_a_hidden_page_claims_too_is_settled_without_it(narrowed):
    rivals = [
        replace(project, history=history(project.repository, page("a", code="DOC-7", asked="DOC-7")))
        for project in (API, replace(SECRET, repository="forge/abe/canary", pages={"a": "canary\n"}))
    ]

    assert narrowed("public", *rivals)[0] == rows_of(rivals[0])
    assert rows_of(rivals[0])["settled_pages"] == []
