"""Decisions as a table: what was known, what is listed, what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.model import (
    Listing,
    RepositoryId,
    Resolved,
    Revision,
    RosterEntry,
    SourceConfig,
    SourceListing,
    split_id,
)
from pipeline.plan import (
    Blank,
    Forget,
    Keep,
    Missing,
    Plan,
    Probe,
    Renamed,
    Rest,
    Situation,
    Unreadable,
    Unseen,
    is_settled,
    make_plan,
    repository_of,
    same_key,
)
from tests.fakes.memory import START

NOON = START
QUIET = NOON - timedelta(hours=1)
NAMES = tuple("abcdefghij")
MANY = tuple("abcdefghijklmno")


def listing(name: str, **changes: object) -> Listing:
    made = Listing(repository=RepositoryId(f"host/ann/{name}"), forge_id=name, default_branch="main", updated_at=QUIET)
    return replace(made, **changes)  # type: ignore[arg-type]  # fields by name


def entry(name: str, **changes: object) -> RosterEntry:
    found = listing(name)
    revision = Revision(repository=found.repository, ref="main", commit="c" * 40, committed_at=QUIET)
    trees = ((".tasks", "t" * 40),)
    made = RosterEntry(
        source="host",
        listing=found,
        head=Resolved(revision=revision, trees=trees),
        state="ok",
        reason=None,
        settled=True,
        shared=False,
        trees=trees,
        snapshot_digest="d" * 64,
        evidence="blobs",
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # fields by name


def situation(
    entries: Sequence[RosterEntry], listings: Sequence[Listing], *, complete: bool = True, **changes: object
) -> Situation:
    made = Situation(
        source=SourceConfig(kind="gitea", name="host"),
        shared_wiki="projects-wiki",
        entries=tuple(entries),
        answer=SourceListing(
            listings=tuple(listings),
            complete=complete,
            reason=None if complete else "owner bob: HTTP 503",
            observed_at=NOON,
        ),
        now=NOON,
    )
    return replace(made, **changes)  # type: ignore[arg-type]  # fields by name


def words(plan: Plan) -> dict[str, str]:
    """Each repository's short name and what is done about it."""
    return {split_id(repository_of(step))[2]: type(step).__name__ for step in plan.steps}


def only(plan: Plan) -> object:
    (step,) = plan.steps
    return step


# --- what is listed


def test_a_settled_repository_with_an_equal_key_is_kept_without_a_request() -> None:
    plan = make_plan(situation([entry("a")], [listing("a")]))

    assert only(plan) == Keep(listing=listing("a"), entry=entry("a"))


@pytest.mark.parametrize(
    ("known", "today", "why"),
    [
        (entry("a"), {"updated_at": QUIET + timedelta(seconds=1)}, "changed"),
        (entry("a"), {"updated_at": QUIET - timedelta(days=1)}, "changed"),
        (entry("a"), {"mirror_updated": QUIET}, "changed"),
        (entry("a"), {"default_branch": "next"}, "changed"),
        (entry("a", listing=listing("a", readable=False)), {}, "changed"),
        (entry("a", settled=False), {}, "unsettled"),
        (entry("a", snapshot_digest=None), {}, "no_snapshot"),
        (entry("a", shared=True), {}, "selection"),
        (entry("a"), {"empty": True}, "said_empty"),
        (None, {}, "new"),
    ],
)
def test_what_may_have_changed_is_probed(known: RosterEntry | None, today: dict[str, object], why: str) -> None:
    step = only(make_plan(situation([known] if known else [], [listing("a", **today)])))

    assert isinstance(step, Probe)
    assert (step.entry, step.why) == (known, why)


@pytest.mark.parametrize("name", ["a", "ann/a", "host/ann/a"])
def test_a_repository_that_somebody_hinted_at_is_probed(name: str) -> None:
    plan = make_plan(situation([entry("a"), entry("b")], [listing("a"), listing("b")], hinted=frozenset({name})))

    assert [(type(step).__name__, getattr(step, "why", None)) for step in plan.steps] == [
        ("Probe", "hint"),
        ("Keep", None),
    ]


def test_a_repository_that_is_called_empty_is_asked_when_somebody_hinted_at_it() -> None:
    step = only(make_plan(situation([], [listing("a", empty=True)], hinted=frozenset({"a"}))))

    assert isinstance(step, Probe)


def test_in_an_audit_no_listing_is_believed_and_an_empty_repository_is_not_asked() -> None:
    blank = entry("b", listing=listing("b", empty=True), trees=())

    plan = make_plan(situation([entry("a"), blank], [listing("a"), listing("b", empty=True)], audit=True))

    assert [(type(step).__name__, getattr(step, "why", None)) for step in plan.steps] == [
        ("Probe", "audit"),
        ("Blank", None),
    ]


def test_an_audit_does_not_ask_for_what_a_listing_left_out() -> None:
    assert words(make_plan(situation([entry("a")], [], complete=False, audit=True))) == {"a": "Unseen"}


def test_archiving_and_visibility_are_taken_over_without_a_request() -> None:
    today = listing("a", archived=True, visibility="public")

    assert only(make_plan(situation([entry("a")], [today]))) == Keep(listing=today, entry=entry("a"))


def test_a_source_without_times_is_always_probed() -> None:
    silent = listing("a", updated_at=None)

    step = only(make_plan(situation([entry("a", listing=silent, settled=False)], [silent])))

    assert isinstance(step, Probe)
    assert not step.settled


def test_a_repository_that_was_only_stale_with_its_source_is_believed_again() -> None:
    stale = entry("a", state="unreachable", reason="HTTP 503")

    assert words(make_plan(situation([stale], [listing("a")]))) == {"a": "Keep"}


def test_an_empty_repository_is_not_asked() -> None:
    new = listing("a", empty=True)

    assert only(make_plan(situation([], [new]))) == Blank(listing=new, entry=None, shared=False)


def test_a_repository_that_may_not_be_read_is_not_asked() -> None:
    locked = listing("a", readable=False)

    assert only(make_plan(situation([entry("a")], [locked]))) == Unreadable(
        listing=locked, entry=entry("a"), shared=False
    )


def test_a_knowledge_root_is_marked_and_looked_at_anew_when_it_becomes_one() -> None:
    steps = make_plan(replace(situation([entry("a")], [listing("a")]), roots=frozenset({"a"})))

    step = only(steps)
    assert isinstance(step, Probe)
    assert (step.is_root, step.why) == (True, "selection")


def test_the_shared_wiki_is_marked() -> None:
    step = only(make_plan(situation([], [listing("projects-wiki")])))

    assert isinstance(step, Probe)
    assert step.shared


@pytest.mark.parametrize(
    ("updated", "mirrored", "observed", "settled"),
    [
        (QUIET, None, NOON, True),
        (NOON - timedelta(seconds=5), None, NOON, True),
        (NOON - timedelta(seconds=4), None, NOON, False),
        (NOON + timedelta(days=365), None, NOON, False),
        (QUIET, NOON - timedelta(seconds=1), NOON, False),
        (QUIET, QUIET, NOON, True),
        (None, None, NOON, False),
        (QUIET, None, None, False),
    ],
)
def test_a_listing_is_settled_when_nothing_moved_for_five_seconds_by_the_source_s_clock(
    updated: datetime | None, mirrored: datetime | None, observed: datetime | None, settled: bool
) -> None:
    assert is_settled(listing("a", updated_at=updated, mirror_updated=mirrored), observed) is settled


def test_times_are_compared_as_instants() -> None:
    elsewhere = QUIET.astimezone(tz=None)

    assert same_key(listing("a", updated_at=QUIET), listing("a", updated_at=elsewhere))


# --- what is not listed


def test_nothing_is_lost_by_an_incomplete_listing() -> None:
    plan = make_plan(situation([entry("a"), entry("b")], [listing("a")], complete=False))

    assert plan.steps[1] == Unseen(entry=entry("b"), reason="owner bob: HTTP 503", since=None)
    assert plan.doubt is None


def test_a_repository_that_is_missing_for_the_first_time_stays() -> None:
    step = make_plan(situation([entry("a"), entry("b")], [listing("a")])).steps[1]

    assert isinstance(step, Missing)
    assert (step.since, step.ask) == (NOON, False)


@pytest.mark.parametrize(("seconds", "ask"), [(59, False), (60, True), (86_400, True)])
def test_it_takes_a_second_listing_a_minute_later(seconds: int, ask: bool) -> None:
    since = NOON - timedelta(seconds=seconds)
    missing = situation([entry("a"), entry("b")], [listing("a")], missing_since={RepositoryId("host/ann/b"): since})

    step = make_plan(missing).steps[1]

    assert isinstance(step, Missing)
    assert (step.since, step.ask) == (since, ask)


def test_a_clock_that_ran_back_starts_the_minute_anew() -> None:
    ahead = {RepositoryId("host/ann/b"): NOON + timedelta(days=3650)}

    step = make_plan(situation([entry("a"), entry("b")], [listing("a")], missing_since=ahead)).steps[1]

    assert isinstance(step, Missing)
    assert (step.since, step.ask) == (NOON, False)


def test_for_a_source_without_a_clock_two_runs_are_enough() -> None:
    answer = SourceListing(listings=(listing("a"),), complete=True)
    since = {RepositoryId("host/ann/b"): NOON - timedelta(seconds=1)}

    step = make_plan(situation([entry("a"), entry("b")], [], answer=answer, missing_since=since)).steps[1]

    assert isinstance(step, Missing)
    assert step.ask


@pytest.mark.parametrize(
    ("known", "listed", "doubted"),
    [
        (10, 10, False),
        (10, 8, False),
        (10, 7, True),
        (15, 12, False),
        (14, 11, True),
        (3, 1, False),
        (4, 1, True),
        (1, 0, True),
        (2, 0, True),
    ],
)
def test_a_large_loss_is_doubted(known: int, listed: int, doubted: bool) -> None:
    plan = make_plan(situation([entry(name) for name in MANY[:known]], [listing(name) for name in MANY[:listed]]))

    assert (plan.doubt is not None) is doubted


def test_a_listing_that_is_not_whole_is_no_loss_to_doubt() -> None:
    plan = make_plan(situation([entry(name) for name in NAMES], [], complete=False))

    assert (plan.doubt, set(words(plan).values())) == (None, {"Unseen"})


def test_a_doubted_loss_is_not_even_asked_about_and_says_what_to_do() -> None:
    since = {RepositoryId("host/ann/a"): NOON - timedelta(days=1)}

    plan = make_plan(situation([entry("a")], [], missing_since=since))

    assert plan.doubt == (
        "host no longer lists 1 of 1 repositories; nothing is removed: look at the source and its account's rights, "
        "then run `doit accept_removals=1` if that is right"
    )
    assert only(plan) == Missing(entry=entry("a"), reason=plan.doubt, since=NOON - timedelta(days=1), ask=False)


def test_a_person_s_word_lifts_the_doubt_and_the_wait_but_not_the_question() -> None:
    plan = make_plan(situation([entry("a")], [], accept_removals=True))

    step = only(plan)
    assert isinstance(step, Missing)
    assert (plan.doubt, step.ask) == (None, True)


def test_a_person_s_word_does_not_make_a_short_answer_whole() -> None:
    plan = make_plan(situation([entry("a")], [], complete=False, accept_removals=True))

    assert words(plan) == {"a": "Unseen"}


# --- names


def test_the_same_forge_id_under_another_name_is_a_rename_and_its_state_is_carried() -> None:
    plan = make_plan(situation([entry("old")], [listing("new", forge_id="old")]))

    assert plan.steps == (
        Keep(listing=listing("new", forge_id="old"), entry=entry("old")),
        Renamed(entry=entry("old"), to=RepositoryId("host/ann/new")),
    )


def test_the_same_name_with_another_forge_id_is_a_new_repository() -> None:
    step = only(make_plan(situation([entry("a")], [listing("a", forge_id="77")])))

    assert isinstance(step, Probe)
    assert (step.entry, step.why) == (None, "new")


def test_two_repositories_may_swap_their_names() -> None:
    plan = make_plan(situation([entry("a"), entry("b")], [listing("a", forge_id="b"), listing("b", forge_id="a")]))

    assert plan.steps == (
        Keep(listing=listing("a", forge_id="b"), entry=entry("b")),
        Keep(listing=listing("b", forge_id="a"), entry=entry("a")),
    )


# --- what the configuration asks for


def test_what_is_no_longer_asked_for_leaves_at_once_even_when_the_source_is_silent() -> None:
    source = SourceConfig(kind="gitea", name="host", exclude=("a",))

    plan = make_plan(situation([entry("a"), entry("b")], [], complete=False, source=source))

    assert plan.steps[0] == Forget(entry=entry("a"), why="configuration")
    assert words(plan) == {"a": "Forget", "b": "Unseen"}


def test_a_decision_is_no_loss_to_doubt() -> None:
    source = SourceConfig(kind="gitea", name="host", include=("a",))

    plan = make_plan(situation([entry(name) for name in NAMES], [listing(name) for name in NAMES], source=source))

    assert plan.doubt is None
    assert list(words(plan).values()) == ["Keep", *["Forget"] * 9]


def test_the_row_of_a_gone_repository_stays_for_thirty_days() -> None:
    gone = entry("a", state="gone", snapshot_digest=None)
    name = RepositoryId("host/ann/a")

    young = make_plan(situation([gone], [], gone_since={name: NOON - timedelta(days=30)}))
    old = make_plan(situation([gone], [], gone_since={name: NOON - timedelta(days=30, seconds=1)}))

    assert only(young) == Rest(entry=gone)
    assert only(old) == Forget(entry=gone, why="expired")


def test_a_gone_repository_that_is_listed_again_is_a_new_one() -> None:
    gone = entry("a", state="gone", snapshot_digest=None)

    step = only(make_plan(situation([gone], [listing("a")])))

    assert isinstance(step, Probe)
    assert step.entry is None


# --- always

repositories = st.builds(listing, st.sampled_from(NAMES), forge_id=st.sampled_from(("1", "2", "3", "4")))
rows = st.builds(
    lambda name, forge_id, **changes: entry(name, listing=listing(name, forge_id=forge_id), **changes),
    st.sampled_from(NAMES),
    st.sampled_from(("1", "2", "3", "4")),
    state=st.sampled_from(("ok", "unreachable", "gone", "renamed")),
    settled=st.booleans(),
)
situations = st.builds(
    situation,
    st.lists(rows, max_size=8, unique_by=lambda row: row.listing.repository),
    st.lists(repositories, max_size=8, unique_by=(lambda each: each.repository, lambda each: each.forge_id)),
    complete=st.booleans(),
    accept_removals=st.booleans(),
    missing_since=st.dictionaries(
        st.sampled_from([RepositoryId(f"host/ann/{name}") for name in NAMES]),
        st.datetimes(datetime(2016, 1, 1), datetime(2036, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    ),
)


@given(situations)
def test_every_repository_has_one_step_in_order_of_its_id(found: Situation) -> None:
    names = [repository_of(step) for step in make_plan(found).steps]
    known = {each.listing.repository for each in found.entries} | {each.repository for each in found.answer.listings}

    assert names == sorted(known)


@given(situations)
def test_nothing_may_leave_on_a_listing_that_is_not_whole(found: Situation) -> None:
    short = replace(found, answer=replace(found.answer, complete=False), gone_since={})

    assert not [step for step in make_plan(short).steps if isinstance(step, Missing | Forget)]


@given(situations)
def test_only_settled_rows_with_a_snapshot_of_their_own_are_believed(found: Situation) -> None:
    kept = [step for step in make_plan(found).steps if isinstance(step, Keep)]

    assert all(step.entry.settled and step.entry.snapshot_digest for step in kept)
    assert all(step.entry.listing.forge_id == step.listing.forge_id for step in kept)
