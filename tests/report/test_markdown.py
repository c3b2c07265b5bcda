"""A repository's Markdown as HTML: what it looks like, and that nothing in it can act."""

import time

import nh3
import pyromark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import messages
from pipeline.report.destinations import DEAD, Destination, nowhere
from pipeline.report.markdown import CLEANER, MARKDOWN, Rendered, render
from pipeline.report.words import words_of
from pipeline.report.writer import Writer
from tests.fakes.safe_html import Reading, payloads

WORDS = words_of(messages.load("en"))
PAYLOADS = payloads()


def places(target: str, is_wikilink: bool, label: str) -> Destination:
    """A wiki of one page, `auth`, and one picture."""
    known = {
        "auth.md": Destination("page", "auth.html"),
        "auth": Destination("page", "auth.html"),
        "auth.md#Sign in": Destination("page", "auth.html#u-sign-in"),
        "a.png": Destination("file", "https://git.example.org/a.png", "git.example.org"),
        "b.png": Destination("file"),
        "lost.md": DEAD,
    }
    return known.get(target) or nowhere(target, is_wikilink, label)


def rendered(text: str, title: str = "") -> Rendered:
    return render(text, places, WORDS, title)


def html(text: str, title: str = "") -> str:
    return str(rendered(text, title).html).rstrip("\n")


def written(text: str) -> str:
    """What the first wall lets through, without the second."""
    writer = Writer(resolve=places, words=WORDS, lang="en", title="", most=100_000)
    for event in MARKDOWN.events(text):
        writer.write(event)
    return writer.finish()


def seconds(text: str) -> float:
    """CPU time of the better of two tries."""
    tries = []
    for _ in range(2):
        start = time.process_time()
        rendered(text)
        tries.append(time.process_time() - start)
    return min(tries)


# what it looks like


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a *b* **c** ~~d~~ `e`", "<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>"),
        ("a\\\nb", "<p>a<br>\nb</p>"),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>"),
        ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
        ("```js\na < b\n```", "<pre><code>a &lt; b\n</code></pre>"),
        ("a\n\n***\n\nb", "<p>a</p>\n<hr>\n<p>b</p>"),
    ],
)
def test_markdown_is_shown_as_people_mean_it(text, shown):
    assert html(text) == shown


def test_a_task_of_a_list_says_whether_it_is_done():
    assert html("- [x] a\n- [ ] b") == (
        '<ul>\n<li><span class="box" role="img" aria-label="done">☑</span> a</li>\n'
        '<li><span class="box" role="img" aria-label="not done">☐</span> b</li>\n</ul>'
    )


def test_a_table_keeps_its_columns_and_a_heading_without_words_is_none():
    assert html("| |n|\n|-|-:|\n|a|1|") == (
        '<div class="scroll" role="region" tabindex="0" aria-label="Table"><table>\n'
        '<thead><tr><td></td><th scope="col" class="n">n</th></tr></thead>\n'
        '<tbody>\n<tr><td>a</td><td class="n">1</td></tr>\n</tbody></table></div>'
    )


def test_an_alert_is_named_by_the_report():
    assert html("> [!WARNING]\n> a") == (
        '<blockquote class="warning">\n<p class="kind">Warning</p>\n<p>a</p>\n</blockquote>'
    )


def test_footnotes_stand_at_the_end_with_a_way_back():
    assert html("a[^x]\n\n[^x]: b\n\nc") == (
        '<p>a<sup><a href="#u-note-1" id="u-from-note-1">1</a></sup></p>\n<p>c</p>\n'
        '<section class="notes" aria-label="Footnotes"><hr><ol>\n<li id="u-note-1"><p>b</p>\n'
        ' <a class="back" href="#u-from-note-1" aria-label="Back to the text">↩</a></li>\n</ol></section>'
    )


def test_headings_go_down_step_by_step_whatever_was_written():
    headings = rendered("### a\n# b\n#### c\n## d").headings

    assert [(heading.level, heading.id) for heading in headings] == [(2, "u-a"), (2, "u-b"), (3, "u-c"), (3, "u-d")]


def test_a_heading_has_a_link_to_itself_and_a_name_of_its_own():
    page = html("# Sign in\n\n# Sign in")

    assert Reading(page).ids == ["u-sign-in", "u-sign-in-1"]
    assert '<a class="self" href="#u-sign-in-1" aria-label="Link to this section">#</a></h2>' in page


def test_the_title_is_not_said_twice():
    assert html("# Вход\n\nЗдесь.", title="вход") == "<p>Здесь.</p>"


def test_another_first_heading_than_the_title_stays():
    assert "Вход</a>" not in html("# Вход", title="Выход")
    assert "Вход" in html("# Вход", title="Выход")


def test_a_heading_without_words_is_left_out():
    assert html("#\n\na") == "<p>a</p>"


def test_each_piece_tells_its_language_where_it_is_another():
    assert html("Most of it is English.\n\n- one\n  - два\n    - three") == (
        "<p>Most of it is English.</p>\n<ul>\n<li>one<ul>\n"
        '<li lang="ru">два<ul>\n<li lang="en">three</li>\n</ul>\n</li>\n</ul>\n</li>\n</ul>'
    )


def test_the_text_is_in_the_language_of_most_of_it():
    assert rendered("Это по-русски, with a word.").lang == "ru"


# links


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a](auth.md)", '<a href="auth.html">a</a>'),
        ("[[auth]]", '<a href="auth.html">auth</a>'),
        ("[[auth|sign in]]", '<a href="auth.html">sign in</a>'),
        ("[a](<auth.md#Sign in>)", '<a href="auth.html#u-sign-in">a</a>'),
        ("[a](lost.md)", '<span class="dead">a <small>no such page</small></span>'),
        ("[a](../src/x.py)", "a"),
        ("[](auth.md)", '<a href="auth.html">auth.md</a>'),
        ("[a](javascript:b)", "a"),
        ("<ann@example.org>", '<a class="out" href="mailto:ann@example.org" rel="noopener noreferrer nofollow">'
         "ann@example.org</a>"),
    ],
)  # fmt: skip
def test_a_link_leads_where_the_wiki_says(text, shown):
    assert html(text) == f"<p>{shown}</p>"


def test_an_address_leads_away_and_tells_nobody_where_from():
    assert html("See http://example.org/a(b), ok") == (
        '<p>See <a class="out" href="http://example.org/a(b)" rel="noopener noreferrer nofollow">'
        "http://example.org/a(b)</a>, ok</p>"
    )


def test_a_picture_is_a_link_that_names_its_host():
    assert html("![a *b*](http://pics.example.org/a.png)") == (
        '<p><a class="out" href="http://pics.example.org/a.png" rel="noopener noreferrer nofollow">'
        "a <em>b</em> <small>picture · pics.example.org</small></a></p>"
    )


def test_a_picture_of_the_wiki_leads_to_where_its_source_shows_it():
    assert html("![a](a.png)") == (
        '<p><a class="out" href="https://git.example.org/a.png" rel="noopener noreferrer nofollow">'
        "a <small>picture · git.example.org</small></a></p>"
    )
    assert html("![a](b.png)") == "<p>a <small>picture</small></p>"


def test_no_link_stands_in_another():
    assert html("[![a](http://x.example.org/a.png) http://y.example.org](auth.md)") == (
        '<p><a href="auth.html">a http://y.example.org</a></p>'
    )


def test_a_link_to_a_section_of_the_page_leads_there_only_if_it_is_there():
    assert html("[a](#b-c) [d](#e)\n\n# B, C").startswith('<p><a href="#u-b-c">a</a> <a>d</a></p>')


# HTML in Markdown


def test_known_tags_are_dropped_and_others_are_shown():
    assert html("a<br>b <kbd>c</kbd> <project> <!-- d -->e") == "<p>a<br>b c &lt;project&gt; e</p>"


def test_a_block_of_html_is_read_as_text():
    assert html("<details>\n<summary>More &amp; more</summary>\n\n*a*\n\n</details>") == (
        "<p>More &amp;amp; more</p>\n<p><em>a</em></p>"
    )


# nothing acts


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_nothing_hostile_comes_through(payload):
    assert Reading(html(payload)).faults == []


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_the_first_wall_stands_alone(payload):
    assert Reading(written(payload)).faults == []


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_the_second_wall_stands_alone(payload):
    unguarded = pyromark.html(payload, options=pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_FOOTNOTES)

    faults = Reading(CLEANER.clean(unguarded)).faults
    assert [fault for fault in faults if fault != "<a> leads away without rel"] == []


def test_there_are_enough_payloads():
    assert len(set(PAYLOADS)) >= 150


@given(st.text(alphabet=st.sampled_from("<>&\"'`[](){}!#*_~|:-=+\\/\n\t ^0aя\u0000\u202e"), max_size=200))
def test_any_text_becomes_allowed_html(text):
    page = html(text)

    assert Reading(page).faults == []
    assert len(Reading(page).ids) == len(set(Reading(page).ids))


@given(st.lists(st.sampled_from(PAYLOADS), max_size=4))
@settings(max_examples=200, deadline=None)
def test_hostile_texts_in_any_company_become_allowed_html(texts):
    page = html("\n".join(texts))

    assert Reading(page).faults == []
    assert str(CLEANER.clean(page)).rstrip("\n") == page


# nothing is slow or endless


@pytest.mark.parametrize(
    "bomb",
    ["> ", "- ", "1. ", "*a **b ", "[", "![", "[[a", "[a](", "<a ", "<!-- ", "`a", "~~a ", "# a\n", "|a|b|\n|-|-|\n",
     "[^a]", "[^a]: b\n\n", "&#65;", "http://a.b/) ", "_a __b ", "> - ", "<b>", "a\n", "- a\n", "***\n", "\\", "  \n",
     "[a]: b\n", "|"],
)  # fmt: skip
def test_twice_as_much_of_anything_takes_no_more_than_twice_as_long(bomb):
    assert seconds(bomb * 20_000) <= max(0.3, 3 * seconds(bomb * 10_000))


def test_html_is_not_longer_than_four_times_its_source():
    cut = rendered("|a|b|\n|-|-|\n" + "|x|\n" * 20_000)

    assert cut.is_cut
    assert len(cut.html) <= 4 * 80_000 * 1.1
    assert cut.html.endswith("</tbody></table></div>\n")


def test_a_text_that_fits_is_not_cut():
    assert not rendered("a" * 50_000).is_cut


def test_what_stands_too_deep_is_still_read():
    deep = html("> " * 10_000 + "a")

    assert deep.count("<blockquote>") == 40
    assert Reading(deep).text.strip() == "a"


def test_the_cleaner_is_that_of_this_library_and_drops_what_it_does_not_know():
    assert isinstance(CLEANER, nh3.Cleaner)
    assert CLEANER.clean("<b>a</b><img src=x>") == "a"
