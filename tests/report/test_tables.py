"""Tasks and projects as data: for machines, and for the script of the lists."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.catalog import Catalog
from pipeline.report import site as report
from tests.fakes.report_samples import NOW, Repository, build_catalog, task

SiteOf = Callable[..., dict[str, str]]

API = Repository(
    id="git.example.org/acme/api",
    board="parsed",
    board_text="# Status\n",
    items=[
        task("login", "active", title="Limit </script>", written="active, review", next="measure it", owner="Ann"),
        task("SHIP", "done", title="Ship", line=9),
    ],
)
NEVER = Repository(id="local/root/never", state="unreachable", reason="HTTP 503", copied=False)


def listed(site: dict[str, str], name: str) -> list[dict[str, Any]]:
    """The rows of the one file of a small table."""
    rows: list[dict[str, Any]] = json.loads(site[f"data/{name}.json"])[name]
    return rows


def packed(script: str) -> Any:
    """What a script of rows passes on."""
    return json.loads(script.removeprefix("PM.rows(").removesuffix(");\n"))


def test_a_task_for_machines_says_where_it_stands(site_of: SiteOf) -> None:
    login, _ = listed(site_of(API), "tasks")

    assert login == {
        "project": "git.example.org/acme/api", "slug": "login", "title": "Limit </script>", "status": "active",
        "status_text": "active, review", "next": "measure it", "owner": "Ann", "line": 3,
        "href": "p/git.example.org/acme/api.html#t-login", "since": None, "changed_at": "2026-11-28T09:30:00Z",
        "board_names_owners": True,
    }  # fmt: skip


def test_each_task_leads_to_itself_also_where_a_slug_stands_twice(site_of: SiteOf) -> None:
    site = site_of(Repository(id="a.org/b/c", board="parsed", items=[task("same"), task("same", line=9)]))

    assert [row["href"] for row in listed(site, "tasks")] == ["p/a.org/b/c.html#t-same", "p/a.org/b/c.html#t-same-9"]
    assert [row[9] for row in packed(site["a/rows/tasks.js"])[0][3]] == [None, "t-same-9"]


def test_a_project_for_machines_tells_no_number_that_is_not_known(site_of: SiteOf) -> None:
    api, never = listed(site_of(API, NEVER), "projects")

    assert (api["tasks"], api["wiki_pages"], api["errors"]) == ({"active": 1, "done": 1}, 0, 0)
    assert (never["tasks"], never["wiki_pages"], never["errors"], never["board"]) == (None, None, None, None)
    assert (never["state"], never["reason"], never["changed_at"]) == ("unreachable", "HTTP 503", None)


def test_every_column_for_machines_is_described(site_of: SiteOf) -> None:
    site = site_of(API)
    text = (
        (Path(__file__).parents[2] / "docs" / "artifacts.md").read_text(encoding="utf-8").split("\n## report/data/")[1]
    )

    cells = re.findall(r"^\| `(tasks|projects)\[\]\.([^|]+) \|", text, re.MULTILINE)
    named = {(table, name) for table, cell in cells for name in re.findall(r"(\w+)`", cell)}
    assert named == {(table, column) for table in ("tasks", "projects") for column in listed(site, table)[0]}


def test_without_a_task_the_data_say_so(site_of: SiteOf) -> None:
    site = site_of(NEVER)

    assert json.loads(site["data/tasks.json"]) == {"parts": [], "schema_version": 1, "tasks": [], "total": 0}
    assert [path for path in site if path.startswith("a/rows/tasks")] == []


def test_rows_for_the_script_stand_by_project_and_cannot_break_out_of_it(site_of: SiteOf) -> None:
    script = site_of(API)["a/rows/tasks.js"]

    assert "</" not in script
    ((project, href, names_owners, tasks),) = packed(script)
    assert (project, href, names_owners) == ("git.example.org/acme/api", "p/git.example.org/acme/api.html", 1)
    assert tasks == [
        ["login", "Limit </script>", "active", "active, review", "measure it", "Ann", None, 1795858200, 3, None],
        ["SHIP", "Ship", "done", None, None, None, None, 1795858200, 9, "t-ship-39e1775d82d2eb9c"],
    ]


def test_rows_of_projects_tell_why_a_number_is_not_known(site_of: SiteOf) -> None:
    rows = packed(site_of(API, NEVER)["a/rows/projects.js"])

    assert [row[8:11] for row in rows] == [[None, [1, 0, 0, 0, 0, 1, 0], 0], ["unread", None, None]]


def many(title: str = "x") -> list[Repository]:
    """Seven thousand tasks on as many boards as there are hundreds of them; `title` is that of the last."""
    boards = [[task(f"t{number}", line=number) for number in range(100)] for _ in range(70)]
    boards[-1][-1] = task("t99", title=title, line=99)
    return [
        Repository(id=f"forge/ann/r{place:02}", board="parsed", board_text="#", items=items)
        for place, items in enumerate(boards)
    ]


def made(catalog: Catalog, standing: dict[str, str]) -> list[str]:
    site = report.render_site(catalog, "en", standing)
    return [
        path for path, _, content in site if content is not None and path.startswith(("data/tasks", "a/rows/tasks"))
    ]


def test_a_long_table_is_cut_and_its_first_file_names_the_others(site_of: SiteOf) -> None:
    site = site_of(*many())

    index = json.loads(site["data/tasks.json"])
    parts = [json.loads(site[f"data/{part}"]) for part in index["parts"]]
    assert index["total"] == 7_000
    assert len(parts) == 2
    assert parts[1].keys() == {"schema_version", "tasks"}
    assert [row["project"] for part in parts for row in part["tasks"]][::100] == [
        f"forge/ann/r{n:02}" for n in range(70)
    ]


def test_one_changed_task_rewrites_one_file_of_each_table(tmp_path: Path) -> None:
    site = report.render_site(build_catalog(tmp_path / "before", many(), NOW), "en")
    there = {path: mark for path, mark, _ in site if mark is not None}

    again = made(build_catalog(tmp_path / "same", many(), NOW), there)
    after = made(build_catalog(tmp_path / "after", many("y"), NOW), there)

    assert again == []
    assert [path.rpartition("-")[0] for path in after] == ["data/tasks", "a/rows/tasks"]
