"""Several clients on one machine: streamable HTTP on loopback, behind a bearer token."""

from __future__ import annotations

import socket
import sys

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_server import loopback

PATH = "/mcp"
TOKEN_NAME = "PROJECTS_META_HTTP_TOKEN"


class RequireToken:
    """Answer 401 to every HTTP request without the one bearer token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let lifespan events and requests with the token through."""
        if scope["type"] != "http" or loopback.holds_token(Headers(scope=scope).get("authorization", ""), self.token):
            return await self.app(scope, receive, send)
        refusal = PlainTextResponse(
            f"expected the header Authorization: Bearer <the text of {TOKEN_NAME}>\n",
            status_code=401,
            headers={"WWW-Authenticate": "Bearer"},
        )
        return await refusal(scope, receive, send)


def build_app(server: Server, host: str, port: int, token: str) -> ASGIApp:
    """The ASGI application: token first, then Host and Origin, then the protocol."""
    names = {"127.0.0.1", "localhost", "[::1]", loopback.in_address(host)}
    hosts = [f"{name}:{port}" for name in sorted(names)]
    security = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
    app = server.streamable_http_app(
        streamable_http_path=PATH, json_response=True, stateless_http=True, transport_security=security
    )
    return RequireToken(app, token)


def listen(host: str, port: int) -> socket.socket:
    """Take the port (0: a free one), and say on stderr where clients reach it; the caller closes.

    Raises:
        OSError: the port is taken, or the host is no address of this machine.
    """
    listening = loopback.listen(host, port)
    sys.stderr.write(f"projects_meta listens on {loopback.url_of(listening)}{PATH}\n")
    return listening


def serve(server: Server, listening: socket.socket, token: str) -> None:
    """Serve until stopped."""
    host, port, *_ = listening.getsockname()
    app = build_app(server, host, port, token)
    config = uvicorn.Config(app, log_level="warning", access_log=False, ws="none")
    uvicorn.Server(config).run(sockets=[listening])
