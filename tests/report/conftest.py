"""Catalogs and sites of made-up repositories."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.catalog import Catalog
from pipeline.messages import Language
from pipeline.report import site as report
from tests.fakes.report_samples import NOW, Repository, build_catalog

Site = dict[str, str]


@pytest.fixture
def catalog_of(tmp_path: Path) -> Callable[..., Catalog]:
    """Index some repositories and open the catalog."""
    return lambda *repositories: build_catalog(tmp_path, repositories, NOW)


@pytest.fixture
def site_of(catalog_of: Callable[..., Catalog]) -> Callable[..., Site]:
    """Every file of the report of some repositories, by its path."""

    def render(*repositories: Repository, language: Language = "en") -> Site:
        site = report.render_site(catalog_of(*repositories), language)
        return {path: content.decode() for path, _, content in site if content is not None}

    return render
