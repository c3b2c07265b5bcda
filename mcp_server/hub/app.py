"""The HTTP API of a hub: the token first, then the size of what is sent, then the routes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import to_thread
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mcp_server import loopback
from mcp_server.hub import routes_changes, routes_projects, routes_wiki, routes_work
from mcp_server.hub.errors import answer_errors, detail
from mcp_server.hub.hub import Hub
from mcp_server.hub.shapes import Trouble
from pipeline import __version__

NAME = "sdlc-hub"
LARGEST_BODY_BYTES = 64 << 10
# One interpreter lock serves them all: with more, a burst of questions makes each wait for every other at every step.
MOST_AT_ONCE = 4
NO_TOKEN = "the token is missing or wrong; send the header Authorization: Bearer <the text of the hub's token file>"
TOO_LARGE = "the body is larger than 64 KiB"
TROUBLES = {401: "The token is missing or wrong.", 422: "An argument is not as it must be."}


class Gate:
    """Lets nothing through without the token, nor a body that is too large."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 or 413, or hand on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        if not loopback.holds_token(headers.get("authorization", ""), self._token):
            refusal = detail(NO_TOKEN, 401, {"WWW-Authenticate": "Bearer"})
            return await refusal(scope, receive, send)
        body = await _read(receive)
        if body is None:
            return await detail(TOO_LARGE, 413)(scope, receive, send)
        return await self._app(scope, _again(body, receive), send)


async def _read(receive: Receive) -> bytes | None:
    """The whole body; None when it is too large."""
    pieces: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > LARGEST_BODY_BYTES:
            return None
        if not message.get("more_body", False):
            return b"".join(pieces)


def _again(body: bytes, receive: Receive) -> Receive:
    """Give the body once, then what comes after it."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Message:
        return pending.pop() if pending else await receive()

    return give


def build_app(hub: Hub) -> FastAPI:
    """The routes of a hub, without the gate; `/openapi.json` is one of them, `/docs` is off."""
    app = FastAPI(
        title=NAME,
        version=__version__,
        description="Wikis of the synced repositories, and the pipeline behind them.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_few_at_once,
        responses={status: {"model": Trouble, "description": words} for status, words in TROUBLES.items()},
    )
    app.state.hub = hub
    for routes in (routes_projects, routes_wiki, routes_changes, routes_work):
        app.include_router(routes.router)
    answer_errors(app)
    return app


@asynccontextmanager
async def _few_at_once(_: FastAPI) -> AsyncIterator[None]:
    to_thread.current_default_thread_limiter().total_tokens = MOST_AT_ONCE
    yield


def guard(app: FastAPI, token: str) -> ASGIApp:
    """The app behind its gate."""
    return Gate(app, token)
