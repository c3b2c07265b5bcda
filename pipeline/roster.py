"""roster.json, and the journal that lets a killed run go on where it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pipeline.codec import SCHEMA_VERSION, dump, dump_line, load
from pipeline.errors import ArtifactError
from pipeline.files import append, read_bytes, remove_tree, write_atomic
from pipeline.layout import Layout
from pipeline.model import RepositoryId, Roster, RosterEntry


def read_roster(layout: Layout) -> Roster:
    """Every repository we know, rows of a run that was killed included; empty before the first sync.

    A roster that is damaged or of another schema counts as none: everything is asked anew, and what
    is in the blob store is not brought again.
    """
    entries = {entry.listing.repository: entry for entry in _stored(layout)}
    entries.update(_journal(layout))
    return make_roster(entries.values())


def make_roster(entries: Iterable[RosterEntry]) -> Roster:
    """A roster in its order."""
    return Roster(
        schema_version=SCHEMA_VERSION, entries=tuple(sorted(entries, key=lambda entry: entry.listing.repository))
    )


def update_roster(layout: Layout, roster: Roster, known: Sequence[RosterEntry]) -> None:
    """Store the roster, unless it is still `known`, as `read_roster` gave it, and no journal is to be folded."""
    is_stored = layout.roster.is_file() and not layout.journal.exists()
    if not is_stored or roster.entries != tuple(known):
        write_roster(layout, roster)


def write_roster(layout: Layout, roster: Roster) -> None:
    """Store the roster (only when its bytes differ); then the journal has done its work."""
    write_atomic(layout.roster, dump(roster))
    remove_tree(layout.journal)


def note(layout: Layout, entry: RosterEntry) -> None:
    """Remember one finished repository, so that a kill cannot lose it."""
    append(layout.journal, dump_line(entry))


def _stored(layout: Layout) -> tuple[RosterEntry, ...]:
    raw = read_bytes(layout.roster)
    if raw is None:
        return ()
    try:
        return load(Roster, raw, "roster.json").entries
    except ArtifactError:
        return ()


def _journal(layout: Layout) -> Iterator[tuple[RepositoryId, RosterEntry]]:
    for row in (read_bytes(layout.journal) or b"").split(b"\n"):
        try:
            entry = load(RosterEntry, row, "roster.journal")
        except ArtifactError:
            # The kill tore the last row: its repository is asked again.
            continue
        yield entry.listing.repository, entry
