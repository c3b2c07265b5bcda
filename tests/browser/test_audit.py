"""The audit of a document finds what it is there for."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.audit import faults
from tests.browser.chromium import reading

Look = Callable[[str], list[str]]
HEAD = "<!doctype html><title>x</title><script src='a/report.js'></script>"


@pytest.fixture(scope="module")
def found_in(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Look]:
    """The faults of a page with this body, by their kind."""
    folder = tmp_path_factory.mktemp("audit")
    (folder / "a").mkdir()
    (folder / "a" / "report.js").write_text("window.PM = { load() {} };", encoding="utf-8")
    with reading(browser, folder, folder) as reader:

        def look(body: str) -> list[str]:
            (folder / "index.html").write_text(HEAD + body, encoding="utf-8")
            return [fault.what.split(":")[0] for fault in faults(reader, ["index.html"])]

        yield look


def test_a_plain_page_has_none(found_in):
    assert found_in("<h1 id=a>Plain</h1><a href='p/x.html#a'>x</a><a href='https://example.org/'>y</a>") == []


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("<script>window.__pwn = 1</script>", ["not ours", "ran"]),
        ("<script src='../x.js'></script>", ["not ours"]),
        ("<b onclick='x'>x</b>", ["onclick"]),
        ("<b style='color: red'>x</b>", ["style"]),
        ("<a href='javascript:x'>x</a>", ["href"]),
        ("<a href='file:///etc/passwd'>x</a>", ["href"]),
        ("<a href='//example.org/'>x</a>", ["href"]),
        ("<img src='x.png'>", ["element"]),
        ("<iframe></iframe>", ["element"]),
        ("<meta http-equiv=refresh content='9;url=x'>", ["element"]),
        ("<link rel=preconnect href='https://example.org'>", ["element"]),
        ("<b id=a>x</b><b id=a>y</b>", ["id twice"]),
        ("<script src='a/report.js'></script><form id=PM></form>", []),
    ],
)
def test_each_fault_is_found(found_in, body: str, kinds: list[str]):
    assert found_in(body) == kinds
