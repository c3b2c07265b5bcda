"""Build folders for the server's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.layout import Layout
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, BEACON


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Nothing published yet."""
    return Site(Layout(tmp_path / "build"))


@pytest.fixture
def library(site: Site) -> Site:
    """Two projects: one well, one whose last look failed."""
    site.publish(ATLAS, BEACON)
    return site
