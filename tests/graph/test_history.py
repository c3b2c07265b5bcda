"""Histories over the whole graph: with the files of folders."""

import shutil

import pytest

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
