"""The files of one artifact while it is made: bytes brought, texts placed, trouble noted.  Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from pipeline import diagnostics, layout, text
from pipeline.model import ArtifactFile, Diagnostic, RepoPath, SnapshotEntry
from pipeline.parse.markdown import is_lfs_pointer

Blobs = Callable[[str], bytes | None]


def file_of(path: RepoPath, folder: str, into: str) -> str:
    """The place in the artifact of a Markdown file below a folder of the repository."""
    return layout.document_path(into, path[len(folder) :])


class Shelf:
    """`files` by their place beside project.json, and all that was found on the way."""

    def __init__(self, blobs: Blobs) -> None:
        self.blobs = blobs
        self.files: dict[str, bytes] = {}
        self.found: list[Diagnostic] = []
        self._records: dict[str, ArtifactFile] = {}

    def records(self) -> tuple[ArtifactFile, ...]:
        """What stands where, sorted by place."""
        return tuple(self._records[file] for file in sorted(self._records))

    def bring(self, entry: SnapshotEntry, too_large: str = "W506", missing: str = "W507") -> bytes | None:
        """An entry's bytes; None, with a diagnostic of one of the two codes, when they are not here."""
        raw = self.blobs(entry.oid) if entry.state == "stored" else None
        if raw is None:
            self.report(too_large if entry.state == "too_large" else missing, entry.path)
        return raw

    def place(self, entry: SnapshotEntry, file: str, raw: bytes) -> str | None:
        """Put a text as written into the artifact; None when another path has that place already."""
        if file in self.files:
            self.report("W508", entry.path, other=self._records[file].path)
            return None
        if is_lfs_pointer(raw):
            self.report("W509", entry.path)
        written = text.body(text.decode(raw)[0]).encode("utf-8")
        digest = hashlib.sha256(written).hexdigest()
        self.files[file] = written
        self._records[file] = ArtifactFile(file=file, path=entry.path, sha256=digest, size_bytes=len(written))
        return file

    def copy(self, entry: SnapshotEntry, folder: str, into: str) -> str | None:
        """Bring a file that is only kept, not read, and place it."""
        raw = self.bring(entry)
        return None if raw is None else self.place(entry, file_of(entry.path, folder, into), raw)

    def report(self, code: str, path: RepoPath, line: int | None = None, **details: object) -> None:
        """Note trouble."""
        self.found.append(diagnostics.make(code, path, line, **details))
