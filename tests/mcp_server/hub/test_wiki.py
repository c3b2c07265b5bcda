"""GET /wiki/tree, /wiki/page and /wiki/search."""

import pytest

from tests.fakes.wikis import AFTER, Asked


def test_a_tree_shows_two_levels_below_the_root_parents_first(library: Asked):

    assert library.get("/wiki/tree", project="A") == {
        "nodes": [
            {"code": "DOC-3", "name": "Статусы", "size": len(AFTER), "depth": 0},
            {"code": "DOC-4", "name": "Maps", "size": 7, "depth": 1},
            {"code": "DOC-5", "name": "Deep", "size": 11, "depth": 1},
            {"code": "DOC-6", "name": "Bee", "size": 6, "depth": 1},
        ],
        "cycles": 0,
        "orphans": 0,
    }


def test_a_tree_from_the_wiki_itself_counts_circles_and_orphans(library: Asked):
    answer = library.get("/wiki/tree", project="W", depth=1)

    assert [node["code"] for node in answer["nodes"]] == ["DOC-1", "DOC-3", "DOC-11", "DOC-12", "DOC-13"]
    assert (answer["cycles"], answer["orphans"]) == (2, 1)


def test_a_tree_may_begin_at_a_page_and_go_one_level_down(library: Asked):
    answer = library.get("/wiki/tree", project="W", code="DOC-33", depth=1)

    assert [(node["code"], node["depth"]) for node in answer["nodes"]] == [
        ("DOC-3", 0), ("DOC-4", 1), ("DOC-5", 1), ("DOC-6", 1)
    ]  # fmt: skip


@pytest.mark.parametrize("depth", ["0", "-1", "x", "1.5", "", "9" * 5000])
def test_a_depth_below_one_or_no_number_is_refused(library: Asked, depth):
    status, detail = library.refused("/wiki/tree", project="A", depth=depth)

    assert status == 422
    assert detail.startswith("depth")


@pytest.mark.parametrize("code", ["DOC-22", "DOC-1", "DOC-9", "DOC-404", "../../x", "DOC-3\nDOC-4", "x" * 200, "☃"])
def test_a_page_outside_of_the_projects_subtree_is_not_found(library: Asked, code):

    assert library.refused("/wiki/tree", project="A", code=code)[0] == 404
    assert library.refused("/wiki/page", project="A", code=code)[0] == 404


@pytest.mark.parametrize("path", ["tree", "page", "search", "changes", "diff", "status", "attachments/1"])
def test_a_project_that_is_not_known_is_not_found(library: Asked, path):
    asked = {"project": "Б", "code": "DOC-3", "q": "x", "since": "2026-11-30T00:00:00Z"}

    assert library.refused(f"/wiki/{path}", **asked)[0] == 404


@pytest.mark.parametrize("path", ["tree", "page", "search", "changes", "diff", "attachments/1"])
def test_a_project_without_a_root_is_told_how_to_set_one(library: Asked, path):
    asked = {"project": "N", "code": "DOC-3", "q": "x", "since": "2026-11-30T00:00:00Z"}

    assert library.refused(f"/wiki/{path}", **asked) == (
        422, "project N has no wiki root; PATCH /projects/N sets one"
    )  # fmt: skip


def test_a_root_that_was_never_synced_is_not_found(empty_hub: Asked):
    empty_hub.add(root="DOC-3")
    status, detail = empty_hub.refused("/wiki/tree", project="A")

    assert (status, detail) == (404, "nothing has been published yet; run `doit` in the projects-meta folder first")


def test_a_page_tells_where_it_stands_who_changed_it_and_its_text(library: Asked):
    answer = library.get("/wiki/page", project="W", code="DOC-3")

    assert answer.pop("attachments")[0]["name"] == "pic.png"
    assert answer == {
        "code": "DOC-3",
        "name": "Статусы",
        "path": "Атлас / Статусы",
        "url": None,
        "synced_at": "2026-11-30T11:00:00Z",
        "modified_at": "2026-11-30T12:40:00Z",
        "modified_by": "Дмитрий Соснов",
        "versions": 2,
        "history_at": "2026-11-30T11:00:00Z",
        "markdown": AFTER,
    }


def test_a_page_whose_history_is_not_loaded_does_not_say_that_it_has_none(library: Asked):
    answer = library.get("/wiki/page", project="B", code="DOC-22")

    assert (answer["history_at"], answer["versions"], answer["modified_at"]) == (None, None, None)


def test_the_page_of_a_wiki_without_an_index_is_empty(library: Asked):
    answer = library.get("/wiki/page", project="B", code="DOC-21")

    assert (answer["name"], answer["path"], answer["markdown"]) == ("beacon", "beacon", "")


def test_a_title_that_one_page_has_is_that_page(library: Asked):
    assert library.get("/wiki/page", project="W", title="Deep")["code"] == "DOC-5"


def test_a_title_that_no_page_has_gives_the_nearest_with_their_codes(library: Asked):
    assert library.get("/wiki/page", project="W", title="maps")["candidates"] == [
        {"code": "DOC-4", "name": "Maps", "path": "Атлас / Статусы / Maps"}
    ]


def test_a_title_like_no_other_is_not_found(library: Asked):
    assert library.refused("/wiki/page", project="A", title="qqqqqqqqq") == (
        404, 'no page is called "qqqqqqqqq", or anything like it, in project A'
    )  # fmt: skip


@pytest.mark.parametrize("asked", [{}, {"code": "DOC-3", "title": "Deep"}])
def test_a_page_is_asked_for_by_code_or_title(library: Asked, asked):
    assert library.refused("/wiki/page", project="A", **asked) == (422, "give either code or title")


def test_a_search_finds_pages_below_the_root_only(library: Asked):
    assert [item["code"] for item in library.get("/wiki/search", project="W", q="СТАТУС")["items"]] == [
        "DOC-3",
        "DOC-5",
    ]
    assert library.get("/wiki/search", project="D", q="статус")["items"] == [
        {"code": "DOC-5", "name": "Deep", "path": "Deep", "snippet": "# X статус"}
    ]


def test_a_search_shows_as_many_as_were_asked_for(library: Asked):
    assert len(library.get("/wiki/search", project="W", q="статус", limit=1)["items"]) == 1


@pytest.mark.parametrize(
    ("asked", "detail"),
    [
        ({}, "q is missing"),
        ({"q": ""}, "q: "),
        ({"q": "  "}, "q: "),
        ({"q": "x", "limit": 0}, "limit: "),
        ({"q": "x", "limit": 101}, "limit: "),
        ({"q": "x", "limit": "ten"}, "limit is not a whole number"),
        ({"q": "x" * 3000}, "q: "),
    ],
)
def test_a_search_says_what_is_wrong_with_it(library: Asked, asked, detail):
    status, told = library.refused("/wiki/search", project="A", **asked)

    assert status == 422
    assert told.startswith(detail)


@pytest.mark.parametrize("q", ['"', "\x00", "\ud7ff", "%", "' or 1=1 --", "a" * 1999, "\u2028", "NEAR(a b)"])
def test_a_hostile_query_is_a_question_like_any_other(library: Asked, q):
    assert library.client.get("/wiki/search", params={"project": "A", "q": q}).status_code in (200, 422)
