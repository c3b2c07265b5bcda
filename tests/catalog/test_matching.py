"""The catalog finds exactly what a plain scan with `fold` finds, by index and by scan."""

import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline.catalog import Catalog, Store
from pipeline.catalog.ages import looks
from pipeline.catalog.matching import Scope, Searched
from pipeline.index_schema import PAGE_TEXTS, TASK_TEXTS
from pipeline.index_texts import Texts
from pipeline.search import matches, parse_query, rank
from pipeline.text import body, fold, line
from tests.fakes.catalogs import NOW, Project, create, item, reading, update
from tests.fakes.questions import questions


def project(found: Sequence[tuple[str, str, str, str]]) -> Project:
    """Every text as a task and as a page; a task's own text is one line of the board."""
    items = tuple(item(slug, title, n, next=then) for n, (slug, title, then, _) in enumerate(found, 1))
    board = "\n".join(line(text, 1_000) for *_, text in found)
    pages = {f"{n}{line(slug)}": body(text) for n, (slug, _, _, text) in enumerate(found)}
    titles = {f"{n}{line(slug)}": title for n, (slug, title, _, _) in enumerate(found)}
    return Project(repository="h/o/p", board=board, items=items, pages=pages, titles=titles)


def in_memory(sample: Project, engine: str) -> Catalog:
    connection = create(":memory:", [sample], "trigram" if engine == "trigram" else "scan")
    store = Store(
        connection=connection,
        lock=threading.Lock(),
        project_folder=lambda *_: Path(),
        version=1,
        engine="trigram" if engine == "trigram" else "scan",
        shared_wiki=None,
    )
    return Catalog(store=store, reading=None, looks=looks(reading(), NOW))


EVERYWHERE = Scope(conditions=("true",), parameters={})


def searched(catalog: Catalog, texts: Texts, terms: tuple[str, ...]) -> Searched:
    return Searched(catalog=catalog, texts=texts, classes=(0, 0, 1, 2), terms=terms)


def positions(search: Searched) -> list[int]:
    found = search.find(EVERYWHERE)
    return sorted(one.position for one in search.best(found, max(1, len(found)), 0))


def scanned_tasks(sample: Project, terms: tuple[str, ...]) -> list[int]:
    lines = (sample.board or "").split("\n")
    fields = [(one.slug, one.title, one.next or "", own) for one, own in zip(sample.items, lines, strict=True)]
    return [n for n, (*short, own) in enumerate(fields) if matches([*map(fold, map(line, short)), fold(own)], terms)]


def scanned_pages(sample: Project, terms: tuple[str, ...]) -> list[int]:
    fields = [(line(slug), line(sample.titles[slug]), text or "") for slug, text in sample.pages.items()]
    return [n for n, page in enumerate(fields) if matches([fold(field) for field in page], terms)]


@pytest.mark.parametrize("engine", ["trigram", "scan"])
@settings(max_examples=150, deadline=None)
@given(question=questions())
@example(question=([("İstanbul", "straße", "ﬁx", "ёлка")], "STRASSE елка FIX i̇s"))
@example(question=([("a", "Σίσυφος", "и\u0306од", "🙂")], "σίσυφοσ йод 🙂"))
@example(question=([('100%_*"x"', "", "", "")], '%_*"x"'))
@example(question=([("ab", "cd", "", "")], "abcd"))
@example(question=([("ab", "", "xab", ""), ("", "ab", "", "a b"), ("ba", "", "ab\U0010ffff", "b a")], "ab"))
@example(question=([("", "", "", "xab"), ("", "", "", "ab"), ("", "", "", "a")], "a ab"))
@example(question=([("", "", "", "# ab\n\n# cd")], '"ab\n# cd"'))
@example(question=([("", "", "", "# ab\n# cd")], '"ab\n# cd"'))
@example(question=([("ab", "cd", "ef", "gh")], "b d f h"))
@example(question=([("ab", "cd", "ef", "gh")], "ab cd ef gh"))
@example(question=([("a\ufffeb", "c\ufffd", "", "")], "a\uffffb"))
@example(question=([("a\ufffeb", "c\ufffd", "", "")], "\ufffeb"))
def test_the_catalog_finds_what_a_plain_scan_finds(engine, question):
    found, query = question
    sample = project(found)
    terms = parse_query(query)

    with in_memory(sample, engine) as catalog:
        tasks = positions(searched(catalog, TASK_TEXTS, terms))
        pages = positions(searched(catalog, PAGE_TEXTS, terms))

    assert tasks == scanned_tasks(sample, terms)
    assert pages == scanned_pages(sample, terms)


# False candidates of the trigrams, words in words, words that no list has, and signs.
PIECES = ["ab", "abc", "xab", "ab c", "c", "abcd", "xabcde", "abc bcd", "漢abcd", "abcd" * 11, "c++", "+ -"]
WORDS = st.lists(st.sampled_from(PIECES), max_size=3).map(" ".join)
TERMS = st.sampled_from(["ab", "abc", "b", "c", "abcd", "bcde", "+", "c+", "b c", "漢ab", "c++"])


@pytest.mark.parametrize("engine", ["trigram", "scan"])
@settings(max_examples=100, deadline=None)
@given(
    found=st.lists(st.tuples(WORDS, WORDS, WORDS, WORDS), min_size=1, max_size=90),
    terms=st.lists(TERMS, min_size=1, max_size=3, unique=True).map(tuple),
    limit=st.integers(1, 20),
    offset=st.integers(0, 60),
)
@example(found=[("", "", "", "abc bcd")] * 65 + [("", "", "", "x abcd")], terms=("abcd",), limit=9, offset=0)
@example(found=[("", "", "", "漢abcd")] * 65 + [("", "", "", "abc bcd")], terms=("abcd",), limit=9, offset=60)
@example(found=[("", "", "", "xc+")] * 70 + [("", "", "", "c+ ")], terms=("c+",), limit=1, offset=0)
@example(found=[("ab", "", "", "c"), ("ab c", "", "", "")], terms=("ab", "c"), limit=2, offset=0)
@example(found=[("", "", "", "c +")] * 3 + [("", "", "", "c++")], terms=("c", "c+"), limit=9, offset=0)
def test_every_slice_is_in_the_order_of_ranks_then_of_places(engine, found, terms, limit, offset):
    sample = project(found)
    ranked = [
        (rank(list(map(fold, map(line, fields))), (0, 0, 1, 2), terms), n)
        for n, fields in enumerate(found)
        if matches(list(map(fold, map(line, fields))), terms)
    ]

    with in_memory(sample, engine) as catalog:
        search = searched(catalog, TASK_TEXTS, terms)
        shown = search.best(search.find(EVERYWHERE), limit, offset)

    assert [one.position for one in shown] == [n for _, n in sorted(ranked)][offset : offset + limit]


def test_rows_that_were_written_anew_are_found_where_they_stand_now():
    old, new = (Project(repository=f"h/o/{name}", pages={"p": "abcd"}) for name in ("a", "b"))
    with in_memory(old, "trigram") as catalog:
        update(catalog.store.connection, (old, new))
        update(catalog.store.connection, (Project(repository="h/o/a", pages={"p": "abcd", "q": "x"}), new))
        search = searched(catalog, PAGE_TEXTS, ("bcd",))
        shown = search.best(search.find(EVERYWHERE), 9, 0)

    assert [(one.repository, one.position, one.matched_in) for one in shown] == [
        ("h/o/a", 0, "body"),
        ("h/o/b", 0, "body"),
    ]


def test_whole_words_far_down_the_list_come_before_parts_at_its_top():
    sample = project([("", "", "", "an ab" if n in (3, 100, 199) else "xab") for n in range(200)])

    with in_memory(sample, "trigram") as catalog:
        search = searched(catalog, PAGE_TEXTS, ("ab",))
        shown = search.best(search.find(EVERYWHERE), limit=3, offset=1)

    assert [one.position for one in shown] == [100, 199, 0]


def test_the_last_of_many_alike_is_judged_like_the_others():
    sample = project([*[("words", "", "", "")] * 63, ("word", "", "", ""), ("words", "", "", "")])

    with in_memory(sample, "trigram") as catalog:
        search = searched(catalog, TASK_TEXTS, ("word",))
        shown = search.best(search.find(EVERYWHERE), 3, 0)

    assert [one.position for one in shown] == [63, 0, 1]


@pytest.mark.parametrize("count", [1_900, 2_100])
def test_two_letters_may_begin_very_many_trigrams(count):
    letters = "ab".join(chr(0x4E00 + number) for number in range(count))
    sample = project([("", "", "", letters), ("xab", "", "", ""), ("", "", "", "")])

    with in_memory(sample, "trigram") as catalog:
        found = positions(searched(catalog, PAGE_TEXTS, ("ab",)))

    assert found == [0, 1]


def test_the_index_proposes_texts_and_is_asked_first(tmp_path):
    with closing(create(tmp_path / "c.sqlite", [project([("a", "b", "c", "d")])])) as connection:
        plan = connection.execute(
            """explain query plan select t.position from task_texts t
            cross join projects p on p.repository = t.repository
            where t.id in (select rowid from task_search where task_search match '"abc"')
            order by p.committed_at, t.repository"""
        ).fetchall()

    assert "t USING INTEGER PRIMARY KEY" in str(plan[0])
