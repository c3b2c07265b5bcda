"""Long lists cut into pages: nothing is lost, doubled or reordered."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalog.answers import Span
from pipeline.model import RepositoryId
from pipeline.report_sheets import Group, Outline, Section, cut, sheet_name, starts


def section(key: str, projects: str) -> Section[str]:
    """A section of which each project gives a word: its rows are the letters of the words."""
    words = {f"{place:03}": word for place, word in enumerate(projects.split())}

    def rows(span: Span) -> str:
        letters = "".join(word for name, word in words.items() if span.first <= name <= span.last)
        return letters[span.skip : span.skip + span.count]

    groups = [Group(RepositoryId(name), f"{name} {word}", len(word)) for name, word in words.items()]
    return Section(key=key, groups=groups, rows=rows)


def sections(rows: Mapping[str, str]) -> list[Section[str]]:
    return [section(key, projects) for key, projects in rows.items()]


def shown(outline: Outline[str]) -> list[tuple[str, int, int, str]]:
    return [(part.key, part.first, part.last, "".join(part.rows)) for part in outline.sheet().parts]


def test_a_section_goes_on_in_the_next_sheet() -> None:
    sheets = list(cut(sections({"active": "abc", "todo": "de"}), 2))

    assert [shown(sheet) for sheet in sheets] == [
        [("active", 1, 2, "ab")],
        [("active", 3, 3, "c"), ("todo", 1, 1, "d")],
        [("todo", 2, 2, "e")],
    ]
    assert [(sheet.number, sheet.of) for sheet in sheets] == [(1, 3), (2, 3), (3, 3)]


def test_every_sheet_says_where_each_section_begins() -> None:
    sheets = list(cut(sections({"active": "abc", "blocked": "", "todo": "de", "done": "f"}), 2))

    assert {tuple(sheet.starts.items()) for sheet in sheets} == {(("active", 1), ("todo", 2), ("done", 3))}


def test_an_empty_list_still_has_one_sheet() -> None:
    assert [(sheet.number, sheet.of, sheet.pieces) for sheet in cut(sections({"active": ""}), 2)] == [(1, 1, ())]


def test_a_full_last_sheet_is_not_followed_by_an_empty_one() -> None:
    assert [shown(sheet) for sheet in cut(sections({"todo": "ab"}), 2)] == [[("todo", 1, 2, "ab")]]


def test_the_first_sheet_has_the_plain_name() -> None:
    assert [sheet_name("index", "projects", number) for number in (1, 2, 13)] == [
        "index.html",
        "projects-2.html",
        "projects-13.html",
    ]


lists = st.dictionaries(st.sampled_from("pqrstu"), st.text("abc ", max_size=12))


@given(lists, st.integers(1, 7))
def test_all_sheets_together_are_the_whole_list_in_order(rows: dict[str, str], size: int) -> None:
    sheets = [outline.sheet() for outline in cut(sections(rows), size)]

    whole = [(part.key, row) for sheet in sheets for part in sheet.parts for row in part.rows]
    assert whole == [(key, letter) for key, letters in rows.items() for letter in letters.replace(" ", "")]
    assert [sheet.of for sheet in sheets] == [len(sheets)] * len(sheets)
    assert {sum(len(part.rows) for part in sheet.parts) for sheet in sheets[:-1]} <= {size}


@given(lists, lists, st.integers(1, 4))
def test_sheets_that_are_made_of_the_same_are_the_same(one: dict[str, str], other: dict[str, str], size: int) -> None:
    outlines = [*cut(sections(one), size), *cut(sections(other), size)]
    same = [(left, right) for left in outlines for right in outlines if left.made_of() == right.made_of()]

    assert [left.sheet() for left, _ in same] == [right.sheet() for _, right in same]


def test_a_changed_project_leaves_the_sheets_that_it_is_not_on() -> None:
    before, after = (list(cut([section("todo", projects)], 2)) for projects in ("ab cd ef", "ab cX ef"))

    assert [left.made_of() == right.made_of() for left, right in zip(before, after, strict=True)] == [True, False, True]


@given(lists, st.integers(1, 7))
def test_a_section_begins_on_the_sheet_that_starts_names(rows: dict[str, str], size: int) -> None:
    sheets = [outline.sheet() for outline in cut(sections(rows), size)]

    begun = {part.key: sheet.number for sheet in sheets for part in sheet.parts if part.first == 1}
    assert begun == starts({key: len(letters.replace(" ", "")) for key, letters in rows.items()}, size)
