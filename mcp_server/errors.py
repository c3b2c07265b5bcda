"""Trouble becomes one sentence of ours, here and nowhere else.

A `CatalogError` goes out as it stands.  A version that cannot be read, or a mistake of ours, goes out
as a fixed sentence that says nothing of the host; the server's log (stderr) has the reason.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from pipeline.errors import ArtifactError, CatalogError
from pipeline.text import line

logger = logging.getLogger(__name__)

ERROR_LIMIT = 1000
UNREADABLE = (
    "the published version cannot be read; run `doit` to publish it anew, then ask again "
    "(the server's log has the reason)"
)
CRASHED = "this question met a mistake of the server; nothing was changed, other questions work, its log has the reason"

Value = TypeVar("Value")


class BadArgument(CatalogError):
    """The caller's arguments are not as the tool accepts them."""


class UnknownTool(CatalogError):
    """No listed tool has that name or title."""


class UnknownAddress(CatalogError):
    """No resource template has that form."""


class UnknownPrompt(CatalogError):
    """No listed prompt has that name."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer: the whole text that the caller sees, on one line."""

    text: str


async def ask(question: Callable[[], Value]) -> Value | Refusal:
    """Answer a question in a worker thread; its trouble is a value, so that nothing else reaches the wire."""
    outcome = asyncio.get_running_loop().run_in_executor(None, question)
    await asyncio.wait({outcome})
    trouble = outcome.exception()
    return outcome.result() if trouble is None else refuse(trouble)


def refuse(trouble: BaseException) -> Refusal:
    """The sentence for one trouble; what is not the caller's to mend goes to the log as well."""
    if isinstance(trouble, CatalogError):
        return Refusal(line(str(trouble), ERROR_LIMIT))
    logger.error("a question could not be answered", exc_info=trouble)
    return Refusal(UNREADABLE if isinstance(trouble, (ArtifactError, sqlite3.Error, OSError)) else CRASHED)
