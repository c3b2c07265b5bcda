"""What of some HTML is more than a rendered text of a repository may be."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

PAYLOADS = Path(__file__).parent.parent / "data" / "hostile" / "payloads.json"
TAGS = frozenset((
    "a", "blockquote", "br", "code", "del", "div", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
    "section", "small", "span", "strong", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
))  # fmt: skip
ATTRIBUTES = {
    "aria-label": re.compile(r".+\Z"),
    "class": re.compile(r"(?:self|out|back|dead|box|kind|scroll|notes|n|c|note|tip|important|warning|caution|)\Z"),
    "href": re.compile(r"(?:https?:|mailto:|#u-|[a-z0-9./-]+\.html(?:#|\Z))"),
    "id": re.compile(r"u-[\w\-]+\Z"),
    "lang": re.compile(r"(?:en|ru)\Z"),
    "rel": re.compile(r"noopener noreferrer nofollow\Z"),
    "role": re.compile(r"(?:img|region)\Z"),
    "scope": re.compile(r"col\Z"),
    "start": re.compile(r"\d+\Z"),
    "tabindex": re.compile(r"0\Z"),
}


def payloads() -> list[str]:
    """Texts that hide script, requests or foreign names, as people have tried them."""
    groups = json.loads(PAYLOADS.read_text(encoding="utf-8"))
    return [text for texts in groups.values() for text in texts]


class Reading(HTMLParser):
    """The elements of some HTML: what is not allowed in `faults`, all ids in `ids`, all addresses in `addresses`."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.faults.append(f"<{tag}>")
        for name, value in attrs:
            allowed = ATTRIBUTES.get(name)
            if allowed is None or not allowed.match(value or ""):
                self.faults.append(f"<{tag} {name}={value!r}>")
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.addresses += [given["href"] or ""] if "href" in given else []
        if (given.get("href") or "").startswith(("http", "mailto")) and "rel" not in given:
            self.faults.append(f"<{tag}> leads away without rel")

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.faults.append(f"<!{decl}>")

    def unknown_decl(self, data: str) -> None:
        self.faults.append(f"<![{data}>")

    def handle_pi(self, data: str) -> None:
        self.faults.append(f"<?{data}>")
