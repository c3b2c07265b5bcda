"""Where the pages of a wiki stand; what leads nowhere or in a circle is told and not followed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.wiki_tree import TreePage, Trouble, build_tree

ROOT = TreePage(slug="index", code="WIKI", title="Wiki")


def page(slug, parent=None, **rest):
    return TreePage(slug=slug, code=slug.upper(), **{"title": slug, "parent": parent, **rest})


def shown(tree, top="index", depth=None):
    """The tree as lines: one point a level, and the slug."""
    return [f"{'.' * level}{page.slug}" for page, level in tree.below(top, depth)]


@pytest.mark.parametrize(
    ("slugs", "lines"),
    [
        (["x", "x/y"], ["index", ".x", "..x/y"]),
        (["x/index", "x/y"], ["index", ".x/index", "..x/y"]),
        (["x/README", "x/y"], ["index", ".x/README", "..x/y"]),
        (["x/readme", "x/Index", "x/y"], ["index", ".x/Index", "..x/readme", "..x/y"]),
        (["x", "x/index", "x/y"], ["index", ".x", "..x/index", "..x/y"]),
        (["x/y", "x/z/w"], ["index", ".x/y", ".x/z/w"]),
        (["x", "x/z/w"], ["index", ".x", "..x/z/w"]),
        (["x", "x/z/index", "x/z/w"], ["index", ".x", "..x/z/index", "...x/z/w"]),
        (["README", "a"], ["index", ".a", ".README"]),
        ([], ["index"]),
    ],
)
def test_a_page_stands_below_the_page_of_its_folder(slugs, lines):
    assert shown(build_tree(ROOT, [page(slug) for slug in slugs])) == lines


def test_a_parent_that_is_named_is_stronger_than_the_folder():
    tree = build_tree(ROOT, [page("x"), page("x/y", "B"), page("b", "WIKI"), page("x/z", "B")])

    assert shown(tree) == ["index", ".b", "..x/y", "..x/z", ".x"]


def test_a_parent_may_be_named_by_a_former_code():
    assert shown(build_tree(ROOT, [page("a"), page("b", "OLD")], {"OLD": "a"})) == ["index", ".a", "..b"]


def test_a_page_keeps_its_own_code_against_a_former_one_of_another():
    assert shown(build_tree(ROOT, [page("a"), page("b"), page("c", "B")], {"B": "a"})) == ["index", ".a", ".b", "..c"]


def test_siblings_come_in_the_order_of_the_index_then_of_their_titles():
    pages = [
        page("d", title="ёлка"),
        page("c", title="Ель"),
        page("b", place=1),
        page("a", place=0),
        page("e", title="Её"),
    ]

    assert shown(build_tree(ROOT, pages)) == ["index", ".a", ".b", ".e", ".d", ".c"]


def test_a_parent_that_is_not_there_is_told_and_the_folder_decides():
    tree = build_tree(ROOT, [page("x"), page("x/y", "NOBODY")])

    assert shown(tree) == ["index", ".x", "..x/y"]
    assert tree.troubles == (Trouble(kind="orphan", slug="x/y", parent="NOBODY"),)


@pytest.mark.parametrize(
    ("pages", "circular", "lines"),
    [
        ([page("a", "A")], ["a"], ["index", ".a"]),
        ([page("a", "B"), page("b", "A")], ["a", "b"], ["index", ".a", ".b"]),
        ([page("a", "B"), page("b", "C"), page("c", "B")], ["b", "c"], ["index", ".b", "..a", ".c"]),
        ([page("x", "X/Y"), page("x/y")], ["x"], ["index", ".x", "..x/y"]),
        (
            [page("p", "P/X"), page("p/x", "P/X/Y"), page("p/x/y")],
            ["p", "p/x"],
            ["index", ".p", "..p/x", "...p/x/y"],
        ),
    ],
)
def test_a_circle_is_told_and_not_followed(pages, circular, lines):
    tree = build_tree(ROOT, pages)

    assert [trouble.slug for trouble in tree.troubles if trouble.kind == "cycle"] == circular
    assert shown(tree) == lines


def test_a_tree_may_be_shown_from_a_page_and_so_many_levels_deep():
    tree = build_tree(ROOT, [page("a"), page("a/b"), page("a/b/c"), page("d")])

    assert shown(tree, "a", 1) == ["a", ".a/b"]
    assert tree.line_to("a/b/c") == ("index", "a", "a/b", "a/b/c")


@pytest.mark.parametrize(
    ("path", "owner"),
    [("x/pic.png", "x"), ("x/deep/pic.png", "x"), ("pic.png", "index"), ("y/pic.png", "index"), ("z/a.png", "z/index")],
)
def test_a_file_belongs_to_the_page_whose_folder_it_lies_in(path, owner):
    assert build_tree(ROOT, [page("x"), page("z/index")]).page_of(path) == owner


def test_a_chain_of_five_thousand_pages_is_placed():
    pages = [page(f"p{number}", f"P{number + 1}") for number in range(5_000)]
    tree = build_tree(ROOT, pages)

    assert len(tree.line_to("p0")) == 5_001
    assert [trouble.kind for trouble in tree.troubles] == ["orphan"]


def test_circles_that_open_one_after_another_are_all_found():
    folders = ["x" + "/x" * depth for depth in range(400)]
    pages = [page(slug, f"{slug}/x".upper()) for slug in folders]
    tree = build_tree(ROOT, pages)

    assert len(list(tree.below("index"))) == 401


NAMES = st.sampled_from(["a", "b", "a/b", "a/index", "a/README", "b/c", "b/c/d", "a/b/c"])
PARENTS = st.none() | NAMES.map(str.upper) | st.sampled_from(["WIKI", "NOBODY"])


@given(st.dictionaries(NAMES, PARENTS))
def test_every_page_stands_in_the_tree_exactly_once(named):
    tree = build_tree(ROOT, [page(slug, parent) for slug, parent in named.items()])

    assert sorted(one.slug for one, _ in tree.below("index")) == sorted(["index", *named])
