"""roots.html: every knowledge root, the hints at it, and what of registry and maps could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from pipeline.model.roots import ContourRow, RegistryEntry, RegistryWarning, RootProblem, RootRow, RootsFile
from pipeline.report.page import Page, Site

PROBLEMS_SHOWN = 100
HINTS_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RootLine:
    """A root; of its problems the first hundred."""

    row: RootRow
    is_primary: bool
    problems: tuple[RootProblem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HintLine:
    """A hint; `is_lost`: nothing of its root is there."""

    entry: RegistryEntry
    is_lost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RootsView:
    """roots.html; of hints and warnings the first two hundred each."""

    roots: tuple[RootLine, ...]
    hints: tuple[HintLine, ...]
    hints_total: int
    warnings: tuple[RegistryWarning, ...]
    warnings_total: int
    contour: tuple[ContourRow, ...]


def pages(site: Site) -> Iterator[Page]:
    """The one page, where there are roots and the report is for oneself."""
    told = site.roots
    if told is None:
        return
    yield Page(
        path="roots.html",
        template="roots.html",
        section="roots",
        title=site.words.text("roots.title"),
        made_of=asdict(told),
        view=lambda: _view(told),
    )


def _view(told: RootsFile) -> RootsView:
    warnings = (*told.registry.warnings, *told.maps.warnings)
    return RootsView(
        roots=tuple(
            RootLine(row=row, is_primary=row.id == told.primary, problems=row.problems[:PROBLEMS_SHOWN])
            for row in told.roots
        ),
        hints=tuple(
            HintLine(entry=entry, is_lost=entry.line in told.lost) for entry in told.registry.entries[:HINTS_SHOWN]
        ),
        hints_total=len(told.registry.entries),
        warnings=warnings[:HINTS_SHOWN],
        warnings_total=len(warnings),
        contour=told.maps.contour[:HINTS_SHOWN],
    )
