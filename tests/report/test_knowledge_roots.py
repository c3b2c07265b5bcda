"""The page about knowledge roots."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline import stage_report, stage_roots
from pipeline.layout import Layout
from pipeline.model import ReportSettings
from tests.fakes.published import Site
from tests.fakes.root_folders import EMPTY_ROSTER, settings_of, write_files
from tests.mcp_server.asking import ATLAS

MINE = {
    "knowledge/work/local/knowledge-roots-index-v1.md": "a.md => group\nlost/ => group\n<b>odd</b>\n",
    "knowledge/work/local/workspace-scope-map-v1.md": "/home/ann/secret => bazaar\n",
    "knowledge/work/org/scope-contour-map-v1.md": "| bazaar | acme-shop | web <i>shop</i> | yes |\n",
}

Make = Callable[[ReportSettings], str | None]


@pytest.fixture
def page_of(tmp_path: Path) -> Make:
    """The page's text for an audience, None where there is no such page."""
    place = Layout(tmp_path / "build")
    Site(place).publish(ATLAS)
    group = write_files(tmp_path / "group", {"knowledge/a.md": "a"})
    (group / "knowledge" / "link.md").symlink_to("/etc/passwd")
    settings = settings_of(write_files(tmp_path / "mine", MINE), group)
    stage_roots.write_roots(place, "code", settings, EMPTY_ROSTER)

    def make(report: ReportSettings) -> str | None:
        stage_report.write_report(place, "code", "en", report)
        page = place.stage / "report" / "roots.html"
        return page.read_text(encoding="utf-8") if page.exists() else None

    return make


def test_every_root_hint_warning_and_row_of_the_contour_table_is_shown(page_of: Make):
    page = page_of(ReportSettings())

    assert page is not None
    said = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "mine primary ok 3" in said
    assert "knowledge/link.md a symbolic link: it is not followed" in said
    assert "a.md group 1 files of the root" in said
    assert "lost/ group 2 nothing: no such file in the root" in said
    assert "bazaar acme-shop web &lt;i&gt;shop&lt;/i&gt; yes" in said
    assert "&lt;b&gt;odd&lt;/b&gt; line 3 no hint" in said


def test_a_report_for_others_says_nothing_of_roots(page_of: Make):
    assert page_of(ReportSettings(audience="public")) is None


def test_no_folder_of_the_disk_stands_on_the_page(page_of: Make, tmp_path: Path):
    page = page_of(ReportSettings())

    assert page is not None
    assert str(tmp_path) not in page
    assert "secret" not in page
