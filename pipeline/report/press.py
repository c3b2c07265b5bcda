"""The templates of the report, ready to print in one language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from pipeline import layout, messages, scripts
from pipeline.messages import Language, Messages
from pipeline.report.days import iso

TEMPLATES = "templates/report"
SCRIPT = "script_"
# Words of a script that few pages load travel with it: tables by the script's name.
SAID_BY = {
    "lists": ("script_lists", "script_lists_counts", "status", "state", "unknown"),
    "changes": ("script_changes",),
    "search": ("script_search",),
    "home": ("script_news", "script_looks", "status", "state"),
}


class Compiled(BytecodeCache):
    """What templates were compiled to, kept for the life of the process, by what stands in them."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give back what was compiled; jinja looks whether it is of the same source."""
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self.kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()


def open_press(language: Language) -> Environment:
    """Templates that escape everything, refuse unknown names and speak `language`."""
    words = messages.load(language)
    press = Environment(
        loader=FileSystemLoader(layout.bundled(TEMPLATES), encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=COMPILED,
    )
    press.globals.update(_vocabulary(words))
    return press


def assets(language: Language) -> Iterator[tuple[str, bytes]]:
    """The files that the pages load, by site path: one style, made of all of ours in their order, and each script.

    A script is a file, or a folder of files that are joined in their order; the words that it says come first.
    """
    home = layout.bundled(TEMPLATES)
    said = messages.load(language)
    yield "a/report.css", _joined(home / "css")
    for path in sorted((home / "js").iterdir()):
        yield f"a/{path.stem}.js", _words_of(said, path.stem) + _joined(path)


def _words_of(said: Messages, script: str) -> bytes:
    """What a script says: its own tables; that of every page says those called `script_*` that no other one says."""
    if script in SAID_BY:
        return scripts.call("PM.learn", said.of_tables(SAID_BY[script]))
    own = {table for tables in SAID_BY.values() for table in tables}
    common = [table for table in said.tables() if table.startswith(SCRIPT) and table not in own]
    return scripts.assignment("PM_WORDS", said.of_tables(common)) if script == "report" else b""


def _joined(path: Path) -> bytes:
    """A file, or those of a folder one after the other."""
    return b"".join(part.read_bytes() for part in sorted(path.iterdir())) if path.is_dir() else path.read_bytes()


def _vocabulary(words: Messages) -> dict[str, object]:
    """What a template may call: the message functions, and `lang` for a repository's text."""
    return {
        "language": words.language,
        "text": words.text,
        "count": words.count,
        "number": words.number,
        "day": words.day,
        "minute": words.minute,
        "iso": iso,
        "lang": lambda written: messages.language_of(written, words.language),
    }
