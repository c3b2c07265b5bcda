"""Every link of the report leads somewhere, every place has one name."""

from pathlib import Path

import pytest

from tests.browser.links import broken_links, ids_twice
from tests.browser.sites import Built


def test_no_link_of_the_example_is_broken(example: Built):
    assert broken_links(example) == []


def test_no_id_stands_twice_on_a_page_of_the_example(example: Built):
    assert ids_twice(example) == []


@pytest.fixture
def small(tmp_path: Path) -> Built:
    """Two pages with links of each kind."""
    built = Built(tmp_path)
    (built.report / "p").mkdir(parents=True)
    links = "p/b.html#here p/b.html#there p/b.html#q=1 c.html ../../x.html https://example.org/ #top"
    page = "".join(f"<a href='{address}'>x</a>" for address in links.split())
    (built.report / "a.html").write_text(f"<b id=top></b>{page}", encoding="utf-8")
    (built.report / "p" / "b.html").write_text(
        "<b id=here></b><b id=here></b><a href='../a.html'>x</a>", encoding="utf-8"
    )
    return built


def test_a_link_to_no_file_no_place_or_out_of_the_report_is_broken(small: Built):
    assert broken_links(small) == ["a.html: p/b.html#there", "a.html: c.html", "a.html: ../../x.html"]


def test_an_id_that_stands_twice_is_found(small: Built):
    assert ids_twice(small) == ["p/b.html#here"]
