"""How a link of a repository's text looks, by where it leads.  Pure."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from pipeline.report.destinations import Destination
from pipeline.report.words import Words

REL = "noopener noreferrer nofollow"


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands before and after the text of a link."""

    opening: str
    closing: str


def frame(place: Destination, words: Words, small: str, *, is_image: bool) -> Frame:
    """The tags around a link; `small` is the tag of our own words.

    What is not in the report is never loaded: a picture is a link that names its host.
    """
    what = words.image if is_image else words.file
    match place.kind:
        case "page":
            return Frame(f'<a href="{escape(place.href)}">', "</a>")
        case "outside":
            note = f" {small}{escape(what)} · {escape(place.host)}</small>" if is_image else ""
            return Frame(_outside(place.href), f"{note}</a>")
        case "file" if place.href:
            return Frame(_outside(place.href), f" {small}{escape(what)} · {escape(place.host)}</small></a>")
        case "file":
            return Frame("", f" {small}{escape(what)}</small>")
        case "dead":
            return Frame('<span class="dead">', f" {small}{escape(words.dead)}</small></span>")
        case "plain":
            return Frame("", f" {small}{escape(what)}</small>" if is_image else "")


def _outside(address: str) -> str:
    return f'<a class="out" href="{escape(address)}" rel="{REL}">'
