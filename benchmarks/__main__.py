"""python -m benchmarks sync [--small 200] [--large 10000] [--only PART …] [--json FILE] [--write-docs]
python -m benchmarks rebuild [REPOSITORIES] [PAGES]
python -m benchmarks tasks [REPOSITORIES]
python -m benchmarks hub [--readers 200] [--seconds 30]
python -m benchmarks search [--sizes 2000,10000] [--json FILE]
python -m benchmarks knowledge [--sizes 10000] [--json FILE]
python -m benchmarks history [--pages 500] [--versions 2000] [--json FILE]
python -m benchmarks report [--projects 200] [--pages 5000] [--tasks 3800] [--json FILE]
python -m benchmarks roots [--files 10000] [--json FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import history, hub, knowledge, rebuild, report, roots, search, sync, tasks

DOCS = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    syncing = commands.add_parser("sync", help="requests and seconds of a sync and of all after it, at two sizes")
    syncing.add_argument("--small", type=int, default=200, metavar="N", help="repositories of the small forge; 0: none")
    syncing.add_argument("--large", type=int, default=10_000, metavar="N", help="of the large one; 0 leaves it out")
    syncing.add_argument(
        "--only", nargs="*", choices=sync.PARTS, default=sync.PARTS, help="of the large forge, after its first sync"
    )
    syncing.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    syncing.add_argument("--write-docs", action="store_true", help=f"write {DOCS.name} of docs/ too")
    syncing.set_defaults(
        run=lambda args: sync.main(args.small, args.large, args.only, args.json, DOCS if args.write_docs else None)
    )
    rebuilding = commands.add_parser("rebuild", help="folders: everything anew, nothing and one task changed")
    rebuilding.add_argument("repositories", nargs="?", type=int, default=500)
    rebuilding.add_argument("pages", nargs="?", type=int, default=10)
    rebuilding.set_defaults(run=lambda args: rebuild.main(args.repositories, args.pages))
    counting = commands.add_parser("tasks", help="a search over tasks beside a plain scan; all open tasks")
    counting.add_argument("repositories", nargs="?", type=int, default=500)
    counting.set_defaults(run=lambda args: tasks.main(args.repositories))
    searching = commands.add_parser("search", help="a search over wiki pages beside a plain scan and rg")
    searching.add_argument("--sizes", type=_sizes, default=(2_000, 10_000), metavar="N,N", help="pages of each corpus")
    searching.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    searching.set_defaults(run=lambda args: search.main(args.sizes, args.json))
    asking = commands.add_parser("knowledge", help="what the tools about knowledge take over stdio")
    asking.add_argument("--sizes", type=_sizes, default=(10_000,), metavar="N,N", help="wiki pages")
    asking.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    asking.set_defaults(run=lambda args: knowledge.main(args.sizes, args.json))
    looking_back = commands.add_parser("history", help="versions of pages: to make, to list, to show")
    looking_back.add_argument("--pages", type=int, default=500, metavar="N")
    looking_back.add_argument("--versions", type=int, default=2_000, metavar="N", help="of all pages")
    looking_back.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    looking_back.set_defaults(run=lambda args: history.main(args.pages, args.versions, args.json))
    reporting = commands.add_parser("report", help="the report: seconds, bytes, what one word makes anew")
    reporting.add_argument("--projects", type=int, default=200, metavar="N")
    reporting.add_argument("--pages", type=int, default=5_000, metavar="N", help="of all projects")
    reporting.add_argument("--tasks", type=int, default=3_800, metavar="N", help="of all projects")
    reporting.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    reporting.set_defaults(run=lambda args: report.main(args.projects, args.pages, args.tasks, args.json))
    rooting = commands.add_parser("roots", help="knowledge roots: their stage, and the tools that read them")
    rooting.add_argument("--files", type=int, default=10_000, metavar="N", help="of three roots together")
    rooting.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    rooting.set_defaults(run=lambda args: roots.main(args.files, args.json))
    serving = commands.add_parser("hub", help="many readers of a hub while it syncs")
    serving.add_argument("--readers", type=int, default=200, metavar="N")
    serving.add_argument("--seconds", type=float, default=30, metavar="S", help="of each of the two rows")
    serving.add_argument("--projects", type=int, default=50, metavar="N")
    serving.add_argument("--pages", type=int, default=20, metavar="N", help="of each project")
    serving.set_defaults(run=lambda args: hub.main(args.readers, args.seconds, args.projects, args.pages))
    return parser


def _sizes(written: str) -> tuple[int, ...]:
    return tuple(map(int, written.split(",")))


if __name__ == "__main__":
    arguments = build_parser().parse_args()
    arguments.run(arguments)
