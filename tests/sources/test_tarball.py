from __future__ import annotations

import gzip
import tarfile
import tracemalloc
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.sources.tarball import read_files
from tests.fakes.tarballs import member, pack

MIB = 1 << 20
THREE = pack(member("app/a.md", b"a" * 700), member("app/b.md", b"b"), member("app/c.md", b"c" * 512))
THREE_FILES = [("app/a.md", b"a" * 700), ("app/b.md", b"b"), ("app/c.md", b"c" * 512)]


def read(packed: bytes) -> list[tuple[str, bytes | None]]:
    return list(read_files(packed, lambda _name, _size: True))


def test_files_come_in_their_order_with_their_bytes() -> None:
    assert read(THREE) == THREE_FILES


def test_of_what_is_not_wanted_only_the_name_is_told() -> None:
    found = list(read_files(THREE, lambda _name, size_bytes: size_bytes == 512))

    assert found == [("app/a.md", None), ("app/b.md", None), ("app/c.md", b"c" * 512)]


@pytest.mark.parametrize(
    ("name", "long_names"),
    [
        ("app/.wiki/Страница №1.md", tarfile.PAX_FORMAT),
        (f"app/{'папка/' * 15}страница.md", tarfile.PAX_FORMAT),
        (f"app/{'очень-длинное-имя-' * 12}.md", tarfile.PAX_FORMAT),
        (f"app/{'очень-длинное-имя-' * 12}.md", tarfile.GNU_FORMAT),
        (f"app/{'long name ' * 20}=5 path=x\n.md", tarfile.PAX_FORMAT),
        ("app/\udcff\udcfe.md", tarfile.PAX_FORMAT),
    ],
)
def test_names_are_read_however_they_are_written(name: str, long_names: Literal[1, 2]) -> None:
    packed = pack(member(name, b"x", long_names=long_names), member("app/next.md", b"y"))

    assert read(packed) == [(name, b"x"), ("app/next.md", b"y")]


def test_a_name_is_given_as_it_stands_and_never_resolved() -> None:
    packed = pack(member("app/../../etc/x.md", b"1"), member("/etc/x.md", b"2"), member("", b"3"))

    assert read(packed) == [("app/../../etc/x.md", b"1"), ("/etc/x.md", b"2"), ("", b"3")]


@pytest.mark.parametrize(
    "odd",
    [
        member("app/link.md", kind=tarfile.SYMTYPE, target="/etc/passwd"),
        member("app/link.md", kind=tarfile.LNKTYPE, target="app/a.md"),
        member("app/folder", kind=tarfile.DIRTYPE),
        member("app/device", kind=tarfile.CHRTYPE),
        member("app/pipe", kind=tarfile.FIFOTYPE),
        member("app/sparse", b"s" * 600, kind=tarfile.GNUTYPE_SPARSE),
        member("app/unknown", b"u" * 600, kind=b"Z"),
        tarfile.TarInfo.create_pax_global_header({"comment": "0" * 40, "path": "app/global.md"}),
    ],
    ids=["symlink", "hard link", "folder", "device", "pipe", "sparse file", "unknown kind", "global header"],
)
def test_what_is_no_regular_file_is_passed_over(odd: bytes) -> None:
    assert read(pack(odd, member("app/next.md", b"y"))) == [("app/next.md", b"y")]


def test_a_file_that_stands_twice_is_given_twice() -> None:
    assert read(pack(member("a", b"1"), member("a", b"2"))) == [("a", b"1"), ("a", b"2")]


def test_a_name_too_long_to_be_believed_is_passed_over_with_its_file() -> None:
    packed = pack(member(f"app/{'x' * 9_000}.md", b"x"), member("app/next.md", b"y"))

    assert read(packed) == [("app/next.md", b"y")]


def test_a_link_to_a_million_digits_holds_nothing_up() -> None:
    packed = pack(member("app/l", kind=tarfile.SYMTYPE, target="1" * MIB), member("app/next.md", b"y"))

    assert read(packed) == [("app/next.md", b"y")]


@pytest.mark.parametrize("record", [b"x path=a\n", b"0 path=a\n", b"7 path=", b"99999999999999999999 path=a\n", b"8"])
def test_a_long_name_that_is_not_written_as_one_changes_nothing(record: bytes) -> None:
    packed = pack(member("app/pax", record, kind=tarfile.XHDTYPE), member("app/next.md", b"y"))

    assert read(packed)[-1:] == [("app/next.md", b"y")]


# --- what ends early


@given(st.integers(min_value=0, max_value=len(THREE) - 1))
def test_what_is_cut_off_gives_whole_files_up_to_there(length: int) -> None:
    found = read(THREE[:length])

    assert found == THREE_FILES[: len(found)]


@given(st.binary(max_size=2_000))
def test_no_bytes_raise(content: bytes) -> None:
    assert read(content) == []
    assert isinstance(read(pack(content)), list)


def with_size(written: bytes) -> bytes:
    """A header that says this of its size, under a right sum."""
    header = bytearray(member("app/odd.md")[:512])
    header[124:136] = written
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


@pytest.mark.parametrize(
    "header",
    [
        with_size(b"\xff" * 12),
        with_size(b"\x80" + b"\xff" * 11),
        with_size(b"77777777777\0"),
        with_size(b"not a size\0\0"),
        b"x" * 512,
    ],
    ids=["negative", "enormous", "larger than may be", "no number", "no header"],
)
def test_a_header_that_cannot_be_ends_the_reading(header: bytes) -> None:
    packed = pack(member("app/a.md", b"a"), header, member("app/next.md", b"y"))

    assert read(packed)[:1] == [("app/a.md", b"a")]
    assert ("app/next.md", b"y") not in read(packed)


def test_a_bomb_is_left_before_it_is_large() -> None:
    bomb = pack(member("app/a.md", b"a"), member("app/bomb.png", bytes(97 * MIB)), member("app/next.md", b"y"))
    tracemalloc.start()

    found = list(read_files(bomb, lambda _name, size_bytes: size_bytes < MIB))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert found == [("app/a.md", b"a"), ("app/bomb.png", None)]
    assert peak < 2 * MIB


def test_more_headers_than_a_repository_may_have_are_not_read() -> None:
    packed = pack(member("app/x.md") * 20_001)

    assert len(read(packed)) == 20_000


def test_a_tar_in_two_parts_is_one() -> None:
    first, second = member("a", b"1"), member("b", b"2") + bytes(1024)

    assert read(gzip.compress(first) + gzip.compress(second)) == [("a", b"1"), ("b", b"2")]


def test_a_packing_that_is_spoilt_ends_the_reading() -> None:
    assert read(THREE[:10] + b"\xff" * 30 + THREE[40:]) == []
