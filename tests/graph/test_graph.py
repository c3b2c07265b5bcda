"""The whole graph, as a person runs it: doit in a process of its own over real repositories."""

import concurrent.futures
import shutil
import subprocess
import sys

import pytest

from pipeline import files

HOLDER = "import os, sys, pathlib; from pipeline import files; files.lock_build(pathlib.Path(sys.argv[1])); os._exit(9)"
BOARD = "# Task Board\n\n## 🔴 ship — Ship the nightly build\n**Status:** active\n**Next action:** tag it\n"
RUSSIAN = "# Доска задач\n\n## 🟡 pdf — Счёт в PDF\n**Статус:** на паузе\n**Следующий шаг:** согласовать шаблон\n"


def test_a_first_run_publishes_a_version_that_can_be_verified_and_read(workspace):
    workspace.commit(
        "ann/notes", {".tasks/STATUS.md": BOARD, ".wiki/index.md": "# Index\n\n- [A](a.md)\n", ".wiki/a.md": "# A\n"}
    )
    workspace.commit("ann/invoices", {".tasks/STATUS.md": RUSSIAN})

    ran = workspace.doit()

    assert (ran.status, workspace.version()) == (0, 1)
    assert "published version 1" in ran.out
    assert [row["name"] for row in workspace.published("tasks.json")["projects"]] == ["invoices", "notes"]
    assert workspace.pipeline("verify").out == "1 version: no troubles\n"
    assert "Счёт в PDF" in workspace.page("p/local/ann/invoices.html")


def test_a_second_run_publishes_nothing(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()

    ran = workspace.doit()

    assert (ran.status, workspace.version()) == (0, 1)
    assert "nothing new, still version 1" in ran.out


def test_one_changed_task_makes_the_next_version_with_that_one_project(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.commit("ann/invoices", {".tasks/STATUS.md": RUSSIAN})
    workspace.doit()
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD.replace("tag it", "announce it")})

    ran = workspace.doit()

    assert "changed     1  local/ann/notes" in ran.out
    assert "~ project local/ann/notes\n" in workspace.pipeline("diff", "1", "2").out
    assert "local/ann/invoices" not in workspace.pipeline("diff", "1", "2").out


def test_a_commit_outside_tasks_and_wiki_publishes_nothing(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD, "src/a.py": "a = 1\n"})
    workspace.doit()
    workspace.commit("ann/notes", {"src/a.py": "a = 2\n"})

    workspace.doit()

    assert workspace.version() == 1


def test_a_repository_that_cannot_be_read_keeps_its_last_copy_and_says_why(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.commit("ann/invoices", {".tasks/STATUS.md": RUSSIAN})
    workspace.doit()
    shutil.rmtree(workspace.projects / "ann" / "notes.git" / "objects")
    (workspace.projects / "ann" / "notes.git" / "objects").mkdir()

    ran = workspace.doit()

    assert ran.status == 0
    states = {row["name"]: row["state"] for row in workspace.published("repos.json")["repositories"]}
    assert states == {"invoices": "ok", "notes": "unreachable"}
    assert "Ship the nightly build" in workspace.page("p/local/ann/notes.html")
    assert "stale       1  local/ann/notes: " in ran.out


def test_strict_makes_partial_trouble_a_failure(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    workspace.projects.rename(workspace.root / "elsewhere")

    assert workspace.doit().status == 0
    assert workspace.doit("strict=1").status == 1
    assert workspace.published("tasks.json")["errors"][0]["project"] == "local/ann/notes"


def test_a_first_run_that_can_read_nothing_fails_with_the_reason(workspace):
    workspace.projects.rmdir()

    ran = workspace.doit()

    assert ran.status == 1
    assert "nothing could be read: local: " in ran.out + ran.err
    assert not (workspace.build / "current.json").exists()


def test_offline_asks_nothing_and_still_answers(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    workspace.projects.rename(workspace.root / "elsewhere")

    ran = workspace.doit("offline=1")

    assert ran.status == 0
    assert "offline, nothing was asked" in ran.out
    assert workspace.published("repos.json")["repositories"][0]["state"] == "ok"


def test_a_repository_that_is_no_longer_wanted_leaves_at_once(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.commit("ann/invoices", {".tasks/STATUS.md": RUSSIAN})
    workspace.doit()
    workspace.configure((workspace.root / "sources.toml").read_text() + 'exclude = ["inv*"]\n')

    workspace.doit()

    assert [row["name"] for row in workspace.published("repos.json")["repositories"]] == ["notes"]
    assert not (workspace.build / "stage" / "projects" / "local" / "ann" / "invoices").exists()


def test_a_row_that_looks_elsewhere_shows_what_is_there_and_nothing_else(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    workspace.commit("../other/ann/invoices", {".tasks/STATUS.md": RUSSIAN})
    workspace.configure((workspace.root / "sources.toml").read_text().replace("/projects", "/other"))

    workspace.doit()

    assert [row["name"] for row in workspace.published("repos.json")["repositories"]] == ["invoices"]


def test_a_row_that_names_a_folder_that_is_not_there_loses_nothing(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    workspace.configure((workspace.root / "sources.toml").read_text().replace("/projects", "/projcets"))

    assert workspace.doit().status == 0
    assert [row["state"] for row in workspace.published("repos.json")["repositories"]] == ["unreachable"]


def test_mistakes_of_the_configuration_are_sentences_not_tracebacks(workspace):
    workspace.configure('langage = "ru"\n[[source]]\nkind = "folder"\n')

    ran = workspace.doit()

    assert ran.status == 3
    assert "ERROR: sources.toml: langage is not a setting; did you mean language?" in ran.err
    assert "source[1].path is missing" in ran.err
    assert "Traceback" not in ran.err


def test_list_and_info_work_before_and_after_the_first_sync(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})

    before = workspace.doit("info", "parse:local/ann/notes")
    assert (before.status, workspace.doit("list").status) == (3, 0)
    assert "repositories are known after a first sync: run `doit`" in before.err

    workspace.doit()
    after = workspace.doit("info", "parse:local/ann/notes")
    assert (after.status, "up-to-date" in after.out) == (0, True)
    assert "parse:local/ann/notes" in workspace.doit("list", "--all").out


def test_info_tells_why_a_repository_was_or_was_not_fetched(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    first = workspace.doit("info", "parse:local/ann/notes")
    workspace.doit()
    second = workspace.doit("info", "parse:local/ann/notes")

    assert "\nfetched: what was not here yet was brought; its history is here\n" in first.out
    assert "\nnot fetched: its head is the commit that is here; its history is here\n" in second.out


def test_an_output_that_lacks_the_letters_of_a_name_gets_them_escaped(workspace):
    workspace.commit("ann/счёт", {".tasks/STATUS.md": RUSSIAN})

    ran = workspace.doit(PYTHONIOENCODING="ascii")
    listed = workspace.doit("list", "--all", PYTHONIOENCODING="ascii")

    assert (ran.status, listed.status) == (0, 0)
    assert r"new         1  local/ann/\u0441\u0447\u0451\u0442" in ran.out


def test_one_artifact_can_be_rebuilt_by_name(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})

    assert workspace.doit("parse:local/ann/notes").status == 0
    assert (workspace.build / "stage" / "projects" / "local" / "ann" / "notes" / "project.json").is_file()


def test_a_misspelt_repository_is_told_with_the_nearest_one(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()

    ran = workspace.doit("parse:local/ann/notse")

    assert ran.status == 3
    assert 'no task "parse:local/ann/notse"' in ran.out


def test_clean_leaves_at_most_the_state_of_doit(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()

    assert workspace.doit("clean").status == 0
    assert {path.name for path in workspace.build.iterdir()} <= {"doit.json"}


def test_a_broken_state_of_doit_is_set_aside(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    (workspace.build / "doit.json").write_bytes(b'{"half')

    assert workspace.doit().status == 0
    assert workspace.version() == 1


def test_a_second_build_in_the_same_folder_ends_at_once_with_75(workspace):

    with files.lock_build(workspace.build / "build.lock"):
        ran = workspace.doit()

    assert ran.status == 75
    assert ran.err == "another `doit` is building here; wait for it, or stop it, and run again\n"


def test_a_repository_that_crashes_nobody_else_is_shown_with_its_trouble(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": b"\xff\xfe\x00 not text"})
    workspace.commit("ann/invoices", {".tasks/STATUS.md": RUSSIAN, ".wiki/index.md": "<<<<<<< HEAD\n"})

    assert workspace.doit().status == 0
    rows = {row["name"]: row for row in workspace.published("repos.json")["repositories"]}
    assert (rows["notes"]["errors"], rows["invoices"]["index"]) == (1, "malformed")
    assert rows["invoices"]["tasks"] == {"paused": 1}


def test_a_misspelt_variable_is_refused_before_anything_is_asked(workspace):
    ran = workspace.doit("offlin=1", "strict=maybe")

    assert ran.status == 3
    assert "offlin=… is not a variable; known: accept_removals, offline, purge, strict" in ran.err
    assert "strict=maybe: expected strict=1 or strict=0" in ran.err


def test_a_first_run_offline_says_that_there_is_nothing_yet(workspace):
    ran = workspace.doit("offline=1")

    assert ran.status == 1
    assert "offline, and nothing was ever read; run `doit` without offline=1 first" in ran.out


def test_a_source_whose_token_is_missing_is_told_with_the_name_of_the_file(workspace):
    workspace.configure(
        '[[source]]\nkind = "gitea"\nurl = "http://127.0.0.1:9"\nowners = ["a"]\ntoken_env = "NO_SUCH"\n'
    )

    ran = workspace.doit()

    assert ran.status == 1
    assert "sync: sources.toml: source[1].token_env" in ran.out


def test_a_damaged_current_json_is_mended_by_the_next_build(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    (workspace.build / "current.json").write_bytes(b"x")

    assert (workspace.doit().status, workspace.version()) == (0, 2)
    assert workspace.pipeline("verify").status == 0


def test_clean_leaves_what_is_not_ours(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    (workspace.build / "letter.txt").write_bytes(b"mine")
    workspace.doit("clean")

    assert (workspace.build / "letter.txt").read_bytes() == b"mine"


def test_a_clean_during_a_build_is_refused_with_a_sentence(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    with files.lock_build(workspace.build / "build.lock"):
        ran = workspace.doit("clean")

    assert (ran.status, workspace.version()) == (75, 1)
    assert "another `doit` is building here" in ran.err


def test_a_sync_that_is_not_published_yet_makes_nothing_look_fresher(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    workspace.doit("sync", PROJECTS_META_NOW="2026-03-09T10:00:00Z")

    assert workspace.json("sync/sync.json")["checked_at"] == "2026-03-09T10:00:00Z"
    assert workspace.json("freshness.json")["checked_at"] == "2026-03-02T10:00:00Z"


@pytest.mark.parametrize("name", ["doit.json", "parsed.journal", "steps.json", "report.html", "sync/roster.json"])
def test_a_folder_that_stands_where_we_write_a_file_is_named(workspace, name):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    (workspace.build / name).mkdir(parents=True)
    (workspace.build / "build.lock").touch()

    ran = workspace.doit()

    assert ran.status in (1, 2, 3)
    assert f"{workspace.build / name}" in ran.out + ran.err
    assert "Traceback" not in ran.out + ran.err


def test_of_eight_builds_started_at_once_the_others_wait_for_another_time(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        statuses = [ran.status for ran in pool.map(lambda _: workspace.doit(), range(8))]

    assert set(statuses) <= {0, 75}
    assert 0 in statuses
    assert workspace.pipeline("verify").status == 0


def test_the_lock_of_a_killed_build_is_free_at_once(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    subprocess.run([sys.executable, "-c", HOLDER, workspace.build / "build.lock"], check=False)

    assert workspace.doit().status == 0


def test_bytes_lost_under_build_are_brought_again(workspace):
    workspace.commit("ann/notes", {".tasks/STATUS.md": BOARD})
    workspace.doit()
    shutil.rmtree(workspace.build / "sync" / "blobs")
    (workspace.build / "parsed.journal").unlink()
    first = workspace.doit()
    second = workspace.doit()

    assert (first.status, second.status, workspace.version()) == (0, 0, 1)
    assert workspace.published("tasks.json")["projects"][0]["active_tasks"][0]["slug"] == "ship"
    assert len(list(workspace.build.glob("sync/blobs/*/*"))) == 1


def test_a_folder_whose_name_no_task_of_doit_may_have_is_built_like_others(workspace):
    workspace.commit("ann/100%=all", {".tasks/STATUS.md": BOARD})

    assert workspace.doit().status == 0
    assert workspace.published("tasks.json")["projects"][0]["full_name"] == "local/ann/100%=all"
    assert "local/ann/100%25%3Dall" in workspace.doit("info", "parse:local/ann/100%25%3Dall").out
