"""Codes are made, asked for, and never shared."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.codes import Grant, PageClaim, asked_code, page_code, settle, version_code
from pipeline.model import RepoPath, RepositoryId

API = RepositoryId("git.example.org/acme/api")
WEB = RepositoryId("git.example.org/acme/web")


def claim(slug, *addresses, repository=API, asked=None, nth=1):
    names = addresses or (f".wiki/{slug}.md",)
    return PageClaim(repository=repository, slug=slug, path=names[-1], asked=asked, addresses=names, nth=nth)


def gone(*addresses, nth=1):
    return PageClaim(repository=API, slug=None, path=addresses[-1], asked=None, addresses=addresses, nth=nth)


def codes(*claims):
    return [grant.code for grant in settle(claims)]


def said(grant):
    return f"{grant.diagnostic.code} {grant.diagnostic.message}" if grant.diagnostic else ""


def made(name, repository=API):
    return page_code(repository, RepoPath(f".wiki/{name}.md"))


def test_a_code_is_the_first_48_bits_of_sha_256_of_the_address_in_decimal():
    assert page_code(API, RepoPath(".wiki/concepts/поток.md")) == "DOC-31295136260292"
    assert version_code("DOC-101252", "4f2a91c0" * 5) == "DOCH-203003645310891"


def test_only_a_plain_code_can_be_asked_for():
    assert asked_code({"code": "DOC-101252"}) == "DOC-101252"
    assert [
        asked_code({"code": odd}) for odd in ("DOC-", "doc-1", "DOC-1\n", "DOC-١", "DOC-" + "1" * 21, None, ["DOC-1"])
    ] == [None] * 7
    assert asked_code({}) is None


def test_a_page_has_the_code_of_its_earliest_address_and_is_found_by_its_others():
    assert settle([claim("c", ".wiki/a.md", ".wiki/b.md", ".wiki/c.md")]) == (
        Grant(code=made("a"), aliases=tuple(sorted((made("b"), made("c"))))),
    )


def test_what_front_matter_asks_for_wins():
    assert settle([claim("a", asked="DOC-7")]) == (Grant(code="DOC-7", aliases=(made("a"),)),)


def test_of_two_pages_that_ask_for_one_code_the_first_by_repository_and_slug_gets_it():
    first, second, third = settle(
        [claim("a", repository=WEB, asked="DOC-7"), claim("b", asked="DOC-7"), claim("a", asked="DOC-7")]
    )

    assert [first.code, second.code, third.code] == [made("a", WEB), made("b"), "DOC-7"]
    assert [said(first)[:4], said(second)[:4], said(third)] == ["W313", "W313", ""]


def test_a_code_that_is_made_of_another_pages_address_cannot_be_asked_for():
    thief, owner = settle([claim("a", asked=made("z", WEB)), claim("z", repository=WEB)])

    assert (thief.code, owner.code) == (made("a"), made("z", WEB))
    assert said(thief) == f"W313 another page has the code {made('z', WEB)}; this one gets {made('a')}"


def test_the_code_of_a_page_that_is_no_more_can_be_asked_for():
    moved, left = settle([claim("new", asked=made("old")), gone(".wiki/old.md")])

    assert moved.code == made("old")
    assert left.code not in (made("old"), made("new"))


def test_a_code_that_two_pages_share_is_given_to_neither():
    first, second = settle([claim("b", ".wiki/a.md", ".wiki/b.md"), claim("a", nth=2)])

    assert len({first.code, second.code, made("a")}) == 3
    assert [first.aliases, second.aliases] == [(made("b"),), ()]
    assert [said(first)[:4], said(second)[:4]] == ["W314", "W314"]


def test_front_matter_keeps_for_a_page_the_code_that_another_would_share():
    kept, other = codes(claim("b", ".wiki/a.md", ".wiki/b.md", asked=made("a")), claim("a", nth=2))

    assert kept == made("a")
    assert other != made("a")


def test_a_page_that_is_no_more_shares_too():
    first, second = codes(gone(".wiki/a.md", ".wiki/b.md"), claim("a", nth=2))

    assert len({first, second, made("a")}) == 3


def test_no_alias_is_the_code_or_address_of_another_page():
    moved, there = settle(
        [claim("c", ".wiki/a.md", ".wiki/b.md", ".wiki/c.md"), claim("b", ".wiki/x.md", ".wiki/b.md")]
    )

    assert (moved.aliases, there.aliases) == ((made("c"),), ())


pages = st.lists(
    st.builds(
        lambda names, asked, repository: (tuple(dict.fromkeys(names)), asked, repository),
        st.lists(st.sampled_from(["p", "q", "r", "s"]), min_size=1, max_size=3),
        st.none() | st.sampled_from(["DOC-7", made("p"), made("q", WEB)]),
        st.sampled_from([API, WEB]),
    ),
    max_size=8,
)


def claims_of(pages):
    counted: dict[tuple[str, str], int] = {}
    claims = []
    for place, (names, asked, repository) in enumerate(pages):
        nth = counted[repository, names[0]] = counted.get((repository, names[0]), 0) + 1
        claims.append(
            claim(None if place % 3 == 2 else f"{place}", *names, repository=repository, asked=asked, nth=nth)
        )
    return claims


@given(pages)
def test_no_code_and_no_alias_ever_means_two_pages(pages):
    grants = settle(claims_of(pages))
    meant = [code for grant in grants for code in (grant.code, *grant.aliases)]

    assert len(set(meant)) == len(meant)


@given(pages, st.randoms())
def test_the_order_of_claims_decides_nothing(pages, random):
    claims = claims_of(pages)
    settled = dict(zip(claims, settle(claims), strict=True))
    random.shuffle(claims)

    assert dict(zip(claims, settle(claims), strict=True)) == settled
