from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import codec, versions
from pipeline.catalog_file import update_catalog, write_catalog
from pipeline.errors import ArtifactError
from pipeline.layout import Layout
from pipeline.model import RepositoriesFile, RepositoryId
from tests.fakes.staged import write

NOTHING = RepositoriesFile(schema_version=codec.SCHEMA_VERSION, shared_wiki=None, repositories=())


def no_text(repository: str, file: str) -> str:
    raise AssertionError(f"{repository}: {file} was not to be read")


def test_a_damaged_catalog_is_not_gone_on_from_and_stays_as_it_is(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "build")
    write(layout.stage / "repos.json", b"{}")
    write_catalog(layout, "code", NOTHING, {}, no_text)
    damaged = (layout.stage / "catalog.sqlite").read_bytes()[:5000]
    write(layout.stage / "catalog.sqlite", damaged)

    assert not update_catalog(layout, "code", (NOTHING, frozenset()), {}, no_text)
    assert (layout.stage / "catalog.sqlite").read_bytes() == damaged


def test_a_published_catalog_is_never_written_to(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "build")
    write(layout.stage / "repos.json", b"{}")
    write_catalog(layout, "code", NOTHING, {}, no_text)
    versions.publish(layout, {}, 5)
    changed = RepositoriesFile(
        schema_version=codec.SCHEMA_VERSION, shared_wiki=RepositoryId("local/ann/wiki"), repositories=()
    )

    assert update_catalog(layout, "code", (changed, frozenset()), {}, no_text)
    assert versions.verify(layout, 1) == []


def test_a_catalog_that_the_disk_refuses_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match=r"^catalog\.sqlite cannot be written: unable to open database file; is"):
        write_catalog(Layout(tmp_path / "build"), "code", NOTHING, {}, no_text)
