"""What doit is taught: a state file that heals itself, an `info` without tracebacks, a quiet reporter."""

from __future__ import annotations

import difflib
import signal
import sys
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from doit.cmd_info import Info as DoitInfo
from doit.dependency import DatabaseException, JsonDB
from doit.exceptions import InvalidCommand
from doit.reporter import ZeroReporter

from pipeline import files
from pipeline.errors import ArtifactError
from pipeline.layout import Layout

UNKNOWN_TASK = 3


class StateFile(JsonDB):  # type: ignore[misc]  # doit has no types
    """doit's JSON state, written whole; its folder is made, and a broken file is set aside.

    Raises:
        InvalidCommand: the folder or the file cannot be written, or the folder is somebody else's.
    """

    desc = "JSON in one file, written whole; a broken one is set aside"

    def __init__(self, name: str, codec: Any, *, module_name: str | None = None) -> None:
        _claim(Layout(Path(name).parent))
        try:
            super().__init__(name, codec, module_name=module_name)
        except DatabaseException:
            files.replace(Path(name), Path(f"{name}.broken"))
            super().__init__(name, codec, module_name=module_name)
        except OSError as error:
            raise InvalidCommand(f"{name} cannot be read: {error.strerror}; move it away") from None

    def dump(self) -> None:
        """Save the state by one rename; nothing is written when nothing changed."""
        if not Path(self.name).parent.is_dir():
            return
        try:
            files.write_atomic(Path(self.name), self.codec.encode(_without_subtasks(self._db)).encode("utf-8"))
        except OSError as error:
            raise InvalidCommand(f"{self.name} cannot be written: {error.strerror}") from None


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

    def initialize(self, _tasks: object, selected: list[str]) -> None:
        """Make a stop by a signal as orderly as Ctrl-C, and Ctrl-C a sentence."""
        signal.signal(signal.SIGTERM, _interrupt)
        sys.excepthook = _say_stopped
        self.selected = [name for name in selected if ":" in name]
        self.seen: list[str] = []

    def get_status(self, task: Any) -> None:
        """Remember which tasks there are; one without actions stands for a name that nobody made."""
        if task.actions or task.has_subtask:
            self.seen.append(task.name)

    def complete_run(self) -> None:
        """Tell of a sub-task that was asked for and does not exist: doit itself passes over it in silence."""
        unknown = [name for name in getattr(self, "selected", []) if name not in self.seen]
        if unknown and not self.failures:
            self.write("".join(f"{_no_task(name, self.seen)}\n" for name in unknown))
            raise SystemExit(UNKNOWN_TASK)

    def add_failure(self, task: Any, fail: Any) -> None:
        """Tell a failed step by its message; a crash of ours by its whole traceback."""
        if fail.report:
            self.failures.append({"task": task, "exception": fail})
            self.write(fail.get_msg() if fail.traceback else f"{task.name}: {fail.message}\n")


def _without_subtasks(state: Mapping[str, Mapping[str, object]]) -> dict[str, Mapping[str, object]]:
    """A repository's task is decided by our own record: its name need not stand here too, a person's word does."""
    return {task: known for task, known in state.items() if ":" not in task or "ignore:" in known}


def speak_any_script() -> None:
    """Let a name in letters that the output's code page lacks be written as an escape: it must not stop a build."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _claim(place: Layout) -> None:
    """Make the build folder; one that somebody else filled is refused, for `doit clean` empties it."""
    try:
        files.make_private(place.root)
        ours = any(path.exists() for path in (place.doit_json, place.lock, place.current_json))
        if not ours and any(place.root.iterdir()):
            raise InvalidCommand(f"{place.root} holds files of somebody else; set PROJECTS_META_BUILD to a new folder")
    except ArtifactError as error:
        raise InvalidCommand(str(error)) from None
    except OSError as error:
        told = f"the build folder {place.root} cannot be used: {error.strerror}"
        raise InvalidCommand(f"{told}; set PROJECTS_META_BUILD to a folder that you may write") from None


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Stop as Ctrl-C does: a running event loop ends its tasks first, and only SIGINT tells it to.

    A shell makes what it runs in the background deaf to Ctrl-C; it shall still hear this.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.raise_signal(signal.SIGINT)


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
