"""What is read out of a knowledge root: a folder or repository with `knowledge/` in it, and a hot file beside it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryEntry:
    """One line of the registry: a hint that questions about `path` are answered in the root `root`.

    `path` is below knowledge/, without a slash at its ends; a prefix stands for all that is below it, and an empty
    one for the whole root.
    """

    line: int
    path: str
    root: str
    is_prefix: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryWarning:
    """A line that gives no hint, as written (at most 200 letters), and why."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """The registry of the primary root; both in the order of lines."""

    entries: tuple[RegistryEntry, ...] = ()
    warnings: tuple[RegistryWarning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A marked part of a Markdown file: `<!-- section:ID -->` to `<!-- /section:ID -->`, trimmed; its first line."""

    id: str
    content: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopePair:
    """A line of a scope map: a folder or a short word, and the scope that it means, in lower case."""

    line: int
    key: str
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContourRow:
    """A row of the contour table: a personal scope and the folder of the same thing in the group's root.

    `group` is None for a dash: the group has none.
    """

    line: int
    personal: str
    group: str | None
    label: str
    is_in_group: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeMaps:
    """The three maps that are no registry: folders → scope, words → scope, scope → folder of the group."""

    workspaces: tuple[ScopePair, ...] = ()
    aliases: tuple[ScopePair, ...] = ()
    contour: tuple[ContourRow, ...] = ()
    warnings: tuple[RegistryWarning, ...] = ()
