"""An ASGI app on a port of this machine, served from a thread."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_ready.set()


@contextmanager
def serve(app: ASGIApp, *, certificate: Path | None = None, key: Path | None = None) -> Iterator[str]:
    """Serve `app` and give its address; with `certificate` and `key` over TLS."""
    config = uvicorn.Config(
        app, http="h11", ws="none", loop="asyncio", lifespan="off", log_level="critical", access_log=False,
        date_header=False, ssl_certfile=certificate, ssl_keyfile=key,
    )  # fmt: skip
    server = _Server(config)
    # With the protocol named, asyncio sends small answers at once; else each waits 40 ms for an acknowledgement.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        assert server.is_ready.wait(10), "the fake server did not start"
        try:
            yield f"{'https' if certificate else 'http'}://127.0.0.1:{port}"
        finally:
            server.should_exit = server.force_exit = True
            thread.join(10)
