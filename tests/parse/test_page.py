"""Pages of a project's wiki and of the shared wiki."""

import pytest

from pipeline.model import RepoPath
from pipeline.parse.page import PageText, SharedText, parse_page, parse_shared_page

PATH = RepoPath(".wiki/concepts/x.md")


def page(text: str) -> PageText:
    return parse_page(PATH, "concepts/x", text.encode("utf-8"))[0]


def shared(text: str, slug: str = "node/x") -> SharedText:
    return parse_shared_page(RepoPath(f"{slug}.md"), slug, text.encode("utf-8"))[0]


def shared_codes(text: str, slug: str = "node/x") -> list[str]:
    return [one.code for one in parse_shared_page(RepoPath(f"{slug}.md"), slug, text.encode("utf-8"))[1]]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From above\n---\n# Below\n", "From above"),
        ("---\ntitle: 2024\n---\n", "2024"),
        ("---\ntitle: 007\n---\n", "007"),
        ("---\ntitle:\n---\n# Below\n", "Below"),
        ("---\ntitle: [a]\n---\n# Below\n", "Below"),
        ('---\ntitle:"Kept"\nother:"x"\n---\n# Below\n', "Kept"),
        ("Under\n=====\n", "Under"),
        ("## Only H2\n", "x"),
        ("", "x"),
        ("# A\u2028B\u202e\n", "A B"),
    ],
)
def test_a_title_comes_from_front_matter_then_the_first_h1_then_the_slug(text, title):
    assert page(text).title == title


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("---\ndescription: D\nsummary: S\n---\n# H\n\ntext\n", "D"),
        ("---\nsummary: S\n---\ntext\n", "S"),
        ("# H\n\n![badge](x.png)\n\n> quote\n\n- item\n\nOne **two**\nthree.\n\nfour\n", "One two three."),
        ("# H\n", None),
    ],
)
def test_a_description_comes_from_front_matter_then_the_first_paragraph(text, description):
    assert page(text).description == description


@pytest.mark.parametrize(
    ("raw", "code", "line"),
    [
        (b"# A\n\xff\n", "E301", None),
        (b"# A\n" + b"x" * (1 << 20), "E302", None),
        (b"# A\n<<<<<<< HEAD\n", "W308", 2),
        (b"# A\n\0\n", "W309", None),
        (b"---\ntitle: A\n", "W307", 1),
        (b"---\ntitle: A\ntitle: B\n---\n", "W303", 3),
        (b"---\nassignee: @a\n---\n# A\n", "W301", 2),
    ],
)
def test_a_page_with_trouble_stays_listed(raw, code, line):
    found_page, found = parse_page(PATH, "concepts/x", raw)

    assert found_page.title in ("A", "x")
    assert [(one.code, one.line) for one in found] == [(code, line)]


def test_a_page_in_lfs_is_known_by_its_name_only():
    raw = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"

    assert parse_page(PATH, "concepts/x", raw)[0] == PageText(title="x", summary=None, opening=None, front_matter={})


def test_a_shared_page_has_its_fields():
    found = shared(
        "---\ndomain: node\nshared_at: 2026-04-29\napplies_to: [windows, 10]\nsource_project: api\nown: 1\n---\n"
    )

    assert (found.domain, found.shared_at, found.applies_to, found.source_project) == (
        "node",
        "2026-04-29",
        ("windows", "10"),
        "api",
    )
    assert found.page.front_matter["own"] == "1"


@pytest.mark.parametrize(
    ("text", "slug", "domain", "codes"),
    [
        ("---\ndomain: node\n---\n", "node/x", "node", []),
        ("---\ndomain: Node\n---\n", "node/x", "Node", []),
        ("---\ndomain: cross\n---\n", "node/x", "cross", ["W402"]),
        ("---\ndomain: cross\n---\n", "x", "cross", []),
        ("# T\n", "node/deep/x", "node", ["W401"]),
        ("---\ndomain: [a]\n---\n", "node/x", "node", ["W401"]),
        ("# T\n", "x", None, ["W403"]),
    ],
)
def test_a_domain_comes_from_front_matter_then_the_first_folder(text, slug, domain, codes):
    assert shared(text, slug).domain == domain
    assert shared_codes(text, slug) == codes


@pytest.mark.parametrize(
    ("written", "shared_at", "codes"),
    [
        ("2026-04-29", "2026-04-29", []),
        ("2026-4-9", "2026-04-09", []),
        ("2026-04-29 12:00:00+03:00", "2026-04-29T12:00:00+03:00", []),
        ('"2026-04-29T12:00:00Z"', "2026-04-29T12:00:00+00:00", []),
        ("2026-02-30", "2026-02-30", ["W404"]),
        ("last week", "last week", ["W404"]),
        ("", None, []),
    ],
)
def test_a_date_is_iso_text(written, shared_at, codes):
    text = f"---\ndomain: node\nshared_at: {written}\n---\n"

    assert shared(text).shared_at == shared_at
    assert shared_codes(text) == codes


@pytest.mark.parametrize(
    ("written", "applies_to"),
    [
        ("windows", ("windows",)),
        ("[a, b]", ("a", "b")),
        ("", ()),
        ("[]", ()),
        ("[a, [b], {c: d}, ]", ("a",)),
        ("{a: b}", ()),
    ],
)
def test_applies_to_is_one_text_or_a_list(written, applies_to):
    assert shared(f"---\ndomain: node\napplies_to: {written}\n---\n").applies_to == applies_to


@pytest.mark.parametrize("odd", ["DOC-x", "DOC-1 2", "[DOC-1]", "'DOC-1\\n'", "DOC-123456789012345678901"])
def test_a_page_that_asks_for_an_odd_code_is_told_so(odd):
    found = parse_page(PATH, "concepts/x", f"---\ncode: {odd}\n---\n".encode())[1]

    assert [one.code for one in found] == ["W312"]


@pytest.mark.parametrize("plain", ["code: DOC-101252", "code:", "title: T"])
def test_a_page_that_asks_for_a_code_or_none_is_not(plain):
    assert parse_page(PATH, "concepts/x", f"---\n{plain}\n---\n".encode())[1] == ()
