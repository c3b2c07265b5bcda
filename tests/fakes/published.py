"""A build folder with real published versions of hand-made projects."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pipeline import codec, files, index, versions
from pipeline.catalog import Published
from pipeline.layout import Layout
from pipeline.model import Preferences, SyncReading
from tests.fakes.catalogs import NOW, Project, create, reading, records, write_tree


@dataclass(frozen=True)
class Site:
    """The build folder of one test, and the folder of whoever asks about it."""

    layout: Layout
    cwd: Path | None = None

    def publish(
        self, *projects: Project, seen: SyncReading | None = None, preferences: Preferences | None = None
    ) -> int | None:
        """Stage the projects' artifacts and their catalog, and publish them as the next version."""
        files.remove_tree(self.layout.stage)
        for project in projects:
            folder = self.layout.stage_project(project.id)
            write_tree(folder, project)
            files.write_atomic(folder / "project.json", codec.dump(project.artifact))
        with closing(create(self.layout.stage / "catalog.sqlite", projects)) as catalog:
            index.prefer(catalog, preferences or Preferences())
            catalog.commit()
            files.write_atomic(self.layout.stage / "repos.json", codec.dump(records(projects)))
        files.write_atomic(self.layout.sync_json, codec.dump(seen or reading()))
        return versions.publish(self.layout, {project.id: project.digest for project in projects}, keep=5)

    def published(self) -> Published:
        """What a server holds of this folder; its clock stands still."""
        return Published(self.layout, now=_now)


def _now() -> datetime:
    return NOW
