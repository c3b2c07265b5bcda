"""What it takes an agent to see every open task of two hundred projects."""

from __future__ import annotations

import json
from dataclasses import dataclass
from time import process_time

import mcp_types as wire
import pytest

from mcp_server.server import call
from mcp_server.tool import Reader
from pipeline.layout import Layout
from tests.fakes.open_tasks import PROJECTS, projects
from tests.fakes.published import Site
from tests.mcp_server.asking import TOOLS, lines, words

CALLS = 4
TOKENS = 16_000
CPU_S = 0.050
ROUNDS = 5


@dataclass(frozen=True, kw_only=True)
class Heard:
    """The answers to all calls of one walk from the first row to the last, and the least processor time of five."""

    answers: list[wire.CallToolResult]
    cpu_s: float

    @property
    def tasks(self) -> list[dict[str, str]]:
        return [line for one in self.answers for line in lines(one.structured_content)]


def walk(reader: Reader) -> list[wire.CallToolResult]:
    """Ask for a hundred rows until there are no more."""
    answers: list[wire.CallToolResult] = []
    offset: int | None = 0
    while offset is not None:
        answers.append(call(reader, TOOLS, "tasks_aggregate", {"limit": 100, "offset": offset}))
        offset = answers[-1].structured_content["next_offset"]
    return answers


def timed(reader: Reader) -> float:
    begun = process_time()
    for answer in walk(reader):
        answer.model_dump_json(by_alias=True)
    return process_time() - begun


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """One walk by a server that has answered before."""
    site = Site(Layout(tmp_path_factory.mktemp("open") / "build"))
    site.publish(*projects())
    reader = Reader(published=site.published())
    return Heard(answers=walk(reader), cpu_s=min(timed(reader) for _ in range(ROUNDS)))


def test_four_calls_tell_every_open_task_once_with_its_next_action(heard: Heard):
    named = {(row["project"], row["slug"]) for row in heard.tasks}

    assert len(heard.answers) == CALLS
    assert len(heard.tasks) == len(named) == 2 * PROJECTS
    assert all(row["next"] and row["revision"] for row in heard.tasks)


def test_either_form_of_the_answers_is_within_sixteen_thousand_tokens(heard: Heard):
    """A token is counted as four bytes; a client shows a model the JSON or the text, not both."""
    structured = "".join(map(compact, heard.answers))
    shown = "".join(map(words, heard.answers))
    sizes = {"JSON": len(structured.encode()) / 4, "text": len(shown.encode()) / 4}
    print(f"\nall open tasks, bytes / 4: {sizes}")

    assert max(sizes.values()) <= TOKENS


def compact(answered: wire.CallToolResult) -> str:
    """The structured content as clients write it for a model."""
    return json.dumps(answered.structured_content, ensure_ascii=False, separators=(",", ":"))


def test_the_answers_take_less_than_fifty_milliseconds_of_a_processor(heard: Heard):
    print(f"\nall open tasks: {heard.cpu_s * 1000:.1f} ms of a processor")

    assert heard.cpu_s <= CPU_S
