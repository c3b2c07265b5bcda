"""How long a search over many tasks takes, beside the naive way: folding and scanning every text.

    python -m benchmarks tasks [REPOSITORIES=500]

Both ways must find the same tasks; the benchmark stops when they do not.  After it, what it takes an agent to
see every open task of two hundred projects.
"""

from __future__ import annotations

import functools
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import figures, open_tasks, rebuild
from pipeline import catalog, clock, text
from pipeline.catalog import tasks
from pipeline.layout import Layout

QUERIES = ("task-3", "Task number 7", "step 0", "scheduler", "нет такого")
RUNS = 5


def timed(run: Callable[[], int]) -> tuple[float, int]:
    """Milliseconds, the median of five, and what was found."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        found = run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds) * 1000, found


def count(opened: catalog.Catalog, query: str) -> int:
    """Our way."""
    return tasks.search(opened, query).total


def scan(boards: list[str], query: str) -> int:
    """The naive way: every section of every board, folded when asked."""
    terms = text.fold(query).split()
    sections = (section for board in boards for section in board.split("\n## ")[1:])
    return sum(all(term in text.fold(section) for term in terms) for section in sections)


def main(repositories: int) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        rebuild.make(root / "projects", repositories, 1)
        source = f'[[source]]\nkind = "folder"\npath = "{(root / "projects").as_posix()}"\n'
        (root / "sources.toml").write_text(source, encoding="utf-8")
        rebuild.build(root)
        boards = [path.read_text(encoding="utf-8") for path in root.glob("projects/*/*/.tasks/STATUS.md")]
        with catalog.open_published(Layout(root / "build"), clock.now()) as opened:
            print(f"{repositories} boards of 8 tasks; median of {RUNS}, milliseconds")
            for query in QUERIES:
                ours, found = timed(functools.partial(count, opened, query))
                naive, wanted = timed(functools.partial(scan, boards, query))
                if found != wanted:
                    raise SystemExit(f"{query!r}: the catalog found {found}, the scan {wanted}")
                print(
                    f"{query:<16} found {found:5}   catalog {ours:7.2f}   scan {naive:7.2f}   ratio {ours / naive:.3f}"
                )
    print("\n".join(figures.table(list(open_tasks.measure()))))
