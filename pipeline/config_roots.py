"""`[knowledge]` and `[workspace]` of a configuration file → `KnowledgeSettings`; every mistake with its place.

A file that another reader of knowledge roots was given loads as it is: `version = 1` and `[status]` are known, and
not used here.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.model.roots import KnowledgeSettings, RootConfig

TABLES = ("knowledge", "workspace", "status", "version")
KNOWLEDGE_KEYS = ("primary", "read_only", "roots")
ROW_KEYS = ("id", "path", "repo")
MAP_KEYS = ("scope_aliases", "scope_map")
PRIMARY_ID = "primary"

Complain = Callable[[str], None]


def read_roots(raw: Mapping[str, Any], base: Path, complain: Complain) -> KnowledgeSettings | None:
    """The roots that a file names, None where it names none; relative paths start from `base`."""
    version = raw.get("version", 1)
    if isinstance(version, bool) or not isinstance(version, int) or version > 1:
        complain(f"version is {_shown(version)}; expected 1")
    if "knowledge" not in raw:
        if "workspace" in raw:
            complain("workspace has no knowledge beside it; write the roots under [knowledge]")
        return None
    tables = {name: raw.get(name, {}) for name in ("knowledge", "workspace")}
    wrong = [name for name, table in tables.items() if not isinstance(table, dict)]
    for name in wrong:
        complain(f"{name} is not a table; write its settings under [{name}]")
    if wrong:
        return None
    return _Reader(base, complain).settings(tables["knowledge"], tables["workspace"])


class _Reader:
    """Reads the two tables and collects what is wrong with them."""

    def __init__(self, base: Path, complain: Complain) -> None:
        self.base = base
        self.complain = complain

    def settings(self, knowledge: Mapping[str, Any], workspace: Mapping[str, Any]) -> KnowledgeSettings:
        self._unknown(knowledge, KNOWLEDGE_KEYS, "knowledge.")
        self._unknown(workspace, (*MAP_KEYS, "default_scope"), "workspace.")
        named = tuple(self._named(knowledge.get("roots", {})))
        read_only = tuple(self._read_only(knowledge.get("read_only", [])))
        primary, roots = self._primary(knowledge.get("primary"), named)
        usual = KnowledgeSettings()
        return KnowledgeSettings(
            primary=primary,
            roots=self._without_twins((*roots, *read_only)),
            default_scope=self._word(workspace, "default_scope", usual.default_scope),
            scope_map=self._map(workspace, "scope_map", usual.scope_map),
            scope_aliases=self._map(workspace, "scope_aliases", usual.scope_aliases),
        )

    def _named(self, rows: object) -> Iterator[RootConfig]:
        """The writable ones, by name → path; a blank path is none."""
        if not isinstance(rows, dict):
            self.complain('knowledge.roots is not a table; write name = "path" under [knowledge.roots]')
            return
        for name, path in rows.items():
            place = f"knowledge.roots.{name}"
            if not isinstance(path, str):
                self.complain(f"{place} is {_shown(path)}; expected a path in quotes")
            elif path.strip():
                yield RootConfig(id=name.strip(), is_read_only=False, path=self._folder(path, place))

    def _read_only(self, rows: object) -> Iterator[RootConfig]:
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.complain("knowledge.read_only is not a list of tables; write each under [[knowledge.read_only]]")
            return
        for number, row in enumerate(rows, start=1):
            place = f"knowledge.read_only[{number}]."
            self._unknown(row, ROW_KEYS, place)
            given = {key: self._text(row, key, place) for key in ROW_KEYS}
            if given["id"] is None:
                self.complain(f"{place}id is missing; expected the word by which the root is asked for")
            if (given["path"] is None) == (given["repo"] is None):
                found = "both path and repo" if given["path"] else "neither path nor repo"
                self.complain(f"{place[:-1]} has {found}; expected one")
            elif given["id"] is not None:
                path = given["path"] and self._folder(given["path"], f"{place}path")
                yield RootConfig(id=given["id"], is_read_only=True, path=path, repo=given["repo"])

    def _primary(self, value: object, named: Sequence[RootConfig]) -> tuple[str, tuple[RootConfig, ...]]:
        if not isinstance(value, str) or not value.strip():
            self.complain("knowledge.primary is missing; expected a name of [knowledge.roots] or an absolute path")
            return "", tuple(named)
        known = {root.id.casefold(): root.id for root in named}
        if value.strip().casefold() in known:
            return known[value.strip().casefold()], tuple(named)
        if not _is_absolute(value.strip()):
            names = ", ".join(sorted(known.values())) or "none"
            self.complain(f"knowledge.primary is {_shown(value)}; expected a root ({names}) or an absolute path")
            return "", tuple(named)
        path = self._folder(value, "knowledge.primary")
        return PRIMARY_ID, (RootConfig(id=PRIMARY_ID, is_read_only=False, path=path), *named)

    def _without_twins(self, roots: Sequence[RootConfig]) -> tuple[RootConfig, ...]:
        """Each id once; a read-only root that is also a named one of the same place is that one."""
        seen: dict[str, RootConfig] = {}
        for root in roots:
            first = seen.setdefault(root.id.casefold(), root)
            if first is root:
                continue
            if root.is_read_only and not first.is_read_only and root.path == first.path:
                seen[root.id.casefold()] = root
                continue
            where = "[knowledge.roots]" if not first.is_read_only else "an earlier [[knowledge.read_only]]"
            self.complain(f"the root {_shown(root.id)} stands twice: it conflicts with {where}; give each its own id")
        return tuple(seen.values())

    def _folder(self, path: str, place: str) -> str:
        """An absolute path; a folder that is not there, or has no knowledge/ in it, is a mistake."""
        folder = self.base / Path(path.strip()).expanduser()
        if not folder.is_dir():
            self.complain(f"{place} is {_shown(path)}; there is no such folder")
        elif not (folder / "knowledge").is_dir():
            self.complain(f"{place} is {_shown(path)}; that folder has no knowledge/ in it")
        return str(folder)

    def _map(self, table: Mapping[str, Any], key: str, usual: str) -> str:
        value = self._word(table, key, usual).replace("\\", "/").lstrip("/")
        if ".." in value.split("/") or ":" in value:
            self.complain(f"workspace.{key} is {_shown(value)}; expected a path below knowledge/ of the primary root")
            return usual
        return value

    def _word(self, table: Mapping[str, Any], key: str, usual: str) -> str:
        return self._text(table, key, "workspace.") or usual

    def _text(self, table: Mapping[str, Any], key: str, place: str) -> str | None:
        value = table.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip():
            self.complain(f"{place}{key} is {_shown(value)}; expected a text in quotes")
            return None
        return value.strip()

    def _unknown(self, table: Mapping[str, Any], known: Sequence[str], place: str) -> None:
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(sorted(known))}"
                self.complain(f"{place}{key} is not a setting; {hint}")


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\\\", "~")) or path[1:3] in (":\\", ":/")


def _shown(value: object) -> str:
    """A value on one line, at most its first 60 letters."""
    return f'"{" ".join(value.split())[:60]}"' if isinstance(value, str) else " ".join(repr(value).split())[:60]
