"""The search page: it finds what the catalog finds, says what it does, and is led by the keyboard."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks import corpus
from pipeline import catalog, files
from pipeline.catalog import Catalog, knowledge, tasks
from pipeline.layout import Layout
from pipeline.report import site
from pipeline.search import parse_query
from pipeline.text import fold
from tests.browser import chromium, sites
from tests.browser.conftest import Open
from tests.browser.sites import Built
from tests.fakes.catalogs import Project, item, open_projects

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "fold_vectors.json").read_text(encoding="utf-8"))
FIND = """async ([query, most]) => {
    const [found, index] = [await PM.search.find(PM.search.parse(query)), await PM.search.index()];
    const kinds = Object.groupBy(found.numbers, (number) => index.kind[number]);
    const name = async (number) => [index.projects[index.project[number]].id, (await PM.search.text(number)).fields[0]];
    const told = async (numbers = []) => [numbers.length, await Promise.all(numbers.slice(0, most).map(name))];
    return { capped: found.capped, wiki: await told(kinds.wiki), task: await told(kinds.task) };
}"""
FOLDS = """() => Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code))
    .map((letter) => [letter, PM.fold(letter)]).filter(([letter, fold]) => letter !== fold)"""
LETTERS = 700
SHOWN = 25
BOARD = Project(
    repository="forge.example/team/board",
    board="## TASK-00123\nПолёт начат\n## TASK-00124\nthe svc_00123 is due\n",
    items=(item("TASK-00123", "Fly", 1, end_line=2), item("TASK-00124", "Land", 3, end_line=4, next="ask the tower")),
    pages={"long": f"data:{'x' * 200}needle{'y' * 200} {'漢字' * 120}。\n\n# Same text\n"},
)
MIXED = (
    "breed", "слатьгрык", "reed", "атьгр", "зенлюв", "ЗЁНЛЮВ", "TASK-00123", "полет", "c++", "svc_00",
    "concepts/42", "fly начат", "dret drel", '"dret drel"', "user@host", "f(x)", "зёнлюв трус", "nowhere-at-all",
    "xneedle", "字漢", '"漢字。 "', '"字。\n\n# same"',
)  # fmt: skip
EXAMPLE = ("pump", "насос", "план", "ЁЛКА", "W-003", "status:", '"the pump"', "valve open", "c", "->", "ship label")


@dataclass(frozen=True)
class Both:
    """A report open at its search page, and the catalog it was made of."""

    page: Page
    catalog: Catalog

    def shown(self, query: str) -> Any:
        return self.page.evaluate(FIND, [query, SHOWN])

    def told(self, query: str) -> Any:
        """As `shown`, by the catalog."""
        pages = knowledge.search_pages(self.catalog, query, limit=SHOWN)
        works = tasks.search(self.catalog, query, limit=SHOWN)
        return {
            "capped": False,
            "wiki": [pages.total, [[one.page.project, one.page.slug] for one in pages.rows]],
            "task": [works.total, [[one.task.project, one.task.slug] for one in works.rows]],
        }


@pytest.fixture(scope="module")
def large(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """5,000 pages, and a board."""
    folder = tmp_path_factory.mktemp("large")
    short = [
        replace(one, pages={slug: (text or "")[:LETTERS] for slug, text in one.pages.items()})
        for one in corpus.projects(5_000)
    ]
    built = Built(folder / "build")
    with ExitStack() as stack:
        opened = stack.enter_context(open_projects(folder / "catalog", BOARD, *short, engine="scan"))
        for path, _, content in site.render_site(opened, "en", has_pages=False):
            files.write_atomic(built.report / path, content or b"")
        reader = stack.enter_context(chromium.reading(browser, built.report, built.build))
        yield Both(reader.open("search.html"), opened)


@pytest.fixture(scope="module")
def small(browser: Browser, example: Built) -> Iterator[Both]:
    """The bundled example."""
    with (
        catalog.open_published(Layout(example.build), sites.LOOKED) as opened,
        chromium.reading(browser, example.report, example.build) as reader,
    ):
        yield Both(reader.open("search.html"), opened)


@pytest.mark.parametrize("query", MIXED)
def test_among_five_thousand_pages_the_page_finds_what_the_catalog_finds_in_its_order(large: Both, query: str):
    assert large.shown(query) == large.told(query)


@pytest.mark.parametrize("query", EXAMPLE)
def test_in_the_example_the_page_finds_what_the_catalog_finds_in_its_order(small: Both, query: str):
    assert small.shown(query) == small.told(query)


def test_a_query_for_nearly_every_word_says_that_there_may_be_more(large: Both):
    assert large.shown("e")["capped"] is True


def test_texts_are_folded_as_the_shared_table_says(small: Both):
    texts = [vector["text"] for vector in VECTORS["folds"]]

    assert small.page.evaluate("(texts) => texts.map(PM.fold)", texts) == [one["folded"] for one in VECTORS["folds"]]


def test_every_letter_that_both_know_is_folded_as_in_the_catalog(small: Both):
    folds = {letter: fold(letter) for letter in map(chr, range(0x3_0000)) if category(letter) not in ("Cn", "Cs")}

    found = dict(small.page.evaluate(FOLDS))

    assert {letter: found.get(letter, letter) for letter in folds} == folds


def test_queries_are_read_as_the_shared_table_says(small: Both):
    queries = [vector["query"] for vector in VECTORS["queries"]]

    found = small.page.evaluate("(queries) => queries.map(PM.search.parse)", queries)

    assert found == [vector["terms"] or [] for vector in VECTORS["queries"]]


def test_snippets_are_those_of_the_shared_table(small: Both):
    asked = [[one["text"], parse_query(one["query"]), one["width"]] for one in VECTORS["snippets"]]

    found = small.page.evaluate("(asked) => asked.map((one) => PM.search.snippet(...one))", asked)

    assert found == [one["snippet"] for one in VECTORS["snippets"]]


def test_marks_stand_around_every_match_as_it_is_written(small: Both):
    found = small.page.evaluate("() => PM.search.marked('Ёлка, straße: ЕЛКА', ['елка', 'strasse'])")

    assert found == [["Ёлка", True], [", ", False], ["straße", True], [": ", False], ["ЕЛКА", True]]


def results(page: Page) -> list[str]:
    """The titles of the results that are shown, once there are some."""
    expect(page.locator("#hits .name").first).to_be_visible()
    return page.locator("#hits .name").all_inner_texts()


def test_an_address_holds_the_question_and_its_choices(opened: Open, example: Built):
    page = opened(example).open("search.html#q=pump&kind=task")

    assert "Replace the pump" not in results(page)
    expect(page.locator("#kinds [aria-pressed=true]")).to_contain_text("Task")
    expect(page.locator("#told")).to_contain_text("result")


def test_typing_shows_results_and_keeps_the_question_in_the_address(opened: Open, example: Built):
    page = opened(example).open("search.html")

    page.keyboard.type("pump")

    assert results(page)
    assert page.url.endswith("#q=pump")
    assert "pump" in page.locator("#hits mark").first.inner_text().lower()


def test_arrows_walk_the_results_enter_opens_and_escape_leads_back(opened: Open, example: Built):
    page = opened(example).open("search.html#q=pump")
    first, second, *_ = results(page)

    page.locator("#search").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent") == second
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.textContent") == first
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Escape")
    expect(page.locator("#tips")).to_be_visible()


def test_a_result_leads_to_its_task(opened: Open, example: Built):
    page = opened(example).open("search.html#q=pump&kind=task")
    results(page)

    page.locator("#hits .name").first.click()

    page.wait_for_url("**/p/**.html#t-**")


def test_a_choice_narrows_and_is_taken_back_by_itself(opened: Open, example: Built):
    page = opened(example).open("search.html#q=pump")
    before = len(results(page))

    page.locator("#kinds button").first.click()
    expect(page.locator("#hits > li")).not_to_have_count(before)
    page.locator("#kinds [aria-pressed=true]").click()
    expect(page.locator("#hits > li")).to_have_count(before)


def test_the_box_in_the_header_leads_to_the_search_page(opened: Open, example: Built):
    page = opened(example).open("index.html")

    page.keyboard.type("/")
    page.keyboard.type("pump")
    page.keyboard.press("Enter")

    page.wait_for_url("**/search.html#q=pump")
    assert results(page)


def test_without_a_match_it_says_so_and_shows_the_tips(opened: Open, example: Built):
    page = opened(example).open("search.html#q=nowhere-at-all")

    expect(page.locator("#told")).to_contain_text("Nothing found")
    expect(page.locator("#tips")).to_be_visible()


def test_a_piece_of_the_index_that_is_gone_asks_to_reload(browser: Browser, example: Built, tmp_path: Path):
    shutil.copytree(example.report, tmp_path / "report")
    for path in (tmp_path / "report" / "a" / "s").glob("s-*.js"):
        path.unlink()

    with chromium.reading(browser, tmp_path / "report", tmp_path) as reader:
        page = reader.open("search.html#q=pump")
        expect(page.locator("#told")).to_contain_text("was rebuilt")
        expect(page.locator("#told button")).to_have_text("Reload")


def test_without_scripts_it_leads_to_the_lists(opened: Open, example: Built):
    page = opened(example, java_script_enabled=False).open("search.html")

    expect(page.get_by_text("Search needs scripts")).to_be_visible()
    expect(page.locator("#query")).to_be_hidden()


def test_in_russian_results_are_counted_as_russian_counts(opened: Open, example_ru: Built):
    page = opened(example_ru).open("search.html#q=план&kind=wiki")

    expect(page.locator("#told")).to_have_text("1 результат.")
