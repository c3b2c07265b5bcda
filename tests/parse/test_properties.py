"""Whatever stands in a file: nothing raises, and lines lie where the file has them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.explain import explain
from pipeline.model import RepoPath
from pipeline.parse.board import parse_board
from pipeline.parse.front_matter import read_front_matter
from pipeline.parse.inline import find_links, plain
from pipeline.parse.markdown import FrontMatter
from pipeline.parse.page import parse_page, parse_shared_page
from pipeline.parse.wiki_index import parse_index

PATH = RepoPath("x.md")
# Letters and scraps of every mark that the readers know: random text alone would hardly meet them.
SCRAPS = st.sampled_from(
    [
        *("\n", "\r\n", "\r", "\n\n", " ", "\t", "    ", "\u2028", "\ufe0f", "\u200d", "\0", "\ufeff"),
        *("# ", "## ", "### ", "- ", "* ", "1. ", "- [ ] ", "- [x] ", "[?] ", "> ", "---\n", "===\n", "***", "...\n"),
        *(
            "|",
            "| a | b |\n",
            "|---|---|\n",
            "| ID | Title | Status |\n|-|-|-|\n",
            "\\|",
            "\\",
            "`",
            "``",
            "```\n",
            "~~~\n",
        ),
        *("<!--", "-->", "[", "]", "(", ")", "[[", "]]", "](", "[a](b/c.md)", "[[a/b|c]]", "![", "<", ">", '"', "'"),
        *(
            "**",
            "*",
            "_",
            "__",
            "~~",
            "**Status:** ",
            "**Next:** ",
            "active",
            "done",
            "## a — b\n",
            "## Done\n",
            " — ",
            ": ",
        ),
        *(
            "T-1: ",
            "🔴 ",
            "⛔",
            "title: ",
            "&a ",
            "*a",
            "{",
            "}",
            "%2e%2e/",
            "%ff",
            "../",
            ".md",
            "#x",
            "<<<<<<< ",
            ">>>>>>> ",
        ),
    ]
)
TEXTS = st.lists(SCRAPS | st.text(max_size=5), max_size=60).map("".join)
FILES = TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary(max_size=200)


@settings(max_examples=300, deadline=None)
@given(FILES)
def test_a_board_never_raises_and_its_lines_lie_in_the_file_and_increase(raw):
    board, found = parse_board(PATH, raw)
    bounds = [place for item in board.items for place in (item.line - 0.5, item.end_line)]
    length = len(raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n"))

    assert bounds == sorted(bounds)
    assert all(0 < place <= length for place in [*bounds, *(one.line or 1 for one in found)])
    assert len({item.slug for item in board.items}) == len(board.items)


@settings(max_examples=300, deadline=None)
@given(FILES, st.lists(st.sampled_from(["a", "b/c", "a/b", "decisions/x"]), unique=True))
def test_an_index_never_raises_and_its_lines_lie_in_the_file_and_do_not_decrease(raw, pages):
    index, entries, found = parse_index(PATH, raw, tuple(pages))
    lines = [entry.line for entry in entries]

    assert lines == sorted(lines)
    assert (index.state == "malformed") == (index.error is not None) == any(one.code == "E201" for one in found)
    assert not any(".." in entry.slug.split("/") for entry in entries)


@settings(max_examples=200, deadline=None)
@given(FILES)
def test_a_page_never_raises_and_has_a_title_on_one_line(raw):
    page, _ = parse_page(PATH, "concepts/x", raw)
    shared, _ = parse_shared_page(PATH, "node/x", raw)

    assert page.title
    assert len(page.title.splitlines()) == 1
    assert shared.page == page


@settings(max_examples=200, deadline=None)
@given(TEXTS.map(lambda text: text.replace("\0", "")))
def test_front_matter_never_raises_and_is_plain(text):
    plain_values, _ = read_front_matter(PATH, FrontMatter(text))

    assert all(isinstance(key, str) for key in plain_values)
    assert all(isinstance(value, (str, list, dict, type(None))) for value in plain_values.values())


@settings(max_examples=300, deadline=None)
@given(TEXTS.map(lambda text: text.replace("\n", " ").replace("\r", " ")))
def test_links_lie_in_order_and_apart_from_each_other(line):
    bounds = [place for link in find_links(line) for place in (link.start, link.end - 0.5)]

    assert bounds == sorted(bounds)
    assert plain(line) == " ".join(plain(line).split())


@settings(max_examples=100, deadline=None)
@given(FILES)
def test_explaining_a_file_never_raises(raw):
    assert set(explain("board", raw)) == {"entries", "diagnostics"}
    assert set(explain("index", raw)) in ({"entries", "diagnostics"}, {"error"})
