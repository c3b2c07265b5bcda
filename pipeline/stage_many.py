"""Many artifacts at once, by workers: each is written whole beside stage's, then takes its place by one rename.

Only what goes well is made here.  A snapshot with lost bytes, a crash of ours, a disk that refuses: the
repository's own task meets it again, and does what is to be done.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline import codec, files, stage, stage_parse
from pipeline.layout import PROJECT, Layout
from pipeline.model import Diagnostic, RepositoryId, RosterEntry
from pipeline.stage_parse import Attempt
from pipeline.workers import Crew

Job = tuple[RosterEntry, bool]


@dataclass(frozen=True, slots=True)
class Beside:
    """An artifact that is whole in `folder`, beside its place; `digest` is the SHA-256 of its project.json."""

    repository: RepositoryId
    folder: Path
    digest: str


def make(place: Layout, crew: Crew, attempt: Attempt, jobs: Sequence[Job]) -> Iterator[tuple[RepositoryId, str]]:
    """Make the artifacts of these rows (True: what stands was made by this very code), in no order.

    `attempt` has a name that workers can find.

    Answers each that stands in stage, with its digest; those that a task of their own must make are missing.

    Raises:
        OSError: the disk refused.
    """
    files.remove_tree(place.beside)
    try:
        for made in crew.spread(functools.partial(_make, place, attempt), jobs):
            stage.adopt(made.folder, place.stage_project(made.repository))
            yield made.repository, made.digest
    finally:
        files.remove_tree(place.beside)


def _make(place: Layout, attempt: Attempt, share: Iterable[Job]) -> Iterator[Beside]:
    home = place.beside / str(os.getpid())
    for number, (entry, is_same_code) in enumerate(share):
        contents = _contents(place, attempt, entry, is_same_code=is_same_code)
        if contents is not None:
            folder = home / str(number)
            files.write_new(folder, contents)
            yield Beside(entry.listing.repository, folder, hashlib.sha256(contents[PROJECT]).hexdigest())


def _contents(place: Layout, attempt: Attempt, entry: RosterEntry, *, is_same_code: bool) -> dict[str, bytes] | None:
    """The files of an artifact; None when more is to be done than to write them."""
    inputs = stage_parse.read_inputs(place, entry, is_same_code=is_same_code)
    if inputs is None:
        return None
    found = attempt(inputs)
    if isinstance(found, Diagnostic) or stage_parse.is_history_lost(entry, inputs):
        return None
    made, texts = found
    return {**texts, PROJECT: codec.dump(made)}
