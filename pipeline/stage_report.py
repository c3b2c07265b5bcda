"""The report step: the staged catalog → the HTML site in stage; only pages that look different are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from pipeline import catalog, clock, codec, files, stage, stage_pages
from pipeline.catalog.survey import stamps
from pipeline.layout import CATALOG, REPORT, ROOTS_FILE, Layout
from pipeline.messages import Language
from pipeline.model import ReportSettings, RootsFile, Visibility
from pipeline.report import site
from pipeline.stage_pages import Edition
from pipeline.workers import Crew

DEFAULTS = ReportSettings()
ALONE = Crew(1)


def write_report(
    place: Layout, code: str, language: Language, settings: ReportSettings = DEFAULTS, crew: Crew = ALONE
) -> tuple[str, ...]:
    """Make the staged report show what the audience may see of the staged catalog.

    Answers the pages that were made, in their order.

    Raises:
        ArtifactError, OSError: the disk refused; what is published stays.
    """
    by = stage.mark_of(code, language, asdict(settings))
    marks: dict[str, str] = {}
    made: list[str] = []
    now = clock.now()
    with _catalog_for(settings.audience, place) as path, catalog.open_stage(place, 0, now, path) as staged:
        roots, standing = _roots_for(settings.audience, place), _standing(place, by)
        projects = [] if standing else [stamp.project for stamp in stamps(staged)]
        edition = Edition(place=place, catalog=path, now=now, language=language, has_pages=settings.pages, roots=roots)
        by_workers = stage_pages.make(edition, crew, projects) if crew.is_worth(len(projects)) else frozenset[str]()
        rendered = site.render_site(
            staged,
            language,
            standing,
            read=lambda path: (place.stage / REPORT / path).read_bytes(),
            has_pages=settings.pages,
            roots=roots,
            made=by_workers,
        )
        stage.write_tree(place.stage / REPORT, _noted(rendered, marks, made, by_workers))
    times = _times(place)
    pages = {path: [mark, times[path]] for path, mark in marks.items()}
    stage.remember(place.pages_json, {"by": by, "pages": pages})
    return tuple(made)


@contextmanager
def _catalog_for(audience: Visibility, place: Layout) -> Iterator[Path]:
    """The catalog that the report is made of: for oneself the staged one."""
    files.remove_tree(place.narrowed_catalog)
    if audience == "private":
        yield place.stage / CATALOG
        return
    from pipeline import catalog_file

    try:
        yield catalog_file.write_narrowed(place, audience)
    finally:
        files.remove_tree(place.narrowed_catalog)


def _roots_for(audience: Visibility, place: Layout) -> RootsFile | None:
    """What is told of knowledge roots; they hold folders of this disk, so others are told nothing."""
    raw = files.read_bytes(place.stage / ROOTS_FILE) if audience == "private" else None
    return None if raw is None else codec.load(RootsFile, raw, ROOTS_FILE)


def _standing(place: Layout, by: str) -> dict[str, str]:
    """The mark of each page that is there as this code left it."""
    memory = stage.recall(place.pages_json)
    if memory.get("by") != by:
        return {}
    now = _times(place)
    return {path: mark for path, (mark, left) in memory["pages"].items() if now.get(path) == left}


def _times(place: Layout) -> Mapping[str, list[int]]:
    """Size and time of each file of the report."""
    start = len(REPORT) + 1
    return {name[start:]: [size, time] for name, size, time in files.times(place.stage, REPORT)}


def _noted(
    rendered: Iterator[tuple[str, str | None, bytes | None]],
    marks: dict[str, str],
    made: list[str],
    by_workers: Set[str],
) -> Iterator[tuple[str, bytes | None]]:
    """Pass the files on, and keep their marks and which of them were made."""
    for path, mark, content in rendered:
        if mark is not None:
            marks[path] = mark
        if content is not None or path in by_workers:
            made.append(path)
        yield path, content
