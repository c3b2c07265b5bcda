"""What a forge is asked for a history, and what becomes of it when it may not be asked on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygit2.enums import FileMode

from pipeline.errors import NoHistory, RepositoryNotFound, SourceUnreachable
from pipeline.model import HistoryQuest
from pipeline.sources.gitea import Gitea
from tests.fakes.forge_source import open_gitea
from tests.fakes.gitea import FakeGitea, open_fake_forge
from tests.fakes.gitea_http import Answer
from tests.fakes.histories import (
    Brought,
    Drawn,
    Past,
    bring,
    changed,
    drawn_histories,
    logged,
    make,
    pages,
    quest,
)

pytestmark = pytest.mark.anyio

REPOSITORY = "here/ann/app"
DIALECTS = ("gitea-1.19", "gitea-1.25", "forgejo-11", "forgejo-12")


@dataclass
class Scene:
    """One repository on a forge, and what is kept of it."""

    past: Past
    forge: FakeGitea
    traits: dict[str, str] = field(default_factory=dict)
    kept: Brought = field(default_factory=Brought)

    @property
    def source(self) -> Gitea:
        return open_gitea(self.forge, self.traits)

    def quest(self, head: str, **terms: object) -> HistoryQuest:
        return quest(REPOSITORY, self.past.path, head, self.kept, **terms)  # type: ignore[arg-type]  # terms of a quest

    async def read(self, head: str, most: int = 10_000, **terms: object) -> list[str]:
        """Bring the history with at most so many requests, and give what was asked for."""
        self.forge.requests.clear()
        leave = iter(range(most))
        await bring(self.source, self.quest(head, may_ask=lambda: next(leave, None) is not None, **terms), self.kept)
        return [path.removeprefix("repos/ann/app/") for path in self.forge.paths()]

    async def read_bit_by_bit(self, head: str, most: int) -> int:
        """Bring the history in runs that may ask for little, each for a little more; gives their number."""
        runs = 0
        while self.kept.order is None:
            await self.read(head, most + runs)
            runs += 1
        return runs


def open_scene(folder: Path, dialect: str = "gitea-1.25", **traits: str) -> Scene:
    past = Past(folder / "app.git")
    forge = open_fake_forge(folder, dialect)
    forge.adopt("ann/app", past.path)
    return Scene(past, forge, traits)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return open_scene(tmp_path)


def edit(past: Past, count: int, *parents: str) -> list[str]:
    """So many commits, each of which changes one page."""
    start = len(past.files)
    return past.chain(*({".wiki/a.md": str(start + each)} for each in range(count)), parents=parents)


def is_right(scene: Scene, head: str) -> bool:
    """Whether what is kept is what git says."""
    order = list(scene.kept.order or ())
    return order == logged(scene.past.path, head) and scene.kept.changes() == [
        changed(scene.past.path, each) for each in order
    ]


# --- what it costs


@pytest.mark.parametrize(("count", "lists", "contents"), [(1, 1, 0), (3, 1, 2), (60, 2, 59)])
async def test_new_commits_cost_a_list_and_a_question_for_each_but_one(
    scene: Scene, count: int, lists: int, contents: int
) -> None:
    known = edit(scene.past, 3)[-1]
    await scene.read(known)
    head = edit(scene.past, count, known)[-1]

    asked = await scene.read(head)

    assert asked == ["commits"] * lists + ["file-contents"] * contents
    assert is_right(scene, head)


async def test_a_first_history_costs_the_same(scene: Scene) -> None:
    head = edit(scene.past, 60)[-1]

    assert await scene.read(head) == ["commits"] * 2 + ["file-contents"] * 59
    assert is_right(scene, head)


async def test_a_history_that_is_known_costs_a_list(scene: Scene) -> None:
    head = edit(scene.past, 60)[-1]
    await scene.read(head)

    assert await scene.read(head) == ["commits"]


async def test_a_commit_that_only_adds_pages_costs_nothing(scene: Scene) -> None:
    *_, head = scene.past.chain(*({f".wiki/{number}.md": "x"} for number in range(9)))

    assert await scene.read(head) == ["commits"]
    assert is_right(scene, head)


async def test_a_commit_of_many_pages_costs_a_question_per_thirty(scene: Scene) -> None:
    names = [f".wiki/{number}.md" for number in range(61)]
    *_, head = scene.past.chain(dict.fromkeys(names, "1"), dict.fromkeys(names, "2"))

    assert await scene.read(head) == ["commits", "file-contents", "file-contents", "file-contents"]
    assert is_right(scene, head)


async def test_a_server_that_gives_fewer_files_at_once_is_asked_on(scene: Scene) -> None:
    scene.forge.limits.batch_files = 2
    names = [f".wiki/{number}.md" for number in range(5)]
    *_, head = scene.past.chain(dict.fromkeys(names, "1"), dict.fromkeys(names, "2"))

    assert await scene.read(head) == ["commits", "file-contents", "file-contents", "file-contents"]
    assert is_right(scene, head)


async def test_forgejo_tells_a_commits_tree_and_its_texts_at_once(tmp_path: Path) -> None:
    scene = open_scene(tmp_path, "forgejo-12", blobs="git/blobs")
    *_, head = scene.past.chain({".wiki/a.md": "1", ".wiki/b.md": "1"}, {".wiki/a.md": "2", ".wiki/b.md": "3"})

    asked = await scene.read(head)

    assert asked == ["commits", f"git/trees/{logged(scene.past.path, head)[1]}:.wiki", "git/blobs"]
    assert is_right(scene, head)


async def test_a_server_that_names_no_files_tells_trees(tmp_path: Path) -> None:
    scene = open_scene(tmp_path, "gitea-1.19", blobs="raw")
    *_, head = edit(scene.past, 3)

    asked = await scene.read(head)

    assert [each.split("/")[1] for each in asked if "/" in each] == ["trees", "trees", "blobs", "trees", "blobs"]
    assert is_right(scene, head)


async def test_an_old_server_whose_pages_overlap_lists_each_commit_once(tmp_path: Path) -> None:
    scene = open_scene(tmp_path, "gitea-1.19")
    *_, head = scene.past.chain(*({f".wiki/{number}.md": "x"} for number in range(120)))

    assert (await scene.read(head)).count("commits") == 2
    assert list(scene.kept.order or ()) == logged(scene.past.path, head)


# --- stopped and gone on


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_history_that_is_stopped_anywhere_goes_on_from_there(tmp_path: Path, dialect: str) -> None:
    scene = open_scene(tmp_path, dialect)
    head = edit(scene.past, 6)[-1]

    assert await scene.read_bit_by_bit(head, 4) > 1
    assert is_right(scene, head)


@pytest.mark.parametrize("most", range(1, 8))
async def test_nothing_but_the_list_is_asked_twice(scene: Scene, most: int) -> None:
    head = edit(scene.past, 7)[-1]

    first, rest = await scene.read(head, most), await scene.read(head)

    assert (first + rest).count("file-contents") == 6
    assert is_right(scene, head)


async def test_a_history_without_leave_asks_nothing_and_tells_nothing(scene: Scene) -> None:
    assert await scene.read(edit(scene.past, 2)[-1], most=0) == []
    assert (scene.kept.commits, scene.kept.order) == ({}, None)


# --- other shapes


async def test_behind_a_merge_both_sides_are_asked_for(scene: Scene) -> None:
    root = scene.past.commit({".wiki/a.md": "1", ".wiki/b.md": "1"})
    ours, theirs = scene.past.commit({".wiki/a.md": "2"}, root), scene.past.commit({".wiki/b.md": "2"}, root)
    head = scene.past.commit({".wiki/b.md": "2"}, ours, theirs)

    asked = await scene.read(head)

    assert asked == ["commits"] + ["file-contents"] * 7
    assert is_right(scene, head)


async def test_a_forced_push_costs_the_list_to_its_end(scene: Scene) -> None:
    made = edit(scene.past, 70)
    await scene.read(made[-1])
    head = scene.past.commit({".wiki/a.md": "other"}, made[60])
    scene.past.forget_unreachable()

    assert await scene.read(head) == ["commits", "commits"]
    assert is_right(scene, head)


async def test_a_page_that_became_a_link_is_found_out_by_trees(scene: Scene) -> None:
    first = scene.past.commit({".wiki/a.md": "page", ".wiki/b.md": "1"})
    scene.past.modes[".wiki/a.md"] = FileMode.LINK
    head = scene.past.commit({".wiki/a.md": "b.md"}, first)

    assert [each.split("/")[0] for each in await scene.read(head)] == ["commits", "git", "git", "git"]
    assert is_right(scene, head)


async def test_files_that_the_snapshot_left_out_are_asked_for(scene: Scene) -> None:
    *_, head = scene.past.chain({".wiki/a.md": "1", ".wiki/b.md": "1"}, {".wiki/a.md": "2"}, {".wiki/b.md": "2"})
    asked = scene.quest(head)

    await bring(scene.source, replace(asked, entries=asked.entries[:1]), scene.kept)

    assert is_right(scene, head)


async def test_a_large_text_is_left_out_and_its_change_is_told(scene: Scene) -> None:
    *_, head = scene.past.chain({".wiki/a.md": "x" * (1 << 20) + "x"}, {".wiki/a.md": "1"})

    await scene.read(head)

    assert (is_right(scene, head), scene.kept.texts) == (True, {})


async def test_what_is_too_large_at_once_is_asked_for_by_halves(scene: Scene) -> None:
    scene.forge.limits.blob_bytes = scene.forge.limits.response_bytes = 1 << 30
    names = [f".wiki/{number}.md" for number in range(4)]
    *_, head = scene.past.chain({name: name * 1_200_000 for name in names}, dict.fromkeys(names, "1"))

    await scene.read(head)

    assert is_right(scene, head)


async def test_names_without_a_word_of_what_became_of_them_are_not_gone_by(scene: Scene) -> None:
    *_, head = scene.past.chain({".wiki/a.md": "1"}, {".wiki/b.md": "1"}, {".wiki/a.md": None})
    scene.forge.spoil("*/commits", lambda answer: replace(answer, body=answer.body.replace(b'"status"', b'"how"')))

    await scene.read(head)

    assert is_right(scene, head)


# --- trouble


async def test_gogs_does_not_tell_the_history_of_a_folder(tmp_path: Path) -> None:
    scene = open_scene(tmp_path, "gogs", trees="contents")

    with pytest.raises(NoHistory, match="this server does not tell the history of a folder"):
        await scene.read(scene.past.commit({".wiki/a.md": "1"}))


async def test_a_server_that_does_not_count_is_not_believed(tmp_path: Path) -> None:
    scene = open_scene(tmp_path, "gogs")

    with pytest.raises(NoHistory):
        await scene.read(scene.past.commit({".wiki/a.md": "1"}))


async def test_a_server_that_knows_no_list_of_commits_tells_no_history(scene: Scene) -> None:
    scene.forge.fail("*/commits", status=404, body="404 page not found\n")

    with pytest.raises(NoHistory):
        await scene.read(scene.past.commit({".wiki/a.md": "1"}))


async def test_a_repository_that_went_meanwhile_has_not_an_empty_history(scene: Scene) -> None:
    head = scene.past.commit({".wiki/a.md": "1"})
    scene.forge.delete("ann/app")

    with pytest.raises(RepositoryNotFound):
        await scene.read(head)


async def test_a_list_that_ends_before_its_count_is_not_believed(scene: Scene) -> None:
    head = edit(scene.past, 3)[-1]
    scene.forge.spoil("*/commits", lambda answer: replace_header(answer, "X-Total-Count", "4"))

    with pytest.raises(SourceUnreachable, match="ends before its count"):
        await scene.read(head)


async def test_trouble_in_the_middle_keeps_what_came(scene: Scene) -> None:
    head = edit(scene.past, 5)[-1]
    scene.forge.fail("*/file-contents", status=502, skip=2)
    with pytest.raises(SourceUnreachable):
        await scene.read(head)
    scene.forge.heal()

    assert (len(scene.kept.commits), await scene.read(head)) == (2, ["commits", "file-contents", "file-contents"])
    assert is_right(scene, head)


async def test_a_commit_that_is_gone_is_told_from_a_folder_that_is_not_there(tmp_path: Path) -> None:
    scene = open_scene(tmp_path, "forgejo-12", blobs="git/blobs")
    head = edit(scene.past, 2)[-1]
    scene.forge.fail("*/git/trees/*:.wiki", status=400, body="{}")

    with pytest.raises(SourceUnreachable, match="a commit of its history is no longer there"):
        await scene.read(head)


async def test_files_that_a_server_refuses_once_are_found_by_trees_and_it_is_asked_again(scene: Scene) -> None:
    head = edit(scene.past, 3)[-1]
    scene.forge.fail("*/file-contents", status=404, body='{"message": "not found"}', times=1)

    asked = [path.partition("/")[0] for path in await scene.read(head)]

    assert (asked, is_right(scene, head)) == (["commits", "file-contents", "git", "git", "file-contents"], True)


def replace_header(answer: Answer, name: str, value: str) -> Answer:
    return replace(answer, headers={**answer.headers, name: value})


# --- any history


@settings(max_examples=40)
@given(drawn=drawn_histories(), heads=st.lists(st.integers(0, 11), max_size=3), dialect=st.sampled_from(DIALECTS))
def test_any_history_brought_push_by_push_is_the_one_that_git_has(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[Drawn], heads: list[int], dialect: str
) -> None:
    scene = open_scene(tmp_path_factory.mktemp("scene"), dialect)
    made = make(scene.past, drawn)
    for head in [*(made[each % len(made)] for each in heads), made[-1]]:
        asyncio.run(bring(scene.source, scene.quest(head), scene.kept))

    assert is_right(scene, made[-1])
    assert scene.kept.total == len(scene.kept.order or ())


@settings(max_examples=25)
@given(drawn=drawn_histories(), most=st.integers(4, 9), dialect=st.sampled_from(DIALECTS))
def test_any_history_brought_by_a_few_requests_at_a_time_has_every_text(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[Drawn], most: int, dialect: str
) -> None:
    scene = open_scene(tmp_path_factory.mktemp("scene"), dialect)
    head = make(scene.past, drawn)[-1]
    asyncio.run(scene.read_bit_by_bit(head, most))

    named = {oid for each in scene.kept.shown() for change in each.changes for oid in (change.before, change.after)}
    assert is_right(scene, head)
    assert named - {None} <= scene.kept.texts.keys() | set(pages(scene.past.path, head).values())
