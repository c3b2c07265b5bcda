"""git is the oracle: histories that grew by chance, and where we differ from `--follow` on purpose."""

from random import Random

import pytest

from pipeline.differences import count_lines, unified_diff
from pipeline.history import page_histories
from pipeline.model import PageKey, RepoPath, RepositoryId
from pipeline.renames import Matcher
from tests.fakes.git_history import GitHistory, Told
from tests.fakes.histories import Past
from tests.fakes.random_wikis import RandomWiki

NAME = RepoPath("page.md")
WIKI = RepositoryId("git.example.org/acme/wiki")
PAGE = "".join(f"line {n} of the page\n" for n in range(20))
OTHER = "".join(f"other {n} words\n" for n in range(20))


@pytest.fixture
def past(tmp_path):
    return Past(tmp_path / "wiki.git")


def grown(past, seed, *, branches=1, is_wild=False):
    """A repository that grew by chance, asked through git."""
    RandomWiki(past, Random(seed), is_wild=is_wild).grow(25, branches=branches)
    return GitHistory(past.path)


def ours(git, ref="HEAD"):
    """Each page's versions as we tell them, by its path."""
    keys = [PageKey(slug=path, path=path) for path in git.pages(".wiki", ref)]
    pages = page_histories(WIKI, git.folder(".wiki", ref), keys, git.texts(), lambda *_: None)
    return {page.path: tuple(map(told, page.versions)) for page in pages if page.slug}


def told(version):
    return Told(version.commit, version.author, version.at, version.authored_at, version.added, version.removed)


def commits(versions):
    return [one.commit for one in versions]


@pytest.mark.parametrize("seed", range(4))
def test_a_straight_history_is_that_of_git_log_follow(past, seed):
    git = grown(past, seed)

    assert ours(git) == {path: git.follow(path) for path in git.pages(".wiki")}


@pytest.mark.parametrize("seed", range(4))
def test_with_copies_and_names_used_again_a_page_has_the_newest_versions_of_its_renames(past, seed):
    git = grown(past, seed, is_wild=True)
    by_renames = {path: git.follow_renames(path, ".wiki") for path in git.pages(".wiki")}

    assert {path: by_renames[path][: len(versions)] for path, versions in ours(git).items()} == ours(git)


@pytest.mark.parametrize("seed", range(4))
def test_with_branches_the_versions_that_git_tells_too_have_its_numbers_and_order(past, seed):
    git = grown(past, seed, branches=3)
    told = ours(git)
    theirs = {path: git.follow(path) for path in told}

    assert {path: both(told[path], theirs[path]) for path in told} == {
        path: both(theirs[path], told[path]) for path in told
    }


def both(versions, others):
    """The versions whose commits are among the others' too."""
    return [one for one in versions if one.commit in commits(others)]


@pytest.mark.parametrize("seed", range(4))
def test_renames_are_those_that_git_tells_of_each_commit(past, seed):
    git = grown(past, seed, is_wild=True)
    history, text = git.folder(".wiki"), git.texts()

    assert {one.id: Matcher(text).find(one.changes) for one in history.commits} == {
        one.id: git.renames(one.id) for one in history.commits
    }


@pytest.mark.parametrize("seed", range(2))
def test_numbers_and_hunks_are_those_of_git_diff(past, seed):
    git = grown(past, seed)
    text = git.texts()
    edits = [one for each in git.folder(".wiki").commits for one in each.changes if one.before and one.after]
    pairs = [(one.before, one.after, one.path) for one in edits]

    assert [count_lines(text(old), text(new)) for old, new, _ in pairs] == [
        git.numstat(old, new) for old, new, _ in pairs
    ]
    assert [hunks(unified_diff(text(old), text(new), path, path)) for old, new, path in pairs] == [
        hunks(git.diff(old, new)) for old, new, _ in pairs
    ]


def hunks(diff):
    return diff[diff.index("\n@@ ") :]


def test_git_apply_makes_the_new_page_of_the_old_one_and_the_diff(past, tmp_path):
    (tmp_path / "page.md").write_bytes(PAGE.encode())
    new = PAGE.replace("line 7 of", "line seven of") + OTHER
    (tmp_path / "diff").write_text(unified_diff(PAGE.encode(), new.encode(), NAME, NAME), encoding="utf-8")
    GitHistory(tmp_path).run("apply", "diff")

    assert (tmp_path / "page.md").read_bytes() == new.encode()


def test_a_copy_is_a_new_page_where_follow_goes_on_through_its_original(past):
    first, second = past.chain({".wiki/a.md": PAGE}, {".wiki/b.md": PAGE + "more\n"})
    git = GitHistory(past.path)

    assert commits(ours(git)[".wiki/b.md"]) == [second]
    assert commits(git.follow(".wiki/b.md")) == [second, first]


def test_a_page_from_outside_the_folder_begins_where_it_came_in(past):
    first, second = past.chain({"docs/a.md": PAGE}, {"docs/a.md": None, ".wiki/a.md": PAGE})
    git = GitHistory(past.path)

    assert commits(ours(git)[".wiki/a.md"]) == [second]
    assert commits(git.follow(".wiki/a.md")) == [second, first]


def test_a_name_used_again_is_not_given_the_versions_of_the_page_that_left_it(past):
    trees = ({".wiki/a.md": PAGE}, {".wiki/a.md": None, ".wiki/b.md": PAGE}, {".wiki/a.md": OTHER})
    first, second, third = past.chain(*trees)
    git = GitHistory(past.path)

    assert {path: commits(one) for path, one in ours(git).items()} == {
        ".wiki/a.md": [third],
        ".wiki/b.md": [second, first],
    }
    assert commits(git.follow(".wiki/a.md")) == [third, second, first]


def test_a_merge_that_differs_from_every_parent_is_a_version_that_follow_never_shows(past):
    root = past.commit({".wiki/a.md": PAGE})
    mine, theirs = past.commit({".wiki/a.md": "0\n" + PAGE}, root), past.commit({".wiki/a.md": PAGE + "9\n"}, root)
    merge = past.commit({".wiki/a.md": "0\n" + PAGE + "9\n"}, mine, theirs)
    git = GitHistory(past.path)

    assert commits(ours(git)[".wiki/a.md"]) == [merge, theirs, mine, root]
    assert [(one.added, one.removed) for one in ours(git)[".wiki/a.md"]] == [(1, 0), (1, 0), (1, 0), (20, 0)]
    assert commits(git.follow(".wiki/a.md")) == [theirs, mine, root]


def test_a_branch_that_its_merge_dropped_is_only_in_follow(past):
    root = past.commit({".wiki/a.md": PAGE})
    mine, dropped = past.commit({".wiki/a.md": "0\n" + PAGE}, root), past.commit({".wiki/a.md": OTHER}, root)
    past.commit({}, mine, dropped)
    git = GitHistory(past.path)

    assert commits(ours(git)[".wiki/a.md"]) == [mine, root]
    assert commits(git.follow(".wiki/a.md")) == [dropped, mine, root]


def test_an_edit_under_the_old_name_on_another_branch_is_ours_alone(past):
    root = past.commit({".wiki/a.md": PAGE})
    moved = past.commit({".wiki/a.md": None, ".wiki/b.md": PAGE}, root)
    edited = past.commit({".wiki/a.md": PAGE + "9\n"}, root)
    past.commit({".wiki/b.md": PAGE + "9\n"}, moved, edited)
    git = GitHistory(past.path)

    assert commits(ours(git)[".wiki/b.md"])[1:] == [edited, moved, root]
    assert commits(git.follow(".wiki/b.md")) == [moved, root]


def test_a_page_that_a_merge_kept_under_both_names_was_not_renamed(past):
    root = past.commit({".wiki/a.md": PAGE})
    moved = past.commit({".wiki/a.md": None, ".wiki/b.md": PAGE}, root)
    edited = past.commit({".wiki/a.md": OTHER}, root)
    past.commit({".wiki/a.md": OTHER}, moved, edited)
    git = GitHistory(past.path)

    assert {path: commits(one) for path, one in ours(git).items()} == {
        ".wiki/a.md": [edited, moved, root],
        ".wiki/b.md": [moved],
    }
    assert commits(git.follow(".wiki/b.md")) == [moved, root]
