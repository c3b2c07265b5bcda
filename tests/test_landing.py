"""build/report.html, the stable address."""

from datetime import UTC, datetime

from pipeline import codec
from pipeline.model import SourceReading, SyncReading
from pipeline.report.landing import render_landing

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
DOWN = SourceReading(
    source="git.example.org", state="unreachable", reason="<HTTP 503>", checked_at=NOW, synced_at=None, repositories=0
)
READING = SyncReading(
    schema_version=codec.SCHEMA_VERSION,
    machine="secret-host",
    checked_at=NOW,
    offline=False,
    stale_after_hours=24,
    sources=(DOWN,),
    repositories=(),
)


def test_it_leads_at_once_and_by_a_plain_link_to_the_newest_version() -> None:
    page = render_landing(42, READING, "en").decode()

    assert '<meta http-equiv="refresh" content="0; url=versions/000042/report/index.html">' in page
    assert '<a class="button" href="versions/000042/report/index.html">' in page


def test_it_says_when_the_sources_were_looked_at_and_what_failed() -> None:
    page = render_landing(42, READING, "en").decode()

    assert "The sources were last looked at 30 Nov 2026 10:00 UTC." in page
    assert "git.example.org: never read. Now unreachable: &lt;HTTP 503&gt;" in page


def test_it_speaks_the_language_of_the_report() -> None:
    assert "Открыть последний отчёт" in render_landing(42, READING, "ru").decode()


def test_it_does_not_tell_the_machine() -> None:
    assert "secret-host" not in render_landing(42, READING, "en").decode()
