"""Every page of the example in Chromium: nothing is asked for, nothing is violated, nothing crashes."""

from tests.browser.conftest import Open
from tests.browser.sites import Built


def test_every_page_opens_without_an_error_a_violation_or_a_request_that_leaves(opened: Open, example: Built):
    reader = opened(example)

    assert [path for path in example.pages if not reader.open(path).locator("main#main h1").count()] == []


def test_the_overview_tells_how_old_the_look_is(opened: Open, example: Built):
    page = opened(example).open("index.html")

    assert "30 minutes ago" in page.locator("#freshness").inner_text()
