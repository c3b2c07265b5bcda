"""The indexes of a wiki's folders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.folder_indexes import read_folder_indexes

PAGES = ("concepts/_index", "concepts/a", "concepts/deep/b", "other/a", "top")


def named(written: str) -> list[tuple[str, str]]:
    found = read_folder_indexes(PAGES, {"concepts/_index": written.encode()}.get)
    return [(slug, entry.title) for slug, entry in found.items()]


def asked_for(*slugs: str) -> list[str]:
    """The pages whose bytes are wanted: those that are indexes."""
    wanted: list[str] = []
    read_folder_indexes(slugs, wanted.append)  # append answers None: no bytes
    return wanted


def test_a_folder_has_one_index_and_the_wiki_itself_none_of_these():
    assert asked_for("index", "a/_index", "b/_index", "b/INDEX", "c/readme", "c/index-of-all") == [
        "a/_index",
        "b/INDEX",
    ]


def test_an_index_in_a_folder_of_a_folder_counts_to_the_fourth():
    assert asked_for("a/b/c/d/index", "a/b/c/d/e/index") == ["a/b/c/d/index"]


def test_the_index_of_a_fourth_folder_names_its_pages():
    found = read_folder_indexes(["a/b/c/d/index", "a/b/c/d/x"], {"a/b/c/d/index": b"- [X](x.md)\n"}.get)

    assert list(found) == ["a/b/c/d/x"]


def test_an_index_may_name_pages_of_folders_in_its_folder_and_the_first_name_counts():
    texts = {"raw/_index": b"- [First](notes/a.md)\n", "raw/notes/_index": b"- [Second](a.md)\n- [Third](b.md)\n"}
    found = read_folder_indexes([*texts, "raw/notes/a", "raw/notes/b"], texts.get)

    assert {slug: entry.title for slug, entry in found.items()} == {"raw/notes/a": "First", "raw/notes/b": "Third"}


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("- [A](a.md)\n", [("concepts/a", "A")]),
        ("- [A](./a.md#part)\n- [B](deep/b)\n", [("concepts/a", "A"), ("concepts/deep/b", "B")]),
        ("- [A](concepts/a.md)\n", [("concepts/a", "A")]),
        ("- [[a|A]] - text\n- [[deep/b]]\n", [("concepts/a", "A"), ("concepts/deep/b", "b")]),
        ("- [A](a.md)\n- [again](a.md)\n", [("concepts/a", "A")]),
        ("- [other](other/a.md)\n- [top](top.md)\n- [none](none.md)\n- [self](_index.md)\n", []),
        ("# Список\n| Файл | О чём |\n|---|---|\n| [A](a.md) | x |\n", [("concepts/a", "A")]),
        ("<<<<<<< HEAD\n- [A](a.md)\n", []),
        ("", []),
    ],
)
def test_a_folders_index_names_the_pages_below_it(written: str, found: list[tuple[str, str]]):
    assert named(written) == found


@given(st.binary(max_size=200))
def test_no_bytes_make_a_folders_index_raise(raw: bytes):
    assert set(read_folder_indexes(PAGES, lambda _: raw)) <= {"concepts/a", "concepts/deep/b"}
