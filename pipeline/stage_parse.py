"""What one artifact in stage is made of, and what stands there when it cannot be made."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pipeline import codec, diagnostics, files
from pipeline.blobs import BlobStore
from pipeline.errors import ArtifactError
from pipeline.history_store import HistoryStore, without_texts
from pipeline.layout import HISTORY, Layout
from pipeline.model import Artifact, Diagnostic, History, ProjectHistory, RosterEntry, Snapshot
from pipeline.roster import note
from pipeline.roster_rows import without_history
from pipeline.snapshots import SnapshotStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A snapshot with the bytes of its files; what is here of its history, with the bytes of old texts.

    `last` is the history that stands in stage, if this very code made it: what it counted need not be counted again.
    `lost` collects old texts that should be here and are not.
    """

    snapshot: Snapshot
    blobs: Mapping[str, bytes | None]
    history: History | None = None
    last: ProjectHistory | None = None
    old_text: Callable[[str], bytes | None] = lambda _: None
    lost: set[str] = field(default_factory=set)

    def text(self, oid: str) -> bytes | None:
        """The bytes of an old version of a file."""
        content = self.old_text(oid)
        if content is None and self.history is not None and oid not in self.history.unbrought:
            self.lost.add(oid)
        return content


Files = Mapping[str, bytes]
Maker = Callable[[Inputs], tuple[Artifact, Files]]
Attempt = Callable[[Inputs], tuple[Artifact, Files] | Diagnostic]


def read_inputs(layout: Layout, entry: RosterEntry, *, is_same_code: bool) -> Inputs | None:
    """All that the artifact of a row is made of; None when the snapshot, or bytes of it, are lost."""
    snapshot = SnapshotStore(layout).load(entry)
    if snapshot is None:
        return None
    store = BlobStore(layout)
    blobs = {each.oid: store.read(each.oid) for each in snapshot.entries if each.state == "stored"}
    if None in blobs.values():
        return None
    history = None if entry.history_digest is None else HistoryStore(layout).load(entry.listing.repository)
    last = _staged_history(layout, entry) if is_same_code else None
    return Inputs(snapshot=snapshot, blobs=blobs, history=history, last=last, old_text=store.read)


def is_history_lost(entry: RosterEntry, inputs: Inputs) -> bool:
    """Whether the history that the row names, or a text of it, proved not to be here."""
    return entry.history_digest is not None and (inputs.history is None or bool(inputs.lost))


def mend_history(layout: Layout, entry: RosterEntry, inputs: Inputs) -> None:
    """Let what is lost of a history be brought again, by the next run at the latest."""
    if not is_history_lost(entry, inputs):
        return
    if inputs.history is None:
        note(layout, without_history(entry))
        return
    digest = HistoryStore(layout).write(without_texts(inputs.history, inputs.lost))
    note(layout, replace(entry, history_digest=digest, history_reach=None))


def crashed(layout: Layout, snapshot: Snapshot, found: Diagnostic) -> tuple[Artifact, Mapping[str, bytes | None]]:
    """The last good artifact with a crash told beside it; without one, nothing but the crash."""
    from pipeline import artifact, stage_index

    folder = layout.stage_project(snapshot.repository)
    try:
        last = stage_index.load_artifact(layout, snapshot.repository)
    except (FileNotFoundError, ArtifactError):
        return artifact.crashed(snapshot, found), {}
    beside = [each.file for each in last.files] + ([HISTORY] if last.history is not None else [])
    if not all((folder / file).is_file() for file in beside):
        return artifact.crashed(snapshot, found), {}
    others = tuple(each for each in last.diagnostics if each.code != found.code)
    return replace(last, diagnostics=(found, *others)), dict.fromkeys(beside)


def build(inputs: Inputs) -> tuple[Artifact, Mapping[str, bytes]]:
    """The artifact, and every file beside it.

    Parsers, templates and the example are imported where they are needed: an idle run, which may come every
    minute, needs none of them.
    """
    from pipeline import artifact, artifact_history

    made, texts = artifact.build(inputs.snapshot, inputs.blobs.get)
    told = artifact_history.build(made, inputs.history, inputs.text, inputs.last)
    if told is None:
        return made, texts
    content = codec.dump(told)
    troubles = artifact_history.troubles(told)
    found = diagnostics.in_order([*made.diagnostics, *troubles]) if troubles else made.diagnostics
    whole = replace(made, history=hashlib.sha256(content).hexdigest(), diagnostics=found)
    return whole, {**texts, HISTORY: content}


def _staged_history(layout: Layout, entry: RosterEntry) -> ProjectHistory | None:
    raw = files.read_bytes(layout.stage_project(entry.listing.repository) / HISTORY)
    try:
        return None if raw is None else codec.load(ProjectHistory, raw, HISTORY)
    except ArtifactError:
        return None
