"""Every kind of page for those who see, move or read otherwise."""

import pytest

from tests.browser import looks
from tests.browser.conftest import Open
from tests.browser.sites import Built

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 800}
SMALLEST = {"width": 320, "height": 640}


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Open, axe: str, example: Built, viewport: dict[str, int], color_scheme: str):
    reader = opened(example, viewport=viewport, color_scheme=color_scheme)

    assert looks.violations(reader, axe, looks.kinds(example)) == []


def test_axe_finds_nothing_in_russian(opened: Open, axe: str, example_ru: Built):
    reader = opened(example_ru, viewport=NARROW)

    assert looks.violations(reader, axe, looks.kinds(example_ru)) == []


def test_axe_finds_nothing_in_forced_colours(opened: Open, axe: str, example: Built):
    reader = opened(example, forced_colors="active")

    assert looks.violations(reader, axe, looks.kinds(example)) == []


def test_nothing_is_wider_than_the_smallest_window(opened: Open, example: Built):
    reader = opened(example, viewport=SMALLEST)

    assert looks.asked(reader, looks.WIDER_THAN_THE_WINDOW, looks.kinds(example)) == []


def test_nothing_is_wider_than_the_smallest_window_in_russian(opened: Open, example_ru: Built):
    reader = opened(example_ru, viewport=SMALLEST)

    assert looks.asked(reader, looks.WIDER_THAN_THE_WINDOW, looks.kinds(example_ru)) == []


def test_nothing_moves_for_those_who_asked_for_that(opened: Open, example: Built):
    reader = opened(example, reduced_motion="reduce")

    assert looks.asked(reader, looks.MOVING, looks.kinds(example)) == []


def test_whatever_has_the_focus_shows_it(opened: Open, example: Built):
    reader = opened(example)

    assert looks.asked(reader, looks.FOCUS_NOT_SEEN, looks.kinds(example)) == []


def test_without_scripts_no_control_is_shown_that_nothing_answers(opened: Open, example: Built):
    reader = opened(example, java_script_enabled=False)

    assert looks.useless_controls(reader, looks.kinds(example)) == []


def test_the_first_tab_and_enter_lead_past_the_navigation(opened: Open, example: Built):
    page = opened(example).open("index.html")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.id") == "main"


def test_by_keyboard_alone_one_comes_from_the_overview_to_a_blocked_task(opened: Open, example: Built):
    page = opened(example).open("index.html")
    page.locator("main a[href*='blocked']").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/tasks.html*")
    page.locator("main a[href*='#t-']").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/p/**#t-*")

    assert page.locator(":target").count() == 1


def test_a_page_is_printed_without_its_navigation(opened: Open, example: Built):
    page = opened(example).open("tasks.html")
    page.emulate_media(media="print")

    assert page.locator("header nav").is_hidden()
    assert page.locator("main h1").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF-")
