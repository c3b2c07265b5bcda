"""A client of the MCP server over stdio, as thin as can be: what it measures is the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from benchmarks.processes import HOME

PROTOCOL = "2025-06-18"


@dataclass(slots=True)
class Client:
    """One server process and the conversation with it."""

    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] = field(init=False)
    asked: int = 0

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mcp_server"],
            cwd=HOME,
            env={**os.environ, **self.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)

    def begin(self) -> int:
        """Shake hands and list the tools; answers how many there are."""
        client = {"name": "benchmark", "version": "1"}
        self.ask("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return len(self.ask("tools/list", {})["tools"])

    def call(self, tool: str, arguments: Mapping[str, object]) -> float:
        """Call a tool; answers the milliseconds.

        Raises:
            SystemExit: the server answered with an error.
        """
        start = time.perf_counter()
        self.answer(tool, arguments)
        return (time.perf_counter() - start) * 1000

    def answer(self, tool: str, arguments: Mapping[str, object]) -> Any:
        """Call a tool; answers its whole result.

        Raises:
            SystemExit: the server answered with an error.
        """
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise SystemExit(f"{tool} {arguments}: {result}")
        return result

    def cpu_s(self) -> float | None:
        """Seconds that a processor has worked for the server so far; None where the platform does not tell."""
        if sys.platform != "linux":
            return None
        # The clock of another process, as clock_getcpuclockid(3) makes its number.
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def ask(self, method: str, params: Mapping[str, object]) -> Any:
        """Put one question and wait for its answer."""
        self.asked += 1
        self._say({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            answer = json.loads(line)
            if answer.get("id") == self.asked:
                return answer["result"]
        raise SystemExit(f"the server ended at {method}")

    def _say(self, message: Mapping[str, object]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


def cold_start(environment: Mapping[str, str]) -> float:
    """Seconds from the start of the process to the list of its tools."""
    start = time.perf_counter()
    with Client(environment) as client:
        client.begin()
        return time.perf_counter() - start


def call_times(environment: Mapping[str, str], calls: Sequence[tuple[str, Mapping[str, object]]]) -> list[float]:
    """Milliseconds of each call, after one of each tool that is not counted."""
    with Client(environment) as client:
        client.begin()
        for tool, arguments in dict(calls).items():
            client.call(tool, arguments)
        return [client.call(tool, arguments) for tool, arguments in calls]
