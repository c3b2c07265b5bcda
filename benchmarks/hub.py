"""How a hub answers many readers while it syncs, at a reader's pace and as fast as it can.

    python -m benchmarks hub [--readers 200] [--seconds 30] [--projects 50] [--pages 20]

Readers keep their connection and ask in turn for tree, page, search, changes, status and the list of projects.
At a reader's pace each asks once a second; then all of them ask again as soon as they are answered.  Meanwhile one
page changes and a sync is asked for, again and again, so that versions are published under the readers' hands.
Readers are a process of their own on the same machine: its processors are shared between them, the hub and `doit`.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from urllib.parse import quote, urlsplit

import httpx

from benchmarks.processes import HOME
from benchmarks.rebuild import ENGLISH, RUSSIAN
from pipeline.codes import page_code
from pipeline.model import RepoPath, RepositoryId

PACE_S = 1.0
TARGET_P99_MS = 150.0
PER_PROJECT = 1_000


@dataclass(frozen=True, slots=True)
class Hub:
    """Where it answers, and to whom."""

    url: str
    token: str

    def client(self) -> httpx.Client:
        """A client for what is not measured."""
        return httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {self.token}"}, trust_env=False)


@dataclass(slots=True)
class Tally:
    """Milliseconds of each answer, and how many were not 200."""

    milliseconds: list[float] = field(default_factory=list)
    errors: int = 0

    def line(self, name: str, seconds: float) -> str:
        """One row of the table."""
        cuts = quantiles(self.milliseconds, n=100)
        count = len(self.milliseconds)
        return (
            f"{name:18} {count:7,} answers  {count / seconds:6.0f} a second  {self.errors} errors  "
            f"p50 {cuts[49]:6.1f}  p95 {cuts[94]:6.1f}  p99 {cuts[98]:6.1f}  most {max(self.milliseconds):.0f} ms"
        )


def make(folder: Path, projects: int, pages: int) -> None:
    """Write the wikis: each has an index, and pages with codes below it."""
    for number in range(projects):
        wiki = folder / "team" / f"project-{number}" / ".wiki"
        wiki.mkdir(parents=True)
        (wiki / "index.md").write_text(f"# Wiki {number}\n", encoding="utf-8")
        for page in range(1, pages + 1):
            write_page(wiki, number, page, 0)


def write_page(wiki: Path, number: int, page: int, step: int) -> None:
    """Write one page."""
    text = RUSSIAN if (number + page) % 2 else ENGLISH
    head = f"---\ncode: DOC-{number * PER_PROJECT + page}\n---\n# Page {page} of {number}\n\nstep {step}\n\n"
    (wiki / f"page-{page}.md").write_text(head + text, encoding="utf-8")


def root_of(number: int) -> str:
    """The code of a wiki itself."""
    return page_code(RepositoryId(f"local/team/project-{number}"), RepoPath(".wiki/index.md"))


@contextmanager
def serving(root: Path, environment: Mapping[str, str]) -> Iterator[Hub]:
    """A hub of its own over the build folder of `root`."""
    words = ["serve", "--port", "0", "--state", str(root / "state"), "--project-dir", str(HOME)]
    process = subprocess.Popen(
        [sys.executable, "-m", "mcp_server.sdlc", *words],
        cwd=HOME,
        env={**environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        yield Hub(url, (root / "state" / "token").read_text().strip())
    finally:
        process.terminate()
        process.communicate()


def questions(projects: int, pages: int, chance: random.Random) -> Iterator[str]:
    """What one reader asks, without end."""
    while True:
        number, page = chance.randrange(projects), chance.randrange(1, pages + 1)
        label = f"project=P{number}"
        yield f"/wiki/tree?{label}"
        yield f"/wiki/page?{label}&code=DOC-{number * PER_PROJECT + page}"
        yield f"/wiki/search?{label}&q={quote(chance.choice(('аренду', 'scheduler', 'step', 'lease worker')))}"
        yield f"/wiki/changes?{label}&since=2026-01-01T00:00:00Z"
        yield f"/wiki/status?{label}"
        yield "/projects"


async def read(hub: Hub, asked: Iterator[str], tally: Tally, until: float, pace_s: float) -> None:
    """One reader on one connection: HTTP/1.1 by hand, since a whole client would cost more than the hub."""
    place = urlsplit(hub.url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    await asyncio.sleep(random.random() * pace_s)
    while (began := time.perf_counter()) < until:
        request = f"GET {next(asked)} HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {hub.token}\r\n\r\n"
        writer.write(request.encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r")[0]))
        tally.errors += b" 200 " not in head.partition(b"\r\n")[0]
        spent = time.perf_counter() - began
        tally.milliseconds.append(spent * 1000)
        await asyncio.sleep(max(0.0, pace_s - spent))
    writer.close()


async def ask_all(hub: Hub, readers: int, seconds: float, pace_s: float, sizes: tuple[int, int]) -> Tally:
    """Every reader at once."""
    tally = Tally()
    until = time.perf_counter() + seconds
    asked = [questions(*sizes, random.Random(number)) for number in range(readers)]
    async with asyncio.TaskGroup() as group:
        for each in asked:
            group.create_task(read(hub, each, tally, until, pace_s))
    return tally


async def sync_on(hub: Hub, wiki: Path) -> None:
    """Change a page and have it synced, until cancelled."""
    with hub.client() as client:
        for step in range(1, 1 << 30):
            write_page(wiki, 0, 1, step)
            asked = await asyncio.to_thread(client.post, "/wiki/sync", json={"project": "P0"})
            while await asyncio.to_thread(is_at_work, client, asked.json()["packet_id"]):
                await asyncio.sleep(0.5)


async def measure(hub: Hub, wiki: Path, readers: int, seconds: float, sizes: tuple[int, int]) -> None:
    """Print both rows, each while syncs run."""
    with hub.client() as client:
        for name, pace_s in (("at a reader's pace", PACE_S), ("as fast as it can", 0.0)):
            syncing = asyncio.create_task(sync_on(hub, wiki))
            before = published(client)
            tally = await ask_all(hub, readers, seconds, pace_s, sizes)
            syncing.cancel()
            await asyncio.wait({syncing})
            print(tally.line(name, seconds), f" {published(client) - before} versions published", flush=True)
            if pace_s:
                reached = tally.errors == 0 and quantiles(tally.milliseconds, n=100)[98] <= TARGET_P99_MS
                print(f"0 errors and p99 ≤ {TARGET_P99_MS:g} ms: {'reached' if reached else 'missed'}", flush=True)


def published(client: httpx.Client) -> int:
    """The version that is published now."""
    return int(client.get("/wiki/status", params={"project": "P0"}).json()["agent"]["published"]["version"])


def main(readers: int, seconds: float, projects: int, pages: int) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        make(root / "projects", projects, pages)
        source = f'[[source]]\nkind = "folder"\npath = "{(root / "projects").as_posix()}"\n'
        (root / "sources.toml").write_text(source, encoding="utf-8")
        named = {"PROJECTS_META_CONFIG": str(root / "sources.toml"), "PROJECTS_META_BUILD": str(root / "build")}
        environment = {**os.environ, **named}
        subprocess.run([sys.executable, "-m", "doit"], cwd=HOME, env=environment, check=True, capture_output=True)
        with serving(root, environment) as hub:
            with hub.client() as client:
                for number in range(projects):
                    made = {"label": f"P{number}", "name": f"Project {number}", "author": "benchmark"}
                    client.post("/projects", json={**made, "wiki_root": root_of(number)}).raise_for_status()
                wait_idle(client, projects)
            print(f"{readers} readers of {projects} projects of {pages} pages, {seconds:g} s each; {machine()}")
            asyncio.run(measure(hub, root / "projects/team/project-0/.wiki", readers, seconds, (projects, pages)))


def wait_idle(client: httpx.Client, packets: int) -> None:
    """Until the syncs that new projects asked for are done."""
    while is_at_work(client, packets):
        time.sleep(0.5)


def is_at_work(client: httpx.Client, packet: int) -> bool:
    """Whether a packet waits or runs."""
    return client.get(f"/packets/{packet}").json()["state"] in ("queued", "running")


def machine() -> str:
    """What it was measured on."""
    return json.dumps({"cores": os.cpu_count(), "load before": round(os.getloadavg()[0], 1)})
