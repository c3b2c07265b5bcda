"""A folder or a word → a scope; a scope → the group's folder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.model.roots import Section
from pipeline.roots.scope_maps import current_scope, read_contour, read_maps, resolve

WORKSPACES = (
    "# folders\n/home/ann/code/shop => bazaar\n- /home/ann/code/shop/mobile => Bazaar-App\nC:\\code\\site: site\n"
)
ALIASES = "bz => bazaar\napp => bazaar-app\n/home/ann => junk\ntwo => bz\n"
TABLE = """
| Personal scope | Group dir | Label | In group? |
|---|---|---|---|
| `bazaar`     | `acme-shop` | web shop \\| services | yes |
| `attic`      | —           | private drafts            | no  |
"""


def scope(
    asked: str | None = None, workspace: str | None = None, current: str | None = None
) -> tuple[str, str, int | None]:
    found = resolve(
        read_maps(WORKSPACES, ALIASES, None), asked=asked, workspace=workspace, current=current, default="Example"
    )
    return found.scope, found.answered_by, found.line


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("/home/ann/code/shop", ("bazaar", "workspace", 2)),
        ("/home/ann/code/shop/", ("bazaar", "workspace", 2)),
        ("/home/ann/code/shop/mobile/ios", ("bazaar-app", "workspace", 3)),
        ("/home/ann/code/shopping", ("example", "default", None)),
        ("c:/Code/site/pages", ("site", "workspace", 4)),
        ("/HOME/ann/code/shop", ("example", "default", None)),
    ],
)
def test_the_nearest_folder_above_answers(folder, expected):
    assert scope(workspace=folder) == expected


def test_what_is_asked_wins_and_an_alias_means_its_scope():
    assert scope("BZ", "/home/ann/code/shop/mobile") == ("bazaar", "alias", 1)
    assert scope("Attic") == ("attic", "asked", None)


def test_the_current_scope_comes_before_the_default():
    assert scope(current="Attic") == ("attic", "current", None)


def test_an_alias_of_an_alias_is_one_step_and_told():
    found = resolve(read_maps(None, ALIASES, None), asked="two", workspace=None, current=None, default="x")

    assert (found.scope, found.warning) == ("bz", "bz is itself an alias: one step is taken, not two")


def test_of_two_folders_that_are_the_same_the_first_counts_and_of_two_aliases_the_last():
    maps = read_maps("/a => one\n/a/ => two", "x => one\nX => two", None)

    assert resolve(maps, asked=None, workspace="/a", current=None, default="d").scope == "one"
    assert resolve(maps, asked="x", workspace=None, current=None, default="d").scope == "two"


def test_a_workspace_map_may_stand_in_the_hot_file():
    hot = [Section(id="scope-map-v1", content="/srv/shop => bazaar", line=1)]

    assert [pair.key for pair in read_maps(None, None, None, hot).workspaces] == ["/srv/shop"]
    assert read_maps("", None, None, hot).workspaces == ()


def test_the_hot_file_names_the_current_scope():
    assert (
        current_scope([Section(id="active-scope", content="- **current:** `bazaar` (since May)", line=1)]) == "bazaar"
    )
    assert current_scope([Section(id="other", content="current: bazaar", line=1)]) is None


def test_a_contour_row_names_the_groups_folder_or_none():
    rows, warnings = read_contour(TABLE)

    assert [(row.personal, row.group, row.label, row.is_in_group) for row in rows] == [
        ("bazaar", "acme-shop", "web shop | services", True),
        ("attic", None, "private drafts", False),
    ]
    assert warnings == ()


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("| a | b | yes |", "3 columns; expected scope, group folder, label, in group (yes or no)"),
        ("| a | b | c | maybe |", "the last column is neither yes nor no"),
        ("| bazaar | other | again | yes |", "the scope stands before, in line 4"),
        ("|  | b | c | yes |", "there is no personal scope"),
    ],
)
def test_a_row_that_cannot_be_read_says_why(row, reason):
    _, warnings = read_contour(f"{TABLE}{row}\n")

    assert [(each.line, each.reason) for each in warnings] == [(6, reason)]


@given(st.text(alphabet=st.sampled_from("|-\\ aя:=>\n/—yesno`C")))
def test_no_text_is_too_odd_for_the_maps(written):
    maps = read_maps(written, written, written)

    assert resolve(maps, asked=None, workspace="/a", current=None, default="d").scope
