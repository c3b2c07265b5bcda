"""The templates of the report, ready to print in one language."""

from __future__ import annotations

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pipeline import layout, messages
from pipeline.messages import Language, Messages

ASSETS = ("report.css", "report.js")


def open_press(language: Language) -> Environment:
    """Templates that escape everything, refuse unknown names and speak `language`."""
    words = messages.load(language)
    press = Environment(
        loader=FileSystemLoader(layout.bundled("templates"), encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    press.globals.update(_vocabulary(words))
    return press


def read_asset(name: str) -> bytes:
    """A file that the pages load."""
    return (layout.bundled("templates") / name).read_bytes()


def _vocabulary(words: Messages) -> dict[str, object]:
    """What a template may call: the message functions, and `lang` for a repository's text."""
    return {
        "language": words.language,
        "text": words.text,
        "template": words.texts.__getitem__,
        "count": words.count,
        "number": words.number,
        "day": words.day,
        "minute": words.minute,
        "lang": lambda written: messages.language_of(written, words.language),
    }
