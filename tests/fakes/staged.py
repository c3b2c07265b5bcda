"""A stage with one project of one page, for what is about versions and not about pages."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pipeline import codec
from pipeline.layout import Layout
from pipeline.model import Artifact, ArtifactFile, Board, RepoPath, RepositoryId, WikiIndex

ANN = RepositoryId("local/ann/notes")
BEN = RepositoryId("local/ben/notes")


def write(path: Path, content: bytes) -> None:
    """Write a new file; never into one that others link to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def stage(layout: Layout, repository: RepositoryId, page: bytes) -> str:
    """Put a project of one page, and top-level files that show it, into stage; answers its digest."""
    folder = layout.stage_project(repository)
    write(folder / "wiki" / "a.md", page)
    raw = codec.dump(artifact(repository, page))
    write(folder / "project.json", raw)
    write(layout.stage / "repos.json", page)
    write(layout.stage / "report" / "index.html", b"<p>" + page)
    return hashlib.sha256(raw).hexdigest()


def artifact(repository: RepositoryId, page: bytes) -> Artifact:
    """A project that is nothing but one page."""
    known = ArtifactFile(
        file="wiki/a.md", path=RepoPath(".wiki/a.md"), sha256=hashlib.sha256(page).hexdigest(), size_bytes=len(page)
    )
    return Artifact(
        schema_version=codec.SCHEMA_VERSION, repository=repository, name="notes", shared=False, revision=None,
        board=Board(path=None, state="absent"), board_file=None, index=WikiIndex(path=None, state="absent"),
        index_file=None, pages=(), links=(), shared_pages=(), shared_links=(), rules=None,
        task_files=(), attachments=(), files=(known,), diagnostics=(),
    )  # fmt: skip
