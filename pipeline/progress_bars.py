"""The live line of `progress` on a terminal: apart, since a run without a terminal need not import it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text


def open_bars(target: TextIO, words: Callable[[], str]) -> Progress:
    """A display without a bar yet; `words` are asked for at each drawing."""
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), _Words(words))
    return Progress(*columns, console=Console(file=target), transient=True)


class _Words(ProgressColumn):
    """Text that is made anew at each drawing, since silence changes it too."""

    def __init__(self, words: Callable[[], str]) -> None:
        self.words = words
        super().__init__()

    def render(self, task: Task) -> Text:  # noqa: ARG002  # there is one bar
        return Text(self.words())
