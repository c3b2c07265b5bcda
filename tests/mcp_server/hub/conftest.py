"""A hub on loopback over published wikis, at a fixed time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.layout import Layout
from tests.fakes.published import Site
from tests.fakes.wikis import Asked, asking, publish


@pytest.fixture
def empty_hub(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    """Nothing is published yet."""
    monkeypatch.setenv("PROJECTS_META_BUILD", str(site.layout.root))
    monkeypatch.setenv("PROJECTS_META_NOW", "2026-11-30T14:05:00Z")
    with asking(tmp_path / "state") as asked:
        yield asked


@pytest.fixture
def hub(site: Site, empty_hub: Asked) -> Asked:
    """Two wikis are published; no project is known yet."""
    publish(site)
    return empty_hub


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """The same for tests that change nothing: A and D lie in one wiki, W is all of it, B another, N has no root."""
    folder = tmp_path_factory.mktemp("library")
    site = Site(Layout(folder / "build"))
    publish(site)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROJECTS_META_BUILD", str(site.layout.root))
        patch.setenv("PROJECTS_META_NOW", "2026-11-30T14:05:00Z")
        with asking(folder / "state") as asked:
            for label, root in (("A", "DOC-3"), ("W", "DOC-1"), ("D", "DOC-5"), ("B", "DOC-21"), ("N", None)):
                asked.add(label, root)
            yield asked
