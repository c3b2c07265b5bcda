"""Roster + artifacts → repos.json, tasks.json, knowledge.json.  Pure; sorted by id; no clock.

`artifacts` may be a mapping that loads on demand: each builder looks every repository up once, in
order, and keeps nothing of it but its own rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from pipeline.codec import SCHEMA_VERSION
from pipeline.model import (
    ActiveTask,
    Artifact,
    KnowledgeFile,
    PageTitle,
    ProjectError,
    ProjectTasks,
    ProjectWiki,
    RepositoriesFile,
    RepositoryId,
    RepositoryRecord,
    Roster,
    RosterEntry,
    SharedPage,
    TasksFile,
    WorkItem,
    short_name,
)
from pipeline.text import line

Artifacts = Mapping[RepositoryId, tuple[Artifact, str]]
Texts = Callable[[RepositoryId, str], str]
CLOSED = ("done", "cancelled")


def build_repositories(roster: Roster, artifacts: Artifacts, shared: RepositoryId | None) -> RepositoriesFile:
    """repos.json.  `shared` is the shared wiki's repository; digests are of project.json."""
    records = (build_record(entry, *_of(entry, artifacts)) for entry in _sorted(roster))
    return RepositoriesFile(schema_version=SCHEMA_VERSION, shared_wiki=shared, repositories=tuple(records))


def build_record(entry: RosterEntry, artifact: Artifact | None, digest: str | None) -> RepositoryRecord:
    """One row of repos.json.  A gone repository has nothing to show but that."""
    shown = None if entry.state == "gone" else artifact
    revision = shown.revision if shown else None
    severities = Counter(found.severity for found in shown.diagnostics) if shown else Counter()
    return RepositoryRecord(
        repository=entry.listing.repository,
        name=short_name(entry.listing.repository),
        source=entry.source,
        visibility=entry.listing.visibility,
        archived=entry.listing.archived,
        state=entry.state,
        reason=None if entry.reason is None else line(entry.reason),
        shared=entry.shared,
        default_branch=entry.listing.default_branch,
        revision=revision.commit if revision else None,
        committed_at=revision.committed_at if revision else None,
        digest=digest if shown else None,
        board=shown.board.state if shown else "absent",
        tasks=_by_status(shown) if shown else {},
        index=shown.index.state if shown else "absent",
        wiki_pages=len(shown.pages) if shown else 0,
        shared_pages=len(shown.shared_pages) if shown else 0,
        errors=severities["error"],
        warnings=severities["warning"],
    )


def build_tasks(roster: Roster, artifacts: Artifacts, texts: Texts) -> TasksFile:
    """tasks.json: projects that have a board or a wiki, and those whose last look failed.

    `texts` gives the text of a file beside a repository's project.json.
    """
    found = ((entry, _of(entry, artifacts)[0]) for entry in _sorted(roster) if entry.state != "gone")
    projects = (_project_tasks(entry, artifact, texts) for entry, artifact in found if artifact and _shows(artifact))
    errors = (
        ProjectError(project=entry.listing.repository, reason=line(entry.reason or "the source gave no reason"))
        for entry in _sorted(roster)
        if entry.state == "unreachable"
    )
    return TasksFile(schema_version=SCHEMA_VERSION, projects=tuple(projects), errors=tuple(errors))


def build_knowledge(roster: Roster, artifacts: Artifacts, shared: RepositoryId | None) -> KnowledgeFile:
    """knowledge.json: the pages of the shared wiki by slug, then every project's wiki in reading order."""
    pages: tuple[SharedPage, ...] = ()
    wikis: list[ProjectWiki] = []
    for entry in _sorted(roster):
        artifact = None if entry.state == "gone" else _of(entry, artifacts)[0]
        if artifact and _has_wiki(artifact):
            wikis.append(_project_wiki(artifact))
        if artifact and artifact.repository == shared:
            pages = tuple(sorted(map(_shared_page, artifact.shared_pages), key=lambda page: page.slug))
    return KnowledgeFile(schema_version=SCHEMA_VERSION, shared_wiki=shared, shared=pages, wikis=tuple(wikis))


def _sorted(roster: Roster) -> list[RosterEntry]:
    return sorted(roster.entries, key=lambda entry: entry.listing.repository)


def _of(entry: RosterEntry, artifacts: Artifacts) -> tuple[Artifact, str] | tuple[None, None]:
    return artifacts.get(entry.listing.repository, (None, None))


def _by_status(artifact: Artifact) -> dict[str, int]:
    return dict(sorted(Counter(item.status for item in artifact.board.items).items()))


def _has_wiki(artifact: Artifact) -> bool:
    return artifact.index.state != "absent" or bool(artifact.pages)


def _shows(artifact: Artifact) -> bool:
    return artifact.board.state != "absent" or _has_wiki(artifact)


def _project_tasks(entry: RosterEntry, artifact: Artifact, texts: Texts) -> ProjectTasks:
    repository = artifact.repository
    items = artifact.board.items
    return ProjectTasks(
        name=short_name(repository),
        full_name=repository,
        default_branch=entry.listing.default_branch,
        revision=artifact.revision.commit if artifact.revision else None,
        active_tasks=tuple(_active_task(item) for item in items if item.status not in CLOSED),
        all_tasks_count=len(items),
        raw=None if artifact.board_file is None else texts(repository, artifact.board_file),
        wiki_index=None if artifact.index_file is None else texts(repository, artifact.index_file),
    )


def _active_task(item: WorkItem) -> ActiveTask:
    return ActiveTask(
        slug=line(item.slug),
        title=line(item.title),
        status=item.status,
        status_text=None if item.status_text is None else line(item.status_text),
        next=None if item.next is None else line(item.next),
    )


def _project_wiki(artifact: Artifact) -> ProjectWiki:
    return ProjectWiki(
        project=artifact.repository,
        index=artifact.index.state,
        error=None if artifact.index.error is None else line(artifact.index.error),
        pages=tuple(PageTitle(slug=page.slug, type=page.type, title=line(page.title)) for page in artifact.pages),
    )


def _shared_page(page: SharedPage) -> SharedPage:
    description = None if page.description is None else line(page.description)
    return replace(page, title=line(page.title), description=description)
