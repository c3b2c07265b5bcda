from dataclasses import replace

import pytest

from pipeline import audience
from pipeline.model import SourceReading, Visibility
from tests.fakes.catalogs import NOW, Project, reading, records

SEEN = Project(repository="forge/ann/api", visibility="public")
HIDDEN = Project(repository="forge/ann/secret")
ELSEWHERE = Project(repository="vault/ann/secret", source="vault")
SOURCES = (
    SourceReading(source="forge", state="unreachable", reason="2 gone", checked_at=NOW, synced_at=NOW, repositories=2),
    SourceReading(source="vault", state="ok", reason=None, checked_at=NOW, synced_at=NOW, repositories=1),
)
READING = replace(reading(), sources=SOURCES)


@pytest.mark.parametrize(
    ("reader", "shown"),
    [("private", ("private", "internal", "public")), ("internal", ("internal", "public")), ("public", ("public",))],
)
def test_an_audience_sees_what_is_at_least_as_open_as_itself(reader: Visibility, shown: tuple[Visibility, ...]):
    assert audience.seen_by(reader) == shown


def test_a_reading_for_others_tells_only_of_sources_that_they_see_something_of():
    found = audience.narrow_reading(READING, records([SEEN, HIDDEN, ELSEWHERE]).repositories, "public", "not told")

    assert found.sources == (replace(SOURCES[0], repositories=1, reason="not told"),)


def test_a_reading_for_oneself_is_the_whole_one():
    assert audience.narrow_reading(READING, records([SEEN, HIDDEN]).repositories, "private", "not told") is READING
