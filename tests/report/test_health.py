"""Health: what could not be read, since when, why, and what to do."""

import html
import re
from collections.abc import Callable
from dataclasses import replace

from pipeline.codec import SCHEMA_VERSION
from pipeline.freshness import render_looks
from pipeline.model import RepositoryId, RepositoryReading, SyncReading
from tests.fakes.report_samples import NOW, Repository, trouble

Site = dict[str, str]
SiteOf = Callable[..., Site]

API = Repository(
    id="git.example.org/acme/api",
    board="parsed",
    board_text="# Status\n\none\ntwo <b>\nthree\nfour\nfive\n",
    diagnostics=[trouble("E103", "merge conflict markers", severity="error", line=4)],
)


def read(page_html: str) -> str:
    """What a reader sees, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page_html)).split())


def test_an_error_shows_the_lines_around_it_as_written(site_of: SiteOf) -> None:
    health = site_of(API)["health.html"]

    assert "Around it, as written 2 3 one 4 two <b> 5 three 6 four " in read(health)
    assert '<code class="meant">4  two &lt;b&gt;</code>' in health


def test_an_error_of_a_whole_file_shows_no_lines(site_of: SiteOf) -> None:
    whole = replace(API, diagnostics=[trouble("E101", "not UTF-8", severity="error", line=None)])

    assert "as written" not in site_of(whole)["health.html"]


def test_a_repository_that_is_not_up_to_date_says_what_to_do(site_of: SiteOf) -> None:
    health = read(site_of(replace(API, state="unreachable", reason="HTTP 401: …"))["health.html"])

    assert "HTTP 401: … Give the token access to it, or set a valid token" in health


def test_looks_are_told_by_the_page_of_each_repository_that_is_behind() -> None:
    behind = RepositoryReading(repository=RepositoryId("a.org/b/c"), good_at=NOW)
    never = RepositoryReading(repository=RepositoryId("a.org/b/Ж"), good_at=None)
    reading = SyncReading(
        schema_version=SCHEMA_VERSION,
        machine="m",
        checked_at=NOW,
        offline=False,
        stale_after_hours=24,
        sources=(),
        repositories=(behind, never),
    )

    assert render_looks(reading).decode() == (
        'window.PROJECTS_META_LOOKS = {"p/a.org/b/c.html":"2026-11-30T10:00:00Z",'
        '"p/a.org/b/x-af01de547c2d86e9.html":null};\n'
    )
