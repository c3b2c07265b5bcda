"""What the first page, health and the header tell only with scripts, in Chromium."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pipeline import files, freshness, news
from pipeline.model import RepositoryId, RepositoryReading
from pipeline.news import News, Piece
from tests.browser.conftest import Open
from tests.browser.sites import Built, good_look
from tests.fakes.report_samples import NOW, Repository, task

API = Repository(id="forge/ann/api", board="parsed", items=[task("login", "blocked", title="Limit logins")])
TURN = Piece(
    kind="status", project="ann/api", what="<b>Limit</b>", href="p/forge/ann/api.html", before="todo", after="blocked"
)


@pytest.fixture
def built(site_files: Callable[..., Built]) -> Callable[..., Built]:
    """A report with news of a version beside it, and a repository that is behind."""

    def make(told: News) -> Built:
        found = site_files(API, Repository(id="forge/ann/down", state="unreachable", reason="HTTP 503"))
        behind = RepositoryReading(repository=RepositoryId("forge/ann/down"), good_at=NOW)
        reading = replace(good_look(), repositories=(behind,))
        files.write_atomic(found.build / "news.js", news.render_news(told))
        files.write_atomic(found.build / "looks.js", freshness.render_looks(reading))
        return found

    return make


def test_the_news_of_this_version_are_shown_as_text(opened: Open, built: Callable[..., Built]):
    page = opened(built(News(before=4, version=1, total=1, pieces=(TURN,)))).open("index.html")

    assert page.locator("#news li").inner_text().split("\n") == ["<b>Limit</b>", "task: To do → Blocked · ann/api"]
    assert "Version 1 against version 4: 1 changes." in page.locator("#news").inner_text()


def test_the_news_of_another_version_are_not_shown(opened: Open, built: Callable[..., Built]):
    page = opened(built(News(before=4, version=5, total=1, pieces=(TURN,)))).open("index.html")

    page.wait_for_function("window.PROJECTS_META_NEWS")
    assert page.locator("#news").inner_text().split("\n\n") == ["Changed since the last version", "All changes by day"]


def test_of_many_news_ten_are_shown_and_the_rest_on_demand(opened: Open, built: Callable[..., Built]):
    page = opened(built(News(before=4, version=1, total=60, pieces=(TURN,) * 50))).open("index.html")

    assert page.locator("#news > ol > li").count() == 10
    assert page.locator("#news summary").inner_text() == "40 more"


def test_a_repository_that_is_behind_says_when_it_was_read_last(opened: Open, built: Callable[..., Built]):
    page = opened(built(news.nothing(1))).open("health.html")

    assert page.locator("[data-looked]").inner_text() == "Last good look: 2026-11-30, 24 hours ago."


def test_health_says_when_a_source_was_looked_at(opened: Open, example: Built):
    row = opened(example).open("health.html").locator("#of-sources tbody tr")

    assert row.locator("td").nth(3).inner_text() == "2026-12-01, 30 minutes ago"
    assert row.locator("td").nth(4).inner_text() == "files were read: 13"


def test_the_search_box_of_a_page_leads_to_the_search_with_what_was_typed(opened: Open, example: Built):
    page = opened(example).open("p/example/garden/shop.html")

    page.locator("#search").fill("спрос & co")
    page.locator("#search").press("Enter")

    page.wait_for_url("**/search.html#q=%D1%81%D0%BF%D1%80%D0%BE%D1%81%20%26%20co*")
