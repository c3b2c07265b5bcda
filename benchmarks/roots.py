"""How long knowledge roots take: the stage, and the tools that read them.

    python -m benchmarks roots [--files 10000] [--json FILE]

Three roots share the files.  What is measured is the work in this process, without its start.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import figures
from benchmarks.figures import Figure
from mcp_server.tool import Reader
from mcp_server.tools.roots import ask_file, ask_route
from pipeline import stage_roots
from pipeline.layout import ROOTS, ROOTS_FILE, Layout
from pipeline.model import KnowledgeSettings
from pipeline.model.roots import RootConfig
from tests.fakes.published import Site
from tests.fakes.root_folders import EMPTY_ROSTER, write_files
from tests.mcp_server.asking import ATLAS

RUNS = 200
STAGE_S, CHANGE_S, ROUTE_MS, READ_MS = 0.5, 1.0, 5.0, 2.0
LINES_OF_A_FILE = 60
HINTS = 200
SECTIONS = 100
GROUP = "files of knowledge roots"


def main(files: int, json_path: Path | None) -> None:
    """Measure and print."""
    machine = figures.machine()
    with tempfile.TemporaryDirectory() as folder:
        measured = list(measure(Path(folder), files))
    print("\n".join(figures.table(measured)))
    if json_path is not None:
        figures.write_json(json_path, machine, measured)


def measure(folder: Path, files: int) -> Iterator[Figure]:
    """Every figure, over three roots."""
    settings = _make_roots(folder, files)
    place = Layout(folder / "build")
    site = Site(place)
    site.publish(ATLAS)
    group = f"{files:,} {GROUP}"
    yield _figure(group, "first stage", _seconds(lambda: _stage(place, settings)), None)
    yield _figure(group, "stage, nothing changed", _seconds(lambda: _stage(place, settings)), STAGE_S)
    (folder / "group" / "knowledge" / "topic-0" / "page-0.md").write_text("changed\n", encoding="utf-8")
    yield _figure(group, "stage, one file changed", _seconds(lambda: _stage(place, settings)), CHANGE_S)
    _show(place, site)
    reader = Reader(published=site.published())
    yield from _tools(group, reader)


def _stage(place: Layout, settings: KnowledgeSettings) -> None:
    stage_roots.write_roots(place, "code", settings, EMPTY_ROSTER)


def _show(place: Layout, site: Site) -> None:
    version = place.version(site.published().catalog().store.version)
    (place.stage / ROOTS).rename(version / ROOTS)
    (place.stage / ROOTS_FILE).rename(version / ROOTS_FILE)


def _tools(group: str, reader: Reader) -> Iterator[Figure]:
    def route(run: int) -> None:
        query = f"topic-{run % HINTS} release group"
        ask_route(reader, query=query, workspace_path=None, active_scope=None, max_sections=5, max_chars=12_000)

    def read(run: int) -> None:
        ask_file(
            reader,
            file_path=f"topic-{run % 10}/page-{run}.md",
            knowledge_root_id="group",
            mode="full",
            section_id=None,
            offset=1,
            limit=None,
            preview_lines=5,
        )

    for name, ask, most in (("route_context", route, ROUTE_MS), ("read_knowledge_file", read, READ_MS)):
        taken = sorted(_seconds(lambda ask=ask, run=run: ask(run)) * 1000 for run in range(RUNS))  # type: ignore[misc]
        yield Figure(group=group, work=f"{name} p50", value=statistics.median(taken), unit="ms", target=most)
        yield Figure(group=group, work=f"{name} p99", value=taken[-RUNS // 100], unit="ms")


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _figure(group: str, work: str, seconds: float, target: float | None) -> Figure:
    return Figure(group=group, work=work, value=seconds, unit="s", target=target)


def _make_roots(folder: Path, files: int) -> KnowledgeSettings:
    each = max(1, files // 3)
    page = "".join(
        f"Line {number} of a page about releases, roots and готовых карточек.\n" for number in range(LINES_OF_A_FILE)
    )
    pages = {f"knowledge/topic-{number % 10}/page-{number}.md": f"# Page {number}\n{page}" for number in range(each)}
    hot = "".join(
        f"<!-- section:part-{number} -->\nRelease {number}.\n{page}<!-- /section:part-{number} -->\n"
        for number in range(SECTIONS)
    )
    hints = "".join(f"topic-{number}/ => group\n" for number in range(HINTS))
    write_files(
        folder / "mine", {**pages, "agent-notes.md": hot, "knowledge/work/local/knowledge-roots-index-v1.md": hints}
    )
    write_files(folder / "group", pages)
    write_files(folder / "public", pages)
    roots = tuple(
        RootConfig(id=name, is_read_only=name != "mine", path=str(folder / name))
        for name in ("mine", "group", "public")
    )
    return KnowledgeSettings(primary="mine", roots=roots)
