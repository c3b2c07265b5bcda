"""A real catalog of a few made-up repositories, indexed without the parser."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pipeline import codec, files, index
from pipeline.catalog import Catalog, open_catalog
from pipeline.model import (
    Artifact,
    Board,
    BoardState,
    Diagnostic,
    Empty,
    IndexState,
    Listing,
    RepoPath,
    RepositoriesFile,
    RepositoryId,
    Revision,
    Roster,
    RosterEntry,
    Severity,
    SharedPage,
    State,
    Status,
    WikiIndex,
    WikiPage,
    WorkItem,
    short_name,
)

COMMIT = "4f2a91c0d3b5a6e7f8091a2b3c4d5e6f70819203"
NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)
BOARD = RepoPath(".tasks/STATUS.md")


@dataclass(frozen=True, kw_only=True)
class Repository:
    """What one made-up repository holds; `copied` False: no look ever succeeded."""

    id: str
    state: State = "ok"
    reason: str | None = None
    source: str = "git.example.org"
    copied: bool = True
    shared: bool = False
    board: BoardState = "absent"
    board_text: str = ""
    items: Sequence[WorkItem] = ()
    index: IndexState = "absent"
    index_error: str | None = None
    pages: Sequence[WikiPage] = ()
    shared_pages: Sequence[SharedPage] = ()
    diagnostics: Sequence[Diagnostic] = ()
    committed_at: datetime = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)


def task(slug: str, status: Status = "todo", *, title: str = "", line: int = 3, **more: str) -> WorkItem:
    return WorkItem(
        slug=slug,
        title=title or slug,
        status=status,
        status_text=more.get("written"),
        next=more.get("next"),
        owner=more.get("owner"),
        fields=(),
        line=line,
        end_line=line,
    )


def page(slug: str, title: str, *, indexed: bool = True, description: str | None = None) -> WikiPage:
    return WikiPage(
        slug=slug,
        type=slug.split("/")[0],
        title=title,
        description=description,
        path=RepoPath(f".wiki/{slug}.md"),
        file=None,
        oid="0" * 40,
        size_bytes=10,
        indexed=indexed,
        front_matter={},
    )


def shared_page(slug: str, title: str, domain: str | None) -> SharedPage:
    return SharedPage(
        slug=slug,
        domain=domain,
        title=title,
        description=None,
        shared_at=None,
        applies_to=(),
        source_project=None,
        path=RepoPath(f"{slug}.md"),
        file=None,
        oid="0" * 40,
        size_bytes=10,
        front_matter={},
    )


def trouble(code: str, message: str, *, severity: Severity = "warning", line: int | None = 4) -> Diagnostic:
    return Diagnostic(code=code, severity=severity, path=BOARD, line=line, message=message)


def _entry(repository: Repository) -> RosterEntry:
    return RosterEntry(
        source=repository.source,
        listing=Listing(repository=RepositoryId(repository.id), forge_id=repository.id, default_branch="main"),
        head=Empty(),
        state=repository.state,
        reason=repository.reason,
        settled=True,
        shared=repository.shared,
        trees=(),
        snapshot_digest=None,
        evidence="listing",
    )


def _artifact(repository: Repository) -> Artifact:
    identity = RepositoryId(repository.id)
    has_board = repository.board != "absent"
    return Artifact(
        schema_version=codec.SCHEMA_VERSION,
        repository=identity,
        name=short_name(identity),
        shared=repository.shared,
        revision=Revision(
            repository=identity, ref="refs/heads/main", commit=COMMIT, committed_at=repository.committed_at
        ),
        board=Board(path=BOARD if has_board else None, state=repository.board, items=tuple(repository.items)),
        board_file="STATUS.md" if has_board else None,
        index=WikiIndex(path=None, state=repository.index, error=repository.index_error),
        index_file=None,
        pages=tuple(repository.pages),
        shared_pages=tuple(repository.shared_pages),
        links=(),
        shared_links=(),
        rules=None,
        task_files=(),
        attachments=(),
        files=(),
        diagnostics=tuple(repository.diagnostics),
    )


def build_catalog(folder: Path, repositories: Sequence[Repository], now: datetime) -> Catalog:
    folder.mkdir(parents=True, exist_ok=True)
    artifacts = {
        RepositoryId(one.id): (_artifact(one), hashlib.sha256(codec.dump(_artifact(one))).hexdigest())
        for one in repositories
        if one.copied
    }
    texts = {RepositoryId(one.id): one.board_text for one in repositories}
    for repository, (_, digest) in artifacts.items():
        files.write_atomic(folder / repository / digest / "STATUS.md", texts[repository].encode())
    roster = Roster(schema_version=codec.SCHEMA_VERSION, entries=tuple(map(_entry, repositories)))
    shared = next((RepositoryId(one.id) for one in repositories if one.shared), None)
    records = index.build_repositories(roster, artifacts, shared)
    _write_rows(folder / "catalog.sqlite", records, artifacts, texts)
    return open_catalog(folder / "catalog.sqlite", lambda one, digest: folder / one / digest, 1, None, now)


def _write_rows(
    path: Path,
    records: RepositoriesFile,
    artifacts: Mapping[RepositoryId, tuple[Artifact, str]],
    texts: Mapping[RepositoryId, str],
) -> None:
    connection = sqlite3.connect(path)
    index.create(connection, "code", "scan")
    changed = (
        (artifact, digest, lambda _, one=one: texts[one]) for one, (artifact, digest) in sorted(artifacts.items())
    )
    index.update(connection, records, changed)
    connection.commit()
    connection.close()
