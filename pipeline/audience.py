"""For whom a report is made: which repositories it may show, and what it may say of a look at sources.  Pure.

A narrower report is that of a build without the other repositories, byte for byte.  Why a look failed is left out
of it: such a reason is of a whole source, and may count or name what only its owner may know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from pipeline.model import RepositoryRecord, SyncReading, Visibility

OPENNESS: tuple[Visibility, ...] = ("private", "internal", "public")


def sees(audience: Visibility, visibility: Visibility) -> bool:
    """Whether a report for `audience` may show a repository of this visibility."""
    return OPENNESS.index(visibility) >= OPENNESS.index(audience)


def seen_by(audience: Visibility) -> tuple[Visibility, ...]:
    """The visibilities of the repositories that a report for `audience` may show."""
    return tuple(visibility for visibility in OPENNESS if sees(audience, visibility))


def narrow_reading(
    reading: SyncReading, records: Iterable[RepositoryRecord], audience: Visibility, unsaid: str
) -> SyncReading:
    """The reading with the sources that the audience sees repositories of; for oneself the whole one.

    `unsaid` stands where a reason is left out.
    """
    if audience == "private":
        return reading
    shown = Counter(record.source for record in records if sees(audience, record.visibility))
    return replace(
        reading,
        sources=tuple(
            replace(source, repositories=shown[source.source], reason=unsaid if source.reason else None, evidence={})
            for source in reading.sources
            if shown[source.source]
        ),
        repositories=(),
        evidence={},
        histories=(),
    )
