"""What a person can set, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pipeline.model.identity import Visibility
from pipeline.model.roots import KnowledgeSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One key that a table of sources.toml accepts; `default` None means it may be absent.

    `is_address`: another value means another place, whose repositories are others.
    """

    name: str
    kind: Literal["text", "integer", "number", "switch", "texts", "path", "address", "markers", "date"]
    default: str | int | float | bool | tuple[object, ...] | None = None
    required: bool = False
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    is_address: bool = False
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceConfig:
    """One `[[source]]` row.  `settings` holds the keys of its kind, checked; never a token."""

    kind: str
    name: str
    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()
    visibility: Visibility | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    place: str = "sources.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainMarkers:
    """A further domain, and patterns of the files by which a folder is known to be of it."""

    name: str
    markers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAddress:
    """Where people see the files of a source's repositories.

    `pattern` is an address with `{repository}` (owner/name), `{revision}` and `{path}` to be filled in.
    """

    source: str
    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistorySettings:
    """How much of the history of `.wiki/` and `.tasks/` is brought: per folder at most the newest `max_commits`,
    none before `since`; first histories of forges cost at most `requests_per_run` requests in one run.
    """

    since: datetime | None = None
    max_commits: int = 5_000
    requests_per_run: int = 500

    @property
    def reach(self) -> str:
        """The bounds in a few words: a history that was made with others is made anew."""
        return f"{self.max_commits}" if self.since is None else f"{self.max_commits} since {self.since.isoformat()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """For whom the report is made, and what it holds: repositories that are at least as open as its audience; with
    `pages`, every wiki page of theirs as a page of its own.
    """

    audience: Visibility = "private"
    pages: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What a person set for those who ask the published version, and what follows from it."""

    domains: tuple[DomainMarkers, ...] = ()
    promote_words: tuple[str, ...] = ()
    page_addresses: tuple[PageAddress, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All that a person can set.  `origin` says where it came from, for messages."""

    sources: tuple[SourceConfig, ...]
    origin: str
    shared_wiki: str = "projects-wiki"
    stale_after_hours: float = 24
    language: Literal["en", "ru"] = "en"
    keep_versions: int = 5
    domains: tuple[DomainMarkers, ...] = ()
    promote_words: tuple[str, ...] = ()
    page_addresses: tuple[PageAddress, ...] = ()
    history: HistorySettings = HistorySettings()
    report: ReportSettings = ReportSettings()
    knowledge: KnowledgeSettings | None = None
    is_example: bool = False

    @property
    def root_repositories(self) -> frozenset[str]:
        """The repositories that are knowledge roots, as written, casefolded."""
        roots = self.knowledge.roots if self.knowledge is not None else ()
        return frozenset(root.repo.casefold() for root in roots if root.repo is not None)

    @property
    def preferences(self) -> Preferences:
        """The part that readers are told."""
        return Preferences(domains=self.domains, promote_words=self.promote_words, page_addresses=self.page_addresses)
