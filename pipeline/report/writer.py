"""The events of a Markdown parser → HTML of a few tags of ours around escaped text.  Pure.

A writer never takes markup from a text: tags, classes and ids are its own, addresses come from `Resolve`.
How deep tags may stand in each other and how long all may be is bounded, since what reads HTML is linear in
neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from pipeline.messages import Language
from pipeline.report import raw_html
from pipeline.report.anchors import Anchors, Levels, fragment, name_of
from pipeline.report.destinations import Destination, Resolve
from pipeline.report.footnotes import Footnotes
from pipeline.report.link_html import frame
from pipeline.report.paper import Element, Paper
from pipeline.report.words import Words
from pipeline.text import fold, line

LONGEST_LABEL = 80
BARE_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]{1,1000}")
TRAILING = ".,;:!?*_~"
ALIGNED = {"Right": ' class="n"', "Center": ' class="c"'}
INLINE = {"Emphasis": "em", "Strong": "strong", "Strikethrough": "del"}
BARE = {"SoftBreak": "\n", "HardBreak": "<br>\n", "Rule": "<hr>\n"}


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level from 2, its id, its text."""

    level: int
    id: str
    text: str


class Writer:
    """Takes events one by one; `headings` are those so far, `is_full` is true when there is room for no more."""

    def __init__(self, *, resolve: Resolve, words: Words, lang: Language, title: str, most: int) -> None:
        self.headings: list[Heading] = []
        self.is_full = False
        self._resolve = resolve
        self._words = words
        self._title = fold(title)
        self._most = most
        self._paper = Paper(lang)
        self._anchors = Anchors()
        self._levels = Levels()
        self._notes = Footnotes(self._anchors)
        self._own = "" if words.language == lang else f' lang="{words.language}"'
        self._fragments: list[tuple[list[str], int, str]] = []
        self._label: list[str] | None = None
        self._raw: list[str] = []
        self._is_code = False
        self._cells: Iterator[str] = iter(())
        self._columns: tuple[str, ...] = ()

    def write(self, event: Any) -> None:
        """Take one event."""
        if isinstance(event, str):
            self._hear(" ")
            self._paper.put(BARE[event])
        else:
            ((kind, detail),) = event.items()
            KINDS[kind](self, detail)
        self.is_full = self._paper.size > self._most

    def finish(self) -> str:
        """Close what is open; all of it as HTML."""
        self._paper.close()
        for piece in self._notes.write(self._words.notes, self._words.back):
            self._paper.put(piece)
        for out, at, target in self._fragments:
            out[at] = f'<a href="#{escape(target)}">' if target in self._anchors else "<a>"
        return "".join(self._paper.out)

    def _hear(self, text: str) -> None:
        self._paper.hear(text)
        if self._label is not None:
            self._label.append(text)

    # events

    def _start(self, tag: Any) -> None:
        name, detail = (tag, None) if isinstance(tag, str) else next(iter(tag.items()))
        if name in INLINE and not self._paper.is_deep:
            self._paper.push(f"<{INLINE[name]}>", f"</{INLINE[name]}>")
        elif name in ALWAYS or (name in STARTS and not self._paper.is_deep):
            STARTS[name](self, detail)
        else:
            self._paper.push("", "")

    def _end(self, _: Any) -> None:
        self._paper.pop()

    def _text(self, text: str) -> None:
        self._hear(text)
        if "://" in text and self._label is None and not self._is_code:
            self._put_with_addresses(text)
        else:
            self._paper.put(escape(text, quote=False))

    def _code(self, text: str) -> None:
        self._hear(text)
        self._paper.put(f"<code>{escape(text, quote=False)}</code>")

    def _html(self, raw: str) -> None:
        self._raw.append(raw)

    def _inline_html(self, raw: str) -> None:
        self._paper.put("<br>" if raw_html.is_break(raw) else escape(raw_html.shown(raw), quote=False))

    def _marker(self, is_done: Any) -> None:
        sign, said = ("☑", self._words.done) if is_done else ("☐", self._words.not_done)
        self._paper.put(f'<span class="box" role="img" aria-label="{escape(said)}">{sign}</span> ')

    def _note(self, name: str) -> None:
        self._paper.put(escape(f"[^{name}]") if self._label is not None else self._notes.refer(name))

    # blocks

    def _paragraph(self, _: Any) -> None:
        self._paper.push_block("<p>", "</p>\n")

    def _item(self, _: Any) -> None:
        self._paper.push_block("<li>", "</li>\n")

    def _list(self, start: int | None) -> None:
        if start is None:
            self._paper.push("<ul>\n", "</ul>\n")
        else:
            self._paper.push("<ol>\n" if start == 1 else f'<ol start="{start}">\n', "</ol>\n")

    def _quote(self, kind: str | None) -> None:
        if kind is None:
            self._paper.push("<blockquote>\n", "</blockquote>\n")
            return
        name = kind.lower()
        self._paper.push(f'<blockquote class="{name}">\n', "</blockquote>\n")
        self._paper.put(f'<p class="kind"{self._own}>{escape(self._words.alerts[name])}</p>\n')

    def _code_block(self, _: Any) -> None:
        self._is_code = True
        self._paper.push("<pre><code>", "</code></pre>\n", self._finish_code)

    def _finish_code(self, _: Element) -> None:
        self._is_code = False

    def _html_block(self, _: Any) -> None:
        self._raw = []
        self._paper.push("", "", self._finish_html)

    def _finish_html(self, _: Element) -> None:
        text = raw_html.shown("".join(self._raw)).strip()
        if text:
            self._paper.push_block("<p>", "</p>\n")
            self._text(text)
            self._paper.pop()

    def _heading(self, detail: Mapping[str, Any]) -> None:
        self._paper.push_block("", "", self._finish_heading, int(detail["level"][1]))

    def _finish_heading(self, ended: Element) -> None:
        """The opening tag needs the id, which needs the text."""
        text = ended.text
        is_title = ended.detail == 1 and not self.headings and fold(text) == self._title
        if is_title or not text:
            ended.out[ended.at :] = [""]
            return
        level, name = self._levels.place(ended.detail), escape(self._anchors.take(name_of(text)))
        self.headings.append(Heading(level, name, line(text)))
        ended.out[ended.at] = f'<h{level} id="{name}">'
        self._paper.size += 2 * len(name)
        self._paper.put(f' <a class="self" href="#{name}" aria-label="{escape(self._words.heading)}">#</a>')
        ended.closing = f"</h{level}>\n"

    def _note_text(self, name: str) -> None:
        self._paper.step_aside()
        self._paper.push("", "", lambda _: self._notes.define(name, self._paper.step_back()))

    # tables

    def _table(self, columns: tuple[str, ...]) -> None:
        self._columns = tuple(ALIGNED.get(one, "") for one in columns)
        region = f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(self._words.table)}">'
        self._paper.push(f"{region}<table>\n", "</tbody></table></div>\n")

    def _table_head(self, _: Any) -> None:
        self._cells = (f'<th scope="col"{aligned}>' for aligned in self._columns)
        self._paper.push("<thead><tr>", "</tr></thead>\n<tbody>\n")

    def _table_row(self, _: Any) -> None:
        self._cells = (f"<td{aligned}>" for aligned in self._columns)
        self._paper.push("<tr>", "</tr>\n")

    def _cell(self, _: Any) -> None:
        opening = next(self._cells, "<td>")
        self._paper.push_block(opening, f"</{opening[1:3]}>", _finish_cell)

    # links

    def _link(self, detail: Mapping[str, Any]) -> None:
        self._push_link(detail, is_image=False)

    def _image(self, detail: Mapping[str, Any]) -> None:
        self._push_link(detail, is_image=True)

    def _push_link(self, detail: Mapping[str, Any], *, is_image: bool) -> None:
        """No link stands in another one: the inner one is text."""
        if self._label is not None:
            self._paper.push("", "")
            return
        self._label = []
        self._paper.push("", "", lambda ended: self._finish_link(ended, detail, is_image=is_image))

    def _finish_link(self, ended: Element, detail: Mapping[str, Any], *, is_image: bool) -> None:
        label = "".join(self._label or ()).strip()
        self._label = None
        kind, target = detail["link_type"], detail["dest_url"].strip()
        if not label:
            self._text_of_nothing(target)
        if target.startswith("#"):
            self._fragments.append((ended.out, ended.at, fragment(target[1:])))
            ended.closing = "</a>"
            return
        if kind == "Email":
            target = f"mailto:{target}"
        place = self._place(kind, target, label)
        around = frame(place, self._words, f"<small{self._own}>", is_image=is_image)
        ended.out[ended.at] = around.opening
        self._paper.size += len(around.opening)
        ended.closing = around.closing

    def _place(self, kind: Any, target: str, label: str) -> Destination:
        if isinstance(kind, str):
            return self._resolve(target, False, "")  # noqa: FBT003
        has_label = kind["WikiLink"]["has_pothole"]
        return self._resolve(target.rstrip("\\"), True, label if has_label else "")  # noqa: FBT003

    def _text_of_nothing(self, target: str) -> None:
        shown = line(target, LONGEST_LABEL) or "?"
        self._paper.put(escape(shown))

    def _put_with_addresses(self, text: str) -> None:
        place = 0
        for found in BARE_ADDRESS.finditer(text):
            address = _address(found[0])
            around = frame(self._resolve(address, False, ""), self._words, "", is_image=False)  # noqa: FBT003
            before = escape(text[place : found.start()], quote=False)
            self._paper.put(f"{before}{around.opening}{escape(address, quote=False)}{around.closing}")
            place = found.start() + len(address)
        self._paper.put(escape(text[place:], quote=False))


def _address(found: str) -> str:
    """An address without the punctuation that ends its sentence."""
    address = found.rstrip(TRAILING)
    return address if address.count("(") >= address.count(")") else address.rstrip(TRAILING + ")")


def _finish_cell(ended: Element) -> None:
    """A heading without words is none."""
    if ended.closing == "</th>" and not ended.text:
        ended.out[ended.at], ended.closing = "<td>", "</td>"


STARTS: Mapping[str, Callable[[Writer, Any], None]] = {
    "Paragraph": Writer._paragraph,
    "Heading": Writer._heading,
    "BlockQuote": Writer._quote,
    "CodeBlock": Writer._code_block,
    "HtmlBlock": Writer._html_block,
    "List": Writer._list,
    "Item": Writer._item,
    "FootnoteDefinition": Writer._note_text,
    "Table": Writer._table,
    "TableHead": Writer._table_head,
    "TableRow": Writer._table_row,
    "TableCell": Writer._cell,
    "Link": Writer._link,
    "Image": Writer._image,
}
# These keep what they hear from being read as something else, however deep they stand.
ALWAYS = frozenset(("CodeBlock", "HtmlBlock", "FootnoteDefinition", "Link", "Image"))
KINDS: Mapping[str, Callable[[Writer, Any], None]] = {
    "Start": Writer._start,
    "End": Writer._end,
    "Text": Writer._text,
    "Code": Writer._code,
    "Html": Writer._html,
    "InlineHtml": Writer._inline_html,
    "FootnoteReference": Writer._note,
    "TaskListMarker": Writer._marker,
}
