"""Many git objects in one pack, written at once: a hundred times faster than one file for each.

The format is git's own (pack version 2, index version 2), so libgit2 and git read it, and ids are true.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import Literal

from tests.fakes.bare import AUTHOR, EMAIL, BareRepository

Kind = Literal["commit", "tree", "blob"]
KIND_NUMBERS: Mapping[str, int] = {"commit": 1, "tree": 2, "blob": 3}
LARGE_OFFSET = 1 << 31


@dataclass(slots=True)
class Pack:
    """Objects to be written, by their ids."""

    objects: dict[bytes, tuple[Kind, bytes]] = field(default_factory=dict)

    def blob(self, content: str | bytes) -> bytes:
        """Keep a file's content and give its id."""
        return self._put("blob", content.encode() if isinstance(content, str) else content)

    def tree(self, files: Mapping[str, str | bytes]) -> bytes:
        """Keep a tree of files by path, with the trees below it, and give its id."""
        here: dict[str, str | bytes] = {}
        below: dict[str, dict[str, str | bytes]] = {}
        for path, content in files.items():
            name, slash, rest = path.partition("/")
            if slash:
                below.setdefault(name, {})[rest] = content
            else:
                here[name] = content
        rows = [(name.encode(), b"100644", self.blob(content)) for name, content in here.items()]
        rows += [(f"{name}/".encode(), b"40000", self.tree(inner)) for name, inner in below.items()]
        packed = (mode + b" " + name.removesuffix(b"/") + b"\0" + oid for name, mode, oid in sorted(rows))
        return self._put("tree", b"".join(packed))

    def commit(self, files: Mapping[str, str | bytes], when: datetime, message: str = "Work") -> str:
        """Keep a first commit of these files and give its id in hex."""
        signed = f"{AUTHOR} <{EMAIL}> {int(when.timestamp())} +0000"
        tree = self.tree(files).hex()
        text = f"tree {tree}\nauthor {signed}\ncommitter {signed}\n\n{message}"
        return self._put("commit", text.encode()).hex()

    def write(self, objects: Path) -> None:
        """Write all of them below a repository's `objects` folder."""
        offsets: dict[bytes, tuple[int, int]] = {}
        body = bytearray(struct.pack(">4sII", b"PACK", 2, len(self.objects)))
        for oid, (kind, content) in self.objects.items():
            packed = _header(KIND_NUMBERS[kind], len(content)) + zlib.compress(content, 1)
            offsets[oid] = (len(body), zlib.crc32(packed))
            body += packed
        checksum = _sha1(bytes(body))
        folder = objects / "pack"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"pack-{checksum.hex()}.pack").write_bytes(bytes(body) + checksum)
        (folder / f"pack-{checksum.hex()}.idx").write_bytes(_index(offsets, checksum))

    def _put(self, kind: Kind, content: bytes) -> bytes:
        oid = _sha1(b"%s %d\0" % (kind.encode(), len(content)) + content)
        self.objects[oid] = (kind, content)
        return oid


def write_borrower(path: Path, lender: Path, branch: str, commit: str) -> BareRepository:
    """A bare repository with one branch whose objects all stand in another one."""
    (path / "refs").mkdir(parents=True)
    (path / "objects" / "info").mkdir(parents=True)
    files = {
        "HEAD": f"ref: refs/heads/{branch}\n",
        "packed-refs": f"{commit} refs/heads/{branch}\n",
        "objects/info/alternates": f"{(lender / 'objects').as_posix()}\n",
    }
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8", newline="\n")
    return BareRepository(path)


def _header(kind: int, size: int) -> bytes:
    """Kind and size: four bits of it, then seven at a time."""
    return bytes(_header_bytes(kind, size))


def _header_bytes(kind: int, size: int) -> Iterator[int]:
    byte, size = kind << 4 | size & 15, size >> 4
    while size:
        yield byte | 128
        byte, size = size & 127, size >> 7
    yield byte


def _index(offsets: Mapping[bytes, tuple[int, int]], pack_checksum: bytes) -> bytes:
    """Where each object stands: ids in order, their checksums and offsets, behind a table by first byte."""
    order = sorted(offsets)
    by_first = [0] * 256
    for oid in order:
        by_first[oid[0]] += 1
    places = [offsets[oid] for oid in order]
    if any(offset >= LARGE_OFFSET for offset, _ in places):
        raise ValueError("the pack is larger than 2 GiB; fill the forge in more steps")
    body = b"".join([
        b"\xfftOc", struct.pack(">I", 2),
        struct.pack(">256I", *accumulate(by_first)),
        *order,
        struct.pack(f">{len(order)}I", *(crc for _, crc in places)),
        struct.pack(f">{len(order)}I", *(offset for offset, _ in places)),
        pack_checksum,
    ])  # fmt: skip
    return body + _sha1(body)


def _sha1(content: bytes) -> bytes:
    return hashlib.sha1(content, usedforsecurity=False).digest()
