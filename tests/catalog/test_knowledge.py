import pytest

from pipeline.catalog.knowledge import page_text, pages, search_pages, shared_page_text, shared_pages
from pipeline.errors import CatalogError, UnknownPage
from tests.fakes.catalogs import Project

API = Project(
    repository="forge/ann/api",
    pages={"concepts/cache": "---\ntags: x\n---\nHow the cache works\n", "queue": "Очередь и кеш\n", "lost": None},
    titles={"queue": "Queue"},
)
WIKI = Project(repository="forge/ann/projects-wiki", shared_pages={"node/yarn": "Use yarn\n", "git/rebase": "Rebase\n"})


def test_pages_come_in_reading_order(show):
    assert [(page.slug, page.available) for page in pages(show(API), API.id)] == [
        ("concepts/cache", True),
        ("queue", True),
        ("lost", False),
    ]


def test_a_page_is_given_as_written_with_where_it_comes_from(show):
    found = page_text(show(API), API.id, "Concepts/cache")

    assert found.text == "---\ntags: x\n---\nHow the cache works\n"
    assert (found.page.slug, found.origin.path) == ("concepts/cache", ".wiki/concepts/cache.md")


def test_an_unknown_page_is_told_with_the_nearest_slugs(show):
    with pytest.raises(UnknownPage) as caught:
        page_text(show(API), API.id, "concepts/cash")

    assert str(caught.value) == ('page not found: forge/ann/api/.wiki/concepts/cash.md; did you mean "concepts/cache"?')


def test_a_page_whose_text_was_not_brought_says_so(show):
    with pytest.raises(CatalogError, match=r"the text of \.wiki/lost\.md in forge/ann/api was not brought"):
        page_text(show(API), API.id, "lost")


def test_shared_pages_come_by_slug_with_their_domain(show):
    assert [(page.slug, page.domain) for page in shared_pages(show(API, WIKI))] == [
        ("git/rebase", "git"),
        ("node/yarn", "node"),
    ]


def test_without_a_shared_wiki_there_are_no_shared_pages(show):
    assert shared_pages(show(API)) == ()


def test_a_shared_page_is_given_with_its_front_matter(show):
    found = shared_page_text(show(API, WIKI), "node/yarn")

    assert (found.text, found.front_matter, found.page.applies_to) == ("Use yarn\n", {"domain": "node"}, ("git",))


def test_an_unknown_shared_page_is_told_with_the_nearest_slugs(show):
    with pytest.raises(UnknownPage, match='no page "node/yarm" in the shared wiki; did you mean "node/yarn"'):
        shared_page_text(show(WIKI), "node/yarm")


def test_pages_are_found_in_slug_title_and_body(show):
    catalog = show(API, WIKI)
    found = {query: search_pages(catalog, query).rows for query in ("cache", "QUEUE кеш", "works")}

    assert [(hit.page.slug, hit.matched_in) for hit in found["cache"]] == [("concepts/cache", "slug")]
    assert [(hit.page.slug, hit.matched_in) for hit in found["QUEUE кеш"]] == [("queue", "slug")]
    assert [(hit.matched_in, hit.snippet) for hit in found["works"]] == [("body", "How the cache works")]


def test_front_matter_and_shared_pages_are_not_found_among_wiki_pages(show):
    catalog = show(API, WIKI)

    assert search_pages(catalog, "tags").total == 0
    assert search_pages(catalog, "yarn").total == 0


def test_a_heading_counts_more_than_the_rest_of_a_body_and_less_than_a_title(show):
    pages = {"a": "cache\n", "b": "## Of the caches\n", "c": "## The cache\n", "d": "x\n", "e": "```\n# cache\n```\n"}
    catalog = show(Project(repository="h/o/p", pages=pages, titles={"d": "Cache"}))

    assert [hit.page.slug for hit in search_pages(catalog, "cache").rows] == ["d", "c", "b", "a", "e"]
    assert {hit.matched_in for hit in search_pages(catalog, "cache").rows[1:]} == {"body"}
