"""What a sync of a forge, and all that `doit` does after it, cost; the naive sync is measured in the same run."""

from __future__ import annotations

import math
import os
import statistics
import tempfile
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import asking, figures, processes
from benchmarks.figures import Figure
from tests.fakes.serve import ServedForge, open_served_forge

OWNER = "ann"
RUNS = 3
IN_FLIGHT = 8
HOUR_S = 3600
LATENCIES_S = (0.02, 0.2)
LARGE_LATENCY_S = 0.02
CALLS = 100
# What can be measured of a large forge after its first sync.
PARTS = ("idle", "changes", "server")
WITH_FILES = 0.6
# What an agent asks, by what it is called in the table; each as often as the others.
ASKED: dict[str, tuple[str, dict[str, object]]] = {
    "tasks_aggregate": ("tasks_aggregate", {}),
    "tasks_aggregate of one status": ("tasks_aggregate", {"status": "done"}),
    "tasks_search of a phrase": ("tasks_search", {"query": '"project 1234"'}),
    "tasks_get": ("tasks_get", {"project": "r00007"}),
    "meta_projects of a name": ("meta_projects", {"query": "r0004"}),
    "meta_status": ("meta_status", {}),
}
TASK = "## 🔴 task-{n} — Task {n} of project {number}\n**Status:** {status}\n**Next action:** measure step {step}\n\n"


def board(number: int, *, step: int = 0, done: int = 0) -> str:
    """Five tasks, the first `done` of them done."""
    tasks = (TASK.format(n=n, number=number, status="done" if n < done else "active", step=step) for n in range(5))
    return "# Task Board\n\n" + "".join(tasks)


def page(number: int) -> str:
    return f"# Страница {number}\n\nПланировщик выдаёт аренды; a worker that misses two renewals loses its lease.\n"


def files_of(number: int) -> dict[str, str | bytes]:
    """Three small wanted files."""
    return {".tasks/STATUS.md": board(number), ".wiki/index.md": "- [A](a.md)\n", ".wiki/a.md": page(number)}


def mixed_files_of(number: int) -> dict[str, str | bytes]:
    """Of five repositories three have 1 to 30 wanted files; all have code."""
    code: dict[str, str | bytes] = {"README.md": f"# {number}\n", "src/main.py": f"print({number})\n"}
    wanted = 1 + number * 7 % 30 if number % 5 < 5 * WITH_FILES else 0
    boards = {".tasks/STATUS.md": board(number)} if wanted else {}
    return code | boards | {f".wiki/p{place}.md": page(place) for place in range(1, wanted)}


@dataclass(frozen=True, slots=True)
class Place:
    """A configuration and a build folder of their own."""

    root: Path
    forge: ServedForge
    url: str

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PROJECTS_META_CONFIG": str(self.root / "sources.toml"),
            "PROJECTS_META_BUILD": str(self.root / "build"),
        }

    def configure(self) -> None:
        self.root.mkdir(parents=True)
        # Histories are measured apart.
        row = (
            "keep_versions = 2\n[history]\nrequests_per_run = 0\n"
            f'[[source]]\nkind = "gitea"\nname = "forge"\nurl = "{self.url}"\nowners = ["{OWNER}"]\n'
        )
        (self.root / "sources.toml").write_text(row, encoding="utf-8")

    def doit(self) -> tuple[int, processes.Ran]:
        """One `doit`: its requests, and what it took."""
        self.forge.forget_requests()
        ran = processes.run(["-m", "doit"], self.environment)
        return self.forge.count(), ran

    def age(self) -> None:
        """Let every kept version be two hours old, so that the next publish has one to prune."""
        past = time.time() - 2 * HOUR_S
        for manifest in self.root.glob("build/versions/*/manifest.json"):
            os.utime(manifest, (past, past))


# --- a small forge, at two distances ------------------------------------------------------------


def measure_small(folder: Path, repositories: int) -> Iterator[Figure]:
    with open_served_forge(folder / "small") as (url, forge):
        forge.add_many(OWNER, repositories, mixed_files_of)
        forge.tick(HOUR_S)
        for latency_s in LATENCIES_S:
            forge.turn(latency_s=latency_s)
            place = Place(folder / f"small-{latency_s}", forge, url)
            place.configure()
            yield from _measure_at(place, repositories, latency_s)


def _measure_at(place: Place, repositories: int, latency_s: float) -> Iterator[Figure]:
    group = f"{repositories:,} repositories, {latency_s * 1000:.0f} ms away"
    wanted = round(repositories * WITH_FILES)
    pages = math.ceil(repositories / 50)
    requests, ran = place.doit()
    yield Figure(
        group=group, work="first: requests", value=requests, unit="requests", target=pages + repositories + wanted + 3
    )
    yield _seconds(group, "first", ran)
    idle = [place.doit() for _ in range(RUNS)]
    middle = _middle([ran for _, ran in idle])
    yield Figure(group=group, work="nothing changed: requests", value=idle[0][0], unit="requests", target=pages)
    yield _seconds(group, "nothing changed", middle, 1.2 if latency_s <= 0.02 else 1.8)
    naive_requests, naive = _naive(place)
    yield Figure(group=group, work="naive sync, on every run: requests", value=naive_requests, unit="requests")
    yield _seconds(group, "naive sync, on every run", naive)
    is_far = latency_s > 0.02
    quicker, fewer = naive.seconds / middle.seconds, naive_requests / idle[0][0]
    yield Figure(
        group=group, work="naive ÷ ours, nothing changed: seconds", value=quicker, unit="times",
        target=4 if is_far else None, at_least=True,
    )  # fmt: skip
    yield Figure(
        group=group, work="naive ÷ ours, nothing changed: requests", value=fewer, unit="times",
        target=80 if is_far else None, at_least=True,
    )  # fmt: skip
    _change_five(place.forge, step=round(latency_s * 1000))
    requests, ran = place.doit()
    yield Figure(
        group=group, work="5 changed, 2 of them below .tasks or .wiki: requests", value=requests, unit="requests",
        target=pages + 7,
    )  # fmt: skip
    yield _seconds(group, "5 changed, 2 of them below .tasks or .wiki", ran)


def _change_five(forge: ServedForge, step: int) -> None:
    forge.commit(f"{OWNER}/r00000", {".tasks/STATUS.md": board(0, step=step)})
    forge.commit(f"{OWNER}/r00001", {".wiki/p1.md": f"{page(1)}\n{step}\n"})
    for number in (2, 3, 4):
        forge.commit(f"{OWNER}/r{number:05}", {"src/main.py": f"print({step})\n"})
    forge.tick(HOUR_S)


def _naive(place: Place) -> tuple[int, processes.Ran]:
    place.forge.forget_requests()
    ran = processes.run(["-m", "benchmarks.naive", place.url, OWNER], {})
    return place.forge.count(), ran


# --- a large forge ------------------------------------------------------------------------------


def measure_large(folder: Path, repositories: int, parts: Collection[str] = PARTS) -> Iterator[Figure]:
    with open_served_forge(folder / "large") as (url, forge):
        forge.add_many(OWNER, repositories, files_of)
        forge.tick(HOUR_S)
        forge.turn(latency_s=LARGE_LATENCY_S)
        place = Place(folder / "large-home", forge, url)
        place.configure()
        group = f"{repositories:,} repositories, {LARGE_LATENCY_S * 1000:.0f} ms away"
        yield from _measure_first(place, group)
        if "idle" in parts:
            yield from _measure_idle(place, group)
        if "changes" in parts:
            yield from _measure_changes(place, group)
        if "server" in parts:
            yield from _measure_server(place, f"MCP server over stdio, {repositories:,} repositories")


def _measure_idle(place: Place, group: str) -> Iterator[Figure]:
    idle = _middle([place.doit()[1] for _ in range(RUNS)])
    yield _seconds(group, "nothing changed", idle, 4)
    yield _memory(group, "nothing changed", idle, 200)


def _measure_first(place: Place, group: str) -> Iterator[Figure]:
    requests, ran = place.doit()
    synced = ran.second_of("sync done") or 0.0
    parsed = ran.second_of("parsed") or synced
    bound = 1.3 * requests * LARGE_LATENCY_S / IN_FLIGHT
    yield Figure(group=group, work="first: requests", value=requests, unit="requests")
    yield Figure(group=group, work="first: sync", value=synced, unit="s", target=bound)
    yield Figure(group=group, work="first: all after the sync", value=ran.seconds - synced, unit="s", target=60)
    yield Figure(group=group, work="first: of it parsing", value=parsed - synced, unit="s")
    yield _seconds(group, "first: whole process", ran)
    yield _memory(group, "first", ran, 400)


def _measure_changes(place: Place, group: str) -> Iterator[Figure]:
    """Each change is published as a version of its own, and a version is pruned."""
    changes = (
        ("another next action", board(7, step=2)),
        ("one task done", board(7, step=2, done=1)),
    )
    _publish(place, board(7, step=1))  # so that each of the others has a version to prune
    for work, content in changes:
        ran = _publish(place, content)
        yield _seconds(group, f"1 changed ({work}): to the published version, a prune included", ran, 5)
        yield _memory(group, f"1 changed ({work})", ran, None)


def _publish(place: Place, content: str) -> processes.Ran:
    place.forge.commit(f"{OWNER}/r00007", {".tasks/STATUS.md": content})
    place.forge.tick(HOUR_S)
    place.age()
    return place.doit()[1]


def _measure_server(place: Place, group: str) -> Iterator[Figure]:
    starts = [asking.cold_start(place.environment) for _ in range(RUNS)]
    yield Figure(group=group, work="cold start to tools/list", value=statistics.median(starts), unit="s", target=1.0)
    spent = {
        call: asking.call_times(place.environment, [(tool, given)] * CALLS) for call, (tool, given) in ASKED.items()
    }
    every = sorted(each for times in spent.values() for each in times)
    yield Figure(group=group, work="these calls together, p50", value=statistics.median(every), unit="ms", target=3)
    yield Figure(group=group, work="these calls together, p99", value=_percentile(every, 99), unit="ms", target=20)
    for call, times in spent.items():
        yield Figure(group=group, work=f"{call}, p50", value=statistics.median(times), unit="ms")
    worst = asking.call_times(place.environment, [("tasks_search", {"query": "step"})] * 5)
    yield Figure(group=group, work="beside them, a word in every task: p50", value=statistics.median(worst), unit="ms")


def _percentile(values: list[float], percent: int) -> float:
    return values[min(len(values) - 1, math.ceil(len(values) * percent / 100) - 1)]


# --- what is told -------------------------------------------------------------------------------


def _middle(runs: list[processes.Ran]) -> processes.Ran:
    return sorted(runs, key=lambda ran: ran.seconds)[len(runs) // 2]


def _seconds(group: str, work: str, ran: processes.Ran, target: float | None = None) -> Figure:
    return Figure(group=group, work=work, value=ran.seconds, unit="s", target=target, cpu_s=ran.cpu_s)


def _memory(group: str, work: str, ran: processes.Ran, target: float | None) -> Figure:
    return Figure(group=group, work=f"{work}: peak memory", value=ran.peak_mb or math.nan, unit="MB", target=target)


def main(small: int, large: int, parts: Collection[str], json_path: Path | None, docs_path: Path | None) -> None:
    """Measure, print the table, and write what was asked for."""
    measured_on = figures.machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = list(measure_small(folder, small)) if small else []
        found += measure_large(folder, large, parts) if large else []
        written = json_path or folder / "figures.json"
        figures.write_json(written, measured_on, found)
        if docs_path:
            figures.write_docs(docs_path, written)
        print("\n".join(figures.table(found)), flush=True)  # before ten thousand repositories are removed
