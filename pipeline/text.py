"""The only normalisers of untrusted text, and the one fold that search rests on.  Pure.

`decode` bytes → text, `body` many lines, `line` one line, `fold` for comparing, `Folded` for finding
the place of a folded match in the text as written.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

LINE_LIMIT = 200
MAPPED_LETTERS = 32
LONGEST_LETTER = 64
BLANKS = (" ", "\n", "\t")
BREAKS = re.compile("\r\n|\r")
ODD_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Bidi controls, zero-width letters but the joiners, soft hyphen, interlinear marks, tags, BOM, C0 and C1.
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
)
JOINERS = re.compile("[\u200c\u200d\ufe0f]")


def decode(raw: bytes) -> tuple[str, bool]:
    """Read bytes as UTF-8 (a BOM is dropped); True when that went without replacing anything."""
    try:
        return raw.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        return raw.decode("utf-8-sig", errors="replace"), False


def body(text: str) -> str:
    """Text of many lines "as written": LF only, no control, bidi, tag or zero-width letters, nothing else.

    A separator that is not LF becomes a space, so that line numbers stay git's.  Idempotent.
    """
    unified = ODD_BREAKS.sub(" ", BREAKS.sub("\n", text))
    return _joined(INVISIBLE.sub("", unified))


def line(text: str, limit: int = LINE_LIMIT) -> str:
    """Text of one line: breaks of every kind and runs of space become one space, cut at `limit` with `…`.
    Idempotent.
    """
    flat = " ".join(body(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def _joined(text: str) -> str:
    """Keep joiners and VS16 only where they join: after a letter, mark or symbol."""
    if not JOINERS.search(text):
        return text
    kept: list[str] = []
    for letter in text:
        if not JOINERS.match(letter) or (kept and _joins(kept[-1], letter)):
            kept.append(letter)
    while kept and kept[-1] in "\u200c\u200d":
        kept.pop()
    return "".join(kept)


def _joins(before: str, joiner: str) -> bool:
    if before in "\u200c\u200d":
        return False
    if before == "\ufe0f":
        return joiner == "\u200d"
    if joiner == "\ufe0f":
        return before in "#*0123456789" or unicodedata.category(before)[0] == "S" or before in "\u203c\u2049"
    return unicodedata.category(before)[0] in "LMS"


def fold(text: str) -> str:
    """Fold for comparing: `NFC(NFC(text).casefold())`, then ё → е.  The report's script has the same."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return unicodedata.normalize("NFC", folded).replace("ё", "е")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text, its fold, and for each folded letter the place in the text where it came from."""

    text: str
    folded: str
    offsets: tuple[int, ...]


def fold_with_offsets(text: str) -> Folded:
    """Fold `text` run by run (a letter with the marks that follow it), keeping where each came from."""
    if text.isascii():
        return Folded(text, text.lower(), tuple(range(len(text))))
    pieces: list[str] = []
    offsets: list[int] = []
    for start, end in _runs(text):
        piece = fold(text[start:end])
        pieces.append(piece)
        offsets.extend([start] * len(piece))
    return Folded(text, "".join(pieces), tuple(offsets))


def _runs(text: str) -> list[tuple[int, int]]:
    """Cut `text` where normalisation cannot reach across: before each letter that starts anew."""
    starts = [i for i, letter in enumerate(text) if i == 0 or _starts(letter)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _starts(letter: str) -> bool:
    if letter < "\u0300":
        return True
    hangul = "\u1160" <= letter <= "\u11ff"
    return unicodedata.combining(letter) == 0 and unicodedata.category(letter)[0] != "M" and not hangul


def first_place(text: str, terms: tuple[str, ...]) -> int | None:
    """Where in `text` the first match of any folded term begins; None when none is there.

    As `fold_with_offsets` says, but without mapping the whole of a long text.
    """
    folded = fold(text)
    places = [place for place in (folded.find(term) for term in terms if term) if place >= 0]
    if not places:
        return None
    start, end, left = 0, len(text), min(places)
    while end - start > MAPPED_LETTERS:
        middle = next((i for i in range((start + end) // 2, end) if _starts(text[i])), end)
        before = len(fold(text[start:middle]))
        if middle == end:
            break
        start, end, left = (middle, end, left - before) if left >= before else (start, middle, left)
    return start + fold_with_offsets(text[start:end]).offsets[left]


def snippet(text: str, terms: tuple[str, ...], width: int = 80) -> str:
    """About `width` letters around the first match of any folded term, cut at words; one line.

    Without a match: the beginning.  `…` marks what was cut.
    """
    place = first_place(text, terms) or 0
    start = max(0, min(place - width // 3, len(text) - width))
    end = min(len(text), start + width)
    if start > 0:
        space = max(text.find(blank, start, place) for blank in BLANKS)
        start = space + 1 if space >= 0 else _letter(text, start)
    if end < len(text):
        space = max(text.rfind(blank, place, end) for blank in BLANKS)
        end = space if space > place else _letter(text, end)
    cut = line(text[start:end], limit=width + 2)
    return f"{'…' if start > 0 else ''}{cut}{'…' if end < len(text) and not cut.endswith('…') else ''}"


def _letter(text: str, place: int) -> int:
    """The nearest place before `place` where a letter begins."""
    near = range(place, max(0, place - LONGEST_LETTER), -1)
    return next((i for i in near if _starts(text[i]) and text[i - 1] not in "\u200c\u200d"), place)
