"""The links of a page as its author wrote them, with their lines.  Pure, linear, never raises.

Code spans, fenced and indented code and comments hold none.  Paragraphs, list entries and quotes are read
whole, since a link's text may go over several lines.  Front matter has no links but names pages often enough
(`related: ["[[a]]"]`, `target: ../b.md`): these are mentions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby, islice
from typing import Literal

from pipeline.parse.blocks import Block, Heading, Item, Table, Text, read_blocks
from pipeline.parse.inline import Link, find_links, unescape
from pipeline.parse.markdown import Document, FrontMatter, without_comments_and_code

REFERENCE_LIMIT = 10_000
CODE_INDENT = 4
DEFINITION = re.compile(r"\[[^\[\]^][^\[\]]{0,300}\]:[ \t]{0,9}(?:<([^<>]{1,1000})>|(\S{1,1000}))")
QUOTE = re.compile(r"(?:[ \t]{0,9}>)+ ?")
BETWEEN_NAMES = re.compile(r"[\s\"'`\[\](){},<>|]+")

Run = list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Reference:
    """`target` is as written but for Markdown's escapes; `label` is a wikilink's other half, else empty.

    A `mention` stands in front matter: it may be a page's name, and may as well be anything else.
    """

    kind: Literal["link", "wikilink", "mention"]
    target: str
    label: str
    line: int


def read_references(document: Document) -> tuple[Reference, ...]:
    """Every different target of a page, by the line where it stands first; at most the limit and one more."""
    lines = [*runs(document.blocks), *_quoted(document.quotes)]
    lines.sort(key=lambda run: run[0][0])
    found: dict[tuple[str, str], Reference] = {}
    for reference in chain(_mentions(document.front_matter), chain.from_iterable(map(_references, lines))):
        found.setdefault((reference.kind, reference.target), reference)
        if len(found) > REFERENCE_LIMIT:
            break
    return tuple(found.values())


def runs(blocks: Iterable[Block]) -> Iterator[Run]:
    """The lines that belong together, each with its number: a heading, a cell, a paragraph, a list entry."""
    run: Run = []
    in_list = False
    last = 0
    for block in blocks:
        follows, last = block.line == last + 1, block.line
        if isinstance(block, Text) and run and follows:
            run.append((block.line, block.text))
            continue
        if run:
            yield run
        run = []
        if isinstance(block, Table):
            yield from _cells(block)
        elif isinstance(block, Heading):
            in_list = False
            yield [(block.line, block.text)]
        elif block.indent >= CODE_INDENT and not in_list and not follows:
            last = 0
        else:
            in_list = isinstance(block, Item) or (in_list and block.indent > 0)
            run = [(block.line, block.text)]
    if run:
        yield run


def _cells(table: Table) -> Iterator[Run]:
    for line, cells in ((table.line, table.header), *((row.line, row.cells) for row in table.rows)):
        yield from ([(line, cell)] for cell in cells)


def _quoted(quotes: Sequence[Text]) -> Iterator[Run]:
    """The same of quotes, each read as a text of its own."""
    for _, group in groupby(enumerate(quotes), key=lambda numbered: numbered[1].line - numbered[0]):
        together = [quote for _, quote in group]
        lines = [QUOTE.sub("", quote.text, count=1) for quote in together]
        before = together[0].line - 1
        for run in runs(read_blocks(without_comments_and_code(lines))):
            yield [(before + line, text) for line, text in run]


def _references(run: Run) -> list[Reference]:
    """The links of lines that belong together, by line."""
    return sorted(chain(_definitions(run), _links(run)), key=lambda reference: reference.line)


def _definitions(run: Run) -> Iterator[Reference]:
    for line, text in run:
        defined = DEFINITION.match(text) if text.startswith("[") else None
        if defined:
            yield Reference("link", unescape(defined[1] or defined[2]), "", line)


def _links(run: Run) -> Iterator[Reference]:
    joined = "\n".join(text for _, text in run)
    links = find_links(joined)
    starts = list(accumulate((len(text) + 1 for _, text in run), initial=0)) if links else []
    for link in links:
        line = run[bisect_right(starts, link.start) - 1][0]
        if joined.startswith(("[[", "![["), link.start) and link.kind != "link":
            yield from _wikilinks(joined, link, line)
        elif link.kind == "link":
            yield Reference("link", unescape(link.target), "", line)


def _wikilinks(joined: str, link: Link, line: int) -> Iterator[Reference]:
    """A wikilink or an embedded page; `[[ -f x ]]` is a shell's test, and none goes over two lines."""
    inside = joined[link.start : link.end].lstrip("![")
    if inside and not inside[0].isspace() and "\n" not in inside:
        yield Reference("wikilink", link.target, link.label, line)


def _mentions(block: FrontMatter | None) -> Iterator[Reference]:
    if block is None or not ("[[" in block.text or ".md" in block.text):
        return
    for line, text in enumerate(block.text.split("\n"), start=2):
        for link in islice(find_links(text), REFERENCE_LIMIT):
            if link.kind == "wikilink":
                yield Reference("mention", link.target, link.label, line)
        for name in BETWEEN_NAMES.split(text) if ".md" in text else ():
            if name.partition("#")[0].endswith(".md"):
                yield Reference("mention", name, "", line)
