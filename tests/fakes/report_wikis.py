"""Wikis for the report: a catalog of projects with texts, and every file of its site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.catalog import Catalog
from pipeline.report import site
from tests.fakes.catalogs import Project, open_projects


def wiki(**rest: Any) -> Project:
    """A wiki of `ann/api`, by default without files beside its pages."""
    return Project(**{"repository": "forge/ann/api", "attachments": {}, **rest})


def open_wikis(folder: Path, *projects: Project) -> Catalog:
    """The catalog of these projects."""
    return open_projects(folder, *projects)


def made(catalog: Catalog, standing: dict[str, str] | None = None, **how: Any) -> dict[str, str]:
    """The pages of wiki pages that are made, by their path below the folder of all of them."""
    rendered = site.render_site(catalog, "en", standing or {}, **how)
    return {
        path.removeprefix("w/forge/ann/"): content.decode()
        for path, _, content in rendered
        if content is not None and path.startswith("w/")
    }


def marks(catalog: Catalog) -> dict[str, str]:
    """The mark of every page that has one."""
    return {path: mark for path, mark, _ in site.render_site(catalog, "en") if mark is not None}
