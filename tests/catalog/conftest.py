import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.catalog import Catalog
from tests.fakes.catalogs import Project, open_projects

Open = Callable[..., Catalog]


@pytest.fixture
def show(tmp_path: Path) -> Open:
    """Open the catalog of the given projects."""
    folders = (tmp_path / f"build{number}" for number in itertools.count())

    def open_these(*projects: Project, **settings: Any) -> Catalog:
        return open_projects(next(folders), *projects, **settings)

    return open_these
