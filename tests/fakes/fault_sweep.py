"""Do something again and again, with a fault at each file operation in turn; prints how readers fared.

Run as a program (it forks): `fault_sweep.py FOLDER kill|full publish|purge|garbage`.  A fault is the
death of the process before the operation (`kill`), or the disk refusing it (`full`).  The operations are
those that Python audits: open for writing, mkdir, link, symlink, rename, remove, rmdir.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import files, versions
from pipeline.errors import ArtifactError
from pipeline.layout import Layout
from tests.fakes.staged import ANN, BEN, stage, write

WRITING = {"os.mkdir", "os.link", "os.symlink", "os.rename", "os.remove", "os.rmdir"}
KILLED, REFUSED, SURVIVED, DONE = 137, 3, 4, 0
KEEP = 2


def prepare(root: Path) -> None:
    """Three versions, two of them old enough to go, and a changed stage."""
    place = Layout(root)
    for number in range(1, 4):
        write(place.stage / "catalog.sqlite", b"rows %d" % number)
        projects = {ANN: stage(place, ANN, b"page %d" % number), BEN: stage(place, BEN, b"same")}
        write(place.stage / "repos.json", b"page %d" % number)
        versions.publish(place, projects, KEEP)
        past = (place.version(number) / "manifest.json").stat().st_mtime - 7200
        os.utime(place.version(number) / "manifest.json", (past, past))
    write(place.stage / "catalog.sqlite", b"rows 4")
    stage(place, ANN, b"page 4")


def publish(root: Path) -> None:
    """Publish what is staged."""
    place = Layout(root)
    projects = {name: files.sha256(place.artifact(name)) for name in (ANN, BEN)}
    versions.publish(place, projects, KEEP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is done, over what, and what of it can be seen: "old", "new", or what is wrong."""

    prepare: Callable[[Path], None]
    act: Callable[[Path], None]
    state: Callable[[Path], str]


def run(act: Callable[[Path], None], root: Path, at: int, fault: str) -> int:
    """Act in a child with a fault at operation `at`; answers how the child ended."""
    child = os.fork()
    if child == 0:
        made = _Fault(str(root), at, fault)
        sys.addaudithook(made.see)
        try:
            act(root)
        except OSError:
            os._exit(REFUSED)
        os._exit(SURVIVED if 0 < at <= made.seen else DONE)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class _Fault:
    def __init__(self, root: str, at: int, kind: str) -> None:
        self.root, self.at, self.kind, self.seen = root, at, kind, 0

    def see(self, event: str, args: tuple[Any, ...]) -> None:
        is_write = event in WRITING or (event == "open" and isinstance(args[1], str) and args[1][0] in "wax+")
        if not is_write or not any(self.root in os.fspath(each) for each in args[:2] if isinstance(each, str | Path)):
            return
        self.seen += 1
        if self.seen == self.at and self.kind == "kill":
            os._exit(KILLED)
        if self.seen == self.at:
            raise OSError(errno.ENOSPC, "no space left on device")


def state(root: Path) -> str:
    """What a reader finds: the old version or the new one, whole; else what is wrong."""
    place = Layout(root)
    number = versions.read_current(place) or 0
    try:
        troubles = versions.verify(place, number)
    except ArtifactError as error:
        return f"torn: {error}"
    page = (place.version(number) / "repos.json").read_bytes()
    names = {b"page 3": "old", b"page 4": "new"}
    return f"torn: {troubles}" if troubles else names.get(page, f"mixed: {page!r}")


def sweep(folder: Path, fault: str, scene: Scene) -> list[tuple[int, int, str, str]]:
    """(operation, how the child ended, what is seen then, what is seen after doing it again)."""
    scene.prepare(folder / "start")
    found = []
    for at in range(1, 1000):
        root = folder / "try"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(folder / "start", root, symlinks=True)
        ended = run(scene.act, root, at, fault)
        first = scene.state(root)
        after = run(scene.act, root, 0, fault)
        found.append((at, ended, first, scene.state(root) if after == DONE else f"the next build ended with {after}"))
        if ended == DONE:
            return found
    raise SystemExit("it never came to its end")


PUBLISH = Scene(prepare=prepare, act=publish, state=state)

if __name__ == "__main__":
    from tests.fakes.forgetting import GARBAGE, PURGE

    scenes = {"publish": PUBLISH, "purge": PURGE, "garbage": GARBAGE}
    json.dump(sweep(Path(sys.argv[1]), sys.argv[2], scenes[sys.argv[3]]), sys.stdout)
