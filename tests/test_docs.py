"""The documentation says what the code does: every setting, variable, artifact and command."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from pipeline import config, model, variables
from pipeline.__main__ import build_parser
from pipeline.codec import SCHEMAS
from pipeline.sources import SOURCES

HOME = Path(__file__).parent.parent
DOCS = HOME / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *HOME.glob("*.md")])


def section(page: str, heading: str) -> str:
    """The text below a second-level heading."""
    return (DOCS / page).read_text(encoding="utf-8").split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]


def names(text: str) -> list[str]:
    """The first cell of each table row, in order."""
    return re.findall(r"^\| `([^`]+)`", text, re.MULTILINE)


def test_every_top_level_setting_is_documented():
    assert names(section("configuration.md", "Top level")) == [setting.name for setting in config.TOP]


def test_every_setting_of_history_is_documented_with_its_default():
    text = section("configuration.md", "`[history]`")

    assert names(text) == [setting.name for setting in config.HISTORY]
    assert re.findall(r"^\| `\w+` \| ([^|]+?) \|", text, re.MULTILINE) == list(map(shown_default, config.HISTORY))


def test_every_setting_of_every_source_is_documented():
    found = names(section("configuration.md", "Every `[[source]]`"))

    assert found == [setting.name for setting in config.EVERY_SOURCE]


def test_every_setting_of_the_report_is_documented_with_its_default():
    text = section("configuration.md", "`[report]`")

    assert names(text) == [setting.name for setting in config.REPORT]
    assert re.findall(r"^\| `\w+` \| ([^|]+?) \|", text, re.MULTILINE) == list(map(shown_default, config.REPORT))


@pytest.mark.parametrize("kind", sorted(SOURCES))
def test_every_setting_of_a_kind_is_documented_with_its_default(kind):
    text = section("configuration.md", f'`kind = "{kind}"`')

    assert names(text) == [setting.name for setting in SOURCES[kind].SETTINGS]
    assert re.findall(r"^\| `\w+` \| ([^|]+?) \|", text, re.MULTILINE) == [
        shown_default(setting) for setting in SOURCES[kind].SETTINGS
    ]


def shown_default(setting) -> str:
    if setting.required:
        return "required"
    shown = {None: "none", True: "`true`", False: "`false`"}
    if setting.default in shown and not isinstance(setting.default, int | float):
        return shown[setting.default]
    if isinstance(setting.default, bool):
        return shown[setting.default]
    return f'`"{setting.default}"`' if isinstance(setting.default, str) else f"`{setting.default}`"


def test_every_variable_of_the_environment_is_documented():
    code = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("pipeline", "mcp_server")
        for path in (HOME / folder).rglob("*.py")
    )

    of_scripts = {f"PROJECTS_META_{name}" for name in ("FRESHNESS", "LOOKS", "NEWS")}
    assert set(re.findall(r"PROJECTS_META_[A-Z_]+[A-Z]", code)) - of_scripts == set(
        names(section("configuration.md", "Environment"))
    )


def test_every_variable_of_doit_is_documented():
    shown = {name: f"{name}=1" for name in variables.SWITCHES} | {"purge": "purge=<repository>"}

    assert [shown[name] for name in variables.KNOWN] == sorted(names(section("configuration.md", "doit's variables")))


def test_every_published_artifact_is_described():
    text = (DOCS / "artifacts.md").read_text(encoding="utf-8")

    assert [name for name in SCHEMAS if f"{name}.json" not in text] == []


def test_every_small_command_stands_in_the_readme():
    text = (HOME / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^ *python -m pipeline (\w+) ", build_parser().format_help(), re.MULTILINE)

    assert len(commands) > 5
    assert {name for name in commands if f"python -m pipeline {name}" not in text} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_relative_link_leads_somewhere(page):
    text = re.sub(r"`[^`]*`", "", page.read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)

    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize(
    ("heading", "shapes"),
    [
        ("tasks.json", (model.TasksFile, model.ProjectTasks, model.ActiveTask)),
        ("project.json", (model.Artifact, model.Board, model.WorkItem, model.WikiIndex, model.ArtifactFile)),
        ("history.json", (model.ProjectHistory, model.PageHistory, model.PageVersion, model.TaskChange)),
        ("repos.json", (model.RepositoriesFile, model.RepositoryRecord)),
    ],
)
def test_every_field_named_in_a_table_of_artifacts_exists(heading, shapes):
    cells = re.findall(r"^\| (`[^|]+) \|", section("artifacts.md", heading), re.MULTILINE)
    named = {word for cell in cells for word in re.findall(r"`(?:[\w.\[\]]*\.)?(\w+)(?:\[\])?`", cell)}

    assert named
    assert named - {field.name for shape in shapes for field in fields(shape)} == set()
