"""The lists of tasks and projects: filtered, sorted, grouped, told by their address, and taken away as CSV."""

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.sites import Built
from tests.fakes.report_samples import Repository, task

API = Repository(
    id="git.example.org/acme/api",
    board="parsed",
    board_text="# Status\n",
    items=[
        task("login", "active", title="Limit logins", next="measure it", owner="Ann", line=1),
        task("tokens", "blocked", title="Rotate tokens", line=2),
        task("yolka", "todo", title="Ёлка для входа", owner="Ёж", line=3),
        task("ship", "done", title="Ship 2.0", owner="Ann", line=4),
    ],
)
WEB = Repository(
    id="git.example.org/acme/web",
    board="parsed",
    board_text="# Status\n",
    items=[task("css", "active", title='=cmd|"x"', line=1), task("idle", "blocked", title="Idle", line=2)],
    committed_at=datetime(2026, 9, 1, tzinfo=UTC),
)
NEVER = Repository(id="git.example.org/acme/never", state="unreachable", reason="HTTP 503", copied=False)


@pytest.fixture
def built(site_files: Any) -> Built:
    found: Built = site_files(API, WEB, NEVER)
    return found


def titles(page: Page) -> list[str]:
    """The first link of each row that is shown."""
    return page.locator(".found tbody th[scope=row] > a").all_inner_texts()


def focused(page: Page) -> str:
    """The text of what has the focus."""
    return page.locator("*:focus").inner_text()


def found(page: Page) -> str:
    return page.locator(".listed p [role=status]").inner_text()


def test_open_tasks_stand_first_by_status_and_by_what_changed_last(opened: Open, built: Built):
    page = opened(built).open("tasks.html")

    assert titles(page) == ["Limit logins", '=cmd|"x"', "Rotate tokens", "Idle", "Ёлка для входа"]
    assert found(page) == "5 tasks of 6"
    assert page.locator(".gather").all_inner_texts() == ["Active 2", "Blocked 2", "To do 1"]
    expect(page.locator("#static")).to_be_hidden()


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("status=blocked", ["Rotate tokens", "Idle"]),
        ("blocked", ["Rotate tokens", "Idle"]),
        ("status=blocked&status=done&project=acme%2Fapi", ["Rotate tokens", "Ship 2.0"]),
        ("owner=Ann", ["Limit logins", "Ship 2.0"]),
        ("q=елка+ВХОД", ["Ёлка для входа"]),
        ("q=%22tokens+r%22", []),
        ("view=unowned", ["Rotate tokens"]),
        ("view=stale", ['=cmd|"x"', "Idle"]),
        ("view=week", []),
        ("sort=-title&group=none", ["Ёлка для входа", "Ship 2.0", "Rotate tokens", "Limit logins", "Idle", '=cmd|"x"']),
        ("sort=owner&group=none&status=active", ["Limit logins", '=cmd|"x"']),
        ("sort=-owner&group=none&view=open", ["Ёлка для входа", "Limit logins", '=cmd|"x"', "Rotate tokens", "Idle"]),
        ("group=owner&view=open", ["Limit logins", "Ёлка для входа", '=cmd|"x"', "Rotate tokens", "Idle"]),
        ("view=open&changed=2026-09-01..2026-09-01", ['=cmd|"x"', "Idle"]),
        ("status=blocked&changed=..2026-11-27", ["Idle"]),
        ("status=blocked&changed=2026-11-28..", ["Rotate tokens"]),
        ("status=done&since=unknown", ["Ship 2.0"]),
        ("status=done&since=..&changed=x", []),
        ("view=x&sort=x&group=x&status=x&q=login", ["Limit logins"]),
    ],
)
def test_an_address_tells_what_is_shown(opened: Open, built: Built, address: str, expected: list[str]):
    assert titles(opened(built).open(f"tasks.html#{address}")) == expected


def test_a_facet_counts_what_each_value_would_leave_and_an_empty_one_cannot_be_chosen(opened: Open, built: Built):
    page = opened(built).open("tasks.html#project=acme%2Fweb")

    status = page.locator("fieldset").first
    assert " ".join(status.inner_text().split("\n")) == (
        "Status Active 1 Blocked 1 Paused 0 To do 0 Unknown 0 Done 0 Cancelled 0"
    )
    expect(page.get_by_role("checkbox", name="Active")).to_be_enabled()
    expect(page.get_by_role("checkbox", name="Paused")).to_be_disabled()
    assert "acme/api\n4" in page.locator("fieldset").nth(2).inner_text()


def test_a_list_asks_for_six_files_at_most(opened: Open, built: Built):
    reader = opened(built)
    reader.open("tasks.html")

    assert sorted(url.rpartition("/")[2] for url in reader.watch.requests) == [
        "freshness.js",
        "lists.js",
        "report.css",
        "report.js",
        "tasks.html",
        "tasks.js",
    ]


def test_a_choice_becomes_a_chip_and_an_address_and_goes_with_either(opened: Open, built: Built):
    page = opened(built).open("tasks.html")

    page.get_by_label("acme/web").check()
    assert page.url.endswith("#project=acme%2Fweb&view=open")
    page.get_by_role("button", name="Remove Project: acme/web").click()
    assert page.url.endswith("tasks.html")
    page.go_back()
    assert titles(page) == ['=cmd|"x"', "Idle"]


def test_a_period_is_a_chip_as_well(opened: Open, built: Built):
    page = opened(built).open("tasks.html#status=active&changed=..2026-10-01")

    page.get_by_role("button", name="Remove Changed: … – 1 Oct 2026").click()

    assert page.url.endswith("#status=active")
    assert titles(page) == ["Limit logins", '=cmd|"x"']


def test_typing_filters_at_once_and_is_remembered_by_the_address(opened: Open, built: Built):
    page = opened(built).open("tasks.html")

    page.keyboard.press("f")
    page.keyboard.type("LOGIN")
    assert titles(page) == ["Limit logins"]
    page.wait_for_url("**/tasks.html#q=LOGIN&view=open")


def test_when_nothing_is_left_the_list_says_which_filter_to_drop(opened: Open, built: Built):
    page = opened(built).open("tasks.html#q=logins&status=blocked&view=open")

    page.get_by_role("button", name="Without the filter “Status”: 1 task").click()

    assert titles(page) == ["Limit logins"]


def test_a_head_sorts_its_column_up_then_down_then_not_at_all(opened: Open, built: Built):
    page = opened(built).open("tasks.html#group=none&view=open")
    head = page.locator("th", has=page.get_by_role("button", name="Changed", exact=True))

    head.get_by_role("button").click()
    assert (head.get_attribute("aria-sort"), titles(page)[:2]) == ("ascending", ['=cmd|"x"', "Idle"])
    head.get_by_role("button").click()
    assert (head.get_attribute("aria-sort"), titles(page)[-2:]) == ("descending", ['=cmd|"x"', "Idle"])
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None


def test_what_is_found_can_be_taken_away_as_csv_that_no_spreadsheet_runs(opened: Open, built: Built, tmp_path: Path):
    page = opened(built).open("tasks.html#status=active")

    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "tasks.csv")

    rows = list(csv.reader(io.StringIO((tmp_path / "tasks.csv").read_text(encoding="utf-8-sig"), newline="")))
    assert download.value.suggested_filename == "tasks.csv"
    assert [row[:4] for row in rows] == [
        ["project", "slug", "title", "status"],
        ["git.example.org/acme/api", "login", "Limit logins", "active"],
        ["git.example.org/acme/web", "css", '\'=cmd|"x"', "active"],
    ]


def test_the_address_can_be_copied(opened: Open, built: Built):
    reader = opened(built, permissions=["clipboard-read", "clipboard-write"])
    page = reader.open("tasks.html#status=blocked")

    page.get_by_role("button", name="Copy link").click()

    expect(page.locator(".acts [role=status]")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_projects_tell_why_a_number_is_not_known_and_lead_to_the_rows_of_the_others(opened: Open, built: Built):
    page = opened(built).open("projects.html")

    rows = page.locator(".found tbody tr")
    assert titles(page) == ["api", "never", "web"]
    assert rows.nth(1).locator("td.n .quiet").first.get_attribute("title") == "not known: never read"
    rows.nth(0).get_by_role("link", name="1").first.click()
    expect(page.locator("#h-active")).to_be_visible()


def test_a_long_list_shows_a_hundred_rows_and_more_when_asked_or_walked(opened: Open, site_files: Any):
    busy = Repository(id="a.org/b/c", board="parsed", items=[task(f"t{n}", line=n) for n in range(250)])
    page = opened(site_files(busy)).open("tasks.html")

    rows = page.locator(".found tbody th[scope=row]")
    expect(rows).to_have_count(100)
    page.get_by_role("button", name="Show more rows (100 of 250 are shown)").click()
    expect(rows).to_have_count(200)
    rows.last.locator("a").first.focus()
    page.keyboard.press("j")
    expect(rows).to_have_count(250)
    assert focused(page) == "t200"


def test_without_scripts_the_static_lists_are_there(opened: Open, built: Built):
    page = opened(built, java_script_enabled=False).open("tasks.html#blocked")

    expect(page.locator("#static #blocked")).to_be_visible()
    expect(page.locator(".listed")).to_be_hidden()


def test_rows_that_are_not_there_leave_the_static_list_and_say_so(site_files: Any, browser: Any):
    built = site_files(API)
    (built.report / "a" / "rows" / "tasks.js").unlink()
    page = browser.new_page()

    page.goto((built.report / "tasks.html").as_uri())

    expect(page.get_by_role("alert")).to_contain_text("Reload the page")
    expect(page.locator("#static")).to_be_visible()


def test_the_lists_speak_russian(opened: Open, site_files: Any):
    page = opened(site_files(API, language="ru"), locale="ru").open("tasks.html")

    assert found(page) == "3 задачи из 4"
    assert page.locator("fieldset legend").all_inner_texts() == ["Статус", "Исполнитель", "Проект", "В этом статусе"]


@pytest.mark.parametrize("path", ["tasks.html", "projects.html"])
def test_a_narrow_page_does_not_scroll_sideways(opened: Open, built: Built, path: str):
    page = opened(built, viewport={"width": 320, "height": 800}).open(path)

    expect(page.locator(".found table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
