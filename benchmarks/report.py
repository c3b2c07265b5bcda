"""How long the report takes, how large it is, and what one changed word makes anew.

    python -m benchmarks report [--projects 200] [--pages 5000] [--tasks 3800] [--json FILE]

The sources are plain folders, made up, four pages in ten Russian.  The report stage runs alone, in a process of its
own, with what that needs to start; everything before it was done.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks import corpus, figures, processes
from benchmarks.figures import Figure

COLD_S, COLD_CPU_S, IDLE_S, CHANGE_S = 12.0, 15.0, 0.7, 1.5
PEAK_MB, SIZE_MB, CHANGED_FILES, HOME_KB = 250.0, 45.0, 14.0, 100.0
# As many letters as make a page of 1.5 KB, four in ten Russian.
LETTERS = 1_060
STAGE = "from pipeline import steps; steps.open_build('dodo.py').report()"
WORD = "неповторимое"


def main(projects: int, pages: int, tasks: int, json_path: Path | None) -> None:
    """Measure and print."""
    machine = figures.machine()
    with tempfile.TemporaryDirectory() as folder:
        measured = list(measure(Path(folder), projects, pages, tasks))
    print("\n".join(figures.table(measured)))
    if json_path is not None:
        figures.write_json(json_path, machine, measured)


def measure(root: Path, projects: int, pages: int, tasks: int) -> Iterator[Figure]:
    """Every figure over one site."""
    make(root / "projects", projects, pages // projects, tasks // projects)
    source = f'[[source]]\nkind = "folder"\npath = "{(root / "projects").as_posix()}"\n'
    (root / "sources.toml").write_text(source, encoding="utf-8")
    environment = {
        "PROJECTS_META_CONFIG": str(root / "sources.toml"),
        "PROJECTS_META_BUILD": str(root / "build"),
    }
    processes.run(["-m", "doit"], environment)
    group = f"report of {projects:,} projects, {pages:,} pages, {tasks:,} tasks"
    site = root / "build" / "stage" / "report"
    shutil.rmtree(site)
    cold = processes.run(["-c", STAGE], environment)
    yield Figure(group=group, work="cold", value=cold.seconds, unit="s", target=COLD_S, cpu_s=cold.cpu_s)
    yield Figure(group=group, work="cold, of all processors", value=cold.cpu_s or 0.0, unit="s", target=COLD_CPU_S)
    yield Figure(group=group, work="cold, peak memory", value=cold.peak_mb or 0.0, unit="MB", target=PEAK_MB)
    before = hashes(site)
    yield from _sizes(group, site)
    idle = processes.run(["-c", STAGE], environment)
    yield Figure(group=group, work="nothing changed", value=idle.seconds, unit="s", target=IDLE_S, cpu_s=idle.cpu_s)
    yield Figure(
        group=group, work="nothing changed, files", value=_differing(before, hashes(site)), unit="", target=0.0
    )
    page = next((root / "projects").glob("*/project-7/.wiki/concepts/page-3.md"))
    page.write_text(f"{page.read_text(encoding='utf-8')}{WORD}\n", encoding="utf-8")
    processes.run(["-m", "doit", "index"], environment)
    changed = processes.run(["-c", STAGE], environment)
    after = hashes(site)
    seconds = changed.seconds
    yield Figure(group=group, work="one word added", value=seconds, unit="s", target=CHANGE_S, cpu_s=changed.cpu_s)
    own = {name: digest for name, digest in after.items() if not name.startswith("a/s/")}
    old = {name: digest for name, digest in before.items() if not name.startswith("a/s/")}
    yield Figure(
        group=group, work="one word added, files but shards", value=_differing(old, own), unit="", target=CHANGED_FILES
    )


def make(folder: Path, projects: int, pages: int, tasks: int) -> None:
    """Write the projects' folders."""
    texts = corpus.texts(projects * pages, LETTERS)
    for number in range(projects):
        home = folder / f"owner-{number % 20}" / f"project-{number}"
        (home / ".wiki" / "concepts").mkdir(parents=True)
        (home / ".tasks").mkdir()
        board = "".join(
            f"## task-{task} — Task {task} of {number}\n**Status:** {('active', 'blocked', 'done')[task % 3]}\n\n"
            for task in range(tasks)
        )
        (home / ".tasks" / "STATUS.md").write_text(f"# Task Board\n\n{board}", encoding="utf-8")
        index = "".join(f"- [Page {page}](concepts/page-{page}.md)\n" for page in range(pages))
        (home / ".wiki" / "index.md").write_text(f"# Index\n\n{index}", encoding="utf-8")
        for page in range(pages):
            (home / ".wiki" / "concepts" / f"page-{page}.md").write_text(next(texts), encoding="utf-8")


def hashes(site: Path) -> dict[str, str]:
    """The digest of each file of a report, by its path."""
    files = [path for path in site.rglob("*") if path.is_file()]
    return {path.relative_to(site).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _differing(old: Mapping[str, str], new: Mapping[str, str]) -> float:
    """How many files are there only once, or with other bytes."""
    return float(sum(old.get(name) != new.get(name) for name in old.keys() | new.keys()))


def _sizes(group: str, site: Path) -> Iterator[Figure]:
    whole = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    yield Figure(group=group, work="size", value=whole / 1e6, unit="MB", target=SIZE_MB)
    home = sum((site / name).stat().st_size for name in ("index.html", "a/report.css", "a/report.js", "a/home.js"))
    yield Figure(group=group, work="first page with what it loads", value=home / 1000, unit="KB", target=HOME_KB)
