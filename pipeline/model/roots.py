"""What is read out of a knowledge root: a folder or repository with `knowledge/` in it, and a hot file beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pipeline.model.identity import RepositoryId

RootKind = Literal["path", "repo"]
RootState = Literal["ok", "stale", "missing"]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RootConfig:
    """One knowledge root as a person named it: by the `path` of its folder, or by the `repo` that sync brings."""

    id: str
    is_read_only: bool
    path: str | None = None
    repo: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeSettings:
    """`[knowledge]` and `[workspace]`: the roots, which of them is primary, and where its maps are below knowledge/."""

    primary: str = ""
    roots: tuple[RootConfig, ...] = ()
    default_scope: str = "example"
    scope_map: str = "example/workspace-scope-map-v1.md"
    scope_aliases: str = "example/scope-alias-map-v1.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class RootProblem:
    """A file of a root that is not shown, or not whole, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RootFile:
    """A file of a root; `path` is below its knowledge/ (of the hot file: beside it).

    `sha256` is of the bytes as they are in the root, None for more than 1 MiB and for what sync only lists.  The text,
    cleaned, is `length` bytes of the root's pack from `start` on; both are None for what is no text or too large.
    """

    path: str
    size_bytes: int
    sha256: str | None
    start: int | None
    length: int | None
    title: str | None
    sections: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RootListing:
    """roots/<id>.json: every file of one root, sorted by path, and the hot file beside knowledge/."""

    schema_version: int
    id: str
    hot: RootFile | None
    files: tuple[RootFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RootRow:
    """How one root stands.  `repository` is the one that it is, None for a folder; `revision` its commit or, of a
    folder, a digest of all its files.  `files` are those below knowledge/, `texts` those that can be read.
    """

    id: str
    kind: RootKind
    is_read_only: bool
    repository: RepositoryId | None
    state: RootState
    reason: str | None
    revision: str | None
    files: int
    texts: int
    size_bytes: int
    problems: tuple[RootProblem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HotSection:
    """A section of the hot file: where it begins and how long it is."""

    id: str
    line: int
    letters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HotFile:
    """The primary root's agent-notes.md: its sections in order, and the ids that are read first."""

    is_there: bool = False
    sections: tuple[HotSection, ...] = ()
    first: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RootsFile:
    """roots.json: every root in the order of the configuration, and what the primary one says about the others.

    `lost` are the lines of the registry's hints that lead to nothing in their root, ascending.
    """

    schema_version: int
    primary: str | None
    default_scope: str
    roots: tuple[RootRow, ...]
    registry: Registry
    lost: tuple[int, ...]
    hot: HotFile
    maps: ScopeMaps
