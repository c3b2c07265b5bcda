"""Gathered files → one root's listing and its pack: all of its texts, one after another, cleaned."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pipeline import text
from pipeline.choice import FILE_LIMIT_BYTES
from pipeline.codec import SCHEMA_VERSION
from pipeline.model.roots import RootFile, RootListing, RootProblem
from pipeline.roots.gathering import BELOW, Found, Gathered
from pipeline.roots.sections import HOT_FILE, read_sections

FILES_LIMIT = 50_000
TEXTS_LIMIT_BYTES = 128 << 20
TITLE_LINES = 40
TOO_LARGE = "larger than 1 MiB: it is listed without its text"
TOO_MANY = "the root has more than 50,000 files: the rest is left out"
TOO_MUCH = "the root has more than 128 MiB of text: this one is listed without it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What was made of a root last time: seals by path, files by path, and the pack that they point into."""

    seals: Mapping[str, str]
    files: Mapping[str, RootFile]
    pack: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A root's artifact, and the seals by which its files are known again."""

    listing: RootListing
    pack: bytes
    seals: Mapping[str, str]
    problems: tuple[RootProblem, ...]
    read: int


def pack_root(name: str, gathered: Gathered, kept: Kept) -> Packed:
    """Read what is new, take over what is known; the same bytes whatever was kept."""
    problems = list(gathered.problems)
    made: list[RootFile] = []
    parts: list[bytes] = []
    seals: dict[str, str] = {}
    start = read = 0
    for found in gathered.files[:FILES_LIMIT]:
        known = kept.files.get(found.path) if kept.seals.get(found.path) == found.seal else None
        read += known is None
        fresh = _taken_over(known, kept.pack) if known is not None else _read_anew(found)
        if isinstance(fresh, str):
            problems.append(RootProblem(path=found.path, reason=fresh))
            continue
        file, content = fresh
        if content is not None and start + len(content) > TEXTS_LIMIT_BYTES:
            problems.append(RootProblem(path=found.path, reason=TOO_MUCH))
            content = None
        elif file.size_bytes > FILE_LIMIT_BYTES:
            problems.append(RootProblem(path=found.path, reason=TOO_LARGE))
        seals[found.path] = found.seal
        place, length = (None, None) if content is None else (start, len(content))
        made.append(replace(file, start=place, length=length))
        parts.append(content or b"")
        start += len(content or b"")
    problems += [RootProblem(path=found.path, reason=TOO_MANY) for found in gathered.files[FILES_LIMIT:][:1]]
    return Packed(
        listing=_listing(name, made),
        pack=b"".join(parts),
        seals=seals,
        problems=tuple(sorted(problems, key=lambda each: each.path)),
        read=read,
    )


def _taken_over(file: RootFile, pack: bytes) -> tuple[RootFile, bytes | None]:
    if file.start is None or file.length is None:
        return file, None
    return file, pack[file.start : file.start + file.length]


def _read_anew(found: Found) -> tuple[RootFile, bytes | None] | str:
    raw = found.read() if found.size_bytes <= FILE_LIMIT_BYTES else None
    if isinstance(raw, str):
        return raw
    written, is_text = text.decode(raw or b"")
    shown = text.body(written) if raw is not None and is_text and b"\0" not in raw else None
    file = RootFile(
        path=found.path,
        size_bytes=found.size_bytes if raw is None else len(raw),
        sha256=None if raw is None else hashlib.sha256(raw).hexdigest(),
        start=None,
        length=None,
        title=None if shown is None else _title(shown),
        sections=() if shown is None else tuple(section.id for section in read_sections(shown)),
    )
    return file, None if shown is None else shown.encode()


def _title(shown: str) -> str | None:
    for line in shown.split("\n", TITLE_LINES)[:TITLE_LINES]:
        if line.startswith("# ") and line[2:].strip():
            return text.line(line[2:])
    return None


def _listing(name: str, files: list[RootFile]) -> RootListing:
    return RootListing(
        schema_version=SCHEMA_VERSION,
        id=name,
        hot=next((file for file in files if file.path == HOT_FILE), None),
        files=tuple(replace(file, path=file.path.removeprefix(BELOW)) for file in files if file.path.startswith(BELOW)),
    )


def gathered_files(listing: RootListing) -> dict[str, RootFile]:
    """The files of a listing by the paths that they were gathered under."""
    below = [replace(file, path=f"{BELOW}{file.path}") for file in listing.files]
    return {file.path: file for file in (*below, *([listing.hot] if listing.hot is not None else ()))}
