"""How long doit takes when nothing or one thing changed, beside the naive way: building everything anew.

    python -m benchmarks rebuild [REPOSITORIES=500] [PAGES=10]

Repositories are plain folders, half of them Russian.  Each figure is the median of three runs of the
whole process, with its peak memory; the ratios are what to compare between machines.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
ENGLISH = "The scheduler hands out leases; a worker that misses two renewals loses its lease. " * 12
RUSSIAN = "Планировщик выдаёт аренды; работник, пропустивший два продления, теряет свою аренду. " * 12
BOARD = "# Task Board\n\n" + "\n".join(
    f"## 🔴 task-{n} — Task number {n}\n**Status:** active\n**Next action:** step {{step}}\n" for n in range(8)
)
RUNS = 3


def make(folder: Path, repositories: int, pages: int) -> None:
    """Write the repositories."""
    for number in range(repositories):
        text = RUSSIAN if number % 2 else ENGLISH
        home = folder / f"owner-{number % 20}" / f"project-{number}"
        write_board(home, 0)
        (home / ".wiki" / "concepts").mkdir(parents=True)
        for page in range(pages):
            content = f"# Page {page} of {number}\n\n{text}\n"
            (home / ".wiki" / "concepts" / f"page-{page}.md").write_text(content, encoding="utf-8")


def write_board(home: Path, step: int) -> None:
    """Write one board."""
    (home / ".tasks").mkdir(parents=True, exist_ok=True)
    (home / ".tasks" / "STATUS.md").write_text(BOARD.format(step=step), encoding="utf-8")


def build(root: Path) -> None:
    """Run doit once."""
    environment = {
        **os.environ,
        "PROJECTS_META_CONFIG": str(root / "sources.toml"),
        "PROJECTS_META_BUILD": str(root / "build"),
    }
    subprocess.run(
        [sys.executable, "-m", "doit"],
        cwd=HOME,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def median(root: Path, before: Callable[[int], object]) -> float:
    """Seconds of a build, the median of three; `before` prepares each."""
    seconds = []
    for run in range(RUNS):
        before(run)
        start = time.perf_counter()
        build(root)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def main(repositories: int, pages: int) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        make(root / "projects", repositories, pages)
        source = f'[[source]]\nkind = "folder"\npath = "{(root / "projects").as_posix()}"\n'
        (root / "sources.toml").write_text(source, encoding="utf-8")
        one = root / "projects" / "owner-1" / "project-1"
        naive = median(root, lambda _: shutil.rmtree(root / "build", ignore_errors=True))
        idle = median(root, lambda _: None)
        changed = median(root, lambda run: write_board(one, run + 1))
    print(f"{repositories} repositories of {pages} pages; median of {RUNS} runs of the whole process")
    print(f"everything anew   {naive:7.2f} s   1.00")
    print(f"nothing changed   {idle:7.2f} s   {idle / naive:.2f}")
    print(f"one task changed  {changed:7.2f} s   {changed / naive:.2f}")
