"""How long histories of wiki pages take: to read, to make on, to list and to show.

    python -m benchmarks history [--pages 500] [--versions 2000] [--json FILE]

A clone is read as a folder source reads it.  What is measured is the work in this process, without its start.
"""

from __future__ import annotations

import functools
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pygit2

from benchmarks import figures, processes
from benchmarks.figures import Figure
from pipeline import model
from pipeline.catalog.history import wiki_changes
from pipeline.differences import unified_diff
from pipeline.history import page_histories
from pipeline.sources.git_history import read_history
from tests.fakes import page_histories as made_up
from tests.fakes.catalogs import Project, open_projects

Answer = TypeVar("Answer")
Numbers = dict[tuple[str | None, str | None], tuple[int, int]]

WIKI = model.RepositoryId("forge/ann/wiki")
PAGE = model.RepoPath(".wiki/page.md")
FIRST_SECOND = 1_772_366_400
PAGE_LINES = 40
LONG_PAGE_LINES = 700
RENAMED = 20
LISTED = 10_000
CHANGED = 3
RUNS = 20
SOURCE = '[[source]]\nkind = "folder"\npath = "{}"\n'
BUILD_S, STEP_S, LIST_MS, DIFF_MS = 20.0, 1.0, 10.0, 30.0


def main(pages: int, versions: int, json_path: Path | None) -> None:
    """Measure and print."""
    machine = figures.machine()
    parts = (measure_pages(pages, versions), measure_builds(pages, versions), measure_lists(), measure_diffs())
    measured = [figure for part in parts for figure in part]
    print("\n".join(figures.table(measured)))
    if json_path is not None:
        figures.write_json(json_path, machine, measured)


@dataclass
class GrownWiki:
    """A wiki as text for `git fast-import`; every twentieth change renames its page, too."""

    chance: Random = field(default_factory=lambda: Random(1))
    pages: dict[int, tuple[str, list[str]]] = field(default_factory=dict)
    commits: int = 0

    def grow(self, pages: int, versions: int) -> Iterator[str]:
        """One commit for each version: first every page is made, then pages are changed by chance."""
        for number in range(versions):
            place = number if number < pages else self.chance.randrange(pages)
            yield self._commit(number, *self._change(place, number))

    def go_on(self, pages: int, versions: int, count: int) -> Iterator[str]:
        """Further commits on what was imported before."""
        yield "reset refs/heads/main\nfrom refs/heads/main^0\n\n"
        for number in range(versions, versions + count):
            yield self._commit(number, *self._change(self.chance.randrange(pages), number))

    def _change(self, place: int, number: int) -> tuple[str, str, list[str]]:
        name, lines = self.pages.get(place, (f".wiki/topic-{place % 20}/page-{place}.md", lines_of(PAGE_LINES, place)))
        new_name = f".wiki/topic-{number % 20}/page-{number}.md" if number % RENAMED == 1 else name
        if place in self.pages:
            lines = [*lines[:5], f"changed in {number}", *lines[6:], f"added in {number}"]
        self.pages[place] = new_name, lines
        return name, new_name, lines

    def _commit(self, number: int, name: str, new_name: str, lines: list[str]) -> str:
        text = "".join(f"{line}\n" for line in lines)
        removed = f"D {name}\n" if new_name != name else ""
        moment = f"Ann <ann@example.org> {FIRST_SECOND + 60 * number} +0000"
        head = f"commit refs/heads/main\nauthor {moment}\ncommitter {moment}\ndata 4\nWork\n"
        return f"{head}{removed}M 100644 inline {new_name}\ndata {len(text.encode())}\n{text}\n"


def lines_of(count: int, seed: int) -> list[str]:
    """Lines of about 70 letters."""
    chance = Random(seed)
    return [" ".join(f"word{chance.randrange(5_000)}" for _ in range(8)) for _ in range(count)]


def measure_pages(pages: int, versions: int) -> Iterator[Figure]:
    """A clone from its commits to versions of pages, from nothing and with three pages changed."""
    group = f"{pages:,} pages, {versions:,} versions, from a clone"
    with tempfile.TemporaryDirectory() as folder:
        git = pygit2.init_repository(folder, bare=True, initial_head="main")
        _import(folder, GrownWiki().grow(pages, versions))
        told, reading = clocked(lambda: _read(git))
        histories, making = clocked(lambda: _histories(git, told, {}))
        _check(histories, versions)
        numbers = _numbers(histories)
        older = replace(told, order=(told.order or ())[CHANGED:])
        known = _numbers(_histories(git, older, numbers))
        remade, stepping = clocked(lambda: _histories(git, told, known))
        _check(remade, versions)
    yield Figure(group=group, work="read the commits and texts", value=reading.value, unit="s", cpu_s=reading.cpu_s)
    yield replace(making, group=group, work="from them, all versions and codes", target=None)
    whole = reading.value + making.value
    yield Figure(group=group, work="both", value=whole, unit="s", target=BUILD_S)
    yield replace(stepping, group=group, work=f"{CHANGED} changed pages: all versions and codes", target=STEP_S)


def measure_builds(pages: int, versions: int) -> Iterator[Figure]:
    """Whole runs of doit over a folder with one clone: everything anew, nothing changed, three pages changed."""
    group = f"doit, a clone of {pages:,} pages and {versions:,} versions"
    with tempfile.TemporaryDirectory() as name:
        root, wiki = Path(name), GrownWiki()
        clone = root / "projects" / "ann" / "wiki.git"
        pygit2.init_repository(str(clone), bare=True, initial_head="main")
        _import(str(clone), wiki.grow(pages, versions))
        (root / "sources.toml").write_text(SOURCE.format((root / "projects").as_posix()), encoding="utf-8")
        build = functools.partial(processes.run, ["-m", "doit"], _environment(root))
        first, idle = build(), build()
        _import(str(clone), wiki.go_on(pages, versions, CHANGED))
        stepped = build()
    yield _of_process(first, group, "everything anew", BUILD_S)
    yield _of_process(idle, group, "nothing changed", None)
    yield _of_process(stepped, group, f"{CHANGED} pages changed", None)
    # Most of it goes into parsing and indexing all pages of the one repository, with or without its past.
    more = Figure(group=group, work="of that more than when nothing changed", unit="s", value=0.0)
    yield replace(more, value=stepped.seconds - idle.seconds, cpu_s=_difference(stepped.cpu_s, idle.cpu_s))


def _of_process(ran: processes.Ran, group: str, work: str, target: float | None) -> Figure:
    return Figure(group=group, work=work, value=ran.seconds, unit="s", cpu_s=ran.cpu_s, target=target)


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _environment(root: Path) -> dict[str, str]:
    return {"PROJECTS_META_CONFIG": str(root / "sources.toml"), "PROJECTS_META_BUILD": str(root / "build")}


def measure_lists() -> Iterator[Figure]:
    """Fifty of a catalog's changes: of a day, of one author, of all."""
    newest = made_up.AT + timedelta(minutes=LISTED)
    asked: dict[str, dict[str, Any]] = {
        "of a day": {"since": newest - timedelta(days=1)},
        "of one author": {"author": "ann"},
        "of all": {},
    }
    with tempfile.TemporaryDirectory() as folder, open_projects(Path(folder), *_projects(LISTED)) as opened:
        for work, words in asked.items():
            yield replace(
                _median(functools.partial(wiki_changes, opened, limit=50, **words)),
                group=f"a catalog of {LISTED:,} versions",
                work=f"50 changes {work}",
                target=LIST_MS,
            )


def measure_diffs() -> Iterator[Figure]:
    """Two pages of 50 KB of which a tenth of the lines, and all of them, differ."""
    old = lines_of(LONG_PAGE_LINES, 1)
    tenth = [f"{line} changed" if number % 10 == 5 else line for number, line in enumerate(old)]
    for work, new in (("a tenth of the lines", tenth), ("every line", lines_of(LONG_PAGE_LINES, 2))):
        before, after = ("\n".join(lines).encode() for lines in (old, new))
        yield replace(
            _median(functools.partial(unified_diff, before, after, PAGE, PAGE)),
            group=f"a diff of two pages of {len(before) // 1024} KB",
            work=f"{work} differ",
            target=DIFF_MS,
        )


def clocked(work: Callable[[], Answer]) -> tuple[Answer, Figure]:
    """What came out, and how long it took."""
    start, worked = time.perf_counter(), time.process_time()
    answer = work()
    seconds, cpu_s = time.perf_counter() - start, time.process_time() - worked
    return answer, Figure(group="", work="", value=seconds, unit="s", cpu_s=cpu_s)


def _median(work: Callable[[], object]) -> Figure:
    """The median of twenty runs, in milliseconds."""
    seconds = [clocked(work)[1].value for _ in range(RUNS)]
    return Figure(group="", work="", value=statistics.median(seconds) * 1000, unit="ms")


def _import(folder: str, commits: Iterator[str]) -> None:
    command = ["git", "-C", folder, "fast-import", "--quiet", "--date-format=raw"]
    subprocess.run(command, input="".join(commits).encode(), check=True)


def _read(git: pygit2.Repository) -> model.FolderHistory:
    """The history of the wiki, as a source tells it to one who knows nothing."""
    head = git.head.peel(pygit2.Commit)
    parts = list(read_history(git, head, _quest(str(head.id))))
    order = next(part for part in parts if isinstance(part, model.HistoryOrder))
    commits = sorted((part for part in parts if isinstance(part, model.Commit)), key=lambda one: one.id)
    return model.FolderHistory(
        folder=".wiki",
        revision=str(head.id),
        tree=None,
        order=order.order,
        total=order.total,
        commits=tuple(commits),
    )


def _quest(head: str) -> model.HistoryQuest:
    return model.HistoryQuest(
        revision=model.Revision(repository=WIKI, ref="main", commit=head, committed_at=None),
        folder=".wiki",
        tree=None,
        entries=(),
        known=None,
        since=None,
        max_commits=1_000_000,
        has_text=lambda _: False,
        may_ask=lambda: True,
    )


def _histories(git: pygit2.Repository, told: model.FolderHistory, known: Numbers) -> tuple[model.PageHistory, ...]:
    tree = git[str(told.revision)].peel(pygit2.Tree)
    keys = [model.PageKey(slug=path, path=model.RepoPath(path)) for path in _paths(tree, "")]
    return page_histories(WIKI, told, keys, lambda oid: _bytes(git, oid), lambda old, new: known.get((old, new)))


def _paths(tree: pygit2.Tree, prefix: str) -> Iterator[str]:
    for entry in tree:
        if isinstance(entry, pygit2.Tree):
            yield from _paths(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}"


def _bytes(git: pygit2.Repository, oid: str) -> bytes | None:
    found = git.get(oid)
    return found.data if isinstance(found, pygit2.Blob) else None


def _numbers(pages: Sequence[model.PageHistory]) -> Numbers:
    return {
        (version.before, version.after): (version.added, version.removed)
        for page in pages
        for version in page.versions
        if version.added is not None and version.removed is not None
    }


def _check(pages: Sequence[model.PageHistory], versions: int) -> None:
    told = sum(len(page.versions) for page in pages)
    if told != versions or any(page.slug is None for page in pages):
        raise SystemExit(f"{told} versions of {len(pages)} pages were told; expected {versions}, and no page gone")


def _projects(versions: int) -> list[Project]:
    """Twenty projects of fifty pages; each minute one page is changed, by Ann or by Bob."""
    places = [(project, page) for page in range(50) for project in range(20)]
    told: dict[tuple[int, int], list[datetime]] = {place: [] for place in places}
    for number in range(versions):
        told[places[number % len(places)]].append(made_up.AT + timedelta(minutes=number))
    return [_project(project, {page: told[project, page] for page in range(50)}) for project in range(20)]


def _project(number: int, times: dict[int, list[datetime]]) -> Project:
    pages = [
        made_up.page(
            f"page-{page:02}",
            *(
                made_up.version(place, at, count=len(of_page), author=("Ann", "Боб")[place % 2])
                for place, at in reversed(list(enumerate(of_page, 1)))
            ),
            code=f"DOC-{number * 100 + page}",
        )
        for page, of_page in times.items()
    ]
    repository = f"forge/ann/project-{number:02}"
    texts = {f"page-{page:02}": f"Page {page}\n" for page in times}
    return Project(repository=repository, pages=texts, history=made_up.history(repository, *pages))
