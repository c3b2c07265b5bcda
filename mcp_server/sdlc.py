"""`sdlc-hub`: `serve` a hub over HTTP, or speak to one as an MCP server (`mcp wiki`)."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from pipeline import __version__
from pipeline.errors import PipelineError
from pipeline.text import line

MODULES = ("wiki",)
PORT = 8787


def main(words: Sequence[str] | None = None) -> int:
    """Run one command.  2: the command line, the environment or a folder is not as it must be."""
    options = build_parser().parse_args(words)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        status: int = options.run(options)
    except PipelineError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return status


def build_parser() -> argparse.ArgumentParser:
    """What the command line accepts."""
    parser = argparse.ArgumentParser(prog="sdlc-hub", description=__doc__)
    parser.add_argument("--version", action="version", version=f"sdlc-hub {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_serve(commands)
    _add_mcp(commands)
    return parser


def _add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    meaning = "serve the published wikis over HTTP, and run the pipeline for those who ask"
    serving = commands.add_parser("serve", help=meaning, description=meaning)
    serving.add_argument("--host", default="127.0.0.1", help="a loopback address")
    serving.add_argument("--port", type=_port, default=PORT, help=f"default {PORT}; 0 takes a free one")
    where = "the state folder (default: SDLC_HUB_STATE, else the user's own)"
    serving.add_argument("--state", metavar="DIR", type=Path, help=where)
    where = "the folder in which `doit` is run (default: this folder)"
    serving.add_argument("--project-dir", metavar="DIR", type=Path, default=Path(), help=where)
    serving.add_argument("--allow-remote", action="store_true", help="listen where other machines can reach it")
    serving.set_defaults(run=_serve)


def _add_mcp(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    meaning = "an MCP server over stdio that asks a running hub"
    speaking = commands.add_parser("mcp", help=meaning, description=meaning)
    speaking.add_argument("module", type=_module, help=f"one of: {', '.join(MODULES)}")
    speaking.add_argument("words", nargs=argparse.REMAINDER, metavar="…", help="`sdlc-hub mcp wiki --help` lists them")
    speaking.set_defaults(run=_speak)


def _module(word: str) -> str:
    if word not in MODULES:
        raise argparse.ArgumentTypeError(f"there is no module {line(word, 40)!r}; there are: {', '.join(MODULES)}")
    return word


def _port(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 5 and int(word) <= 65_535):
        raise argparse.ArgumentTypeError(f"{word!r} is no port; expected a whole number from 0 to 65535")
    return int(word)


def _serve(options: argparse.Namespace) -> int:
    try:
        from mcp_server.hub import serving
    except ModuleNotFoundError as error:
        if error.name not in ("fastapi", "uvicorn"):
            raise
        sys.stderr.write("the hub needs its extra; run: pip install 'projects-meta[hub]'\n")
        return 2
    from mcp_server.hub.state import find_state

    serving.serve(
        serving.Wiring(
            state=find_state(options.state),
            project_folder=options.project_dir.absolute(),
            host=options.host,
            port=options.port,
            allow_remote=options.allow_remote,
        )
    )
    return 0


def _speak(options: argparse.Namespace) -> int:
    from mcp_server.wiki.__main__ import main as speak

    return speak(options.words)


if __name__ == "__main__":
    sys.exit(main())
