"""A report for others over the whole graph: not a byte of what they may not see, and a flip is heeded at once."""

from __future__ import annotations

import pytest

from tests.fakes.bare import Content
from tests.graph.conftest import Workspace, make_workspace

BOARD = "# Task Board\n\n## 🔴 {0} — {0}\n**Status:** active\n**Next action:** {0}, ask canary-agent\n"
SOURCES = """\
[report]
audience = "public"

[[source]]
kind = "folder"
name = "open"
path = "{0}/open"
visibility = "public"

[[source]]
kind = "folder"
name = "vault"
path = "{0}/closed"
visibility = "{1}"
"""


def of(name: str, word: str) -> dict[str, Content]:
    """What a repository holds: every kind of text, each with this word."""
    return {
        ".tasks/STATUS.md": BOARD.replace("canary", word).format(word),
        ".wiki/index.md": f"# {word}\n- [{word}]({word}.md) — {word}\n- [lost](lost-{word}.md)\n",
        f".wiki/{word}.md": f"---\ntitle: {word}\n---\n# {word}\n\nSee [[{name}]], {word}.\n",
    }


def build(machine: Workspace, visibility: str = "private") -> Workspace:
    (machine.projects / "closed").mkdir(exist_ok=True)
    machine.configure(SOURCES.format(machine.projects.as_posix(), visibility))
    assert machine.doit().status == 0
    return machine


def site(machine: Workspace) -> dict[str, bytes]:
    """All that a person hands on, and what lies beside it for the pages."""
    folder = machine.build / f"versions/{machine.version():06d}/report"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    beside = {path.name: path.read_bytes() for path in [*machine.build.glob("*.js"), machine.build / "report.html"]}
    return files | beside


def holding(machine: Workspace, word: bytes) -> list[str]:
    return [name for name, raw in site(machine).items() if word in raw.lower() or word in name.encode().lower()]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A machine with an open repository, a closed one and a closed shared wiki."""
    machine = make_workspace(tmp_path_factory.mktemp("mixed"))
    machine.commit("open/ann/notes", of("notes", "seen"))
    machine.commit("closed/bob/secret", of("secret", "canary"))
    machine.commit("closed/bob/projects-wiki", {"CLAUDE.md": "# Domains\n- `canary`\n", "canary/css.md": "# canary\n"})
    return build(machine)


def test_no_byte_of_a_closed_repository_is_in_the_report_or_beside_it(mixed: Workspace) -> None:
    assert len(holding(mixed, b"seen")) > 3
    assert holding(mixed, b"canary") + holding(mixed, b"secret") + holding(mixed, b"vault") == []


def test_the_report_is_that_of_a_machine_that_never_knew_the_others(
    mixed: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    alone = make_workspace(tmp_path_factory.mktemp("alone"))
    alone.commit("open/ann/notes", of("notes", "seen"))

    assert site(mixed) == site(build(alone))


def test_a_repository_that_became_private_is_in_no_newer_report(workspace: Workspace) -> None:
    workspace.commit("open/ann/notes", of("notes", "seen"))
    workspace.commit("closed/bob/secret", of("secret", "canary"))
    before = holding(build(workspace, "public"), b"canary")

    assert before != []
    assert holding(build(workspace, "private"), b"canary") == []
