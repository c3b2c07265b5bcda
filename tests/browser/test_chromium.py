"""The watch sees what it is there for."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import NAMED_BY, Watch, find_chromium, reading

POLICY = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'


@pytest.fixture
def seen(browser: Browser, tmp_path: Path):
    """What is seen of one page with this body."""

    def look(html: str) -> Watch:
        (tmp_path / "index.html").write_text(f"<!doctype html>{html}", encoding="utf-8")
        with reading(browser, tmp_path, tmp_path) as reader:
            reader.open("index.html").wait_for_timeout(50)
        return reader.watch

    return look


def test_a_quiet_page_has_no_troubles(seen):
    assert seen("<h1>Quiet</h1>").troubles == []


def test_a_script_that_the_policy_stops_is_a_violation(seen):
    found = seen(f"{POLICY}<script>1</script>")

    assert [each.split()[0] for each in found.violations] == ["script-src-elem"]
    assert len(found.console) == 1


def test_a_picture_from_elsewhere_is_a_request_that_leaves(seen):
    assert seen("<img src='http://127.0.0.1:9/x.png'>").leaving == ["http://127.0.0.1:9/x.png"]


def test_a_file_outside_the_build_folder_is_one_too(seen):
    assert seen("<script src='file:///etc/x.js'></script>").leaving == ["file:///etc/x.js"]


def test_an_error_in_a_script_is_a_crash(seen):
    assert "left" in seen("<script>throw new Error('left')</script>").crashes[0]


def test_a_promise_that_nobody_waits_for_is_a_crash(seen):
    assert "left" in seen("<script>Promise.reject(new Error('left'))</script>").crashes[0]


def test_the_program_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv(NAMED_BY, str(tmp_path / "nothing"))

    assert find_chromium() is None
