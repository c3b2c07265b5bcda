"""The page of each wiki page: what stands on it, and when it is made anew."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest

from pipeline.model import Diagnostic, RepoPath
from pipeline.report import wiki as wiki_part
from pipeline.report.page import Kept, Standing
from pipeline.report.site import render_site, survey
from tests.fakes.catalogs import Project
from tests.fakes.page_histories import history, page, version
from tests.fakes.report_wikis import made, marks, open_wikis, wiki
from tests.fakes.safe_html import Reading

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)
NOTES = wiki(pages={"auth": "# auth\n\nSign in.\n", "cache": "Kept. See [auth](auth.md).\n", "retry": "Again.\n"})


def read(html: str) -> str:
    """The words of the main part."""
    main = html.split("<main", 1)[1].split(">", 1)[1].split("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


def article(html: str) -> str:
    """The text as it is shown."""
    return html.split('<article class="prose"', 1)[1].split(">", 1)[1].split("</article>")[0].strip()


@pytest.fixture
def pages_of(tmp_path):
    """The pages of some projects, by their paths below their owner's folder."""
    return lambda *projects, **how: made(open_wikis(tmp_path, *projects), **how)


def test_every_page_has_a_place_of_its_own(pages_of):
    assert list(pages_of(NOTES)) == ["api/auth.html", "api/cache.html", "api/retry.html"]


def test_a_report_without_pages_has_none_of_them(pages_of):
    assert pages_of(NOTES, has_pages=False) == {}


def test_a_project_that_is_gone_has_no_pages(pages_of):
    assert pages_of(replace(NOTES, state="gone")) == {}


def test_the_title_stands_once_above_the_text(pages_of):
    shown = pages_of(replace(NOTES, titles={"auth": "Auth"}))["api/auth.html"]

    assert re.findall(r"<h1[^>]*>(.*)</h1>", shown) == ["Auth"]
    assert article(shown) == "<p>Sign in.</p>"
    assert "<title>Auth · ann/api · projects-meta</title>" in shown


def test_the_way_to_a_page_goes_through_the_pages_above_it(pages_of):
    deep = wiki(pages={"concepts": "All.", "concepts/cache": "One.", "raw/letters/first": "Dear."})
    pages = pages_of(deep)

    assert read(pages["api/concepts/cache.html"]).startswith("Projects / ann/api / concepts concepts/cache File")
    assert 'href="../../../../../w/forge/ann/api/concepts.html"' in pages["api/concepts/cache.html"]
    assert read(pages["api/raw/letters/first.html"]).startswith("Projects / ann/api / raw / letters raw/letters/first")


def test_a_long_way_shows_its_ends(pages_of):
    (shown,) = pages_of(wiki(pages={"a/b/c/d/e/f/g/h/i/j/k": "Deep."})).values()

    assert read(shown).startswith("Projects / ann/api / a / b / … / e / f / g / h / i / j a/b/c")


def test_a_link_leads_to_the_other_page(pages_of):
    shown = article(pages_of(NOTES)["api/cache.html"])

    assert shown == '<p>Kept. See <a href="../../../../w/forge/ann/api/auth.html">auth</a>.</p>'


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("[a](auth.md#sign-in)", ["../../../../w/forge/ann/api/auth.html#u-sign-in"]),
        ("[[Signing in]]", ["../../../../w/forge/ann/api/auth.html"]),
        ("[[login]]", ["../../../../w/forge/ann/api/auth.html"]),
        ("[a](index.md)", ["../../../../p/forge/ann/api.html#wiki"]),
        ("[a](../README.md) [b](../src/)", []),
        ("![a](img/a.png)", []),
        ("[a](lost.md)", []),
    ],
)
def test_links_lead_where_the_wiki_has_something(pages_of, text, leads):
    notes = wiki(
        pages={"auth": "# Signing in\n", "cache": text}, wiki_index="# Wiki\n", attachments={"img/a.png": b"png"},
        titles={"auth": "Auth"}, front_matters={"auth": {"aliases": ["login"]}},
    )  # fmt: skip

    assert Reading(article(pages_of(notes)["api/cache.html"])).addresses == leads


def test_a_link_to_no_page_says_so(pages_of):
    assert "lost <small>no such page</small>" in pages_of(wiki(pages={"a": "[lost](lost.md)"}))["api/a.html"]


def test_a_link_to_what_was_not_looked_into_is_not_called_dead(pages_of):
    left_out = Diagnostic(code="W501", severity="warning", path=RepoPath(".wiki/b.md"), line=None, message="a link")
    notes = wiki(pages={"a": "[b](b.md)"}, diagnostics=(left_out,))

    assert article(pages_of(notes)["api/a.html"]) == "<p>b</p>"


def test_a_page_names_those_that_lead_to_it(pages_of):
    pages = pages_of(replace(NOTES, links=(("cache", "auth", 1), ("auth", "auth", 2))))

    assert "Pages that lead here cache" in read(pages["api/auth.html"])
    assert "No page of this wiki links to this one." in read(pages["api/retry.html"])


def test_of_very_many_pages_that_lead_to_it_the_first_are_named(pages_of):
    many = {f"p{number:03}": "[a](a.md)" for number in range(103)}
    shown = pages_of(wiki(pages={"a": "x", **many}, links=tuple((slug, "a", 1) for slug in many)))["api/a.html"]

    assert "p098 p099 and 3 more" in read(shown)


def test_a_page_leads_to_its_neighbours_in_reading_order(pages_of):
    pages = pages_of(NOTES)

    assert read(pages["api/cache.html"]).endswith("← auth retry →")
    assert read(pages["api/auth.html"]).endswith(" cache →")
    assert read(pages["api/retry.html"]).endswith(" ← cache")


def test_a_page_with_many_headings_has_a_list_of_them(pages_of):
    pages = pages_of(wiki(pages={"four": "# A\n# B\n## C\n# D\n", "three": "# A\n# B\n# C\n"}))

    assert "On this page A B C D A # B #" in read(pages["api/four.html"])
    assert "On this page" not in read(pages["api/three.html"])


def test_the_last_change_and_the_versions_before_it_are_told(pages_of):
    versions = [version(number, AT + timedelta(days=number), count=12) for number in range(12, 0, -1)]
    told = history("forge/ann/api", page("auth", *versions))
    shown = read(pages_of(replace(NOTES, history=told))["api/auth.html"])

    assert "Changed 14 Nov 2026 By Ann" in shown
    assert "History 12 12 14 Nov 2026 Ann DOCH-12 +1 −0 11 13 Nov 2026" in shown
    assert "3 5 Nov 2026 Ann DOCH-3 +1 −0 2 older versions" in shown


def test_a_history_that_is_not_here_is_never_no_change(pages_of):
    pages = pages_of(NOTES, wiki(repository="forge/ann/web", pages={"a": "x"}, history=history("forge/ann/web")))

    assert "Changed – not known: the history of this wiki has not been brought" in read(pages["api/auth.html"])
    assert "Changed – not known: the history does not reach back so far" in read(pages["web/a.html"])


def test_a_text_that_was_not_brought_is_told(pages_of):
    assert "The text of this page was not brought" in read(pages_of(wiki(pages={"a": None}))["api/a.html"])


def test_an_empty_page_says_that_it_is(pages_of):
    assert "The page has no text." in read(pages_of(wiki(pages={"a": "---\ntitle: A\n---\n"}))["api/a.html"])


def test_a_text_that_is_too_long_says_that_it_goes_on(pages_of):
    long = wiki(pages={"a": "word " * 100_000})

    assert "The page goes on" in read(pages_of(long)["api/a.html"])


def test_a_short_text_stands_there_as_it_is_written(pages_of):
    pages = pages_of(wiki(pages={"a": "---\nb: c\n---\n<i>d</i>\n", "long": "e" * 1_001}))

    assert "<code>---\nb: c\n---\n&lt;i&gt;d&lt;/i&gt;\n</code>" in pages["api/a.html"]
    assert "as it is written" not in pages["api/long.html"]


def test_an_unreachable_project_says_why_on_each_page(pages_of):
    shown = read(pages_of(replace(NOTES, state="unreachable", reason="HTTP 503"))["api/auth.html"])

    assert "The last look at this repository did not succeed: HTTP 503" in shown


def test_a_shared_page_says_where_it_comes_from_and_what_it_is_for(pages_of):
    shared = Project(
        repository="forge/ann/projects-wiki", shared_pages={"git/hooks": "See [b](bisect.md).", "git/bisect": "x"},
        shared_links=(("git/hooks", "git/bisect", 1),), front_matter={"source_project": "forge/ann/api"},
    )  # fmt: skip
    pages = pages_of(shared)

    assert list(pages) == ["projects-wiki/git/bisect.html", "projects-wiki/git/hooks.html"]
    assert "Domain git Applies to git Shared 2026-10-01 From the project forge/ann/api" in read(
        pages["projects-wiki/git/hooks.html"]
    )
    assert "Pages that lead here git/hooks" in read(pages["projects-wiki/git/bisect.html"])


def test_names_and_texts_of_a_page_are_only_shown(pages_of):
    evil = "</script><img src=x onerror=window.__pwn=1>"
    (shown,) = pages_of(wiki(pages={f"{evil}/a": evil}, titles={f"{evil}/a": evil})).values()

    assert [tag for tag in re.findall(r"<(\w+)", shown) if tag in ("img", "iframe", "svg")] == []
    assert re.findall(r"<[^>]*\son\w+=", shown) == []


def test_every_id_of_a_page_stands_once(pages_of):
    (shown,) = pages_of(
        wiki(pages={"a": "# main\n# contents\n# backlinks\n# theme\n# v-1\n[^1]\n\n[^1]: x\n"})
    ).values()

    ids = re.findall(r'\sid="([^"]+)"', shown)
    assert len(ids) == len(set(ids))


# when it is made anew


def remade(tmp_path, before, after) -> list[str]:
    """The pages that are made when `after` follows `before`."""
    there = marks(open_wikis(tmp_path / "before", *before))
    return list(made(open_wikis(tmp_path / "after", *after), there))


def test_a_word_makes_its_own_page_anew_and_no_other(tmp_path):
    changed = replace(NOTES, pages={**NOTES.pages, "cache": "Held. See [auth](auth.md).\n"})

    assert remade(tmp_path, [NOTES], [changed]) == ["api/cache.html"]


def test_a_commit_to_a_page_makes_its_own_page_anew(tmp_path):
    older = replace(NOTES, history=history("forge/ann/api", page("auth", version(1)), page("cache", version(1))))
    newer = replace(
        NOTES, history=history("forge/ann/api", page("auth", version(2, count=2)), page("cache", version(1)))
    )

    assert remade(tmp_path, [older], [newer]) == ["api/auth.html"]


def test_a_new_link_makes_the_page_at_its_end_anew(tmp_path):
    assert remade(tmp_path, [NOTES], [replace(NOTES, links=(("cache", "auth", 1),))]) == ["api/auth.html"]


def test_a_new_name_of_a_page_makes_its_wiki_anew_but_no_other(tmp_path):
    other = wiki(repository="forge/ann/web", pages={"a": "x"})

    renamed = remade(tmp_path, [NOTES, other], [replace(NOTES, titles={"auth": "Auth"}), other])
    assert renamed == ["api/auth.html", "api/cache.html", "api/retry.html"]


def test_a_new_board_or_state_of_another_project_makes_no_page_anew(tmp_path):
    other = wiki(repository="forge/ann/web", pages={"a": "x"}, board="# Tasks\n")

    assert remade(tmp_path, [NOTES, other], [NOTES, replace(other, board="# Work\n")]) == []


def test_pages_made_step_by_step_equal_those_made_at_once(tmp_path):
    before, after = (
        open_wikis(tmp_path / "a", NOTES),
        replace(NOTES, links=(("cache", "auth", 1),), titles={"retry": "R"}),
    )
    changed = open_wikis(tmp_path / "b", after)

    assert {**made(before), **made(changed, marks(before))} == made(changed)


# the wiki on its project's page


@pytest.fixture
def tree_of(tmp_path):
    """The section of a wiki on its project's page."""

    def shown(project: Project, **how: Any) -> str:
        site = render_site(open_wikis(tmp_path, project), "en", **how)
        (page_html,) = (content for path, _, content in site if content and path == "p/forge/ann/api.html")
        return page_html.decode().split('id="wiki"', 1)[1].split("</section>")[0]

    return shown


def test_the_wiki_of_a_project_is_a_tree_that_leads_to_its_pages(tree_of):
    shown = tree_of(wiki(pages={"concepts": "a", "concepts/cache": "b", "concepts/cache/keys": "c", "notes": "d"}))

    outline = " ".join(re.findall(r"</?ul|</?li|(?<=<code>)[^<]+", shown))
    assert outline.split(" </li </ul </li </ul </li <li ") == [
        "<ul <li concepts <ul <li concepts/cache <ul <li concepts/cache/keys",
        "notes </li </ul",
    ]
    assert 'href="../../../w/forge/ann/api/concepts/cache.html"' in shown


def test_without_pages_the_tree_leads_nowhere(tree_of):
    assert "href=" not in tree_of(NOTES, has_pages=False)


def trouble(code: str, slug: str) -> Diagnostic:
    """One diagnostic about a page."""
    return Diagnostic(code=code, severity="note", path=RepoPath(f".wiki/{slug}.md"), line=1, message="x")


def test_orphans_and_dead_links_are_told_in_the_tree_and_lead_to_their_places(tree_of):
    found = (trouble("N301", "auth"), trouble("W310", "cache"), trouble("W310", "cache"))

    shown = tree_of(replace(NOTES, diagnostics=found))
    words = " ".join(re.sub(r"<[^>]*>", " ", shown).split())
    assert "2 dead links · 1 page that nothing leads to auth auth nothing leads here cache cache 2 dead links" in words
    assert shown.count('href="#diagnostics"') == 2


def test_a_tree_of_very_many_pages_is_cut_and_says_so(tree_of):
    shown = tree_of(wiki(pages={f"p{number:03}": "x" for number in range(502)}))

    assert shown.count("<li>") == 500
    assert "and 2 more pages, which search finds" in shown


def test_a_very_deep_tree_is_still_well_formed(tree_of):
    deep = {"/".join("abcdefghijkl"[:depth]): "x" for depth in range(1, 13)}
    shown = tree_of(wiki(pages={**deep, "z": "last"}))

    assert (shown.count("<ul"), shown.count("<li>")) == (8, 13)
    assert (shown.count("</ul>"), shown.count("</li>")) == (8, 13)


def kept(catalog, there) -> list[str]:
    """The pages that are known to be right without a look at their wiki."""
    known = {path: mark for path, mark in there.items() if path.startswith("w/")}
    entries = wiki_part.pages(survey(catalog, "en", Standing(known), has_pages=True, roots=None))
    return [entry.path for entry in entries if isinstance(entry, Kept)]


def test_a_wiki_that_is_as_it_was_is_not_read(tmp_path):
    catalog = open_wikis(tmp_path, wiki(pages={"a": "x", "b": "y"}))

    assert kept(catalog, marks(catalog)) == ["w/forge/ann/api/a.html", "w/forge/ann/api/b.html"]


def test_a_wiki_of_which_a_page_is_missing_is_read(tmp_path):
    catalog = open_wikis(tmp_path, NOTES)
    there = marks(catalog)
    del there["w/forge/ann/api/auth.html"]

    assert kept(catalog, there) == []
    assert list(made(catalog, there)) == ["api/auth.html"]


def test_a_wiki_whose_code_another_one_comes_to_claim_is_read(tmp_path):
    told = page("a", version(1), asked="DOC-7", code="DOC-7")
    api = wiki(pages={"a": "x"}, history=history("forge/ann/api", told))
    web = wiki(repository="forge/ann/web", pages={"a": "x"}, history=history("forge/ann/web", told))
    there = marks(open_wikis(tmp_path / "before", api))

    assert kept(open_wikis(tmp_path / "again", api), there) == ["w/forge/ann/api/a.html"]
    assert kept(open_wikis(tmp_path / "after", api, web), there) == []
