"""Marked parts of Markdown files, and which of the hot file's are read first.  Pure, never raises."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from pipeline.model.roots import Section

HOT_FILE = "agent-notes.md"
MANIFEST = "META/memory-architecture-v1.json"
ARCHITECTURE = "memory-architecture-v1"
MARK = re.compile(r"<!--[ \t]{0,40}(/?)section:([A-Za-z0-9._-]{1,200})[ \t]{0,40}-->")
MANIFEST_LINE = re.compile(r"^[ \t]*l0_manifest:[ \t]*(\S+)", re.MULTILINE)
# What is read first where nothing says otherwise: names that hot files in use agree on.
USUAL_FIRST = (
    "baseline-integrity-epistemic-v1",
    "agent-equal-standing-v1",
    "epistemic-default-distrust-v1",
    "core-when-barriers-fail-v1",
    "principled-clarity-v1",
    "active-scope",
    "response-finalizer-v1",
    "response-one-step-before-finish-v1",
    "scope-disambiguation-all-everywhere-v1",
)


def read_sections(written: str) -> tuple[Section, ...]:
    """The sections of a file, in its order; of one id the last counts, in its own place.

    One without its end mark is none; what stands inside of another is part of that one.
    """
    found = {section.id: section for section in _sections(written)}
    return tuple(sorted(found.values(), key=lambda section: section.line))


def _sections(written: str) -> Iterator[Section]:
    marks = list(MARK.finditer(written))
    closing: dict[str, list[int]] = {}
    for place, mark in enumerate(marks):
        if mark[1]:
            closing.setdefault(mark[2], []).append(place)
    for places in closing.values():
        places.reverse()
    line, counted, after = 1, 0, 0
    for place, mark in enumerate(marks):
        if mark[1] or place < after:
            continue
        ends = closing.get(mark[2], [])
        while ends and ends[-1] < place:
            ends.pop()
        if not ends:
            continue
        line += written.count("\n", counted, mark.start())
        counted = mark.start()
        after = ends[-1] + 1
        yield Section(id=mark[2], content=written[mark.end() : marks[ends[-1]].start()].strip(), line=line)


def manifest_path(sections: Mapping[str, str]) -> str:
    """Where the list of what is read first stands, below the root's folder or below its knowledge/."""
    named = MANIFEST_LINE.search(sections.get(ARCHITECTURE, ""))
    return named[1] if named else f"knowledge/{MANIFEST}"


def first_ids(sections: Mapping[str, str], manifest: str | None) -> tuple[str, ...]:
    """The ids that are read first: of the manifest, else of the `### L0:` list, else the usual ones."""
    return _of_manifest(manifest) or _of_list(sections.get(ARCHITECTURE, "")) or USUAL_FIRST


def _of_manifest(manifest: str | None) -> tuple[str, ...]:
    try:
        told = json.loads(manifest or "{}")
    except (ValueError, RecursionError):
        return ()
    lists = [told.get(key, []) for key in ("l0", "l0_owner")] if isinstance(told, dict) else []
    return _once(each for each in lists if isinstance(each, list) for each in each if isinstance(each, str))


def _of_list(written: str) -> tuple[str, ...]:
    inside = False
    found: list[str] = []
    for line in map(str.strip, written.split("\n")):
        if line.startswith("### "):
            inside = line.startswith("### L0:")
        elif inside and line.startswith(("- ", "* ")):
            found.extend(line[2:].replace("`", " ").split()[:1])
    return _once(found)


def _once(ids: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
