"""Regular files of a packed tar, read forward, with limits that hold whatever the packing says.

Only headers are read by the library: its own reader keeps a whole long name in memory and searches it in time
that grows with its square, and a repository decides what stands there (the target of a link, of any length).
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Callable, Iterator

BLOCK_BYTES = 512
PIECE_BYTES = 64 * 1024
UNPACKED_BYTES = 96 * 1024 * 1024
HEADERS = 20_000
LONGEST_NAME_BYTES = 8 * 1024
LONGEST_NUMBER = 5
REGULAR = frozenset({tarfile.REGTYPE, tarfile.AREGTYPE})
BODILESS = frozenset({
    tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE,
})  # fmt: skip
OF_THE_NEXT = frozenset({tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME})
OF_OTHERS = frozenset({tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK})


def read_files(packed: bytes, is_wanted: Callable[[str, int], bool]) -> Iterator[tuple[str, bytes | None]]:
    """Give the name of every regular file in its order, and its bytes if `is_wanted` (name, size in bytes).

    A file with a name too long to be believed is passed over.  What is no gzip, no tar, cut off, over 96 MiB
    or over 20,000 headers ends where that shows; it never raises.
    """
    tar = _Unpacked(packed)
    try:
        for name, header in _headers(tar):
            if header.type not in REGULAR or name is None:
                tar.skip(0 if header.type in BODILESS else header.size)
            elif is_wanted(name, header.size):
                yield name, tar.read(header.size)
            else:
                yield name, None
                tar.skip(header.size)
    except _Ended:
        return


class _Ended(Exception):
    """Nothing that could be read on."""


class _Unpacked:
    """The tar within, in whole blocks."""

    def __init__(self, packed: bytes) -> None:
        self._file = gzip.GzipFile(fileobj=io.BytesIO(packed))
        self._left = UNPACKED_BYTES

    def read(self, size: int) -> bytes:
        """The next `size` bytes; what pads them to a whole block is passed over."""
        padding = -size % BLOCK_BYTES
        if size < 0 or size + padding > self._left:
            raise _Ended
        self._left -= size + padding
        try:
            found = self._file.read(size + padding)
        except (OSError, EOFError, zlib.error):
            raise _Ended from None
        if len(found) < size + padding:
            raise _Ended
        return found[:size]

    def skip(self, size: int) -> None:
        """Pass over `size` bytes and their padding."""
        if size < 0:
            raise _Ended
        for _ in range(size // PIECE_BYTES):
            self.read(PIECE_BYTES)
        self.read(size % PIECE_BYTES)


def _headers(tar: _Unpacked) -> Iterator[tuple[str | None, tarfile.TarInfo]]:
    """Every member and its name; None for one that is too long.  The body is the caller's to read."""
    name: str | None = ""
    for _ in range(HEADERS):
        try:
            header = tarfile.TarInfo.frombuf(tar.read(BLOCK_BYTES), "utf-8", "surrogateescape")
        except tarfile.HeaderError:
            return
        if header.type in OF_THE_NEXT and header.size <= LONGEST_NAME_BYTES:
            name = _long_name(header.type, tar.read(header.size)) or name
        elif header.type in OF_THE_NEXT | OF_OTHERS:
            name = None if header.type in OF_THE_NEXT else name
            tar.skip(header.size)
        else:
            yield header.name if name == "" else name, header
            name = ""


def _long_name(kind: bytes, written: bytes) -> str:
    """The name that stands before its member; "" where another fact does."""
    name = written.partition(b"\0")[0] if kind == tarfile.GNUTYPE_LONGNAME else _path_record(written)
    return name.decode("utf-8", "surrogateescape")


def _path_record(records: bytes) -> bytes:
    """The value of `path` among records such as `18 path=some/name` and a line feed."""
    at = 0
    while at < len(records):
        space = records.find(b" ", at, at + LONGEST_NUMBER + 1)
        length = records[at:space] if space > at else b""
        if not length.isdigit() or at + int(length) <= space:
            return b""
        key, _, value = records[space + 1 : at + int(length)].partition(b"=")
        if key == b"path":
            return value.removesuffix(b"\n")
        at += int(length)
    return b""
