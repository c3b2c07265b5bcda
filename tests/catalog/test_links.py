"""Backlinks, and what the shared wiki's CLAUDE.md lists."""

from dataclasses import replace

from pipeline.catalog.answers import Backlink
from pipeline.catalog.knowledge import backlinks, shared_rules
from pipeline.model import SharedRules
from tests.fakes.catalogs import Project

API = Project(
    repository="forge/ann/api",
    pages={"cache": "Cache\n", "queue": "Queue\n", "log": "Log\n"},
    titles={"queue": "Очередь"},
    links=(("log", "cache", 7), ("queue", "cache", 3), ("cache", "queue", 1)),
)
WIKI = Project(
    repository="forge/ann/projects-wiki",
    pages={"cache": "Cache\n", "own": "Own\n"},
    shared_pages={"cache": "Cache\n", "node/yarn": "Yarn\n"},
    links=(("own", "cache", 2),),
    shared_links=(("node/yarn", "cache", 9),),
    rules=SharedRules(domains=("node", "cross"), never=("Acme",)),
)


def test_backlinks_name_the_pages_that_lead_here_by_slug(show):
    assert backlinks(show(API, WIKI), API.id, "cache") == (
        Backlink(project=API.id, slug="log", title="log", path=".wiki/log.md", line=7),
        Backlink(project=API.id, slug="queue", title="Очередь", path=".wiki/queue.md", line=3),
    )


def test_a_page_that_nothing_leads_to_has_no_backlinks(show):
    assert backlinks(show(API), API.id, "log") == ()


def test_the_shared_wiki_and_its_repositorys_own_wiki_are_told_apart(show):
    catalog = show(API, WIKI)

    assert [one.path for one in backlinks(catalog, WIKI.id, "cache")] == [".wiki/own.md"]
    assert [one.path for one in backlinks(catalog, WIKI.id, "cache", "shared")] == ["node/yarn.md"]


def test_slugs_that_are_shown_alike_are_one_page(show):
    odd = replace(API, pages={"a b": "", "a  b": "", "c": ""}, links=(("c", "a b", 1), ("c", "a  b", 2)))

    assert [one.line for one in backlinks(show(odd), API.id, "a b")] == [1]


def test_the_shared_wikis_rules_are_those_of_its_repository(show):
    assert shared_rules(show(API, WIKI)) == SharedRules(domains=("node", "cross"), never=("Acme",))


def test_without_a_shared_wiki_there_are_no_rules(show):
    assert shared_rules(show(API)) == SharedRules()
