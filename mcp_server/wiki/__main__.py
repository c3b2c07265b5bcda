"""`sdlc-hub mcp wiki`: serve one session over stdio, asking the hub."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import anyio

from mcp_server import state_folder, wire
from mcp_server.wiki import words
from mcp_server.wiki.client import Hub
from mcp_server.wiki.server import build_server
from mcp_server.wiki.tools import Session
from pipeline import clock, files

HUB = "http://127.0.0.1:8787"
TOKEN_LIMIT = 400


def main(words_given: Sequence[str] | None = None) -> int:
    """Serve until the client goes."""
    options = build_parser().parse_args(words_given)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    # Each request would be told on stderr.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    # Nothing here needs to be put away, and a thread that waits for input cannot be asked to stop.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    clock.now()
    try:
        anyio.run(_serve, options, os.environ)
    except* BrokenPipeError:
        pass
    return 0


def build_parser() -> argparse.ArgumentParser:
    """What the command line accepts."""
    parser = argparse.ArgumentParser(prog="sdlc-hub mcp wiki", description="MCP server sdlc-wiki over stdio.")
    parser.add_argument("--project", metavar="LABEL", help="the project that the session is bound to")
    parser.add_argument("--language", choices=words.LANGUAGES, default="ru", help="of the answers (default: ru)")
    parser.add_argument("--read-only", action="store_true", help="leave out the tools that change the hub's records")
    parser.add_argument("--hub", metavar="URL", help=f"the hub (default: SDLC_HUB_URL, else {HUB})")
    parser.add_argument(
        "--token-file", metavar="FILE", type=Path, help="the client's token (default: of the state folder)"
    )
    parser.add_argument("--state", metavar="DIR", type=Path, help="the hub's state folder, for its token and copies")
    return parser


async def _serve(options: argparse.Namespace, environment: Mapping[str, str]) -> None:
    texts = words.load(options.language)
    state = state_folder.find(options.state, environment)
    url = options.hub or environment.get("SDLC_HUB_URL") or HUB
    async with Hub(url, token_of(options.token_file or state / state_folder.TOKEN, environment), texts) as hub:
        session = Session(
            hub=hub, label=options.project, words=texts, now=clock.now, finding=_finding(options, url), state=state
        )
        await wire.serve(build_server(session, read_only=options.read_only))


def token_of(path: Path, environment: Mapping[str, str]) -> Callable[[], str | None]:
    """How to read the client's token; None while there is none: the hub makes it when it first starts."""

    def read() -> str | None:
        given = environment.get("SDLC_HUB_TOKEN")
        if given is None:
            raw = files.read_bytes(path)
            given = None if raw is None else raw[:TOKEN_LIMIT].decode("ascii", errors="replace")
        return given.strip() if given is not None else None

    return read


def _finding(options: argparse.Namespace, url: str) -> tuple[str, ...]:
    """The words by which another session finds the same hub, in the same language."""
    hub = () if url == HUB else ("--hub", url)
    return (*hub, *(() if options.language == "ru" else ("--language", options.language)))


if __name__ == "__main__":
    sys.exit(main())
