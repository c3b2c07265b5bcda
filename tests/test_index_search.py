import sqlite3
from contextlib import closing

import pytest

from pipeline import index
from tests.fakes.catalogs import Project, create, update

OLD = Project(repository="h/o/old", pages={"first": "alpha 漢字\n"})
NEW = Project(repository="h/o/new", pages={"second": "beta\n"})


def words(connection):
    return connection.execute("select words from vocabularies where name = 'page_texts'").fetchone()[0]


def test_the_list_of_words_has_every_word_of_the_texts_once_and_sorted():
    with closing(create(":memory:", (OLD, NEW))) as connection:
        assert words(connection) == "alpha\nbeta\nfirst\nsecond\n"


def test_a_word_that_no_text_has_any_more_leaves_the_list():
    with closing(create(":memory:", (OLD, NEW))) as connection:
        update(connection, (NEW,))

        assert words(connection) == "beta\nsecond\n"
        index.check_search(connection)


def test_an_empty_catalog_has_an_empty_list():
    with closing(create(":memory:", ())) as connection:
        assert words(connection) == ""
        index.check_search(connection)


@pytest.mark.parametrize(
    "harm",
    [
        "insert into page_search_words (rowid, tokens) values (77, 'gamma')",
        "update vocabularies set words = words || 'gamma' where name = 'page_texts'",
        "insert into page_search_heads (page_search_heads, rowid, slug, title, headings) "
        "select 'delete', id, slug, title, headings from page_texts limit 1",
    ],
)
def test_an_index_that_holds_other_words_than_the_texts_is_noticed(harm):
    with closing(create(":memory:", (OLD, NEW))) as connection:
        connection.execute(harm)

        with pytest.raises(sqlite3.DatabaseError):
            index.check_search(connection)
