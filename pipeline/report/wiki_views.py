"""What the page of a wiki page shows, as typed values."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.catalog.answers import VersionRow
from pipeline.model import State
from pipeline.report.markdown import Rendered
from pipeline.report.views import Link


@dataclass(frozen=True, slots=True, kw_only=True)
class Crumb:
    """A step of the way to a page; a folder without a page of its own has no `href`."""

    text: str
    href: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """The first links of a list, and how many are left out."""

    links: tuple[Link, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """Why what is shown may be old."""

    state: State
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFacts:
    """What a page of the shared wiki says of itself."""

    domain: str | None
    shared_at: str | None
    applies_to: tuple[str, ...]
    source_project: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """All that a page shows but its text; equal for pages that look the same around equal texts.

    `newest` is the last of `versions` (newest first), None where the history is not here; `source` is where its
    source shows it.
    """

    title: str
    path: str
    description: str | None
    code: str | None
    crumbs: tuple[Crumb, ...]
    banner: Banner | None
    shared: SharedFacts | None
    has_history: bool
    versions: tuple[VersionRow, ...]
    source: str | None
    previous: Link | None
    following: Link | None
    below: PageLinks
    backlinks: PageLinks

    @property
    def newest(self) -> VersionRow | None:
        """The version that is shown, as far as it is known."""
        return self.versions[0] if self.versions else None


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiPageView:
    """One wiki page.  `text` is None where it was not brought; `written` is the whole text where it is short."""

    around: Around
    text: Rendered | None
    written: str | None
