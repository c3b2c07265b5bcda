"""`python -m tests.browser.pictures BUILD OUT`: a picture of each kind of page, to be looked at.

BUILD is a build folder; each kind of page of its published report is shown wide and narrow, light and dark, in both
languages.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from pipeline.catalog import open_published
from pipeline.layout import Layout
from tests.browser import chromium, looks, sites
from tests.browser.sites import LOOKED, Built

WINDOWS = {"wide": {"width": 1280, "height": 900}, "narrow": {"width": 360, "height": 800}}
THEMES = ("light", "dark")


def main() -> None:
    """Read the arguments, write the pictures."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.pictures", description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    program = chromium.find_chromium()
    if program is None:
        raise SystemExit(chromium.MISSING)
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium.launched(program) as browser:
        for language, built in _reports(given.build.absolute(), Path(folder)):
            for window, theme in product(WINDOWS, THEMES):
                _take(browser, built, given.out, f"{language}-{window}-{theme}", WINDOWS[window], theme)


def _reports(build: Path, folder: Path) -> Iterator[tuple[str, Built]]:
    with open_published(Layout(build), LOOKED) as catalog:
        yield "en", sites.write_site(folder / "en", catalog, "en")
        yield "ru", sites.write_site(folder / "ru", catalog, "ru")


def _take(browser: Browser, built: Built, out: Path, name: str, viewport: Any, theme: str) -> None:
    options = {"viewport": viewport, "color_scheme": theme}
    with chromium.reading(browser, built.report, built.build, **options) as reader:
        for path in looks.kinds(built):
            page = reader.settled(path)
            page.screenshot(path=out / f"{path.replace('/', '_').removesuffix('.html')}-{name}.png", full_page=True)


if __name__ == "__main__":
    main()
