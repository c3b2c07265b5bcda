"""A repository's Markdown → HTML that is safe to show.  Pure, linear, never raises.

Two walls, each enough alone: `writer` writes nothing but its own tags around escaped text, and what it wrote
passes an allow-list.  This is the one module whose text the templates do not escape.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import nh3
import pyromark
from markupsafe import Markup

from pipeline.messages import Language, language_of
from pipeline.report.destinations import Resolve
from pipeline.report.words import Words
from pipeline.report.writer import Heading, Writer

Options = pyromark.Options
MARKDOWN = pyromark.Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_GFM
    | Options.ENABLE_WIKILINKS
)
# HTML is at most so many times its source, and never more than one page can hold.
TIMES_ITS_SOURCE = 4
SHORT_LETTERS = 4_096
MOST_LETTERS = 400_000

REL = "noopener noreferrer nofollow"
ID_PREFIX = "u-"
FOLDER = r"(?:[a-z0-9][a-z0-9._-]{0,120}/){0,40}"
OWN_ADDRESS = re.compile(
    rf"(?:(?:\.\./){{0,40}}{FOLDER}[a-z0-9][a-z0-9._-]{{0,120}}\.html)?(?:#(?:u-[\w-]{{0,200}}|wiki))?\Z"
)
HEADINGS = ("h2", "h3", "h4", "h5", "h6")
SPEAKING = ("p", "li", "td", "th", "small", *HEADINGS)
CLASSES = {
    "a": {"self", "out", "back"},
    "span": {"dead", "box"},
    "blockquote": {"note", "tip", "important", "warning", "caution"},
    "p": {"kind"},
    "th": {"n", "c"},
    "td": {"n", "c"},
    "div": {"scroll"},
    "section": {"notes"},
}
CLEANER = nh3.Cleaner(
    tags={
        *("a", "blockquote", "br", "code", "del", "div", "em", "hr", "li", "ol", "p", "pre", "section", "small"),
        *("span", "strong", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
        *HEADINGS,
    },
    attributes={
        "*": set(),
        "a": {"href", "id", "aria-label"},
        "ol": {"start"},
        "span": {"aria-label"},
        "div": {"aria-label"},
        "section": {"aria-label"},
        "li": {"id", "lang"},
        **{tag: {"id", "lang"} for tag in HEADINGS},
        **{tag: {"lang"} for tag in ("p", "td", "small")},
        "th": {"lang", "scope"},
    },
    tag_attribute_values={
        "a": {"rel": {REL}},
        "span": {"role": {"img"}},
        "div": {"role": {"region"}, "tabindex": {"0"}},
    },
    allowed_classes=CLASSES,
    url_schemes={"http", "https", "mailto"},
    url_relative=lambda address: address if OWN_ADDRESS.match(address) else None,
    link_rel=None,
    id_prefix=ID_PREFIX,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """`html` is for a page whose own heading is its only `h1`; `headings` are in order.

    `lang` is the language of most of it: blocks that speak another say so.  `is_cut`: it goes on, but its HTML
    would have been too long.
    """

    html: Markup
    lang: Language
    headings: tuple[Heading, ...]
    is_cut: bool


def render(text: str, resolve: Resolve, words: Words, title: str = "") -> Rendered:
    """Render Markdown without front matter.

    `resolve` says where links lead.  A first heading that is `title` is left out.  Raw HTML is shown as text,
    but for the tags that everybody knows, which are dropped.
    """
    lang = language_of(text, words.language)
    most = min(max(SHORT_LETTERS, TIMES_ITS_SOURCE * len(text)), MOST_LETTERS)
    writer = Writer(resolve=resolve, words=words, lang=lang, title=title, most=most)
    for event in MARKDOWN.events(text):
        writer.write(event)
        if writer.is_full:
            break
    html = CLEANER.clean(writer.finish())
    return Rendered(html=Markup(html), lang=lang, headings=tuple(writer.headings), is_cut=writer.is_full)
