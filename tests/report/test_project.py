"""A project's page: how it stands, what to do about it, and its texts as written."""

import html
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import index
from pipeline.catalog import open_catalog
from pipeline.catalog.answers import TaskRow
from pipeline.model import PageAddress, Preferences, RepositoryId, State, Status
from pipeline.report import site as report
from pipeline.report.lines import task_groups
from pipeline.report.remedies import Remedy, remedy
from tests.fakes.report_samples import COMMIT, NOW, Repository, build_catalog, task, trouble

Site = dict[str, str]
SiteOf = Callable[..., Site]

API = Repository(id="git.example.org/acme/api", board="parsed", board_text="# Status\n", items=[task("a")])
PAGE = "p/git.example.org/acme/api.html"


def read(page_html: str) -> str:
    """What a reader sees, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page_html)).split())


@pytest.mark.parametrize(
    ("state", "reason", "kind"),
    [
        ("ok", None, None),
        ("renamed", "it is acme/web now", "renamed"),
        ("gone", "no longer listed", "gone"),
        ("unreachable", "no longer listed; the last copy stays until a second look agrees", "unlisted"),
        ("unreachable", "HTTP 401: the credentials are not accepted", "credentials"),
        ("unreachable", "HTTP 404: not there, or not for these credentials", "credentials"),
        ("unreachable", "its default branch 'main' is not there", "absent"),
        ("unreachable", "HTTP 429 after 3 tries", "busy"),
        ("unreachable", "HTTP 503 after 3 tries", "server"),
        ("unreachable", "TLS: the certificate has expired", "certificate"),
        ("unreachable", "more than 5 redirects", "moved"),
        ("unreachable", "no answer within 30 s", "network"),
        ("unreachable", "git's data cannot be read; try `git fsck` in it", "damaged"),
        ("unreachable", "a folder of it cannot be listed: Permission denied", "folder"),
        ("unreachable", "something new", "other"),
    ],
)
def test_each_kind_of_trouble_has_its_advice(state: State, reason: str | None, kind: Remedy | None) -> None:
    assert remedy(state, reason) == kind


def test_a_project_that_could_not_be_read_says_what_to_do(site_of: SiteOf) -> None:
    banner = site_of(replace(API, state="unreachable", reason="HTTP 503"))[PAGE].split('role="note">')[1]

    assert read(banner.split("</div>")[0]) == (
        "The last look at this repository did not succeed: HTTP 503 "
        "What you see is the copy of revision 4f2a91c0d3, changed 28 Nov 2026. "
        "The server has trouble of its own: run doit again later; if it lasts, tell its administrator."
    )


def test_faults_stand_by_code_with_their_lines_and_what_to_do(site_of: SiteOf) -> None:
    two = [trouble("W104", "unknown status", line=line) for line in (7, 9)]

    faults = read(site_of(replace(API, diagnostics=two))[PAGE].split('id="diagnostics"')[1].split("</section>")[0])

    assert faults.count("W104 warning") == 1
    assert ".tasks/STATUS.md:7 unknown status .tasks/STATUS.md:9 unknown status" in faults


def test_of_very_many_faults_the_first_are_shown_and_the_rest_counted(site_of: SiteOf) -> None:
    many = [trouble("W104", "odd", line=line) for line in range(1, 31)]

    page = site_of(replace(API, diagnostics=many))[PAGE]

    assert page.count("STATUS.md:") == 20
    assert "and 10 more places" in page


def test_a_very_long_board_is_shown_in_part_and_the_page_stays_bounded(site_of: SiteOf) -> None:
    items = [task(f"t{number}", title=f"Task {number} {'x' * 100}", line=number) for number in range(5_000)]

    page = site_of(replace(API, items=items, board_text="# Status\n" + "a line of text\n" * 60_000))[PAGE]

    assert "Its first 65,536 of 900,009 characters." in page
    assert "3,400 more tasks of this status are not shown here." in page
    assert len(page.encode()) < 512 << 10


def row(slug: str, status: Status) -> TaskRow:
    return TaskRow(
        project=RepositoryId("a.org/b/c"),
        slug=slug,
        title=slug,
        status=status,
        status_text=None,
        next=None,
        owner=None,
        line=1,
        state="ok",
        reason=None,
        stale=False,
    )


def groups(*counts: tuple[Status, int]) -> list[tuple[Status, int, int, int]]:
    rows = [row(f"{status}-{number}", status) for status, count in counts for number in range(count)]
    return [(one.status, len(one.lines), len(one.brief), one.left_out) for one in task_groups(rows)]


def test_the_first_tasks_stand_whole_the_next_in_short_and_the_rest_are_counted() -> None:
    assert groups(("active", 60), ("todo", 60), ("done", 2_000)) == [
        ("active", 60, 0, 0),
        ("todo", 40, 20, 0),
        ("done", 0, 1_480, 520),
    ]


FORGE = PageAddress(source="git.example.org", pattern="https://git.example.org/{repository}/src/{revision}/{path}")


def page_at_a_forge(folder: Path, repository: Repository) -> str:
    build_catalog(folder, [repository], NOW)
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as connection, connection:
        index.prefer(connection, Preferences(page_addresses=(FORGE,)))
    opened = open_catalog(folder / "catalog.sqlite", lambda one, digest: folder / one / digest, 1, None, NOW)
    return {path: content or b"" for path, _, content in report.render_site(opened, "en")}[PAGE].decode()


def test_where_people_see_the_files_the_page_leads_there(tmp_path: Path) -> None:
    page = page_at_a_forge(tmp_path, replace(API, diagnostics=[trouble("W104", "odd")]))

    at = f"https://git.example.org/acme/api/src/{COMMIT}/"
    assert f'href="{at}"><code>4f2a91c0d3</code>' in page
    assert f'href="{at}.tasks/STATUS.md"><code>.tasks/STATUS.md</code>' in page
    assert f'href="{at}.tasks/STATUS.md"><code>.tasks/STATUS.md:4</code>' in page
