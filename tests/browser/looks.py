"""What a page is like for those who see it small, dark, enlarged, printed, unmoving, by ear or by keyboard."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from tests.browser.chromium import Reader
from tests.browser.sites import Built

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN_AXE = """
async (tags) => {
  const options = { runOnly: tags, resultTypes: ["violations"], preload: false };
  const { violations } = await globalThis.axe.run(document, options);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
    `${id}: ${target.join(" ")}: ${failureSummary.split("\\n").slice(1, 2).join(" ").trim()}`));
}
"""
WIDER_THAN_THE_WINDOW = """
() => {
  const room = document.scrollingElement.clientWidth;
  if (document.scrollingElement.scrollWidth <= room) return [];
  const wide = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > room + 1);
  return [wide.slice(0, 3).map((one) => `${one.localName}.${one.className}#${one.id}`).join(", ")];
}
"""
MOVING = """
() => [...document.querySelectorAll("*")].filter((one) => {
  const style = getComputedStyle(one);
  const longest = (value) => Math.max(...value.split(",").map(parseFloat));
  const animation = style.animationName === "none" ? "0s" : style.animationDuration;
  return longest(style.transitionDuration) > 0.01 || longest(animation) > 0.01 || style.scrollBehavior === "smooth";
}).slice(0, 3).map((one) => one.outerHTML.slice(0, 120))
"""
FOCUS_NOT_SEEN = """
() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter((one) => {
  if (one.disabled || !one.checkVisibility({ visibilityProperty: true })) return false;
  one.focus({ focusVisible: true });
  const style = getComputedStyle(one);
  return document.activeElement !== one || style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2;
}).slice(0, 3).map((one) => one.outerHTML.slice(0, 120))
"""
USELESS_CONTROLS = "button:visible, input:visible, select:visible"


def kinds(built: Built) -> tuple[str, ...]:
    """The pages to look at: every one of the top that is no sheet of a list, and of each folder the largest."""
    largest: dict[str, str] = {}
    for path in sorted(built.pages, key=lambda path: (built.report / path).stat().st_size):
        folder, name = PurePosixPath(path).parts[0], PurePosixPath(path).stem
        largest[name.split("-")[0] if folder == path else folder] = path
    return tuple(sorted(largest.values()))


def violations(reader: Reader, axe: str, pages: Iterable[str]) -> list[str]:
    """What axe-core finds on each page."""
    found: list[str] = []
    for path in pages:
        page = reader.settled(path)
        page.evaluate(axe)
        found += [f"{path}: {each}" for each in page.evaluate(RUN_AXE, TAGS)]
    return found


def asked(reader: Reader, question: str, pages: Iterable[str]) -> list[str]:
    """What a question of this module is answered on each page."""
    return [f"{path}: {each}" for path in pages for each in reader.open(path).evaluate(question)]


def useless_controls(reader: Reader, pages: Iterable[str]) -> list[str]:
    """Controls that are shown though nothing answers them."""
    found = ((path, reader.open(path).locator(USELESS_CONTROLS)) for path in pages)
    return [f"{path}: {control.evaluate('one => one.outerHTML')}" for path, all_of in found for control in all_of.all()]
