"""The store of file bytes by git object id, shared by all repositories and all history."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.files import folders, read_bytes, remove_unless_open, sweep, walk, write_atomic
from pipeline.layout import Layout

OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def blob_id(content: bytes, letters: int = 40) -> str:
    """The id that git gives these bytes: SHA-1, or SHA-256 where ids have 64 letters."""
    digest = hashlib.sha256() if letters == 64 else hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % len(content))
    digest.update(content)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class BlobStore:
    """Bytes get in only under their own id; what was damaged since counts as not there."""

    layout: Layout

    def has(self, oid: str, size_bytes: int | None) -> bool:
        """Whether the blob is here, by name and, where it is known, size."""
        found = self.size_bytes(oid)
        return found is not None and size_bytes in (None, found)

    def size_bytes(self, oid: str) -> int | None:
        """How large the stored blob is; None when it is not here."""
        if not OID.fullmatch(oid):
            return None
        try:
            return self.layout.blob(oid).stat().st_size
        except FileNotFoundError:
            return None

    def add(self, oid: str, content: bytes) -> bool:
        """Store the bytes; False, and nothing stored, when they are not those that `oid` names.

        Raises:
            OSError: the disk refused.
        """
        if not OID.fullmatch(oid) or blob_id(content, len(oid)) != oid:
            return False
        write_atomic(self.layout.blob(oid), content)
        return True

    def read(self, oid: str) -> bytes | None:
        """The bytes; None when they are not here or no longer what `oid` names."""
        content = read_bytes(self.layout.blob(oid)) if OID.fullmatch(oid) else None
        return content if content is not None and blob_id(content, len(oid)) == oid else None

    def oids(self) -> Iterator[str]:
        """Every blob that is stored, in no order; other files in the store are passed over."""
        for folder in folders(self.layout.blobs):
            yield from (oid for name in walk(folder) if OID.fullmatch(oid := folder.name + name))

    def remove(self, oid: str) -> None:
        """Remove a blob, if it is here; one that somebody has open (Windows) stays."""
        remove_unless_open(self.layout.blob(oid))

    def sweep(self) -> None:
        """Remove what killed runs left half written."""
        for folder in folders(self.layout.blobs):
            sweep(folder)
