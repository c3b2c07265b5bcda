"""`sdlc-hub serve`: one hub over one state folder and one build folder, until it is stopped."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from mcp_server import loopback
from mcp_server.hub.app import NAME, build_app, guard
from mcp_server.hub.downloads import Shelf
from mcp_server.hub.hub import Hub
from mcp_server.hub.queue import Queue
from mcp_server.hub.registry import Registry
from mcp_server.hub.runner import GOODBYE_S, Launcher, Pace, Runner
from mcp_server.hub.state import State, ensure_token, take_state
from mcp_server.hub.wikis import Wikis
from pipeline import clock, layout
from pipeline.catalog import Published
from pipeline.errors import ConfigError

DODO = "dodo.py"
BUILD_VARIABLE = "PROJECTS_META_BUILD"
LAUNCHER = "python -m doit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Where a hub finds what it needs, and where it is found."""

    state: State
    project_folder: Path
    host: str
    port: int
    allow_remote: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A hub that is ready to serve."""

    hub: Hub
    runner: Runner
    pace: Pace
    token: str


@contextmanager
def open_hub(state: State, project_folder: Path) -> Iterator[Opened]:
    """Open a state folder, for as long as the block runs.

    Raises:
        ConfigError: another hub has it, or something in it is not as it must be.
    """
    with ExitStack() as closing:
        closing.callback(take_state(state).release)
        token = ensure_token(state.token)
        registry = Registry(state.projects)
        queue = Queue(state.queue, clock.now)
        closing.callback(queue.close)
        pace, place = Pace(), layout.find()
        shelf = Shelf(root=state.root, layout=place, queue=queue)
        launcher = Launcher(project_folder, {**os.environ, BUILD_VARIABLE: str(place.root)}, pace)
        published = Published(place)
        wikis = Wikis(published)
        hub = Hub(
            registry=registry,
            queue=queue,
            shelf=shelf,
            published=published,
            wikis=wikis,
            launcher=LAUNCHER,
            woken=pace.woken,
        )
        runner = Runner(queue, launcher.launch, shelf, pace, wikis.renew)
        yield Opened(hub=hub, runner=runner, pace=pace, token=token)


@contextmanager
def working(opened: Opened) -> Iterator[None]:
    """Carry packets out in the background for as long as the block runs."""
    thread = threading.Thread(target=opened.runner.run, name="packets", daemon=True)
    thread.start()
    try:
        yield
    finally:
        opened.pace.stop()
        thread.join(2 * GOODBYE_S)


def serve(wiring: Wiring) -> None:
    """Serve until stopped.

    Raises:
        ConfigError: it cannot begin; the message says what to change.
    """
    _check(wiring)
    clock.now()
    with open_hub(wiring.state, wiring.project_folder) as opened, _listen(wiring) as listening:
        app = guard(build_app(opened.hub), opened.token)
        config = uvicorn.Config(app, log_level="warning", access_log=False, ws="none", lifespan="on", backlog=1024)
        sys.stdout.write(f"{NAME} listens on {loopback.url_of(listening)}\n")
        sys.stdout.flush()
        with _ending_in_order(), working(opened):
            uvicorn.Server(config).run(sockets=[listening])


class _Stop(BaseException):
    """Somebody stops the hub."""


def _leave(*_: object) -> None:
    raise _Stop


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """End as from the inside at SIGTERM and Ctrl-C, so that a running packet is ended, too.

    uvicorn hears these signals first, and raises them again once it has answered everybody.
    """
    before = {number: signal.signal(number, _leave) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    except _Stop:
        return
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _check(wiring: Wiring) -> None:
    if not loopback.is_loopback(wiring.host) and not wiring.allow_remote:
        raise ConfigError(
            (
                f"--host is {wiring.host}, which other machines can reach; expected a loopback address, "
                "or --allow-remote behind a proxy that speaks TLS",
            )
        )
    if not (wiring.project_folder / DODO).is_file():
        raise ConfigError(
            (f"{wiring.project_folder} has no {DODO}; give --project-dir the folder in which you run `doit`",)
        )


@contextmanager
def _listen(wiring: Wiring) -> Iterator[socket.socket]:
    try:
        listening = loopback.listen(wiring.host, wiring.port)
    except OSError as error:
        raise ConfigError(
            (f"cannot listen on {wiring.host} port {wiring.port}: {error.strerror}; choose another --port",)
        ) from None
    with listening:
        yield listening
