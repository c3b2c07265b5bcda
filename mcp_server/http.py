"""Several clients on one machine: streamable HTTP on loopback, behind a bearer token."""

from __future__ import annotations

import hmac
import ipaddress
import socket
import sys

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
TOKEN_NAME = "PROJECTS_META_HTTP_TOKEN"


class RequireToken:
    """Answer 401 to every HTTP request without the one bearer token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.expected = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let lifespan events and requests with the token through."""
        if scope["type"] == "http":
            scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
            if scheme.lower() != "bearer" or not hmac.compare_digest(given.strip().encode(), self.expected):
                refusal = PlainTextResponse(
                    f"expected the header Authorization: Bearer <the text of {TOKEN_NAME}>\n",
                    status_code=401,
                    headers={"WWW-Authenticate": "Bearer"},
                )
                return await refusal(scope, receive, send)
        return await self.app(scope, receive, send)


def is_loopback(host: str) -> bool:
    """True for an address (or `localhost`) that other machines cannot reach."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_sendable(token: str) -> bool:
    """True for a token that a header can carry: printable ASCII without spaces."""
    return token.isascii() and token.isprintable() and token != "" and " " not in token


def build_app(server: Server, host: str, port: int, token: str) -> ASGIApp:
    """The ASGI application: token first, then Host and Origin, then the protocol."""
    names = {"127.0.0.1", "localhost", "[::1]", _in_address(host)}
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
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=128)
    sys.stderr.write(f"projects_meta listens on http://{_in_address(host)}:{listening.getsockname()[1]}{PATH}\n")
    return listening


def serve(server: Server, listening: socket.socket, token: str) -> None:
    """Serve until stopped."""
    host, port, *_ = listening.getsockname()
    app = build_app(server, host, port, token)
    config = uvicorn.Config(app, log_level="warning", access_log=False, ws="none")
    uvicorn.Server(config).run(sockets=[listening])


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
