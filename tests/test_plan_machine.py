"""Whatever happens on a forge and on the way to it, what we keep is right or says that it may not be.

A real sync runs against the fake forge, between events that Hypothesis makes up.  Two things must hold (the model is
`tests/fakes/kept_forge.py`):

* after a sync without trouble, of a forge that was quiet for a while, our snapshots equal the forge;
* after any other, each repository shows a state that it had, no older one than before, and an outdated one says why.

What no listing tells (a push round the forge, a push whose time has not moved yet) may stay unseen until a hint, an
audit, or that time.  A repository leaves after two whole listings without it, a minute or more apart, and the forge's
own "there is no such", unless so many are missing at once that a person must say so.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import orjson
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from pipeline.layout import Layout
from tests.fakes import faults
from tests.fakes.gitea import open_fake_forge
from tests.fakes.gitea_http import Answer
from tests.fakes.kept_forge import TOKEN, KeptForge, Killed, Rows

NAMES = tuple(f"ann/{name}" for name in ("alpha", "beta", "gamma", "delta", "Alpha", "omega", "projects-wiki"))
AWAY = "bob/away"
PATHS = (".tasks/STATUS.md", ".wiki/index.md", ".wiki/deep/page.md", "notes.md", "src/main.py")
LISTING = "/api/v1/users/ann/repos"
EMPTY_LIST = {"status": 200, "body": "[]", "headers": {"X-Total-Count": "0", "Content-Type": "application/json"}}

Trouble = tuple[str, faults.Canned]

PICKS = st.integers(0, 6)
PATHS_TO_PUSH = st.sampled_from(PATHS)
TEXTS = st.sampled_from(["one", "two", "three"])
CONTENT_TROUBLE = st.sampled_from(
    [
        ("git/trees/*", {"status": 500}),
        ("git/trees/*", {"status": 403}),
        ("git/trees/*", {"status": 404}),
        ("git/trees/*", faults.LOGIN_PAGE),
        ("raw/*", {"status": 404}),
        ("raw/*", {"status": 500}),
        ("raw/*", faults.LOGIN_PAGE),
        ("file-contents*", {"status": 500}),
        ("*", {"status": 503}),
    ]
)
LISTING_TROUBLE = st.sampled_from(
    [
        ("whole", {"status": 500}),
        ("whole", {"status": 404}),
        ("whole", faults.LOGIN_PAGE),
        ("rest", {"status": 502}),
        ("empty", EMPTY_LIST),
        ("short", {}),
    ]
)
GONE_TROUBLE = st.sampled_from([{"status": 500}, {"status": 404, "body": "<html>"}])


class Syncing(RuleBasedStateMachine):
    """A forge, its people, the way to it, and us."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="machine-"))
        forge = open_fake_forge(self.folder)
        forge.token(TOKEN)
        forge.limits.items = 2
        self.kept = KeptForge(forge, Layout(self.folder / "build"))
        self.forge = forge

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize(pushed=st.booleans(), mirror=st.booleans())
    def begin(self, pushed: bool, mirror: bool) -> None:
        self.forge.add_user("ann")
        for name in NAMES[:3]:
            self.forge.add(name, {PATHS[0]: name} if pushed else None, mirror=mirror and name == NAMES[0])
            self.kept.note(name)
        self.sync_in_calm(accept=False, audit=False)

    # --- names

    def names(self, *, mirror: bool = False) -> list[str]:
        return sorted(each.full_name for each in self.forge.repositories.values() if each.mirror == mirror)

    def pick(self, number: int, *, mirror: bool | None = None) -> str:
        found = self.names(mirror=bool(mirror)) + (self.names(mirror=True) if mirror is None else [])
        return found[number % len(found)]

    def free(self, number: int) -> str:
        found = [name for name in (*NAMES, AWAY) if self.forge.find(name) is None]
        return found[number % len(found)]

    @precondition(lambda self: len(self.forge.repositories) < 6)
    @rule(number=PICKS, text=st.none() | TEXTS, mirror=st.booleans())
    def create(self, number: int, text: str | None, mirror: bool) -> None:
        name = self.free(number)
        self.forge.add(name, None if text is None else {PATHS[0]: text}, mirror=mirror)
        self.kept.note(name)

    @precondition(lambda self: self.forge.repositories)
    @rule(change=st.sampled_from(["rename", "swap", "rename", "delete", "delete three"]), one=PICKS, other=PICKS)
    def change_names(self, change: str, one: int, other: int) -> None:
        {
            "rename": lambda: self.rename(self.pick(one), self.free(other)),
            "swap": lambda: self.swap(self.pick(one), self.pick(other)),
            "delete": lambda: self.delete([self.pick(one)]),
            "delete three": lambda: self.delete(self.names()[:3]),
        }[change]()

    def delete(self, names: list[str]) -> None:
        for name in names:
            self.forge.delete(name)

    def rename(self, name: str, to: str) -> None:
        self.forge.rename(name, to)
        self.kept.note(to)

    def swap(self, one: str, other: str) -> None:
        self.rename(one, "ann/aside")
        if one != other:
            self.rename(other, one)
        self.rename("ann/aside", other)

    # --- pushes

    @precondition(lambda self: self.names())
    @rule(how=st.sampled_from(["push", "force", "default"]), number=PICKS, path=PATHS_TO_PUSH, text=TEXTS)
    def push(self, how: str, number: int, path: str, text: str) -> None:
        name = self.pick(number, mirror=False)
        branch = "dev/next" if how == "default" else None
        push = self.forge.force_push if how == "force" else self.forge.commit
        push(name, {path: text}, branch=branch)
        self.kept.note(name, told=True)
        self.forge.set_default_branch(name, branch or self.forge[name].default_branch)
        self.kept.note(name)

    @precondition(lambda self: self.names())
    @rule(
        number=PICKS,
        path=PATHS_TO_PUSH,
        text=TEXTS,
        late_s=st.sampled_from([None, None, 2.0, 8.0, 30.0]),
        is_hinted=st.booleans(),
    )
    def push_untold(self, number: int, path: str, text: str, late_s: float | None, is_hinted: bool) -> None:
        name = self.pick(number, mirror=False)
        was_empty = self.forge[name].empty
        self.forge.commit(name, {path: text}, bump=False, bump_after=late_s)
        # A first push shows by the repository being empty no more, which waits for the queue, too.
        self.kept.note(name, told=was_empty and late_s is None, late_s=late_s)
        if is_hinted:
            self.kept.hint(name)

    @precondition(lambda self: self.names(mirror=True))
    @rule(number=PICKS, text=st.none() | TEXTS, hours=st.sampled_from([-30, 0, 0.001, 1, 50]))
    def mirror_sync(self, number: int, text: str | None, hours: float) -> None:
        name = self.pick(number, mirror=True)
        committed_at = self.forge.clock - timedelta(hours=hours)
        self.forge.mirror_sync(name, None if text is None else {PATHS[0]: text}, committed_at=committed_at)
        self.kept.note(name, told=True)

    # --- rights, settings, clocks

    @precondition(lambda self: self.forge.repositories)
    @rule(number=PICKS, change=st.sampled_from(["code", "no code", "private", "public"]))
    def change_rights(self, number: int, change: str) -> None:
        name = self.pick(number)
        if change in ("code", "no code"):
            self.forge[name].pull = change == "code"
        else:
            self.forge.make_private(name, private=change == "private")
        self.kept.note(name)

    @rule(
        exclude=st.sampled_from([(), ("omega",), ("alpha", "Alpha")]),
        hours=st.sampled_from([0, -90_000, -2, 0.5, 30, 800, 90_000]),
    )
    def change_what_is_asked_for_and_our_clock(self, exclude: tuple[str, ...], hours: float) -> None:
        self.kept.exclude = exclude
        self.kept.set_our_clock(timedelta(hours=hours))

    @rule(seconds=st.sampled_from([0.4, 1, 4, 6, 61, 4000]))
    def let_time_go_by(self, seconds: float) -> None:
        self.kept.tick(seconds)

    # --- runs

    def around(self) -> tuple[Rows, frozenset[int]]:
        """What we keep before a run, and what a whole listing tells it."""
        return self.kept.rows(), frozenset(self.kept.listed())

    @rule(accept=st.booleans(), audit=st.booleans())
    def sync_in_calm(self, accept: bool, audit: bool) -> None:
        self.kept.tick(4000)
        (before, lists), is_due = self.around(), audit and self.kept.is_audit_due()
        assert self.kept.sync(accept=accept, audit=audit)
        self.kept.check_run(before, accept=accept, lists=lists, audited=is_due, exact=True)
        self.kept.check_calm()

    @precondition(lambda self: self.forge.repositories)
    @rule(
        trouble=st.lists(st.tuples(PICKS, CONTENT_TROUBLE), max_size=3),
        gone=st.none() | GONE_TROUBLE,
        accept=st.booleans(),
    )
    def sync(self, trouble: list[tuple[int, Trouble]], gone: faults.Canned | None, accept: bool) -> None:
        for which, (pattern, fault) in trouble:
            self.forge.fail(f"/api/v1/repos/{self.pick(which)}/{pattern}", **fault)
        self.forge.fail("/api/v1/repositories/*", **gone or {"status": 500, "times": 0})
        before, lists = self.around()
        assert self.kept.sync(accept=accept)
        self.forge.heal()
        self.kept.check_run(before, accept=accept, lists=lists, exact=not trouble and gone is None)

    @precondition(lambda self: self.forge.repositories)
    @rule(trouble=LISTING_TROUBLE, number=PICKS, accept=st.booleans())
    def sync_by_a_bad_listing(self, trouble: Trouble, number: int, accept: bool) -> None:
        kind, fault = trouble
        hidden = self.forge[self.pick(number)].id
        if kind == "short":
            self.forge.spoil(LISTING, lambda answer: _without(answer, hidden))
        else:
            self.forge.fail(LISTING, **fault, skip=int(kind == "rest"))
        before, lists = self.around()
        assert self.kept.sync(accept=accept)
        self.forge.heal()
        told = {"empty": frozenset[int](), "short": lists - {hidden}}.get(kind, lists)
        self.kept.check_run(before, accept=accept, lists=told if self.kept.is_listing_whole() else None)

    @precondition(lambda self: self.names())
    @rule(what=st.sampled_from(["push", "force", "kill"]), after=st.integers(0, 9), number=PICKS, text=TEXTS)
    def sync_while_something_happens(self, what: str, after: int, number: int, text: str) -> None:
        name = self.pick(number, mirror=False)
        push = self.forge.force_push if what == "force" else self.forge.commit

        def answer_meanwhile(answer: Answer) -> Answer:
            if what == "kill":
                raise Killed
            push(name, {PATHS[0]: text})
            self.kept.note(name, told=True)
            self.kept.meanwhile.add(self.forge[name].id)
            return answer

        self.forge.spoil("*", answer_meanwhile, skip=after, times=1)
        before, lists = self.around()
        check = self.kept.check_run if self.kept.sync() else self.kept.check_killed
        self.forge.heal()
        check(before, lists=lists)
        self.kept.meanwhile.clear()


def _without(answer: Answer, number: int) -> Answer:
    """The page as if its reader might not see one repository: the total stays."""
    return replace(answer, body=orjson.dumps([row for row in orjson.loads(answer.body) if row["id"] != number]))


TestSyncing = Syncing.TestCase
TestSyncing.settings = settings(
    max_examples=60,
    derandomize=True,
    stateful_step_count=20,
    report_multiple_bugs=False,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
