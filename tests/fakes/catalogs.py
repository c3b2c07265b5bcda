"""Small projects made by hand, and the catalog.sqlite that shows them."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from pipeline import catalog, codec, index, model
from pipeline.blobs import blob_id
from pipeline.index_schema import Engine

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
COMMIT = "4f2a91c0" * 5
CODE = "code"
OID = "a" * 40


def item(slug: str, title: str = "", line: int = 1, **rest: Any) -> model.WorkItem:
    """A task of which only the named things matter."""
    usual = {"status": "active", "status_text": None, "next": None, "owner": None, "fields": (), "end_line": line}
    return model.WorkItem(slug=slug, title=title or slug, line=line, **{**usual, **rest})


@dataclass(frozen=True, kw_only=True)
class Project:
    """One repository: texts as written, tasks by hand in lines of the board's text.

    One that was never read has no artifact.
    """

    repository: str
    board: str | None = None
    items: tuple[model.WorkItem, ...] = ()
    board_state: model.BoardState = "parsed"
    board_path: str = ".tasks/STATUS.md"
    pages: Mapping[str, str | None] = field(default_factory=dict)
    shared_pages: Mapping[str, str] = field(default_factory=dict)
    links: tuple[tuple[str, str, int], ...] = ()
    shared_links: tuple[tuple[str, str, int], ...] = ()
    rules: model.SharedRules | None = None
    task_files: Mapping[str, str] = field(default_factory=dict)
    wiki_index: str | None = None
    index_error: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    front_matter: Mapping[str, object] = field(default_factory=dict)
    front_matters: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    unindexed: frozenset[str] = frozenset()
    attachments: Mapping[str, bytes] = field(default_factory=lambda: {"a.png": b"\x89PNG..."})
    diagnostics: tuple[model.Diagnostic, ...] = ()
    state: model.State = "ok"
    reason: str | None = None
    committed_at: datetime | None = NOW
    history: model.ProjectHistory | None = None
    source: str = "forge"
    visibility: model.Visibility = "private"
    read: bool = True

    @property
    def id(self) -> model.RepositoryId:
        return model.RepositoryId(self.repository)

    @property
    def texts(self) -> dict[str, str]:
        """Text by its file beside project.json."""
        pages = {f"wiki/{slug}.md": text for slug, text in self.pages.items() if text is not None}
        shared = {f"shared/{slug}.md": text for slug, text in self.shared_pages.items()}
        tasks = {f"tasks/{path}": text for path, text in self.task_files.items()}
        history = None if self.history is None else codec.dump(self.history).decode()
        named = {"STATUS.md": self.board, "index.md": self.wiki_index, "history.json": history}
        return pages | shared | tasks | {file: text for file, text in named.items() if text is not None}

    @property
    def artifact(self) -> model.Artifact:
        revision = model.Revision(repository=self.id, ref="main", commit=COMMIT, committed_at=self.committed_at)
        return model.Artifact(
            schema_version=codec.SCHEMA_VERSION,
            repository=self.id,
            name=model.short_name(self.id),
            shared=bool(self.shared_pages),
            revision=revision,
            board=_board(self),
            board_file=None if self.board is None else "STATUS.md",
            index=_index(self),
            index_file=None if self.wiki_index is None else "index.md",
            pages=tuple(_page(self, slug, text) for slug, text in self.pages.items()),
            links=tuple(model.PageLink(source=a, target=b, line=line) for a, b, line in self.links),
            shared_links=tuple(model.PageLink(source=a, target=b, line=line) for a, b, line in self.shared_links),
            rules=self.rules,
            shared_pages=tuple(_shared_page(self, slug, text) for slug, text in self.shared_pages.items()),
            task_files=tuple(_task_file(path, text) for path, text in self.task_files.items()),
            attachments=tuple(_attachment(path, content) for path, content in self.attachments.items()),
            files=tuple(_file(name, text) for name, text in sorted(self.texts.items()) if name != "history.json"),
            diagnostics=self.diagnostics,
            history=None if self.history is None else hashlib.sha256(codec.dump(self.history)).hexdigest(),
        )

    @property
    def digest(self) -> str:
        return hashlib.sha256(codec.dump(self.artifact)).hexdigest()

    @property
    def entry(self) -> model.RosterEntry:
        listing = model.Listing(
            repository=self.id, forge_id=self.repository, default_branch="main", visibility=self.visibility
        )
        return model.RosterEntry(
            source=self.source,
            listing=listing,
            head=model.Empty(),
            state=self.state,
            reason=self.reason,
            settled=True,
            shared=bool(self.shared_pages),
            trees=(),
            snapshot_digest=None,
            evidence="listing",
        )

    @property
    def changed(self) -> index.Changed:
        return self.artifact, self.digest, self.texts.__getitem__


def roster(projects: Iterable[Project]) -> model.Roster:
    return model.Roster(schema_version=codec.SCHEMA_VERSION, entries=tuple(one.entry for one in projects))


def artifacts(projects: Iterable[Project]) -> dict[model.RepositoryId, tuple[model.Artifact, str]]:
    return {one.id: (one.artifact, one.digest) for one in projects if one.read}


def records(projects: Iterable[Project]) -> model.RepositoriesFile:
    """repos.json of these projects; the first that has shared pages is the shared wiki."""
    known = tuple(projects)
    shared = next((one.id for one in known if one.shared_pages), None)
    return index.build_repositories(roster(known), artifacts(known), shared)


def update(connection: sqlite3.Connection, projects: Iterable[Project]) -> tuple[model.RepositoryId, ...]:
    """Make the catalog show these projects; the repositories whose texts were read."""
    known = {one.id: one for one in projects}
    outdated = index.outdated(connection, records(known.values()))
    index.update(connection, records(known.values()), [known[repository].changed for repository in outdated])
    connection.commit()
    return outdated


def create(path: Path | str, projects: Iterable[Project], engine: Engine | None = None) -> sqlite3.Connection:
    """A new catalog of these projects."""
    connection = sqlite3.connect(path)
    index.create(connection, CODE, engine)
    update(connection, projects)
    return connection


def write_tree(folder: Path, project: Project) -> None:
    """The texts beside project.json."""
    for name, text in project.texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def reading(**changes: Any) -> model.SyncReading:
    """One source `forge`, looked at an hour ago with success."""
    at = datetime(2026, 11, 30, 11, tzinfo=UTC)
    source = model.SourceReading(source="forge", state="ok", reason=None, checked_at=at, synced_at=at, repositories=1)
    usual = {"machine": "laptop", "checked_at": at, "offline": False, "stale_after_hours": 24.0}
    more = {"sources": (source,), "repositories": ()}
    return model.SyncReading(schema_version=codec.SCHEMA_VERSION, **{**usual, **more, **changes})


def open_projects(
    folder: Path,
    *projects: Project,
    seen: model.SyncReading | None = None,
    engine: Engine | None = None,
    blobs: Mapping[str, bytes] | None = None,
) -> catalog.Catalog:
    """The opened catalog of these projects, with their trees below `folder` and old texts by object id."""
    folder.mkdir(parents=True, exist_ok=True)
    for project in projects:
        write_tree(folder / project.id / project.digest, project)
    path = folder / "catalog.sqlite"
    with closing(create(path, projects, engine)):
        pass
    read_blob = (blobs or {}).get
    return catalog.open_catalog(path, lambda one, digest: folder / one / digest, 7, seen or reading(), NOW, read_blob)


def _board(project: Project) -> model.Board:
    if project.board is None:
        return model.Board(path=None, state="absent")
    return model.Board(path=model.RepoPath(project.board_path), state=project.board_state, items=project.items)


def _index(project: Project) -> model.WikiIndex:
    if project.wiki_index is None:
        return model.WikiIndex(path=None, state="absent")
    state: model.IndexState = "malformed" if project.index_error else "parsed"
    return model.WikiIndex(path=model.RepoPath(".wiki/index.md"), state=state, error=project.index_error)


def _page(project: Project, slug: str, text: str | None) -> model.WikiPage:
    return model.WikiPage(
        slug=slug,
        type=slug.partition("/")[0] if "/" in slug else "root",
        title=project.titles.get(slug, slug),
        description=None,
        path=model.RepoPath(f".wiki/{slug}.md"),
        file=None if text is None else f"wiki/{slug}.md",
        oid=blob_id((text or "").encode()),
        size_bytes=len((text or "").encode()),
        indexed=slug not in project.unindexed,
        front_matter=project.front_matters.get(slug, project.front_matter),
    )


def _attachment(path: str, content: bytes) -> model.Attachment:
    return model.Attachment(path=model.RepoPath(f".wiki/{path}"), oid=blob_id(content), size_bytes=len(content))


def _shared_page(project: Project, slug: str, text: str) -> model.SharedPage:
    return model.SharedPage(
        slug=slug,
        domain=slug.partition("/")[0],
        title=project.titles.get(slug, slug),
        description=None,
        shared_at="2026-10-01",
        applies_to=("git",),
        source_project=cast("str | None", project.front_matter.get("source_project")),
        path=model.RepoPath(f"{slug}.md"),
        file=f"shared/{slug}.md",
        oid=blob_id(text.encode()),
        size_bytes=len(text.encode()),
        front_matter={"domain": slug.partition("/")[0], **project.front_matter},
    )


def _task_file(path: str, text: str) -> model.TaskFile:
    size = len(text.encode())
    return model.TaskFile(path=model.RepoPath(f".tasks/{path}"), file=f"tasks/{path}", oid=OID, size_bytes=size)


def _file(name: str, text: str) -> model.ArtifactFile:
    raw = text.encode()
    sha256 = hashlib.sha256(raw).hexdigest()
    return model.ArtifactFile(file=name, path=model.RepoPath(name), sha256=sha256, size_bytes=len(raw))
