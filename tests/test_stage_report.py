"""The staged report follows the staged catalog, page by page."""

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline import files, stage_pages, stage_report
from pipeline.layout import Layout
from pipeline.model import ReportSettings, Visibility
from pipeline.stage_pages import Edition
from pipeline.workers import Crew
from tests.fakes.catalogs import Project, create, item, write_tree
from tests.fakes.staged import write

NOW = datetime(2026, 12, 1, tzinfo=UTC)
API = Project(repository="forge/ann/api", board="## a\n", items=(item("a"),))
WEB = Project(repository="forge/bob/web", board="## b\n", items=(item("b"),))
FLOWN = replace(API, board="## fly\n", items=(item("fly"),))


def report(place: Layout, *projects: Project, code: str = "code", audience: Visibility = "private") -> tuple[str, ...]:
    """Stage the catalog and the texts of `projects`, then run the step; answers the projects' pages that were made."""
    for one in projects:
        write_tree(place.stage_project(one.id), one)
    (place.stage / "catalog.sqlite").unlink(missing_ok=True)
    with closing(create(place.stage / "catalog.sqlite", projects)):
        pass
    made = stage_report.write_report(place, code, "en", ReportSettings(audience=audience))
    return tuple(path for path in made if path.startswith("p/"))


@pytest.fixture
def place(tmp_path):
    """A stage whose report shows two projects."""
    found = Layout(tmp_path / "build")
    assert report(found, API, WEB) == ("p/forge/ann/api.html", "p/forge/bob/web.html")
    return found


def page(place: Layout, name: str) -> str:
    return (place.stage / "report" / name).read_text(encoding="utf-8")


def test_one_changed_repository_makes_one_page_beside_the_first_sheets(place):
    assert report(place, FLOWN, WEB) == ("p/forge/ann/api.html",)
    assert "fly" in page(place, "p/forge/ann/api.html")


def test_a_page_that_was_edited_by_hand_is_made_anew(place):
    good = page(place, "p/forge/bob/web.html")
    write(place.stage / "report" / "p" / "forge" / "bob" / "web.html", b"mine")

    assert report(place, API, WEB) == ("p/forge/bob/web.html",)
    assert page(place, "p/forge/bob/web.html") == good


def test_a_page_that_was_removed_by_hand_is_made_anew(place):
    (place.stage / "report" / "p" / "forge" / "bob" / "web.html").unlink()

    assert report(place, API, WEB) == ("p/forge/bob/web.html",)


def test_pages_that_other_code_made_are_made_anew(place):
    assert len(report(place, API, WEB, code="other")) == 2


def test_a_damaged_record_of_ours_makes_every_page_anew(place):
    write(place.pages_json, b"{")

    assert len(report(place, API, WEB)) == 2


def test_the_page_of_a_project_that_left_goes(place):
    report(place, WEB)

    assert not (place.stage / "report" / "p" / "forge" / "ann").exists()


def test_a_shared_repository_shows_what_changed_in_the_one_shared_wiki(place):
    first = Project(repository="forge/ann/projects-wiki", shared_pages={"a": "A\n"})
    second = Project(repository="forge/bob/projects-wiki", shared_pages={"b": "B\n"})
    report(place, first, second)

    made = report(place, replace(first, shared_pages={"c": "C\n"}), second)

    assert made == ("p/forge/ann/projects-wiki.html", "p/forge/bob/projects-wiki.html")


def site(place: Layout) -> dict[str, bytes]:
    folder = place.stage / "report"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_report_for_others_is_that_of_a_build_without_what_they_may_not_see(tmp_path):
    mixed, alone = Layout(tmp_path / "mixed"), Layout(tmp_path / "alone")
    report(mixed, replace(API, visibility="public"), WEB, audience="public")
    report(alone, replace(API, visibility="public"))

    assert "p/forge/ann/api.html" in site(mixed)
    assert site(mixed) == site(alone)


def test_another_audience_makes_every_page_anew_and_leaves_no_other_page(place):
    public = replace(API, visibility="public")
    report(place, public, WEB)

    assert "p/forge/ann/api.html" in report(place, public, WEB, audience="public")
    assert "p/forge/bob/web.html" not in site(place)
    assert not place.narrowed_catalog.exists()


def test_workers_make_the_very_files_that_are_made_alone(place):
    alone = {name: page(place, name) for name in files.walk(place.stage / "report")}
    files.remove_tree(place.stage / "report")
    made = stage_report.write_report(place, "other", "en", ReportSettings(), Crew(2, enough=2))

    assert {"p/forge/ann/api.html", "p/forge/bob/web.html"} < set(made)
    assert {name: page(place, name) for name in files.walk(place.stage / "report")} == alone


def test_the_pages_that_workers_made_are_known_to_stand(place):
    stage_report.write_report(place, "other", "en", ReportSettings(), Crew(2, enough=2))

    assert report(place, API, WEB, code="other") == ()
    assert report(place, FLOWN, WEB, code="other") == ("p/forge/ann/api.html",)


def test_workers_make_the_pages_of_projects_and_of_nothing_else(place):
    files.remove_tree(place.stage / "report")
    edition = Edition(
        place=place, catalog=place.stage / "catalog.sqlite", now=NOW, language="en", has_pages=True, roots=None
    )
    made = stage_pages.make(edition, Crew(2), [API.id, WEB.id])

    assert made == {"p/forge/ann/api.html", "p/forge/bob/web.html"} == set(files.walk(place.stage / "report"))
    assert not place.beside.exists()
