"""Knowledge roots as folders of a test, and published beside what a site has published."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pipeline import files, stage_roots
from pipeline.codec import SCHEMA_VERSION
from pipeline.layout import ROOTS, ROOTS_FILE
from pipeline.model import KnowledgeSettings, Roster
from pipeline.model.roots import RootConfig
from tests.fakes.published import Site

EMPTY_ROSTER = Roster(schema_version=SCHEMA_VERSION, entries=())


def write_files(folder: Path, texts: Mapping[str, str | bytes]) -> Path:
    """Make a folder hold these files, and a knowledge/ in any case."""
    (folder / "knowledge").mkdir(parents=True, exist_ok=True)
    for path, content in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def settings_of(mine: Path, group: Path) -> KnowledgeSettings:
    """A primary root `mine` and a read-only one, `group`; the maps stand in work/local/."""
    return KnowledgeSettings(
        primary="mine",
        roots=(
            RootConfig(id="mine", is_read_only=False, path=str(mine)),
            RootConfig(id="group", is_read_only=True, path=str(group)),
        ),
        scope_map="work/local/workspace-scope-map-v1.md",
        scope_aliases="work/local/scope-alias-map-v1.md",
    )


def add_roots(
    site: Site, folder: Path, mine: Mapping[str, str | bytes], group: Mapping[str, str | bytes]
) -> KnowledgeSettings:
    """Publish two roots with the version that a site has published."""
    settings = settings_of(write_files(folder / "mine", mine), write_files(folder / "group", group))
    stage_roots.write_roots(site.layout, "code", settings, EMPTY_ROSTER)
    version = site.layout.version(site.published().catalog().store.version)
    files.link_tree(site.layout.stage / ROOTS, version / ROOTS)
    files.link_or_copy(site.layout.stage / ROOTS_FILE, version / ROOTS_FILE)
    return settings
