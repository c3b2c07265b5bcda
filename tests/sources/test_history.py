"""Who changed a folder, as every kind of source tells it; git itself is asked what is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from pygit2.enums import FileMode

from pipeline.blobs import blob_id
from pipeline.model import Commit, FileChange, RepoPath, SourceConfig
from pipeline.sources.base import Source
from pipeline.sources.folder import Folder
from tests.fakes.forge_source import open_gitea
from tests.fakes.gitea import open_fake_forge
from tests.fakes.histories import FIRST_SECOND, Brought, Past, bring, changed, logged, quest

pytestmark = pytest.mark.anyio

REPOSITORY = "here/ann/app"
DIALECTS = ("gitea-1.19", "gitea-1.25", "forgejo-12")


@dataclass
class Scene:
    """One repository and a source that looks at it."""

    past: Past
    source: Source

    async def read(self, head: str, kept: Brought | None = None, **terms: object) -> Brought:
        """The history up to `head`, added to what is kept."""
        return await bring(self.source, quest(REPOSITORY, self.past.path, head, kept, **terms), kept)  # type: ignore[arg-type]  # terms of a quest


def open_folder(past: Past) -> Source:
    settings = {"path": str(past.path.parent.parent), "depth": 2}
    return Folder.open(SourceConfig(kind="folder", name="here", settings=settings), {})


def open_forge(past: Past, dialect: str) -> Source:
    forge = open_fake_forge(past.path.parent, dialect)
    forge.adopt("ann/app", past.path)
    return open_gitea(forge)


OPENERS: dict[str, Callable[[Past], Source]] = {
    "folder": open_folder,
    **{name: partial(open_forge, dialect=name) for name in DIALECTS},
}


@pytest.fixture(params=OPENERS)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Scene:
    (tmp_path / "ann").mkdir()
    past = Past(tmp_path / "ann" / "app.git")
    return Scene(past, OPENERS[request.param](past))


def change(path: str, before: str | None, after: str | None) -> FileChange:
    return FileChange(path=RepoPath(path), before=before, after=after)


def texts(kept: Brought) -> list[str]:
    return sorted(content.decode() for content in kept.texts.values())


async def test_a_commit_tells_who_when_and_which_pages_it_changed(scene: Scene) -> None:
    head = scene.past.commit(
        {".wiki/Заметка.md": "раз\n", "code.py": "x"}, author=("Аня", "anya@example.org"), authored_at=FIRST_SECOND
    )

    kept = await scene.read(head)

    assert kept.shown() == [
        Commit(
            id=head,
            author="Аня",
            email="anya@example.org",
            authored_at=datetime(2026, 3, 1, 12, 0, tzinfo=UTC),
            committed_at=datetime(2026, 3, 1, 12, 1, tzinfo=UTC),
            changes=(change(".wiki/Заметка.md", None, "5fc0f05687e8db484a58c90d74cd6c780dc8ad4f"),),
        )
    ]
    assert kept.total == 1


async def test_commits_come_newest_first_and_without_those_that_left_the_folder_alone(scene: Scene) -> None:
    first, code, last = scene.past.chain({".wiki/a.md": "1"}, {"code.py": "x"}, {".wiki/a.md": "2"})

    kept = await scene.read(last)

    assert kept.order == (last, first)
    assert code not in kept.commits


async def test_every_text_that_a_page_ever_had_is_brought(scene: Scene) -> None:
    *_, head = scene.past.chain({".wiki/a.md": "1"}, {".wiki/a.md": "2"}, {".wiki/a.md": "3"}, {".wiki/a.md": None})

    assert texts(await scene.read(head)) == ["1", "2", "3"]


async def test_texts_that_are_here_are_not_brought_again(scene: Scene) -> None:
    *_, head = scene.past.chain({".wiki/a.md": "1"}, {".wiki/b.md": "1"}, {".wiki/a.md": "2"}, {".wiki/b.md": None})

    assert texts(await scene.read(head)) == ["1"]


async def test_a_renamed_page_is_one_that_went_and_one_that_came(scene: Scene) -> None:
    _, head = scene.past.chain({".wiki/a.md": "same\n"}, {".wiki/a.md": None, ".wiki/б.md": "same\n"})

    kept = await scene.read(head)

    same = blob_id(b"same\n")
    assert kept.commits[head].changes == (change(".wiki/a.md", same, None), change(".wiki/б.md", None, same))


async def test_what_is_not_markdown_changes_no_page_and_its_commit_is_in_the_log(scene: Scene) -> None:
    head = scene.past.commit({".wiki/a.png": "x", ".wiki/B.MD": "page", ".wikis/a.md": "other"})

    kept = await scene.read(head)

    assert [each.path for each in kept.commits[head].changes] == [".wiki/B.MD"]


async def test_a_commit_of_pictures_alone_is_in_the_log(scene: Scene) -> None:
    first, head = scene.past.chain({".wiki/a.md": "1"}, {".wiki/a.png": "x"})

    kept = await scene.read(head)

    assert [len(each) for each in kept.changes()] == [0, 1]
    assert kept.order == (head, first)


async def test_links_and_submodules_are_no_pages(scene: Scene) -> None:
    scene.past.modes |= {".wiki/link.md": FileMode.LINK, ".wiki/module.md": FileMode.COMMIT}
    first, head = scene.past.chain(
        {".wiki/link.md": "a.md", ".wiki/module.md": "1" * 40}, {".wiki/link.md": "b.md", ".wiki/a.md": "1"}
    )

    kept = await scene.read(head)

    assert [[change.path for change in each] for each in kept.changes()] == [[".wiki/a.md"], []]
    assert kept.order == (head, first)


async def test_a_page_that_becomes_a_link_is_gone_and_comes_back(scene: Scene) -> None:
    first = scene.past.commit({".wiki/a.md": "page"})
    scene.past.modes[".wiki/a.md"] = FileMode.LINK
    second = scene.past.commit({".wiki/a.md": "b.md"}, first)
    scene.past.modes.clear()
    head = scene.past.commit({".wiki/a.md": "page"}, second)

    kept = await scene.read(head)

    assert [[(each.before is None, each.after is None) for each in changes] for changes in kept.changes()] == [
        [(True, False)],
        [(False, True)],
        [(True, False)],
    ]


async def test_a_folder_that_vanished_and_came_back_has_one_history(scene: Scene) -> None:
    made = scene.past.chain({".wiki/a.md": "1", "x": "1"}, {".wiki/a.md": None}, {"x": "2"}, {".wiki/a.md": "1"})

    kept = await scene.read(made[-1])

    assert kept.order == (made[3], made[1], made[0])
    assert kept.changes() == [changed(scene.past.path, each) for each in kept.order or ()]


async def test_a_folder_that_is_no_more_has_its_history(scene: Scene) -> None:
    first, head = scene.past.chain({".wiki/a.md": "1"}, {".wiki/a.md": None, "x": "1"})

    kept = await scene.read(head)

    assert (kept.order, texts(kept)) == ((head, first), ["1"])


async def test_a_folder_that_never_was_has_none(scene: Scene) -> None:
    head = scene.past.commit({"code.py": "x"})

    kept = await scene.read(head)

    assert (kept.order, kept.total, kept.commits) == ((), 0, {})


async def test_a_merge_that_took_one_side_is_not_in_the_log_and_neither_is_the_other_side(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1"})
    ours = scene.past.commit({".wiki/a.md": "ours"}, root)
    theirs = scene.past.commit({".wiki/a.md": "theirs"}, root)
    head = scene.past.commit({".wiki/a.md": "theirs"}, ours, theirs)

    kept = await scene.read(head)

    assert kept.order == (theirs, root)


async def test_a_merge_of_two_sides_changes_nothing_itself_and_is_in_the_log(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1", ".wiki/b.md": "1"})
    ours = scene.past.commit({".wiki/a.md": "2"}, root)
    theirs = scene.past.commit({".wiki/b.md": "2"}, root)
    head = scene.past.commit({".wiki/b.md": "2"}, ours, theirs)

    kept = await scene.read(head)

    assert kept.order == (head, theirs, ours, root)
    assert (kept.commits[head].is_merge, kept.commits[head].changes) == (True, ())


async def test_a_merge_that_wrote_something_of_its_own_tells_that_against_its_first_parent(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1", ".wiki/b.md": "1"})
    ours = scene.past.commit({".wiki/a.md": "ours"}, root)
    theirs = scene.past.commit({".wiki/a.md": "theirs", ".wiki/b.md": "2"}, root)
    head = scene.past.commit({".wiki/a.md": "both", ".wiki/b.md": "2", ".wiki/evil.md": "new"}, ours, theirs)

    kept = await scene.read(head)

    assert [(each.path, each.before is None) for each in kept.commits[head].changes] == [
        (".wiki/a.md", False),
        (".wiki/evil.md", True),
    ]
    assert kept.changes() == [changed(scene.past.path, each) for each in kept.order or ()]
    assert texts(kept) == ["1", "ours", "theirs"]


async def test_a_merge_of_three_branches_is_as_git_has_it(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1"})
    sides = [scene.past.commit({f".wiki/{name}.md": name}, root) for name in "bcd"]
    head = scene.past.commit({".wiki/c.md": "c", ".wiki/d.md": "d", ".wiki/a.md": "evil"}, *sides)

    kept = await scene.read(head)

    assert list(kept.order or ()) == logged(scene.past.path, head)
    assert kept.changes() == [changed(scene.past.path, each) for each in kept.order or ()]


async def test_equal_dates_and_dates_that_go_backwards_do_not_confuse_the_order(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1"}, at=FIRST_SECOND)
    ours = scene.past.commit({".wiki/a.md": "2"}, root, at=FIRST_SECOND)
    theirs = scene.past.commit({".wiki/b.md": "2"}, root, at=FIRST_SECOND)
    early = scene.past.commit({".wiki/b.md": "3"}, theirs, at=1)
    head = scene.past.commit({".wiki/b.md": "3"}, ours, early, at=0)

    kept = await scene.read(head)

    assert list(kept.order or ()) == logged(scene.past.path, head)


async def test_of_two_sides_with_one_date_the_first_parents_comes_first(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1"}, at=FIRST_SECOND)
    ours = scene.past.commit({".wiki/a.md": "2"}, root, at=FIRST_SECOND + 1)
    theirs = scene.past.commit({".wiki/b.md": "2"}, root, at=FIRST_SECOND + 1)
    head = scene.past.commit({".wiki/b.md": "2"}, ours, theirs)

    assert (await scene.read(head)).order == (head, ours, theirs, root)


async def test_of_the_whole_repository_commits_that_changed_nothing_are_passed_over(scene: Scene) -> None:
    first, empty, head = scene.past.chain({"a.md": "1", "x.py": "1"}, {}, {"docs/b.md": "2"})

    kept = await scene.read(head, folder="")

    assert (kept.order, empty in kept.commits) == ((head, first), False)
    assert [[change.path for change in each] for each in kept.changes()] == [["docs/b.md"], ["a.md"]]


async def test_two_roots_meet(scene: Scene) -> None:
    one = scene.past.commit({".wiki/a.md": "1"})
    other = scene.past.commit({".wiki/b.md": "2"})
    head = scene.past.commit({".wiki/b.md": "2"}, one, other)

    kept = await scene.read(head)

    assert kept.order == (head, other, one)


# --- again


async def test_a_further_commit_is_added_to_what_is_known(scene: Scene) -> None:
    first, second = scene.past.chain({".wiki/a.md": "1"}, {".wiki/a.md": "2"})
    kept = await scene.read(second)
    third = scene.past.commit({".wiki/a.md": "3"}, second)

    await scene.read(third, kept)

    assert (kept.order, kept.total) == ((third, second, first), 3)
    assert kept.changes() == [changed(scene.past.path, each) for each in kept.order or ()]


async def test_what_is_known_is_not_told_again(scene: Scene) -> None:
    *_, head = scene.past.chain({".wiki/a.md": "1"}, {".wiki/a.md": "2"})
    kept = await scene.read(head)

    again = await bring(scene.source, quest(REPOSITORY, scene.past.path, head, kept))

    assert (again.commits, again.texts, again.order) == ({}, {}, kept.order)


async def test_a_forced_push_leaves_only_what_is_reachable(scene: Scene) -> None:
    first, lost = scene.past.chain({".wiki/a.md": "1"}, {".wiki/a.md": "lost"})
    kept = await scene.read(lost)
    head = scene.past.commit({".wiki/a.md": "other"}, first)
    scene.past.forget_unreachable()

    await scene.read(head, kept)

    assert (kept.order, kept.total) == ((head, first), 2)
    assert kept.changes() == [changed(scene.past.path, each) for each in kept.order or ()]


async def test_a_later_merge_can_make_older_commits_leave_the_log(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1"})
    left = scene.past.commit({".wiki/a.md": "left"}, root)
    kept = await scene.read(left)
    right = scene.past.commit({".wiki/a.md": "right"}, root)
    head = scene.past.commit({".wiki/a.md": "right"}, left, right)

    await scene.read(head, kept)

    assert kept.order == (right, root)


async def test_a_later_merge_can_put_older_commits_among_the_known_ones(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1"}, at=FIRST_SECOND)
    other = scene.past.commit({".wiki/b.md": "2"}, root, at=FIRST_SECOND + 5)
    main = scene.past.commit({".wiki/a.md": "2"}, root, at=FIRST_SECOND + 9)
    kept = await scene.read(main)
    head = scene.past.commit({".wiki/b.md": "2"}, main, other, at=FIRST_SECOND + 10)

    await scene.read(head, kept)

    assert kept.order == (head, main, other, root)


async def test_a_later_merge_can_change_the_order_of_known_commits_whose_dates_go_backwards(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1"}, at=FIRST_SECOND)
    late = scene.past.commit({".wiki/a.md": "2"}, root, at=FIRST_SECOND + 40)
    early = scene.past.commit({".wiki/a.md": "3"}, late, at=FIRST_SECOND + 10)
    main = scene.past.commit({".wiki/a.md": "4"}, early, at=FIRST_SECOND + 50)
    kept = await scene.read(main)
    other = scene.past.commit({".wiki/b.md": "2"}, late, at=FIRST_SECOND + 60)
    head = scene.past.commit({".wiki/b.md": "2"}, main, other, at=FIRST_SECOND + 70)

    await scene.read(head, kept)

    assert kept.order == (head, other, main, late, early, root)
    assert list(kept.order) == logged(scene.past.path, head)


async def test_what_a_page_was_before_is_not_guessed_from_commits_behind_a_merge(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1", ".wiki/b.md": "1"})
    ours = scene.past.commit({".wiki/a.md": "ours"}, root)
    theirs = scene.past.commit({".wiki/a.md": "theirs"}, root)
    merge = scene.past.commit({".wiki/b.md": "evil"}, ours, theirs)
    kept = await scene.read(merge)
    head = scene.past.commit({".wiki/a.md": "after"}, merge)

    await scene.read(head, kept)

    assert kept.commits[head].changes == changed(scene.past.path, head)


# --- how far


async def test_no_more_than_the_newest_are_shown_and_the_others_are_counted(scene: Scene) -> None:
    made = scene.past.chain(*({".wiki/a.md": str(number)} for number in range(5)))

    kept = await scene.read(made[-1], max_commits=2)

    assert (kept.order, kept.total) == ((made[4], made[3]), 5)
    assert kept.commits.keys() == {made[4], made[3]}


async def test_nothing_is_shown_that_is_before_since(scene: Scene) -> None:
    first, second = scene.past.chain({".wiki/a.md": "1"}, {".wiki/a.md": "2"})

    kept = await scene.read(second, since=datetime(2026, 3, 1, 12, 2, tzinfo=UTC))

    assert (kept.order, kept.total) == ((second,), 2)
    assert first not in kept.commits


async def test_of_what_is_beyond_only_what_may_have_renamed_is_told(scene: Scene) -> None:
    made = scene.past.chain(
        {".wiki/a.md": "1"}, {".wiki/a.md": None, ".wiki/b.md": "1"}, {".wiki/b.md": "2"}, {".wiki/b.md": "3"}
    )

    kept = await scene.read(made[-1], max_commits=1)

    assert {each: commit.is_beyond for each, commit in kept.commits.items()} == {made[3]: False, made[1]: True}
    assert kept.commits[made[1]].changes == changed(scene.past.path, made[1])
    assert "1" in texts(kept)


async def test_what_new_commits_push_beyond_is_marked_so(scene: Scene) -> None:
    made = scene.past.chain({".wiki/a.md": "1"}, {".wiki/a.md": None, ".wiki/b.md": "1"})
    kept = await scene.read(made[-1], max_commits=1)
    head = scene.past.commit({".wiki/b.md": "2"}, made[-1])

    await scene.read(head, kept, max_commits=1)

    assert (kept.order, kept.total) == ((head,), 3)
    assert {each: commit.is_beyond for each, commit in kept.commits.items()} == {head: False, made[1]: True}


async def test_what_was_beyond_and_is_not_any_more_is_marked_so(scene: Scene) -> None:
    made = scene.past.chain({".wiki/a.md": "1"}, {".wiki/a.md": None, ".wiki/b.md": "1"}, {".wiki/b.md": "2"})
    kept = await scene.read(made[-1], max_commits=1)
    kept.order = None

    await scene.read(made[-1], kept)

    assert [(each.id, each.is_beyond) for each in kept.shown()] == [(each, False) for each in reversed(made)]


async def test_a_page_that_no_shown_commit_changed_is_known_before_it_went(scene: Scene) -> None:
    made = scene.past.chain({".wiki/b.md": "1"}, {".wiki/a.md": "1"})
    kept = await scene.read(made[-1], max_commits=1)
    head = scene.past.commit({".wiki/b.md": None}, made[-1])

    await scene.read(head, kept, max_commits=1)

    assert kept.commits[head].changes == (change(".wiki/b.md", blob_id(b"1"), None),)


async def test_a_commit_that_is_too_old_among_newer_ones_is_not_forgotten_in_what_follows(scene: Scene) -> None:
    since = datetime(2026, 3, 1, tzinfo=UTC)
    first = scene.past.commit({".wiki/b.md": "1"})
    second = scene.past.commit({".wiki/a.md": "1"}, scene.past.commit({".wiki/b.md": "2"}, first, at=1))
    kept = await scene.read(second, since=since)
    head = scene.past.commit({".wiki/b.md": "3"}, second)

    await scene.read(head, kept, since=since)

    assert kept.order == (head, second, first)
    assert kept.commits[head].changes == (change(".wiki/b.md", blob_id(b"2"), blob_id(b"3")),)
