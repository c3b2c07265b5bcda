"""What leaves, when, and what stays in doubt: the whole graph against a forge, and a folder."""

import shutil
from datetime import UTC, datetime

import pytest

from pipeline import catalog
from pipeline.blobs import BlobStore, blob_id
from pipeline.catalog.projects import list_projects
from pipeline.catalog.tasks import search
from pipeline.layout import Layout
from tests.fakes.gitea import open_fake_forge

TOKEN = "canary-7f3a91"
BOARD = "# Task Board\n\n## 🔴 {0} — The {0}\n**Status:** active\n**Next action:** {1}\n"
NAMES = ("notes", "roof", "shop", "yard")


def board(name: str, step: str = "begin") -> dict[str, str]:
    return {".tasks/STATUS.md": BOARD.format(name, step)}


@pytest.fixture
def forge(tmp_path, workspace):
    """A forge with four repositories of `ann`, brought once; `shop` is public."""
    (tmp_path / "forge").mkdir()
    found = open_fake_forge(tmp_path / "forge")
    found.token(TOKEN, owners=["ann"])
    for name in NAMES:
        found.add(f"ann/{name}", board(name), private=name != "shop")
    found.tick(3600)
    with found.serve() as url:
        row = f'name = "forge"\nurl = "{url}"\nowners = ["ann"]\ntoken_env = "FORGE_TOKEN"\n'
        workspace.configure(f'[[source]]\nkind = "gitea"\n{row}')
        workspace.environment["FORGE_TOKEN"] = TOKEN
        workspace.doit()
        yield found


def states(workspace) -> dict[str, str]:
    return {row["name"]: row["state"] for row in workspace.published("repos.json")["repositories"]}


def boards(workspace) -> list[str]:
    return [row["name"] for row in workspace.published("tasks.json")["projects"]]


def state_of(workspace, name: str, **environment: str) -> str | None:
    """Its state after another run."""
    workspace.doit(**environment)
    return states(workspace).get(name)


def lose(workspace, forge, *names: str) -> None:
    """Delete repositories, and look twice, two minutes apart."""
    for name in names:
        forge.delete(f"ann/{name}")
    workspace.doit()
    forge.tick(120)
    workspace.doit()


def read(workspace) -> catalog.Catalog:
    return catalog.open_published(Layout(workspace.build), datetime(2026, 3, 2, 12, tzinfo=UTC))


def test_a_deleted_repository_is_gone_when_a_second_listing_a_minute_later_lacks_it_too(workspace, forge):
    forge.delete("ann/roof")
    first = state_of(workspace, "roof")
    forge.tick(59)
    soon = state_of(workspace, "roof")
    forge.tick(2)

    assert (first, soon, boards(workspace)) == ("unreachable", "unreachable", list(NAMES))
    assert state_of(workspace, "roof") == "gone"


def test_a_gone_repository_leaves_boards_and_search_and_tells_since_when(workspace, forge):
    lose(workspace, forge, "roof")
    with read(workspace) as version:
        (row,) = list_projects(version, "roof").rows
        found = search(version, "roof")

    assert (boards(workspace), found.total) == (["notes", "shop", "yard"], 0)
    assert (row.state, row.since) == ("gone", datetime(2026, 3, 2, 10, tzinfo=UTC))
    assert not (workspace.build / "stage/projects/forge/ann/roof").exists()
    assert not (workspace.build / "sync/snapshots/forge/ann/roof").exists()


def test_the_row_of_a_gone_repository_stays_for_thirty_days(workspace, forge):
    lose(workspace, forge, "roof")

    assert state_of(workspace, "roof", PROJECTS_META_NOW="2026-04-01T10:00:00Z") == "gone"
    assert state_of(workspace, "roof", PROJECTS_META_NOW="2026-04-01T10:00:01Z") is None


def test_content_that_is_refused_while_the_repository_is_listed_is_no_removal(workspace, forge):
    forge.commit("ann/roof", board("roof", "go on"))
    forge.fail("/api/v1/repos/ann/roof*", status=404)
    forge.tick(120)
    first = state_of(workspace, "roof")
    forge.tick(120)

    assert (first, state_of(workspace, "roof")) == ("unreachable", "unreachable")
    assert boards(workspace) == list(NAMES)


@pytest.mark.parametrize("lost", [("notes", "roof", "shop"), NAMES])
def test_a_large_loss_is_not_believed_until_a_person_says_so(workspace, forge, lost):
    lose(workspace, forge, *lost)
    doubted = (boards(workspace), set(states(workspace).values()) - {"ok"})
    accepted = workspace.doit("accept_removals=1")

    assert doubted == (list(NAMES), {"unreachable"})
    assert accepted.status == 0
    assert sorted(boards(workspace)) == sorted(set(NAMES) - set(lost))


def test_two_of_four_may_leave_without_a_question(workspace, forge):
    lose(workspace, forge, "notes", "roof")

    assert boards(workspace) == ["shop", "yard"]


def test_a_loss_in_doubt_is_trouble_for_who_asks_strictly(workspace, forge):
    lose(workspace, forge, *NAMES)

    assert (workspace.doit().status, workspace.doit("strict=1").status) == (0, 1)


def test_a_renamed_repository_keeps_its_snapshot_and_fetches_no_file(workspace, forge):
    forge.rename("ann/roof", "ann/attic")
    forge.tick(120)
    forge.requests.clear()
    workspace.doit()

    assert [path for path in forge.paths() if "raw" in path or "contents" in path or "blobs" in path] == []
    assert (states(workspace)["roof"], boards(workspace)[0]) == ("renamed", "attic")
    assert workspace.published("tasks.json")["projects"][0]["active_tasks"][0]["slug"] == "roof"


def test_a_name_that_another_repository_took_never_shows_the_old_content(workspace, forge):
    forge.delete("ann/roof")
    forge.add("ann/roof", board("cellar"), private=True)
    forge.fail("/api/v1/repos/ann/roof/*")
    forge.tick(120)
    workspace.doit()
    blocked = [row["name"] for row in workspace.published("tasks.json")["projects"]]
    forge.heal()
    workspace.doit()
    rows = {row["name"]: row for row in workspace.published("tasks.json")["projects"]}

    assert "roof" not in blocked
    assert [task["slug"] for task in rows["roof"]["active_tasks"]] == ["cellar"]


def test_a_repository_that_is_hidden_leaves_no_bytes_that_nothing_names(workspace, forge):
    old = blob_id(BOARD.format("shop", "begin").encode())
    forge.force_push("ann/shop", board("shop", "sell"))
    forge.tick(120)
    workspace.doit()
    stored = old in set(BlobStore(Layout(workspace.build)).oids())
    forge.make_private("ann/shop")
    workspace.doit()

    assert (stored, old in set(BlobStore(Layout(workspace.build)).oids())) == (True, False)
    assert workspace.pipeline("verify", "--all").status == 0
    assert "shop" in boards(workspace)


def test_bytes_that_nothing_names_go_after_thirty_days_of_builds(workspace, forge):
    old = blob_id(BOARD.format("roof", "begin").encode())
    forge.force_push("ann/roof", board("roof", "tile"))
    forge.tick(120)
    days = [f"2026-{month}T10:00:00Z" for month in ("03-03", "03-04", "04-01", "04-02")]
    kept = [old in stored_after(workspace, day) for day in days]

    assert kept == [True, True, True, False]


def test_bytes_that_a_history_names_stay(workspace, forge):
    old = blob_id(BOARD.format("roof", "begin").encode())
    forge.commit("ann/roof", board("roof", "tile"))
    forge.tick(120)
    days = [f"2026-{month}T10:00:00Z" for month in ("03-03", "03-04", "04-01", "04-02")]

    assert [old in stored_after(workspace, day) for day in days] == [True, True, True, True]


def stored_after(workspace, now: str) -> set[str]:
    """Every blob that is here after a run at this time."""
    assert workspace.doit(PROJECTS_META_NOW=now).status == 0
    return set(BlobStore(Layout(workspace.build)).oids())


def test_a_folder_that_was_removed_is_gone_at_the_second_look(workspace):
    for name in ("notes", "roof"):
        workspace.commit(name, board(name))
    workspace.doit()
    shutil.rmtree(workspace.projects / "roof.git")

    assert [state_of(workspace, "roof") for _ in range(2)] == ["unreachable", "gone"]
    assert boards(workspace) == ["notes"]


def test_what_the_configuration_no_longer_asks_for_leaves_though_its_source_is_away(workspace, forge):
    forge.fail("*", status=503)
    sources = (workspace.root / "sources.toml").read_text(encoding="utf-8")
    workspace.configure(f'{sources}exclude = ["roof"]\n')
    workspace.doit()

    assert "roof" not in states(workspace)
    assert boards(workspace) == ["notes", "shop", "yard"]
