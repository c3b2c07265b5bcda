"""The same inputs give the same bytes; later builds leave kept versions alone."""

import contextlib
import json
import sqlite3
from pathlib import Path

import jsonschema
import pytest

from pipeline import codec, files, index

BOARD = "# Task Board\n\n## 🔴 ship — Ship it\n**Status:** active\n**Next action:** step {}\n"
HOME = Path(__file__).parents[2]
ARTIFACTS = ("repos", "tasks", "knowledge", "manifest")


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder with its SHA-256."""
    return {name: files.sha256(folder / name) for name in files.walk(folder)}


def rows(catalog: Path) -> dict[str, list[tuple]]:
    """Every row of a catalog, in canonical order; its search index is checked on the way."""
    address = f"file:{catalog.as_posix()}?mode=ro&immutable=1"
    with (
        contextlib.closing(sqlite3.connect(address, uri=True)) as published,
        contextlib.closing(sqlite3.connect(":memory:")) as copy,
    ):
        published.backup(copy)
        index.check_search(copy)
        return index.dump(copy)


@pytest.fixture
def example(workspace):
    """The bundled example, as without any configuration."""
    del workspace.environment["PROJECTS_META_CONFIG"]
    return workspace


def test_two_clean_builds_are_byte_identical_whatever_the_surroundings(example):
    first, second = example.root / "one" / "build", example.root / "другая папка"
    plain = {"TZ": "UTC", "LANG": "C", "PYTHONHASHSEED": "1"}
    other = {"TZ": "Asia/Kamchatka", "LANG": "ru_RU.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"}

    assert example.doit(PROJECTS_META_BUILD=str(first), **plain).status == 0
    assert example.doit(PROJECTS_META_BUILD=str(second), PROJECTS_META_NOW="2031-01-01T00:00:00Z", **other).status == 0

    assert tree(first / "versions") == tree(second / "versions")
    assert tree(first / "objects") == tree(second / "objects")


def test_after_incremental_builds_all_equals_a_clean_build_and_the_catalog_row_by_row(workspace):
    for step in range(3):
        page = f"# Page {step}\n[[0]] [[1]] [next]({step + 1}.md)\n"
        workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD.format(step), f".wiki/{step}.md": page})
        rules = f"## Домены\n- node\n- новый-{step}\n"
        shared = {"CLAUDE.md": rules, f"node/{step}.md": "# Общая страница\n[первая](0.md)\n"}
        workspace.commit("ann/projects-wiki", shared)
        workspace.commit(f"ann/extra-{step}", {".wiki/b.md": "# Тоже страница\n"})
        workspace.doit()
    workspace.commit("ann/notes", {}, remove=(".wiki/1.md",))
    workspace.commit("ann/projects-wiki", {}, remove=("node/1.md",))
    workspace.doit()
    workspace.doit(PROJECTS_META_BUILD=str(workspace.root / "fresh"))
    old, new = workspace.build / "versions" / "000004", workspace.root / "fresh" / "versions" / "000001"

    assert {name for name, _ in tree(old).items() ^ tree(new).items()} <= {"catalog.sqlite", "manifest.json"}
    assert rows(old / "catalog.sqlite") == rows(new / "catalog.sqlite")
    assert [row[2:4] for row in rows(new / "catalog.sqlite")["links"]] == [("0", "2"), ("node/0", "node/2")]
    assert projects(old) == projects(new)


def projects(version: Path) -> dict[str, str]:
    """The digest of each project, by the version's manifest."""
    found: dict[str, str] = json.loads((version / "manifest.json").read_bytes())["projects"]
    return found


def test_kept_versions_are_the_same_after_twenty_more_builds(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD.format(0)})
    workspace.doit()
    before = {name: digest for name, digest in tree(workspace.build / "versions").items() if "catalog" not in name}
    for step in range(1, 21):
        workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD.format(step)})
        workspace.doit()

    after = tree(workspace.build / "versions")
    assert workspace.version() == 21
    assert {name: after.get(name) for name in before} == before
    assert workspace.pipeline("verify", "--all").out == "21 versions: no troubles\n"


def test_every_built_artifact_fits_its_schema(example):
    example.doit()
    schemas = Path(__file__).parents[2] / "docs" / "schemas"
    built = [(name, example.published(f"{name}.json")) for name in ARTIFACTS]
    built += [("current", example.json("current.json")), ("sync", example.json("sync/sync.json"))]
    built += [("roster", example.json("sync/roster.json"))]
    built += [("project", json.loads(path.read_bytes())) for path in example.build.glob("objects/*/*/*/*/project.json")]
    built += [("snapshot", json.loads(path.read_bytes())) for path in example.build.glob("sync/snapshots/*/*/*/*.json")]

    assert len(built) > 30
    for name, value in built:
        jsonschema.validate(value, json.loads((schemas / f"{name}.schema.json").read_bytes()))


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file of a checkout that a build might touch."""
    skipped = {
        ".git",
        ".venv",
        "build",
        "__pycache__",
        ".mypy_cache",
        ".ruff_cache",
        ".hypothesis",
        ".import_linter_cache",
    }
    found = (path for path in folder.rglob("*") if path.is_file() and not skipped & set(path.relative_to(folder).parts))
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in found}


def test_a_build_writes_only_below_its_build_folder(example):
    around, checkout = set(example.root.rglob("*")), stamps(HOME)
    example.doit()

    assert {path for path in set(example.root.rglob("*")) - around if not path.is_relative_to(example.build)} == set()
    assert stamps(HOME) == checkout


def test_the_first_report_of_a_newcomer_names_every_repository(example):
    example.doit()
    records = [row["repository"] for row in example.published("repos.json")["repositories"]]

    assert len(records) >= 12
    assert [name for name in records if name.rsplit("/", 1)[1] not in example.page("projects.html")] == []


def test_all_artifacts_have_the_schema_version(example):
    example.doit()

    assert {example.published(f"{name}.json")["schema_version"] for name in ARTIFACTS} == {codec.SCHEMA_VERSION}
