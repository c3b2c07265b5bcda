"""The small commands, run as a person runs them (in this process)."""

import json
import os
import subprocess
import sys

import pytest

from pipeline import clock, files, hints
from pipeline.__main__ import main
from pipeline.layout import Layout


@pytest.fixture
def build(tmp_path, monkeypatch):
    monkeypatch.setenv("PROJECTS_META_BUILD", str(tmp_path / "build"))
    return tmp_path / "build"


def test_a_board_is_explained_as_json_on_stdout(tmp_path, capsys):
    (tmp_path / "any.md").write_bytes("## 🔴 смета — Смета\n**Статус:** в работе\n".encode())

    assert main(["explain", "board", str(tmp_path / "any.md")]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "diagnostics": [],
        "entries": [{"next": None, "slug": "смета", "status": "active", "title": "Смета"}],
    }


def test_a_rejected_index_is_explained_not_refused(tmp_path, capsys):
    (tmp_path / "index.md").write_bytes(b"# I\n<<<<<<< HEAD\n")

    assert main(["explain", "index", str(tmp_path / "index.md")]) == 0
    assert json.loads(capsys.readouterr().out) == {"error": "wiki index malformed: merge conflict markers (line 2)"}


def test_an_index_inside_a_wiki_is_explained_with_its_pages(tmp_path, capsys):
    (tmp_path / ".wiki" / "concepts").mkdir(parents=True)
    (tmp_path / ".wiki" / "concepts" / "retry.md").write_bytes(b"# Retry\n")
    (tmp_path / ".wiki" / "index.md").write_bytes(b"# I\n- [[retry]]\n")

    main(["explain", "index", str(tmp_path / ".wiki" / "index.md")])

    assert json.loads(capsys.readouterr().out)["entries"] == [{"slug": "retry", "title": "retry", "type": "concepts"}]


def test_a_file_that_is_not_there_is_one_sentence(tmp_path, capsys):
    assert main(["explain", "board", str(tmp_path / "none.md")]) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'none.md'} cannot be read: No such file or directory\n"


def test_verify_before_the_first_build_says_what_to_run(build, capsys):
    assert main(["verify"]) == 2
    assert capsys.readouterr().err == "nothing has been published yet; run `doit` first\n"


def test_diff_of_a_version_that_is_not_kept_says_which_are(build, capsys):
    assert main(["diff", "1", "2"]) == 2
    assert capsys.readouterr().err == "version 1 is not kept; kept: none\n"


def test_the_hint_carries_the_build_folder_and_absolute_paths(build, capsys):
    main(["hint"])
    shown = capsys.readouterr().out

    assert f"--env PROJECTS_META_BUILD={build} --scope user projects-meta -- " in shown
    assert json.loads(shown[shown.index("{") :])["mcpServers"]["projects-meta"]["args"] == ["-m", "mcp_server"]


def test_the_hint_names_a_relative_build_folder_from_the_root(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROJECTS_META_BUILD", "мой build")
    main(["hint"])
    shown = capsys.readouterr().out

    entry = json.loads(shown[shown.index("{") :])["mcpServers"]["projects-meta"]
    assert entry["env"] == {"PROJECTS_META_BUILD": str(tmp_path / "мой build")}


def test_the_hint_names_a_python_that_was_called_by_a_relative_path_from_the_root(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "here" / ".." / "bin" / "python"))
    main(["hint"])

    assert f"-- {tmp_path / 'bin' / 'python'} -m mcp_server\n" in capsys.readouterr().out


def test_a_hint_is_remembered_for_the_next_build_and_prints_nothing(build, capsys):
    files.write_atomic(Layout(build).roster, b"{}")
    assert main(["hint", "git.example.org/acme/api", "acme/wiki"]) == 0
    assert capsys.readouterr() == ("", "")
    assert hints.read(Layout(build), clock.now()) == ("acme/wiki", "git.example.org/acme/api")


def test_a_hint_beside_a_running_build_waits_for_nothing(build):
    files.write_atomic(Layout(build).roster, b"{}")
    held = files.lock_build(Layout(build).lock)

    assert main(["hint", "acme/api"]) == 0
    held.release()


def test_a_hint_that_is_no_name_is_one_sentence_and_the_others_are_kept(build, capsys):
    files.write_atomic(Layout(build).roster, b"{}")
    assert main(["hint", "acme/api\nall is well", "acme/wiki"]) == 2
    expected = '"acme/api all is well": expected host/owner/name, owner/name or name\n'
    assert capsys.readouterr() == ("", expected)
    assert hints.read(Layout(build), clock.now()) == ("acme/wiki",)


def test_a_reader_that_has_seen_enough_is_no_trouble():
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run([sys.executable, "-m", "pipeline", "hint"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)

    assert ended.stderr == b""


def test_init_below_a_file_is_one_sentence(tmp_path, capsys):
    (tmp_path / "notes").write_bytes(b"mine\n")

    assert main(["init", str(tmp_path / "notes")]) == 2
    assert capsys.readouterr().err == f"{tmp_path / 'notes'}: File exists\n"


def test_init_writes_what_to_start_from_and_keeps_what_is_there(tmp_path, capsys):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "sources.toml").write_bytes(b"# mine\n")

    assert main(["init", str(tmp_path / "new")]) == 0
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"dodo.py", "sources.toml", ".gitignore"}
    assert (tmp_path / "new" / "sources.toml").read_bytes() == b"# mine\n"
