"""HTML while it is written: elements that are open, and the language of each piece of text.  Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pipeline.messages import Language, language_of

DEEPEST = 40
LANG_LETTERS = len(' lang="en"')


@dataclass(slots=True, eq=False)
class Block:
    """A piece of text in one language; its opening tag stands at `at` of `out` and ends in `>`."""

    out: list[str]
    at: int
    above: Block | None
    texts: list[str] = field(default_factory=list)
    lang: Language = "en"

    @property
    def text(self) -> str:
        """What is said in it, on one line."""
        return " ".join("".join(self.texts).split())


@dataclass(slots=True, eq=False)
class Element:
    """An open element; `finish` is called with it before `closing` is written."""

    closing: str
    out: list[str]
    at: int
    finish: Callable[[Element], None] | None = None
    detail: Any = None
    block: Block | None = None

    @property
    def text(self) -> str:
        """What is said in its block."""
        return "" if self.block is None else self.block.text


class Paper:
    """Pieces of HTML in `out`, in order; `size` is at least the letters of all of them.

    `lang` is the language around it.  Elements deeper than 40 are left out, their text stays.
    """

    def __init__(self, lang: Language) -> None:
        self.lang = lang
        self.out: list[str] = []
        self.size = 0
        self._aside: list[list[str]] = []
        self._open: list[Element] = []
        self._blocks: list[Block] = []
        self._block: Block | None = None

    @property
    def is_deep(self) -> bool:
        """Whether no further element has room here."""
        return len(self._open) >= DEEPEST

    def put(self, html: str) -> None:
        """Write a piece."""
        self.out.append(html)
        self.size += len(html)

    def hear(self, text: str) -> None:
        """Note what the innermost block says."""
        if self._block is not None:
            self._block.texts.append(text)

    def push(
        self, opening: str, closing: str, finish: Callable[[Element], None] | None = None, detail: Any = None
    ) -> None:
        """Open an element."""
        self._open.append(Element(closing, self.out, len(self.out), finish, detail))
        self.put(opening)

    def push_block(
        self, opening: str, closing: str, finish: Callable[[Element], None] | None = None, detail: Any = None
    ) -> None:
        """Open an element whose text has a language of its own."""
        self._block = Block(self.out, len(self.out), self._block)
        self._blocks.append(self._block)
        self.size += LANG_LETTERS
        self.push(opening, closing, finish, detail)
        self._open[-1].block = self._block

    def pop(self) -> None:
        """Close the innermost element."""
        ended = self._open.pop()
        if ended.finish:
            ended.finish(ended)
        if ended.block is not None:
            self._block = ended.block.above
        self.put(ended.closing)

    def step_aside(self) -> None:
        """Write elsewhere, until `step_back`."""
        self._aside.append(self.out)
        self.out = []

    def step_back(self) -> list[str]:
        """What was written elsewhere."""
        written, self.out = self.out, self._aside.pop()
        return written

    def close(self) -> None:
        """Close all elements, and mark the blocks that speak another language than what is around them."""
        while self._open:
            self.pop()
        for block in self._blocks:
            _mark(block, self.lang)


def _mark(block: Block, lang: Language) -> None:
    around = lang if block.above is None else block.above.lang
    text = "".join(block.texts)
    block.lang = language_of(text, around)
    opening = block.out[block.at] if block.at < len(block.out) else ""
    if block.lang != around and opening.endswith(">"):
        block.out[block.at] = f'{opening[:-1]} lang="{block.lang}">'
