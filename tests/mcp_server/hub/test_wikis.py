"""Which version answers, while another one is opened and after that."""

import threading
from dataclasses import dataclass, field, replace
from datetime import datetime

import pytest

from mcp_server.hub.registry import Binding
from mcp_server.hub.wikis import Wikis
from pipeline.catalog import Published
from pipeline.errors import NothingPublished
from tests.fakes.catalogs import NOW
from tests.fakes.wikis import ATLAS, BEACON

A = Binding(label="A", name="Atlas", wiki_root="DOC-3", author="ann")
B = Binding(label="B", name="Beacon", wiki_root="DOC-21", author="ann")
RENAMED = replace(ATLAS, titles={**ATLAS.titles, "guides": "Guides"})
LONGER = replace(BEACON, pages={"start": "# Start\nmore\n"})


@dataclass
class SlowClock:
    """A clock that answers when it is let: every catalog is opened by it."""

    let: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)

    def __call__(self) -> datetime:
        self.asked.set()
        assert self.let.wait(20)
        return NOW

    def stop(self) -> None:
        self.let.clear()
        self.asked.clear()


def title(wikis: Wikis, binding: Binding) -> str:
    here = wikis.open(binding)
    return here.wiki.tree.pages[here.top].title


def test_who_asks_while_a_version_is_opened_is_answered_from_the_one_before(site):
    clock = SlowClock()
    clock.let.set()
    wikis = Wikis(Published(site.layout, now=clock))
    site.publish(ATLAS)
    before = title(wikis, A)
    site.publish(RENAMED)
    clock.stop()
    first = threading.Thread(target=wikis.renew)
    first.start()
    assert clock.asked.wait(20)
    meanwhile = title(wikis, A)
    clock.let.set()
    first.join()

    assert (before, meanwhile, title(wikis, A)) == ("Статусы", "Статусы", "Guides")


def test_who_asks_first_after_a_version_was_published_is_answered_from_it(site):
    wikis = Wikis(site.published())
    site.publish(ATLAS)
    before = title(wikis, A)
    site.publish(RENAMED)

    assert (before, title(wikis, A)) == ("Статусы", "Guides")


def test_answers_outlive_versions_that_change_other_wikis_and_no_others(site):
    wikis = Wikis(site.published())
    site.publish(ATLAS, BEACON)
    wikis.open(A).once("q", lambda: "of A")
    wikis.open(B).once("q", lambda: "of B")
    site.publish(ATLAS, LONGER)

    assert wikis.open(A).once("q", lambda: "asked again") == "of A"
    assert wikis.open(B).once("q", lambda: "asked again") == "asked again"


def test_another_root_has_answers_of_its_own(site):
    wikis = Wikis(site.published())
    site.publish(ATLAS)
    wikis.open(A).once("q", lambda: "below DOC-3")

    assert wikis.open(replace(A, wiki_root="DOC-5")).once("q", lambda: "below DOC-5") == "below DOC-5"


def test_a_wiki_that_was_open_and_is_published_no_more_is_told_from_one_that_is(site):
    wikis = Wikis(site.published())
    site.publish(ATLAS, BEACON)
    assert [found is not None for found in wikis.find([A, B])] == [True, True]
    site.publish(BEACON)

    assert [found is not None for found in wikis.find([A, B])] == [False, True]


def test_a_version_that_vanished_is_not_shown_any_more(site):
    wikis = Wikis(site.published())
    site.publish(ATLAS)
    wikis.open(A)
    site.layout.current_json.unlink()
    wikis.renew()

    with pytest.raises(NothingPublished):
        wikis.open(A)
