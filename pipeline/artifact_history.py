"""What is here of a repository's history → its history.json.  Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.codec import SCHEMA_VERSION
from pipeline.codes import asked_code, claim_of, settle
from pipeline.history import page_histories
from pipeline.model import Artifact, Diagnostic, FolderHistory, History, PageKey, ProjectHistory, RepoPath, TaskChange
from pipeline.parse.board import parse_board
from pipeline.renames import Text
from pipeline.task_history import task_changes

BOARDS, WIKI = ".tasks", ".wiki"
INDEX = RepoPath(".wiki/index.md")
Numbers = Mapping[tuple[str | None, str | None], tuple[int, int]]


def build(artifact: Artifact, held: History | None, text: Text, last: ProjectHistory | None) -> ProjectHistory | None:
    """A project's history; None where there is neither a wiki nor a board, and never was.

    Pages have their codes also while no history is here.  `text` gives the bytes of a blob, None when they are not
    there.  What `last`, the history as it was made before, has counted or compared already is taken from it.
    """
    pages = _keys(artifact)
    folders = {folder.folder: folder for folder in (held.folders if held else ())}
    if not pages and not folders and artifact.board.state == "absent":
        return None
    wiki = folders.get(WIKI) or _unknown(WIKI)
    board = folders.get(BOARDS) or _unknown(BOARDS)
    counted = _counted(last)
    return ProjectHistory(
        schema_version=SCHEMA_VERSION,
        repository=artifact.repository,
        wiki_is_loaded=wiki.order is not None,
        tasks_is_loaded=board.order is not None,
        pages=page_histories(artifact.repository, wiki, pages, text, lambda *pair: counted.get(pair)),
        tasks=_changes(board, text, last),
        board_log=None if board.order is None else _marks(board.order)[0],
    )


def troubles(history: ProjectHistory) -> tuple[Diagnostic, ...]:
    """What the authors of pages should know of their codes."""
    grants = settle([claim_of(history.repository, page) for page in history.pages])
    return tuple(grant.diagnostic for grant in grants if grant.diagnostic is not None)


def _keys(artifact: Artifact) -> tuple[PageKey, ...]:
    """The pages of the wiki, and the wiki itself: the page of its index, whether that is written or not."""
    found = [PageKey(slug=page.slug, path=page.path, code=asked_code(page.front_matter)) for page in artifact.pages]
    if not found and artifact.index.path is None:
        return ()
    path = artifact.index.path or INDEX
    slug = path.removeprefix(f"{WIKI}/")[: -len(".md")]
    wiki = PageKey(slug=slug, path=path, code=artifact.index.code)
    return (*found, wiki) if all(page.slug != slug for page in found) else tuple(found)


def _unknown(folder: str) -> FolderHistory:
    return FolderHistory(folder=folder, revision=None, tree=None, order=None, total=0, commits=())


def _counted(last: ProjectHistory | None) -> Numbers:
    versions = (version for page in (last.pages if last else ()) for version in page.versions)
    return {
        (one.before, one.after): (one.added, one.removed)
        for one in versions
        if one.added is not None and one.removed is not None
    }


def _changes(board: FolderHistory, text: Text, last: ProjectHistory | None) -> tuple[TaskChange, ...]:
    """The changes of the commits that are new, then those of a log that is the old one's end."""
    if board.order is None:
        return ()
    marks = _marks(board.order)
    if last is None or last.board_log not in marks:
        return task_changes(board, text, parse_board)
    newer = replace(board, order=board.order[: marks.index(last.board_log)])
    return (*task_changes(newer, text, parse_board, last.tasks), *last.tasks)


def _marks(order: Sequence[str]) -> list[str]:
    """For each place in a log, and for its end, what its commits from the oldest to that are known by."""
    running = hashlib.sha256()
    marks = [running.hexdigest()]
    for commit in reversed(order):
        running.update(commit.encode())
        marks.append(running.hexdigest())
    return marks[::-1]
