"""What the charts draw and say: of literal counts, and on the pages of projects that have a history."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline import messages
from pipeline.model import Status
from pipeline.report import site as report
from pipeline.report.charts import age_chart, flow_chart, heat_map, spark, status_bars
from pipeline.report.statistics import Ages, Flow
from tests.fakes.catalogs import Project, item, open_projects
from tests.fakes.page_histories import AT, change, history, page, version
from tests.report.test_report import read

MONDAY = 20_423  # 2025-12-01
DAY = timedelta(days=1)
EN, RU = messages.load("en"), messages.load("ru")

SiteOf = Callable[..., dict[str, str]]


@pytest.fixture
def made(tmp_path: Path) -> SiteOf:
    """Every page of the report of some projects, by its path."""

    def render(*projects: Project) -> dict[str, str]:
        with open_projects(tmp_path, *projects) as catalog:
            site = report.render_site(catalog, "en")
            return {path: content.decode() for path, _, content in site if content is not None}

    return render


def counted(boards: tuple[int, ...] = (1, 1, 1, 1, 1), untold: int = 0, **counts: tuple[int, ...]) -> Flow:
    """Five weeks of one board."""
    known: dict[Status, tuple[int, ...]] = {"blocked": (0,) * 5}
    return Flow((0, 7, 14, 21, 28), {**known, **counts}, boards, (0, 0, 1, 0, 2), untold)  # type: ignore[dict-item]


def test_the_stack_begins_with_what_is_done_and_each_status_lies_on_the_one_before() -> None:
    chart = flow_chart(counted(done=(0, 0, 1, 1, 2), todo=(2, 2, 2, 2, 2)), EN)

    assert chart is not None
    assert [(band.status, band.number) for band in chart.bands] == [("done", 2), ("todo", 2)]
    assert chart.top == 4
    assert chart.bands[0].area == "M0 180L180 180L360 135L540 135L720 90L720 180L540 180L360 180L180 180L0 180z"
    assert chart.bands[1].area == "M0 90L180 90L360 45L540 45L720 0L720 90L540 135L360 135L180 180L0 180z"


def test_weeks_of_which_nothing_is_known_are_drawn_apart_and_never_told_as_zero() -> None:
    chart = flow_chart(counted(boards=(0, 0, 1, 1, 1), active=(0, 0, 3, 3, 3)), EN)

    assert chart is not None
    assert chart.unknown == 360
    assert chart.bands[0].area.startswith("M360 0L")
    assert [row.numbers for row in chart.rows] == [(None,), (None,), (3,), (3,), (3,)]
    assert [row.done for row in chart.rows] == [None, None, 1, 0, 2]


@pytest.mark.parametrize(
    ("blocked", "finding"),
    [
        ((3, 4, 5, 6, 7), "Blocked tasks grew from 3 to 7 in four weeks"),
        ((7, 7, 7, 7, 3), "Blocked tasks fell from 7 to 3 in four weeks"),
        ((2, 0, 0, 0, 2), "Blocked tasks: 2, as many as four weeks ago"),
        ((0, 1, 0, 0, 0), "Nothing is blocked, as four weeks ago"),
    ],
)
def test_the_flow_is_titled_by_what_became_of_blocked_tasks(blocked: tuple[int, ...], finding: str) -> None:
    chart = flow_chart(counted(blocked=blocked, todo=(1,) * 5), EN)

    assert chart is not None
    assert chart.finding == finding


def test_the_flow_does_not_compare_with_a_time_of_which_nothing_is_known() -> None:
    chart = flow_chart(counted(boards=(0, 1, 1, 1, 1), blocked=(0, 1, 1, 1, 2)), RU)

    assert chart is not None
    assert chart.finding == "Заблокировано задач: 2; сколько было четыре недели назад, неизвестно"


def test_a_flow_without_any_task_is_not_drawn() -> None:
    assert flow_chart(counted(), EN) is None
    assert flow_chart(counted(boards=(0,) * 5, todo=(1,) * 5), EN) is None


def test_a_sparkline_says_how_a_number_went_and_by_how_much_it_changed_last() -> None:
    line = spark((None, 2, 4, 1), EN)

    assert line is not None
    assert (line.line, line.end) == ("M32 11L64 0L96 17", (96, 17))
    assert (line.said, line.delta) == ("2 weeks: from 2 to 1", -3)


@pytest.mark.parametrize("numbers", [(), (3,), (1, None), (None, None)])
def test_a_sparkline_needs_two_known_weeks_of_which_one_is_the_last(numbers: tuple[int | None, ...]) -> None:
    assert spark(numbers, EN) is None


def test_a_busier_day_has_a_larger_cell_in_the_column_of_its_week() -> None:
    weeks = [(MONDAY - 7, (1, 0, 0, 0, 0, 0, 2)), (MONDAY, (0, 9))]
    chart = heat_map(weeks, {MONDAY - 7: "a.html", MONDAY: "b.html"}, EN)

    assert chart is not None
    assert [week.cells for week in chart.weeks] == ["M4 4h5v5h-5zM3 81h7v7h-7z", "M14 14h11v11h-11z"]
    assert [(week.href, week.number, week.left) for week in chart.weeks] == [("a.html", 3, 0), ("b.html", 9, 13)]
    assert chart.days == "M0 0h13v91h-13zM13 0h13v26h-13z"


def test_the_map_is_titled_by_its_busiest_week_and_ends_with_the_newest_day() -> None:
    chart = heat_map([(MONDAY - 7, (1, 0, 0, 0, 0, 0, 2)), (MONDAY, (0, 9))], {MONDAY - 7: "", MONDAY: ""}, EN)

    assert chart is not None
    assert chart.finding == "12 changes in 52 weeks; most in the week of 1 Dec 2025: 9"
    assert chart.last == datetime(2025, 12, 2, tzinfo=UTC)


def test_ages_lead_to_the_tasks_that_they_count() -> None:
    chart = age_chart(Ages((3, 0, 1, 6), 2), MONDAY, "tasks.html#since=", EN)

    assert chart is not None
    assert chart.finding == "Open tasks with the same status for more than 30 days: 7 of 10"
    assert [(row.key, row.number, row.width, row.href.partition("=")[2]) for row in chart.rows] == [
        ("week", 3, 120, "2025-11-24.."),
        ("month", 0, 0, "2025-11-01..2025-11-23"),
        ("quarter", 1, 40, "2025-09-02..2025-10-31"),
        ("older", 6, 240, "..2025-09-01"),
        ("unknown", 2, 80, "unknown"),
    ]


def test_bars_are_as_long_as_a_project_has_tasks_and_each_part_can_be_seen() -> None:
    chart = status_bars([("a/b", "p/a.html", {"blocked": 1, "done": 999}), ("a/c", "p/c.html", {"todo": 10})], EN)

    assert chart is not None
    assert chart.finding == "Most blocked tasks: a/b, 1"
    assert chart.statuses == ("blocked", "todo", "done")
    assert [(part.left, part.width) for part in chart.bars[0].segments] == [(0, 2), (2, 225)]
    assert [(part.left, part.width) for part in chart.bars[1].segments] == [(0, 2)]


API = Project(
    repository="forge/ann/api",
    board="# Board\n",
    items=(item("login", status="blocked"), item("ship", status="done"), item("docs", status="active")),
    history=history(
        "forge/ann/api",
        tasks=(
            change("ship", AT, before="active", after="done"),
            change("login", AT - 10 * DAY, after="blocked"),
            change("docs", AT - 60 * DAY, kind="appeared", before=None, after="active"),
            change("ship", AT - 61 * DAY, kind="appeared", before=None, after="active"),
            change("login", AT - 61 * DAY, kind="appeared", before=None, after="todo"),
        ),
    ),
)


def test_the_first_page_tells_how_tasks_and_changes_went(made: SiteOf) -> None:
    index = made(API)["index.html"]

    assert re.findall(r'<figcaption id="\w+-finding">([^<]*)<', index) == [
        "5 changes in 52 weeks; most in the week of 28 Sep 2026: 3",
        "Blocked tasks grew from 0 to 1 in four weeks",
        "Most blocked tasks: ann/api, 1",
    ]


def test_each_number_of_the_first_page_leads_to_its_tasks_of_the_same_days(made: SiteOf) -> None:
    tiles = re.findall(r'<li class="s-\w+">\n<a href="([^"]*)"><b>(\d+)</b>', made(API)["index.html"])

    assert tiles == [
        ("tasks.html#blocked", "1"),
        ("tasks.html#active", "1"),
        ("tasks.html#status=done&amp;since=2026-11-24..2026-11-30", "1"),
        ("tasks.html#status=active&amp;status=blocked&amp;changed=..2026-10-30", "1"),
    ]


def test_a_tile_tells_the_change_in_a_week(made: SiteOf) -> None:
    late = (
        change("login", AT, before="todo", after="blocked"),
        change("login", AT - 30 * DAY, kind="appeared", before=None, after="todo"),
    )
    project = Project(
        repository="forge/ann/api",
        board="# Board\n",
        items=(item("login", status="blocked"),),
        history=history("forge/ann/api", tasks=late),
    )

    assert "1 blocked ▲ 1 1 more than a week before" in read(made(project)["index.html"])


def test_tasks_whose_history_is_not_here_are_counted_as_left_out(made: SiteOf) -> None:
    bare = Project(repository="forge/ann/web", board="# Board\n", items=(item("x"), item("y", status="done")))

    site = made(API, bare)

    assert "2 tasks are left out: the history of their boards is not here." in read(site["index.html"])
    assert "not known 1" in read(site["tasks.html"])


def test_without_any_history_the_pages_say_so_and_draw_nothing(made: SiteOf) -> None:
    site = made(Project(repository="forge/ann/web", board="# Board\n", items=(item("x"),)))

    assert "How tasks came to stand is not known: no board’s history is here yet." in site["index.html"]
    assert "When wikis and boards changed is not known: no history is here yet." in site["p/forge/ann/web.html"]
    assert "tile.finished" not in site["index.html"]
    assert re.findall(r'class="(?:heat|flow|spark)"', "".join(site.values())) == []


def test_a_page_of_a_project_ends_with_its_own_newest_change(made: SiteOf) -> None:
    old = Project(
        repository="forge/ann/old",
        pages={"cache": "Cache\n"},
        history=history("forge/ann/old", page("cache", version(1, AT - 400 * DAY))),
    )

    shown = made(API, old)["p/forge/ann/old.html"]

    assert "1 change in 52 weeks; most in the week of 20 Oct 2025: 1" in shown
    assert '<a href="../../../changes/2025-W43.html" tabindex="-1"' in shown


def test_a_drawing_has_a_title_a_description_and_no_style_of_its_own(made: SiteOf) -> None:
    drawings = re.findall(r"<svg[^>]*>", made(API)["index.html"])

    assert [one for one in drawings if not re.search(r'aria-hidden="true"|role="(?:img|group)" aria-label', one)] == []
    assert [one for one in drawings if "style=" in one] == []
