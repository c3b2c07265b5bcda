"""An event loop that SIGTERM ends as Ctrl-C does: its tasks first, and then with KeyboardInterrupt."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """`asyncio.run`, stoppable by SIGTERM where there is one.

    asyncio itself hears SIGINT alone, and not even that where a shell, as for a job in the background,
    made us deaf to it.  Signals reach the main thread only; in another nothing is added.

    Raises:
        KeyboardInterrupt: after SIGTERM, when every task has ended.
    """
    if threading.current_thread() is not threading.main_thread():
        return asyncio.run(main)
    before = signal.getsignal(signal.SIGTERM)
    is_stopped = threading.Event()
    try:
        return asyncio.run(_stoppable(main, is_stopped))
    except asyncio.CancelledError:
        if is_stopped.is_set():
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


async def _stoppable(main: Coroutine[Any, Any, Result], is_stopped: threading.Event) -> Result:
    task = asyncio.current_task()
    assert task is not None

    def stop() -> None:
        is_stopped.set()
        task.cancel()

    # Windows has no such handler, and nobody there who sends the signal.
    with contextlib.suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
    return await main
