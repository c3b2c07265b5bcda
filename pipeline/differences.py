"""What changed between two texts, as git counts and prints it.  Pure.

libgit2 carries git's own xdiff, so the numbers and the hunks are git's.
"""

from __future__ import annotations

import re

import pygit2
from pygit2.enums import DiffOption

from pipeline import text
from pipeline.model import RepoPath
from pipeline.renames import is_binary

SIZE_LIMIT = 1024 * 1024
LINES_LIMIT = 100_000
PATH_LIMIT = 1_000
AS_GIT = DiffOption.FORCE_TEXT | DiffOption.INDENT_HEURISTIC
HUNK = re.compile(rb"^@@ ", re.MULTILINE)
RETURNS = re.compile("\r+(?=\n)")


def count_lines(before: bytes | None, after: bytes | None) -> tuple[int, int] | None:
    """How many lines were added and removed, as `git diff --numstat`; None stands for a file that is not there.

    None as well where there is nothing to count: a binary file, one over 1 MiB or over 100,000 lines.
    """
    if _refusal(before, after):
        return None
    if before == after:
        return 0, 0
    if not before or not after:
        return _lines(after or b""), _lines(before or b"")
    _, added, removed = pygit2.Patch.create_from(before, after, flag=AS_GIT).line_stats
    return added, removed


def unified_diff(before: bytes | None, after: bytes | None, old_path: RepoPath, new_path: RepoPath) -> str:
    """What `git diff` prints for one file, for people: its names, then its hunks with three lines around each.

    Left out are the lines that only a program reads (`diff --git`, `index`, `similarity index`, modes).  None stands
    for a file that is not there (`/dev/null`).  Every line that is not git's begins with ` `, `+` or `-`: of a text's
    own breaks only LF is one.  Equal texts under one name give an empty text.
    """
    names = _names(before, after, text.line(old_path, PATH_LIMIT), text.line(new_path, PATH_LIMIT))
    refusal = _refusal(before, after)
    if before == after:
        return _renamed(old_path, new_path)
    if refusal:
        return f"{_renamed(old_path, new_path)}{refusal} {names[0]} and {names[1]} differ\n"
    hunks = _hunks(before or b"", after or b"")
    shown = f"--- {names[0]}\n+++ {names[1]}\n{hunks}" if hunks else ""
    return f"{_renamed(old_path, new_path)}{shown}"


def _names(before: bytes | None, after: bytes | None, old: str, new: str) -> tuple[str, str]:
    return "/dev/null" if before is None else f"a/{old}", "/dev/null" if after is None else f"b/{new}"


def _renamed(old_path: RepoPath, new_path: RepoPath) -> str:
    if old_path == new_path:
        return ""
    return f"rename from {text.line(old_path, PATH_LIMIT)}\nrename to {text.line(new_path, PATH_LIMIT)}\n"


def _refusal(before: bytes | None, after: bytes | None) -> str | None:
    """Why two files are not compared, in the first words of a line about it."""
    texts = (before or b"", after or b"")
    if any(map(is_binary, texts)):
        return "Binary files"
    if any(len(one) > SIZE_LIMIT for one in texts):
        return "Files larger than 1 MiB"
    return "Files of very many lines" if any(_lines(one) > LINES_LIMIT for one in texts) else None


def _lines(raw: bytes) -> int:
    return raw.count(b"\n") + (not raw.endswith(b"\n") and raw != b"")


def _hunks(before: bytes, after: bytes) -> str:
    printed = pygit2.Patch.create_from(before, after, flag=AS_GIT).data or b""
    start = HUNK.search(printed)
    if start is None:
        return ""
    decoded = printed[start.start() :].decode("utf-8", errors="replace")
    return text.body(RETURNS.sub("", decoded).replace("\r", " "))
