"""Hostile repositories among innocent ones: nobody else notices, nothing leaves the build, nothing is silent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.bare import Content
from tests.fakes.hostile import BOARD, INDEX, SCRIPT, put_hostile
from tests.graph.conftest import Ran, Workspace, make_workspace

INNOCENT: dict[str, Content] = {".tasks/STATUS.md": BOARD, ".wiki/index.md": INDEX, ".wiki/one.md": "# One\n"}
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")

Files = dict[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked:
    """A machine before and after somebody put hostile repositories beside an innocent one."""

    machine: Workspace
    ran: Ran
    alone: Files
    alone_record: dict[str, Any]
    outside: set[str]


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Attacked:
    machine = make_workspace(tmp_path_factory.mktemp("machine"))
    machine.projects.mkdir(exist_ok=True)
    machine.commit("ann/notes", INNOCENT)
    machine.doit()
    alone, alone_record = innocent_files(machine), records(machine)["local/ann/notes"]
    (machine.projects / "eve").mkdir()
    put_hostile(machine.projects / "eve")
    outside = names_outside(machine)
    ran = machine.doit()
    return Attacked(machine=machine, ran=ran, alone=alone, alone_record=alone_record, outside=outside)


def innocent_files(machine: Workspace) -> Files:
    folder = machine.build / f"versions/{machine.version():06d}/projects/local/ann/notes"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def records(machine: Workspace) -> dict[str, dict[str, Any]]:
    return {row["repository"]: row for row in machine.published("repos.json")["repositories"]}


def names_outside(machine: Workspace) -> set[str]:
    return {str(path) for path in machine.root.parent.rglob("*") if not path.is_relative_to(machine.build)}


def published_texts(machine: Workspace) -> dict[str, str]:
    folder = machine.build / f"versions/{machine.version():06d}"
    named = [path for kind in ("*.json", "report/**/*.html") for path in folder.glob(kind)]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in named}


def test_the_build_goes_through_without_a_traceback(attacked: Attacked) -> None:
    assert attacked.ran.status == 0
    assert "Traceback" not in attacked.ran.out + attacked.ran.err
    assert not UNSEEN.search(attacked.ran.out)


def test_an_innocent_repository_is_what_it_was_alone(attacked: Attacked) -> None:
    assert attacked.alone.keys() >= {"project.json", "STATUS.md", "wiki/index.md", "wiki/one.md"}
    assert innocent_files(attacked.machine) == attacked.alone
    assert records(attacked.machine)["local/ann/notes"] == attacked.alone_record


def test_no_hostile_repository_is_silent(attacked: Attacked) -> None:
    rows = {name: row for name, row in records(attacked.machine).items() if name.startswith("local/eve/")}

    assert len(rows) >= 20
    assert [name for name, row in rows.items() if not (row["reason"] or row["errors"] or row["warnings"])] == []


def test_nothing_is_written_outside_the_build_folder(attacked: Attacked) -> None:
    assert names_outside(attacked.machine) == attacked.outside


def test_no_published_text_holds_a_letter_that_hides_or_a_script_of_theirs(attacked: Attacked) -> None:
    texts = published_texts(attacked.machine)

    assert "report/index.html" in texts
    assert [path for path, text in texts.items() if UNSEEN.search(text)] == []
    assert [path for path, text in texts.items() if path.endswith(".html") and SCRIPT in text] == []


def test_no_link_of_the_report_runs_or_opens_what_they_chose(attacked: Attacked) -> None:
    pages = [text for path, text in published_texts(attacked.machine).items() if path.endswith(".html")]

    assert [
        text for text in pages if re.search(r"href=\"\s*(javascript|data|file|vbscript):", text, re.IGNORECASE)
    ] == []


def test_every_published_file_has_a_plain_short_name(attacked: Attacked) -> None:
    version = Path(f"versions/{attacked.machine.version():06d}")
    names = {path.name for path in (attacked.machine.build / version).rglob("*")}

    assert [name for name in names if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", name)] == []


def test_the_version_verifies(attacked: Attacked) -> None:
    assert attacked.machine.pipeline("verify").out == "1 version: no troubles\n"
