import gc
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path, PureWindowsPath

import pytest

from pipeline import catalog, codec, model
from pipeline.catalog import Published, address, open_catalog, open_published, open_stage, projects, tasks
from pipeline.errors import CatalogError, NothingPublished
from pipeline.layout import Layout
from tests.fakes.catalogs import NOW, Project, create, item, reading, write_tree

API = Project(repository="forge/ann/api", board="- ship\n", items=(item("ship"),))
WEB = Project(repository="forge/bob/web", board="- fly\n", items=(item("fly"),))


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "build")


def publish(layout, version, *shown):
    layout.version(version).mkdir(parents=True)
    create(layout.version(version) / "catalog.sqlite", shown).close()
    for project in shown:
        write_tree(layout.object(project.id, project.digest), project)
    announce(layout, version)


def announce(layout, version):
    current = model.CurrentVersion(schema_version=codec.SCHEMA_VERSION, version=version)
    layout.current_json.parent.mkdir(parents=True, exist_ok=True)
    layout.current_json.write_bytes(codec.dump(current))


def names(found):
    return [row.name for row in projects.list_projects(found).rows]


def test_before_the_first_version_the_command_to_run_is_told(layout):
    with pytest.raises(NothingPublished, match=r"^nothing has been published yet; run `doit` in the projects-meta"):
        open_published(layout, NOW)


def test_the_version_that_current_json_names_is_opened_and_not_the_highest(layout):
    publish(layout, 2, WEB)
    publish(layout, 1, API)

    assert names(open_published(layout, NOW)) == ["api"]


def test_a_published_board_is_read_from_the_project_object(layout):
    publish(layout, 1, API)

    assert tasks.board(open_published(layout, NOW), API.id).text == "- ship\n"


def test_a_replaced_version_is_noticed_at_the_next_call_and_stays_open_for_those_who_hold_it(layout):
    published = Published(layout, now=lambda: NOW)
    publish(layout, 1, API)
    old = published.catalog()
    publish(layout, 2, WEB)

    assert names(published.catalog()) == ["web"]
    assert names(old) == ["api"]


def test_an_unchanged_version_is_opened_once(layout):
    published = Published(layout, now=lambda: NOW)
    publish(layout, 1, API)

    assert published.catalog().store is published.catalog().store


def test_a_version_that_nobody_holds_is_closed(layout):
    publish(layout, 1, API)
    connection = open_published(layout, NOW).store.connection
    gc.collect()

    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("select 1")


def test_new_readings_are_seen_without_a_new_version(layout):
    published = Published(layout, now=lambda: NOW)
    publish(layout, 1, API)
    before = published.catalog().reading
    layout.sync.mkdir()
    layout.sync_json.write_bytes(codec.dump(reading()))

    assert (before, published.catalog().reading) == (None, reading())


def test_unreadable_readings_are_no_readings(layout):
    publish(layout, 1, API)
    layout.sync.mkdir()
    layout.sync_json.write_bytes(b"{")

    assert open_published(layout, NOW).reading is None


def test_a_version_pruned_while_it_is_opened_gives_way_to_the_one_that_replaced_it(layout, monkeypatch):
    publish(layout, 2, WEB)
    announced = iter([1, 2])
    monkeypatch.setattr(catalog, "_current_version", lambda _: next(announced))

    assert names(open_published(layout, NOW)) == ["web"]


def test_a_version_without_its_catalog_says_what_to_do(layout):
    announce(layout, 3)

    with pytest.raises(CatalogError, match=r"^version 3 has no catalog; run `doit` to make it anew$"):
        open_published(layout, NOW)


def test_a_torn_current_json_says_what_to_do(layout):
    layout.root.mkdir()
    layout.current_json.write_bytes(b'{"schema')

    with pytest.raises(CatalogError, match=r"^current\.json is not whole JSON; run `doit`"):
        open_published(layout, NOW)


def test_a_damaged_catalog_says_what_to_do(layout):
    publish(layout, 1, API)
    (layout.version(1) / "catalog.sqlite").write_bytes(b"noise" * 5000)

    with pytest.raises(CatalogError, match=r"^the catalog of version 1 is damaged; run `doit` to make it anew$"):
        open_published(layout, NOW)


def test_damage_that_shows_only_in_an_answer_says_what_to_do(layout):
    publish(layout, 1, API)
    path = layout.version(1) / "catalog.sqlite"
    path.write_bytes(path.read_bytes()[:8192] + b"\xff" * (path.stat().st_size - 8192))

    with pytest.raises(CatalogError, match=r"^the catalog of version 1 is damaged"):
        names(open_published(layout, NOW))


def test_a_catalog_of_another_schema_is_not_read(layout):
    publish(layout, 1, API)
    with closing(sqlite3.connect(layout.version(1) / "catalog.sqlite")) as connection:
        connection.execute("pragma user_version = 99")

    with pytest.raises(CatalogError, match="the catalog has schema version 99, this program reads 7"):
        open_published(layout, NOW)


def test_a_project_object_that_was_collected_meanwhile_asks_for_a_second_try(layout):
    publish(layout, 1, API)
    (layout.object(API.id, API.digest) / "STATUS.md").unlink()

    with pytest.raises(CatalogError, match="was replaced while it was read; ask again"):
        tasks.board(open_published(layout, NOW), API.id)


def test_the_staged_version_is_read_from_stage_and_closed_after_use(layout):
    write_tree(layout.stage_project(API.id), API)
    create(layout.stage / "catalog.sqlite", [API]).close()

    with open_stage(layout, 5, NOW) as staged:
        assert (tasks.board(staged, API.id).text, staged.store.version) == ("- ship\n", 5)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        names(staged)


def test_a_stage_without_a_catalog_says_which_command_to_run(layout):
    with pytest.raises(NothingPublished, match="run `doit index`"):
        open_stage(layout, 1, NOW)


def test_a_path_with_signs_of_an_address_is_opened(tmp_path):
    folder = tmp_path / "a?mode=rwc&b#c%20d é"
    folder.mkdir()
    create(folder / "catalog.sqlite", [API]).close()

    found = open_catalog(folder / "catalog.sqlite", lambda *_: folder, 1, None, NOW)

    assert names(found) == ["api"]
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (r"C:\a b\c?.sqlite", "file:///C:/a%20b/c%3F.sqlite?mode=ro&immutable=1"),
        (r"\\server\share\c.sqlite", "file:////server/share/c.sqlite?mode=ro&immutable=1"),
    ],
)
def test_windows_paths_become_addresses_that_sqlite_reads(path, uri):
    assert address(PureWindowsPath(path)) == uri


def test_a_catalog_cannot_be_written(layout):
    publish(layout, 1, API)

    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        open_published(layout, NOW).query("delete from projects", {}, str)


def test_one_catalog_answers_many_threads(layout):
    publish(layout, 1, API, WEB)
    shown = open_published(layout, NOW)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: tasks.search(shown, "fly").total, range(200)))

    assert found == [1] * 200


def test_a_catalog_made_with_trigrams_is_scanned_where_sqlite_has_none(layout, monkeypatch):
    publish(layout, 1, API)
    monkeypatch.setattr("pipeline.index_schema.TRIGRAMS", "tokenize='no_such'")
    shown = open_published(layout, NOW)

    assert (shown.store.engine, tasks.search(shown, "ship").total) == ("scan", 1)


def test_files_beside_the_catalog_are_never_made(layout):
    publish(layout, 1, API)
    names(open_published(layout, NOW))

    assert [path.name for path in Path(layout.version(1)).iterdir()] == ["catalog.sqlite"]
