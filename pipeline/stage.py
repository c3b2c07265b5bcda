"""build/stage: trees written only where bytes differ, and the marks of what each step was done with."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

from pipeline import codec, files, layout
from pipeline.layout import REPORT, ROOTS, ROOTS_FILE, SHARED, TOP_LEVEL, Layout

OUTPUTS = {
    "roots": (ROOTS_FILE, ROOTS),
    "index": (*(name for name in TOP_LEVEL if name != ROOTS_FILE), SHARED),
    "report": (REPORT,),
}
LIBRARIES = (
    "babel",
    "jinja2",
    "markupsafe",
    "nh3",
    "orjson",
    "pydantic",
    "pyromark",
    "python-frontmatter",
    "pyyaml",
)


def write_tree(folder: Path, contents: Iterable[tuple[str, bytes | None]]) -> None:
    """Make `folder` hold exactly these files; those that are right already (None: known to be) are not touched."""
    written = set()
    for name, content in contents:
        if content is not None:
            files.write_atomic(folder / name, content)
        written.add(name)
    for name in files.walk(folder):
        if name not in written:
            files.remove_file(folder, name)
    files.sweep(folder)


def adopt(beside: Path, folder: Path) -> None:
    """Let the tree `beside` take the place of `folder`, by one rename where there is none yet."""
    if folder.is_dir():
        write_tree(folder, [(name, (beside / name).read_bytes()) for name in files.walk(beside)])
    else:
        files.move(beside, folder)


def is_done(place: Layout, step: str, mark: str) -> bool:
    """True when `step` was last done with the inputs that `mark` stands for, and nobody touched what it made."""
    return recall(place.steps_json).get(step) == mark_of(mark, seal(place, step))


def set_done(place: Layout, step: str, mark: str) -> None:
    """Remember what `step` was done with, and how its files stand now."""
    remember(place.steps_json, {**recall(place.steps_json), step: mark_of(mark, seal(place, step))})


def mark_of(*inputs: object) -> str:
    """One digest of plain JSON inputs."""
    return hashlib.sha256(orjson.dumps(inputs, option=orjson.OPT_SORT_KEYS)).hexdigest()


def code_digest() -> str:
    """One digest of all that turns snapshots into artifacts: our code, our templates, their libraries."""
    total = hashlib.sha256()
    for folder in (Path(__file__).parent, layout.bundled("templates")):
        for name in files.walk(folder):
            if not name.endswith(".pyc"):
                total.update(f"{name}\0{files.sha256(folder / name)}\n".encode())
    total.update("".join(f"{name} {version(name)}\n" for name in LIBRARIES).encode())
    total.update(sqlite3.sqlite_version.encode())
    return total.hexdigest()


def seal(place: Layout, step: str) -> list[tuple[str, int, int]]:
    """Name, size and time of each file that `step` makes: enough to see an edit or a removal by hand."""
    return [row for name in OUTPUTS[step] for row in files.times(place.stage, name)]


def remember(path: Path, marks: Mapping[str, object]) -> None:
    """Store a record of ours."""
    files.write_atomic(path, codec.dump_json(marks))


def recall(path: Path) -> Mapping[str, Any]:
    """A record of ours; a damaged one counts as none."""
    raw = files.read_bytes(path)
    try:
        return dict(orjson.loads(raw)) if raw else {}
    except (orjson.JSONDecodeError, TypeError, ValueError):
        return {}
