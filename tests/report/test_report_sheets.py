"""Long lists cut into pages: nothing is lost, doubled or reordered."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from pipeline.report_sheets import Section, Sheet, cut, sheet_name, starts


def sections(rows: Mapping[str, str]) -> list[Section[str]]:
    return [Section(key=key, total=len(letters), rows=iter(letters)) for key, letters in rows.items()]


def shown(sheet: Sheet[str]) -> list[tuple[str, int, int, str]]:
    return [(part.key, part.first, part.last, "".join(part.rows)) for part in sheet.parts]


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
    assert [(sheet.number, sheet.of, sheet.parts) for sheet in cut(sections({"active": ""}), 2)] == [(1, 1, ())]


def test_a_full_last_sheet_is_not_followed_by_an_empty_one() -> None:
    assert [shown(sheet) for sheet in cut(sections({"todo": "ab"}), 2)] == [[("todo", 1, 2, "ab")]]


def test_the_first_sheet_has_the_plain_name() -> None:
    assert [sheet_name("index", "projects", number) for number in (1, 2, 13)] == [
        "index.html",
        "projects-2.html",
        "projects-13.html",
    ]


@given(st.dictionaries(st.sampled_from("pqrstu"), st.text("abc", max_size=9)), st.integers(1, 7))
def test_all_sheets_together_are_the_whole_list_in_order(rows: dict[str, str], size: int) -> None:
    sheets = list(cut(sections(rows), size))

    whole = [(part.key, row) for sheet in sheets for part in sheet.parts for row in part.rows]
    assert whole == [(key, letter) for key, letters in rows.items() for letter in letters]
    assert [sheet.of for sheet in sheets] == [len(sheets)] * len(sheets)


@given(st.dictionaries(st.sampled_from("pqrstu"), st.text("abc", max_size=9)), st.integers(1, 7))
def test_a_section_begins_on_the_sheet_that_starts_names(rows: dict[str, str], size: int) -> None:
    sheets = list(cut(sections(rows), size))

    begun = {part.key: sheet.number for sheet in sheets for part in sheet.parts if part.first == 1}
    assert begun == starts({key: len(letters) for key, letters in rows.items()}, size)
