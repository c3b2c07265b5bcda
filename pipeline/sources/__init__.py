"""The kinds of sources.  A new kind is one file beside this one and one row here."""

from __future__ import annotations

from pipeline.sources.base import Source
from pipeline.sources.folder import Folder
from pipeline.sources.gitea import Gitea

SOURCES: dict[str, type[Source]] = {"folder": Folder, "gitea": Gitea}
