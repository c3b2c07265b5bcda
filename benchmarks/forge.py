"""What a sync of a forge costs in requests and seconds, beside the naive way: asking for every board again.

    python benchmarks/forge.py [REPOSITORIES=500]

The forge is the tests' fake one, over real bare repositories, on a port of this machine; its own work
is part of the seconds.  The naive way is counted, not run: the listing and one request per repository.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HOME))

from tests.fakes.gitea import FakeGitea, open_fake_forge  # noqa: E402  # the checkout is not installed

BOARD = "# Task Board\n\n" + "".join(
    f"## 🔴 task-{n} — Task {n}\n**Status:** active\n**Next action:** step {{step}}\n\n" for n in range(5)
)


def fill(forge: FakeGitea, repositories: int) -> None:
    """Make the repositories, then let them be quiet for an hour."""
    for number in range(repositories):
        page = f"# Страница {number}\n\nПланировщик выдаёт аренды.\n"
        forge.add(
            f"ann/project-{number}",
            {".tasks/STATUS.md": BOARD.format(step=0), ".wiki/index.md": "- [A](a.md)\n", ".wiki/a.md": page},
        )
    forge.tick(3600)


def run(root: Path, forge: FakeGitea) -> tuple[int, float]:
    """One doit: requests and seconds."""
    forge.requests.clear()
    environment = {
        **os.environ,
        "PROJECTS_META_CONFIG": str(root / "sources.toml"),
        "PROJECTS_META_BUILD": str(root / "build"),
    }
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "doit"], cwd=HOME, env=environment, check=True, capture_output=True)
    return len(forge.requests), time.perf_counter() - start


def main() -> None:
    """Print the table."""
    repositories = int([*sys.argv[1:], "500"][0])
    naive = math.ceil(repositories / 50) + repositories
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "forge").mkdir()
        forge = open_fake_forge(root / "forge")
        fill(forge, repositories)
        with forge.serve() as url:
            row = f'[[source]]\nkind = "gitea"\nname = "forge"\nurl = "{url}"\nowners = ["ann"]\n'
            (root / "sources.toml").write_text(row, encoding="utf-8")
            first = run(root, forge)
            idle = run(root, forge)
            forge.commit("ann/project-7", {".tasks/STATUS.md": BOARD.format(step=1)})
            forge.tick(60)
            changed = run(root, forge)
    print(f"{repositories} repositories; the naive way asks {naive} times on every run")
    for what, (requests, seconds) in (("first", first), ("nothing changed", idle), ("one board changed", changed)):
        print(f"{what:<18} {requests:6} requests   {requests / naive:6.3f} of naive   {seconds:6.2f} s")


if __name__ == "__main__":
    main()
