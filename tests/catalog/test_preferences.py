"""Where people see a page."""

from contextlib import closing
from dataclasses import replace

import pytest

from pipeline import index
from pipeline.catalog import open_catalog, projects
from pipeline.catalog.preferences import page_url
from pipeline.kinds import load_config
from pipeline.layout import Layout
from pipeline.model import PageAddress, Preferences
from tests.fakes.catalogs import COMMIT, NOW, create, reading
from tests.fakes.wikis import ATLAS

FORGE = PageAddress(source="forge", pattern="https://git.example.org/{repository}/src/commit/{revision}/{path}")


def url(folder, path, *addresses, project=ATLAS):
    with closing(create(folder / "catalog.sqlite", [project])) as connection:
        index.prefer(connection, Preferences(page_addresses=addresses))
        connection.commit()
    catalog = open_catalog(folder / "catalog.sqlite", lambda *_: folder, 1, reading(), NOW)
    return page_url(catalog, projects.project(catalog, project.id), path)


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        (".wiki/guides/maps.md", ".wiki/guides/maps.md"),
        (".wiki/Кеш 100%?#.md", ".wiki/%D0%9A%D0%B5%D1%88%20100%25%3F%23.md"),
        (".wiki/{revision}.md", ".wiki/%7Brevision%7D.md"),
    ],
)
def test_a_page_of_a_forge_has_an_address_as_of_its_commit(tmp_path, path, seen):
    assert url(tmp_path, path, FORGE) == f"https://git.example.org/team/atlas/src/commit/{COMMIT}/{seen}"


def test_a_page_of_another_source_has_none(tmp_path):
    assert url(tmp_path, ".wiki/a.md", FORGE, project=replace(ATLAS, source="local")) is None


@pytest.mark.parametrize(
    ("address", "pattern"),
    [
        ("https://git.example.org/forge/", "https://git.example.org/forge/{repository}/src/commit/{revision}/{path}"),
        ("https://ann:secret@git.example.org", None),
    ],
)
def test_the_address_is_that_of_the_row_and_holds_no_password(tmp_path, address, pattern):
    row = f'[[source]]\nkind = "gitea"\nurl = "{address}"\nowners = ["ann"]\ntoken_env = "T"\n'
    (tmp_path / "sources.toml").write_text(row, encoding="utf-8")
    found = load_config(tmp_path, Layout(tmp_path / "build")).page_addresses

    assert [each.pattern for each in found] == [each for each in [pattern] if each]
