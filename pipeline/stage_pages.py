"""Pages of very many projects at once, by workers: each is whole beside the report, then takes its place by a rename.

What a worker did not come to is made with the rest of the report, where its trouble is met again, and told.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pipeline import catalog, files
from pipeline.layout import REPORT, Layout
from pipeline.messages import Language
from pipeline.model import RepositoryId, RootsFile
from pipeline.report import site
from pipeline.workers import Crew


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """Which report is made, and of which catalog."""

    place: Layout
    catalog: Path
    now: datetime
    language: Language
    has_pages: bool
    roots: RootsFile | None


def make(edition: Edition, crew: Crew, projects: Sequence[RepositoryId]) -> frozenset[str]:
    """Make the pages of these projects and of their wikis; answers those that stand in the report, by site path.

    Raises:
        OSError: the disk refused.
    """
    place = edition.place
    files.remove_tree(place.beside)
    made: set[str] = set()
    try:
        for path, beside in crew.spread(functools.partial(_make, edition), projects):
            files.settle(beside, place.stage / REPORT / path)
            made.add(path)
    finally:
        files.remove_tree(place.beside)
    return frozenset(made)


def _make(edition: Edition, share: Sequence[RepositoryId]) -> Iterator[tuple[str, Path]]:
    home = edition.place.beside / str(os.getpid())
    with catalog.open_stage(edition.place, 0, edition.now, edition.catalog) as staged:
        made = site.render_projects(
            staged, edition.language, frozenset(share), has_pages=edition.has_pages, roots=edition.roots
        )
        for path, content in made:
            files.write_new(home, {path: content})
            yield path, home / path
