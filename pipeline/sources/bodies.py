"""Bodies of answers, read with limits that hold after decompression."""

from __future__ import annotations

import time
import zlib
from collections.abc import AsyncIterable, Callable, Iterator

from pipeline.errors import SourceUnreachable

MEBIBYTE = 1024 * 1024
LARGEST_BYTES = 32 * MEBIBYTE
LARGEST_RATIO = 100
FREE_BYTES = MEBIBYTE
PIECE_BYTES = 64 * 1024
PATIENT_S = 10.0
SLOWEST_BYTES_PER_S = 1000


class TooLarge(SourceUnreachable):
    """The answer is larger than we take; less may be asked for."""


class CutOff(Exception):
    """The body ended before its end; another try may bring it whole."""


async def read_body(
    chunks: AsyncIterable[bytes],
    encoding: str,
    announced_bytes: int | None,
    monotonic: Callable[[], float] = time.monotonic,
    *,
    largest_bytes: int = LARGEST_BYTES,
    enough_bytes: int | None = None,
) -> bytes:
    """Read a body as it stands on the wire and unpack it, never holding more than the limits.

    `encoding` is the Content-Encoding, `announced_bytes` the Content-Length where there is one.  Of more
    than `enough_bytes` only so many come, and the rest is left unread.

    Raises:
        TooLarge: over `largest_bytes`.
        SourceUnreachable: unpacking more than 100 times (above 1 MiB), packed otherwise
            than we asked, or slower than 1 KB/s after 10 s.
        CutOff: shorter than announced, or the packing does not end.
    """
    decoder = _decoder(encoding)
    began = monotonic()
    pieces: list[bytes] = []
    size = received = 0
    async for chunk in chunks:
        received += len(chunk)
        _check_rate(received, monotonic() - began)
        for piece in decoder.feed(chunk):
            size += len(piece)
            _check_size(size, received, largest_bytes)
            pieces.append(piece)
        if enough_bytes is not None and size > enough_bytes:
            return b"".join(pieces)[:enough_bytes]
    if not (received == 0 or decoder.ended()) or (announced_bytes is not None and received != announced_bytes):
        raise CutOff
    return b"".join(pieces)


def _check_rate(received: int, passed_s: float) -> None:
    if passed_s > PATIENT_S and received < SLOWEST_BYTES_PER_S * passed_s:
        raise SourceUnreachable(f"the answer comes slower than {SLOWEST_BYTES_PER_S} bytes per second")


def _check_size(size: int, received: int, largest_bytes: int) -> None:
    if size > largest_bytes:
        raise TooLarge(f"the answer is larger than {largest_bytes // MEBIBYTE} MiB")
    if size > FREE_BYTES and size > LARGEST_RATIO * received:
        raise SourceUnreachable(f"the answer unpacks to more than {LARGEST_RATIO} times its size")


class _Plain:
    def feed(self, chunk: bytes) -> Iterator[bytes]:
        yield chunk

    def ended(self) -> bool:
        return True


class _Gzip:
    def __init__(self) -> None:
        self._unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Unpack piece by piece, so that a bomb is seen before it is large."""
        pending = chunk
        while True:
            try:
                piece = self._unpacker.decompress(pending, PIECE_BYTES)
            except zlib.error:
                raise SourceUnreachable("the answer is not gzip, as its Content-Encoding says") from None
            pending = self._unpacker.unconsumed_tail
            if piece:
                yield piece
            if len(piece) < PIECE_BYTES and not pending:
                return

    def ended(self) -> bool:
        return self._unpacker.eof


def _decoder(encoding: str) -> _Plain | _Gzip:
    match encoding.strip().lower():
        case "" | "identity":
            return _Plain()
        case "gzip" | "x-gzip":
            return _Gzip()
        case _:
            raise SourceUnreachable("the answer is packed otherwise than asked; expected gzip or nothing")
