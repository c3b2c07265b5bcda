"""Histories over the whole graph: with the files of folders; of a forge when everything else is published."""

import shutil
import signal
import subprocess
import sys

import pytest

from tests.fakes.gitea import open_fake_forge
from tests.fakes.stopping import StoppingForge
from tests.graph.conftest import HOME

BOARD = "# Доска\n\n## ship — Выпуск\n**Статус:** {}\n"
PAGE = ".wiki/guides/tiles.md"
WIKI = {".wiki/index.md": "# Index\n\n- [Плитки](guides/tiles.md)\n", PAGE: "# Плитки\none\n"}


def history(workspace, name="local/ann/notes"):
    """history.json of the published version."""
    digest = workspace.published("manifest.json")["projects"][name]
    return workspace.json(f"objects/{name}/{digest}/history.json")


def page(workspace, slug="guides/tiles", name="local/ann/notes"):
    """The numbers and lines of one page's versions, newest first."""
    found = next(one for one in history(workspace, name)["pages"] if one["slug"] == slug)
    return [(each["number"], each["added"], each["removed"]) for each in found["versions"]]


def readings(workspace):
    return {row["repository"]: (row["at"], row["reason"]) for row in workspace.json("freshness.json")["histories"]}


# --- folders


@pytest.fixture
def notes(workspace):
    """A folder's repository of two commits."""
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD.format("в работе"), **WIKI})
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD.format("готово"), PAGE: "# Плитки\ntwo\n"})
    return workspace


def test_a_folder_s_history_is_in_the_first_version(notes):
    ran = notes.doit()
    found = history(notes)

    assert (ran.status, notes.version()) == (0, 1)
    assert page(notes) == [(2, 1, 1), (1, 2, 0)]
    assert [(one["slug"], one["kind"], one["before"], one["after"]) for one in found["tasks"]] == [
        ("ship", "status", "active", "done"),
        ("ship", "appeared", None, "active"),
    ]
    assert notes.pipeline("verify").out == "1 version: no troubles\n"


def test_one_more_commit_makes_one_more_version_of_its_page(notes):
    notes.doit()
    notes.commit("ann/notes", {PAGE: "# Плитки\ntwo\nthree\n"})
    notes.doit()

    assert (notes.version(), page(notes), page(notes, "index")) == (2, [(3, 1, 0), (2, 1, 1), (1, 2, 0)], [(1, 3, 0)])


def test_a_renamed_page_keeps_its_code_and_its_past(notes):
    notes.doit()
    before = next(one["code"] for one in history(notes)["pages"] if one["slug"] == "guides/tiles")
    notes.commit("ann/notes", {".wiki/tiles.md": "# Плитки\ntwo\n"}, remove=(PAGE,))
    notes.doit()
    after = next(one for one in history(notes)["pages"] if one["slug"] == "tiles")

    assert (after["code"], page(notes, "tiles")[0]) == (before, (3, 0, 0))


def test_after_a_rewritten_history_nothing_of_the_old_one_is_told(notes):
    notes.doit()
    shutil.rmtree(notes.projects / "ann" / "notes.git")
    notes.commit("ann/notes", {**WIKI, PAGE: "# Other\n"})
    notes.doit()

    assert (page(notes), history(notes)["tasks"]) == ([(1, 1, 0)], [])


def test_a_plain_folder_says_that_it_keeps_no_history_and_its_pages_have_codes(workspace):
    folder = workspace.projects / "ann" / "plain" / ".wiki"
    folder.mkdir(parents=True)
    (folder / "a.md").write_bytes(b"# A\n")
    workspace.doit()
    workspace.doit()

    assert (workspace.version(), history(workspace, "local/ann/plain")["wiki_is_loaded"]) == (1, False)
    assert "a plain folder keeps no history" in readings(workspace)["local/ann/plain"][1]
    assert history(workspace, "local/ann/plain")["pages"][0]["code"].startswith("DOC-")


def test_a_changed_bound_makes_the_history_anew(notes):
    notes.doit()
    notes.configure("[history]\nmax_commits = 1\n" + (notes.root / "sources.toml").read_text())
    notes.doit()

    assert page(notes) == [(1, 1, 1)]


def test_info_tells_how_a_history_stands(notes):
    notes.doit()

    assert "its history is here" in notes.doit("info", "parse:local/ann/notes").out


def test_a_history_file_that_is_lost_comes_again_when_it_is_needed(notes):
    notes.doit()
    shutil.rmtree(notes.build / "sync" / "history")
    notes.commit("ann/notes", {PAGE: "# Плитки\nthree\n"})
    notes.doit()

    assert page(notes)[0] == (3, 1, 1)


# --- a forge


@pytest.fixture
def forge(tmp_path):
    """A forge whose one repository got its page in three commits and its board in two."""
    (tmp_path / "forge").mkdir()
    found = open_fake_forge(tmp_path / "forge")
    found.add("ann/notes", {".tasks/STATUS.md": BOARD.format("в работе"), **WIKI})
    for text in ("two", "three"):
        found.tick(60)
        found.commit("ann/notes", {PAGE: f"# Плитки\n{text}\n"})
    found.commit("ann/notes", {".tasks/STATUS.md": BOARD.format("готово")})
    found.tick(3600)
    return found


def connect(workspace, url, requests=500):
    workspace.configure(
        f"[history]\nrequests_per_run = {requests}\n"
        f'[[source]]\nkind = "gitea"\nname = "forge"\nurl = "{url}"\nowners = ["ann"]\n'
    )


NOTES = "forge/ann/notes"
WHOLE_RUN, AGAIN = 3 + 5, 2


def test_pages_are_published_first_and_then_their_history_in_the_same_run(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        ran = workspace.doit()
    first = next(path for path in forge.paths() if "/commits" in path)
    first_version = workspace.json("versions/000001/manifest.json")["projects"][NOTES]

    assert (ran.status, workspace.version()) == (0, 2)
    assert (forge.paths().index(first), len(forge.requests)) == (1 + 2, WHOLE_RUN)
    assert not workspace.json(f"objects/{NOTES}/{first_version}/history.json")["wiki_is_loaded"]
    assert page(workspace, name=NOTES) == [(3, 1, 1), (2, 1, 1), (1, 2, 0)]
    assert "published version 2 with what came" in ran.out


def test_a_run_after_that_asks_for_the_list_alone(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.requests.clear()
        ran = workspace.doit()

    assert (len(forge.requests), workspace.version()) == (1, 2)
    assert "history" not in ran.out


def test_one_new_edit_costs_one_request_more(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.commit("ann/notes", {PAGE: "# Плитки\nfour\n"})
        forge.tick(60)
        forge.requests.clear()
        workspace.doit()

    assert len(forge.requests) == 1 + 2 + 1
    assert (workspace.version(), page(workspace, name=NOTES)[0]) == (3, (4, 1, 1))


def test_what_is_over_a_run_s_requests_comes_with_the_next_runs(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url, requests=2)
        first = workspace.doit()
        asked = len(forge.requests)
        runs = [workspace.doit() for _ in range(6)]

    assert asked == 1 + 2 + 2
    assert "1 history waits for the next `doit`" in first.out
    assert page(workspace, name=NOTES) == [(3, 1, 1), (2, 1, 1), (1, 2, 0)]
    assert "history" not in runs[-1].out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to stop another process by")
@pytest.mark.parametrize("at", [4, 5, 6, 7])
def test_a_run_killed_among_histories_goes_on_where_it_was(workspace, forge, at):
    stopping = StoppingForge(forge)
    with stopping.serve() as url:
        connect(workspace, url)
        command = [sys.executable, "-m", "doit"]
        started = subprocess.Popen(command, cwd=HOME, env=workspace.environment, stdout=-3, stderr=-3)
        stopping.stop(started, at, signal.SIGKILL)
        status = started.wait(timeout=100)
        stopping.client = None
        killed, version = len(forge.requests), workspace.version()
        forge.requests.clear()
        workspace.doit()

    assert (status, version) == (-signal.SIGKILL, 1)
    assert page(workspace, name=NOTES) == [(3, 1, 1), (2, 1, 1), (1, 2, 0)]
    assert killed + len(forge.requests) <= WHOLE_RUN + 1 + AGAIN


def test_a_history_that_cannot_be_had_harms_nothing_and_says_why(workspace, forge):
    forge.fail("/api/v1/repos/ann/notes/commits*", status=500)
    with forge.serve() as url:
        connect(workspace, url)
        ran = workspace.doit()
        told = readings(workspace)
        forge.heal()
        workspace.doit()

    assert (ran.status, told[NOTES][0]) == (0, None)
    assert "HTTP 500" in told[NOTES][1]
    assert (page(workspace, name=NOTES)[0], readings(workspace)) == ((3, 1, 1), {})


def test_an_edit_whose_history_fails_is_shown_with_the_history_before_it(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.fail("/api/v1/repos/ann/notes/commits*", status=500)
        forge.commit("ann/notes", {PAGE: "# Плитки\nfour\n"})
        forge.tick(60)
        workspace.doit()

    assert (page(workspace, name=NOTES)[0], readings(workspace)[NOTES][0] is None) == ((3, 1, 1), False)


def test_after_a_forced_push_the_history_is_the_new_one_alone(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.force_push("ann/notes", {**WIKI, PAGE: "# Other\n"})
        forge.tick(60)
        workspace.doit()
        workspace.doit()

    assert page(workspace, name=NOTES) == [(1, 1, 0)]


def test_a_renamed_repository_keeps_its_history_without_a_request(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
        forge.rename("ann/notes", "ann/diary")
        forge.tick(60)
        forge.requests.clear()
        workspace.doit()

    assert [path for path in forge.paths() if "/commits" in path] == []
    assert page(workspace, name="forge/ann/diary") == [(3, 1, 1), (2, 1, 1), (1, 2, 0)]


def test_a_purge_takes_the_history_along(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url)
        workspace.doit()
    ran = workspace.doit("purge=notes", "offline=1")

    assert ran.status == 0
    assert list((workspace.build / "sync" / "history").rglob("*.json")) == []
    assert [path for path in (workspace.build / "sync" / "blobs").rglob("*") if path.is_file()] == []


def test_offline_brings_no_history_and_does_not_fail(workspace, forge):
    with forge.serve() as url:
        connect(workspace, url, requests=0)
        workspace.doit()
    connect(workspace, url)
    ran = workspace.doit("offline=1")

    assert (ran.status, history(workspace, NOTES)["wiki_is_loaded"]) == (0, False)
