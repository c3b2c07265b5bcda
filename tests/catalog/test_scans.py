"""What each question answers for random texts and queries of all of Unicode, held against a plain scan."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.catalog import knowledge, shared, tasks, wikis
from pipeline.search import matches, parse_query
from pipeline.text import body, fold, line
from tests.fakes.catalogs import Project, item, open_projects
from tests.fakes.questions import questions

ENGINES = pytest.mark.parametrize("engine", ["trigram", "scan"])
FEW = settings(max_examples=60, deadline=None)
WORDS = st.sampled_from(["ab", "abc", "xab", "c", "d", "й", "кот", "Ёж", "c++", "a b"])
FIELDS = st.lists(WORDS, max_size=3).map(" ".join)
SPREAD = st.tuples(
    st.lists(st.tuples(FIELDS, FIELDS, FIELDS, FIELDS), min_size=1, max_size=6),
    st.lists(
        st.sampled_from(["a", "b", "ab", "ё", "КО", "+", '"a b"', '"b c', "abc", "c++"]), min_size=1, max_size=3
    ).map(" ".join),
)
ANY = st.one_of(questions(), SPREAD)
ENDS = example(question=([("ab", "cd", "ef", "gh"), ("b", "d", "f", "h")], "b d h"))
PHRASE = example(question=([("ab cd", "x", "y", "ab\ncd"), ("ab", "cd", "", "")], '"ab cd"'))
STRANGE = example(question=([("a\ufffeb", "x", "", "y"), ("x", "\ufffd", "", "a\ufffdb")], "a\uffffb"))
PAIR = example(question=([("a\ufffeb", "x", "", "y")], "a\ufffe"))


def pages_of(found):
    """Text by slug, title by slug."""
    slugs = [f"{n}{line(slug)}".replace("/", "") for n, (slug, *_) in enumerate(found)]
    texts = {slug: body(text) for slug, (*_, text) in zip(slugs, found, strict=True)}
    return texts, {slug: title for slug, (_, title, *_) in zip(slugs, found, strict=True)}


def scanned(texts, titles, query):
    """The slugs of the pages that a plain scan finds."""
    terms = parse_query(query)
    return {slug for slug, text in texts.items() if matches([fold(slug), fold(line(titles[slug])), fold(text)], terms)}


@ENGINES
@FEW
@given(question=ANY)
@ENDS
@PHRASE
@STRANGE
@PAIR
def test_every_question_to_wikis_finds_the_pages_of_a_plain_scan(tmp_path_factory, engine, question):
    found, query = question
    texts, titles = pages_of(found)
    wiki = Project(repository="h/o/p", pages=texts, titles=titles)
    expected = scanned(texts, titles, query)

    with open_projects(tmp_path_factory.mktemp("c"), wiki, engine=engine) as catalog:
        everywhere = knowledge.search_pages(catalog, query, limit=100)
        (reply,) = wikis.ask_projects(catalog, query, ["p"], limit=100)
        known = [(row.project.name, row.pages) for row in wikis.who_knows(catalog, query).rows]

    assert ({hit.page.slug for hit in everywhere.rows}, everywhere.total) == (expected, len(expected))
    assert ({hit.page.slug for hit in reply.matches}, reply.total) == (expected, len(expected))
    assert known == [("p", len(expected))][: len(expected)]


@ENGINES
@FEW
@given(question=ANY)
@ENDS
@PHRASE
@STRANGE
@PAIR
def test_the_shared_wiki_gives_the_pages_of_a_plain_scan(tmp_path_factory, engine, question):
    found, query = question
    texts, titles = pages_of([("always", "x", "", "x"), *found])
    wiki = Project(repository="h/o/w", shared_pages=texts, titles=titles)
    expected = scanned(texts, titles, query)

    with open_projects(tmp_path_factory.mktemp("c"), wiki, engine=engine) as catalog:
        hits = shared.search_shared(catalog, query, limit=100)

    assert ({hit.page.slug for hit in hits.found.rows}, hits.found.total) == (expected, len(expected))


@ENGINES
@FEW
@given(question=ANY)
@ENDS
@PHRASE
@STRANGE
@PAIR
def test_the_boards_give_the_tasks_of_a_plain_scan(tmp_path_factory, engine, question):
    found, query = question
    own = [line(text, 1_000) for *_, text in found]
    items = tuple(item(f"{n}{slug}", title, n, next=then) for n, (slug, title, then, _) in enumerate(found, 1))
    fields = [
        [line(one.slug), line(one.title), line(one.next or ""), text] for one, text in zip(items, own, strict=True)
    ]
    expected = {task[0] for task in fields if matches(list(map(fold, task)), parse_query(query))}

    with open_projects(
        tmp_path_factory.mktemp("c"), Project(repository="h/o/p", board="\n".join(own), items=items), engine=engine
    ) as catalog:
        hits = tasks.search(catalog, query, limit=100)

    assert ({hit.task.slug for hit in hits.rows}, hits.total) == (expected, len(expected))
