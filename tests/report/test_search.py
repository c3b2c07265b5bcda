"""The search index of the report: it finds what the catalog finds, and is kept up to date piece by piece."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipeline import messages
from pipeline.catalog import Catalog, knowledge, shared, tasks
from pipeline.catalog.survey import stamps
from pipeline.report import rows, search
from pipeline.report.page import File, Site, Standing
from pipeline.report.search_texts import Text, letters, runs
from pipeline.text import body, line
from tests.fakes.catalogs import NOW, Project, item, open_projects
from tests.fakes.questions import questions
from tests.fakes.search_reader import SearchReader

Files = dict[str, bytes]
MOST = 1_000
NOTHING = Standing()

API = Project(
    repository="forge/ann/api",
    board="## fly\nПолёт начат\n## land\nlater",
    items=(item("fly", "Fly now", 1, end_line=2), item("land", "Land", 3, end_line=4, next="ask the tower")),
    pages={"deploy": "# Deploy\n\nThe server\nis redeployed by hand.\n", "c": "use c++ and `f(x)`\n\n## Due date\n"},
    titles={"deploy": "How to deploy"},
)
WEB = Project(
    repository="forge/bob/web",
    pages={"deploy": "Deploy the web: see полет.\n", "план": "перепланировщик\n"},
    committed_at=NOW.replace(year=2025),
)
SHARED = Project(repository="forge/ann/shared", shared_pages={"git/hooks": "# Hooks\n\nDeploy by a hook.\n"})


WORDS = messages.load("en")


def part_of(catalog: Catalog, standing: Standing = NOTHING, *, has_pages: bool = True) -> list[File]:
    """The search index as the report makes it."""
    known = stamps(catalog)
    lists = rows.lists(catalog, known)
    site = Site(
        catalog=catalog,
        words=WORDS,
        stamps=known,
        lists=lists,
        survey=rows.survey(catalog, known, lists),
        has_pages=has_pages,
        standing=standing,
    )
    return [entry for entry in search.pages(site) if isinstance(entry, File)]


def made(catalog: Catalog, standing: Standing = NOTHING) -> set[str]:
    """The files that are made anew."""
    return {entry.path for entry in part_of(catalog, standing) if standing.marks.get(entry.path) != entry.mark}


def index_of(catalog: Catalog, standing: Standing = NOTHING) -> Files:
    """Every file of the index; those that stand and are right are read."""
    return {
        entry.path: entry.content() if standing.marks.get(entry.path) != entry.mark else read(standing, entry.path)
        for entry in part_of(catalog, standing)
    }


def read(standing: Standing, path: str) -> bytes:
    assert standing.read is not None
    return standing.read(path)


def standing_of(catalog: Catalog, before: Standing = NOTHING) -> Standing:
    """The report after it was made of a catalog."""
    marks = {entry.path: str(entry.mark) for entry in part_of(catalog, before)}
    return Standing(marks, index_of(catalog, before).__getitem__)


@pytest.fixture
def catalog_of(tmp_path: Path) -> Iterator[Callable[..., Catalog]]:
    """The catalogs of some projects, each in a folder of its own."""
    opened: list[Catalog] = []

    def make(*projects: Project) -> Catalog:
        opened.append(open_projects(tmp_path / str(len(opened)), *projects, engine="scan"))
        return opened[-1]

    yield make
    for one in opened:
        one.store.connection.close()


@pytest.fixture
def reader(catalog_of: Callable[..., Catalog]) -> SearchReader:
    """The index of the three projects above."""
    return SearchReader(index_of(catalog_of(API, WEB, SHARED)))


@pytest.mark.parametrize(
    ("query", "kind", "slugs"),
    [
        ("DEPLOY", "wiki", ["deploy", "deploy"]),
        ("план", "wiki", ["план"]),
        ("полёт", "wiki", ["deploy"]),
        ("полет", "task", ["fly"]),
        ("c++", "wiki", ["c"]),
        ('"due date"', "wiki", ["c"]),
        ('"server\nis"', "wiki", ["deploy"]),
        ('"server is"', "wiki", []),
        ("tower", "task", ["land"]),
        ("hook", "shared", ["git/hooks"]),
        ("bob/w", "project", ["forge/bob/web"]),
        ("server tower", "wiki", []),
    ],
)
def test_a_text_is_found_by_any_part_of_its_words(
    reader: SearchReader, query: str, kind: str, slugs: Sequence[str]
) -> None:
    assert [slug for _, _, slug in reader.find(query, kind)] == slugs


def test_the_best_comes_first_and_then_what_changed_last(reader: SearchReader) -> None:
    found = [project for project, _, _ in reader.find("deploy", "wiki")]

    assert found == ["forge/ann/api", "forge/bob/web"]


def test_a_result_leads_to_the_page_or_to_the_task_on_its_project(reader: SearchReader) -> None:
    hrefs = {text.fields[0]: text.href for text in reader.texts.values()}

    assert (hrefs["fly"], hrefs["c"], hrefs["git/hooks"]) == (
        "p/forge/ann/api.html#t-fly",
        "w/forge/ann/api/c.html",
        "w/forge/ann/shared/git/hooks.html",
    )


def test_two_tasks_of_one_slug_lead_to_the_anchors_of_their_own(catalog_of: Callable[..., Catalog]) -> None:
    twice = replace(API, items=(item("fly", "Later", 3, end_line=4), item("fly", "First", 1, end_line=2)))

    reader = SearchReader(index_of(catalog_of(twice)))

    hrefs = {text.fields[1]: text.href for text in reader.texts.values() if text.kind == "task"}
    assert hrefs == {"First": "p/forge/ann/api.html#t-fly", "Later": "p/forge/ann/api.html#t-fly-3"}


def test_a_run_of_letters_that_is_too_long_for_a_word_is_looked_through(catalog_of: Callable[..., Catalog]) -> None:
    long = Project(repository="forge/ann/long", pages={"a": f"data:{'x' * 200}needle{'y' * 200}\n"})

    reader = SearchReader(index_of(catalog_of(long)))

    assert reader.find("needle", "wiki") == [("forge/ann/long", "wiki", "a")]
    assert max(len(word) for word, _ in reader.words) <= 200


def test_a_run_of_letters_counts_where_it_stands_first() -> None:
    text = Text(1, "wiki", "", "", "", ("deploy", "The server", "# Server by hand\ndeploy by night"))

    assert runs(text) == {"deploy": 0, "the": 1, "server": 1, "#": 2, "by": 2, "hand": 2, "night": 3}


def test_long_runs_are_told_apart_by_the_letters_that_are_looked_for_in_them() -> None:
    assert list(map(letters, ["data:a1", "план", "漢", "a漢", "--"])) == [3, 4, 8, 9, 0]


def in_catalog(catalog: Catalog, query: str, kind: str) -> list[tuple[str, str, str]]:
    if kind == "task":
        return [(one.task.project, kind, one.task.slug) for one in tasks.search(catalog, query, limit=MOST).rows]
    if kind == "wiki":
        pages = knowledge.search_pages(catalog, query, limit=MOST).rows
        return [(one.page.project, kind, one.page.slug) for one in pages]
    found = shared.search_shared(catalog, query, limit=MOST).found.rows
    return [(one.page.project, kind, one.page.slug) for one in found]


def project_of(name: str, texts: Sequence[tuple[str, str, str, str]], *, is_shared: bool = False) -> Project:
    """Every text as a task and as a page, and as a page of the shared wiki if it is that."""
    items = tuple(item(slug, title, n, next=then) for n, (slug, title, then, _) in enumerate(texts, 1))
    pages = {f"page-{n}": body(text) for n, (*_, text) in enumerate(texts)}
    return Project(
        repository=f"forge/ann/{name}",
        board="\n".join(line(text, MOST) for *_, text in texts),
        items=items,
        pages=pages,
        titles={slug: title for slug, (_, title, _, _) in zip(pages, texts, strict=True)},
        shared_pages=pages if is_shared else {},
    )


@settings(max_examples=60)
@given(question=questions(), kind=st.sampled_from(["task", "wiki", "shared"]))
@example(question=([("İstanbul", "straße", "ﬁx", "# Ёлка")], "STRASSE елка FIX i̇s"), kind="task")
@example(question=([("", "", "", "# ab\n\n# cd")], '"ab\n# cd"'), kind="wiki")
@example(question=([("ab", "", "xab", ""), ("", "ab", "", "a b"), ("ba", "", "abc", "b a")], "ab"), kind="task")
@example(question=([("", "x", "", "漢" * 250)], "漢"), kind="shared")
def test_the_index_finds_what_the_catalog_finds_in_the_same_order(
    question: tuple[list[tuple[str, str, str, str]], str], kind: str
) -> None:
    texts, query = question
    with tempfile.TemporaryDirectory() as folder:
        both = project_of("one", texts), project_of("two", texts[::-1], is_shared=True)
        with open_projects(Path(folder), *both, engine="scan") as catalog:
            found = SearchReader(index_of(catalog)).find(query, kind)
            assert found == in_catalog(catalog, query, kind)


def test_without_a_change_nothing_of_the_index_is_made(catalog_of: Callable[..., Catalog]) -> None:
    catalog = catalog_of(API, WEB)

    assert made(catalog, standing_of(catalog)) == set()


def test_one_word_changed_makes_the_files_anew_that_have_it(catalog_of: Callable[..., Catalog]) -> None:
    many = {f"page-{number}": " ".join(f"word{number}-{n}" for n in range(150)) for number in range(20)}
    before = standing_of(catalog_of(replace(WEB, pages=many)))
    after = catalog_of(replace(WEB, pages={**many, "page-7": f"{many['page-7']} another"}))

    kinds = Counter(path.removeprefix("a/s/")[0] for path in made(after, before))

    assert (kinds["t"], kinds["s"] <= 2, kinds["v"] <= 2, kinds["a"]) == (1, True, True, 1)


def test_a_text_that_did_not_change_is_not_read_again(catalog_of: Callable[..., Catalog], tmp_path: Path) -> None:
    changed = replace(API, pages={**API.pages, "c": "another\n"})
    before = standing_of(catalog_of(API))
    after = catalog_of(changed)
    (tmp_path / "1" / changed.id / changed.digest / "wiki" / "deploy.md").unlink()

    assert SearchReader(index_of(after, before)).find("redeployed", "wiki") == [("forge/ann/api", "wiki", "deploy")]


words = st.sampled_from(["alpha", "beta", "гамма", "план", "x" * 201, "ё", "# head"])
written = st.lists(words, max_size=4).map("\n".join)
wikis = st.dictionaries(st.sampled_from("abcdefgh"), written, max_size=6)
histories = st.lists(st.tuples(wikis, wikis), min_size=2, max_size=4)


@settings(max_examples=30)
@given(history=histories)
def test_an_index_that_was_kept_up_to_date_is_the_same_as_a_new_one(
    history: list[tuple[dict[str, str], dict[str, str]]],
) -> None:
    standing = NOTHING
    for wiki, other in history:
        projects = [replace(API, pages=wiki), replace(WEB, pages=other)][: 1 + bool(other)]
        with (
            tempfile.TemporaryDirectory() as folder,
            open_projects(Path(folder), *projects, engine="scan") as catalog,
        ):
            assert index_of(catalog, standing) == index_of(catalog)
            standing = standing_of(catalog, standing)


@pytest.mark.parametrize("kind", ["t", "s", "v"])
def test_a_file_of_the_index_that_was_lost_is_made_anew(catalog_of: Callable[..., Catalog], kind: str) -> None:
    catalog = catalog_of(API, WEB)
    whole = standing_of(catalog)
    lost = {path for path in whole.marks if path.startswith(f"a/s/{kind}-")}
    rest = {path: mark for path, mark in whole.marks.items() if path not in lost}

    assert lost <= made(catalog, Standing(rest, whole.read))


def test_a_report_without_wiki_pages_leads_from_a_result_to_the_project(catalog_of: Callable[..., Catalog]) -> None:
    files = {entry.path: entry.content() for entry in part_of(catalog_of(WEB), has_pages=False)}

    assert {text.href for text in SearchReader(files).texts.values()} == {"p/forge/bob/web.html"}


def test_a_repository_that_is_gone_leaves_nothing_in_the_index(catalog_of: Callable[..., Catalog]) -> None:
    before = standing_of(catalog_of(API, WEB))

    after = index_of(catalog_of(API), before)

    assert not any("перепланировщик".encode() in content for content in after.values())
