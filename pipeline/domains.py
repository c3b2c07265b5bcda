"""Which domain a folder belongs to, by its files.  Pure.

`cross` is a property of a page and `unknown` a state of a search; neither is ever the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import translate
from typing import Any

from pipeline.model import DomainMarkers

NODE, EMBEDDED, WEB = "node", "embedded", "web"
CROSS, UNKNOWN, ALL = "cross", "unknown", "all"
RESERVED = (CROSS, UNKNOWN, ALL)

PACKAGE = "package.json"
BUILD_FILE = "cmakelists.txt"
EMBEDDED_MARKERS = ("platformio.ini", "**/*.ino")
WEB_MARKERS = ("next.config.*", "vite.config.*", "index.html")
# A short name must not be a part of a word: `picojson`, `unrefined`.
SDK = re.compile(
    rb"arm-none-eabi|stm32|nrf[59]\d|(?<![a-z])(?:esp[-_]idf|idf_(?:path|component|build)|zephyr(?![a-z])|pico[-_]sdk"
    rb"|nrf(?:x|5_sdk|[-_ ](?:sdk|connect)))",
    re.IGNORECASE,
)

Listing = Mapping[str, bytes | None]


def detect_domain(listing: Listing, further: Sequence[DomainMarkers] = ()) -> str:
    """The domain of a folder: `node`, `embedded`, `web`, one of `further` (in their order), or `unknown`.

    `listing` has the folder's files by POSIX path, with the bytes of those that `is_read` names; without its
    bytes such a file mentions nothing.  The first rule that fits decides; the case of names does not matter.
    """
    names = {path.lower(): content for path, content in listing.items()}
    if PACKAGE in names:
        return NODE
    if _has(names, EMBEDDED_MARKERS) or any(map(_mentions_sdk, names.items())):
        return EMBEDDED
    if _has(names, WEB_MARKERS):
        return WEB
    return next((one.name for one in further if _has(names, one.markers)), UNKNOWN)


def is_read(path: str) -> bool:
    """True for a file whose text is asked for, not its name alone."""
    return path.lower().rpartition("/")[2] == BUILD_FILE


def read_markers(written: object, place: str) -> tuple[tuple[DomainMarkers, ...], tuple[str, ...]]:
    """The `domains` table of a configuration, in its order, and the mistakes in it, each with its place.

    A table of domain names, each with a list of patterns of file names.
    """
    if not isinstance(written, dict):
        return (), (f'{place} is not a table; write for example {place} = {{ rust = ["Cargo.toml"] }}',)
    mistakes = tuple(mistake for name, markers in written.items() for mistake in _mistakes(name, markers, place))
    if mistakes:
        return (), mistakes
    return tuple(DomainMarkers(name=name, markers=tuple(markers)) for name, markers in written.items()), ()


def _mistakes(name: str, markers: Any, place: str) -> list[str]:
    found = []
    if name.lower() in RESERVED or not name.strip() or "/" in name or not name.isprintable():
        found.append(f"{place}.{name[:60]!r}: expected the name of a domain, without a slash, not {_words(RESERVED)}")
    if not (isinstance(markers, list) and markers and all(isinstance(each, str) and each.strip() for each in markers)):
        found.append(f"{place}.{name[:60]}: expected a list of patterns in quotes, at least one")
    elif any("/" in each.removeprefix("**/") for each in markers):
        found.append(f"{place}.{name[:60]}: expected patterns of file names, with no slash but a `**/` before them")
    return found


def _words(names: Sequence[str]) -> str:
    return " or ".join(f'"{name}"' for name in names)


def _has(names: Listing, markers: Sequence[str]) -> bool:
    return any(_stands_in(names, marker.lower()) for marker in markers)


def _stands_in(names: Listing, marker: str) -> bool:
    """`*.tf` is a file in the folder itself, `**/*.tf` one anywhere below it, too."""
    pattern = marker.removeprefix("**/")
    fits = re.compile(translate(pattern)).match
    if pattern != marker:
        return any(fits(name.rpartition("/")[2]) for name in names)
    return any(fits(name) for name in names if "/" not in name)


def _mentions_sdk(file: tuple[str, bytes | None]) -> bool:
    name, content = file
    return content is not None and is_read(name) and SDK.search(content) is not None
