"""Figures with their targets, as a table, as JSON and as a page of docs/."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

COMMAND = "python -m benchmarks sync --write-docs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured number.  `target` is what it shall be at most, or (`at_least`) at least; None: there is none.

    `cpu_s` is how many seconds a processor worked for it, where that was measured: on a machine that
    others use too it says more than the clock.
    """

    group: str
    work: str
    value: float
    unit: str
    target: float | None = None
    at_least: bool = False
    cpu_s: float | None = None

    @property
    def is_met(self) -> bool | None:
        """Whether the target is reached; None without one."""
        if self.target is None:
            return None
        return self.value >= self.target if self.at_least else self.value <= self.target


def machine() -> dict[str, object]:
    """What was measured on; no name of it."""
    return {
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def write_json(path: Path, measured_on: dict[str, object], figures: Sequence[Figure]) -> None:
    rows = [asdict(figure) for figure in figures]
    text = json.dumps({"machine": measured_on, "figures": rows}, indent=2, sort_keys=True, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")


def write_docs(path: Path, json_path: Path) -> None:
    """Write the page of a JSON file of `write_json`."""
    told = json.loads(json_path.read_bytes())
    page = "\n".join(_page(told["machine"], [Figure(**row) for row in told["figures"]]))
    path.write_text(f"{page}\n", encoding="utf-8", newline="\n")


def table(figures: Sequence[Figure]) -> Iterator[str]:
    """Lines for a terminal."""
    width = max(len(figure.work) for figure in figures)
    for group, rows in groupby(figures, key=lambda figure: figure.group):
        yield f"\n{group}"
        for figure in rows:
            processor = f"{_processor(figure)} CPU" if figure.cpu_s is not None else ""
            yield f"  {figure.work:<{width}} {_value(figure):>16} {processor:>15}   {_target(figure)}".rstrip()


def _page(measured_on: dict[str, object], figures: Sequence[Figure]) -> Iterator[str]:
    yield "# What a run costs"
    yield ""
    yield f"Written by `{COMMAND}`; nothing here is typed by hand. The forge is the tests'"
    yield "fake one, in a process of its own, over real git repositories; the naive sync lists the repositories and"
    yield "asks for two raw files of each, ten at a time. Seconds are of whole processes, from start to end;"
    yield "*processor* is how long one worked. On a machine that others use at the same time (see its load) both"
    yield "are larger than on a quiet one."
    yield ""
    told = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in sorted(measured_on.items()))
    yield f"Measured on: {told}."
    for group, rows in groupby(figures, key=lambda figure: figure.group):
        yield from ("", f"## {group}", "", "| work | measured | processor | target | |", "|---|--:|--:|--:|---|")
        for figure in rows:
            processor = _processor(figure)
            target, _, met = _target(figure).partition("  ")
            yield f"| {figure.work} | {_value(figure)} | {processor} | {target} | {met} |"


def _value(figure: Figure) -> str:
    return f"{_number(figure.value)} {figure.unit}"


def _processor(figure: Figure) -> str:
    """How long a processor worked, in the unit of what was measured."""
    if figure.cpu_s is None:
        return ""
    return f"{figure.cpu_s * 1000:.2f} ms" if figure.unit == "ms" else f"{figure.cpu_s:.2f} s"


def _target(figure: Figure) -> str:
    if figure.target is None:
        return ""
    sign = "≥" if figure.at_least else "≤"
    return f"{sign} {_number(figure.target)} {figure.unit}  {'reached' if figure.is_met else 'missed'}"


def _number(value: float) -> str:
    if float(value).is_integer() and abs(value) >= 10:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.3g}"
