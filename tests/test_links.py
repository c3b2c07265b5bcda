"""Where links lead: to a page, to nothing, or where we cannot see."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.links import Connected, Dead, Source, Wiki, connect, find_orphans, read_wiki
from pipeline.model import PageLink, RepoPath
from pipeline.parse.links import Reference, read_references
from pipeline.parse.markdown import inspect

PAGES = {
    "overview": ("The whole",),
    "C# notes": (),
    "concepts/cache": ("Cache", "LRU"),
    "concepts/queue": ("Очередь задач",),
    "concepts/deep/retry": ("Retry",),
    "entities/cache": ("The cache server",),
    "entities/README": ("Entities",),
    "Мои заметки/Кеш и очередь": ("Заметка",),
    "a%20b": ("Odd",),
}
FILES = ("index.md", "raw/data.csv", "img/x.png", *(f"{slug}.md" for slug in PAGES))


def source(slug: str, text: str = "", names: tuple[str, ...] = (), *, page: bool = True) -> Source:
    document, _ = inspect(text.encode("utf-8", "surrogatepass"))
    path = RepoPath(f".wiki/{slug}.md")
    return Source(slug=slug, path=path, references=read_references(document), names=names, page=page)


def wiki(root: str = ".wiki", unread: tuple[str, ...] = ()) -> Wiki:
    return read_wiki(root, [source(slug, "", names) for slug, names in PAGES.items()], FILES, unread)


def end(target: str, page: str = "concepts/queue") -> str | Dead | None:
    return wiki().resolve(page, Reference("link", target, "", 1))


def named(target: str, page: str = "concepts/queue", label: str = "") -> str | Dead | None:
    return wiki().resolve(page, Reference("wikilink", target, label, 1))


def linked(*sources: Source) -> Connected:
    return connect(read_wiki(".wiki", sources, [f"{one.slug}.md" for one in sources]), sources)


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("cache.md", "concepts/cache"),
        ("./cache.md", "concepts/cache"),
        ("cache", "concepts/cache"),
        ("./deep/retry.md#part", "concepts/deep/retry"),
        ("../entities/cache.md", "entities/cache"),
        ("../entities/cache", "entities/cache"),
        ("../../.wiki/overview.md", "overview"),
        ("entities/cache.md", "entities/cache"),
        (".wiki/entities/cache.md", "entities/cache"),
        ("/.wiki/entities/cache.md", "entities/cache"),
        ("/entities/cache.md", "entities/cache"),
        ("Cache.MD", "concepts/cache"),
        ("../entities/", "entities/README"),
        ("../Мои%20заметки/Кеш%20и%20очередь.md", "Мои заметки/Кеш и очередь"),
        ("../%D0%9C%D0%BE%D0%B8 заметки/кеш и очередь", "Мои заметки/Кеш и очередь"),
        ("../a%20b.md", "a%20b"),
        ("..\\entities\\cache.md", "entities/cache"),
        ("cache.md?plain=1", "concepts/cache"),
    ],
)
def test_a_markdown_link_leads_from_its_page_else_from_the_wikis_top(target, page):
    assert end(target) == page


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("cache", "concepts/cache"),
        ("entities/cache", "entities/cache"),
        ("entities/cache.md#part", "entities/cache"),
        ("../entities/cache", "entities/cache"),
        ("Retry", "concepts/deep/retry"),
        ("deep/retry", "concepts/deep/retry"),
        ("concepts/queue#^block", "concepts/queue"),
        ("Очередь задач", "concepts/queue"),
        ("очередь-задач", "concepts/queue"),
        ("lru", "concepts/cache"),
        ("кеш и очередь", "Мои заметки/Кеш и очередь"),
        ("кёш_и_очередь", "Мои заметки/Кеш и очередь"),
        ("entities/", "entities/README"),
        ("C# notes", "C# notes"),
    ],
)
def test_a_wikilink_leads_by_path_by_name_or_by_title(target, page):
    assert named(target) == page


@pytest.mark.parametrize(
    ("target", "page", "found"),
    [
        ("x", "b/other", "b/x"),
        ("X y", "b/other", "b/x-y"),
        ("x", "other", "x"),
        ("x", "c/other", "x"),
        ("X y", "c/other", "b/x-y"),
        ("deep/x", "c/other", "a/deep/x"),
        ("z", "c/other", "b/z"),
    ],
)
def test_a_name_that_two_pages_have_is_the_page_beside_else_the_one_least_deep(target, page, found):
    slugs = ("x", "b/x", "a/deep/x", "b/x-y", "d/x_y", "a/deep/z", "b/z")
    names = read_wiki(".wiki", [source(slug) for slug in slugs], [])

    assert names.resolve(page, Reference("wikilink", target, "", 1)) == found


def test_a_wikilink_with_its_halves_exchanged_leads_by_the_second():
    assert named("The cache of ours", label="concepts/cache") == "concepts/cache"


@pytest.mark.parametrize(
    ("target", "meant", "name"),
    [
        ("cash.md", ".wiki/concepts/cash.md", "concepts/cash"),
        ("../entities/queue.md#x", ".wiki/entities/queue.md", "entities/queue"),
        ("./cash", ".wiki/concepts/cash.md", "concepts/cash"),
        (".wiki/none.md", ".wiki/none.md", "none"),
        ("cash", ".wiki/concepts/cash.md", "concepts/cash"),
        ("%D0%BA%D0%B5%D1%88.md", ".wiki/concepts/кеш.md", "concepts/кеш"),
    ],
)
def test_a_markdown_link_to_a_page_that_is_not_there_is_dead(target, meant, name):
    assert end(target) == Dead(meant, name)


@pytest.mark.parametrize(
    ("target", "meant"), [("cash", "cash.md"), ("Кэш", "Кэш.md"), ("other/cache", ".wiki/other/cache.md")]
)
def test_a_wikilink_to_a_page_that_is_not_there_is_dead(target, meant):
    assert named(target) == Dead(meant, target)


@pytest.mark.parametrize(
    "target",
    [
        *("https://example.org/a.md", "mailto:a@b.c", "//example.org/a.md", "#part", "", "?x"),
        *("../../src/main.py", "../../README.md", "../../../x.md", "/docs/x.md", "/", "..", "."),
        *("../index.md", "../raw/data.csv", "../raw", "../raw/", "../img/y.png", "src/main", "docs/", "C:/x.md"),
    ],
)
def test_what_leads_out_of_the_wiki_to_a_file_or_a_folder_is_not_dead(target):
    assert end(target) is None


def test_a_bare_word_in_a_page_at_the_top_is_not_dead():
    assert end("url", "overview") is None


@pytest.mark.parametrize(
    "target",
    [
        *(
            "#part",
            "https://example.org",
            "index",
            "raw/data.csv",
            "y.png",
            "img",
            "…",
            "...",
            "123",
            "wikilink",
            "foo",
        ),
        *("nodiscard()", "gnu::inline", "$x", "-z", "/x", "../../out", "My%20Page"),
    ],
)
def test_what_is_no_name_of_a_page_is_not_dead_in_a_wikilink(target):
    assert named(target) is None


def test_a_mention_is_never_dead():
    mention = Reference("mention", "../entities/none.md", "", 1)

    assert wiki().resolve("concepts/queue", mention) is None
    assert wiki().resolve("concepts/queue", Reference("mention", "entities/cache.md", "", 1)) == "entities/cache"


def test_what_was_not_looked_into_holds_no_dead_links():
    assert wiki(unread=("docs",)).resolve("overview", Reference("link", "docs/deep/x.md", "", 1)) is None


def test_in_a_repository_that_is_a_wiki_paths_begin_at_its_top():
    found = wiki(root="")

    assert found.resolve("concepts/queue", Reference("link", "../overview.md", "", 1)) == "overview"
    assert found.resolve("concepts/queue", Reference("link", "../none.md", "", 1)) == Dead("none.md", "none")
    assert found.resolve("concepts/queue", Reference("link", "../../none.md", "", 1)) is None


def test_each_two_pages_are_linked_once_at_the_first_line_and_no_page_with_itself():
    found = linked(source("b", "[[b]]\n[[a]]\n[a](a.md)\n"), source("a", "[b](b.md)\n"))

    assert found.links == (PageLink(source="a", target="b", line=1), PageLink(source="b", target="a", line=2))


def test_a_dead_link_names_what_was_meant_and_the_nearest_page():
    found = linked(source("concepts/cache"), source("log", "\n[a](cache.md)\n[[cashe]]\n[[nothing alike]]\n"))

    assert [(one.code, one.path, one.line, one.message) for one in found.found] == [
        ("W310", ".wiki/log.md", 2, "the link cache.md leads to no page: .wiki/cache.md is not there; "
         "the nearest page is .wiki/concepts/cache.md"),
        ("W310", ".wiki/log.md", 3, "the link cashe leads to no page: cashe.md is not there; "
         "the nearest page is .wiki/concepts/cache.md"),
        ("W310", ".wiki/log.md", 4, "the link nothing alike leads to no page: nothing alike.md is not there"),
    ]  # fmt: skip


def test_a_page_that_neither_index_nor_page_leads_to_is_an_orphan():
    pages = (source("a", "[[b]]"), source("b"), source("c", "[[c]]"), source("log"), source(".old/d"))
    found = linked(source("index", "[[a]]", page=False), *pages)

    assert found.links == (PageLink(source="a", target="b", line=1),)
    assert [(one.code, one.path, one.line) for one in find_orphans(pages, found.linked)] == [("N301", ".wiki/c.md", 1)]


def test_an_index_may_lead_to_a_whole_folder():
    found = linked(source("index", "[all](concepts/)", page=False), source("concepts/a/b"), source("concept"))

    assert found.linked == {"concepts/a/b"}


TARGETS = st.lists(
    st.sampled_from(["..", ".", "/", "a", ".md", "#", "?", "%", "%2e", "\\", " ", ".wiki", "concepts", "cache", "я"])
    | st.text(max_size=3),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(TARGETS, TARGETS, st.sampled_from(["link", "wikilink", "mention"]), st.sampled_from(["", ".wiki", "docs"]))
def test_a_link_leads_to_a_page_of_the_wiki_or_to_none_whatever_is_written(target, label, kind, root):
    found = wiki(root)
    page = found.resolve("concepts/queue", Reference(kind, target, label, 1))

    assert page is None or isinstance(page, Dead) or page in PAGES
    assert found.nearest(target) in {None, *PAGES}
    assert set(found.pages_below("index", Reference(kind, target, label, 1))) <= set(PAGES)
