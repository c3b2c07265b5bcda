"""The first page: how fresh, what needs attention and why, what changed."""

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pipeline.catalog.attention import Concern, Reason
from pipeline.model import RepositoryId
from pipeline.report.overview import share
from tests.fakes.report_samples import Repository, task, trouble

Site = dict[str, str]
SiteOf = Callable[..., Site]

API = Repository(
    id="git.example.org/acme/api",
    board="parsed",
    items=[
        task("login", "active", title="Limit logins", next="measure it"),
        task("tokens", "blocked", title="Rotate tokens", line=9),
        task("ship", "done", title="Ship 2.0", line=12),
    ],
)


def read(page_html: str) -> str:
    """What a reader sees, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page_html)).split())


def attention(site: Site) -> str:
    return read(site["index.html"].split('id="attention">')[1].split("</section>")[0])


def test_it_says_first_how_many_repositories_are_up_to_date(site_of: SiteOf) -> None:
    down = Repository(id="a.org/b/c", state="unreachable", reason="HTTP 503")

    lead = site_of(API, down)["index.html"].split('class="lead standing">')[1].split("</p>")[0]

    assert read(lead) == "1 of 2 repositories are up to date with their sources. 1 is not. 3 tasks · 0 wiki pages"
    assert 'href="health.html#repositories"' in lead


def test_its_tiles_lead_to_the_tasks_they_count(site_of: SiteOf) -> None:
    tiles = re.findall(r'<a href="([^"]*)"><b>(\d+)</b> <span>([^<]*)<', site_of(API)["index.html"])

    assert tiles == [("tasks.html#blocked", "1", "blocked"), ("tasks.html#active", "1", "in progress")]


def test_every_status_that_some_task_has_leads_to_its_tasks(site_of: SiteOf) -> None:
    shares = site_of(API)["index.html"].split('class="shares"')[1].split("</ul>")[0]

    assert read(shares).startswith("> 1 Active 1 Blocked 1 Done")
    assert re.findall(r'href="([^"]*)"', shares) == ["tasks.html#active", "tasks.html#blocked", "tasks.html#done"]


def test_a_tile_leads_to_the_sheets_of_a_long_list(site_of: SiteOf) -> None:
    many = [task(f"a-{number}", "active", line=number) for number in range(500)]

    index = site_of(replace(API, items=[*many, task("b", "blocked")]))["index.html"]

    assert 'href="tasks-active.html"><b>500</b>' in index


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (
            {"state": "unreachable", "reason": "HTTP 503 after 3 tries"},
            "1 repository not read acme/db The repository could not be read. HTTP 503 after 3 tries",
        ),
        (
            {"diagnostics": [trouble("E101", "the board is not UTF-8", severity="error")]},
            "1 unreadable file .tasks/STATUS.md:4 acme/db The file could not be read as it is. the board is not UTF-8",
        ),
        ({"board": "parsed", "items": [task("a", "blocked", title="Move")]}, "1 blocked Move acme/db Blocked"),
        ({"board": "parsed", "items": [task("a", "paused", title="Move")]}, "1 paused Move acme/db Paused"),
        (
            {"board": "parsed", "items": [task("a", "active", title="Move")]},
            "1 without a next action Move acme/db In progress without a next action",
        ),
        (
            {"diagnostics": [trouble("W310", "the link x leads to no page")]},
            "1 dead link .tasks/STATUS.md:4 acme/db A link leads nowhere. the link x leads to no page",
        ),
    ],
)
def test_what_needs_attention_is_named_with_its_reason(site_of: SiteOf, given: dict[str, Any], shown: str) -> None:
    site = site_of(Repository(id="git.example.org/acme/db", **given))

    assert attention(site) == f"Needs attention {shown}"


def test_a_task_in_progress_with_a_next_action_needs_no_attention(site_of: SiteOf) -> None:
    site = site_of(replace(API, items=API.items[:1]))

    assert "Nothing: every repository was read" in attention(site)


def test_a_repository_that_is_gone_asks_for_nothing(site_of: SiteOf) -> None:
    site = site_of(replace(API, state="gone", reason="HTTP 404"))

    assert "Nothing: every repository was read" in attention(site)


def concerns(project: str, count: int) -> list[Concern]:
    return [Concern(reason="blocked", project=RepositoryId(f"{project}/{number}")) for number in range(count)]


def names(found: Sequence[Concern]) -> list[str]:
    return [concern.project for concern in found]


def test_no_reason_hides_another_one() -> None:
    found: dict[Reason, list[Concern]] = {
        "unread": concerns("u", 9),
        "blocked": concerns("b", 9),
        "dead_link": concerns("d", 1),
    }

    assert names(share(found, 5)) == ["u/0", "u/1", "b/0", "b/1", "d/0"]


def test_the_only_reason_has_every_row() -> None:
    assert names(share({"paused": concerns("p", 4)}, 3)) == ["p/0", "p/1", "p/2"]


def test_it_does_not_grow_with_the_number_of_tasks(site_of: SiteOf) -> None:
    many = [task(f"t{number}", "blocked", title="Wait for the part " * 10, line=number) for number in range(3_000)]

    index = site_of(replace(API, items=many))["index.html"]

    assert index.count('class="row ') == 10
    assert len(index.encode()) < 20_000


def test_without_history_it_says_that_changes_are_not_known(site_of: SiteOf) -> None:
    assert "No history has been read yet" in site_of(API)["index.html"]


def test_without_projects_it_says_how_to_name_a_source(site_of: SiteOf) -> None:
    index = site_of()["index.html"]

    assert "No projects yet" in index
    assert 'kind = "folder"' in index
