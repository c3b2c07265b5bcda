"""The maps of scopes.  Pure, never raises.

A workspace map tells the scope of a folder on the reader's disk, an alias map the scope of a short word, and the
contour table how a personal scope is called in the group's root.  None of them is the registry of hints, and none
chooses a root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline import text
from pipeline.model.roots import ContourRow, RegistryWarning, ScopeMaps, ScopePair, Section
from pipeline.roots.registry import ARROW, shown_lines

WORKSPACES = "work/local/workspace-scope-map-v1.md"
ALIASES = "work/local/scope-alias-map-v1.md"
CONTOUR = "work/org/scope-contour-map-v1.md"
FALLBACK_SECTIONS = ("workspace-scope-map-v1", "scope-map-v1")
WORD = re.compile(r"[\w.-]{1,200}\Z")
DRIVE = re.compile(r"[A-Za-z]:[\\/]")
CELL_BREAK = re.compile(r"(?<!\\)\|")
NO_GROUP = frozenset(("", "—", "–", "-"))
YES = frozenset(("yes", "да", "y", "true", "+"))
NO = frozenset(("no", "нет", "n", "false", "-", "—", "–"))

Answered = Literal["asked", "alias", "workspace", "current", "default"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A scope, which map it is from, the line there (None for no map), and what was odd on the way."""

    scope: str
    answered_by: Answered
    line: int | None = None
    warning: str | None = None


def read_maps(
    workspaces: str | None, aliases: str | None, contour: str | None, hot: Sequence[Section] = ()
) -> ScopeMaps:
    """Read the maps that are there; a workspace map that is not may stand in a section of the hot file."""
    sections = {section.id: section.content for section in hot}
    fallback = next((sections[name] for name in FALLBACK_SECTIONS if name in sections), "")
    rows, warnings = read_contour(contour or "")
    return ScopeMaps(
        workspaces=tuple(pair for pair in _pairs(fallback if workspaces is None else workspaces) if _is_path(pair.key)),
        aliases=_last_of_each(pair for pair in _pairs(aliases or "") if WORD.match(pair.key)),
        contour=rows,
        warnings=warnings,
    )


def _pairs(written: str) -> Iterator[ScopePair]:
    for number, line in shown_lines(written):
        if line.startswith("#"):
            continue
        said = line.removeprefix("-").strip()
        parts = said.split(ARROW)
        if len(parts) != 2:
            parts = _halves(said)
        key, scope = (part.strip().strip("`").strip() for part in parts)
        if key and WORD.match(scope):
            yield ScopePair(line=number, key=key, scope=scope.lower())


def _halves(said: str) -> list[str]:
    """Around the first colon that is not a drive's, else around the first `=`."""
    skipped = 2 if DRIVE.match(said) else 0
    for mark in (":", "="):
        before, found, after = said[skipped:].partition(mark)
        if found:
            return [said[:skipped] + before, after]
    return [said, ""]


def _last_of_each(pairs: Iterator[ScopePair]) -> tuple[ScopePair, ...]:
    return tuple({pair.key.lower(): pair for pair in pairs}.values())


def _is_path(key: str) -> bool:
    return key.startswith(("/", "\\\\")) or DRIVE.match(key) is not None


def read_contour(written: str) -> tuple[tuple[ContourRow, ...], tuple[RegistryWarning, ...]]:
    """The rows of its tables of four columns; a row that cannot be read is told, and of twins the first counts."""
    rows: dict[str, ContourRow] = {}
    warnings: list[RegistryWarning] = []
    lines = [(number, line, _cells(line)) for number, line in shown_lines(written)]
    for place, (number, line, cells) in enumerate(lines):
        below = lines[place + 1][2] if place + 1 < len(lines) else None
        if cells is None or _is_rule(cells) or (below is not None and _is_rule(below)):
            continue
        row, reason = _contour_row(number, cells)
        if row is not None and row.personal in rows:
            reason = f"the scope stands before, in line {rows[row.personal].line}"
        elif row is not None:
            rows[row.personal] = row
        if reason is not None:
            warnings.append(RegistryWarning(line=number, text=text.line(line), reason=reason))
    return tuple(rows.values()), tuple(warnings)


def _cells(line: str) -> list[str] | None:
    if not line.startswith("|"):
        return None
    inside = line[1:].removesuffix("|") if not line.endswith("\\|") else line[1:]
    return [text.line(cell.replace("\\|", "|").strip().strip("`").strip()) for cell in CELL_BREAK.split(inside)]


def _is_rule(cells: Sequence[str]) -> bool:
    return all(set(cell) <= set("-: ") for cell in cells)


def _contour_row(number: int, cells: Sequence[str]) -> tuple[ContourRow | None, str | None]:
    """A row; or why it is none."""
    if len(cells) < 4:
        return None, f"{len(cells)} columns; expected scope, group folder, label, in group (yes or no)"
    personal, group, label, answer = cells[0], cells[1], cells[2], cells[3].casefold()
    if answer not in YES | NO:
        return None, "the last column is neither yes nor no"
    if not personal:
        return None, "there is no personal scope"
    known = None if group in NO_GROUP else group
    return ContourRow(line=number, personal=personal, group=known, label=label, is_in_group=answer in YES), None


def resolve(maps: ScopeMaps, *, asked: str | None, workspace: str | None, current: str | None, default: str) -> Scope:
    """The scope in force: the asked one (an alias means its scope), the folder's, the current one, the default."""
    if asked:
        return _named(maps, asked)
    pair = None if workspace is None else _nearest(maps.workspaces, workspace)
    if pair is not None:
        return Scope(scope=pair.scope, answered_by="workspace", line=pair.line)
    if current:
        return Scope(scope=current.lower(), answered_by="current")
    return Scope(scope=default.lower(), answered_by="default")


def _named(maps: ScopeMaps, asked: str) -> Scope:
    aliases = {pair.key.lower(): pair for pair in maps.aliases}
    pair = aliases.get(asked.lower())
    if pair is None:
        return Scope(scope=asked.lower(), answered_by="asked")
    further = aliases.get(pair.scope)
    goes_on = further is not None and further.scope != pair.scope
    warning = f"{pair.scope} is itself an alias: one step is taken, not two" if goes_on else None
    return Scope(scope=pair.scope, answered_by="alias", line=pair.line, warning=warning)


def _nearest(pairs: Sequence[ScopePair], workspace: str) -> ScopePair | None:
    """The pair of the folder itself or of its nearest ancestor; of two for one folder the first."""
    place = _normal(workspace)
    over = [pair for pair in pairs if place == _normal(pair.key) or place.startswith(f"{_normal(pair.key)}/")]
    return max(over, key=lambda pair: len(_normal(pair.key)), default=None)


def _normal(path: str) -> str:
    """A folder's path for comparing: forward slashes, none at the end; drives have no capitals."""
    parts = path.replace("\\", "/").rstrip("/")
    return parts.casefold() if DRIVE.match(path) or path.startswith("\\\\") else parts


def current_scope(hot: Sequence[Section]) -> str | None:
    """What the hot file's section `active-scope` says in a line `current: X`."""
    said = next((section.content for section in hot if section.id == "active-scope"), "")
    for line in said.split("\n"):
        name, colon, value = line.strip().lstrip("-*").strip().replace("`", "").replace("**", "").partition(":")
        if colon and name.strip().casefold() == "current" and value.split():
            return value.split()[0]
    return None
