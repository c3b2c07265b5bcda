"""The site: its pages, what each says, and what no repository's text can do to it."""

import html
import json
import posixpath
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pipeline import codec, messages
from pipeline.catalog import Catalog
from pipeline.diagnostics import CODES
from pipeline.freshness import render_freshness
from pipeline.layout import bundled
from pipeline.model import BoardState, SourceReading, Status, SyncReading
from pipeline.report import site as report
from tests.fakes.report_samples import NOW, Repository, build_catalog, page, shared_page, task, trouble

SECOND = "projects-from-0000b2060664a196c.html"

Site = dict[str, str]
SiteOf = Callable[..., Site]

API = Repository(
    id="git.example.org/acme/api",
    board="parsed",
    board_text="# Status\n\n## login — Limit logins\n**Status:** active, review\n",
    items=[
        task("login", "active", title="Limit logins", written="active, review", next="measure it", owner="Ann"),
        task("tokens", "blocked", title="Rotate tokens", line=9),
        task("ship", "done", title="Ship 2.0", line=12),
    ],
    index="parsed",
    pages=[page("concepts/zebra", "Zebra"), page("concepts/apple", "Apple", indexed=False)],
    diagnostics=[trouble("W104", "unknown status", line=7), trouble("W105", "no heading", line=None)],
)
HOSTILE = "\"'><img src=http://evil.example/x onerror=a()><script>a()</script>{{ 7 * 7 }}</pre>javascript:a()"
LINK = re.compile(r'(?:href|src)="([^"]*)"')
OURS = re.compile(
    r"#[a-z0-9._-]+|(?:\.\./)*(?:[a-z0-9._-]+/)*[a-z0-9._W-]+\.(?:html|css|js|json|xml)(?:#[A-Za-z0-9._-]+)?"
)


def read(page_html: str) -> str:
    """What a reader sees, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page_html)).split())


def projects_of(page_html: str) -> list[str]:
    """The pages to which the rows of a table of projects lead."""
    return re.findall(r'<th scope="row"><a href="([^"]*)"', page_html)


def reading_of(*sources: SourceReading) -> SyncReading:
    return SyncReading(
        schema_version=codec.SCHEMA_VERSION,
        machine="secret-host",
        checked_at=NOW,
        offline=False,
        stale_after_hours=24,
        sources=sources,
        repositories=(),
    )


def hostile() -> list[Repository]:
    return [
        Repository(
            id=f"evil.example/<b>/{HOSTILE.replace('/', '|')}",
            state="unreachable",
            reason=HOSTILE,
            source=HOSTILE,
            board="parsed",
            board_text=HOSTILE,
            items=[task(HOSTILE, "blocked", title=HOSTILE, written=HOSTILE, next=HOSTILE, owner=HOSTILE)],
            index="malformed",
            index_error=HOSTILE,
            pages=[page(f"concepts/{HOSTILE}", HOSTILE, description=HOSTILE)],
            diagnostics=[trouble("E101", HOSTILE, severity="error")],
        ),
        Repository(id="evil.example/a/wiki", shared=True, shared_pages=[shared_page(HOSTILE, HOSTILE, HOSTILE)]),
    ]


def test_the_site_has_its_lists_and_a_page_per_repository(site_of: SiteOf) -> None:
    site = site_of(API, Repository(id="local/root/Заметки"))

    first = {"index.html", "projects.html", "tasks.html", "health.html", "about.html"}
    assert first <= {*site}
    assert [path for path in site if path.startswith("p/")] == [
        "p/git.example.org/acme/api.html",
        "p/local/root/x-04a18b51cdc2ee2d.html",
    ]


def test_every_page_begins_with_the_content_policy(site_of: SiteOf) -> None:
    site = site_of(API, *hostile())

    heads = {text.split("<head>\n")[1].split("\n")[0] for path, text in site.items() if path.endswith(".html")}
    assert heads == {
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; "
        "style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types app\">"
    }


def test_the_same_catalog_gives_the_same_bytes_at_any_hour(tmp_path: Path) -> None:
    early = build_catalog(tmp_path / "a", [API, *hostile()], NOW)
    late = build_catalog(tmp_path / "b", [API, *hostile()], datetime(2031, 1, 1, tzinfo=UTC))

    assert list(report.render_site(early, "ru")) == list(report.render_site(late, "ru"))


def test_every_link_leads_to_a_page_and_an_anchor_that_are_there(site_of: SiteOf) -> None:
    site = site_of(
        API, *hostile(), busy({"active": 600, "done": 51}), *hundreds(state="unreachable", reason="HTTP 503")
    )

    anchors = {path: set(re.findall(r' id="([^"]*)"', text)) for path, text in site.items()}
    broken = [
        (path, link)
        for path, text in site.items()
        for link in LINK.findall(text)
        for place, _, anchor in [posixpath.normpath(posixpath.join(path, "..", link)).partition("#")]
        if not link.startswith("#") and (place not in site or (anchor and anchor not in anchors[place]))
    ]
    assert broken == []


def test_no_text_of_a_repository_becomes_a_link_or_a_tag(site_of: SiteOf) -> None:
    pages = {path: text for path, text in site_of(*hostile()).items() if path.endswith(".html")}

    assert [link for text in pages.values() for link in LINK.findall(text) if not OURS.fullmatch(link)] == []
    assert {tag for text in pages.values() for tag in re.findall(r"<(img|iframe|base|object)", text)} == set()
    assert {text.count("<script") for text in pages.values()} == {1, 2}


def test_hostile_text_is_shown_as_it_is_written(site_of: SiteOf) -> None:
    site = site_of(*hostile())

    assert all(
        html.escape(HOSTILE).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in site[path]
        for path in ("index.html", "tasks.html", "health.html", next(path for path in site if path.startswith("p/")))
    )


def test_a_page_has_no_style_or_script_of_its_own(site_of: SiteOf) -> None:
    pages = [text for path, text in site_of(API, *hostile()).items() if path.endswith(".html")]

    assert [
        found for text in pages for found in re.findall(r"<style|<script[^>]*>[^<]|<[^>]* (?:style|on\w+)=", text)
    ] == []


def test_an_anchor_stands_once_on_a_page(site_of: SiteOf) -> None:
    twice = Repository(id="a.org/b/c", board="parsed", items=[task("same", line=3), task("same", line=9)])

    page_html = site_of(twice)["p/a.org/b/c.html"]

    assert re.findall(r'id="(t-[^"]*)"', page_html) == ["t-same", "t-same-9"]


def test_what_is_not_known_is_never_zero(site_of: SiteOf) -> None:
    index = site_of(
        Repository(id="a.org/b/empty", board="empty"),
        Repository(id="a.org/b/never", state="unreachable", copied=False),
        Repository(id="a.org/b/plain"),
    )["projects.html"]

    assert [read(row) for row in index.split("</tbody>")[0].split("<tr>")[2:]] == [
        "empty a.org/b ok 0 0 0 0 0 0 28 Nov 2026",
        "never a.org/b unreachable unreachable" + " – not known: never read" * 6 + " – no commit yet",
        "plain a.org/b ok" + " – no task board" * 5 + " 0 28 Nov 2026",
    ]


def test_without_tasks_the_list_shows_a_minimal_board(site_of: SiteOf) -> None:
    assert "No tasks yet" in site_of()["tasks.html"]


def test_tasks_stand_by_status_with_the_words_of_the_board(site_of: SiteOf) -> None:
    tasks = site_of(API)["tasks.html"]

    assert re.findall(r'<section class="group [^"]*" id="(\w+)"', tasks) == ["active", "blocked", "done"]
    assert "Limit logins acme/api login Next measure it Status as written active, review Owner Ann" in read(tasks)


def test_done_tasks_are_folded_away(site_of: SiteOf) -> None:
    folded = site_of(API)["tasks.html"].split("<details>")[1].split("</details>")[0]

    assert read(folded) == "Show 1 task Ship 2.0 acme/api ship"


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("absent", "This project has no task board: there is no .tasks/STATUS.md."),
        ("empty", "The task board is there, and no task stands on it."),
        ("closed", "The task board is closed: its first heading says that it is no longer kept."),
        ("parsed", "The task board has 1 task."),
    ],
)
def test_each_state_of_a_board_has_its_own_sentence(site_of: SiteOf, state: BoardState, sentence: str) -> None:
    items = [task("a")] if state == "parsed" else []

    assert sentence in site_of(Repository(id="a.org/b/c", board=state, items=items))["p/a.org/b/c.html"]


def test_a_project_without_a_board_is_shown_a_minimal_one(site_of: SiteOf) -> None:
    assert "**Status:** active" in site_of(Repository(id="a.org/b/c"))["p/a.org/b/c.html"]


def test_a_project_shows_its_board_as_written(site_of: SiteOf) -> None:
    api = site_of(replace(API, board_text="# A & B\n\n<b>*x*</b>\n"))["p/git.example.org/acme/api.html"]

    assert '<pre lang="en"><code># A &amp; B\n\n&lt;b&gt;*x*&lt;/b&gt;\n</code></pre>' in api
    assert ".tasks/STATUS.md at revision 4f2a91c0d3" in read(api)


def test_wiki_pages_keep_the_order_of_the_index(site_of: SiteOf) -> None:
    wiki = site_of(API)["p/git.example.org/acme/api.html"].split('id="wiki"')[1]

    assert re.findall(r"<code>(concepts/\w+)</code>", wiki) == ["concepts/zebra", "concepts/apple"]
    assert "Apple concepts/apple not in the index" in read(wiki)


def test_an_unreachable_project_says_why_and_what_is_shown(site_of: SiteOf) -> None:
    down = site_of(replace(API, state="unreachable", reason="HTTP 503"))["p/git.example.org/acme/api.html"]

    assert "The last look at this repository did not succeed: HTTP 503" in down
    assert "What you see is the copy of revision 4f2a91c0d3, changed 28 Nov 2026." in down
    assert "Rotate tokens" in down


def test_a_gone_project_keeps_a_page_that_says_so(site_of: SiteOf) -> None:
    site = site_of(replace(API, state="gone", reason="HTTP 404"))
    gone = site["p/git.example.org/acme/api.html"]

    assert "The source says that this repository no longer exists: HTTP 404" in gone
    assert "Nothing of it is shown any more." in gone
    assert "no task board" not in gone
    assert "Rotate tokens" not in "".join(site.values())


def test_health_lists_every_diagnostic_with_its_place_and_meaning(site_of: SiteOf) -> None:
    health = site_of(API)["health.html"]

    assert "Warnings 2" in read(health)
    assert "W104 unknown status acme/api .tasks/STATUS.md:7" in read(health)
    assert "W105 no heading acme/api .tasks/STATUS.md " in read(health)
    assert re.findall(r'<div id="([^"]*)"', health) == ["code-W104", "code-W105"]
    assert CODES["W104"].meaning in read(health)


def test_errors_stand_before_warnings_and_apart_from_them(site_of: SiteOf) -> None:
    mixed = replace(API, diagnostics=[trouble("W104", "odd"), trouble("E101", "bad", severity="error")])

    health = read(site_of(mixed)["health.html"])

    assert "Errors 1 E101 bad acme/api .tasks/STATUS.md:4" in health.split(" Warnings 1 ")[0]
    assert health.split(" Warnings 1 ")[1].startswith("W104 odd acme/api .tasks/STATUS.md:4")


def test_health_counts_the_repositories_of_each_source(site_of: SiteOf) -> None:
    down = Repository(id="a.org/b/c", source="a.org", state="unreachable", reason="HTTP 503")

    assert "a.org 2 1 – – – git.example.org 1 0 – – –" in read(
        site_of(API, down, Repository(id="a.org/b/d", source="a.org"))["health.html"]
    )


def test_the_shared_wiki_lists_its_pages_with_their_domain(site_of: SiteOf) -> None:
    wiki = Repository(
        id="a.org/b/wiki", shared=True, shared_pages=[shared_page("python/timeouts", "Deadlines", "python")]
    )

    assert "Shared pages 1 Deadlines python/timeouts domain python" in read(site_of(wiki)["p/a.org/b/wiki.html"])


def test_a_long_list_goes_on_in_further_pages(site_of: SiteOf) -> None:
    site = site_of(*(Repository(id=f"a.org/b/r{number:03}") for number in range(201)))
    first = "projects-from.html"

    assert len(re.findall(r'<th scope="row">', site["projects.html"])) == 50
    assert f'href="{first}">All 201 →' in site["projects.html"]
    assert [path for path in site if path.startswith("projects-")] == [first, SECOND]
    assert projects_of(site[first]) + projects_of(site[SECOND]) == [
        f"p/a.org/b/r{number:03}.html" for number in range(201)
    ]
    assert f'href="{SECOND}">Next' in site[first]
    assert f'href="{first}">← Previous' in site[SECOND]
    assert "Next" not in site[SECOND]
    assert "Needs attention" not in site[SECOND]


def test_a_list_that_fits_on_its_page_has_no_further_ones(site_of: SiteOf) -> None:
    site = site_of(*(Repository(id=f"a.org/b/r{number:03}") for number in range(200)))

    assert len(projects_of(site["projects.html"])) == 200
    assert [path for path in site if path.startswith("projects-")] == []


def test_a_sheet_says_which_projects_it_shows_and_tells_no_total(site_of: SiteOf) -> None:
    sheet = read(site_of(*(Repository(id=f"a.org/b/r{number:03}") for number in range(201)))[SECOND])

    assert "Projects All projects b/r131 – b/r200 Project State" in sheet
    assert "201" not in sheet


def busy(statuses: dict[Status, int]) -> Repository:
    """A board of so many tasks of each status."""
    items = [
        task(f"{status}-{number}", status, line=number) for status, total in statuses.items() for number in range(total)
    ]
    return Repository(id="a.org/b/c", board="parsed", items=items)


def test_a_long_status_stands_in_part_on_the_first_page_and_leads_to_the_whole(site_of: SiteOf) -> None:
    site = site_of(busy({"active": 451, "done": 50}))

    assert "Active 451" in read(site["tasks.html"])
    assert site["tasks.html"].count('class="row s-active"') == 50
    assert 'href="tasks-active.html">All 451 →' in site["tasks.html"]
    assert site["tasks-active.html"].count('class="row s-active"') == 451
    assert site["tasks.html"].count('class="row s-done"') == 50
    assert "tasks-done.html" not in site


def test_the_report_speaks_russian(site_of: SiteOf) -> None:
    site = site_of(replace(API, state="unreachable", reason="HTTP 503"), language="ru")

    assert '<html lang="ru">' in site["tasks.html"]
    assert "Соответствуют источникам: 0 из 1 репозиториев." in site["index.html"]
    assert "3 задачи · 2 страницы вики" in read(site["index.html"])
    assert "Показана копия ревизии 4f2a91c0d3, изменённой 28 нояб. 2026." in site["p/git.example.org/acme/api.html"]


def test_a_text_is_marked_with_its_own_language(site_of: SiteOf) -> None:
    mixed = Repository(
        id="a.org/b/c", board="parsed", items=[task("x", title="Починить вход"), task("y", title="Fix it")]
    )

    tasks = site_of(mixed)["tasks.html"]

    assert re.findall(r'lang="(\w+)">([^<]+)</a>', tasks) == [("ru", "Починить вход"), ("en", "Fix it")]


def test_the_files_every_page_loads_are_small(site_of: SiteOf) -> None:
    site = site_of()

    assert len(site["a/report.css"].encode()) + len(site["a/report.js"].encode()) <= 40_000


def test_every_message_is_used_and_every_used_one_exists() -> None:
    home = bundled("templates/report")
    sources = [*sorted(home.glob("*.html")), *sorted(home.glob("js/**/*.js"))]
    templates = "".join(path.read_text(encoding="utf-8") for path in sources)
    known = {*messages.load("en").texts, *messages.load("en").counts}

    named = set(re.findall(r'(?:text|count|template)\("([a-z_.]+)"[,)]', templates))
    assert named - known == set()
    code = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(report.__file__).parent.glob("*.py")))
    composed = re.findall(r'"([a-z_]+\.[a-z_]*)" ~|`([a-z_]+\.[a-z_]*)\$|f"([a-z_]+\.[a-z_]*)\{', templates + code)
    said = {"index.title", "projects.title", "tasks.title", "health.title", *re.findall(r'"([a-z_]+\.[a-z_]+)"', code)}
    assert {key for key in known - named - said if not key.startswith(tuple(map("".join, composed)))} == set()


def test_freshness_is_a_script_that_cannot_be_broken_out_of() -> None:
    reading = reading_of(
        SourceReading(
            source="</script>&\u2028",
            state="unreachable",
            reason="HTTP 503",
            checked_at=NOW,
            synced_at=None,
            repositories=3,
        )
    )

    script = render_freshness(reading).decode()

    assert script.startswith("window.PROJECTS_META_FRESHNESS = {")
    assert r'"source":"\u003c/script\u003e\u0026\u2028"' in script
    assert json.loads(script.partition(" = ")[2].rstrip(";\n"))["sources"][0]["source"] == "</script>&\u2028"


def test_freshness_does_not_tell_the_machine() -> None:
    assert "secret-host" not in render_freshness(reading_of()).decode()


def marks(catalog: Catalog) -> dict[str, str]:
    return {path: mark for path, mark, _ in report.render_site(catalog, "en") if mark is not None}


def rendered(catalog: Catalog, standing: dict[str, str]) -> dict[str, bytes]:
    """The files that are made when the pages in `standing` (path → mark) are there."""
    site = report.render_site(catalog, "en", standing)
    return {path: content for path, _, content in site if content is not None}


def test_a_page_that_stands_is_named_and_not_rendered_again(catalog_of):
    catalog = catalog_of(Repository(id="forge/ann/notes"), Repository(id="forge/ben/api"))
    there = marks(catalog)
    del there["p/forge/ben/api.html"]

    assert [path for path in rendered(catalog, there) if path.startswith("p/")] == ["p/forge/ben/api.html"]
    assert "p/forge/ann/notes.html" in [path for path, _, _ in report.render_site(catalog, "en", there)]


def hundreds(**last: Any) -> list[Repository]:
    """650 repositories with a board of one task each; what is given is told of the last one."""
    usual: dict[str, Any] = {"board": "parsed", "board_text": "## a", "items": [task("a")]}
    return [
        *(Repository(id=f"forge/ann/r{number:03}", **usual) for number in range(649)),
        Repository(id="forge/ann/r649", **{**usual, **last}),
    ]


def test_one_changed_repository_makes_its_page_and_the_sheets_that_it_stands_on(tmp_path):
    there = marks(build_catalog(tmp_path / "before", hundreds(), NOW))

    changed = build_catalog(tmp_path / "after", hundreds(items=[task("b")]), NOW)

    assert [path for path in rendered(changed, there) if path.startswith(("p/", "tasks-", "projects-"))] == [
        "projects-from-000d8f246ffa32a2a.html",
        "tasks-todo-000812e602b78371d.html",
        "p/forge/ann/r649.html",
    ]


def test_a_task_more_makes_the_first_page_and_its_sheet_anew(tmp_path):
    there = marks(build_catalog(tmp_path / "before", hundreds(), NOW))

    changed = build_catalog(tmp_path / "after", hundreds(items=[task("a"), task("b")]), NOW)

    assert [path for path in rendered(changed, there) if path.startswith("tasks")] == [
        "tasks.html",
        "tasks-todo-000812e602b78371d.html",
    ]


def test_pages_that_stand_and_those_made_equal_a_site_made_at_once(tmp_path):
    before = build_catalog(tmp_path / "before", [API, *hostile()], NOW)
    after = build_catalog(tmp_path / "after", hostile(), NOW)
    old, there = dict(rendered(before, {})), marks(before)

    site = report.render_site(after, "en", there)

    assert {path: old[path] if content is None else content for path, _, content in site} == rendered(after, {})
