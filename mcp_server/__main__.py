"""`python -m mcp_server`: serve the newest published version, read-only."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import anyio
from mcp.server.lowlevel import Server

from mcp_server import loopback, wire
from mcp_server.release import release
from mcp_server.server import NAME, build_server
from mcp_server.tool import Reader
from mcp_server.tools import ALWAYS, TOOLSETS, chosen
from pipeline import layout
from pipeline.catalog import Published
from pipeline.layout import ROOTS_FILE

ROOTS = "roots"
OPTIONAL = tuple(name for name in TOOLSETS if name != ALWAYS)


def main(words: Sequence[str] | None = None) -> int:
    """Serve until the client goes.  2: the command line or the environment is not as it must be."""
    parser = build_parser()
    options = parser.parse_args(words)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    # Nothing here needs to be put away, and a thread that waits for input cannot be asked to stop.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    published = Published(layout.find())
    reader = Reader(published=published, cwd=_folder(options))
    toolsets = options.toolsets if options.toolsets is not None else usual_toolsets(published)
    server = build_server(reader, chosen(toolsets), dotted=options.tool_names == "dotted")
    if options.transport == "stdio":
        return _over_stdio(server)
    return _over_http(parser, server, options)


def build_parser() -> argparse.ArgumentParser:
    """What the command line accepts."""
    parser = argparse.ArgumentParser(
        prog="python -m mcp_server",
        description="Read-only MCP server over the newest published version of all repositories.",
    )
    parser.add_argument("--version", action="version", version=f"{NAME} {release()}")
    parser.add_argument("--cwd", metavar="DIR", type=Path, help="the caller's project folder (default: this folder)")
    toolsets = f"some of {','.join(OPTIONAL)} (default: all; {ROOTS} where there are some); {ALWAYS} is always there"
    parser.add_argument("--toolsets", metavar="LIST", type=_toolsets, help=toolsets)
    parser.add_argument("--tool-names", choices=("plain", "dotted"), default="plain", help="tasks_get or tasks.get")
    parser.add_argument("--transport", choices=("stdio", "streamable-http"), default="stdio")
    parser.add_argument("--host", default="127.0.0.1", help="of streamable-http; a loopback address")
    parser.add_argument("--port", type=_port, default=8765, help="of streamable-http; 0 takes a free one")
    return parser


def _toolsets(words: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in words.split(",") if name.strip())
    unknown = [name for name in names if name not in TOOLSETS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no toolset {unknown[0]!r}; expected some of {', '.join(TOOLSETS)}")
    return names


def usual_toolsets(published: Published) -> tuple[str, ...]:
    """All of them; those of knowledge roots only where some are published: a tool that is listed costs tokens."""
    has_roots = published.has(ROOTS_FILE)
    return tuple(name for name in OPTIONAL if has_roots or name != ROOTS)


def _folder(options: argparse.Namespace) -> Path | None:
    """The caller's folder; over HTTP the process's own folder says nothing about the caller."""
    if options.cwd is not None:
        return Path(options.cwd).absolute()
    return Path.cwd() if options.transport == "stdio" else None


def _over_stdio(server: Server) -> int:
    """Until the input ends or the client no longer reads."""
    try:
        anyio.run(wire.serve, server)
    except* BrokenPipeError:
        pass
    return 0


def _over_http(parser: argparse.ArgumentParser, server: Server, options: argparse.Namespace) -> int:
    from mcp_server import http

    token = os.environ.get(http.TOKEN_NAME, "")
    if not loopback.is_sendable(token):
        expected = "a long random text of ASCII letters without spaces"
        parser.error(f"streamable-http needs a bearer token; set {http.TOKEN_NAME} to {expected}")
    if not loopback.is_loopback(options.host):
        parser.error(f"--host is {options.host}; expected a loopback address: plain HTTP must not leave this machine")
    try:
        listening = http.listen(options.host, options.port)
    except OSError as error:
        parser.error(f"cannot listen on {options.host} port {options.port}: {error.strerror}; choose another --port")
    with listening:
        http.serve(server, listening, token)
    return 0


def _port(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 5 and int(word) <= 65_535):
        raise argparse.ArgumentTypeError(f"{word!r} is no port; expected a whole number from 0 to 65535")
    return int(word)


if __name__ == "__main__":
    sys.exit(main())
