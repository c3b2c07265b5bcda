"""Reports opened in Chromium by file://, each page watched: an error, a violation or a request that leaves fails.

`example` and `example_ru` are the bundled example's reports, `site_files(…)` that of made-up repositories.  `opened`
shows one of them; what it must not do is asked for when the test is over.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from pipeline.messages import Language
from tests.browser import chromium, sites
from tests.browser.chromium import Reader
from tests.browser.sites import Built
from tests.fakes.report_samples import NOW, Repository, build_catalog

HERE = Path(__file__).parent
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
NO_AXE = "no axe-core here, so accessibility was not checked: `npm ci --ignore-scripts --prefix tests/browser`"
# Set where nothing may be passed over: what is missing fails.
REQUIRED_BY = "PROJECTS_META_BROWSER_REQUIRED"

Open = Callable[..., Reader]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


def do_without(what: str) -> None:
    """Pass a test over, and say why; where everything is required, fail it."""
    if os.environ.get(REQUIRED_BY):
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a file: an event loop of its own stands behind it, which others may not meet."""
    program = chromium.find_chromium()
    if program is None:
        do_without(chromium.MISSING)
    with chromium.launched(str(program)) as found:
        yield found


@pytest.fixture(scope="session")
def axe() -> str:
    """The text of axe-core."""
    if not AXE.is_file():
        do_without(NO_AXE)
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The report of the bundled example."""
    return sites.build_example(tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="session")
def example_ru(example: Built, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The same in Russian."""
    return sites.speak("ru", example, tmp_path_factory.mktemp("example-ru"))


@pytest.fixture
def site_files(tmp_path: Path) -> Callable[..., Built]:
    """The report of some made-up repositories (`tests.fakes.report_samples`), written as a build leaves it."""

    def write(*repositories: Repository, language: Language = "en") -> Built:
        folder = tmp_path / f"site-{len(list(tmp_path.iterdir()))}"
        with build_catalog(folder / "catalog", repositories, NOW) as catalog:
            return sites.write_site(folder / "build", catalog, language)

    return write


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """Open a report in a context of its own; whatever its pages do that they must not fails the test at its end.

    `opened(built, viewport={…}, color_scheme="dark", java_script_enabled=False, now="2026-12-08T10:00:00Z", …)`
    """
    readers: list[Reader] = []
    with ExitStack() as stack:

        def enter(built: Built, **options: Any) -> Reader:
            readers.append(stack.enter_context(chromium.reading(browser, built.report, built.build, **options)))
            return readers[-1]

        yield enter
    assert [trouble for reader in readers for trouble in reader.watch.troubles] == []
