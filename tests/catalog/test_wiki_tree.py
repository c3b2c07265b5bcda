"""One project's wiki as a tree, from the catalog."""

from dataclasses import replace

import pytest

from pipeline.catalog.wiki_tree import read_body, read_wiki, size_letters
from pipeline.errors import UnknownPage, UnknownRepository
from tests.fakes.catalogs import Project
from tests.fakes.page_histories import history, page
from tests.fakes.wikis import AFTER, ATLAS, BEACON


def deep(count: int) -> Project:
    """A wiki in which each page lies below the one before."""
    slugs = ["/".join("abcdefghijklmnopqrst"[: depth + 1]) for depth in range(count)]
    return Project(
        repository="local/team/deep",
        pages=dict.fromkeys(slugs, "x"),
        titles={slug: slug[-1] for slug in slugs},
        history=history("local/team/deep", page("index"), *map(page, slugs)),
    )


def test_a_wiki_that_did_not_change_is_not_read_again(show):
    wiki = read_wiki(show(ATLAS), ATLAS.id)

    assert read_wiki(show(ATLAS, BEACON), ATLAS.id, wiki) is wiki


@pytest.mark.parametrize(
    "changed",
    [
        replace(ATLAS, titles={**ATLAS.titles, "b": "Wasp"}),
        replace(ATLAS, history=history("local/team/atlas", page("index"), *map(page, ATLAS.pages))),
    ],
)
def test_a_wiki_of_other_texts_or_codes_is_read_anew(show, changed):
    wiki = read_wiki(show(ATLAS), ATLAS.id)

    assert read_wiki(show(changed), ATLAS.id, wiki).tree != wiki.tree


def test_a_path_is_the_titles_from_the_root_down(show):
    wiki = read_wiki(show(ATLAS), ATLAS.id)

    assert wiki.path("guides/maps", "index") == "Атлас / Статусы / Maps"
    assert wiki.path("guides/maps", "guides") == "Статусы / Maps"
    assert wiki.path("index", "index") == "Атлас"


def test_a_path_of_many_titles_shows_its_ends(show):
    wiki = read_wiki(show(deep(20)), deep(20).id)

    assert (
        wiki.path("/".join("abcdefghijklmnopqrst"), "index") == "deep / a / b / … / l / m / n / o / p / q / r / s / t"
    )
    assert wiki.path("/".join("abcdefghijk"), "index") == "deep / a / b / c / d / e / f / g / h / i / j / k"


@pytest.mark.parametrize(
    ("index", "name"),
    [
        ("# Атлас\n", "Атлас"),
        ("---\ntitle: x\n---\n\n## Second\n# First #\n", "First"),
        ("no heading\n", "atlas"),
        ("", "atlas"),
        (None, "atlas"),
        ("```\n# code\n```\n", "atlas"),
    ],
)
def test_the_wiki_itself_is_called_by_the_first_heading_of_its_index_else_as_its_project(show, index, name):
    wiki = read_wiki(show(replace(ATLAS, wiki_index=index)), ATLAS.id)

    assert wiki.tree.pages["index"].title == name


def test_a_size_is_the_letters_of_the_body_without_front_matter(show):
    catalog = show(ATLAS)
    wiki = read_wiki(catalog, ATLAS.id)

    assert read_body(catalog, wiki, "guides") == AFTER
    assert [size_letters(catalog, wiki, slug) for slug in ("guides", "index", "lost")] == [len(AFTER), 8, 0]


def test_a_page_whose_text_was_not_brought_has_no_size(show):
    catalog = show(replace(ATLAS, pages={**ATLAS.pages, "b": None}))

    assert size_letters(catalog, read_wiki(catalog, ATLAS.id), "b") == 0


def test_a_file_has_a_number_made_of_its_address_and_the_page_of_its_folder(show):
    files = read_wiki(show(ATLAS), ATLAS.id).files

    assert [(file.name, file.page, number) for number, file in files.items()] == [
        ("pic.png", "guides", 134721826949350), ("logo.png", "index", 17877461280530)
    ]  # fmt: skip


def test_a_project_without_a_wiki_has_no_tree(show):
    bare = Project(repository="local/team/bare", board="# Tasks\n", attachments={})

    with pytest.raises(UnknownPage, match="local/team/bare has no wiki"):
        read_wiki(show(bare), bare.id)


def test_a_project_that_is_not_there_has_no_tree(show):
    with pytest.raises(UnknownRepository):
        read_wiki(show(ATLAS), BEACON.id)
