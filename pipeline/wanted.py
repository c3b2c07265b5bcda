"""Which repositories the configuration asks for, and which folders of them (pure)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase

from pipeline.model import RepositoryId, Selection, Setting, SourceConfig, split_id

KNOWLEDGE = "knowledge"
SHARED = Selection(text_folders=("",), list_folders=(".wiki",))
PROJECT = Selection(text_folders=(".tasks", ".wiki"), list_folders=(".wiki",))
ROOT = Selection(text_folders=(".tasks", ".wiki", KNOWLEDGE), list_folders=(".wiki", KNOWLEDGE))
SHARED_ROOT = Selection(text_folders=("",), list_folders=(".wiki", KNOWLEDGE))


def is_wanted(repository: RepositoryId, source: SourceConfig) -> bool:
    """Whether the row asks for it: its owners (where it names any), its include, not its exclude."""
    _, owner, _ = split_id(repository)
    owners = source.settings.get("owners")
    if isinstance(owners, tuple) and owner.casefold() not in {str(each).casefold() for each in owners}:
        return False
    return _matches(repository, source.include) and not _matches(repository, source.exclude)


def names_of(repository: RepositoryId) -> tuple[str, ...]:
    """How people may call it: the whole id, `owner/name`, `name`."""
    parts = repository.split("/")
    return tuple("/".join(parts[start:]) for start in range(len(parts)))


def is_shared(repository: RepositoryId, shared_wiki: str) -> bool:
    """Whether it is the shared wiki, named by `name`, `owner/name` or the whole id."""
    return shared_wiki in names_of(repository)


def is_named(repository: RepositoryId, names: Collection[str]) -> bool:
    """Whether one of `names`, as people write them (`name`, `owner/name`, the whole id), means it.

    `names` are casefolded: forges do not tell capitals apart in names.
    """
    return bool(names) and any(name.casefold() in names for name in names_of(repository))


def selection(shared: bool, is_root: bool) -> Selection:
    """What is wanted of a repository: of a knowledge root its knowledge/ as well."""
    if shared:
        return SHARED_ROOT if is_root else SHARED
    return ROOT if is_root else PROJECT


def within(wanted: Selection, folders: Collection[str]) -> Selection:
    """The part of a selection that lies in `folders`, which are some of its own."""
    return Selection(
        text_folders=tuple(folder for folder in wanted.text_folders if folder in folders),
        list_folders=tuple(folder for folder in wanted.list_folders if folder in folders),
    )


def address_of(source: SourceConfig, settings: Sequence[Setting]) -> str:
    """A digest of where the row looks, by those of its kind's settings that say so."""
    parts = [str(source.settings.get(setting.name)) for setting in settings if setting.is_address]
    return hashlib.sha256("\n".join([source.kind, *parts]).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _matches(repository: RepositoryId, patterns: Iterable[str]) -> bool:
    _, owner, name = split_id(repository)
    folded = (f"{owner}/{name}".casefold(), name.casefold())
    return any(fnmatchcase(folded["/" not in pattern], pattern.casefold()) for pattern in patterns)
