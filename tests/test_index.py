import hashlib
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import index, model
from tests.fakes.catalogs import CODE, COMMIT, Project, artifacts, create, item, records, roster, update

API = Project(
    repository="forge/ann/api",
    board="# Board\n## login\nnext: deploy\n",
    items=(item("login", "Fix the login", 2, end_line=3, status="blocked", next="deploy"),),
    pages={"concepts/cache": "---\ntags: [x]\n---\nHow the cache works\n"},
    wiki_index="# Wiki\n",
)
WIKI = Project(repository="forge/ann/projects-wiki", shared_pages={"node/yarn": "Use yarn\n", "git/rebase": "Rebase\n"})
WEB = Project(
    repository="forge/bob/web",
    board="- [x] ship\n",
    items=(item("ship", status="done"), item("dream", status="unknown")),
    diagnostics=(
        model.Diagnostic(
            code="W104", severity="warning", path=model.RepoPath(".tasks/STATUS.md"), line=1, message="odd\nmark"
        ),
    ),
)
ALL = (API, WIKI, WEB)
CHANGED = replace(WEB, board="- [ ] fly\n", items=(item("fly"),), pages={"new": "Новая страница"})
GONE = replace(WEB, state="gone", reason="HTTP 404")


def open_copy(tmp_path, projects):
    return closing(create(tmp_path / "catalog.sqlite", projects))


def fresh(projects):
    with closing(create(":memory:", projects)) as connection:
        return index.dump(connection)


def rows(connection, table):
    return connection.execute(f"select count(*) from {table}").fetchone()[0]


# --- the top-level files


def test_a_record_counts_what_the_artifact_holds():
    record = index.build_repositories(roster([WEB]), artifacts([WEB]), None).repositories[0]

    assert (record.repository, record.name, record.state, record.board) == ("forge/bob/web", "web", "ok", "parsed")
    assert (record.tasks, record.errors, record.warnings) == ({"done": 1, "unknown": 1}, 0, 1)
    assert (record.revision, record.digest) == (COMMIT, WEB.digest)


def test_repositories_are_sorted_by_id_whatever_the_order_of_the_roster():
    found = index.build_repositories(roster(reversed(ALL)), artifacts(ALL), WIKI.id)

    assert [one.repository for one in found.repositories] == [API.id, WIKI.id, WEB.id]
    assert found.shared_wiki == WIKI.id


def test_a_repository_that_was_never_read_has_a_record_without_digest():
    record = index.build_record(replace(API, state="unreachable", reason="HTTP 503\nby proxy").entry, None, None)

    assert (record.digest, record.revision, record.board, record.tasks) == (None, None, "absent", {})
    assert record.reason == "HTTP 503 by proxy"


def test_a_gone_repository_keeps_its_record_and_nothing_else():
    record = index.build_record(GONE.entry, GONE.artifact, GONE.digest)

    assert (record.state, record.digest, record.board, record.warnings) == ("gone", None, "absent", 0)


def test_tasks_lists_what_is_neither_done_nor_cancelled_and_the_board_as_written():
    shown = replace(WEB, items=(*WEB.items, item("drop", status="cancelled")))
    found = index.build_tasks(roster([shown]), artifacts([shown]), lambda _, file: WEB.texts[file]).projects[0]

    assert [(task.slug, task.status) for task in found.active_tasks] == [("dream", "unknown")]
    assert (found.name, found.full_name, found.all_tasks_count, found.raw) == ("web", WEB.id, 3, "- [x] ship\n")
    assert found.wiki_index is None


def test_tasks_leaves_out_what_has_neither_board_nor_wiki_and_what_is_gone():
    projects = (API, Project(repository="forge/ann/empty"), GONE)
    found = index.build_tasks(roster(projects), artifacts(projects), lambda _, file: API.texts[file])

    assert [one.full_name for one in found.projects] == [API.id]
    assert found.projects[0].wiki_index == "# Wiki\n"


def test_tasks_names_the_unreachable_with_their_reason():
    dead = replace(WEB, state="unreachable", reason="HTTP 503")
    found = index.build_tasks(roster([dead]), {}, lambda *_: "")

    assert found.errors == (model.ProjectError(project=WEB.id, reason="HTTP 503"),)


def test_knowledge_lists_shared_pages_by_slug_and_wikis_in_reading_order():
    found = index.build_knowledge(roster(ALL), artifacts(ALL), WIKI.id)

    assert [page.slug for page in found.shared] == ["git/rebase", "node/yarn"]
    assert [(wiki.project, [page.slug for page in wiki.pages]) for wiki in found.wikis] == [
        (API.id, ["concepts/cache"])
    ]


# --- the catalog


def test_two_clean_builds_are_byte_identical(tmp_path):
    create(tmp_path / "one", ALL).close()
    create(tmp_path / "two", ALL).close()

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_build_under_another_hash_seed_is_byte_identical(tmp_path, seed):
    code = (
        "import sys; from tests.test_index import ALL; from tests.fakes.catalogs import create; "
        "create(sys.argv[1], ALL).close()"
    )
    folder = Path(__file__).parent.parent
    settings = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(folder)}
    subprocess.run([sys.executable, "-c", code, tmp_path / "one"], check=True, env=settings, cwd=folder)
    create(tmp_path / "two", ALL).close()

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_nothing_is_left_beside_the_catalog(tmp_path):
    create(tmp_path / "catalog.sqlite", ALL).close()

    assert [path.name for path in tmp_path.iterdir()] == ["catalog.sqlite"]
    # A reader of a file in write-ahead mode would make files beside it.
    assert (tmp_path / "catalog.sqlite").read_bytes()[18:20] == b"\x01\x01"


def test_a_changed_catalog_equals_a_clean_one_row_by_row(tmp_path):
    with open_copy(tmp_path, ALL) as connection:
        update(connection, (API, WIKI, CHANGED))

        assert index.dump(connection) == fresh((API, WIKI, CHANGED))
        index.check_search(connection)


def test_a_catalog_that_lost_and_regained_projects_equals_a_clean_one(tmp_path):
    with open_copy(tmp_path, ALL) as connection:
        update(connection, (WEB,))
        update(connection, (WIKI, CHANGED))
        update(connection, ALL)

        assert index.dump(connection) == fresh(ALL)
        index.check_search(connection)


def test_only_changed_repositories_are_read_again(tmp_path):
    with open_copy(tmp_path, ALL) as connection:
        assert update(connection, (API, WIKI, CHANGED)) == (WEB.id,)


def test_an_update_of_nothing_changes_no_row(tmp_path):
    with open_copy(tmp_path, ALL) as connection:
        before = connection.total_changes
        update(connection, ALL)

        assert connection.total_changes - before == 1


def test_a_state_that_changed_rewrites_the_record_alone(tmp_path):
    dead = replace(WEB, state="unreachable", reason="HTTP 503")
    with open_copy(tmp_path, ALL) as connection:
        assert update(connection, (API, WIKI, dead)) == ()
        found = connection.execute("select state, reason from projects where name = 'web'").fetchall()

    assert found == [("unreachable", "HTTP 503")]


def test_a_gone_repository_keeps_its_record_and_loses_its_rows(tmp_path):
    with open_copy(tmp_path, (WEB,)) as connection:
        update(connection, (GONE,))

        assert [rows(connection, table) for table in ("projects", "contents", "items", "task_texts")] == [1, 0, 0, 0]
        assert connection.execute("select count(*) from task_search where task_search match '\"shi\"'").fetchone() == (
            0,
        )


def test_a_gone_record_that_still_names_a_digest_shows_nothing_either(tmp_path):
    known = records([WEB])
    gone = replace(known, repositories=(replace(known.repositories[0], state="gone"),))
    with open_copy(tmp_path, (WEB,)) as connection:
        index.update(connection, gone, [])

        assert (index.outdated(connection, gone), rows(connection, "items")) == ((), 0)


def test_a_repository_that_came_back_unchanged_is_read_again(tmp_path):
    with open_copy(tmp_path, (WEB,)) as connection:
        update(connection, (GONE,))

        assert update(connection, (WEB,)) == (WEB.id,)
        assert index.dump(connection) == fresh((WEB,))


def test_an_outdated_repository_that_is_not_given_is_our_mistake(tmp_path):
    with (
        open_copy(tmp_path, ()) as connection,
        pytest.raises(ValueError, match="no artifact was given for forge/bob/web"),
    ):
        index.update(connection, records([WEB]), [])


def test_values_of_one_line_are_stored_on_one_line(tmp_path):
    odd = replace(WEB, items=(item("a\u202eb", "two\nlines", next="x" * 300, owner="ann\tb"),))
    with open_copy(tmp_path, (odd,)) as connection:
        (slug, title, following, owner) = connection.execute("select slug, title, next, owner from items").fetchone()

    assert (slug, title, owner, len(following)) == ("ab", "two lines", "ann b", 200)


def test_front_matter_is_not_searched_and_a_rule_is_not_front_matter(tmp_path):
    pages = {"a": "---\nsecret: 1\n---\nbody\n", "b": "----\nrule\n", "c": "---\nnever closed\n", "d": "---\n---\nx\n"}
    with open_copy(tmp_path, (Project(repository="h/o/p", pages=pages),)) as connection:
        found = connection.execute("select body from page_texts order by position").fetchall()

    assert found == [("body\n\x01",), ("----\nrule\n\x01",), ("---\nnever closed\n\x01",), ("x\n\x01",)]


HEADED = """\
# One
text # no heading
#hashtag
   ### Three ###
```sh
# a comment
```
~~~
## fenced
```
~~~
## Last"""


def test_headings_are_lines_with_marks_outside_of_fences(tmp_path):
    with open_copy(tmp_path, (Project(repository="h/o/p", pages={"a": HEADED}),)) as connection:
        found = connection.execute("select headings from page_texts").fetchone()

    assert found == ("# one\x01### three ###\x01## last\x01",)


def test_words_behind_a_nul_are_indexed(tmp_path):
    with open_copy(tmp_path, (Project(repository="h/o/p", pages={"a": "one\0two"}),)) as connection:
        found = connection.execute("select rowid from page_search where page_search match 'two'").fetchall()

    assert len(found) == 1


def test_a_catalog_without_trigrams_has_the_same_rows():
    with closing(create(":memory:", ALL, "scan")) as connection:
        found = index.dump(connection)
        index.check_search(connection)

    assert ("engine", "scan") in found["meta"]
    assert {**found, "meta": []} == {**fresh(ALL), "meta": []}


def test_a_search_index_that_lost_its_texts_is_noticed(tmp_path):
    with open_copy(tmp_path, ALL) as connection:
        connection.execute("delete from task_texts")

        with pytest.raises(sqlite3.DatabaseError):
            index.check_search(connection)


def test_a_catalog_of_this_code_is_usable(tmp_path):
    with open_copy(tmp_path, ALL) as connection:
        assert index.is_usable(connection, CODE)


def test_a_catalog_of_other_code_or_schema_is_not_usable(tmp_path):
    with open_copy(tmp_path, ALL) as connection:
        assert not index.is_usable(connection, "other code")
        connection.execute("pragma user_version = 0")
        assert not index.is_usable(connection, CODE)


@pytest.mark.parametrize("page", [0, 1, 4, 10])
def test_a_damaged_catalog_is_not_usable(tmp_path, page):
    create(tmp_path / "catalog.sqlite", ALL).close()
    raw = bytearray((tmp_path / "catalog.sqlite").read_bytes())
    raw[page * 4096 : page * 4096 + 4096] = hashlib.sha512(b"noise").digest() * 64
    (tmp_path / "catalog.sqlite").write_bytes(raw)

    with closing(sqlite3.connect(tmp_path / "catalog.sqlite")) as connection:
        assert not index.is_usable(connection, CODE)


def test_an_empty_file_is_not_usable(tmp_path):
    with closing(sqlite3.connect(tmp_path / "catalog.sqlite")) as connection:
        assert not index.is_usable(connection, CODE)
