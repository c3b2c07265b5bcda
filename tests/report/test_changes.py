"""Lists of changes: which commits stand where, what is told of each, and what one more commit makes anew."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pipeline.catalog import Catalog
from pipeline.messages import Language
from pipeline.report import site as report
from tests.fakes.catalogs import Project, item, open_projects
from tests.fakes.page_histories import AT, change, commit_id, history, page, version
from tests.report.test_report import read

ATOM = "{http://www.w3.org/2005/Atom}"
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
WEEK = "changes/2026-W49.html"
API = Project(
    repository="forge/ann/api",
    pages={"cache": "Cache\n"},
    titles={"cache": "Кэш"},
    board="# Board\n",
    items=(item("login", title="Limit logins"),),
    history=history(
        "forge/ann/api",
        page("cache", version(2, AT + 2 * HOUR, count=2, before="a", after="b", added=3, removed=1)),
        replace(page("old", version(1, AT + HOUR, path=None, before="a")), slug=None),
        tasks=(
            change("login", AT, commit=commit_id("x"), title="Limit logins"),
            change("gone", AT, commit=commit_id("x"), kind="vanished", before="done", after=None),
            change("login", AT - 3 * DAY, title="Limit logins", kind="next", before=None, after="ask Ann"),
        ),
    ),
)

Made = dict[str, str]
SiteOf = Callable[..., Made]


@pytest.fixture
def made(tmp_path: Path) -> SiteOf:
    """Every file of the report of some projects that have a history, by its path."""

    def render(*projects: Project, language: Language = "en", standing: Mapping[str, str] | None = None) -> Made:
        with open_projects(tmp_path / str(len(list(tmp_path.iterdir()))), *projects) as catalog:
            site = report.render_site(catalog, language, standing or {})
            return {path: content.decode() for path, _, content in site if content is not None}

    return render


def marks(catalog: Catalog) -> dict[str, str]:
    return {path: mark for path, mark, _ in report.render_site(catalog, "en") if mark is not None}


def entries(page_html: str) -> list[str]:
    """What stands in each commit's row."""
    return [read(row.split("</ul>")[0]) for row in re.split(r'<li class="row commit"[^>]*>', page_html)[1:]]


def test_the_newest_changes_stand_by_day_with_what_who_and_when(made: SiteOf) -> None:
    listed = made(API)["changes.html"]

    assert re.findall(r'<h2 id="d-([^"]*)"', listed) == ["2026-11-30", "2026-11-27"]
    assert entries(listed) == [
        f"ann/api 11:00 UTC Ann {commit_id(f'2 {AT + 2 * HOUR}')[:10]} Page Кэш 3 lines added, 1 removed +3 −1",
        f"ann/api 10:00 UTC Ann {commit_id(f'1 {AT + HOUR}')[:10]} Page removed old 1 lines added, 0 removed +1 −0",
        f"ann/api 09:00 UTC Ann {commit_id('x')[:10]} Task Limit logins To do → Active Task left the board gone Done",
        f"ann/api 09:00 UTC Ann {commit_id(f'login {AT - 3 * DAY}')[:10]} Next action Limit logins – → ask Ann",
    ]


def test_a_change_leads_to_its_task_while_that_is_on_the_board(made: SiteOf) -> None:
    listed = made(API)[WEEK]

    assert '<a href="../p/forge/ann/api.html#t-login" lang="en">Limit logins</a>' in listed
    assert '<span lang="en">gone</span>' in listed


def test_a_change_leads_to_the_page_that_the_wiki_has_now(made: SiteOf) -> None:
    site = made(API)

    assert '<a href="../w/forge/ann/api/cache.html" lang="ru">Кэш</a>' in site[WEEK]
    assert '<span lang="en">old</span>' in site[WEEK]
    assert "w/forge/ann/api/cache.html" in site


def test_each_iso_week_has_a_page_that_leads_to_its_neighbours(made: SiteOf) -> None:
    site = made(API)

    weeks = [path for path in site if path.startswith("changes/")]
    assert weeks == ["changes/2026-W48.html", WEEK]
    assert re.findall(r'<a href="\.\./(changes/[^"]*)" rel="(\w+)"', site[WEEK]) == [("changes/2026-W48.html", "prev")]
    assert re.findall(r'<a href="\.\./(changes/[^"]*)" rel="(\w+)"', site[weeks[0]]) == [(WEEK, "next")]
    assert "Changes of 30 Nov 2026 – 6 Dec 2026 4 changes" in read(site[WEEK])


def test_all_weeks_are_listed_by_year_the_newest_first(made: SiteOf) -> None:
    listed = read(made(API, dated("forge/ann/old", datetime(2025, 12, 28, tzinfo=UTC)))["changes.html"])

    assert "Weeks 2026 2026-W49 30 Nov 2026 – 6 Dec 2026 · 4 changes 2026-W48" in listed
    assert "1 change 2025 2025-W52 22 Dec 2025 – 28 Dec 2025 · 1 change" in listed


def test_without_history_the_page_says_where_changes_come_from(made: SiteOf) -> None:
    site = made(Project(repository="forge/ann/api"))

    assert "No changes are known yet" in site["changes.html"]
    assert [path for path in site if path.startswith("changes/")] == []
    assert ElementTree.fromstring(site["feed.xml"]).findall(f"{ATOM}entry") == []


def test_the_russian_feed_of_changes_is_russian(made: SiteOf) -> None:
    listed = read(made(API, language="ru")["changes.html"])

    assert "показано 5, всего 5" in listed
    assert "Задача Limit logins К выполнению → В работе Задача ушла с доски gone Готово" in listed


def dated(repository: str, *moments: datetime, **more: Any) -> Project:
    """A project with a wiki page that was changed at each of these moments."""
    versions = [version(number, at, count=len(moments), **more) for number, at in enumerate(moments, 1)]
    return Project(
        repository=repository,
        pages={"cache": "Cache\n"},
        history=history(repository, page("cache", *reversed(versions))),
    )


def hours(count: int, start: datetime = AT) -> list[datetime]:
    return [start + number * timedelta(minutes=1) for number in range(count)]


def test_a_long_week_is_cut_into_pages_of_which_the_newest_has_its_name(made: SiteOf) -> None:
    site = made(dated("forge/ann/api", *hours(400)))

    parts = [path for path in site if path.startswith("changes/")]
    assert [bool(re.fullmatch(r"changes/2026-W49-[0-9a-f]{16}\.html", path)) for path in parts] == [True, False]
    assert parts[-1] == WEEK
    assert sum(len(entries(site[path])) for path in parts) == 400


def test_one_commit_more_makes_its_week_and_the_newest_lists_anew(tmp_path: Path, made: SiteOf) -> None:
    moments = [AT + number * 7 * DAY for number in range(6)]
    with open_projects(tmp_path / "before", dated("forge/ann/api", *moments)) as catalog:
        there = marks(catalog)

    site = made(dated("forge/ann/api", *moments, moments[-1] + HOUR), standing=there)

    assert [path for path in site if "changes" in path or path == "feed.xml"] == [
        "a/changes.js",
        "changes.html",
        "changes/2027-W01.html",
        "data/changes/2027-W01.json",
        "feed.xml",
        "data/changes.json",
    ]


def test_a_commit_in_the_middle_of_a_long_week_moves_few_of_its_pages(tmp_path: Path, made: SiteOf) -> None:
    moments = hours(1200)
    with open_projects(tmp_path / "before", dated("forge/ann/api", *moments), dated("forge/ann/web")) as catalog:
        there = marks(catalog)

    site = made(dated("forge/ann/api", *moments), dated("forge/ann/web", AT + HOUR), standing=there)

    assert len([path for path in there if path.startswith("changes/")]) > 4
    assert len([path for path in site if path.startswith("changes/")]) <= 3


def test_a_commit_of_many_pages_is_shown_in_part_and_counted_whole(made: SiteOf) -> None:
    versions = [page(f"p{number:02}", version(1, AT, path=f".wiki/p{number:02}.md")) for number in range(25)]
    site = made(Project(repository="forge/ann/api", history=history("forge/ann/api", *versions)))

    (shown,) = entries(site[WEEK])
    assert shown.count("New page") == 20
    assert shown.endswith("and 5 changes more")
    assert len(json.loads(site["data/changes/2026-W49.json"])["commits"][0]["wiki"]) == 25


def test_the_rows_of_a_week_are_there_as_data(made: SiteOf) -> None:
    rows = json.loads(made(API)["data/changes/2026-W49.json"])

    assert rows["week"] == "2026-W49"
    assert [len(commit["wiki"]) + len(commit["tasks"]) for commit in rows["commits"]] == [1, 1, 2]
    assert rows["commits"][0] == {
        "at": "2026-11-30T11:00:00Z",
        "author": "Ann",
        "commit": commit_id(f"2 {AT + 2 * HOUR}"),
        "more": 0,
        "project": "forge/ann/api",
        "tasks": [],
        "wiki": [
            {"added": 3, "change": "changed", "href": "w/forge/ann/api/cache.html", "removed": 1, "slug": "cache",
             "title": "Кэш", "version": "DOCH-2"}
        ],
    }  # fmt: skip


def test_the_data_name_every_week_and_where_its_rows_are(made: SiteOf) -> None:
    assert json.loads(made(API)["data/changes.json"])["weeks"] == [
        {"changes": 1, "page": "changes/2026-W48.html", "rows": "data/changes/2026-W48.json", "week": "2026-W48"},
        {"changes": 4, "page": WEEK, "rows": "data/changes/2026-W49.json", "week": "2026-W49"},
    ]


def test_the_feed_has_an_entry_for_each_commit_that_leads_to_its_row(made: SiteOf) -> None:
    site = made(API)
    feed = ElementTree.fromstring(site["feed.xml"])

    links = [link.attrib["href"] for link in feed.iterfind(f"{ATOM}entry/{ATOM}link")]
    assert [link.split("#")[0] for link in links] == [WEEK, WEEK, WEEK, "changes/2026-W48.html"]
    assert [f'id="{link.split("#")[1]}"' in site[link.split("#")[0]] for link in links] == [True] * 4
    assert feed.findtext(f"{ATOM}updated") == "2026-11-30T11:00:00Z"


def test_an_entry_of_the_feed_keeps_its_id_when_others_come(made: SiteOf) -> None:
    def ids(site: Made) -> list[str | None]:
        return [entry.findtext(f"{ATOM}id") for entry in ElementTree.fromstring(site["feed.xml"]).iter(f"{ATOM}entry")]

    before, after = ids(made(API)), ids(made(API, dated("forge/ann/web", AT + 9 * HOUR)))

    assert after[1:] == before
    assert len(set(after)) == 5


def test_the_feed_can_be_read_whatever_letters_a_commit_has(made: SiteOf) -> None:
    odd = dated("forge/ann/api", AT, author="]]> <b> \ufffe \U0001f600")

    (entry,) = ElementTree.fromstring(made(odd)["feed.xml"]).iter(f"{ATOM}entry")

    assert entry.findtext(f"{ATOM}author/{ATOM}name") == "]]> <b> \ufffd \U0001f600"


def test_commits_of_the_first_and_the_last_years_have_their_weeks(made: SiteOf) -> None:
    far = dated("forge/ann/api", datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC))

    assert [path for path in made(far) if path.startswith("changes/")] == [
        "changes/0001-W01.html",
        "changes/9999-W52.html",
    ]
