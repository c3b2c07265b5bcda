"""Which pages are worth sharing, how sure that is, and why."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.promotion import Candidate, SharedTitle, Surroundings, read_concept, suggest_promote

LABELLED = Path(__file__).parent / "data" / "promotion"
LANTERN = Surroundings(
    domain="node",
    own_names=("lantern-desk", "lantern"),
    never=("Harbour Bank", "mortgage", "Лукошко", "ипотека", "dispensary"),
)
YARN = "# Yarn on Windows needs a shell\n\nUse `exec`.\n"


def judged(text: str, *shared: SharedTitle, slug: str = "a", **around: Any) -> Candidate | None:
    """What becomes of one page of a project of Node."""
    page = read_concept(f".wiki/concepts/{slug}.md", text.encode())
    found = suggest_promote([page], Surroundings(**{"domain": "node", "shared": shared, **around}))
    return found[0] if found else None


def confidence(text: str, *shared: SharedTitle, **around: Any) -> float:
    found = judged(text, *shared, **around)
    assert found
    return found.confidence


def twin(domain: str | None, **more: str) -> SharedTitle:
    return SharedTitle(slug=f"{domain}/yarn", title="yarn on windows needs the shell", domain=domain, **more)


def test_a_page_that_names_tools_is_offered_with_its_words():
    assert judged(YARN) == Candidate(
        slug="concepts/a",
        current_path=".wiki/concepts/a.md",
        suggested_domain="node",
        confidence=0.4,
        reason="names yarn, Windows",
    )


@pytest.mark.parametrize(
    ("around", "text"),
    [
        ({"own_names": ("atlas-maps",)}, "Docker of atlas-maps"),
        ({"never": ("ипотека",)}, "Docker и ипотеки"),
        ({"never": ("mortgage",)}, "---\ntags: [mortgages]\n---\nDocker\n"),
        ({}, "Nothing of note."),
        ({}, ""),
    ],
)
def test_a_page_of_the_project_itself_of_the_black_list_or_of_no_tool_is_not_mentioned(around, text):
    assert judged(text, **around) is None


def test_a_name_in_the_pages_own_name_keeps_it_in():
    assert judged("# Docker\n", slug="atlas-docker", own_names=("atlas",)) is None


def test_each_further_tool_up_to_three_makes_it_surer():
    assert [confidence(text) for text in ("git", "git, npm", "git, npm, Docker", "git, npm, Docker, SSH")] == [
        0.3,
        0.4,
        0.5,
        0.5,
    ]


@pytest.mark.parametrize(
    ("section", "sure"),
    [
        ("## Why", 0.4),
        ("## 1. Почему так", 0.4),
        ("**Why:** the shell", 0.4),
        ("- **Причина.** Кэш", 0.4),
        ("### How to fix", 0.4),
        ("# Как чинить", 0.4),
        ("## When", 0.4),
        ("__Когда__", 0.4),
        ("## Why\n## When\n## How", 0.5),
        ("## Somehow", 0.3),
        ("Why not? How so.", 0.3),
        ("```\n## Why\n```", 0.3),
    ],
)
def test_sections_that_say_why_and_when_or_how_make_it_surer(section, sure):
    assert confidence(f"Docker\n\n{section}\n") == sure


def test_a_close_title_in_another_domain_makes_it_surest():
    found = judged(YARN, twin("web"))

    assert found
    assert (found.confidence, found.reason) == (0.7, "names yarn, Windows; confirmed in another domain: web/yarn")


def test_a_close_title_in_the_same_domain_makes_it_unsure():
    found = judged(YARN, twin("Node"))

    assert found
    assert (found.confidence, found.reason) == (0.1, "names yarn, Windows; shared already, as it seems: Node/yarn")


def test_a_page_that_came_from_this_project_confirms_nothing():
    assert confidence(YARN, twin("web", source_project="Atlas"), own_names=("atlas",)) == 0.1


def test_a_page_without_a_domain_or_with_a_far_title_says_nothing():
    far = SharedTitle(slug="web/yarn", title="Yarn on Windows", domain="web")

    assert confidence(YARN, twin(None), far) == 0.4


@pytest.mark.parametrize(
    ("detected", "text", "domain"),
    [
        ("node", "yarn, git", "node"),
        ("node", "git on Windows", "cross"),
        ("node", "Docker, VS Code, MCP", "cross"),
        ("node", "Windows", "node"),
        ("python", "pip", "python"),
        ("unknown", "yarn, git, Windows", "node"),
        ("unknown", "git", "cross"),
        ("unknown", "yarn, Nginx", None),
        ("unknown", "yarn, pip", None),
        ("unknown", "Windows", None),
    ],
)
def test_the_domain_is_the_folders_or_cross_and_never_unknown(detected, text, domain):
    found = judged(text, domain=detected)

    assert found
    assert found.suggested_domain == domain


def test_where_nothing_tells_the_domain_a_close_title_counts_as_shared_already():
    windows = "# Long paths of Windows\n"
    close = SharedTitle(slug="cross/paths", title="Long paths in Windows", domain="cross")

    assert confidence(windows, close, domain="unknown") == 0.07


def test_the_closest_pages_are_named_first_and_the_others_counted():
    titles = {"c": "Yarn on Windows needs shells", "b": "YARN on Windows needs a shell", "a": "yarn on windows needs a"}
    shared = [SharedTitle(slug=f"web/{slug}", title=title, domain="web") for slug, title in titles.items()]
    found = judged(YARN, *shared)

    assert found
    assert found.reason.endswith("confirmed in another domain: web/b, web/c and 1 more")


def test_further_words_decide_too():
    assert judged("Terraform") is None
    assert confidence("Terraform", promote_words=("terraform",)) == 0.3


def test_the_surest_come_first_then_by_slug():
    pages = [
        read_concept(f".wiki/concepts/{slug}.md", text.encode())
        for slug, text in {"c": "git", "b": "git", "a": "none", "d": "git, npm"}.items()
    ]

    assert [one.slug for one in suggest_promote(pages, LANTERN)] == ["concepts/d", "concepts/b", "concepts/c"]


def test_a_long_list_of_words_is_cut():
    found = judged("git, npm, Docker, SSH, yarn, pip, Windows")

    assert found
    assert found.reason == "names git, npm, Docker, SSH, yarn and 2 more"


@given(st.binary(max_size=400))
def test_any_bytes_are_a_page(raw):
    page = read_concept(".wiki/concepts/a.md", raw)

    assert all(0 <= one.confidence <= 1 for one in suggest_promote([page], LANTERN))


def test_labelled_pages_are_told_with_precision_and_recall_of_nine_tenths():
    texts = [path.read_text(encoding="utf-8") for path in sorted(LABELLED.glob("*.toml"))]
    rows = [row for text in texts for row in tomllib.loads(text)["page"]]
    pages = [read_concept(f".wiki/concepts/{row['slug']}.md", row["text"].encode()) for row in rows]
    found = {one.slug.removeprefix("concepts/") for one in suggest_promote(pages, LANTERN)}
    wanted = {row["slug"] for row in rows if row["promote"]}
    precision, recall = len(found & wanted) / len(found), len(found & wanted) / len(wanted)
    print(f"\npromotion: {len(rows)} pages, precision {precision:.2f}, recall {recall:.2f}")

    assert len(rows) >= 60
    assert min(precision, recall) >= 0.9
