"""The footnotes of one text: numbered as they are first named, written at its end.  Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from pipeline.report.anchors import Anchors


@dataclass(slots=True)
class Note:
    """One footnote: `body` is None until it is written, `sources` are the ids of the places that name it."""

    number: int
    id: str
    sources: list[str] = field(default_factory=list)
    body: list[str] | None = None


class Footnotes:
    """The notes of a text by the names that it gives them."""

    def __init__(self, anchors: Anchors) -> None:
        self._anchors = anchors
        self._notes: dict[str, Note] = {}

    def refer(self, name: str) -> str:
        """The mark of a place that names a note."""
        note = self._note(name)
        source = self._anchors.take(f"from-note-{note.number}")
        note.sources.append(source)
        return f'<sup><a href="#{note.id}" id="{source}">{note.number}</a></sup>'

    def define(self, name: str, body: list[str]) -> None:
        """Keep the text of a note; the first of a name counts."""
        note = self._note(name)
        note.body = body if note.body is None else note.body

    def write(self, heading: str, back: str) -> Iterator[str]:
        """All notes as HTML; nothing when there are none.  `back` is what a way back to the text is called."""
        if not self._notes:
            return
        yield f'<section class="notes" aria-label="{escape(heading)}"><hr><ol>\n'
        for note in self._notes.values():
            yield f'<li id="{note.id}">'
            yield from note.body or ()
            yield from (f' <a class="back" href="#{one}" aria-label="{escape(back)}">↩</a>' for one in note.sources)
            yield "</li>\n"
        yield "</ol></section>\n"

    def _note(self, name: str) -> Note:
        if name not in self._notes:
            number = len(self._notes) + 1
            self._notes[name] = Note(number, self._anchors.take(f"note-{number}"))
        return self._notes[name]
