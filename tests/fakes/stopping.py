"""A forge that stops its client, by a signal, when it is asked for the n-th time."""

from __future__ import annotations

import signal
import subprocess
from contextlib import AbstractContextManager
from dataclasses import dataclass

from starlette.types import Receive, Scope, Send

from tests.fakes import loopback
from tests.fakes.gitea import FakeGitea


@dataclass(slots=True)
class StoppingForge:
    """Passes questions on to `forge`; `stop` says whom to stop, when and how."""

    forge: FakeGitea
    client: subprocess.Popen[bytes] | None = None
    at: int = 0
    by: signal.Signals = signal.SIGTERM

    def stop(self, client: subprocess.Popen[bytes], at: int, by: signal.Signals) -> None:
        """Send `by` to the client when its `at`-th question comes; call this before it can have asked."""
        self.client, self.at, self.by = client, at, by

    def serve(self) -> AbstractContextManager[str]:
        """Serve it on a port of this machine."""
        return loopback.serve(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI application."""
        if self.client is not None and len(self.forge.requests) + 1 == self.at:
            self.client.send_signal(self.by)
        await self.forge(scope, receive, send)
