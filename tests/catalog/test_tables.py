"""Every task with what its history tells."""

from datetime import timedelta

from pipeline.catalog.answers import Span
from pipeline.catalog.tables import tasks_of_all
from pipeline.model import RepositoryId
from tests.fakes.catalogs import Project, item
from tests.fakes.page_histories import AT, change, history

HOUR = timedelta(hours=1)
TOLD = Project(
    repository="forge/ann/api",
    board="# Board\n",
    items=(item("login", owner="Ann"), item("deploy", line=2), item("quiet", line=3)),
    history=history(
        "forge/ann/api",
        tasks=(
            change("login", AT + 2 * HOUR, kind="next", before="a", after="b"),
            change("login", AT + HOUR),
            change("login", AT, kind="appeared", before=None),
            change("deploy", AT, kind="appeared", before=None),
        ),
    ),
)
UNTOLD = Project(repository="forge/bob/web", board="# Board\n", items=(item("start"),))
ALL = Span(first=RepositoryId("forge/ann/api"), last=RepositoryId("forge/bob/web"), skip=0, count=99)


def test_a_task_has_its_status_since_the_last_change_of_status(show):
    rows = tasks_of_all(show(TOLD, UNTOLD), ALL)

    assert [(row.slug, row.since) for row in rows] == [
        ("login", AT + HOUR),
        ("deploy", AT),
        ("quiet", None),
        ("start", None),
    ]


def test_a_task_changed_last_when_anything_of_it_did_or_else_with_its_project(show):
    login, deploy, quiet, start = tasks_of_all(show(TOLD, UNTOLD), ALL)

    assert (login.changed_at, deploy.changed_at) == (AT + 2 * HOUR, AT)
    assert quiet.changed_at == start.changed_at
    assert quiet.changed_at not in (None, AT)


def test_a_board_names_owners_when_one_of_its_tasks_has_one(show):
    rows = tasks_of_all(show(TOLD, UNTOLD), ALL)

    assert [(row.owner, row.names_owners) for row in rows] == [
        ("Ann", True),
        (None, True),
        (None, True),
        (None, False),
    ]


def test_a_history_that_ends_at_another_status_does_not_tell_since_when(show):
    moved = Project(
        repository="forge/ann/api",
        board="# Board\n",
        items=(item("login", status="done"),),
        history=history("forge/ann/api", tasks=(change("login", AT),)),
    )

    (login,) = tasks_of_all(show(moved), ALL)

    assert (login.since, login.changed_at) == (None, AT)


def test_a_span_is_by_project_and_place_in_the_board(show):
    span = Span(first=ALL.first, last=ALL.last, skip=2, count=2)

    assert [(row.project, row.slug) for row in tasks_of_all(show(UNTOLD, TOLD), span)] == [
        ("forge/ann/api", "quiet"),
        ("forge/bob/web", "start"),
    ]
