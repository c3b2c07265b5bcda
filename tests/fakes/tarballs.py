"""Packed tars, made member by member, so that they can be wrong in any way."""

from __future__ import annotations

import gzip
import tarfile
from typing import Literal


def member(
    name: str,
    content: bytes = b"",
    *,
    kind: bytes = tarfile.REGTYPE,
    mode: int = 0o664,
    target: str = "",
    long_names: Literal[0, 1, 2] = tarfile.PAX_FORMAT,
) -> bytes:
    """A header and its body, as git writes them: a name as it is; only one that does not fit stands before it."""
    header = tarfile.TarInfo(name)
    header.type, header.mode, header.linkname, header.size = kind, mode, target, len(content)
    try:
        written = header.tobuf(tarfile.USTAR_FORMAT, "utf-8", "surrogateescape")
    except ValueError:
        written = header.tobuf(long_names, "utf-8", "surrogateescape")
    return written + content + bytes(-len(content) % tarfile.BLOCKSIZE)


def pack(*members: bytes) -> bytes:
    """The members and the end of the tar, packed; the same bytes at any hour."""
    return gzip.compress(b"".join(members) + bytes(2 * tarfile.BLOCKSIZE), mtime=0)
