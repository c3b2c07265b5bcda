"""Long lists cut into pages: nothing is lost, doubled or reordered, and a change stays where it is."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.catalog.answers import Span
from pipeline.model import RepositoryId
from pipeline.report.sheets import Group, LongList, Part, Section, Sheet, Size, cut

SIZE = Size(shown=2, least=2, largest=7)
LINES = Size(shown=50, least=125, largest=500)


def section(key: str, projects: str) -> Section[str]:
    """A section of which each project gives a word: its rows are the letters of the words."""
    words = {f"{place:03}": word for place, word in enumerate(projects.split())}

    def rows(span: Span) -> str:
        letters = "".join(word for name, word in words.items() if span.first <= name <= span.last)
        return letters[span.skip : span.skip + span.count]

    groups = [Group(RepositoryId(name), f"{name} {word}", len(word)) for name, word in words.items()]
    return Section(key=key, file=f"tasks-{key}", groups=groups, rows=rows)


def long_list(rows: dict[str, str]) -> LongList[str]:
    sections = tuple(section(key, projects) for key, projects in rows.items())
    return LongList(file="tasks.html", size=SIZE, sections=sections)


def shown(parts: tuple[Part[str], ...]) -> list[tuple[str, str, str | None]]:
    return [(part.key, "".join(part.rows), part.whole) for part in parts]


def counted(counts: list[int]) -> Section[str]:
    """A section of as many rows for each of these projects; nobody asks for the rows."""
    groups = [
        Group(RepositoryId(f"forge/ann/r{place:05}"), f"{place} {count}", count)
        for place, count in enumerate(counts)
        if count
    ]
    return Section(key="todo", file="tasks-todo", groups=groups, rows=lambda _: "")


def test_a_list_that_fits_stands_whole_on_its_first_page() -> None:
    tasks = long_list({"active": "abc", "blocked": "", "todo": "de fg"})

    assert shown(tasks.opening()) == [("active", "abc", None), ("todo", "defg", None)]
    assert list(tasks.sheets()) == []
    assert tasks.places() == {"active": "tasks.html#active", "todo": "tasks.html#todo"}


def test_of_a_longer_list_the_long_sections_go_on_on_sheets_of_their_own() -> None:
    tasks = long_list({"active": "ab cd ef", "todo": "gh", "done": "ijk"})

    assert shown(tasks.opening()) == [
        ("active", "ab", "tasks-active.html"),
        ("todo", "gh", None),
        ("done", "ij", "tasks-done.html"),
    ]
    assert [(sheet.file, "".join(sheet.rows())) for sheet in tasks.sheets()] == [
        ("tasks-active.html", "abcdef"),
        ("tasks-done.html", "ijk"),
    ]
    assert tasks.places() == {
        "active": "tasks-active.html",
        "todo": "tasks.html#todo",
        "done": "tasks-done.html",
    }


def test_an_empty_list_has_nothing_to_show() -> None:
    assert long_list({"active": ""}).opening() == ()


def test_the_first_rows_may_be_those_of_several_projects() -> None:
    assert [section("todo", "a bc d").first_rows(count) for count in (1, 2, 9)] == [
        ("a",),
        ("a", "b"),
        ("a", "b", "c", "d"),
    ]


def test_a_sheet_is_called_by_where_it_begins_and_knows_its_neighbours() -> None:
    one, two, three = cut(section("todo", "abc def ghi jkl"), SIZE)

    assert [one.file, two.file, three.file] == [
        "tasks-todo.html",
        "tasks-todo-02ac9a6746aca543a.html",
        "tasks-todo-07a3e6b16cb75f48f.html",
    ]
    assert [(sheet.previous, sheet.following) for sheet in (one, two, three)] == [
        (None, two.file),
        (one.file, three.file),
        (two.file, None),
    ]


def test_a_project_is_cut_only_where_it_is_too_long_for_a_sheet() -> None:
    sheets = cut(section("todo", "ab cdefghijklmn op"), SIZE)

    assert ["".join(sheet.rows()) for sheet in sheets] == ["ab", "cde", "fghijk", "lmn", "op"]


boards = st.text("abc ", max_size=120)
# Few projects are long.
counts = st.lists(st.one_of(st.integers(1, 3), st.integers(1, 40)), min_size=1, max_size=60)


@given(boards.filter(str.strip))
def test_all_sheets_together_are_the_whole_section_in_order(projects: str) -> None:
    sheets = list(cut(section("todo", projects), SIZE))

    assert "".join(row for sheet in sheets for row in sheet.rows()) == projects.replace(" ", "")
    assert len({sheet.file for sheet in sheets}) == len(sheets)
    assert [sheet.following for sheet in sheets] == [*(sheet.file for sheet in sheets[1:]), None]
    assert [sheet.previous for sheet in sheets] == [None, *(sheet.file for sheet in sheets[:-1])]


@given(counts)
def test_no_sheet_is_shorter_or_longer_than_allowed(rows: list[int]) -> None:
    sizes = [sheet.span.count for sheet in cut(counted(rows), SIZE)]

    assert max(sizes) <= SIZE.largest
    assert len(sizes) == 1 or min(sizes) >= SIZE.least


@given(boards.filter(str.strip), boards.filter(str.strip))
def test_sheets_that_are_made_of_the_same_are_the_same(one: str, other: str) -> None:
    sheets = [*cut(section("todo", one), SIZE), *cut(section("todo", other), SIZE)]
    same = [(left, right) for left in sheets for right in sheets if left.made_of() == right.made_of()]

    assert [left.rows() for left, _ in same] == [right.rows() for _, right in same]


def made_of(sheets: list[Sheet[str]]) -> set[str]:
    return {str(sheet.made_of()) for sheet in sheets}


BOARDS = [place * 7 % 11 for place in range(10_000)]
SHEETS = list(cut(counted(BOARDS), LINES))


@settings(max_examples=60, derandomize=True)
@given(st.integers(0, 9_999), st.integers(0, 40))
def test_a_project_with_more_or_fewer_rows_changes_a_few_sheets_of_ten_thousand(place: int, count: int) -> None:
    changed = [*BOARDS[:place], count, *BOARDS[place + 1 :]]

    assert len(made_of(list(cut(counted(changed), LINES))) - made_of(SHEETS)) <= 4


def test_a_sheet_that_fills_up_is_cut_in_two_and_no_other_gets_another_name() -> None:
    fullest = max(SHEETS, key=lambda sheet: sheet.span.count)
    first = int(fullest.span.first[-5:])
    changed = [*BOARDS[: first + 1], BOARDS[first + 1] + 30, *BOARDS[first + 2 :]]

    after = [sheet.file for sheet in cut(counted(changed), LINES)]

    assert len(after) == len(SHEETS) + 1
    assert {sheet.file for sheet in SHEETS} < set(after)


def test_a_row_with_another_text_changes_the_one_sheet_it_stands_on() -> None:
    before, after = (list(cut(section("todo", words), SIZE)) for words in ("abc def ghi jkl", "abc def ghX jkl"))

    assert [one.made_of() == other.made_of() for one, other in zip(before, after, strict=True)] == [True, True, False]
