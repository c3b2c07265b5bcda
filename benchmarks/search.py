"""How long a search of wiki pages takes, beside a plain scan of their folded texts and beside `rg`.

    python -m benchmarks search [--sizes 2000,10000] [--json FILE]

The catalog and the scan must find as many pages; the benchmark stops when they do not.  The scan has every
folded text in memory; `rg` is a process for each query over the files, folds in its own way, and takes one
term alone.  Beside each time stands how long the processor worked for it, which says more on a machine that
others use.
"""

from __future__ import annotations

import functools
import random
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks import corpus, figures, questions
from benchmarks.figures import Figure
from pipeline import catalog, index, model
from pipeline.catalog import Catalog, knowledge
from pipeline.search import matches, parse_query
from pipeline.text import fold
from tests.fakes.catalogs import CODE, NOW, Project, roster, write_tree

Answer = TypeVar("Answer")

TOP = 10
GETS = 100
RG_QUERIES = 3
P50_MS = {2_000: 3.0, 10_000: 8.0, 100_000: 50.0}
P99_MS = {2_000: 15.0, 10_000: 40.0, 100_000: 200.0}
BUILD_S = 120.0
GET_MS = 2.0
CATALOG_OF_TEXT = 2.5


@dataclass(frozen=True, slots=True)
class Corpus:
    """The files of a corpus, and what the catalog is made of."""

    root: Path
    artifacts: dict[model.RepositoryId, tuple[model.Artifact, str]]
    records: model.RepositoriesFile
    text_bytes: int

    def folder(self, repository: model.RepositoryId, digest: str) -> Path:
        """Where the texts of one project are."""
        return self.root / repository / digest

    @property
    def database(self) -> Path:
        return self.root / "catalog.sqlite"

    @property
    def pages(self) -> Iterator[tuple[model.RepositoryId, model.WikiPage, Path]]:
        """Every page, with the file of its text."""
        for repository, (artifact, digest) in self.artifacts.items():
            for page in artifact.pages:
                yield repository, page, self.folder(repository, digest) / str(page.file)


@dataclass(frozen=True, slots=True)
class Spent:
    """What an answer took, by the clock and by the processor."""

    ms: float
    cpu_ms: float


def main(sizes: Sequence[int], json_path: Path | None) -> None:
    """Measure and print."""
    machine = figures.machine()
    measured = [figure for size in sizes for figure in measure(size)]
    print("\n".join(figures.table(measured)))
    if shutil.which("rg") is None:
        print("\nrg is not installed: nothing was measured beside it")
    if json_path is not None:
        figures.write_json(json_path, machine, measured)


def measure(pages: int) -> Iterator[Figure]:
    """Every figure of one size."""
    group = f"{pages:,} pages"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        made = write(Path(name), pages)
        built, _ = clocked(functools.partial(build, made))
        share = made.database.stat().st_size / made.text_bytes
        cpu_s = built.cpu_ms / 1000
        yield Figure(group=group, work="index build", value=built.ms / 1000, unit="s", target=BUILD_S, cpu_s=cpu_s)
        yield Figure(group=group, work="catalog ÷ text", value=share, unit="times", target=CATALOG_OF_TEXT)
        with catalog.open_catalog(made.database, made.folder, 1, None, NOW) as opened:
            yield from _searches(group, opened, made, pages)
            gets = [clocked(functools.partial(knowledge.page_text, opened, *page))[0] for page in _some(made)]
            yield _figure(group, "one page: p50", gets, 50, GET_MS)


def write(root: Path, pages: int) -> Corpus:
    """Write the texts, project by project."""
    artifacts = {}
    known: list[Project] = []
    for project in corpus.projects(pages):
        artifact, digest = project.artifact, project.digest
        artifacts[project.id] = (artifact, digest)
        write_tree(root / project.id / digest, project)
        known.append(Project(repository=project.repository))
    size = sum(file.size_bytes for artifact, _ in artifacts.values() for file in artifact.files)
    return Corpus(root, artifacts, index.build_repositories(roster(known), artifacts, None), size)


def build(made: Corpus) -> None:
    """Make the catalog."""
    changed = [
        (artifact, digest, functools.partial(_text, made.folder(name, digest)))
        for name, (artifact, digest) in sorted(made.artifacts.items())
    ]
    with closing(sqlite3.connect(made.database)) as connection:
        index.create(connection, CODE)
        index.update(connection, made.records, changed)
        connection.commit()


def _text(folder: Path, file: str) -> str:
    return read(folder / file)


def read(path: Path) -> str:
    """A text as the index step reads it: those of a corpus are clean."""
    return path.read_text(encoding="utf-8")


def _searches(group: str, opened: Catalog, made: Corpus, pages: int) -> Iterator[Figure]:
    folded = [(fold(page.slug), fold(page.title), fold(read(file))) for _, page, file in made.pages]
    ours: list[Spent] = []
    scans: list[Spent] = []
    for kind, queries in questions.mix().items():
        times = [_both(opened, folded, query) for query in queries]
        ours += [one for one, _ in times]
        scans += [one for _, one in times]
        yield from _percentiles(group, kind, times)
        yield from _ripgrep(group, kind, made.root, queries)
    yield _figure(group, "the mix: its first, which numbers the pages", ours[:1], 50)
    for share, targets in ((50, P50_MS), (99, P99_MS)):
        yield _figure(group, f"the mix: p{share}", ours, share, targets.get(pages))
        yield _figure(group, f"the mix, plain scan: p{share}", scans, share)
    for kind, queries in questions.beside().items():
        yield from _percentiles(group, f"beside it, {kind}", [_both(opened, folded, query) for query in queries])


def _percentiles(group: str, kind: str, times: Sequence[tuple[Spent, Spent]]) -> Iterator[Figure]:
    ours, scans = zip(*times, strict=True)
    for share in (50, 99):
        yield _figure(group, f"{kind}: p{share}", ours, share)
    yield _figure(group, f"{kind}, plain scan: p50", scans, 50)


def _figure(group: str, work: str, times: Sequence[Spent], share: int, target: float | None = None) -> Figure:
    value = percentile([one.ms for one in times], share)
    cpu_s = percentile([one.cpu_ms for one in times], share) / 1000
    return Figure(group=group, work=work, value=value, unit="ms", target=target, cpu_s=cpu_s)


def _both(opened: Catalog, folded: Sequence[tuple[str, ...]], query: str) -> tuple[Spent, Spent]:
    ours, found = clocked(lambda: knowledge.search_pages(opened, query, limit=TOP).total)
    naive, wanted = clocked(lambda: scan(folded, query))
    if found != wanted:
        raise SystemExit(f"{query!r}: the catalog found {found} pages, the scan {wanted}")
    return ours, naive


def scan(folded: Sequence[tuple[str, ...]], query: str) -> int:
    """The naive way."""
    terms = parse_query(query)
    return sum(matches(fields, terms) for fields in folded)


def _ripgrep(group: str, kind: str, root: Path, queries: Sequence[str]) -> Iterator[Figure]:
    alone = [query for query in queries if " " not in query][:RG_QUERIES]
    if shutil.which("rg") is None or not alone:
        return
    command = ["rg", "--no-config", "--fixed-strings", "--ignore-case", "--files-with-matches", "--glob", "*.md", "-e"]
    times = [clocked(functools.partial(_run, [*command, query, str(root)]))[0].ms for query in alone]
    yield Figure(group=group, work=f"{kind}, rg: p50", value=statistics.median(times), unit="ms")


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def clocked(ask: Callable[[], Answer]) -> tuple[Spent, Answer]:
    """What it took, and the answer."""
    start, cpu_start = time.perf_counter(), time.process_time()
    answer = ask()
    cpu_ms = (time.process_time() - cpu_start) * 1000
    return Spent((time.perf_counter() - start) * 1000, cpu_ms), answer


def percentile(values: Sequence[float], share: int) -> float:
    """The value that `share` per cent of the values do not exceed."""
    return sorted(values)[max(0, -(-len(values) * share // 100) - 1)]


def _some(made: Corpus) -> list[tuple[model.RepositoryId, str]]:
    return random.Random(1).sample([(repository, page.slug) for repository, page, _ in made.pages], GETS)
