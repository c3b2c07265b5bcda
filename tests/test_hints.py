"""What a push hook says is kept until a sync has answered it, and nothing that it says can do harm."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from pipeline import files, hints
from pipeline.layout import Layout
from pipeline.model import RepositoryId

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
API = RepositoryId("git.example.org/acme/api")
BOB_API = RepositoryId("git.example.org/bob/api")
WIKI = RepositoryId("git.example.org/acme/Wiki")


@pytest.fixture
def place(tmp_path):
    """A build folder whose first sync has begun."""
    files.write_atomic(Layout(tmp_path).roster, b"{}\n")
    return Layout(tmp_path)


def test_names_are_answered_sorted_and_each_once(place):
    hints.add(place, ["bob/api", "acme/api"], NOON)
    hints.add(place, ["acme/api"], NOON)

    assert hints.read(place, NOON) == ("acme/api", "bob/api")


def test_before_the_first_hint_there_is_none(place):
    assert hints.read(place, NOON) == ()


def test_before_the_first_sync_no_hint_is_kept_since_that_asks_for_everything(tmp_path):
    assert hints.add(Layout(tmp_path), ["acme/api", "a/b/c/d"], NOON) == ("a/b/c/d",)
    assert list(tmp_path.iterdir()) == []


def test_a_killed_sync_finds_its_hints_again(place):
    hints.add(place, ["acme/api"], NOON)
    hints.read(place, NOON)

    assert hints.read(place, NOON) == ("acme/api",)


def test_a_hint_that_was_answered_is_forgotten_and_the_others_stay(place):
    hints.add(place, ["acme/api", "acme/wiki"], NOON)
    hints.clear(place, hints.read(place, NOON)[:1])

    assert hints.read(place, NOON) == ("acme/wiki",)


def test_a_hint_given_while_a_sync_runs_is_for_the_next_one(place):
    hints.add(place, ["acme/api"], NOON)
    taken = hints.read(place, NOON)
    hints.add(place, ["acme/api"], NOON)
    hints.clear(place, taken)

    assert hints.read(place, NOON) == ("acme/api",)


def test_a_hint_that_nothing_answers_leaves_after_a_day(place):
    hints.add(place, ["acme/apii"], NOON)

    assert hints.read(place, NOON + timedelta(days=1)) == ("acme/apii",)
    assert hints.read(place, NOON + timedelta(days=1, seconds=1)) == ()
    assert hints.read(place, NOON) == ()


def test_a_hint_given_again_has_its_day_anew(place):
    hints.add(place, ["acme/apii"], NOON)
    hints.read(place, NOON)
    hints.add(place, ["acme/apii"], NOON + timedelta(hours=20))

    assert hints.read(place, NOON + timedelta(hours=40)) == ("acme/apii",)


@pytest.mark.parametrize("text", ["", "acme/", "a/b/c/d", "a\nb", "a\x1b[2J", "a\u2028b", "\udcff", "x" * 301])
def test_a_text_that_is_no_name_is_refused_and_holds_up_none_of_the_others(place, text):
    assert hints.add(place, [text, "acme/api"], NOON) == (text,)
    assert hints.read(place, NOON) == ("acme/api",)


@pytest.mark.parametrize("name", ["../../passwd", "..", "C:\\x", "con", "проекты/смета", "a b"])
def test_a_name_is_never_a_path(place, name):
    hints.add(place, [name], NOON)

    assert hints.read(place, NOON) == (name,)
    assert [path.name for path in place.root.iterdir()] == ["sync"]


def test_more_than_a_thousand_do_not_pile_up(place):
    names = [f"acme/{number}" for number in range(1001)]

    assert hints.add(place, names, NOON) == ("acme/1000",)
    assert len(hints.read(place, NOON)) == 1000
    assert hints.add(place, ["acme/1000", "acme/7"], NOON) == ("acme/1000",)


def test_a_file_that_is_not_ours_is_no_hint(place):
    hints.add(place, ["acme/api"], NOON)
    place.hint("acme/wiki").write_bytes(b"{")

    assert hints.read(place, NOON) == ("acme/api",)


def test_hints_given_at_the_same_moment_are_all_kept(place):
    code = "import sys, datetime, pathlib; from pipeline import hints, layout; place = layout.Layout(pathlib.Path("
    code += "sys.argv[1])); hints.add(place, sys.argv[2:], datetime.datetime.now(datetime.UTC))"
    command = [sys.executable, "-c", code, str(place.root), "acme/api"]
    running = [subprocess.Popen([*command, f"acme/{number}"]) for number in range(4)]

    assert [process.wait(timeout=60) for process in running] == [0, 0, 0, 0]
    assert hints.read(place, NOON) == ("acme/0", "acme/1", "acme/2", "acme/3", "acme/api")


@pytest.mark.parametrize(
    ("name", "is_answered"),
    [
        ("git.example.org/acme/api", True),
        ("acme/api", True),
        ("api", True),
        ("ACME/wiki", True),
        ("acme", False),
        ("example.org/acme/api", False),
    ],
)
def test_a_name_is_answered_by_any_repository_that_people_call_so(name, is_answered):
    assert hints.answered([name], [API, BOB_API, WIKI]) == ((name,) if is_answered else ())
