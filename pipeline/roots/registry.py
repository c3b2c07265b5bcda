"""knowledge-roots-index-v1.md: `path => root`, one hint a line.  Pure, never raises.

A line grants nothing and forbids nothing: every file of a root is read by its id whether a line names it or not.
Lines in code fences and HTML comments are examples.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from pipeline import text
from pipeline.model.roots import Registry, RegistryEntry, RegistryWarning

INDEX = "work/local/knowledge-roots-index-v1.md"
PRIMARY = "user"
ARROW = "=>"
ROOT = re.compile(r"[\w.-]+\Z")
FENCES = ("```", "~~~")
BULLETS = ("- ", "* ", "+ ")
OPEN, CLOSE = "<!--", "-->"


def read_registry(written: str, read_only: Collection[str]) -> Registry:
    """Read the hints; those of `read_only` roots count, and of the same hint said twice the first."""
    entries: dict[tuple[str, str, bool], RegistryEntry] = {}
    warnings: list[RegistryWarning] = []
    known = {root.casefold() for root in read_only}
    for number, line in shown_lines(written):
        found = _read_line(number, line)
        if found is None:
            continue
        if isinstance(found, str):
            warnings.append(RegistryWarning(line=number, text=text.line(line), reason=found))
            continue
        key = (found.root.casefold(), found.path, found.is_prefix)
        reason = _why_not(found, known, entries.get(key))
        if reason is None:
            entries[key] = found
        else:
            warnings.append(RegistryWarning(line=number, text=text.line(line), reason=reason))
    return Registry(entries=tuple(entries.values()), warnings=tuple(warnings))


def shown_lines(written: str) -> Iterator[tuple[int, str]]:
    """The lines outside of fences and comments, trimmed, with their numbers from 1; blank ones are left out."""
    fence = ""
    in_comment = False
    for number, raw in enumerate(text.body(written.removeprefix("\ufeff")).split("\n"), start=1):
        line = raw.strip()
        if not in_comment and line.startswith(FENCES):
            mark = line[:3]
            fence = mark if not fence else "" if fence == mark else fence
            continue
        if fence:
            continue
        line, in_comment = _without_comments(line, in_comment)
        if line:
            yield number, line


def _without_comments(line: str, in_comment: bool) -> tuple[str, bool]:
    """What a line says outside of comments, and whether one is still open behind it."""
    kept: list[str] = []
    while line:
        if in_comment:
            _, closed, line = line.partition(CLOSE)
            in_comment = not closed
        else:
            before, opened, line = line.partition(OPEN)
            kept.append(before)
            in_comment = bool(opened)
    return "".join(kept).strip(), in_comment


def _read_line(number: int, line: str) -> RegistryEntry | str | None:
    """A hint; or why a line is none; or None for what means to be none."""
    if line.startswith("#"):
        return None
    if line.startswith(BULLETS):
        line = line[2:].lstrip()
    path, arrow, root = line.partition(" #")[0].rstrip().rpartition(ARROW)
    if not arrow:
        return f"no hint: expected `path {ARROW} root`"
    path, root = (part.strip().strip("`").strip() for part in (path, root))
    if not ROOT.match(root):
        return "the root is not one word of letters, digits, `_`, `.` and `-`"
    if root.casefold() == PRIMARY:
        return None
    place = path.replace("\\", "/")
    return _why_no_path(place) or RegistryEntry(
        line=number, path=normal_path(place), root=root, is_prefix=place.endswith("/")
    )


def _why_no_path(path: str) -> str | None:
    if not path:
        return "there is no path before the arrow"
    if "<" in path or ">" in path.replace(ARROW, ""):
        return "the path holds a placeholder in angle brackets: write the folder's name"
    if any(letter.isspace() for letter in path) or "#" in path:
        return "the path holds a blank or `#`"
    if "*" in path:
        return "the path holds `*`: end a folder with `/` instead"
    if ".." in path.split("/"):
        return "the path leaves the root: `..` is not followed"
    return None


def normal_path(path: str) -> str:
    """A path below knowledge/, whatever was written before it, without a slash at its ends."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "/".join(parts[1:] if parts[:1] == ["knowledge"] else parts)


def _why_not(entry: RegistryEntry, known: Collection[str], first: RegistryEntry | None) -> str | None:
    if entry.root.casefold() not in known:
        return f"no read-only root is called {text.line(entry.root)}"
    return None if first is None else f"said before, in line {first.line}"
