"""projects.toml: which projects the hub knows.  Changed by the hub alone while it runs, whole at every change."""

from __future__ import annotations

import json
import re
import threading
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mcp_server.hub.errors import BadArgument, LabelTaken, NotFound
from pipeline import files
from pipeline.catalog.names import quoted
from pipeline.errors import ConfigError
from pipeline.text import line

LABEL = re.compile(r"[A-Za-z0-9_-]{1,40}\Z")
KEYS = ("label", "name", "wiki_root", "author")
MOST = 1_000
HEAD = "# Projects of sdlc-hub.  Stop the hub before you edit this.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """A label of people's choice, and the page under which a project's wiki lies; `project` on the wire."""

    label: str
    name: str
    wiki_root: str | None
    author: str


class Registry:
    """The projects of one state folder, by label; safe to use from any thread."""

    def __init__(self, path: Path) -> None:
        """Read the file; without one there is no project.

        Raises:
            ConfigError: it is not as we write it; every mistake at once.
        """
        self._path = path
        self._lock = threading.Lock()
        self._bindings = {binding.label: binding for binding in _load(path)}

    def all(self) -> tuple[Binding, ...]:
        """Every project, by label."""
        bindings = self._bindings
        return tuple(bindings[label] for label in sorted(bindings))

    def get(self, label: str) -> Binding:
        """One project.

        Raises:
            NotFound: no such label.
        """
        try:
            return self._bindings[label]
        except KeyError:
            raise NotFound(f"no project {quoted(label)}; GET /projects lists the {len(self._bindings)}") from None

    def add(self, binding: Binding) -> None:
        """Remember a new project.

        Raises:
            LabelTaken: another has its label.
            BadArgument: there are 1,000 already.
        """
        with self._lock:
            if binding.label in self._bindings:
                raise LabelTaken(f"the label {binding.label} is taken; choose another, or PATCH /projects/<label>")
            if len(self._bindings) >= MOST:
                raise BadArgument(f"there are {MOST:,} projects already; remove some from projects.toml")
            self._write({**self._bindings, binding.label: binding})

    def set_root(self, label: str, root: str) -> Binding:
        """Give a project another root.

        Raises:
            NotFound: no such label.
        """
        with self._lock:
            changed = replace(self.get(label), wiki_root=root)
            self._write({**self._bindings, label: changed})
        return changed

    def _write(self, bindings: Mapping[str, Binding]) -> None:
        content = dump(bindings[label] for label in sorted(bindings))
        files.write_atomic(self._path, content, durable=True)
        self._bindings = dict(bindings)


def dump(bindings: Iterable[Binding]) -> bytes:
    """The file of these projects, whose texts are single lines: TOML quotes them as JSON does."""
    rows = ["\n[[project]]\n" + "".join(_lines(binding)) for binding in bindings]
    return (HEAD + "".join(rows)).encode()


def load(raw: bytes) -> tuple[Binding, ...]:
    """The projects of a file.

    Raises:
        ConfigError: every mistake, each with its place.
    """
    try:
        found = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError((f"projects.toml is not TOML: {line(str(error))}",)) from None
    rows = found.get("project", [])
    if not isinstance(rows, list):
        raise ConfigError(("projects.toml: project is no list; expected [[project]] tables",))
    mistakes = [mistake for number, row in enumerate(rows, 1) for mistake in _mistakes(row, f"project {number}")]
    mistakes += [f"projects.toml: {key} is not known; expected [[project]] tables" for key in found if key != "project"]
    labels = [str(row.get("label")) for row in rows if isinstance(row, dict)]
    mistakes += [f"projects.toml: label {each} stands twice" for each in sorted(set(labels)) if labels.count(each) > 1]
    if mistakes:
        raise ConfigError(tuple(mistakes))
    return tuple(Binding(**{"wiki_root": None, **row}) for row in rows)


def _load(path: Path) -> tuple[Binding, ...]:
    raw = files.read_bytes(path)
    return () if raw is None else load(raw)


def _lines(binding: Binding) -> Iterable[str]:
    for key in KEYS:
        value = getattr(binding, key)
        if value is not None:
            yield f"{key} = {json.dumps(value, ensure_ascii=False)}\n"


def _mistakes(row: Any, place: str) -> Iterable[str]:
    if not isinstance(row, dict):
        yield f"projects.toml: {place} is no table; expected [[project]]"
        return
    for key in row.keys() - set(KEYS):
        yield f"projects.toml: {place} has an unknown key {key}; known: {', '.join(KEYS)}"
    for key in KEYS:
        value = row.get(key)
        if key == "wiki_root" and value is None:
            continue
        if not isinstance(value, str) or not value or line(value) != value:
            yield f"projects.toml: {place}: {key} is {line(repr(value), 60)}; expected one line of text in quotes"
        elif key == "label" and not LABEL.match(value):
            yield f"projects.toml: {place}: label is {quoted(value)}; expected 1 to 40 of A-Z a-z 0-9 _ -"
