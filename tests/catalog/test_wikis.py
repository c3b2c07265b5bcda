"""What several wikis answer, and whom to ask: held against a plain scan."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipeline.catalog.knowledge import page_text, shared_page_text, shared_wiki
from pipeline.catalog.shared import domains, meant_domains, search_shared
from pipeline.catalog.wikis import ask_projects, who_knows
from pipeline.errors import CatalogError, UnknownPage
from pipeline.model import SharedRules
from pipeline.search import matches, parse_query
from pipeline.text import fold
from tests.fakes.catalogs import Project, open_projects

API = Project(
    repository="forge/ann/api",
    wiki_index="# Wiki\n",
    pages={"concepts/cache": "Why caches\n", "queue": "The cache of the queue\n", "raw/dump": "cache cache\n"},
)
SITE = Project(repository="forge/ann/site", pages={"concepts/cache-and-cdn": "x\n", "cdn": "a cache\n"})
SHARED = Project(
    repository="forge/ann/projects-wiki",
    shared_pages={"node/cache": "npm cache\n", "cross/git": "git has a cache, too\n", "Node/yarn": "no word of it\n"},
)


def asked(catalog, query, *names, **more):
    """Slugs of the matches by the name asked."""
    replies = ask_projects(catalog, query, names, **more)
    return {reply.asked: [hit.page.slug for hit in reply.matches] for reply in replies}


def test_slug_and_title_come_first_then_the_body_each_in_reading_order(show):
    assert asked(show(API, SITE), "cache", "api", "site") == {
        "api": ["concepts/cache", "queue"],
        "site": ["concepts/cache-and-cdn", "cdn"],
    }


def test_types_are_first_folders_whatever_their_case(show):
    catalog = show(API)

    assert asked(catalog, "cache", "api", types=["RAW"]) == {"api": ["raw/dump"]}
    assert asked(catalog, "cache", "api", types=["root", "Concepts"]) == {"api": ["concepts/cache", "queue"]}


def test_a_wiki_of_raw_pages_alone_says_what_it_has(show):
    (reply,) = ask_projects(show(replace(API, pages={"raw/dump": "cache\n"})), "cache", ["api"])

    assert (reply.total, reply.warning) == (0, 'no page of the asked types; this wiki has "raw"')


def test_the_total_counts_what_the_limit_leaves_out(show):
    (reply,) = ask_projects(show(API), "cache", ["api"], limit=1)

    assert (len(reply.matches), reply.total) == (1, 2)


def test_a_project_is_asked_by_any_of_its_names(show):
    replies = ask_projects(show(API, SITE), "cache", ["API", "ann/api", "forge/ann/api"])

    assert {reply.project and reply.project.project for reply in replies} == {API.id}
    assert [reply.asked for reply in replies] == ["API", "ann/api", "forge/ann/api"]


GONE = replace(SITE, state="gone", reason="not found")
NEVER = Project(repository="forge/ann/new", state="unreachable", reason="HTTP 503", read=False)


@pytest.mark.parametrize(
    ("projects", "name", "error"),
    [
        ([API], "apii", "unknown project — run sync first"),
        ([API, GONE], "site", 'project "ann/site" is gone: its source has it no more; nothing of it is shown'),
        ([API, NEVER], "new", "never read yet — run sync first"),
        ([API, SHARED], "projects-wiki", "this is the shared wiki, it has no wiki of its own — ask knowledge_search"),
        ([API, replace(API, repository="forge/bob/api")], "api", 'project "api" is one of 2: "ann/api", "bob/api"'),
        ([replace(API, pages={}, wiki_index=None)], "api", "no wiki — repo has no .wiki/index.md"),
        ([replace(API, pages={}, index_error="wiki index malformed: NUL")], "api", "wiki index malformed: NUL"),
    ],
)
def test_why_a_project_has_no_answer(show, projects, name, error):
    (reply,) = ask_projects(show(*projects), "cache", [name])

    assert (reply.error or "").startswith(error)
    assert reply.matches == ()


def test_an_index_without_pages_is_a_warning(show):
    (reply,) = ask_projects(show(replace(API, pages={})), "cache", ["api"])

    assert (reply.error, reply.warning) == (None, "the wiki has an index and no page")


def test_a_text_that_was_lost_meanwhile_troubles_its_own_match_alone(tmp_path):
    catalog = open_projects(tmp_path, API, SITE)
    (tmp_path / SITE.id / SITE.digest / "wiki" / "cdn.md").unlink()
    replies = ask_projects(catalog, "cache", ["site", "api"])

    assert [[hit.snippet for hit in reply.matches] for reply in replies] == [
        ["x", "(fetch failed)"],
        ["Why caches", "The cache of the queue"],
    ]


def test_whom_to_ask_is_told_the_shared_wiki_first_among_equals(show):
    found = who_knows(show(API, SITE, SHARED), "cache")

    assert [(row.project.name, row.pages, row.best_slug) for row in found.rows] == [
        ("projects-wiki", 2, "node/cache"),
        ("api", 2, "concepts/cache"),
        ("site", 2, "concepts/cache-and-cdn"),
    ]


def test_more_pages_win_among_equally_good_ones(show):
    few = Project(repository="forge/ann/a", pages={"cache": ""})
    many = Project(repository="forge/ann/b", pages={"cache": "", "more": "cache"})

    assert [row.project.name for row in who_knows(show(few, many), "cache").rows] == ["b", "a"]


def test_those_who_know_come_in_slices(show):
    found = who_knows(show(API, SITE, SHARED), "cache", limit=1, offset=1)

    assert ([row.project.name for row in found.rows], found.total, found.next_offset) == (["api"], 3, 2)


def test_domains_are_found_in_any_spelling(show):
    catalog = show(API, SHARED)

    assert domains(catalog) == ("Node", "cross", "node")
    assert meant_domains(catalog, "NODE") == ("Node", "node")
    assert [hit.page.slug for hit in search_shared(catalog, "o", ["node"]).found.rows] == ["node/cache", "Node/yarn"]


def test_a_domain_that_the_rules_list_is_known_before_it_has_a_page(show):
    catalog = show(replace(SHARED, rules=SharedRules(domains=("web", "node"))))

    assert domains(catalog) == ("web", "node", "Node", "cross")
    assert search_shared(catalog, "cache", meant_domains(catalog, "Web")).found.total == 0


def test_an_unknown_domain_lists_the_known_ones(show):
    with pytest.raises(CatalogError, match=r'^no domain "web" in the shared wiki; expected all, or one of "Node", '):
        meant_domains(show(SHARED), "web")


def test_without_a_shared_wiki_nothing_is_found_in_it(show):
    assert search_shared(show(API), "cache").found.total == 0


def test_the_shared_wiki_s_own_wiki_is_another(show):
    catalog = show(replace(SHARED, pages={"concepts/cache": "cache\n", "a": "cache\n"}))

    assert search_shared(catalog, "cache").found.total == 2
    assert asked(catalog, "cache", "projects-wiki") == {"projects-wiki": ["concepts/cache", "a"]}
    assert [row.pages for row in who_knows(catalog, "cache").rows] == [4]


def test_a_shared_wiki_that_is_gone_is_none(show):
    catalog = show(API, replace(SHARED, state="gone", reason="not found"))

    assert shared_wiki(catalog) is None
    with pytest.raises(UnknownPage, match=r"^there is no shared wiki: "):
        shared_page_text(catalog, "node/cache")


def test_matches_of_other_domains_are_counted(show):
    found = search_shared(show(SHARED), "cache", ["cross"])

    assert ([hit.page.slug for hit in found.found.rows], found.outside) == (["cross/git"], 1)


def test_every_page_that_a_question_names_can_be_read(show):
    catalog = show(API, SITE)

    assert [page_text(catalog, API.id, slug).page.slug for slug in asked(catalog, "cache", "api")["api"]] == [
        "concepts/cache",
        "queue",
    ]


LETTERS = st.text(st.sampled_from("abёЕЙи\u0306ßİ c-\"'%_"), max_size=8)
WIKIS = st.lists(st.lists(st.tuples(LETTERS, LETTERS, st.booleans()), max_size=4), min_size=1, max_size=3)


def wiki(number, pages):
    """One project of these pages: title, body, and whether it is a raw one."""
    slugs = [f"{'raw' if raw else 'x'}/{n}" for n, (_, _, raw) in enumerate(pages)]
    return Project(
        repository=f"h/o/p{number}",
        wiki_index="# Wiki\n",
        pages={slug: body for slug, (_, body, _) in zip(slugs, pages, strict=True)},
        titles={slug: title for slug, (title, _, _) in zip(slugs, pages, strict=True)},
    )


def scanned(project, terms):
    """What a plain scan finds: slug and title first, then the rest, in reading order."""
    pages = [
        (slug, [fold(" ".join(part.split())) for part in (slug, project.titles[slug])], fold(text or ""))
        for slug, text in project.pages.items()
        if not slug.startswith("raw/")
    ]
    found = [
        (not matches(names, terms), n, slug)
        for n, (slug, names, text) in enumerate(pages)
        if matches([*names, text], terms)
    ]
    return [slug for _, _, slug in sorted(found)]


@settings(max_examples=80, deadline=None)
@given(pages=WIKIS, query=LETTERS)
def test_every_wiki_answers_what_a_plain_scan_of_it_finds(tmp_path_factory, pages, query):
    assume(query.replace('"', "").strip())
    projects = [wiki(number, found) for number, found in enumerate(pages)]
    terms = parse_query(query)
    expected = {f"p{number}": scanned(project, terms) for number, project in enumerate(projects)}

    with open_projects(tmp_path_factory.mktemp("wikis"), *projects) as catalog:
        assert asked(catalog, query, *expected, limit=20) == expected
        assert {row.project.name: row.pages for row in who_knows(catalog, query).rows} == {
            name: len(slugs) for name, slugs in expected.items() if slugs
        }


@settings(max_examples=80, deadline=None)
@given(
    pages=st.lists(st.tuples(LETTERS, LETTERS, st.sampled_from(["node", "cross", "Web"])), max_size=6), query=LETTERS
)
def test_the_shared_wiki_answers_what_a_plain_scan_of_a_domain_finds(tmp_path_factory, pages, query):
    assume(query.replace('"', "").strip())
    found = {f"{domain}/{n}": (title, body) for n, (title, body, domain) in enumerate(pages)}
    named = {"node/always": ("…", "…"), **found}
    wiki = Project(
        repository="h/o/w",
        shared_pages={slug: body for slug, (_, body) in named.items()},
        titles={slug: title for slug, (title, _) in named.items()},
    )
    fields = {slug: [fold(slug), fold(" ".join(title.split())), fold(body)] for slug, (title, body) in named.items()}
    expected = {slug for slug, written in fields.items() if matches(written, parse_query(query))}

    with open_projects(tmp_path_factory.mktemp("shared"), wiki) as catalog:
        hits = search_shared(catalog, query, ["web", "Cross"], limit=100)

    slugs = {hit.page.slug for hit in hits.found.rows}
    assert slugs == {slug for slug in expected if not slug.startswith("node/")}
    assert hits.outside == len(expected - slugs)
