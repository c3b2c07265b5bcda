"""Standard input and output as the protocol's wire: UTF-8, LF, bounded lines, on every platform.

While it serves, fd 0 reads nothing and fd 1 leads to stderr, so a stray print never reaches the client.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper

import anyio
import mcp_types as wire
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

LINE_LIMIT = 1_048_576
GRACE_S = 10
TOO_LONG = "(a line over the limit)\n"
NOT_A_MESSAGE = wire.JSONRPCError(
    jsonrpc="2.0",
    id=None,
    error=wire.ErrorData(
        code=wire.PARSE_ERROR, message="expected one JSON-RPC message, on one line of UTF-8 of at most 1 MiB"
    ),
)


class WireLines(TextIOWrapper):
    """Lines that end at LF; one longer than 1 MiB is read away and stands as a line that is no message."""

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]  # typeshed: bytes, by IOBase
        """The next line, bounded; empty at the end of input."""
        start = super().readline(LINE_LIMIT)
        if len(start) < LINE_LIMIT or start.endswith("\n"):
            return start
        while (rest := super().readline(LINE_LIMIT)) and not rest.endswith("\n"):
            pass
        return TOO_LONG


async def serve(server: Server) -> None:
    """Serve one client on stdin and stdout until its input ends and what it asked is answered."""
    with _claimed() as (reading, writing):
        lines, out = anyio.wrap_file(reading), anyio.wrap_file(writing)
        # `outgoing` must be closed here, since the SDK's server closes only the stream that it speaks to.
        async with stdio_server(lines, out) as (incoming, outgoing), outgoing, anyio.create_task_group() as tasks:
            to_server, heard = anyio.create_memory_object_stream[SessionMessage | Exception]()
            from_server, spoken = anyio.create_memory_object_stream[SessionMessage]()
            relay = Relay(outgoing.send)
            tasks.start_soon(relay.hear, incoming, to_server)
            tasks.start_soon(relay.speak, spoken)
            await server.run(heard, from_server, server.create_initialization_options())


class Relay:
    """Stands between the wire and the SDK for two things that the SDK does not do: a line that is no message
    is answered as JSON-RPC asks, and the end of input waits for the answers to what was asked before it.
    """

    def __init__(self, say: Callable[[SessionMessage], Awaitable[None]]) -> None:
        self._say = say
        self._open: set[wire.RequestId] = set()
        self._answered = anyio.Event()

    async def hear(
        self,
        incoming: AsyncIterable[SessionMessage | Exception],
        server: MemoryObjectSendStream[SessionMessage | Exception],
    ) -> None:
        """Carry the client's messages to the server until they end."""
        async with server:
            async for heard in incoming:
                if isinstance(heard, Exception):
                    await self._say(SessionMessage(NOT_A_MESSAGE))
                    continue
                self._note(heard.message)
                await server.send(heard)
            with anyio.move_on_after(GRACE_S):
                while self._open:
                    await self._answered.wait()

    def _note(self, message: wire.JSONRPCMessage) -> None:
        """Know what waits for an answer; what the client has cancelled gets none."""
        if isinstance(message, wire.JSONRPCRequest):
            self._open.add(message.id)
        elif isinstance(message, wire.JSONRPCNotification) and message.method == "notifications/cancelled":
            cancelled = (message.params or {}).get("requestId")
            self._open -= {cancelled} if isinstance(cancelled, (str, int)) else set()

    async def speak(self, spoken: AsyncIterable[SessionMessage]) -> None:
        """Carry the server's messages to the client until they end."""
        async for message in spoken:
            await self._say(message)
            if isinstance(message.message, (wire.JSONRPCResponse, wire.JSONRPCError)):
                self._open.discard(message.message.id)
                self._answered.set()
                self._answered = anyio.Event()


@contextmanager
def _claimed() -> Iterator[tuple[WireLines, TextIOWrapper]]:
    """Our own handles on the wire; those of the process then lead elsewhere."""
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield (
            WireLines(os.fdopen(reading, "rb", closefd=False), encoding="utf-8", errors="replace", newline="\n"),
            TextIOWrapper(os.fdopen(writing, "wb", closefd=False), encoding="utf-8", newline="\n"),
        )
    finally:
        sys.stdout.flush()
