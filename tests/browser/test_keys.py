"""The keyboard: single keys lead through the report, and stay out of the way of a person who writes."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Open
from tests.browser.sites import Built


def focused(page: Page) -> str:
    """The text of what has the focus."""
    text: str = page.evaluate("document.activeElement.textContent.trim()")
    return text


@pytest.mark.parametrize(
    ("keys", "place"), [("gp", "projects.html"), ("gt", "tasks.html"), ("gh", "health.html"), ("go", "index.html")]
)
def test_two_keys_go_to_a_page(opened: Open, example: Built, keys: str, place: str):
    page = opened(example).open("health.html")

    page.keyboard.type(keys)

    page.wait_for_url(f"**/report/{place}")


def test_j_and_k_walk_the_rows_and_o_opens_one(opened: Open, example: Built):
    page = opened(example).open("health.html")
    links = page.locator("main .row a:visible, main tbody a:visible").all_inner_texts()

    page.keyboard.type("jjk")
    assert focused(page) == links[0].strip()
    page.keyboard.type("o")
    page.wait_for_url(lambda url: "health.html#" in url or "/p/" in url)


def test_a_russian_keyboard_has_the_same_keys(opened: Open, example: Built):
    page = opened(example).open("index.html")

    for key, code in (("п", "KeyG"), ("е", "KeyT")):
        page.evaluate("([key, code]) => dispatchEvent(new KeyboardEvent('keydown', { key, code }))", [key, code])

    page.wait_for_url("**/report/tasks.html")


def test_the_help_lists_the_keys_and_closes_by_escape(opened: Open, example: Built):
    page = opened(example).open("index.html")

    page.keyboard.type("?")
    assert "next row" in page.locator("dialog").inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_single_keys_can_be_turned_off_for_every_page(opened: Open, example: Built):
    reader = opened(example)
    page = reader.open("index.html")
    page.locator("#help").click()
    page.get_by_label("Use single keys").uncheck()

    page = reader.open("tasks.html")
    page.keyboard.type("gp?")

    assert page.locator("dialog").count() == 0
    assert page.url.endswith("tasks.html")


def test_t_changes_the_theme(opened: Open, example: Built):
    page = opened(example).open("index.html")

    page.keyboard.type("tt")

    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_key_with_a_modifier_is_the_browsers(opened: Open, example: Built):
    page = opened(example).open("index.html")

    page.keyboard.press("Control+Shift+?")
    page.keyboard.press("Alt+t")

    assert page.locator("dialog").count() == 0
    assert page.evaluate("document.documentElement.dataset.theme ?? null") is None


def test_a_date_has_its_age_beside_it(opened: Open, example: Built):
    page = opened(example, now="2031-12-01T10:00:00Z").open("projects.html")

    assert "5 years ago" in page.locator("main td .age").all_inner_texts()
