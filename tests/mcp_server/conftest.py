"""Build folders for the server's tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import example, layout
from pipeline.layout import Layout
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Nothing published yet."""
    return Site(Layout(tmp_path / "build"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A published version of the bundled example, made by the real pipeline."""
    folder = tmp_path_factory.mktemp("example")
    example.materialise(layout.bundled("examples"), folder / "garden")
    sources = f'[[source]]\nkind = "folder"\nname = "example"\npath = "{(folder / "garden").as_posix()}"\n'
    (folder / "sources.toml").write_text(sources, encoding="utf-8")
    named = {"PROJECTS_META_CONFIG": str(folder / "sources.toml"), "PROJECTS_META_BUILD": str(folder / "build")}
    command = [sys.executable, "-m", "doit"]
    subprocess.run(command, env={**os.environ, **named}, cwd=Path(__file__).parents[2], check=True, capture_output=True)
    return Site(Layout(folder / "build"))


@pytest.fixture
def library(site: Site) -> Site:
    """Two projects: one well, one whose last look failed."""
    site.publish(ATLAS, BEACON)
    return site
