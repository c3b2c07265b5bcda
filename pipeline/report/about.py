"""about.html: what the report is made by, where it cuts, and where its rows are for programs."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline import __version__, codec, index_schema
from pipeline.report.page import Page, Site
from pipeline.report.views import AboutView


def pages(site: Site) -> Iterator[Page]:
    """The one page; it shows nothing of any repository."""
    made_by = [__version__, codec.SCHEMA_VERSION, index_schema.SCHEMA]
    yield Page(
        path="about.html",
        template="about.html",
        section="about",
        title=site.words.text("about.title"),
        made_of=made_by,
        view=lambda: AboutView(
            program=__version__, artifacts_schema=codec.SCHEMA_VERSION, catalog_schema=index_schema.SCHEMA
        ),
    )
