"""Listening on this machine: what counts as it, and taking a port of it."""

from __future__ import annotations

import hmac
import ipaddress
import socket


def is_loopback(host: str) -> bool:
    """True for an address (or `localhost`) that other machines cannot reach."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_sendable(token: str) -> bool:
    """True for a token that a header can carry: printable ASCII without spaces."""
    return token.isascii() and token.isprintable() and token != "" and " " not in token


def holds_token(authorization: str, token: str) -> bool:
    """Whether the value of an Authorization header is `Bearer <token>`; takes as long for every wrong one."""
    scheme, _, given = authorization.partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), token.encode())


def listen(host: str, port: int) -> socket.socket:
    """Take the port (0: a free one); the caller closes.

    Raises:
        OSError: the port is taken, or the host is no address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024)


def url_of(listening: socket.socket) -> str:
    """`http://host:port` of a socket that listens."""
    host, port, *_ = listening.getsockname()
    return f"http://{in_address(host)}:{port}"


def in_address(host: str) -> str:
    """A host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host
