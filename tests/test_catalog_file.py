from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from pipeline import versions
from pipeline.catalog_file import write_catalog
from pipeline.errors import ArtifactError
from pipeline.layout import Layout
from pipeline.model import RepositoriesFile
from tests.fakes.staged import write

NOTHING = RepositoriesFile(schema_version=1, shared_wiki=None, repositories=())


def no_text(repository: str, file: str) -> str:
    raise AssertionError(f"{repository}: {file} was not to be read")


def test_a_published_catalog_with_one_wrong_byte_is_not_gone_on_from(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "build")
    write(layout.stage / "repos.json", b"{}")
    write_catalog(layout, "code", NOTHING, {}, no_text)
    good = (layout.stage / "catalog.sqlite").read_bytes()
    versions.publish(layout, {}, 5)
    with contextlib.closing(sqlite3.connect(layout.version(1) / "catalog.sqlite")) as published:
        published.execute("CREATE TABLE forged (x)")

    write_catalog(layout, "code", NOTHING, {}, no_text)

    assert (layout.stage / "catalog.sqlite").read_bytes() == good


def test_a_catalog_that_the_disk_refuses_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match=r"^catalog\.sqlite cannot be written: unable to open database file; is"):
        write_catalog(Layout(tmp_path / "build"), "code", NOTHING, {}, no_text)
