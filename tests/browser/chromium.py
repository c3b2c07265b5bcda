"""Chromium as the tests drive it: found on this machine, never downloaded, and watched while it shows a page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

NAMED_BY = "PROJECTS_META_CHROMIUM"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = (
    "no Chromium here, so pages were not opened in a browser: install it (`apt install chromium`), "
    f"or let {NAMED_BY} name the program"
)
# What a reader of the tests sees as "now", so that ages stand still.
NOW = "2026-12-01T10:00:00Z"
# No name is looked up, so that what leaves is seen and yet reaches nobody.
NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND"
# A script that a script made is taken away when it has run; those of the page itself are not `async`.
NOTHING_IS_AWAITED = "() => ![...document.scripts].some((one) => one.async)"
VIOLATED = """
addEventListener("securitypolicyviolation", (found) => {
  globalThis.tellPolicyViolation(`${found.violatedDirective} ${found.blockedURI} ${found.sourceFile ?? ""}`);
}, true);
"""


def find_chromium() -> str | None:
    """The program, or None."""
    named = os.environ.get(NAMED_BY)
    if named:
        return shutil.which(named)
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


@contextmanager
def launched(program: str) -> Iterator[Browser]:
    """A browser without a window; its profile is empty and goes with it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--disable-quic", NOWHERE])
        try:
            yield browser
        finally:
            browser.close()


@dataclass(slots=True)
class Watch:
    """What happened while pages were open.  `requests` holds every address that was asked for, in order."""

    folder: Path
    console: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def leaving(self) -> list[str]:
        """Requests for anything but a file below the build folder; `data:` and `blob:` ask nobody."""
        home = self.folder.as_uri() + "/"
        return [url for url in self.requests if not url.startswith((home, "data:", "blob:"))]

    @property
    def troubles(self) -> list[str]:
        """Everything that a page of ours must not do."""
        left = [f"asked for {url}" for url in self.leaving]
        return [*self.console, *self.crashes, *self.violations, *left]

    def follow(self, context: BrowserContext) -> None:
        """Watch every page of `context`, those that a page opens as well."""
        context.expose_binding("tellPolicyViolation", lambda _, words: self.violations.append(words))
        context.add_init_script(VIOLATED)
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("console", lambda message: self._hear(message))
        context.on("weberror", lambda error: self.crashes.append(str(error.error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.console.append(f"{message.type}: {message.text}")


@dataclass(slots=True)
class Reader:
    """A person at a browser, looking at one report.  `open` shows a page of it."""

    context: BrowserContext
    report: Path
    watch: Watch
    page: Page

    def open(self, path: str = "index.html") -> Page:
        """Go to a page by its path in the report, `#…` included."""
        file, mark, fragment = path.partition("#")
        self.page.goto((self.report / file).as_uri() + mark + fragment, wait_until="load")
        return self.page

    def settled(self, path: str = "index.html") -> Page:
        """The same, when every script that a script asked for has come as well."""
        page = self.open(path)
        page.wait_for_function(NOTHING_IS_AWAITED)
        return page


@contextmanager
def reading(browser: Browser, report: Path, build: Path, now: str = NOW, **options: Any) -> Iterator[Reader]:
    """Open a context of its own; `options` are those of Playwright's `new_context` (viewport, color_scheme, …)."""
    context = browser.new_context(**{"locale": "en-GB", "timezone_id": "UTC", **options})
    watch = Watch(build)
    watch.follow(context)
    page = context.new_page()
    page.clock.set_fixed_time(now)
    try:
        yield Reader(context, report, watch, page)
    finally:
        context.close()
