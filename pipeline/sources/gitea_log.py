"""The log of one folder as Gitea and Forgejo list it: pages of commits, the newest first, in git's own order.

A page has fifty of them, whatever is asked for.  Old servers give more from the second page on, and repeat them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pipeline.errors import NoHistory, RepositoryNotFound, SourceUnreachable
from pipeline.model import FolderHistory, HistoryQuest
from pipeline.sources.answers import read_json
from pipeline.sources.gitea_api import LOG, LogRow, repository_path, words_of
from pipeline.sources.history import BEYOND_COMMITS, Logged, continues, instant
from pipeline.sources.transport import Getter, Response

PAGE = 50
ABSENT = frozenset({404})
TOTALS = ("x-total-count", "x-total")
UNTOLD = "this server does not tell the history of a folder"


@dataclass(frozen=True, slots=True)
class Log:
    """What was listed, newest first; `tail` is the known history that follows, where there is one.

    `total` counts all commits, as the server does.
    """

    rows: tuple[LogRow, ...]
    total: int
    tail: FolderHistory | None = None


async def read_log(getter: Getter, quest: HistoryQuest) -> Log:
    """List the commits of the quest's folder, down to the known ones if these follow as they stand.

    Raises:
        NoHistory: the server does not know how.
        SourceError: no answer, or pages that do not fit their count.
    """
    rows: dict[str, LogRow] = {}
    number = 0
    while True:
        number += 1
        page = await _page(getter, quest, number)
        before = len(rows)
        rows |= {row.sha: row for row in page.rows}
        listed = tuple(rows.values())
        newer = _newer(listed, page.total, quest.known)
        if newer is not None:
            return Log(newer, page.total, quest.known)
        if len(rows) >= min(page.total, quest.max_commits + BEYOND_COMMITS):
            return Log(listed[: quest.max_commits + BEYOND_COMMITS], page.total)
        if len(rows) == before:
            raise SourceUnreachable(f"the log of {quest.folder or 'it'} ends before its count")


def logged(row: LogRow) -> Logged:
    """A commit's place in the log."""
    return Logged(row.sha, moment(row.commit.committer.date), len(row.parents or ()) > 1)


def moment(written: str) -> datetime:
    """A time as the server writes it; one that no calendar has becomes the first of 1970."""
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        return instant(0)
    return found.astimezone(UTC) if found.tzinfo is not None and found.year in range(1970, 9999) else instant(0)


async def _page(getter: Getter, quest: HistoryQuest, number: int) -> Log:
    # A path that is the whole repository is not left out: only with one does git pass over what changed nothing.
    query = [("sha", quest.revision.commit), ("path", quest.folder or "."), ("stat", "false")]
    query += [("verification", "false"), ("files", "true"), ("limit", str(PAGE))]
    query += [("page", str(number))] if number > 1 else []
    path = repository_path(quest.revision.repository, "commits")
    response = await getter.get(path, query, allow=ABSENT)
    if response.status == 404:
        return _nothing(quest, response)
    return Log(read_json(response.body, LOG, "a list of commits"), _total(response.headers))


def _nothing(quest: HistoryQuest, response: Response) -> Log:
    """No such log: right for a folder that is not there; of a server that knows no logs its 404 is not worded."""
    if words_of(response.body) is None:
        raise NoHistory(UNTOLD)
    if quest.tree is not None:
        raise RepositoryNotFound("HTTP 404: not there, or not for these credentials")
    return Log((), 0)


def _total(headers: Mapping[str, str]) -> int:
    written = next((headers[name] for name in TOTALS if name in headers), "")
    if not (written.isascii() and written.isdecimal() and len(written) < 10):
        raise NoHistory(UNTOLD)
    return int(written)


def _newer(listed: Sequence[LogRow], total: int, known: FolderHistory | None) -> tuple[LogRow, ...] | None:
    """The rows before the known log, if it follows them and nothing else does."""
    if known is None or not known.order:
        return None
    count = next((at for at, row in enumerate(listed) if row.sha == known.order[0]), None)
    if count is None or count + known.total != total or not continues([logged(row) for row in listed[:count]], known):
        return None
    return tuple(listed[:count])
