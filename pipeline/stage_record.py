"""What each project artifact in stage was made from: our own memory, so that doit's may vanish.

One JSON row per line, appended as soon as an artifact is whole, so that a killed build goes on where
it was.  A torn last line is ignored; of several rows for one repository the last one counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import orjson

from pipeline import codec, files
from pipeline.model import RepositoryId, RosterEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """`artifact` (SHA-256 of project.json) was made of `snapshot` and `history` (their SHA-256) by `code`."""

    repository: RepositoryId
    snapshot: str
    code: str
    artifact: str
    history: str = ""


def read(path: Path) -> dict[RepositoryId, Made]:
    """Every row that still counts; nothing when there is no file."""
    found: dict[RepositoryId, Made] = {}
    for raw in (files.read_bytes(path) or b"").split(b"\n"):
        row = _parse(raw)
        if row:
            found[row.repository] = row
    return found


def append(path: Path, row: Made) -> None:
    """Remember one finished artifact."""
    files.append(path, codec.dump_line(row))


def write(path: Path, rows: dict[RepositoryId, Made]) -> None:
    """Fold the record: one row per repository, sorted."""
    files.write_atomic(path, b"".join(codec.dump_line(rows[repository]) for repository in sorted(rows)))


def index_inputs(entry: RosterEntry, made: Made | None) -> tuple[object, ...]:
    """All that the index reads of a roster row; what else stands there must not make a version."""
    listing = entry.listing
    return (
        listing.repository,
        (listing.visibility, listing.archived, listing.default_branch),
        (entry.source, entry.state, entry.reason, entry.shared),
        made.artifact if made else None,
    )


def _parse(raw: bytes) -> Made | None:
    try:
        row = orjson.loads(raw)
        return Made(**row)
    except (orjson.JSONDecodeError, TypeError):
        return None
