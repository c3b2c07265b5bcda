"""What a version changed against the one before it."""

import json
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from pipeline import news
from pipeline.catalog import open_catalog
from pipeline.layout import Layout
from pipeline.model import ReportSettings
from pipeline.news import KINDS, MOST, Piece
from pipeline.stage_news import write_news
from tests.fakes.catalogs import NOW, Project, create, item

API = Project(repository="forge/ann/api", board="## a\n", items=(item("login", "Limit logins", status="todo"),))
WIKI = Project(repository="forge/bob/wiki", pages={"start": "Start\n"})


@pytest.fixture
def changed(tmp_path):
    """The news of a version with `new` projects after one with `old` ones."""

    def compare(old, new, audience="private", has_pages=True):
        before, after = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
        before.unlink(missing_ok=True)
        after.unlink(missing_ok=True)
        create(before, old).close()
        create(after, new).close()
        one, other = (
            open_catalog(path, lambda *_: tmp_path, number, None, NOW) for path, number in ((before, 4), (after, 5))
        )
        with one, other:
            return news.compare(one, other, audience, has_pages=has_pages)

    return compare


def test_equal_versions_have_no_news(changed):
    assert changed([API, WIKI], [API, WIKI]) == news.News(before=4, version=5, total=0, pieces=())


@pytest.mark.parametrize(
    ("items", "piece"),
    [
        (
            (item("login", "Limit logins", status="blocked"),),
            {"kind": "status", "what": "Limit logins", "before": "todo", "after": "blocked"},
        ),
        ((), {"kind": "task_gone", "what": "Limit logins", "before": "todo", "href": None}),
    ],
)
def test_a_task_that_changed_is_told(changed, items, piece: dict[str, Any]):
    told = changed([API, WIKI], [replace(API, items=items), WIKI])

    assert told.pieces == (Piece(**{"project": "ann/api", "href": "p/forge/ann/api.html#t-login", **piece}),)


def test_a_new_task_leads_to_its_place_on_the_page(changed):
    told = changed([API], [replace(API, items=(*API.items, item("Ввод", "Ввод", status="todo", line=9)))])

    assert [(piece.kind, piece.what, piece.href, piece.after) for piece in told.pieces] == [
        ("task_new", "Ввод", "p/forge/ann/api.html#t-x-2641301ae19af731", "todo")
    ]


def test_a_page_that_came_or_went_is_told(changed):
    told = changed([WIKI], [replace(WIKI, pages={"end": "End\n"})])

    assert told.pieces == (
        Piece(kind="page_new", project="bob/wiki", what="end", href="w/forge/bob/wiki/end.html"),
        Piece(kind="page_gone", project="bob/wiki", what="start"),
    )


def test_without_rendered_pages_a_page_leads_to_its_project(changed):
    (piece,) = changed([replace(WIKI, pages={})], [WIKI], has_pages=False).pieces

    assert piece.href == "p/forge/bob/wiki.html"


def test_a_project_that_came_or_left_is_one_piece_whatever_it_holds(changed):
    assert changed([API], [WIKI]).pieces == (
        Piece(kind="came", project="bob/wiki", href="p/forge/bob/wiki.html", after="ok"),
        Piece(kind="left", project="ann/api", before="ok"),
    )


def test_a_repository_that_could_not_be_read_is_told_and_its_tasks_are_not(changed):
    down = replace(API, state="unreachable", reason="HTTP 503")

    assert changed([API], [down]).pieces == (
        Piece(kind="state", project="ann/api", href="p/forge/ann/api.html", before="ok", after="unreachable"),
    )


def test_a_repository_that_is_gone_is_one_piece(changed):
    gone = replace(API, state="gone", reason="HTTP 404", read=False)

    assert [piece.kind for piece in changed([API], [gone]).pieces] == ["state"]


def test_of_very_many_pieces_the_first_are_told_and_all_are_counted(changed):
    many = tuple(item(f"t{number:03}", status="todo", line=number) for number in range(80))

    told = changed([API], [replace(API, items=(*API.items, *many))])

    assert (told.total, len(told.pieces), told.pieces[-1].what) == (80, MOST, "t049")


def test_states_stand_before_tasks_and_tasks_before_pages(changed):
    moved = replace(API, items=(item("login", "Limit logins", status="done"),))

    told = changed([API, WIKI], [moved, replace(WIKI, state="unreachable", reason="x", pages={"a": "A\n"})])

    kinds = [piece.kind for piece in told.pieces]
    assert kinds == ["state", "status", "page_new", "page_gone"]
    assert kinds == sorted(kinds, key=KINDS.index)


@pytest.mark.parametrize(("before", "after"), [("private", "private"), ("private", "public"), ("public", "private")])
def test_a_narrower_audience_hears_only_of_what_it_sees_in_both_versions(changed, before, after):
    old, new = replace(API, visibility=before), replace(API, visibility=after, items=())

    assert changed([old, WIKI], [new], audience="public").total == 0
    assert changed([old, WIKI], [new]).total == 2


def test_a_text_of_a_repository_cannot_end_the_script():
    evil = Piece(kind="status", project="a/b", what="</script>", before="todo", after="done")

    script = news.render_news(news.News(before=1, version=2, total=1, pieces=(evil,))).decode()

    assert "</script>" not in script
    assert json.loads(script.removeprefix("window.PROJECTS_META_NEWS = ").rstrip(";\n"))["pieces"][0]["what"] == (
        "</script>"
    )


@pytest.fixture
def place(tmp_path):
    """A build folder with versions 1 to 3: a task is blocked in the second, nothing changes in the third."""
    found = Layout(tmp_path)
    blocked = replace(API, items=(item("login", "Limit logins", status="blocked"),))
    for number, project in ((1, API), (2, blocked), (3, blocked)):
        found.version(number).mkdir(parents=True)
        with closing(create(found.version(number) / "catalog.sqlite", [project])):
            pass
    return found


def told(place: Layout) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(place.news_js.read_text(encoding="utf-8").partition(" = ")[2].rstrip(";\n"))
    return found


def test_a_version_that_adds_nothing_keeps_the_news_of_its_run(place):
    first = write_news(place, 1, 2, ReportSettings())
    write_news(place, 2, 3, ReportSettings(), first)

    assert (told(place)["before"], told(place)["version"], told(place)["total"]) == (1, 3, 1)


def test_a_first_version_has_no_news(place):
    write_news(place, None, 1, ReportSettings())

    assert told(place) == {"before": None, "version": 1, "total": 0, "pieces": []}


def test_a_version_whose_catalog_is_not_kept_is_not_compared(place):
    (place.version(1) / "catalog.sqlite").unlink()

    write_news(place, 1, 2, ReportSettings())

    assert told(place)["before"] is None
