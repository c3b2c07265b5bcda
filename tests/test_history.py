"""Commits and texts become versions of pages."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from pipeline.codes import page_code, version_code
from pipeline.history import page_histories
from pipeline.model import PageKey, PageVersion, RepoPath, RepositoryId
from tests.fakes.told_commits import START, commit, history, text

API = RepositoryId("git.example.org/acme/api")
HISTORY = history(
    commit("1", {".wiki/a.md": (None, "one\n")}),
    commit("2", {".wiki/a.md": ("one\n", None), ".wiki/b.md": (None, "one\n")}, hour=1, author="Bob"),
    commit("3", {".wiki/b.md": ("one\n", "one\ntwo\n")}, hour=2),
)


def key(slug, code=None):
    return PageKey(slug=slug, path=RepoPath(f".wiki/{slug}.md"), code=code)


def made(slug):
    return page_code(API, RepoPath(f".wiki/{slug}.md"))


def nothing_known(before, after):
    return None


def histories(told, *keys, known=nothing_known, text=text):
    return page_histories(API, told, keys, text, known)


def test_a_version_says_who_when_under_which_name_and_how_many_lines():
    (page,) = histories(HISTORY, key("b"))
    code = made("a")

    assert page.versions[1] == PageVersion(
        code=version_code(code, "2"),
        number=2,
        count=3,
        commit="2",
        author="Bob",
        email="bob@example.org",
        at=START + timedelta(hours=1),
        authored_at=START + timedelta(hours=1),
        path=RepoPath(".wiki/b.md"),
        before="one\n",
        after="one\n",
        added=0,
        removed=0,
    )


def test_versions_are_numbered_from_the_oldest_and_listed_from_the_newest():
    (page,) = histories(HISTORY, key("b"))

    assert [(one.number, one.count, one.commit, one.added, one.removed) for one in page.versions] == [
        (3, 3, "3", 1, 0),
        (2, 3, "2", 0, 0),
        (1, 3, "1", 1, 0),
    ]


def test_a_page_keeps_the_code_of_its_earliest_name_and_is_found_by_that_of_the_present_one():
    (page,) = histories(HISTORY, key("b"))

    assert (page.code, page.aliases) == (made("a"), (made("b"),))


def test_pages_are_sorted_by_slug_and_those_that_are_no_more_come_last():
    gone = commit("0", {".wiki/0.md": (None, "x\n")})
    deleted = commit("4", {".wiki/0.md": ("x\n", None), ".wiki/c.md": (None, "other\n")})
    told = history(gone, *sorted(HISTORY.commits, key=lambda one: one.id), deleted)

    assert [(page.slug, page.path) for page in histories(told, key("c"), key("b"))] == [
        ("b", ".wiki/b.md"),
        ("c", ".wiki/c.md"),
        (None, ".wiki/0.md"),
    ]


def test_a_text_that_is_not_there_leaves_the_numbers_unknown():
    told = history(
        commit("1", {".wiki/a.md": (None, "lost")}),
        commit("2", {".wiki/a.md": ("lost", "two\n")}),
        commit("3", {".wiki/a.md": ("two\n", "a\0b")}),
    )
    (page,) = histories(told, key("a"))

    assert [(one.added, one.removed) for one in page.versions] == [(None, None)] * 3


def test_numbers_that_are_known_are_not_counted_again():
    numbers = {(None, "one\n"): (1, 0), ("one\n", "one\ntwo\n"): (1, 0)}
    (page,) = histories(
        HISTORY, key("b"), known=lambda before, after: numbers.get((before, after)), text=lambda _: None
    )

    assert [(one.added, one.removed) for one in page.versions] == [(1, 0), (0, 0), (1, 0)]


def test_before_its_history_is_known_a_page_has_the_code_of_its_present_name():
    (page,) = histories(replace(HISTORY, order=None), key("b"))

    assert (page.code, page.aliases, page.versions) == (made("b"), (), ())


def test_a_code_that_front_matter_asks_for_wins_and_the_made_one_means_the_page_as_well():
    (page,) = histories(HISTORY, key("b", "DOC-101252"))

    assert page.code == "DOC-101252"
    assert page.aliases == tuple(sorted((made("a"), made("b"))))
    assert page.versions[0].code == version_code("DOC-101252", "3")


names = st.sampled_from(["a", "b", "c", "d/a"])
texts = st.sampled_from(["", "x\n", "x\ny\n" * 9, "x\ny\n" * 9 + "z", "\0", "lost", "\udcff\r\u2028"])
steps = st.lists(st.dictionaries(names, st.none() | texts, min_size=1, max_size=4), max_size=12)


def told_of(steps, *, beyond=0):
    """A straight history in which every step says what stands where after it."""
    state: dict[str, str | None] = {}
    commits = []
    for number, step in enumerate(steps):
        changed = {name: oid for name, oid in step.items() if state.get(name) != oid}
        sides = {f".wiki/{name}.md": (state.get(name), oid) for name, oid in changed.items()}
        state.update(changed)
        commits.append(commit(f"{number:03}", sides, hour=number, is_beyond=number < beyond))
    return history(*commits), [key(name) for name, oid in sorted(state.items()) if oid is not None]


@given(steps, st.integers(0, 4))
def test_codes_are_unique_and_every_change_belongs_to_one_page(steps, beyond):
    told, keys = told_of(steps, beyond=beyond)
    pages = histories(told, *keys)
    versions = [version for page in pages for version in page.versions]
    named = [(version.commit, version.path) for version in versions if version.path]

    assert len({page.code for page in pages}) == len(pages)
    assert len({version.code for version in versions}) == len(versions)
    assert len(set(named)) == len(named)
    assert [page.slug for page in pages if page.slug] == [page.slug for page in keys]


sides = st.tuples(st.none() | texts, st.none() | texts).filter(lambda both: both[0] != both[1])
odd_commits = st.lists(st.dictionaries(names.map(".wiki/{}.md".format), sides, max_size=4), max_size=12)


@given(odd_commits, st.sets(names), st.integers(0, 4))
def test_however_odd_a_history_is_a_commit_is_one_version_of_a_page(commits, present, beyond):
    told = history(*(commit(f"{number:03}", one, is_beyond=number < beyond) for number, one in enumerate(commits)))
    pages = histories(told, *map(key, present))

    assert all(len({one.commit for one in page.versions}) == len(page.versions) for page in pages)
    assert len({page.code for page in pages}) == len(pages)


@given(steps)
def test_what_is_made_on_with_known_numbers_equals_what_is_made_anew(steps):
    told, keys = told_of(steps)
    older, older_keys = told_of(steps[:-1])
    numbers = {
        (one.before, one.after): (one.added, one.removed)
        for page in histories(older, *older_keys)
        for one in page.versions
        if one.added is not None
    }

    assert histories(told, *keys, known=lambda old, new: numbers.get((old, new))) == histories(told, *keys)


@given(steps)
def test_a_straight_history_is_told_whole(steps):
    told, keys = told_of(steps)
    pages = histories(told, *keys)
    moved = sum(len(one.changes) for one in told.commits) - sum(len(page.versions) for page in pages)

    assert moved == sum(
        one.before is not None and one.path is not None and one.path != older.path and older.path is not None
        for page in pages
        for one, older in zip(page.versions, page.versions[1:], strict=False)
    )
