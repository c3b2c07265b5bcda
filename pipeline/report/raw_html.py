"""HTML that stands in Markdown → text: nothing of it is ever markup in the report.  Pure, linear."""

from __future__ import annotations

import re

TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]{0,20})(?=[\s/>])[^<>]{0,2000}>")
# Tags that people use for looks or place: without them their content reads as it was meant.  Others are shown.
KNOWN = frozenset((
    "a", "abbr", "address", "article", "aside", "b", "big", "blockquote", "br", "caption", "center", "cite", "code",
    "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "font",
    "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "i", "img", "ins", "kbd", "li", "main", "mark",
    "nav", "ol", "p", "picture", "pre", "q", "s", "samp", "section", "small", "source", "span", "strike", "strong",
    "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul", "var", "wbr",
))  # fmt: skip


def shown(raw: str) -> str:
    """What of a piece of HTML is shown as text: comments and known tags are left out."""
    return TAG.sub(_kept, _without_comments(raw))


def is_break(raw: str) -> bool:
    """Whether a tag is `<br>`."""
    return raw.lower().rstrip(" />") == "<br"


def _kept(tag: re.Match[str]) -> str:
    return "" if tag[1].lower() in KNOWN else tag[0]


def _without_comments(raw: str) -> str:
    """A comment without an end goes to the end."""
    kept: list[str] = []
    place = 0
    while (start := raw.find("<!--", place)) >= 0:
        kept.append(raw[place:start])
        end = raw.find("-->", start + 2)
        place = len(raw) if end < 0 else end + 3
    return "".join((*kept, raw[place:]))
