"""What doit is taught: a state file that heals itself, an `info` without tracebacks, a quiet reporter."""

from __future__ import annotations

import difflib
import signal
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from doit.cmd_info import Info as DoitInfo
from doit.dependency import DatabaseException, JsonDB
from doit.exceptions import InvalidCommand
from doit.reporter import ZeroReporter

from pipeline import files


class StateFile(JsonDB):  # type: ignore[misc]  # doit has no types
    """doit's JSON state, written whole; its folder is made, and a broken file is set aside."""

    desc = "JSON in one file, written whole; a broken one is set aside"

    def __init__(self, name: str, codec: Any, *, module_name: str | None = None) -> None:
        files.make_private(Path(name).parent)
        try:
            super().__init__(name, codec, module_name=module_name)
        except DatabaseException:
            files.replace(Path(name), Path(f"{name}.broken"))
            super().__init__(name, codec, module_name=module_name)

    def dump(self) -> None:
        """Save the state by one rename; nothing is written when nothing changed."""
        if Path(self.name).parent.is_dir():
            files.write_atomic(Path(self.name), self.codec.encode(self._db).encode("utf-8"))


class Info(DoitInfo):  # type: ignore[misc]  # doit has no types
    """`doit info TASK`, which says what to do when there is no such task (yet)."""

    name = "info"

    def _execute(self, pos_args: list[str], hide_status: bool = False) -> int:
        names = [task.name for task in self.task_list]
        if len(pos_args) == 1 and pos_args[0] not in names:
            raise InvalidCommand(_no_task(pos_args[0], names))
        result: int = super()._execute(pos_args, hide_status)
        return result


class Reporter(ZeroReporter):  # type: ignore[misc]  # doit has no types
    """Says nothing of what goes well; the steps tell their own progress and summary."""

    desc = "only what went wrong"

    def initialize(self, *_: object) -> None:
        """Make a stop by a signal as orderly as Ctrl-C, and Ctrl-C a sentence."""
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        sys.excepthook = _say_stopped

    def add_failure(self, task: Any, fail: Any) -> None:
        """Tell a failed step by its message; a crash of ours by its whole traceback."""
        if fail.report:
            self.failures.append({"task": task, "exception": fail})
            self.write(fail.get_msg() if fail.traceback else f"{task.name}: {fail.message}\n")


def _no_task(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, n=3)
    if near:
        return f'no task "{name}"; did you mean {" or ".join(near)}?'
    if name.startswith("parse:"):
        return f'no task "{name}"; repositories are known after a first sync: run `doit`, then `doit list --all`'
    return f'no task "{name}"; `doit list --all` shows all'


def _say_stopped(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.stderr.write("stopped; what was brought so far is kept, `doit` goes on from there\n")
    else:
        sys.__excepthook__(kind, error, trace)
