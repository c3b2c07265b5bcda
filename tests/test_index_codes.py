"""Codes that pages of several repositories have a claim to, as the catalog settles them."""

from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import index
from pipeline.codes import claim_of, page_code, settle, with_code
from pipeline.model import RepoPath, RepositoryId
from tests.fakes.catalogs import Project, create, update
from tests.fakes.page_histories import history, page

NAMES = ("a", "b")
REPOSITORIES = tuple(RepositoryId(f"forge/ann/{name}") for name in ("one", "three", "two"))


def made(repository, name):
    return page_code(RepositoryId(repository), RepoPath(f".wiki/{name}.md"))


def project(repository, *asked, moved=False):
    """A project whose pages a, b, … ask for codes (None: for none), settled within itself as artifacts are."""
    addresses = [(RepoPath(f".wiki/{name}.md"), RepoPath(f".wiki/old-{name}.md"))[: 1 + moved] for name in NAMES]
    pages = [
        page(name, asked=code, addresses=began) for name, code, began in zip(NAMES, asked, addresses, strict=False)
    ]
    grants = settle([claim_of(RepositoryId(repository), one) for one in pages])
    texts = {one.slug or "": "x\n" for one in pages}
    return Project(repository=repository, pages=texts, history=history(repository, *map(with_code, pages, grants)))


def settled(*projects):
    with closing(create(":memory:", projects)) as connection:
        return index.dump(connection)["settled_codes"]


def test_where_no_code_is_claimed_twice_nothing_is_settled():
    assert settled(project("forge/ann/one", "DOC-7", None), project("forge/ann/two", "DOC-8", None)) == []


def test_what_is_settled_tells_every_code_of_the_pages_that_it_is_about():
    one, two = REPOSITORIES[0], REPOSITORIES[2]

    assert settled(project(one, "DOC-7", None), project(two, "DOC-7", None)) == sorted(
        [("DOC-7", one, 0), (made(one, "a"), one, 0), (made(two, "a"), two, 0)]
    )


def test_who_loses_a_code_to_one_repository_may_contest_it_in_another():
    """The second loses DOC-7, so it has its made code, which the third asks for in vain."""
    one, three, two = REPOSITORIES
    rows = settled(project(one, "DOC-7"), project(two, "DOC-7"), project(three, made(two, "a")))

    assert ("DOC-7", one, 0) in rows
    assert (made(two, "a"), two, 0) in rows
    assert (made(three, "a"), three, 0) in rows


def test_what_is_told_is_taken_back_when_there_is_no_dispute_any_more(tmp_path):
    one, two = project(REPOSITORIES[0], "DOC-7"), project(REPOSITORIES[2], "DOC-7")
    with closing(create(tmp_path / "catalog.sqlite", [one, two])) as connection:
        told = connection.execute("select repository, code from diagnostics").fetchall()
        update(connection, [two])

        assert told == [(two.id, "W313")]
        assert connection.execute("select count(*) from diagnostics").fetchone() == (0,)
        assert connection.execute("select settled from projects").fetchall() == [(None,)]


def test_who_loses_a_code_has_that_of_an_address_only_if_no_page_of_its_own_wiki_began_there():
    one, two = REPOSITORIES[0], REPOSITORIES[2]
    began = RepoPath(".wiki/x.md")
    moved, there = page("a", asked="DOC-7", code="DOC-7", addresses=(began,)), page("x", addresses=(began,), nth=2)
    rival = Project(repository=two, pages={"a": "x\n", "x": "x\n"}, history=history(two, moved, there))

    assert made(two, "x") not in [code for code, _, _ in settled(project(one, "DOC-7"), rival)]


def test_what_its_own_artifact_tells_a_repository_is_not_told_again(tmp_path):
    one, two = project(REPOSITORIES[0], "DOC-7"), project(REPOSITORIES[2], "DOC-7", "DOC-7")
    with closing(create(tmp_path / "catalog.sqlite", [one, two])) as connection:
        told = connection.execute("select repository, code, path from diagnostics").fetchall()

    assert told == [(two.id, "W313", ".wiki/a.md")]


ASKED = st.none() | st.sampled_from(["DOC-7", made(REPOSITORIES[0], "a"), made(REPOSITORIES[1], "old-a")])
PROJECTS = st.tuples(
    *(st.none() | st.builds(project, st.just(name), ASKED, ASKED, moved=st.booleans()) for name in REPOSITORIES)
)


def living(projects):
    return [one for one in projects if one is not None]


@settings(max_examples=25, deadline=None)
@given(before=PROJECTS, after=PROJECTS)
def test_whatever_changed_the_rows_are_those_of_a_clean_build(before, after):
    with closing(create(":memory:", living(before))) as connection:
        update(connection, living(after))
        changed = index.dump(connection)
    with closing(create(":memory:", living(after))) as connection:
        assert changed == index.dump(connection)


@settings(max_examples=25, deadline=None)
@given(projects=PROJECTS)
def test_no_code_of_what_is_settled_means_two_pages(projects):
    with closing(create(":memory:", living(projects))) as connection:
        codes = [code for code, _, _ in connection.execute("select * from settled_codes union all " + UNSETTLED)]

    assert len(set(codes)) == len(codes)


UNSETTLED = """select code, repository, position from page_codes c where rank < 2 and not exists
    (select 1 from settled_pages s where s.repository = c.repository and s.position = c.position)"""
