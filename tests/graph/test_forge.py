"""The whole graph against a forge on a port: exact requests, the cable out, and where the token goes."""

import os
from datetime import timedelta

import pytest

from tests.fakes.gitea import open_fake_forge

TOKEN = "canary-7f3a91"
BOARD = "# Task Board\n\n## 🔴 ship — Ship it\n**Status:** active\n**Next action:** {}\n"
RUSSIAN = "# Доска\n\n## 🔵 смета — Смета на крышу\n**Статус:** ждёт\n"


@pytest.fixture
def forge(tmp_path):
    """A forge with two private repositories of `ann`, quiet for an hour."""
    (tmp_path / "forge").mkdir()
    found = open_fake_forge(tmp_path / "forge")
    found.token(TOKEN, owners=["ann"])
    found.add("ann/notes", {".tasks/STATUS.md": BOARD.format("tag"), ".wiki/index.md": "# Index\n"}, private=True)
    found.add("ann/roof", {".tasks/status.md": RUSSIAN}, private=True)
    found.tick(3600)
    return found


def connect(workspace, url: str) -> None:
    """History is counted apart, in `test_history`."""
    workspace.configure(
        "[history]\nrequests_per_run = 0\n"
        f'[[source]]\nkind = "gitea"\nname = "forge"\nurl = "{url}"\nowners = ["ann"]\ntoken_env = "FORGE_TOKEN"\n'
    )
    workspace.environment["FORGE_TOKEN"] = TOKEN


def test_a_first_run_asks_once_for_the_list_and_twice_for_each_repository(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        ran = workspace.doit()

    assert ran.status == 0
    assert len(forge.requests) == 1 + 2 * 2
    assert [row["full_name"] for row in workspace.published("tasks.json")["projects"]] == [
        "forge/ann/notes",
        "forge/ann/roof",
    ]


def test_a_run_without_a_change_asks_one_question_and_publishes_nothing(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.requests.clear()
        workspace.doit()

    assert len(forge.requests) == 1
    assert workspace.version() == 1


def test_one_changed_board_costs_a_look_and_a_fetch(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.commit("ann/notes", {".tasks/STATUS.md": BOARD.format("announce")})
        forge.tick(60)
        forge.requests.clear()
        workspace.doit()

    assert len(forge.requests) == 1 + 1 + 1
    assert workspace.version() == 2
    assert workspace.published("tasks.json")["projects"][0]["active_tasks"][0]["next"] == "announce"


def test_a_push_of_code_alone_costs_a_look_and_publishes_nothing(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.commit("ann/notes", {"src/a.py": "a = 1\n"})
        forge.tick(60)
        forge.requests.clear()
        workspace.doit()

    assert len(forge.requests) == 1 + 1
    assert workspace.version() == 1


def test_with_the_cable_out_everything_still_answers_and_says_why_it_is_old(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
    later = str(forge.clock + timedelta(days=2)).replace(" ", "T")

    ran = workspace.doit(PROJECTS_META_NOW=later)
    again = workspace.doit(PROJECTS_META_NOW=later)

    rows = workspace.published("repos.json")["repositories"]
    assert (ran.status, [row["state"] for row in rows]) == (0, ["unreachable", "unreachable"])
    assert "refused" in rows[0]["reason"]
    assert workspace.published("tasks.json")["projects"][0]["active_tasks"][0]["slug"] == "ship"
    assert ("published version 2" in ran.out, "nothing new, still version 2" in again.out) == (True, True)


def test_a_short_list_loses_nothing(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.fail("/api/v1/users/ann/repos", status=200, body=b"[]", headers={"x-total-count": "0"})
        ran = workspace.doit()

    assert ran.status == 0
    assert len(workspace.published("tasks.json")["projects"]) == 2


def test_the_token_appears_nowhere(workspace, forge):
    forge.fail("/api/v1/repos/ann/roof/*", status=500)
    with forge.serve() as url:
        connect(workspace, url)
        ran = workspace.doit("strict=1")
    written = [path for path in workspace.build.rglob("*") if path.is_file()]

    assert {request.headers.get("authorization") for request in forge.requests} == {f"token {TOKEN}"}
    assert TOKEN not in ran.out + ran.err
    assert [path for path in written if TOKEN.encode() in path.read_bytes()] == []


def test_an_auth_file_alone_is_enough(workspace, forge):
    with forge.serve() as url:
        auth = workspace.root / ".config" / "projects-mcp" / "auth.toml"
        auth.parent.mkdir(parents=True)
        auth.write_text(f'gitea_url = "{url}"\ngitea_user = "ann"\ngitea_token = "{TOKEN}"\n', encoding="utf-8")
        auth.chmod(0o600)
        del workspace.environment["PROJECTS_META_CONFIG"]
        ran = workspace.doit()

    assert ran.status == 0
    assert "2 repositories from auth.toml" in ran.out


@pytest.mark.skipif(os.name == "nt", reason="Windows files have no mode that says who may read them")
def test_an_auth_file_that_others_can_read_is_refused(workspace):
    auth = workspace.root / ".config" / "projects-mcp" / "auth.toml"
    auth.parent.mkdir(parents=True)
    auth.write_text(f'gitea_url = "http://x"\ngitea_user = "ann"\ngitea_token = "{TOKEN}"\n', encoding="utf-8")
    auth.chmod(0o644)
    del workspace.environment["PROJECTS_META_CONFIG"]
    ran = workspace.doit()

    assert ran.status == 1
    assert "chmod 600" in ran.out
    assert TOKEN not in ran.out + ran.err


@pytest.mark.parametrize("fault", [{"status": 404}, {"status": 200, "body": b"<html>log in"}, {"status": 500}])
def test_a_board_whose_new_bytes_do_not_come_stays_as_it_was(workspace, forge, fault):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.commit("ann/notes", {".tasks/STATUS.md": BOARD.format("announce")})
        forge.tick(60)
        forge.fail("/api/v1/repos/ann/notes/file-contents*", **fault)
        forge.fail("/api/v1/repos/ann/notes/raw/*", **fault)
        workspace.doit()

    assert workspace.published("tasks.json")["projects"][0]["active_tasks"][0]["next"] == "tag"
    assert workspace.published("repos.json")["repositories"][0]["state"] == "unreachable"
