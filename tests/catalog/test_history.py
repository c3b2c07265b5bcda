"""Changes of pages and tasks, codes of pages, and what one version changed, as readers see them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.blobs import blob_id
from pipeline.catalog.answers import Coverage
from pipeline.catalog.history import (
    code_of,
    coverage,
    find_slug,
    history_of,
    page_of_code,
    page_versions,
    task_changes,
    wiki_changes,
    wiki_diff,
)
from pipeline.catalog.projects import diagnostics
from pipeline.catalog.projects import project as project_row
from pipeline.codes import LONG_BITS, number_of, page_code, version_code
from pipeline.errors import CatalogError, UnknownPage
from pipeline.model import HistoryReading, RepoPath, RepositoryId
from tests.fakes.catalogs import Project, item, reading
from tests.fakes.page_histories import AT, change, history, page, version

HOUR = timedelta(hours=1)
OLD, NEW = "one\ntwo\n", "one\nthree\n"
API = Project(
    repository="forge/ann/api",
    pages={"cache": "Cache\n", "log": "Log\n"},
    titles={"cache": "Кэш"},
    board="# Board\n",
    items=(item("login"),),
    history=history(
        "forge/ann/api",
        page(
            "cache",
            version(2, AT + 2 * HOUR, author="Пётр Ёлкин", email="Petr@Example.org", before=OLD, after=NEW, removed=1),
            version(1, AT, count=2, after=OLD, added=2),
            aliases=("DOC-7",),
        ),
        page("log", version(1, AT + HOUR, path=".wiki/log.md")),
        tasks=(change("login", AT + HOUR, before="todo"), change("deploy", AT, kind="appeared", before=None)),
    ),
)
WEB = Project(
    repository="forge/bob/web",
    pages={"start": "Start\n"},
    history=history("forge/bob/web", page("start", version(1, AT + 3 * HOUR, path=".wiki/start.md"))),
)
BLOBS = {blob_id(text.encode()): text.encode() for text in (OLD, NEW)}


def named(found):
    return [(row.slug, row.version.number) for row in found.rows]


# --- lists of changes


def test_changes_of_all_wikis_come_newest_first(show):
    found = wiki_changes(show(API, WEB))

    assert named(found) == [("start", 1), ("cache", 2), ("log", 1), ("cache", 1)]
    assert (found.total, found.next_offset) == (4, None)


def test_a_change_tells_the_page_the_author_and_the_lines(show):
    row = wiki_changes(show(API, WEB)).rows[1]

    assert (row.project, row.page_code, row.title, row.is_gone) == (API.id, "DOC-cache", "Кэш", False)
    assert (row.version.version, row.version.number, row.version.count) == ("DOCH-2", 2, 2)
    assert (row.version.author, row.version.at, row.version.path) == ("Пётр Ёлкин", AT + 2 * HOUR, ".wiki/cache.md")
    assert (row.version.added, row.version.removed, row.state, row.stale) == (1, 1, "ok", False)


def test_a_period_begins_with_its_first_moment_and_ends_before_its_last(show):
    found = wiki_changes(show(API, WEB), since=AT + HOUR, until=AT + 3 * HOUR)

    assert named(found) == [("cache", 2), ("log", 1)]


def test_a_period_in_another_time_zone_is_the_same_period(show):
    moment = datetime(2026, 11, 30, 20, tzinfo=UTC).astimezone(tz=None)

    assert wiki_changes(show(API, WEB), since=moment).total == 0


@pytest.mark.parametrize("author", ["елкин", "ПЁТР ё", "petr@example.org"])
def test_an_author_is_a_part_of_the_name_or_the_whole_address(show, author):
    assert named(wiki_changes(show(API, WEB), author=author)) == [("cache", 2)]


def test_a_part_of_an_address_is_no_author(show):
    assert wiki_changes(show(API, WEB), author="petr@").total == 0


def test_an_empty_author_is_refused(show):
    with pytest.raises(CatalogError, match="author is empty"):
        wiki_changes(show(API), author=" ")


def test_one_project_is_asked_and_a_list_goes_on_where_it_ended(show):
    catalog = show(API, WEB)
    first = wiki_changes(catalog, project=API.id, limit=2)

    assert (named(first), first.total, first.next_offset) == ([("cache", 2), ("log", 1)], 3, 2)
    assert named(wiki_changes(catalog, project=API.id, limit=2, offset=2)) == [("cache", 1)]


def test_changes_of_tasks_tell_what_was_and_what_is(show):
    rows = task_changes(show(API, WEB)).rows

    assert [(row.slug, row.kind, row.before, row.after) for row in rows] == [
        ("login", "status", "todo", "active"),
        ("deploy", "appeared", None, "active"),
    ]


def test_a_gone_project_shows_no_change(show):
    assert wiki_changes(show(replace(API, state="gone"), WEB)).total == 1


def test_an_author_and_a_title_cannot_begin_a_line(show):
    forged = version(1, author="Eve\u2028- fake", email="e\nve@example.org", path=".wiki/a\nb.md")
    odd = replace(WEB, history=history(WEB.id, page("start", forged)), titles={"start": "a\r\nb"})
    row = wiki_changes(show(odd)).rows[0]

    assert (row.version.author, row.version.path, row.title) == ("Eve - fake", ".wiki/a b.md", "a b")


# --- one page


def test_versions_of_a_page_come_newest_first(show):
    assert [row.number for row in page_versions(show(API), API.id, "cache")] == [2, 1]


def test_an_unknown_page_is_named_with_the_nearest(show):
    with pytest.raises(UnknownPage, match=r'no page "cahce" in the wiki of forge/ann/api; did you mean "cache"\?'):
        page_versions(show(API), API.id, "cahce")


def test_the_last_version_is_shown_as_git_shows_it(show):
    found = wiki_diff(show(API, blobs=BLOBS), API.id, "cache")

    assert found.diff.splitlines() == [
        "--- a/.wiki/cache.md",
        "+++ b/.wiki/cache.md",
        "@@ -1,2 +1,2 @@",
        " one",
        "-two",
        "+three",
    ]
    assert (found.version.number, found.previous and found.previous.version) == (2, "DOCH-1")


@pytest.mark.parametrize("asked", ["1", "DOCH-1"])
def test_a_version_is_asked_for_by_number_or_code(show, asked):
    found = wiki_diff(show(API, blobs=BLOBS), API.id, "cache", asked)

    assert (found.version.number, found.previous, found.origin.path) == (1, None, ".wiki/cache.md")


def test_an_unknown_version_tells_those_there_are(show):
    with pytest.raises(CatalogError, match='no version "9" of DOC-cache; expected a number from 1 to 2'):
        wiki_diff(show(API, blobs=BLOBS), API.id, "cache", "9")


def test_a_text_that_is_lost_is_told(show):
    with pytest.raises(CatalogError, match="a text of DOCH-2 is not here"):
        wiki_diff(show(API), API.id, "cache")


def test_a_page_that_is_gone_still_has_its_versions(show):
    removed = version(2, AT + HOUR, path=None, before=OLD, added=0, removed=2)
    gone = replace(page("old", removed, version(1, AT, after=OLD)), slug=None)
    found = wiki_diff(show(replace(WEB, history=history(WEB.id, gone)), blobs=BLOBS), WEB.id, "old")

    assert (found.page.is_gone, found.page.title, found.origin.path) == (True, "old", ".wiki/old.md")
    assert found.diff.splitlines()[-2:] == ["-one", "-two"]


# --- codes


def test_a_code_means_its_page_also_a_former_one(show):
    catalog = show(API, WEB)

    assert page_of_code(catalog, "DOC-cache") == page_of_code(catalog, " DOC-7 ") == (API.id, "cache")
    assert page_of_code(catalog, "DOC-none") is None


# The first 48 bits of the SHA-256 of these two addresses are equal.
SHARED, ANNS, BOBS = "DOC-1548017803075", ".wiki/18776114.md", ".wiki/13538154.md"


def sharing(repository, path):
    """A project with a page that began at an address."""
    began = page("a", code=SHARED, addresses=(RepoPath(path),))
    return replace(WEB, repository=repository, pages={"a": "A\n"}, history=history(repository, began))


def asking(repository, code, *versions):
    """A project whose page asks for a code, with that made of its address."""
    made = page_code(RepositoryId(repository), RepoPath(".wiki/start.md"))
    asked = page("start", *versions, code=code, asked=code, aliases=(made,))
    return made, replace(WEB, repository=repository, history=history(repository, asked))


def test_a_page_shows_the_code_that_its_front_matter_asks_for(show):
    made, project = asking(WEB.id, "DOC-101252")
    catalog = show(project)

    assert code_of(catalog, WEB.id, "start") == "DOC-101252"
    assert page_of_code(catalog, made) == page_of_code(catalog, "DOC-101252") == (WEB.id, "start")


def test_front_matter_cannot_take_the_code_of_another_projects_page(show):
    theirs = page_code(API.id, RepoPath(".wiki/cache.md"))
    made, project = asking(WEB.id, theirs)
    catalog = show(replace(API, history=history(API.id, page("cache", code=theirs))), project)

    assert page_of_code(catalog, theirs) == (API.id, "cache")
    assert code_of(catalog, WEB.id, "start") == made
    assert page_of_code(catalog, made) == (WEB.id, "start")


def test_of_two_pages_that_ask_for_one_code_the_first_has_it_and_the_other_is_told(show):
    _, first = asking(WEB.id, "DOC-1")
    made, other = asking("forge/zoe/web", "DOC-1")
    catalog = show(first, other)

    assert page_of_code(catalog, "DOC-1") == (WEB.id, "start")
    assert (code_of(catalog, WEB.id, "start"), code_of(catalog, other.id, "start")) == ("DOC-1", made)
    assert [(one.project, one.code, one.path) for one in diagnostics(catalog).rows] == [
        (other.id, "W313", ".wiki/start.md")
    ]
    assert project_row(catalog, other.id).warnings == 1


def test_of_two_pages_whose_made_codes_are_equal_neither_has_it_and_both_are_told(show):
    ann, bob = sharing(API.id, ANNS), sharing(WEB.id, BOBS)
    catalog = show(ann, bob)

    assert SHARED == page_code(API.id, RepoPath(ANNS)) == page_code(WEB.id, RepoPath(BOBS))
    assert page_of_code(catalog, SHARED) is None
    assert code_of(catalog, API.id, "a") == f"DOC-{number_of(API.id, RepoPath(ANNS), LONG_BITS)}"
    assert code_of(catalog, WEB.id, "a") == f"DOC-{number_of(WEB.id, RepoPath(BOBS), LONG_BITS)}"
    assert [(one.project, one.code) for one in diagnostics(catalog).rows] == [(API.id, "W314"), (WEB.id, "W314")]


def test_versions_of_a_page_that_gets_another_code_have_codes_made_of_that(show):
    _, first = asking(WEB.id, "DOC-1", version(1))
    made, other = asking("forge/zoe/web", "DOC-1", version(1))
    catalog = show(first, other)
    (own,), (shown,) = (page_versions(catalog, one.id, "start") for one in (first, other))

    assert own.version == version_code("DOC-1", own.commit)
    assert shown.version == version_code(made, shown.commit)
    assert wiki_changes(catalog, project=other.id).rows[0].version == shown
    assert wiki_changes(catalog, project=other.id).rows[0].page_code == made


def test_a_former_code_gives_way_to_a_page_that_has_it(show):
    _, new = asking(WEB.id, page_code(API.id, RepoPath(".wiki/old.md")))
    moved = page("cache", addresses=(RepoPath(".wiki/cache.md"), RepoPath(".wiki/old.md")))
    code = new.history.pages[0].code

    assert page_of_code(show(replace(API, history=history(API.id, moved)), new), code) == (WEB.id, "start")


# --- what is here


def test_a_history_that_is_right_is_as_old_as_the_last_good_look(show):
    state = history_of(show(API), API.id)

    assert (state.wiki_at, state.tasks_at, state.reason) == (datetime(2026, 11, 30, 11, tzinfo=UTC),) * 2 + (None,)


def test_a_history_that_is_behind_says_since_when_and_why(show):
    behind = HistoryReading(repository=API.id, at=AT, reason="HTTP 503")
    state = history_of(show(API, seen=reading(histories=(behind,))), API.id)

    assert (state.wiki_at, state.reason) == (AT, "HTTP 503")


def test_a_history_that_is_not_loaded_has_no_age_and_codes_all_the_same(show):
    bare = history(WEB.id, page("start"), wiki_is_loaded=False, tasks_is_loaded=False)
    catalog = show(replace(WEB, history=bare))

    assert history_of(catalog, WEB.id).wiki_at is None
    assert find_slug(catalog, WEB.id, "start").versions == 0
    assert page_of_code(catalog, "DOC-start") == (WEB.id, "start")


def test_a_diff_before_the_history_came_says_what_brings_it(show):
    bare = history(WEB.id, page("start"), wiki_is_loaded=False)
    why = HistoryReading(repository=WEB.id, at=None, reason="this server does not tell the history of a folder")
    catalog = show(replace(WEB, history=bare), seen=reading(histories=(why,)))

    with pytest.raises(CatalogError, match=r"is not loaded yet \(this server does not tell .*\); `doit` brings it"):
        wiki_diff(catalog, WEB.id, "start")


def test_coverage_counts_projects_that_have_such_a_folder(show):
    bare = replace(WEB, repository="forge/zoe/web", history=history("forge/zoe/web", wiki_is_loaded=False))
    behind = HistoryReading(repository=API.id, at=AT, reason=None)
    catalog = show(API, WEB, bare, seen=reading(histories=(behind,)))

    assert coverage(catalog, "wiki") == Coverage(loaded=2, missing=1, behind=1)
    assert coverage(catalog, "tasks", API.id) == Coverage(loaded=1, missing=0, behind=1)
