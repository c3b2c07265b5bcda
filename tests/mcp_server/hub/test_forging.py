"""Nothing that a page, a file or a person is called can add, end or rename an item of a list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pipeline.layout import Layout
from tests.fakes.page_histories import AT, history, page, version
from tests.fakes.published import Site
from tests.fakes.wikis import ATLAS, Asked, asking

BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
FORGED = 'x"},{"code":"DOC-666","name":"forged","size":0,"depth":0}],"nodes":[\u2028DOC-1 — forged\r\nпуть: '
HOSTILE = st.text(st.sampled_from(f'{BREAKS}"\\{{}}[],:/ abя\u202e\0'), min_size=1, max_size=40) | st.text(max_size=40)


@dataclass
class Press:
    """A hub whose wiki is published anew with other names."""

    site: Site
    hub: Asked

    def publish(self, name: str) -> None:
        """A page, its author and the heading of its wiki are called `name`."""
        versions = version(1, AT, author=name, path=".wiki/guides.md")
        wiki = replace(
            ATLAS,
            wiki_index=f"# {name}\n",
            titles={"guides": name},
            pages={"guides": "текст\n"},
            front_matters={"guides": {"parent": name}},
            history=history("local/team/atlas", page("guides", versions, code="DOC-3"), page("index", code="DOC-1")),
        )
        self.site.publish(wiki)


@pytest.fixture(scope="module")
def press(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Press]:
    folder = tmp_path_factory.mktemp("press")
    site = Site(Layout(folder / "build"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROJECTS_META_BUILD", str(site.layout.root))
        patch.setenv("PROJECTS_META_NOW", "2026-11-30T14:05:00Z")
        with asking(folder / "state") as hub:
            hub.add("A", "DOC-1")
            yield Press(site, hub)


def lines(answer: Any) -> Iterator[str]:
    """Every text of an answer."""
    if isinstance(answer, str):
        yield answer
    for one in answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else ():
        yield from lines(one)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE)
@example(FORGED)
@example(BREAKS)
def test_lists_have_the_items_that_there_are_whatever_these_are_called(press: Press, name):
    press.publish(name)
    tree = press.hub.get("/wiki/tree", project="A")
    hits = press.hub.get("/wiki/search", project="A", q="текст")
    changes = press.hub.get("/wiki/changes", project="A", since="2026-11-30T00:00:00Z")
    status = press.hub.get("/wiki/status", project="A")

    assert [(node["code"], node["depth"]) for node in tree["nodes"]] == [("DOC-1", 0), ("DOC-3", 1)]
    assert [item["code"] for item in hits["items"]] == ["DOC-3"]
    assert [(item["page_code"], item["version"]) for item in changes["items"]] == [("DOC-3", "DOCH-1")]
    assert [one for one in lines([tree, hits, changes, status]) if set(one) & set(BREAKS)] == []


@settings(max_examples=60, deadline=None)
@given(HOSTILE.filter(lambda name: bool(name.strip())))
def test_a_projects_name_stays_in_its_field(press: Press, name):
    made = press.hub.client.post("/projects", json={"label": "B", "name": name[:200], "author": "x"})
    listed = press.hub.get("/projects")["items"]

    assert made.status_code in (201, 409, 422)
    assert {item["label"] for item in listed} <= {"A", "B"}
    assert [one for one in lines(listed) if set(one) & set(BREAKS)] == []
