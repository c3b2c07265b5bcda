"""Small commands beside doit.

python -m pipeline explain board FILE     how a STATUS.md is read, as JSON
python -m pipeline explain index FILE     how a wiki index is read, as JSON
python -m pipeline verify [--all]         recompute every hash of the published version
python -m pipeline diff A B               what version B has that A has not
python -m pipeline hint REPOSITORY…       the next doit asks for these, whatever their listing says
python -m pipeline hint                   how to register the MCP server
python -m pipeline fetch-blob REPOSITORY OID    bring one attachment of a wiki, at most 64 MiB
python -m pipeline init DIR               a dodo.py and a commented sources.toml to start from
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

from pipeline import __version__, clock, codec, explain, files, hints, layout, registration, text, versions
from pipeline.errors import ArtifactError, ConfigError, PipelineError

MADE = "stage/, objects/, versions/ and current.json"
FORM = argparse.RawDescriptionHelpFormatter
STARTERS = {"dodo.py": "dodo.py", "sources.toml": "sources.toml", ".gitignore": "gitignore"}


def explain_file(args: argparse.Namespace) -> int:
    """Print how one file is read; the file's trouble is part of the answer, not an error."""
    path = Path(args.file)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError((f"{args.file} cannot be read: {error.strerror}",)) from None
    _print(codec.dump_json(explain.explain(args.kind, raw, _pages_around(path))).decode("utf-8"))
    return 0


def _pages_around(path: Path) -> tuple[str, ...]:
    """The slugs of the wiki that an index stands in; none elsewhere."""
    folder = path.absolute().parent
    if folder.name != ".wiki":
        return ()
    return tuple(name[:-3] for name in files.walk(folder) if name.lower().endswith(".md") and name != path.name)


def verify_versions(args: argparse.Namespace) -> int:
    """Check the current version, or every kept one."""
    place = layout.find()
    current = versions.read_current(place)
    if current is None:
        raise ArtifactError("nothing has been published yet; run `doit` first")
    numbers = [number for number in versions.numbers(place) if number <= current] if args.all else [current]
    troubles = [trouble for number in numbers for trouble in versions.verify(place, number)]
    _print("".join(f"{trouble}\n" for trouble in troubles))
    counted = f"{len(numbers)} version{'s' if len(numbers) > 1 else ''}"
    _print(f"{counted}: {len(troubles) or 'no'} trouble{'s' if len(troubles) != 1 else ''}\n")
    if troubles:
        _print(f"to mend it: delete {MADE} in {place.root}, then run `doit`: all is made anew from sync/\n")
    return 1 if troubles else 0


def diff_versions(args: argparse.Namespace) -> int:
    """Print what two kept versions have not in common; status 1 when they differ, as diff does."""
    place = layout.find()
    old, new = (versions.read_manifest(place, number) for number in (args.old, args.new))
    projects, others = versions.compare_manifests(old, new)
    for what, difference in (("project", projects), ("file", others)):
        for word, names in (("+", difference.added), ("-", difference.removed), ("~", difference.changed)):
            _print("".join(f"{word} {what} {name}\n" for name in names))
    return 0 if projects.is_empty and others.is_empty else 1


def hint(args: argparse.Namespace) -> int:
    """Remember the repositories that were pushed to; without one, print the registration for every kind of client."""
    if args.repositories:
        return _remember(args.repositories)
    _print(f"Claude Code:\n  {registration.claude_line()}\n\n")
    _print('Claude Desktop, Cursor, and others that read JSON (VS Code: the same under "servers"):\n')
    _print(f"{registration.registration()}\n")
    return 0


def _remember(names: list[str]) -> int:
    """What is no name is told and holds up none of the others."""
    refused = hints.add(layout.find(), names, clock.now())
    for name in refused:
        full = f"{hints.MOST:,} hints wait already; run `doit`"
        why = full if hints.is_name(name) else "expected host/owner/name, owner/name or name"
        sys.stderr.write(f'"{text.line(name, 100)}": {why}\n')
    return 2 if refused else 0


def fetch(args: argparse.Namespace) -> int:
    """Bring the bytes of one file into the blob store; status 75 while a build runs."""
    from pipeline import fetch_blob, kinds
    from pipeline.sources import SOURCES

    place = layout.find()
    config = kinds.load_config(Path(args.project_dir), place)
    try:
        is_new = fetch_blob.fetch_blob(place, config, SOURCES, args.repository, args.oid)
    except files.BuildRunning as error:
        sys.stderr.write(f"{error}\n")
        return files.LOCKED
    _print(f"{'brought' if is_new else 'here already:'} {args.oid}\n")
    return 0


def init_folder(args: argparse.Namespace) -> int:
    """Write the files to start from; what is there already stays as it is."""
    folder = Path(args.folder)
    for name, source in STARTERS.items():
        if (folder / name).exists():
            _print(f"kept     {folder / name}\n")
        else:
            files.copy(layout.starter(source), folder / name)
            _print(f"written  {folder / name}\n")
    _print(f"next: edit {folder / 'sources.toml'}, then run `doit` in {folder}\n")
    return 0


def write_schemas(args: argparse.Namespace) -> int:
    """Write the JSON Schemas; they are generated from the model."""
    for name in sorted(codec.SCHEMAS):
        content = codec.dump_json(codec.json_schema(name))
        files.write_atomic(Path(args.folder) / f"{name}.schema.json", content)
    return 0


def build_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m pipeline", description=__doc__, formatter_class=FORM)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    explaining = _command(commands, "explain", explain_file, "show how a file is read")
    explaining.add_argument("kind", choices=("board", "index"))
    explaining.add_argument("file", metavar="FILE")
    verifying = _command(commands, "verify", verify_versions, "recompute the hashes of the published version")
    verifying.add_argument("--all", action="store_true", help="of every kept version")
    comparing = _command(commands, "diff", diff_versions, "compare two kept versions")
    comparing.add_argument("old", type=int, metavar="A")
    comparing.add_argument("new", type=int, metavar="B")
    hinting = _command(commands, "hint", hint, "have repositories asked at once; without one: register the MCP server")
    hinting.add_argument("repositories", nargs="*", metavar="REPOSITORY", help="host/owner/name, owner/name or name")
    fetching = _command(commands, "fetch-blob", fetch, "bring one file that a wiki lists by name and size alone")
    fetching.add_argument("repository", metavar="REPOSITORY", help="host/owner/name")
    fetching.add_argument("oid", metavar="OID", help="its git object id")
    fetching.add_argument("--project-dir", metavar="DIR", default=".", help="where dodo.py lies (default: here)")
    starting = _command(commands, "init", init_folder, "write the files to start from")
    starting.add_argument("folder", metavar="DIR")
    schemas = _command(commands, "schemas", write_schemas, "write the JSON Schema of every artifact")
    schemas.add_argument("folder", metavar="DIR")
    return parser


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    run: Callable[[argparse.Namespace], int],
    meaning: str,
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=meaning, description=meaning)
    command.set_defaults(run=run)
    return command


def _print(text: str) -> None:
    sys.stdout.write(text)


def _end_on(error: OSError) -> int:
    """A reader that has seen enough (`… | head`) is no trouble; Windows tells it as EINVAL."""
    if isinstance(error, BrokenPipeError) or error.errno == errno.EINVAL:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the last flush complains
        return 0
    sys.stderr.write(f"{error.filename or 'output'}: {error.strerror}\n")
    return 2


def main(argv: list[str] | None = None) -> int:
    """Run one command; a mistake is one sentence on stderr and status 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", newline="\n")
    args = build_parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except PipelineError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except OSError as error:
        return _end_on(error)
    return status


if __name__ == "__main__":
    sys.exit(main())
