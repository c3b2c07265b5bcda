"""What stands between the wire and the SDK."""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
import mcp_types as wire
from mcp.shared.message import SessionMessage

from mcp_server.wire import Relay


async def said(*messages: wire.JSONRPCMessage) -> AsyncIterator[SessionMessage | Exception]:
    for message in messages:
        yield SessionMessage(message)


def cancel(request: object) -> wire.JSONRPCNotification:
    return wire.JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params={"requestId": request})


def end_after(*messages: wire.JSONRPCMessage) -> None:
    """Return when the relay has seen the input end; fail when it waits for an answer instead."""

    async def hear() -> None:
        to_server, _heard = anyio.create_memory_object_stream[SessionMessage | Exception](len(messages))
        with anyio.fail_after(5), _heard:
            await Relay(to_server.send).hear(said(*messages), to_server)

    anyio.run(hear)


def test_the_end_of_input_does_not_wait_for_an_answer_to_what_was_cancelled():
    end_after(wire.JSONRPCRequest(jsonrpc="2.0", id=7, method="ping"), cancel(7))


def test_a_cancellation_of_nothing_that_can_be_named_does_no_harm():
    end_after(cancel([]), cancel(None), wire.JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled"))
