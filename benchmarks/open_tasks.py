"""What it takes an agent to see every open task, with its next action, of two hundred projects over stdio.

Tokens are bytes / 4.  A client shows a model the structured content, as JSON without spaces, or the text, never
both: each is counted for itself.  The naive way is to read all boards.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import rebuild
from benchmarks.asking import Client
from benchmarks.figures import Figure
from tests.fakes.open_tasks import projects

CALLS = 4
TOKENS = 16_000
CPU_MS = 50
ROUNDS = 20
BYTES_OF_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Walked:
    """The results of all calls from the first row to the last."""

    results: list[Any]

    @property
    def tasks(self) -> int:
        return sum(len(one["structuredContent"]["tasks"]) for one in self.results)

    def structured(self) -> float:
        """Tokens of the JSON."""
        written = (
            json.dumps(one["structuredContent"], ensure_ascii=False, separators=(",", ":")) for one in self.results
        )
        return tokens(written)

    def text(self) -> float:
        """Tokens of the text form."""
        return tokens(one["content"][0]["text"] for one in self.results)


def tokens(texts: Iterator[str]) -> float:
    return sum(len(text.encode()) for text in texts) / BYTES_OF_A_TOKEN


def measure() -> Iterator[Figure]:
    """Build with the real pipeline, ask the real server."""
    made = projects()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for project in made:
            home = root / "projects" / project.id.partition("/")[2]
            (home / ".tasks").mkdir(parents=True)
            (home / ".tasks" / "STATUS.md").write_text(project.board or "", encoding="utf-8", newline="\n")
        source = f'[[source]]\nkind = "folder"\npath = "{(root / "projects").as_posix()}"\n'
        (root / "sources.toml").write_text(source, encoding="utf-8", newline="\n")
        rebuild.build(root)
        with Client({"PROJECTS_META_BUILD": str(root / "build")}) as client:
            client.begin()
            yield from _figures(client, len(made), tokens(project.board or "" for project in made))


def _figures(client: Client, made: int, boards: float) -> Iterator[Figure]:
    heard = _walk(client)
    before = client.cpu_s()
    for _ in range(ROUNDS):
        _walk(client)
    after = client.cpu_s()
    group = f"All open tasks: {heard.tasks} of {made} projects, over stdio"
    yield Figure(group=group, work="calls of 100 rows", value=len(heard.results), unit="calls", target=CALLS)
    yield Figure(group=group, work="JSON", value=heard.structured(), unit="tokens", target=TOKENS)
    yield Figure(group=group, work="text", value=heard.text(), unit="tokens", target=TOKENS)
    yield Figure(group=group, work="naive: every board as written", value=boards, unit="tokens")
    if before is not None and after is not None:
        spent = (after - before) / ROUNDS * 1000
        yield Figure(group=group, work="processor of the server, all calls", value=spent, unit="ms", target=CPU_MS)


def _walk(client: Client) -> Walked:
    results: list[Any] = []
    offset: int | None = 0
    while offset is not None:
        results.append(client.answer("tasks_aggregate", {"limit": 100, "offset": offset}))
        offset = results[-1]["structuredContent"]["next_offset"]
    return Walked(results)
